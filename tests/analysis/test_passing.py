"""Numbers that are others in each pass of a loop, and tensors that are larger, however they come to a place."""

from __future__ import annotations

import textwrap

import pytest

from tests.analysis.marks import HEAD, marked
from xlaport.analysis.value import How

_LINES = HEAD.count("\n")


def loops(source: str) -> list[str]:
    """Where another one is made of the first that is marked: loops and calls of ``next()``, as they begin."""
    text = textwrap.dedent(source)
    lines = text.splitlines()
    turns = [turn for turn in marked({"main": text})[0].turns if turn.how is How.EACH_TIME]
    spans = sorted((turn.site.line, turn.site.column, turn.site.end_column) for turn in turns)
    found = [lines[line - _LINES - 1][column:] for line, column, _ in spans]
    return [line for line in found if line.startswith(("for ", "while ", "next("))]


LOOP = "for i in range(50):"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"{LOOP}\n    mark(i)", [LOOP]),
        (f"{LOOP}\n    mark(2 * i + 1)", [LOOP]),
        (f"{LOOP}\n    mark(i % 2)", []),
        ("for i in range(3):\n    mark(i)", []),
        ("import itertools\nfor i in itertools.count(1):\n    mark(i)", ["for i in itertools.count(1):"]),
        (f"n = 0\n{LOOP}\n    mark(n)\n    n += 1", [LOOP]),
        (f"n = 0\n{LOOP}\n    mark(n)\n    n = n + 1", [LOOP]),
        (f"n = 4\n{LOOP}\n    mark(n)\n    n += 0", []),
        (f"{LOOP}\n    n = 0\n    n += 1\n    mark(n)", []),
        # through what holds it
        (f"d = {{'n': 4, 'm': 1}}\n{LOOP}\n    mark(d['n'])\n    d['n'] += 1", [LOOP]),
        (f"d = {{'n': 4, 'm': 1}}\n{LOOP}\n    mark(d['m'])\n    d['n'] += 1", []),
        (f"d = {{'n': 4}}\n{LOOP}\n    d = {{'n': 4}}\n    mark(d['n'])\n    d['n'] += 1", []),
        (f"d = {{'n': 4}}\ndef more(of):\n    of['n'] += 1\n{LOOP}\n    mark(d['n'])\n    more(d)", [LOOP]),
        (f"d = {{'n': 4}}\ndef anew(of):\n    of['n'] = 5\n{LOOP}\n    mark(d['n'])\n    anew(d)", []),
        (f"def f(n):\n    return n + 1\n{LOOP}\n    mark(f(i))", [LOOP]),
        ("pairs = enumerate(zip(range(50), load()))\nfor i, (k, x) in pairs:\n    mark(k)",
         ["for i, (k, x) in pairs:"]),
        # generators
        ("def g():\n    for k in range(50):\n        yield k\nfor n in g():\n    mark(n)",
         ["for k in range(50):", "for n in g():"]),
        ("def g(n):\n    while True:\n        yield n\n        n += 1\nrow = g(3)\nmark(next(row))",
         ["while True:", "next(row))"]),
        ("def g(n):\n    while True:\n        n = 3\n        n += 1\n        yield n\nrow = g(3)\nmark(next(row))", []),
        ("def g():\n    n = 0\n    for k in range(50):\n        n += 1\n    yield n\nfor n in g():\n    mark(n)", []),
        # what is larger
        (f"x = torch.zeros(1)\n{LOOP}\n    mark(x)\n    x = torch.cat([x, y])", [LOOP]),
        (f"x = torch.zeros(1)\n{LOOP}\n    mark(x)\n    x = torch.cat([x, y])[-8:]", []),
        (f"{LOOP}\n    x = torch.zeros(1)\n    x = torch.cat([x, y])\n    mark(x)", []),
        (f"x = torch.zeros(1)\n{LOOP}\n    mark(x.sum())\n    x = torch.cat([x, y])", []),
        (f"def f(x):\n    return torch.cat([x, y])\nx = torch.zeros(1)\n{LOOP}\n    mark(x)\n    x = f(x)", [LOOP]),
        (f"def f(x):\n    return torch.cat([x, x])\nx = torch.zeros(1)\n{LOOP}\n    z = f(x)\n    mark(z)", []),
    ],
)  # fmt: skip
def test_what_is_another_in_each_pass(source: str, expected: list[str]) -> None:
    assert loops(source) == expected
