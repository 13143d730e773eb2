"""The table of functions whose result is as large as the data says, against the installed torch_xla.

`tools/measure_sizes.py` runs in a process of its own, and counts. What the rule writes is run in `test_masks.py`.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from rules.shapes.xp412_size_from_data.sized import FILE, functions, sized
from tests.child import printed_by
from xlaport.targets.known import TARGETS

NAMES = {"tensor": "x", "operand": "x", "device": "x.device", "mask": "x", "negated": "(~x)", "count": "x.sum()"}


@pytest.fixture(scope="module")
def measured() -> list[dict[str, Any]]:
    """What the functions cost."""
    found: list[dict[str, Any]] = printed_by("tools.measure_sizes")["functions"]
    return found


def test_it_says_what_the_installed_torch_xla_does(measured: list[dict[str, Any]]) -> None:
    assert [(f["name"], f["found"]) for f in measured] == [(f["name"], f["table"]) for f in measured]
    assert all(function.compiles_for_each and function.waits for function in functions())


def test_what_is_recommended_is_one_graph(measured: list[dict[str, Any]]) -> None:
    for function in measured:
        assert function["instead"]
        for cost in function["instead"]:
            assert cost == {"compiles": "once", "waits": 0, "falls_back": []}, function["name"]


def test_it_quotes_a_version_that_can_be_written() -> None:
    version = re.search(r'^torch_xla = "(\d+\.\d+)\.\d+"$', FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert version is not None
    assert version[1] in TARGETS


def test_every_text_can_be_written() -> None:
    for function in functions():
        names = {parameter: parameter for parameter in function.parameters} | NAMES
        assert function.recipe.format(**names)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"needs": ["tensor repeat"]}, r"torch.roll has no parameters \['repeat'\]"),
        ({"needz": []}, r"torch.roll: unknown keys \['needz'\]"),
    ],
)
def test_an_impossible_entry_is_refused(table: dict[str, Any], message: str) -> None:
    entry = {"call": "torch.roll(input, shifts)", "code": [], "instead": [], "compiles": "each", "waits": 1}
    with pytest.raises(ValueError, match=message):
        sized({**entry, "falls_back": [], "recipe": "", **table})
