"""One run over a function's body: its variables as they are at a place, and the way to what others have found."""

from __future__ import annotations

import ast
import builtins
from typing import Protocol

from xlaport.analysis.definitions import Cell, Class, File, Function, FunctionNode
from xlaport.analysis.value import UNKNOWN, Site, Value

_BUILTINS = frozenset(dir(builtins))


class Surroundings(Protocol):
    """What a run needs of the whole analysis."""

    values: dict[ast.AST, Value]
    """What each expression may be, as of the last run over it."""
    parts: dict[Site, frozenset[Site]]
    """The modules that a module holds."""

    def leads(self, file: str, qualified: str) -> str | tuple[File, tuple[str, ...]]:
        """Where a name leads that a file imports: a library's own, or a module of the program, and what is in it."""

    def function(self, node: FunctionNode, owner: Class | None, enclosing: Function) -> Function:
        """The function of a definition, one for all runs."""

    def class_of(self, node: ast.ClassDef, file: str) -> Class:
        """The class of a definition, one for all runs."""

    def grown(self, cell: Cell) -> None:
        """Have those run again that read a cell."""

    def called(self, function: Function) -> None:
        """Have a function run, which a call has been found of."""

    def is_called(self, function: Function) -> bool:
        """Whether a call of a function has been found."""

    def missed(self, reader: Function) -> Value:
        """What stands for a value that nobody has given yet, to one who asked for it."""


class Frame:
    """The variables of one run; where branches part, each gets a copy, and they are joined behind."""

    def __init__(self, function: Function, around: Surroundings) -> None:
        self.function = function
        self.around = around
        self.variables: dict[str, Value] = {}
        """Also ``self.model``, by its path, between a store and the next call."""
        self.events = function.events
        self.events.clear()

    # -- objects -----------------------------------------------------------------------------------------

    def hold(self, holders: frozenset[Site], parts: frozenset[Site]) -> None:
        """Note that objects have others for parts."""
        for holder in holders:
            self.around.parts[holder] = self.around.parts.get(holder, frozenset()) | parts - {holder}

    def parameter_of(self, node: ast.expr) -> str:
        """The parameter that an expression names, itself or by a method of it: ``model`` of ``model.parameters()``."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        if not isinstance(node, ast.Name) or node.id not in self.function.given:
            return ""
        given, value = self.function.given[node.id].value, self.variables.get(node.id)
        return node.id if given is not None and value is not None and value.objects == given.objects else ""

    # -- cells -------------------------------------------------------------------------------------------

    def read(self, cell: Cell) -> Value:
        """What is in a cell; once there is more, this function is run again."""
        cell.readers[self.function] = None
        return self.around.missed(self.function) if cell.value is None else cell.value

    def write(self, cell: Cell, value: Value | None) -> None:
        """Join a value to a cell."""
        if cell.put(value):
            self.around.grown(cell)

    # -- names -------------------------------------------------------------------------------------------

    def bind(self, name: str, value: Value) -> None:
        """Give a variable its value, here and for the functions within."""
        if name in self.function.scope.bound:
            self.variables[name] = value
            self.write(self.function.variable(name), value)
            return
        owner = self._owner(name)
        if owner is not None:
            self.write(owner.variable(name), value)

    def take(self, name: str, value: Value) -> None:
        """Give a variable of a module its value, which nothing in its text binds: ``from x import *``."""
        self.variables[name] = value
        self.write(self.function.variable(name), value)

    def forget_attributes(self) -> None:
        """What a call may have changed: it is again what all of the program stores there."""
        for path in [path for path in self.variables if "." in path]:
            del self.variables[path]

    def look_up(self, name: str) -> Value:
        """What a name stands for."""
        if name in self.variables:
            return self.variables[name]
        owner = self._owner(name)
        if owner is not None:
            return self.read(owner.variable(name))
        return Value(refers=f"builtins.{name}") if name in _BUILTINS else UNKNOWN

    def _owner(self, name: str) -> Function | None:
        """The function around this one, or the module, whose variable a name is."""
        if name in self.function.scope.of_module:
            return self.function.module
        here = self.function.enclosing
        while here is not None:
            if name in here.scope.bound or (here.enclosing is None and name in here.cells):
                return here
            here = here.enclosing
        return None

    def attribute_of(self, file: File, name: str) -> Value:
        """A variable of another module of the program."""
        return self.read(file.body.variable(name))

    def site(self, node: ast.expr) -> frozenset[Site]:
        """The object that is made at an expression."""
        return frozenset({Site(self.function.file, node.lineno, node.col_offset)})
