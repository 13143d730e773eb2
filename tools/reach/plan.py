"""From changed files to the tests that they reach."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import PurePosixPath
from typing import Any

from tools.reach.checkout import Checkout, text_of
from tools.reach.starts import Starts

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PLAN = "XLAPORT_REACH_PLAN"
DEADLINE = "XLAPORT_REACH_DEADLINE"
"""The variables that hold the file with the plan, and the time, for `tools.reach.chosen`."""
CODE = re.compile(r"XP\d{3}(?!\d)")
BY_RULE = ("tests/test_rules.py", "tests/test_pages.py", "tests/test_recipes.py")
"""Tests with a case for each rule, whose names have its code."""
OF_ALL_RULES = ("tests/test_registry.py", "tests/wording/test_wording.py")
ALWAYS = ("tests/tools/test_house.py",)
TEXTS = "texts.toml"
_FAR = 99


@dataclass
class Chosen:
    """The tests of a file that are to run."""

    distance: int
    """How many imports lie between it and the change."""
    codes: list[str] | None = None
    """Of tests whose names have codes of rules, those; None for all."""
    left: list[str] = field(default_factory=list)
    """Tests that start what takes long."""
    idle: bool = False
    """Whether those are all."""


@dataclass
class Plan:
    """What is to run, by file; and what nobody reads of all that changed."""

    files: dict[str, Chosen]
    unread: list[str]

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return {file: asdict(chosen) for file, chosen in self.files.items()}


def plan(checkout: Checkout, changed: Iterable[str], before: Callable[[str], str]) -> Plan:
    """The tests that changed files reach. `before` gives the text that a file had."""
    changed = list(changed)
    starts, codes, cases, unread = _starts(checkout, changed, before)
    distances = checkout.distances(starts)
    for code, module in rules(checkout).items():
        if module in distances:
            codes[code] = min(codes.get(code, _FAR), distances[module] + 1)
    found = {file: Chosen(distance) for file, distance in distances.items() if is_test(file)}
    of_cases = [(file, 0, cases) for file in BY_RULE if cases and file in checkout.files]
    for file, distance, wanted in (*of_cases, *_of_rules(checkout, codes)):
        chosen = found.setdefault(file, Chosen(distance, []))
        if chosen.codes is not None:
            chosen.distance = min(chosen.distance, distance)
            chosen.codes = sorted({*chosen.codes, *wanted})
    for file in ALWAYS:
        if changed and file in checkout.files:
            found.setdefault(file, Chosen(_FAR))
    slow = Starts(checkout)
    for file, chosen in found.items():
        if file not in changed:
            others, chosen.left = slow.tests(file)
            chosen.idle = not others
    return Plan(dict(sorted(found.items(), key=lambda item: (item[1].distance, item[0]))), unread)


def is_test(file: str) -> bool:
    """Whether pytest looks for tests in a file."""
    return file.startswith("tests/") and PurePosixPath(file).name.startswith("test_")


def rules(checkout: Checkout) -> dict[str, str]:
    """The modules of the rules, by code."""
    found: dict[str, str] = {}
    for file in checkout.python:
        if not file.startswith("rules/"):
            continue
        for node in checkout.source(file).tree.body:
            for statement in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "code":
                    found[text_of(statement.value) or ""] = file
    return found


def _starts(
    checkout: Checkout, changed: Iterable[str], before: Callable[[str], str]
) -> tuple[dict[str, int], dict[str, int], set[str], list[str]]:
    """The Python files, and the rules, that changes begin with; the rules with other cases; and what nobody reads."""
    starts: dict[str, int] = {}
    codes: dict[str, int] = {}
    cases: set[str] = set()
    unread: list[str] = []
    for file in changed:
        if file in checkout.python:
            starts[file] = 0
        elif (case := re.match(r"tests/(?:snapshots|recipes)/(XP\d{3})/", file)) is not None:
            cases.add(case[1])
        elif PurePosixPath(file).name == TEXTS:
            codes.update(dict.fromkeys(_told(checkout, file, before), 0))
        elif readers := checkout.readers(file):
            starts.update({reader: starts.get(reader, 1) for reader in readers})
        elif file in checkout.files:
            unread.append(file)
    return starts, codes, cases, unread


def _told(checkout: Checkout, file: str, before: Callable[[str], str]) -> set[str]:
    """The rules whose texts differ; all of the folder, where that cannot be said."""
    folder = f"{PurePosixPath(file).parent}/"
    of_folder = {code for code, module in rules(checkout).items() if module.startswith(folder)}
    try:
        old = tomllib.loads(before(file))
        new = tomllib.loads((checkout.root / file).read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError):
        return of_folder
    differ = {key for key in {*old, *new} if old.get(key) != new.get(key)}
    return differ if all(map(CODE.fullmatch, differ)) else of_folder | set(filter(CODE.fullmatch, differ))


def _of_rules(checkout: Checkout, codes: dict[str, int]) -> Iterable[tuple[str, int, set[str]]]:
    """The files of tests that speak of rules, how far they are, and the rules."""
    if not codes:
        return
    nearest = min(codes.values())
    yield from ((file, nearest, set(codes)) for file in BY_RULE if file in checkout.files)
    yield from ((file, nearest + 1, set(codes)) for file in OF_ALL_RULES if file in checkout.files)
    by_code = rules(checkout)
    for file in filter(is_test, checkout.python):
        family = PurePosixPath(file).parent.name
        own = {code for code in codes if by_code.get(code, "").startswith(f"rules/{family}/")}
        named = set(codes) & {code for word in checkout.source(file).words for code in CODE.findall(word)}
        if wanted := own | named:
            yield file, min(codes[code] for code in wanted) + 1, wanted
