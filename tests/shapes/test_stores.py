"""What XP401 advises for stores by a changing number: it says so, and it leaves the same in the tensor."""

from __future__ import annotations

from typing import Any

import pytest

from tests.child import printed_by
from tests.shapes.stores import ROWS, WRITTEN, program
from xlaport import registry
from xlaport.engine import Settings, convert
from xlaport.rule import Applicability
from xlaport.targets.known import target

ADVISED = [row for row in ROWS if row[0] not in dict(WRITTEN)]
ALL = frozenset({Applicability.SAFE, Applicability.UNSAFE})


@pytest.fixture(scope="module")
def results() -> list[Any]:
    """For each row and two numbers, what is left: before, on the CPU, and as advised, on the CPU and on XLA."""
    found: list[Any] = printed_by("tests.shapes.stores")
    return found


@pytest.mark.parametrize("row", ROWS + WRITTEN, ids=[after for _, after in ROWS + WRITTEN])
def test_what_is_advised_or_written_leaves_the_same(results: list[Any], row: tuple[str, str]) -> None:
    place = 2 * (ROWS + WRITTEN).index(row)
    for before, on_cpu, on_xla in results[place : place + 2]:
        assert isinstance(before, list), before
        assert on_cpu == before
        assert on_xla == before


@pytest.mark.parametrize("row", WRITTEN, ids=[before for before, _ in WRITTEN])
def test_what_stands_alone_is_written_by_a_tensor(row: tuple[str, str]) -> None:
    rules = [rule for rule in registry.load() if rule.code in ("XP401", "XP404")]
    conversion = convert(program(row), "program.py", rules, Settings(target(), ALL), "\n")
    assert conversion.text == program(row).replace(*row)


@pytest.mark.parametrize("row", ADVISED, ids=[before for before, _ in ADVISED])
def test_it_is_advised_word_for_word_and_not_rewritten(row: tuple[str, str]) -> None:
    rules = [rule for rule in registry.load() if rule.code in ("XP401", "XP404")]
    before, advised = row
    conversion = convert(program(row), "program.py", rules, Settings(target(), ALL), "\n")
    assert conversion.text == program(row), "a store by a tensor may raise, or write to a copy"
    (finding, *_) = [f for f in conversion.findings if f.code == "XP401"]
    if "+=" in before:
        advised = advised.partition(" +=")[0]
    elif advised.rpartition("= ")[2].isdecimal() and "_(" not in before:
        advised = advised.rpartition(" = ")[0]
    assert advised in finding.recipe
