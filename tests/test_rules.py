"""Every rule, by example: one folder per case under ``snapshots/<CODE>/``, `before.py` and what becomes of it,
`after.py`, which is not there where the text stays as it is. A rule over other files has `before.yaml`, `before.sh`,
`before.ipynb` … in its place.

The name of a case says what it shows; its end says how it is converted:

    …               with the rule alone, safe fixes only
    …-unsafe        with the rule alone, unsafe fixes too
    …-all           with all rules
    …-target-2.4…   for that version of torch_xla, not for the newest (`old-sync-target-2.4-unsafe`)
    keep-…          nothing may be rewritten: the text stays as it is

A case of several files has them in a folder `before`, which is converted as a project; those that are rewritten are in
a folder `after`.

`pytest tests/test_rules.py --snapshot-update` writes `after.py` and `findings.txt`: read the diff. With
`--allow-snapshot-deletion`, too, it deletes those of texts that stay.
"""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from xlaport import registry, run
from xlaport.config import Config
from xlaport.context import known_roles
from xlaport.documents import convert as document_engine
from xlaport.documents.document import Document, Kind, kind_of
from xlaport.engine import Conversion, Member, Settings, convert
from xlaport.facts.program import Program
from xlaport.notebook.convert import Notebook, convert_notebook
from xlaport.notebook.document import read as read_notebook
from xlaport.notebook.magics import mask
from xlaport.report import rule_page
from xlaport.result import ReportedFinding
from xlaport.rule import Applicability, DocumentRule, Rule
from xlaport.source import Source
from xlaport.target import DEFAULT, target

SNAPSHOTS = Path(__file__).parent / "snapshots"
RULES = registry.load()
CODES = [rule.code for rule in RULES]
CASES = sorted(path.parent for path in SNAPSHOTS.glob("XP*/*/before*") if path.is_file())
PROJECTS = sorted(path.parent for path in SNAPSHOTS.glob("XP*/*/before/"))

FAMILIES = {
    "1": "device", "2": "step", "3": "host_reads", "4": "shapes", "5": "precision", "6": "distributed",
    "7": "checkpoint", "8": "runtime launch frameworks", "9": "legacy",
}  # fmt: skip
SECTIONS = list(rule_page.SECTIONS)

# What the short examples in the docstrings take for granted.
PREAMBLE = "import time\nimport torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader\n"
NEW_IMPORTS = re.compile(r"^import torch_xla(\.[\w.]+( as \w+)?)?\n", re.MULTILINE)


def converted(text: str, rules: list[Rule], unsafe: bool = False, version: str = DEFAULT) -> Conversion:
    allowed = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    settings = Settings(target(version), frozenset(allowed))
    newline = "\r\n" if "\r\n" in text else "\n"
    return convert(text, "before.py", rules, settings, newline)


def converted_document(text: str, kind: Kind, rules: list[Rule], unsafe: bool = False) -> Conversion:
    allowed = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    readers = [rule for rule in rules if isinstance(rule, DocumentRule)]
    return document_engine.convert(Document(text, kind), "before", readers, Settings(target(), frozenset(allowed)))


def converted_notebook(text: str, rules: list[Rule], unsafe: bool = False) -> Conversion:
    allowed = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    notebook = Notebook(Source(Path("before.ipynb"), text, "utf-8", False, "\n"), read_notebook(text))
    settings = Settings(target(), frozenset(allowed))
    member = Member(Program(further=known_roles(settings.target)))
    found = convert_notebook(notebook, "before.ipynb", rules, settings, member)
    return Conversion(found[0].after, found[0].findings) if found else Conversion(text, ())


def before_of(case: Path) -> Path:
    (path,) = case.glob("before*")
    return path


def after_of(case: Path) -> Path:
    return case / before_of(case).name.replace("before", "after")


def chosen(case: Path) -> list[Rule]:
    if case.name.endswith("-all"):
        return list(registry.choose(RULES, (), ()))
    return [registry.find(RULES, case.parent.name)]


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def listed(conversion: Conversion) -> str:
    lines = [
        f"{_place(f)} {f.code} {f.applicability.value} {'fixed' if f.fixed else 'open'}: {f.message}\n"
        for f in conversion.findings
    ]
    return "".join(lines)


def _place(finding: ReportedFinding) -> str:
    cell = f"cell {finding.cell}:" if finding.cell is not None else ""
    return f"{cell}{finding.line}:{finding.column}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_case(case: Path, snapshot: Any) -> None:
    before, rules, unsafe = read(before_of(case)), chosen(case), case.name.endswith("-unsafe")
    version = versioned[1] if (versioned := re.search(r"-target-(\d+\.\d+)(?=-|$)", case.name)) else DEFAULT
    kind = kind_of(before_of(case))

    def run(text: str) -> Conversion:
        if kind is Kind.NOTEBOOK:
            return converted_notebook(text, rules, unsafe)
        return converted_document(text, kind, rules, unsafe) if kind else converted(text, rules, unsafe, version)

    conversion = run(before)
    if kind is None:
        ast.parse(conversion.text)
    again = run(conversion.text)
    assert again.text == conversion.text, "converting twice changes something"
    assert not any(finding.fixed for finding in again.findings)
    if case.name.startswith("keep-"):
        assert conversion.text == before, "this must not be rewritten"

    rewritten = {} if conversion.text == before else {after_of(case).name: conversion.text.encode("utf-8")}
    snapshot.snapshot_dir = case.parent
    snapshot.assert_match_dir(
        {before_of(case).name: before.encode("utf-8"), "findings.txt": listed(conversion), **rewritten}, case.name
    )


