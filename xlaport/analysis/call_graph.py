"""Which call runs which functions, and makes instances of which classes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from xlaport.analysis.definitions import Class, Function
from xlaport.analysis.value import Definition

Sites = Mapping[ast.Call, Function]
"""Calls, each with the function that it stands in."""


class CallGraph:
    """The calls that an analysis has met. What a call may run is never taken back: values only grow."""

    def __init__(self) -> None:
        self._run: dict[ast.Call, dict[Function, None]] = {}
        self._sites: dict[Definition, dict[ast.Call, Function]] = {}

    def note(self, caller: Function, call: ast.Call, definition: Function | Class) -> None:
        """Note that a call runs a function, or makes an instance of a class."""
        if isinstance(definition, Function):
            self._run.setdefault(call, {})[definition] = None
        self._sites.setdefault(definition, {})[call] = caller

    def run_by(self, call: ast.Call) -> Iterable[Function]:
        """The functions one of which a call runs."""
        return self._run.get(call, ())

    def sites(self, definition: Definition) -> Sites:
        """The calls that may run a function, or make an instance of a class."""
        return self._sites.get(definition, {})
