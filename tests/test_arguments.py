"""Which argument of a call stands for which parameter, also where some are behind a ``*`` or ``**``."""

from __future__ import annotations

import ast

import pytest

from rules._lib.arguments import by_parameter, given, may_give

PARAMETERS = ("a", "b")


def call(arguments: str) -> ast.Call:
    node = ast.parse(f"f({arguments})", mode="eval").body
    assert isinstance(node, ast.Call)
    return node


@pytest.mark.parametrize(
    ("arguments", "shown", "is_all"),
    [
        ("", {}, True),
        ("1, b=2", {"a": "1", "b": "2"}, True),
        ("1, 2, 3", {"a": "1", "b": "2"}, False),
        ("c=3", {"c": "3"}, False),
        ("1, *rest", {"a": "1"}, False),
        ("*some, 2", {}, False),  # a 2 for whichever comes next
        ("b=2, **more", {"b": "2"}, False),
    ],
)
def test_what_a_call_shows_that_it_passes(arguments: str, shown: dict[str, str], is_all: bool) -> None:
    found = {name: ast.unparse(value) for name, value in by_parameter(call(arguments), PARAMETERS).items()}
    assert found == shown
    assert (given(call(arguments), PARAMETERS) is not None) == is_all


@pytest.mark.parametrize(
    ("arguments", "parameter", "may"),
    [
        ("1", "a", True),
        ("1", "b", False),
        ("1, *rest", "b", True),
        ("*rest", "only_by_name", False),
        ("only_by_name=1", "only_by_name", True),
        ("**more", "only_by_name", True),
    ],
)
def test_what_a_call_may_pass(arguments: str, parameter: str, may: bool) -> None:
    assert may_give(call(arguments), PARAMETERS, parameter) == may
