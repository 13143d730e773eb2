"""What a program defines: functions, classes and modules, with the cells in which they keep values for each other.

A cell only ever grows: what comes into it is joined to what is there. Who reads a cell is run again when it has grown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from xlaport.analysis.events import Event
from xlaport.analysis.scopes import Scope
from xlaport.analysis.value import PENDING, UNKNOWN, Definition, Partial, Value, join

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


class Home(Protocol):
    """The analysis that has made a cell, and alone writes into it."""


class Cell:
    """A place that one function writes and another reads: a parameter, a result, an attribute, a variable."""

    __slots__ = ("file", "foreign", "home", "is_awaited", "is_parameter", "near", "readers", "value")

    def __init__(self, home: Home, file: str, is_parameter: bool = False) -> None:
        self.home = home
        self.file = file
        self.is_parameter = is_parameter
        self.value: Value | None = None
        """None: nothing has come here yet."""
        self.near: Value | None = None
        """What of it has come from its own file."""
        self.foreign: Value | None = None
        """What has come from other files."""
        self.is_awaited = False
        """Whether somebody writes it as soon as something else is known."""
        self.readers: dict[Function, None] = {}

    def put(self, value: Value | None, file: str) -> bool:
        """Join a value to what is there, that has come from a file; whether it is another now.

        What a file's own calls pass counts, though nothing is known of what some other file passes.
        """
        if value is PENDING:
            self.is_awaited = True
            return False
        if file == self.file:
            self.near = join(self.near, value)
        else:
            self.foreign = join(self.foreign, value)
        new, other = join(self.near, self.foreign), self.foreign
        if self.is_parameter and self.near is not None and other is not None and other.is_unknown:
            new = self.near.or_at(other.places)
        if new == self.value:
            return False
        self.value = new
        return True


class Function(Definition):
    """A function, a lambda, or the body of a module."""

    __slots__ = (
        "cells", "decorators", "enclosing", "events", "file", "given", "home", "node", "owner", "put", "rebound",
        "result", "scope", "sent",
    )  # fmt: skip

    def __init__(
        self,
        node: FunctionNode,
        file: str,
        home: Home,
        scope: Scope,
        owner: Class | None = None,
        enclosing: Function | None = None,
    ) -> None:
        self.node = node
        self.file = file
        self.home = home
        self.owner = owner
        """The class that it is a method of."""
        self.enclosing = enclosing
        self.given: dict[str, Cell] = {}
        """What calls pass, by parameter."""
        self.put: dict[str, dict[str | int, Cell]] = {}
        """What it puts into the dicts that parameters bring, by parameter and key."""
        self.result = Cell(home, file)
        """What it returns; of a generator, what goes through it."""
        self.sent = Cell(home, file)
        """What is sent into it, if it is a generator."""
        self.cells: dict[str, Cell] = {}
        """Its variables, as functions within it see them, or other modules."""
        self.events: list[Event] = []
        """What it does, in order, as of its last run."""
        self.scope = scope
        self.rebound: set[str] = set()
        """Of a module, the variables that its functions bind, too: ``global x``."""
        for name in scope.of_module:
            self.module.variable(name)
            self.module.rebound.add(name)
        self.decorators: frozenset[str] = frozenset()
        """The last names of its decorators."""

    @property
    def key(self) -> str:
        """Its place, and its name."""
        return f"{self.file}:{getattr(self.node, 'lineno', 0)}:{getattr(self.node, 'col_offset', 0)}:{self.name}"

    @property
    def module(self) -> Function:
        """The body of its module."""
        return self if self.enclosing is None else self.enclosing.module

    @property
    def name(self) -> str:
        """Its own name; that of a lambda is ``<lambda>``."""
        return getattr(self.node, "name", "<lambda>" if isinstance(self.node, ast.Lambda) else "<module>")

    def variable(self, name: str) -> Cell:
        """The cell of a variable; of an attribute of the function itself, as ``.name``."""
        return _cell(self.cells, name, self)

    def parameter(self, name: str) -> Cell:
        """The cell of what calls pass for a parameter."""
        cell = self.given.get(name)
        if cell is None:
            cell = self.given[name] = Cell(self.home, self.file, is_parameter=True)
        return cell


class Class(Definition):
    """A class, with what its instances hold."""

    __slots__ = ("attributes", "bases", "file", "heirs", "home", "methods", "node", "scope", "setters", "stored")

    def __init__(self, node: ast.ClassDef, file: str, home: Home, scope: Scope) -> None:
        self.node = node
        self.file = file
        self.home = home
        self.bases: tuple[Value, ...] = ()
        self.heirs: dict[Class, None] = {}
        """The classes of the program that derive from it directly."""
        self.methods: dict[str, Function] = {}
        self.setters: dict[str, Function] = {}
        """What its properties run that are given a value."""
        self.attributes: dict[str, Cell] = {}
        self.stored: set[str] = set()
        """The attributes that something is stored in elsewhere than in its body."""
        self.scope = scope

    @property
    def key(self) -> str:
        """Its place, and its name."""
        return f"{self.file}:{self.node.lineno}:{self.node.col_offset}:{self.node.name}"

    def derive(self, bases: tuple[Value, ...]) -> None:
        """Say what it derives from."""
        self.bases = bases
        for base in bases:
            if isinstance(base.refers, Class) and base.refers.home is self.home:
                base.refers.heirs[self] = None

    @property
    def is_derived_from(self) -> bool:
        """Whether a class of the program derives from it."""
        return bool(self.heirs)

    def attribute(self, name: str) -> Cell:
        """The cell of an attribute of its instances."""
        return _cell(self.attributes, name, self)

    def cells(self, name: str) -> list[Cell]:
        """The cells that an attribute of an instance may be in: the nearest body that says it hides those behind it."""
        found: list[Cell] = []
        is_hidden = False
        for kind in self.line():
            if name in kind.attributes and (not is_hidden or name in kind.stored):
                found.append(kind.attributes[name])
            is_hidden |= name in kind.scope.bound
        return found

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

    def setter(self, name: str) -> Function | None:
        """What runs where a property of an instance is given a value."""
        return next((each.setters[name] for each in self.line() if name in each.setters), None)


class Super(Definition):
    """What ``super()`` stands for in a method, with what the method is bound to."""

    __slots__ = ("owner", "receiver")

    def __init__(self, owner: Class, receiver: Value) -> None:
        self.owner = owner
        self.receiver = receiver

    def method(self, name: str) -> Function | None:
        """The method of the next class that has one."""
        return next((c.methods[name] for c in list(self.owner.line())[1:] if name in c.methods), None)


class Applied(Definition):
    """What ``apply`` of a function with a backward pass stands for: its ``forward()``; that may get a context first."""

    __slots__ = ("forward", "has_context")

    def __init__(self, forward: Function, has_context: bool) -> None:
        self.forward = forward
        self.has_context = has_context


class OfLibrary(Definition):
    """A method of a library's object, which is no function of the program."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OfLibrary) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def key(self) -> str:
        """Its name."""
        return f"method {self.name}"