@pytest.mark.parametrize("case", PROJECTS, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_project(case: Path, snapshot: Any, tmp_path: Path) -> None:
    select = () if case.name.endswith("-all") else (case.parent.name,)
    config = Config(select=select, unsafe=case.name.endswith("-unsafe"))
    result = run.convert([case / "before"], config)
    assert not result.errors

    before = {str(path.relative_to(case / "before")): read(path) for path in (case / "before").rglob("*.py")}
    after = before | {str(file.path.relative_to(case / "before")): file.after for file in result.files}
    for name, text in after.items():
        ast.parse(text)
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode("utf-8"))
    again = run.convert([tmp_path], config)
    assert not again.changed, "converting twice changes something"
    if case.name.startswith("keep-"):
        assert after == before, "this must not be rewritten"

    lines = [
        f"{file.path.relative_to(case / 'before')}:{line}"
        for file in result.files
        for line in listed(Conversion(file.after, file.findings)).splitlines(keepends=True)
    ]
    rewritten = {name: text for name, text in after.items() if text != before.get(name)}
    folders = {"before": _nested(before), **({"after": _nested(rewritten)} if rewritten else {})}
    snapshot.snapshot_dir = case.parent
    snapshot.assert_match_dir({**folders, "findings.txt": "".join(lines)}, case.name)


def _nested(files: dict[str, str]) -> dict[str, Any]:
    """Files by path as folders within folders, each a dict."""
    found: dict[str, Any] = {}
    for name, text in files.items():
        *folders, last = name.split("/")
        place = found
        for folder in folders:
            place = place.setdefault(folder, {})
        place[last] = text.encode("utf-8")
    return found


def test_every_case_belongs_to_a_rule() -> None:
    assert {case.parent.name for case in [*CASES, *PROJECTS]} <= set(CODES)


def test_no_folder_is_without_a_before() -> None:
    folders = {path for path in SNAPSHOTS.glob("*/*") if path.is_dir()}
    assert folders == {*CASES, *PROJECTS}


@pytest.mark.parametrize("rule", RULES, ids=CODES)
class TestRule:
    def test_has_a_case_that_it_finds(self, rule: Rule) -> None:
        found = [c for c in self._cases(rule) if not c.name.startswith("keep-") and read(c / "findings.txt")]
        assert found
        if rule.applicability is not Applicability.MANUAL:
            assert any(after_of(c).exists() for c in found)

    def test_has_a_case_that_it_leaves_alone(self, rule: Rule) -> None:
        assert any(c.name.startswith("keep-") and not read(c / "findings.txt") for c in self._cases(rule))

    def test_code_matches_its_folder(self, rule: Rule) -> None:
        assert re.fullmatch(r"XP\d{3}", rule.code)
        assert type(rule).__module__.split(".")[-2] in FAMILIES[rule.code[2]].split()

    def test_name_and_summary_are_short(self, rule: Rule) -> None:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
        assert len(rule.summary) < 80
        assert not rule.summary.endswith(".")

    def test_page_has_its_sections(self, rule: Rule) -> None:
        assert re.findall(r"^## (.*)$", rule.documentation(), re.MULTILINE) == SECTIONS

    def test_example_is_what_the_rule_does(self, rule: Rule) -> None:
        before, after = example(rule)
        if isinstance(rule, DocumentRule):
            conversion = converted_document(before, rule.kinds[0], [rule], unsafe=True)
        elif rule.of_notebooks:
            member = Member(Program(further=known_roles(target())), is_notebook=True)
            conversion = convert(mask(before).text, "before.ipynb", [rule], Settings(target()), member=member)
        else:
            conversion = converted(PREAMBLE + before, [rule], unsafe=True)
        assert conversion.findings, "the rule finds nothing in its own example"
        if rule.applicability is not Applicability.MANUAL:
            assert without_imports(conversion.text) == without_imports(after)

    def test_sees_every_file_of_its_cases(self, rule: Rule) -> None:
        """The trigger words, which decide whether a file is looked at, must not hide a finding."""
        for case in self._cases(rule):
            if not read(case / "findings.txt") or case.name.endswith("-all"):
                continue
            assert any(word in read(before_of(case)) for word in rule.words), case.name

    def _cases(self, rule: Rule) -> list[Path]:
        return [case for case in CASES if case.parent.name == rule.code]


def example(rule: Rule) -> tuple[str, str]:
    """The first two indented blocks of the page's example: before and after (empty, where it just goes)."""
    page = rule.documentation()
    section = page.split("## Example\n")[1].split("\n## ")[0]
    blocks = [
        textwrap.dedent(block) + "\n"
        for block in re.findall(r"(?:^    .*\n|^\n+(?=    ))+", section + "\n", re.MULTILINE)
    ]

    def strip(text: str) -> str:
        return text.strip("\n") + "\n"

    before, *rest = [strip(block) for block in blocks]
    return before, rest[0] if rest else ""


def without_imports(text: str) -> str:
    """The text without what the examples take for granted, and what is imported on behalf of a rule."""
    for line in PREAMBLE.splitlines(keepends=True):
        text = text.replace(line, "", 1)
    return NEW_IMPORTS.sub("", text)


def test_codes_and_names_are_unique() -> None:
    assert len(set(CODES)) == len(CODES)
    assert len({rule.name for rule in RULES}) == len(RULES)
