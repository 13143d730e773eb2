"""What a manual finding tells the user to do, done: it clears the finding, raises no other, and computes the same.

A folder `recipes/<CODE>/<case>/` holds a program as a conversion leaves it (`before.py`, or a file of another kind),
the words of the finding that are followed (`recipe.txt`), and the program of a user who did exactly what
they say (`by_hand.py`). The words have to be said today, so a recipe that changes brings its case up again.

Both programs print what they compute: the one before on the CPU, the one by hand on XLA (`run_recipes.py`). Those that
cannot run here say why in `not_run.txt`. A step is a pass of a loop, as everywhere.
"""

from __future__ import annotations

import ast
import json
import math
import re
import shutil
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from tests.child import output_of
from tests.test_rules import PREAMBLE, RULES, converted, converted_document, example
from xlaport import run
from xlaport.config import Config
from xlaport.result import ReportedFinding
from xlaport.rule import Applicability, DocumentRule, Rule, SuppressionRule

FOLDER = Path(__file__).parent / "recipes"
SNAPSHOTS = Path(__file__).parent / "snapshots"
MANUAL = re.compile(r" (XP\d{3}) manual open: ")
ON_CPU = re.compile(r"torch_xla\.device\(\)|(?<=[\"'])xla(?=[\"'])")
NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+|-?\binf\b|\bnan\b")


@dataclass(frozen=True)
class Case:
    """A recipe and a program that follows it."""

    folder: Path

    def __str__(self) -> str:
        return f"{self.code}-{self.folder.name}"

    @property
    def code(self) -> str:
        return self.folder.parent.name

    @cached_property
    def recipe(self) -> str:
        """The words that are followed, on one line."""
        return " ".join((self.folder / "recipe.txt").read_text(encoding="utf-8").split())

    def path(self, name: str) -> Path:
        (found,) = self.folder.glob(f"{name}[-.]*")
        return found

    def text(self, name: str) -> str:
        return self.path(name).read_text(encoding="utf-8")

    @property
    def runs(self) -> bool:
        return self.path("before").suffix == ".py" and not (self.folder / "not_run.txt").exists()


CASES = [Case(path) for path in sorted(FOLDER.glob("*/*/"))]


def found(path: Path, folder: Path) -> list[ReportedFinding]:
    """What a whole unsafe conversion says of a file, alone in a folder: else it looks through all of this project."""
    (folder / path.stem).mkdir()
    result = run.convert([Path(shutil.copy(path, folder / path.stem))], Config(unsafe=True))
    assert not result.errors
    return [finding for file in result.files for finding in file.findings]


def words(finding: ReportedFinding) -> str:
    """All that is said of it, on one line."""
    return " ".join(f"{finding.message} {finding.recipe} {finding.snippet}".split())


def unplaced(finding: ReportedFinding) -> str:
    """What is said, without the lines, which an edit moves."""
    return f"{finding.code} {finding.applicability.value}: " + re.sub(r"\bline \d+", "line …", finding.message)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_clears_its_finding_and_raises_no_other(case: Case, tmp_path: Path) -> None:
    before, by_hand = found(case.path("before"), tmp_path), found(case.path("by_hand"), tmp_path)
    assert not [each.message for each in before if each.fixed], "a program as a conversion leaves it is wanted"
    followed = [
        each
        for each in before
        if each.code == case.code and each.applicability is Applicability.MANUAL and case.recipe in words(each)
    ]
    assert followed, "nothing says this now; it says\n" + "\n".join(map(unplaced, before))
    rest = Counter(map(unplaced, before)) - Counter(map(unplaced, followed[:1]))
    new = Counter(map(unplaced, by_hand)) - rest
    assert not new, "by hand, as it was told, and it says\n" + "\n".join(new)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_does_what_it_is_told_with_a_program(case: Case) -> None:
    for name in ("before", "by_hand"):
        if case.path(name).suffix == ".py":
            ast.parse(case.text(name))
    assert case.text("before") != case.text("by_hand")


@pytest.fixture(scope="module")
def printed() -> dict[str, dict[str, Any]]:
    """What the programs print, by case: each before on the CPU, and each by hand on XLA."""
    programs = {str(c): (ON_CPU.sub(of_cpu, c.text("before")), c.text("by_hand")) for c in CASES if c.runs}
    done = output_of("-m", "tests.run_recipes", given=json.dumps(programs))
    results: dict[str, dict[str, Any]] = json.loads(done.splitlines()[-1])
    return results


def of_cpu(match: re.Match[str]) -> str:
    """The device of the CPU, as a string where XLA's is one."""
    return "cpu" if match[0] == "xla" else 'torch.device("cpu")'


@pytest.mark.parametrize("case", [case for case in CASES if case.runs], ids=str)
def test_computes_the_same(case: Case, printed: dict[str, dict[str, Any]]) -> None:
    before, by_hand = printed[str(case)]["before"], printed[str(case)]["by_hand"]
    assert NUMBER.search(before), "it prints no number"
    assert NUMBER.sub("#", by_hand) == NUMBER.sub("#", before), f"{before}became\n{by_hand}"
    for old, new in zip(NUMBER.findall(before), NUMBER.findall(by_hand), strict=True):
        alike = math.isclose(float(old), float(new), rel_tol=1e-3, abs_tol=1e-4) or (old == new == "nan")
        assert alike, f"{before}became\n{by_hand}"


def remedies() -> list[Rule]:
    """The rules that write nothing, and whose pages show in code what to write."""
    return [r for r in RULES if r.applicability is Applicability.MANUAL and not r.of_notebooks and example(r)[1]]


@pytest.mark.parametrize("rule", remedies(), ids=[rule.code for rule in remedies()])
def test_what_a_page_shows_clears_its_finding(rule: Rule) -> None:
    after = example(rule)[1]
    if isinstance(rule, DocumentRule):
        said = converted_document(after, rule.kinds[0], [rule]).findings
    else:
        # What a comment does can be said where those rules look that it names.
        said = converted(PREAMBLE + after, list(RULES) if isinstance(rule, SuppressionRule) else [rule]).findings
    assert not [each.message for each in said if each.code == rule.code]


def said_by_hand() -> set[str]:
    """The rules that leave something to the user, by what is said of the snapshots; the cases run on torch_xla."""
    return {
        match[1]
        for path in SNAPSHOTS.glob("*/*/findings.txt")
        if "-target-torch_tpu" not in path.parent.name
        for match in MANUAL.finditer(path.read_text(encoding="utf-8"))
    }


def test_every_rule_that_leaves_work_has_its_recipe_tried() -> None:
    assert {case.code for case in CASES} | set(NOT_TRIED) == said_by_hand()
    assert not {case.code for case in CASES} & set(NOT_TRIED)
    assert set(NOT_TRIED) <= {rule.code for rule in RULES}


NOT_TRIED = {
    "XP606": "acts only where its code is selected, and says then what it is not done for",
}
"""The rules whose messages are followed in no case, with the reason."""
