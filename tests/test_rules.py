"""Every rule, by example: the cases in `snapshots/`, whose form and names `xlaport.testing` describes.

`pytest tests/test_rules.py --snapshot-update` writes `after.py` and `findings.txt`: read the diff. With
`--allow-snapshot-deletion`, too, it deletes those of texts that stay.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xlaport import registry
from xlaport.context import known_roles
from xlaport.documents import convert as document_engine
from xlaport.documents.document import Document, Kind
from xlaport.engine import Conversion, Member, Settings, convert
from xlaport.facts.program import Program
from xlaport.notebook.magics import mask
from xlaport.report import rule_page
from xlaport.rule import Applicability, DocumentRule, Rule, SuppressionRule
from xlaport.targets.known import first_with, target
from xlaport.testing import FINDINGS, Case, cases

SNAPSHOTS = Path(__file__).parent / "snapshots"
RULES = registry.load()
CODES = [rule.code for rule in RULES]
CASES = cases(SNAPSHOTS)

FAMILIES = {
    "0": "suppressions", "1": "device", "2": "step", "3": "host_reads", "4": "shapes", "5": "precision",
    "6": "distributed", "7": "checkpoint", "8": "runtime launch frameworks", "9": "legacy successor",
}  # fmt: skip
SECTIONS = list(rule_page.SECTIONS)

# What the short examples in the docstrings take for granted.
PREAMBLE = "import time\nimport torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader\n"
NEW_IMPORTS = re.compile(r"^import torch_xla(\.[\w.]+( as \w+)?)?\n", re.MULTILINE)
UNSAFE = Settings(target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}))


def converted(text: str, rules: Sequence[Rule]) -> Conversion:
    wanted = rules[0].traits if len(rules) == 1 else ()
    return convert(text, "before.py", rules, replace(UNSAFE, target=first_with(wanted)))


def converted_document(text: str, kind: Kind, rules: Sequence[Rule]) -> Conversion:
    settings = replace(UNSAFE, target=first_with(rules[0].traits))
    return document_engine.convert(Document(text, kind), "before", rules, settings)


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, snapshot: Any) -> None:
    before: dict[str, Any] = {case.before.name: _content(case.before)}
    snapshot.snapshot_dir = case.folder.parent
    snapshot.assert_match_dir(before | _nested(case.outcome()), case.folder.name)


def _content(path: Path) -> Any:
    """A file's bytes; of a folder, its Python files."""
    if path.is_file():
        return path.read_bytes()
    return _nested({file.relative_to(path).as_posix(): read(file) for file in path.rglob("*.py")})


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


def test_every_file_belongs_to_a_case() -> None:
    """`cases` refuses folders of no rule, and without a program."""
    assert {path.parent for path in SNAPSHOTS.glob("*/*/*")} == {case.folder for case in CASES}


@pytest.mark.parametrize("rule", RULES, ids=CODES)
class TestRule:
    def test_has_a_case_that_it_finds(self, rule: Rule) -> None:
        found = [c for c in self._cases(rule) if not _keeps(c) and read(c.folder / FINDINGS)]
        assert found
        if rule.applicability is not Applicability.MANUAL:
            assert any(c.after.exists() for c in found)

    def test_has_a_case_that_it_leaves_alone(self, rule: Rule) -> None:
        assert any(_keeps(c) and not read(c.folder / FINDINGS) for c in self._cases(rule))

    def test_code_matches_its_folder(self, rule: Rule) -> None:
        assert re.fullmatch(r"XP\d{3}", rule.code)
        assert type(rule).__module__.removeprefix("xlaport.rules.").split(".")[0] in FAMILIES[rule.code[2]].split()

    def test_name_and_summary_are_short(self, rule: Rule) -> None:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
        assert len(rule.summary) < 80
        assert not rule.summary.endswith(".")

    def test_page_has_its_sections(self, rule: Rule) -> None:
        assert re.findall(r"^## (.*)$", rule.documentation(), re.MULTILINE) == SECTIONS

    def test_example_is_what_the_rule_does(self, rule: Rule) -> None:
        before, after = example(rule)
        if isinstance(rule, DocumentRule):
            conversion = converted_document(before, rule.kinds[0], [rule])
        elif rule.of_notebooks:
            member = Member(Program(further=known_roles(target())), is_notebook=True)
            conversion = convert(mask(before).text, "before.ipynb", [rule], Settings(target()), member=member)
        else:
            # What a comment does can be said where those rules look that it names.
            rules = list(RULES) if isinstance(rule, SuppressionRule) else [rule]
            conversion = converted(PREAMBLE + before, rules)
        assert conversion.findings, "the rule finds nothing in its own example"
        if rule.applicability is not Applicability.MANUAL:
            assert without_imports(conversion.text) == without_imports(after)

    def test_sees_every_file_of_its_cases(self, rule: Rule) -> None:
        """The trigger words, which decide whether a file is looked at, must not hide a finding."""
        for case in self._cases(rule):
            if not read(case.folder / FINDINGS) or not case.config.select:
                continue
            assert any(word in read(case.before) for word in rule.words), str(case)

    def _cases(self, rule: Rule) -> list[Case]:
        return [case for case in CASES if case.code == rule.code and case.before.is_file()]


def _keeps(case: Case) -> bool:
    return case.folder.name.startswith("keep-")


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
