"""The table of places where a changing number is baked into the graph, against the installed torch_xla, and the rules
that read it, against what torch_xla compiles.

`tools/measure_numbers.py --compare` and `shapes/programs.py` run in processes of their own, and count.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rules._lib.shapes.constructs import FILE, construct, constructs
from tests.child import printed_by
from tests.shapes import programs
from xlaport import registry
from xlaport.engine import Settings, convert
from xlaport.targets.known import TARGETS, target

ROOT = Path(__file__).parents[2]
RULES = [rule for rule in registry.load() if rule.code in ("XP401", "XP402", "XP422")]


@pytest.fixture(scope="module")
def graphs() -> dict[str, list[int]]:
    """For each program, how many graphs each of its steps compiles."""
    found: dict[str, list[int]] = printed_by("tests.shapes.programs")
    return found


# -- the table -----------------------------------------------------------------------------------------


def test_it_says_what_the_installed_torch_xla_does() -> None:
    assert printed_by("tools.measure_numbers", "--compare")["constructs"] == []


def test_it_quotes_a_version_that_can_be_written() -> None:
    version = re.search(r'^torch_xla = "(\d+\.\d+)\.\d+"$', FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert version is not None
    assert version[1] in TARGETS


def test_every_outcome_was_measured() -> None:
    assert {c.compiles for c in constructs()} == {"each", "once", "some"}
    assert len(constructs()) > 160


def test_every_function_that_bakes_a_number_in_has_a_recipe() -> None:
    for entry in constructs():
        if entry.kind == "call" and entry.is_baked_in:
            assert entry.recipe, (entry.name, entry.place)
            assert entry.recipe.format(tensor="x", number="i", operand="i")
        else:
            assert not entry.recipe, (entry.name, entry.place)


def test_no_place_has_two_entries() -> None:
    places = [(c.name, c.place) for c in constructs() if c.kind != "program"]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"call": "torch.roll(input, shifts)", "place": "dims"}, "torch.roll has no parameter dims"),
        ({"syntax": "x[i]", "plaze": "index"}, r"x\[i\]: unknown keys \['plaze'\]"),
    ],
)
def test_an_impossible_entry_is_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        construct({"code": ["r = x"], "compiles": "each", "special": [], **table})


# -- the rules -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=[p.name for p in programs.PROGRAMS])
def test_what_is_reported_compiles_and_what_is_not_does_not(
    program: programs.Program, graphs: dict[str, list[int]]
) -> None:
    settings = Settings(target(), frozenset())
    findings = convert(program.whole(), "program.py", RULES, settings, "\n").findings
    assert [f.code for f in findings] == ([program.reported] if program.reported else [])
    steady = graphs[program.name][programs.WARM_UP :]
    if program.reported:
        assert all(steady), "it is reported, but compiles nothing new"
    else:
        assert not any(steady), "it is not reported, but compiles"
