"""Where reads go on their way: names that are given what was read, and functions that hand it back.

``value = loss.item()`` and ``return loss.item()`` may leave the value on the device if everything that becomes of it
can: it is added up or kept by something that can hold it (`accumulation`), given to another such name, handed back by
another such function, or not used. Whoever needs the number now and then reads it there.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.held import Held, Kind
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import Binding, Scope
from xlaport.facts.reads import HostRead

from .addends import Addend
from .device_values import Deferred
from .tracked import Refused, Variable, start_value


@dataclass(frozen=True)
class Definition:
    """An assignment, or a ``return``, of what was read. `loop` is the loop in each pass of which it runs."""

    node: ast.AST
    """The name that is bound, or the statement that returns."""
    addend: Addend
    reads: tuple[HostRead, ...]
    loop: StepLoop


@dataclass(eq=False)
class Named:
    """A name that is given what was read."""

    home: Scope
    name: str
    definitions: dict[ast.AST, Definition] = field(default_factory=dict)
    begins: bool = False
    """Whether it holds something else at first, in some use."""

    @property
    def held(self) -> Held:
        """What it is on the device."""
        return _held(d.addend for d in self.definitions.values())


@dataclass(eq=False)
class Returned:
    """A function that hands back what was read: all of what it returns, or some elements of a tuple."""

    function: FunctionNode
    loop: StepLoop
    definitions: dict[ast.AST, dict[int | None, Definition]] = field(default_factory=dict)
    """For each ``return``: what it hands back that was read, by its place; None for the whole."""

    @property
    def places(self) -> frozenset[int | None]:
        """The places of what was read, in what is returned."""
        return frozenset(place for found in self.definitions.values() for place in found)

    def held(self, place: int | None) -> Held:
        """What is handed back on the device."""
        return _held(found[place].addend for found in self.definitions.values() if place in found)


Source = Named | Returned


def definitions_of(source: Source) -> list[Definition]:
    """All definitions of a source."""
    if isinstance(source, Named):
        return list(source.definitions.values())
    return [definition for found in source.definitions.values() for definition in found.values()]


def _held(addends: Iterator[Addend]) -> Held:
    found = list(addends)
    kind = max((addend.kind for addend in found), default=Kind.FLOAT)
    return Held(kind, None if any(addend.guessed for addend in found) else 0)


@dataclass(frozen=True)
class Use:
    """Where what was read is used: a name, or a call. `at_first` says what a name may hold instead, at first."""

    node: ast.expr
    source: Source
    held: Held
    at_first: tuple[Binding, ...] = ()


def uses_of_name(context: Context, source: Named) -> dict[ast.AST, Use]:
    """The uses of a name that may get what was read. Raises `Refused`."""
    variable = Variable(context, source.home, source.name)
    device = set(source.definitions)
    reached = variable.reached({})
    found: dict[ast.AST, Use] = {}
    for use in variable.all_uses():
        places = reached.get(use, set())
        if not places:
            raise Refused("uses it at a time that is not known", use)
        if places.isdisjoint(device):
            continue
        if not isinstance(use.ctx, ast.Load):
            raise Refused("changes it as well", use)
        first = tuple(b for b in variable.bindings if b.node in places - device)
        if {b.node for b in first} != places - device or not all(_is_plain(start_value(b)) for b in first):
            raise Refused("may get something else there", use)
        if any(_may_stay(source, binding) for binding in first):
            raise Refused("may stay a whole number", use)
        source.begins = source.begins or bool(first)
        found[use] = Use(use, source, source.held, first)
    return found


def uses_of_function(context: Context, source: Returned, sites: Collection[ast.Call]) -> dict[ast.AST, Use]:
    """The calls of a function that stand for what was read. Raises `Refused` where one is out of sight."""
    if source.places == {None}:
        return {call: Use(call, source, source.held(None)) for call in sites}
    for call in sites:
        statement = context.module.parents[call]
        if isinstance(statement, ast.Expr):
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        if not isinstance(target, ast.Tuple) or not all(isinstance(e, ast.Name) for e in target.elts):
            raise Refused("keeps what it returns as a whole", call)
    return {}


def _may_stay(source: Named, start: Binding) -> bool:
    """Whether a whole number may be the greatest of losses, and stay one: ``max(0, loss.item())``."""
    value = start_value(start)
    is_whole = isinstance(value, ast.Constant) and type(value.value) is int
    return is_whole and any(definition.addend.extremes for definition in source.definitions.values())


def _is_plain(value: ast.expr | None) -> bool:
    """A number, or None."""
    if isinstance(value, ast.UnaryOp):
        return _is_plain(value.operand)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "float":
        return len(value.args) == 1 and isinstance(value.args[0], ast.Constant)
    return isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, int | float))


def may_be_none(use: Use) -> bool:
    """Whether a name may hold None where it is used."""
    values = [start_value(binding) for binding in use.at_first]
    return any(isinstance(value, ast.Constant) and value.value is None for value in values)


def as_reads(uses: Mapping[ast.AST, Use]) -> dict[ast.AST, HostRead]:
    """The uses as what takes the place of reads."""
    return {node: Deferred(use.node, use.node, _how(use), True, use.held) for node, use in uses.items()}


def _how(use: Use) -> str:
    return f"{use.source.name}" if isinstance(use.source, Named) else f"{use.source.function.name}()"
