"""Programs that read the device in every step, ported: they give the same, and no longer read in every step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.child import output_of
from tests.host_reads.programs import HANDED_ON, KEPT, LISTS, METERS, SUMS, TOGETHER, program
from xlaport import registry
from xlaport.engine import Settings, convert
from xlaport.rule import Applicability
from xlaport.targets.known import target

CODES = ("XP201", "XP302", "XP303", "XP304")
PROGRAMS = {name: program(body) for name, body in {**SUMS, **LISTS, **KEPT, **HANDED_ON, **METERS, **TOGETHER}.items()}
RUNNER = Path(__file__).parent / "run_programs.py"


def ported(text: str) -> str:
    rules = [rule for rule in registry.load() if rule.code in CODES]
    settings = Settings(target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}))
    return convert(text, "program.py", rules, settings).text


@pytest.fixture(scope="module")
def results() -> Any:
    """What the programs give for 0, 1, 6 and 12 batches: before and after, and how often their loops read."""
    pairs = {name: (text, ported(text)) for name, text in PROGRAMS.items()}
    return json.loads(output_of(str(RUNNER), given=json.dumps(pairs)).splitlines()[-1])


@pytest.mark.parametrize("name", PROGRAMS)
def test_gives_the_same(results: Any, name: str) -> None:
    found = results[name]
    for before, after in zip(found["before"], found["after"], strict=True):
        assert alike(before, after), f"{before} became {after} in\n{ported(PROGRAMS[name])}"


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in TOGETHER])
def test_reads_nothing_in_a_step_that_is_not_logged(results: Any, name: str) -> None:
    none, one, few, many = results[name]["reads"]
    assert (none, one) == (0, 0)
    assert max(few, many - few) <= 3 * ("logged" in name), ported(PROGRAMS[name])


@pytest.mark.parametrize("name", TOGETHER)
def test_what_is_read_together_comes_in_one_transfer(results: Any, name: str) -> None:
    assert ported(PROGRAMS[name]) != PROGRAMS[name]
    assert results[name]["reads"][2] <= 6, ported(PROGRAMS[name])


def alike(one: Any, other: Any) -> bool:
    """Whether two results are the same, types included, up to the rounding of float32."""
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, rel=1e-4, abs=1e-6)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(alike(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    return bool(one == other)
