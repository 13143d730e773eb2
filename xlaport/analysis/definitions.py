"""What a program defines: functions, classes and modules, with the cells in which they keep values for each other.

A cell only ever grows: what comes into it is joined to what is there. Who reads a cell is run again when it has grown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.events import Event
from xlaport.analysis.scopes import Scope
from xlaport.analysis.value import PENDING, Definition, Value, join

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


class Cell:
    """A place that one function writes and another reads: a parameter, a result, an attribute, a variable."""

    __slots__ = ("readers", "value")

    def __init__(self) -> None:
        self.value: Value | None = None
        """None: nothing has come here yet."""
        self.readers: dict[Function, None] = {}

    def put(self, value: Value | None) -> bool:
        """Join a value to what is there; whether that is more now."""
        if value is PENDING:
            return False
        new = join(self.value, value)
        if new == self.value:
            return False
        self.value = new
        return True


class Function(Definition):
    """A function, a lambda, or the body of a module."""

    __slots__ = (
        "cells", "decorators", "enclosing", "events", "file", "given", "node", "owner", "result", "scope",
    )  # fmt: skip

    def __init__(
        self, node: FunctionNode, file: str, scope: Scope, owner: Class | None = None, enclosing: Function | None = None
    ) -> None:
        self.node = node
        self.file = file
        self.owner = owner
        """The class that it is a method of."""
        self.enclosing = enclosing
        self.given: dict[str, Cell] = {}
        """What calls pass, by parameter."""
        self.result = Cell()
        """What it returns; of a generator, what goes through it."""
        self.cells: dict[str, Cell] = {}
        """Its variables, as functions within it see them, or other modules."""
        self.events: list[Event] = []
        """What it does, in order, as of its last run."""
        self.scope = scope
        for name in scope.of_module:
            self.module.variable(name)
        self.decorators: frozenset[str] = frozenset()
        """The last names of its decorators."""

    @property
    def module(self) -> Function:
        """The body of its module."""
        return self if self.enclosing is None else self.enclosing.module

    @property
    def name(self) -> str:
        """Its own name; that of a lambda is ``<lambda>``."""
        return getattr(self.node, "name", "<lambda>" if isinstance(self.node, ast.Lambda) else "<module>")

    def variable(self, name: str) -> Cell:
        """The cell of a variable."""
        cell = self.cells.get(name)
        if cell is None:
            cell = self.cells[name] = Cell()
        return cell

    def parameter(self, name: str) -> Cell:
        """The cell of what calls pass for a parameter."""
        cell = self.given.get(name)
        if cell is None:
            cell = self.given[name] = Cell()
        return cell


class Class(Definition):
    """A class, with what its instances hold."""

    __slots__ = ("attributes", "bases", "file", "methods", "node", "scope")

    def __init__(self, node: ast.ClassDef, file: str, scope: Scope) -> None:
        self.node = node
        self.file = file
        self.bases: tuple[Value, ...] = ()
        self.methods: dict[str, Function] = {}
        self.attributes: dict[str, Cell] = {}
        self.scope = scope

    def attribute(self, name: str) -> Cell:
        """The cell of an attribute of its instances."""
        cell = self.attributes.get(name)
        if cell is None:
            cell = self.attributes[name] = Cell()
        return cell

    def line(self) -> Iterator[Class]:
        """It and the classes of the program that it derives from, nearest first, each once."""
        todo, met = [self], {self}
        while todo:
            here = todo.pop(0)
            yield here
            for base in here.bases:
                if isinstance(base.refers, Class) and base.refers not in met:
                    met.add(base.refers)
                    todo.append(base.refers)

    def of_libraries(self) -> Iterator[str]:
        """The names of the library classes that it derives from."""
        for each in self.line():
            yield from (base.refers for base in each.bases if isinstance(base.refers, str))

    def method(self, name: str) -> Function | None:
        """The method that an instance has by a name."""
        return next((each.methods[name] for each in self.line() if name in each.methods), None)


class Super(Definition):
    """What ``super()`` stands for in a method, with what the method is bound to."""

    __slots__ = ("owner", "receiver")

    def __init__(self, owner: Class, receiver: Value) -> None:
        self.owner = owner
        self.receiver = receiver

    def method(self, name: str) -> Function | None:
        """The method of the next class that has one."""
        return next((c.methods[name] for c in list(self.owner.line())[1:] if name in c.methods), None)


class File(Definition):
    """A module of the program, as a value stands for it."""

    __slots__ = ("body",)

    def __init__(self, body: Function) -> None:
        self.body = body


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters, in their order, without those that take what is left over."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
