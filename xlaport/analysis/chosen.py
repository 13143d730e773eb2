"""What a call runs for each call of the function that it stands in, where a text chooses that these pass.

``def fire(event): …`` runs other listeners for ``fire("step")`` than for ``fire("end")``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from typing import Protocol

from xlaport.analysis.call_graph import Passed, Sites
from xlaport.analysis.definitions import Class, Function
from xlaport.analysis.frame import Apart
from xlaport.analysis.value import TEXT, Value

Chosen = Mapping[ast.AST, Collection[Function]]
"""The calls in a function, each with what it runs."""


class Known(Protocol):
    """What is asked of an analysis."""

    def value_at(self, node: ast.AST) -> Value | None:
        """What an expression was found to be."""

    def run_by(self, call: ast.Call) -> Mapping[Function, Passed]:
        """The functions one of which a call runs, each with what it passes."""

    def sites(self, definition: Function | Class) -> Sites:
        """The calls that may run a function."""

    def places(self, function: Function) -> Mapping[ast.AST, Function]:
        """The places where a function runs without being called in words."""

    def apart(self, function: Function, given: Mapping[str, Value], place: str) -> Apart | None:
        """What a function does for one of its calls, by what that gives."""


def chosen(known: Known, function: Function) -> Mapping[ast.Call, Chosen]:
    """What a function runs for each of its calls; of nothing, where no text chooses, or nobody knows which."""
    texts = [name for name, cell in function.given.items() if cell.value is not None and _are_several(cell.value)]
    if not texts or known.places(function):
        return {}
    found: dict[ast.Call, Chosen] = {}
    for call in known.sites(function):
        passed = known.run_by(call).get(function, {})
        given = {n: v for n, e in passed.items() if e is not None and (v := known.value_at(e)) is not None}
        if not all(isinstance(given[name].constant, str) if name in given else False for name in texts):
            return {}
        one = known.apart(function, given, f"{call.lineno}:{call.col_offset}")
        if one is None:
            return {}
        found[call] = one.runs
    return found


def _are_several(value: Value) -> bool:
    """Whether it is one of several texts."""
    return value.type == TEXT and bool(value.alternatives)
