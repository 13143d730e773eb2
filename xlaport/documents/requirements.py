"""Packages that a project asks for: requirements files, project metadata, environments, install commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.documents.commands import commands
from xlaport.documents.document import LAUNCHERS, Document, Kind
from xlaport.documents.entries import entries
from xlaport.documents.entry import ITEM, Entry
from xlaport.finding import Span


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
        from packaging.specifiers import SpecifierSet
        from packaging.version import Version

        tried = {"0", "0.9999", "9999"}
        try:  # conda's =2.9 and poetry's ~2.9 and 2.9 are ==2.9.*
            asked = SpecifierSet(re.sub(r"^[=~]?(\d[\d.]*?)(?:\.\*|\+\S+)?$", r"==\1.*", self.version))
            for version in (Version(one.version.removesuffix(".*")) for one in asked):
                minors = range(max(version.minor - 1, 0), version.minor + 2)
                tried |= {str(version), *(f"{version.major}.{n}.{patch}" for n in minors for patch in (0, 9999))}
        except ValueError:  # as poetry's ^2.9
            return None
        kept = {f"{v.major}.{v.minor}" for v in asked.filter(map(Version, tried), prereleases=True)}
        return kept.pop() if len(kept) == 1 else None


_BEHIND = re.compile(r"(?<![ \t,])[ \t,]*(?:[;#@].*|(?<=[ \t])--?[a-z].*|\\?$)")
"""What may stand behind name and version: a marker, a comment, an address, options."""
_CONDA = re.compile(r"([A-Za-z0-9_][\w.-]*)(?:[ \t]*([=<>!~]=?=?)|[ \t])[ \t]*([\d*][^\s=]*)(?:[= ]\S+)?")
"""Name, version and build."""


def requirements(document: Document) -> tuple[Requirement, ...]:
    """The packages in the order of the text."""
    if document.kind is Kind.REQUIREMENTS:
        return tuple(_of_lines(document.text))
    if document.kind in LAUNCHERS:
        return tuple(_of_commands(document))
    return tuple(_of_entries(document))


def _requirement(text: str, start: int, end: int) -> Requirement | None:
    """What is asked for between two offsets: as pip is told or, where pip would not understand it, conda."""
    from packaging.requirements import InvalidRequirement
    from packaging.requirements import Requirement as Parsed
    from packaging.utils import canonicalize_name

    said = _BEHIND.sub("", text[start:end])
    asked = said.rpartition("::")[2]  # behind conda's channel
    try:
        name, version = Parsed(asked).name, re.sub(r"^[^=<>!~]*|[\s()]", "", asked)
    except InvalidRequirement:
        if (conda := _CONDA.fullmatch(asked)) is None:
            return None
        name, version = conda[1], (conda[2] or "=") + conda[3]
    return None if name.isdigit() else Requirement(canonicalize_name(name), version, Span(start, start + len(said)))


def _of_lines(text: str) -> Iterator[Requirement]:
    for line in re.finditer(r"\S[^\r\n]*", text):
        if found := _requirement(text, *line.span()):
            yield found


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
                if found := _requirement(word.value, 0, len(word.value)):
                    yield replace(found, span=word.inner)


_WITH_VALUE = frozenset(
    "-r -c -f -i -t -n -p -e --requirement --constraint --find-links --index-url --extra-index-url --target --name "
    "--prefix --channel --editable --platform --python --python-version --trusted-host".split()
)


def _of_entries(document: Document) -> Iterator[Requirement]:
    for entry in entries(document):
        if document.kind is Kind.YAML and entry.keys[:1] == ("dependencies",) and entry.is_item:
            yield from _of_text(document, entry)
        elif document.kind is Kind.TOML:
            yield from _of_project(document, entry)
        elif document.kind is Kind.INI and (
            entry.keys[:2] in (("options", "install_requires"), ("options", "setup_requires"))
            or entry.keys[:1] == ("options.extras_require",)
        ):
            yield from _of_text(document, entry)


def _of_text(document: Document, entry: Entry) -> Iterator[Requirement]:
    if found := _requirement(document.text, entry.inner.start, entry.inner.end):
        yield found


def _of_project(document: Document, entry: Entry) -> Iterator[Requirement]:
    from packaging.utils import canonicalize_name

    keys = entry.keys
    if entry.is_item and (
        keys[:2] == ("project", "dependencies")
        or keys[:2] == ("project", "optional-dependencies")
        or keys[:1] == ("dependency-groups",)
    ):
        yield from _of_text(document, entry)
    elif keys[:2] == ("tool", "poetry") and ITEM not in keys:
        # [tool.poetry.dependencies] and [tool.poetry.group.dev.dependencies]: name = "version" or a table
        *_, holder, name = keys[:-1] if keys[-1] == "version" else keys
        if holder == "dependencies":
            yield Requirement(canonicalize_name(name), entry.value.replace(" ", ""), entry.inner)
