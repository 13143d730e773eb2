"""Which call runs which functions, and makes instances of which classes."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from xlaport.analysis.definitions import Class, Function
from xlaport.analysis.value import Definition

Passed = Mapping[str, ast.expr | None]
"""What a call passes, by parameter; None where it passes something that is not written there. Others: the defaults."""
Sites = Mapping[ast.Call, Function]
"""Calls, each with the function that it stands in."""


class CallGraph:
    """The calls that an analysis has met. What a call may run is never taken back: values only grow."""

    def __init__(self) -> None:
        self._run: dict[ast.Call, dict[Function, Passed]] = {}
        self._sites: dict[Definition, dict[ast.Call, Function]] = {}

    def note_run(self, caller: Function, call: ast.Call, function: Function, passed: Passed) -> None:
        """Note that a call runs a function, and what it passes."""
        self._run.setdefault(call, {})[function] = passed
        self._sites.setdefault(function, {})[call] = caller

    def note_made(self, caller: Function, call: ast.Call, kind: Class) -> None:
        """Note that a call makes an instance of a class."""
        self._sites.setdefault(kind, {})[call] = caller

    def run_by(self, call: ast.Call) -> Mapping[Function, Passed]:
        """The functions one of which a call runs, each with what it passes."""
        return self._run.get(call, {})

    def sites(self, definition: Definition) -> Sites:
        """The calls that may run a function, or make an instance of a class."""
        return self._sites.get(definition, {})
