"""What is computed from a value."""

from __future__ import annotations

import ast

import pytest

from tests.facts.source import facts
from xlaport.facts.derived import Derived


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("mark(source() + 1)", True),
        ("x = source()\ny = x.view(-1)\nmark(y)", True),
        ("x = source()\nx = 0\nmark(x)", False),
        ("x, y = pair(source())\nmark(y)", True),
        ("x = 0\nx += source()\nmark(x)", True),
        ("for part in source():\n    mark(part)", True),
        ("x = 0\nfor _ in range(3):\n    x = x + y\n    y = source()\n    mark(x)", True),
        ("x = 0\nfor _ in range(3):\n    x = x + 1\nsource()\nmark(x)", False),
        ("def f(x):\n    mark(x)\nf(source())", False),
    ],
)
def test_what_is_computed_from_a_value(source: str, expected: bool) -> None:
    context = facts(source)
    calls = {call.func.id: call for call in context.module.calls if isinstance(call.func, ast.Name)}
    assert Derived(context.view.own, calls["source"]).has(calls["mark"].args[0]) is expected