class Going(Definition):
    """A generator, or what else runs a function whenever it is asked for more: what that function yields."""

    __slots__ = ("function",)

    def __init__(self, function: Function) -> None:
        self.function = function

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Going) and other.function is self.function

    def __hash__(self) -> int:
        return hash(self.function)

    @property
    def key(self) -> str:
        """That of its function."""
        return f"going {self.function.key}"


class MethodCaller(Definition):
    """What calls a method of what it gets: ``operator.methodcaller("cuda")``, with the arguments for that."""

    __slots__ = ("given", "keywords", "name")

    def __init__(self, name: str, given: tuple[Value, ...], keywords: tuple[tuple[str | None, Value], ...]) -> None:
        self.name = name
        self.given = given
        self.keywords = keywords

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MethodCaller) and other._parts == self._parts

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def _parts(self) -> tuple[object, ...]:
        return self.name, self.given, self.keywords


class Options(Definition):
    """A parser of the command line, which a file makes, and the options that it gives."""

    __slots__ = ("file",)

    def __init__(self, file: str) -> None:
        self.file = file

    @property
    def key(self) -> str:
        """The file, and what these are."""
        return f"options of {self.file}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and other.file == self.file

    def __hash__(self) -> int:
        return hash(self.file)


class Imported(Definition):
    """What a file imports that is not looked into before somebody uses it."""

    __slots__ = ("file", "qualified")

    def __init__(self, file: str, qualified: str) -> None:
        self.file = file
        self.qualified = qualified


class File(Definition):
    """A module of the program, as a value stands for it."""

    __slots__ = ("body",)

    def __init__(self, body: Function) -> None:
        self.body = body

    def __eq__(self, other: object) -> bool:
        return isinstance(other, File) and other.body is self.body

    def __hash__(self) -> int:
        return hash(self.body)


def _cell(cells: dict[str, Cell], name: str, owner: Function | Class) -> Cell:
    cell = cells.get(name)
    if cell is None:
        cell = cells[name] = Cell(owner.home, owner.file)
    return cell


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters, in their order, without those that take what is left over."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def defaults(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The defaults, by parameter."""
    positional = [*arguments.posonlyargs, *arguments.args]
    found = {p.arg: d for p, d in zip(reversed(positional), reversed(arguments.defaults), strict=False)}
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return found | {p.arg: d for p, d in by_name if d is not None}


def partial(function: Value, given: Sequence[Value], keywords: Mapping[str | None, Value]) -> Value:
    """A function that has got arguments; one of one that has got some has all of them."""
    if function.refers is None:  # it is not known which one
        return PENDING if function is PENDING else UNKNOWN
    own = [UNKNOWN if isinstance(value.refers, Partial) else value for value in given]
    named = {name: UNKNOWN if isinstance(value.refers, Partial) else value for name, value in keywords.items()}
    if isinstance(function.refers, Partial):
        before = function.refers
        function, own, named = before.function, [*before.given, *own], {**dict(before.keywords), **named}
    return Value(refers=Partial(function, tuple(own), tuple(named.items())))


def variable_of(refers: File | Function, name: str) -> Cell:
    """The cell of what a module, or a function itself, has by a name."""
    return refers.body.variable(name) if isinstance(refers, File) else refers.variable(f".{name}")
