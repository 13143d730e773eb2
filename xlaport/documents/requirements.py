"""Packages that a project asks for: requirements files, project metadata, environments, install commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.documents.commands import commands
from xlaport.documents.document import LAUNCHERS, NEWLINE, Document, Kind
from xlaport.documents.entries import entries
from xlaport.documents.entry import ITEM, Entry
from xlaport.rule import Span


@dataclass(frozen=True)
class Requirement:
    """A package that is asked for."""

    name: str
    """In lower case, with hyphens."""
    version: str
    """What is said of its version, without spaces; for conda's ``=1.2.*`` as it is written."""
    span: Span
    """Name and version, as they are written."""

    @property
    def minor(self) -> str | None:
        """The one minor version (``2.9``) that is asked for, if there is only one."""
        match = re.fullmatch(r"(?:==?=?|~=|\^|~)?v?(\d+)\.(\d+)(?:\.\d+)?(?:\.\*)?(?:\+\S+)?", self.version)
        if match is None or (re.fullmatch(r"(~=|\^)\d+\.\d+|\^.*", self.version.replace("v", ""))):
            return None
        return f"{match[1]}.{match[2]}"


_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]*)[ \t]*(?:\[[^\]]*\])?[ \t]*"
    r"(?P<version>(?:\(?(?:[=<>!~]=?=?)[ \t]*[^\s,;#()@]+\)?[ \t]*,?[ \t]*)*)(?=$|[\s;#@,\"'])"
)


def requirements(document: Document) -> tuple[Requirement, ...]:
    """The packages in the order of the text."""
    if document.kind is Kind.REQUIREMENTS:
        return tuple(_of_lines(document.text))
    if document.kind in LAUNCHERS:
        return tuple(_of_commands(document))
    return tuple(_of_entries(document))


def _requirement(text: str, start: int, end: int) -> Requirement | None:
    match = _REQUIREMENT.match(text, start, end)
    if match is None or (match["name"].isdigit()):
        return None
    version = re.sub(r"[\s()]", "", match["version"]).rstrip(",")
    name = re.sub(r"[-_.]+", "-", match["name"]).lower()
    return Requirement(name, version, Span(start, start + len(match[0].rstrip(", \t"))))


def _of_lines(text: str) -> Iterator[Requirement]:
    start = 0
    while start < len(text):
        newline = NEWLINE.search(text, start)
        end = newline.start() if newline else len(text)
        first = re.compile(r"[ \t]*").match(text, start, end)
        found = _requirement(text, first.end() if first else start, end)
        if found is not None and "://" not in text[found.span.start : found.span.end + 3]:
            yield found
        start = newline.end() if newline else len(text)


def _of_commands(document: Document) -> Iterator[Requirement]:
    for command in commands(document):
        said = [word.value for word in command.words]
        if command.program in ("echo", "printf") or ("install" not in said and "create" not in said):
            continue
        begin = said.index("install" if "install" in said else "create")
        before = {word.rpartition("/")[2] for word in said[:begin] if word}
        if not before & {"pip", "pip3", "conda", "mamba", "micromamba", "uv"}:
            continue
        takes_value = False
        for word in command.words[begin + 1 :]:
            if word.text.startswith("-"):
                takes_value = word.text in _WITH_VALUE
            elif takes_value:
                takes_value = False
            elif word.value and "/" not in word.value:
                if match := re.fullmatch(r"(?:[\w-]+::)?([\w.-]+)(=[\w.*]+(?:=\S+)?)", word.value):
                    yield Requirement(match[1].lower(), _conda(match[2]), word.inner)
                elif found := _requirement(word.value, 0, len(word.value)):
                    yield Requirement(found.name, found.version, word.inner)


_WITH_VALUE = frozenset(
    "-r -c -f -i -t -n -p -e --requirement --constraint --find-links --index-url --extra-index-url --target --name "
    "--prefix --channel --editable --platform --python --python-version --trusted-host".split()
)


def _conda(version: str) -> str:
    """Conda's ``=1.2=build`` without the build."""
    return "=".join(version.split("=")[:2]) if not version.startswith("==") else version


def _of_entries(document: Document) -> Iterator[Requirement]:
    for entry in entries(document):
        if document.kind is Kind.YAML and entry.keys[:1] == ("dependencies",) and entry.is_item:
            yield from _of_environment(document, entry)
        elif document.kind is Kind.TOML:
            yield from _of_project(document, entry)
        elif document.kind is Kind.INI and (
            entry.keys[:2] in (("options", "install_requires"), ("options", "setup_requires"))
            or entry.keys[:1] == ("options.extras_require",)
        ):
            yield from _of_text(document, entry)


def _of_text(document: Document, entry: Entry) -> Iterator[Requirement]:
    found = _requirement(document.text, entry.inner.start, entry.inner.end)
    if found is not None:
        yield found


def _of_environment(document: Document, entry: Entry) -> Iterator[Requirement]:
    if "pip" in entry.keys:
        yield from _of_text(document, entry)
    elif match := re.fullmatch(r"(?:[\w/.-]+::)?([\w.-]+)\s*([=<>!~].*|\s[\d.*]+)?", entry.value):
        yield Requirement(match[1].lower().replace("_", "-"), _conda((match[2] or "").strip()), entry.inner)


def _of_project(document: Document, entry: Entry) -> Iterator[Requirement]:
    keys = entry.keys
    if entry.is_item and (
        keys[:2] == ("project", "dependencies")
        or keys[:2] == ("project", "optional-dependencies")
        or keys[:1] == ("dependency-groups",)
    ):
        yield from _of_text(document, entry)
    elif keys[:2] == ("tool", "poetry") and ITEM not in keys:
        # [tool.poetry.dependencies] and [tool.poetry.group.dev.dependencies]: name = "version" or a table
        if keys[-2:-1] == ("dependencies",):
            yield Requirement(keys[-1].lower().replace("_", "-"), entry.value.replace(" ", ""), entry.inner)
        elif keys[-3:-2] == ("dependencies",) and keys[-1] == "version":
            yield Requirement(keys[-2].lower().replace("_", "-"), entry.value.replace(" ", ""), entry.inner)
