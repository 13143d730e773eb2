"""Which call runs which functions, and makes instances of which classes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

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
        self._going_on: dict[ast.AST, dict[Function, None]] = {}
        self._places: dict[Function, dict[ast.AST, Function]] = {}
        self._wrappers: dict[Function, dict[Function, None]] = {}
        self._wrapped: dict[Function, dict[Function, None]] = {}

    def note_run(self, caller: Function, call: ast.Call, function: Function, passed: Passed) -> None:
        """Note that a call runs a function, and what it passes."""
        self._run.setdefault(call, {})[function] = passed
        self._sites.setdefault(function, {})[call] = caller

    def note_made(self, caller: Function, call: ast.Call, kind: Class) -> None:
        """Note that a call makes an instance of a class."""
        self._sites.setdefault(kind, {})[call] = caller

    def note_going_on(self, here: Function, place: ast.AST, function: Function) -> None:
        """Note that a function runs at a place of another one that does not call it in words, or goes on there."""
        self._going_on.setdefault(place, {})[function] = None
        self._places.setdefault(function, {})[place] = here

    def note_wrapped(self, function: Function, wrapper: Function) -> None:
        """Note that a decorator puts another function of its own around one: whoever calls that, runs this."""
        self._wrappers.setdefault(function, {})[wrapper] = None
        self._wrapped.setdefault(wrapper, {})[function] = None

    def wrappers(self, function: Function) -> Iterable[Function]:
        """What decorators have put around a function, which runs where that is called."""
        return self._wrappers.get(function, ())

    def wrapped(self, wrapper: Function) -> Iterable[Function]:
        """The functions that one has been put around."""
        return self._wrapped.get(wrapper, ())

    def going_on(self, place: ast.AST) -> Iterable[Function]:
        """What runs at a place without being called there in words, or goes on.

        What ``with`` is given, and what enters and leaves it; ``next(generator)`` and its body; a property; ``map(f)``.
        """
        return self._going_on.get(place, ())

    def all_going_on(self) -> Iterable[ast.AST]:
        """The nodes at which something does."""
        return self._going_on

    def places(self, function: Function) -> Mapping[ast.AST, Function]:
        """The places where a function runs without being called in words, each with the function it stands in."""
        return self._places.get(function, {})

    def run_by(self, call: ast.Call) -> Mapping[Function, Passed]:
        """The functions one of which a call runs, each with what it passes."""
        return self._run.get(call, {})

    def sites(self, definition: Definition) -> Sites:
        """The calls that may run a function, or make an instance of a class."""
        return self._sites.get(definition, {})
