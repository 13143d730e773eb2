"""The places of names inside f-strings."""

from __future__ import annotations

import ast

import pytest

from xlaport.facts.fstrings import spans_of
from xlaport.facts.module import Module


def replaced(source: str) -> str | None:
    """The source with each use of ``v`` in its f-string written as ``V``; None where they are not sure."""
    module = Module(source)
    joined = next(node for node in module.nodes if isinstance(node, ast.JoinedStr))
    pairs = spans_of(module, joined, "v")
    if pairs is None:
        return None
    text = source
    for _, span in sorted(pairs, key=lambda pair: pair[1], reverse=True):
        text = f"{text[: span.start]}V{text[span.end :]}"
    return text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('f"{v}"', 'f"{V}"'),
        ('f"v: {v:.3f} v"', 'f"v: {V:.3f} v"'),
        ('f"{{v}} {v} {{{v}}}"', 'f"{{v}} {V} {{{V}}}"'),
        ('f"{v / len(v)!r:>{v}}"', 'f"{V / len(V)!r:>{V}}"'),
        ('f"{a.v} {v.a} {vv} {d[v]}"', 'f"{a.v} {V.a} {vv} {d[V]}"'),
        ("f'''{v}\n{v}''' 'v {v}' rf\"\\{v}\"", "f'''{V}\n{V}''' 'v {v}' rf\"\\{V}\""),
        ("(f'{v}'  # not v {v}\n 'v')", "(f'{V}'  # not v {v}\n 'v')"),
        ('f"é {v}"', 'f"é {V}"'),
        ("f'\\'{v}'", "f'\\'{V}'"),
    ],
)
def test_uses_are_found_and_nothing_else(source: str, expected: str) -> None:
    assert replaced(source) == expected


def test_what_is_not_sure_has_no_place() -> None:
    assert replaced("f\"{d['v']} {v}\"") is None
