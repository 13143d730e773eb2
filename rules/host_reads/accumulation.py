"""Sums, lists and meters that a step loop fills from host reads, and whether they could hold device values instead.

They can where every use is found: the statements that add to them, what shows them now and then in the loop, and
what comes behind the loop. There they are read; whoever uses them then has the numbers that he had before.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.freshness import Freshness
from xlaport.facts.held import Kind
from xlaport.facts.loops import StepLoop
from xlaport.facts.names import Binding, Scope
from xlaport.facts.reads import HostRead
from xlaport.facts.steps import Stays
from xlaport.facts.structure import Class

from . import meters
from .addends import Addend, Addends, own_statements
from .meter_uses import MeterUses
from .tracked import Reading, Refused, Use, Variable, start_value

_TAKING = frozenset(f"builtins.{name}" for name in ("sum", "max", "min", "sorted", "print", "list", "tuple", "set"))
_TAKING_PACKAGES = ("numpy.", "statistics.", "math.")


class Form(enum.Enum):
    """What a step loop fills."""

    SUM = enum.auto()
    LIST = enum.auto()
    METER = enum.auto()
    """An object of a class of the project that has a method for it."""


@dataclass(frozen=True)
class Filling:
    """``total += loss.item()``, ``losses.append(loss.item())`` on every pass. `before` is the use of what was there."""

    statement: ast.stmt
    loop: StepLoop
    before: ast.Name
    addend: Addend
    reads: tuple[HostRead, ...]


@dataclass(frozen=True)
class Deferral:
    """A sum, or a list, that can hold what is on the device."""

    name: str
    form: Form
    kind: Kind
    host_kind: Kind
    """What it held on the host: a count may have been added to 0.0."""
    fillings: tuple[Filling, ...]
    starts: tuple[Binding, ...]
    """The places where it begins."""
    reading: Reading


@dataclass(frozen=True)
class Kept:
    """A sum or a list that stays on the host, and why."""

    name: str
    form: Form
    reads: tuple[HostRead, ...]
    why: Stays


@dataclass
class _Found:
    """A sum or a list, while it is looked at."""

    home: Scope
    name: str
    form: Form
    fillings: list[Filling] = field(default_factory=list)
    reads: list[HostRead] = field(default_factory=list)
    refused: Refused | None = None


_known: WeakKeyDictionary[Context, tuple[Deferral | Kept, ...]] = WeakKeyDictionary()


def accumulations(context: Context) -> tuple[Deferral | Kept, ...]:
    """The sums and lists to which the step loops of a file add host reads on every pass, in source order."""
    if context not in _known:
        _known[context] = tuple(_Accumulations(context).all())
    return _known[context]


class _Accumulations:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.module = context.module
        self.names = context.names
        self.structure = context.flow.structure
        self.addends = Addends(context)

    def all(self) -> Iterator[Deferral | Kept]:
        for found in self._gathered().values():
            try:
                if found.refused is not None:
                    raise found.refused
                yield self._judged(found)
            except Refused as refused:
                yield Kept(found.name, found.form, tuple(found.reads), refused.stays)

    def _judged(self, found: _Found) -> Deferral:
        match found.form:
            case Form.SUM:
                return self._sum(found)
            case Form.LIST:
                return self._list(found)
            case Form.METER:
                return self._meter(found)

    def _gathered(self) -> dict[tuple[Scope, str], _Found]:
        gathered: dict[tuple[Scope, str], _Found] = {}
        for loop in self.context.loops.all():
            for statement in own_statements(self.module, loop):
                filled = _filled(statement) or self._fills_meter(statement)
                reads = self.context.reads.within([statement]) if filled is not None else []
                if filled is None or not reads or not is_on_every_pass(self.module, loop.node, statement):
                    continue
                before, added, form = filled
                home = self.names.home(before)
                if home is None:
                    continue
                found = gathered.setdefault((home, before.id), _Found(home, before.id, form))
                found.reads += reads
                try:
                    if form is not found.form:
                        raise Refused("it is used as a number and as a list", statement)
                    addend = self.addends.addend(added, reads)
                    found.fillings.append(Filling(statement, loop, before, addend, tuple(reads)))
                except Refused as refused:
                    found.refused = found.refused or refused
        return gathered

    # -- sums ------------------------------------------------------------------------------------------

    def _sum(self, found: _Found) -> Deferral:
        variable = Variable(self.context, found.home, found.name)
        own = _targets(found.fillings)
        starts = variable.starts(found.fillings, own)
        for start in starts:
            if not _is_zero(start):
                raise Refused("gives it a value that is not a plain 0", start.node)
        kind = max(Kind.INT, *(filling.addend.kind for filling in found.fillings))
        values = [value for start in starts if (value := start_value(start)) is not None]
        is_float = any(isinstance(v, ast.Constant) and isinstance(v.value, float) for v in values)
        reading = variable.reading(found.fillings, own | {start.node for start in starts}, _check_number)
        host_kind = Kind.FLOAT if is_float else kind
        return Deferral(found.name, Form.SUM, kind, host_kind, tuple(found.fillings), tuple(starts), reading)

    # -- lists -----------------------------------------------------------------------------------------

    def _list(self, found: _Found) -> Deferral:
        variable = Variable(self.context, found.home, found.name)
        own = _targets(found.fillings)
        starts = variable.starts(found.fillings, own)
        for start in starts:
            if not self._is_empty_list(start):
                raise Refused("gives it a value that is not an empty list", start.node)
        kinds = {filling.addend.kind for filling in found.fillings}
        if len(kinds) > 1:
            raise Refused("it holds floats and counts")
        for filling in found.fillings:
            self._check_kept(filling)
        reading = variable.reading(found.fillings, own | {start.node for start in starts}, self._check_list)
        kind = kinds.pop()
        return Deferral(found.name, Form.LIST, kind, kind, tuple(found.fillings), tuple(starts), reading)

    def _is_empty_list(self, start: Binding) -> bool:
        value = start_value(start)
        if isinstance(value, ast.Call):
            return self.context.resolve(value.func) == "builtins.list" and not value.args
        return isinstance(value, ast.List) and not value.elts

    def _check_kept(self, filling: Filling) -> None:
        """A tensor that is kept must stay as it is: nothing may change it in place. Raises `Refused`."""
        freshness = Freshness(self.module, self.names, self.context.roles)
        for value in filling.addend.values if not filling.addend.is_computed else ():
            if not freshness.is_fresh(value.tensor):
                raise Refused("what is read may be changed by a later step")
            root = value.tensor.id if isinstance(value.tensor, ast.Name) else None
            for node in ast.walk(filling.loop.node):
                if root is not None and _changes(node, root) and getattr(node, "lineno", 0) > filling.statement.lineno:
                    raise Refused("changes in place what is kept", node)

    def _check_list(self, use: ast.Name) -> Use:
        """What a use of the list does with its numbers. Raises `Refused`."""
        parent = self.module.parents[use]
        if not isinstance(use.ctx, ast.Load):
            raise Refused("changes it as well", use)
        if isinstance(parent, ast.If | ast.While | ast.IfExp) and parent.test is use:
            return Use.FREE
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            return Use.FREE
        if isinstance(parent, ast.Subscript) and parent.value is use:
            if isinstance(parent.ctx, ast.Load) and _is_position(parent.slice):
                return Use.READ
            raise Refused("takes more than one element of it", use)
        called = self.context.resolve(parent.func) or "" if isinstance(parent, ast.Call) and use in parent.args else ""
        if called == "builtins.len":
            return Use.FREE
        if called in _TAKING or called.startswith(_TAKING_PACKAGES):
            return Use.READ
        raise Refused("keeps it, or does what is not known with it", use)

    # -- meters ----------------------------------------------------------------------------------------

    def _fills_meter(self, statement: ast.stmt) -> tuple[ast.Name, ast.expr, Form] | None:
        """``losses.update(loss.item(), n)`` of an object whose class is in the project."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        func = call.func if isinstance(call, ast.Call) else None
        if (
            not isinstance(call, ast.Call)
            or not isinstance(func, ast.Attribute)
            or not isinstance(func.value, ast.Name)
        ):
            return None
        reading = {read.node for read in self.context.reads.within([statement])}
        given = [a for a in [*call.args, *(k.value for k in call.keywords)] if not reading.isdisjoint(ast.walk(a))]
        if len(given) != 1 or self.structure.instance_of(self.context.view.own, func.value) is None:
            return None
        return func.value, given[0], Form.METER

    def _meter(self, found: _Found) -> Deferral:
        variable = Variable(self.context, found.home, found.name)
        starts = variable.starts(found.fillings, set())
        owner = self.structure.instance_of(self.context.view.own, found.fillings[0].before)
        for start in starts:
            value = start_value(start)
            made = (
                self.structure.class_named(self.context.view.own, value.func) if isinstance(value, ast.Call) else None
            )
            if made is None or made != owner:
                raise Refused("gives it something else than a new object", start.node)
        assert owner is not None
        whats = {self._held(owner, filling) for filling in found.fillings}
        if len(whats) > 1:
            raise Refused("it is filled in different ways")
        what = whats.pop()
        for filling in found.fillings:
            self._check_kept(filling)
        uses = MeterUses(self.context, variable, found.fillings, what)
        device: set[ast.AST] = {start.node for start in starts}
        reading = variable.reading(found.fillings, device, uses.check, only_uses=True)
        kind = max(filling.addend.kind for filling in found.fillings)
        if kind is not Kind.FLOAT and reading.uses:
            raise Refused("it counts, and what it gives is used as a whole number")
        return Deferral(found.name, Form.METER, kind, kind, tuple(found.fillings), tuple(starts), reading)

    def _held(self, owner: Class, filling: Filling) -> meters.Held:
        """Where the object holds what the statement gives it. Raises `Refused`."""
        statement = filling.statement
        assert isinstance(statement, ast.Expr)
        call = statement.value
        assert isinstance(call, ast.Call)
        function = self.structure.run_by(self.context.view.own, call)
        keyword = next((k.arg for k in call.keywords if k.value is filling.addend.node), None)
        parameter = keyword
        if function is not None and keyword is None:
            parameter = self.structure.parameter_of(call, function, filling.addend.node)
        if function is None or parameter is None:
            raise Refused("it is not clear what becomes of the value")
        return meters.held(self.context, owner, function, parameter)


def _filled(statement: ast.stmt) -> tuple[ast.Name, ast.expr, Form] | None:
    """What a statement adds to, as it stands there, what it adds, and to what."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        target, value = statement.target, statement.value
        if not isinstance(target, ast.Name):
            return None
        if isinstance(value, ast.List):
            return (target, value.elts[0], Form.LIST) if len(value.elts) == 1 else None
        return target, value, Form.SUM
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.value, ast.BinOp):
        name, value = statement.targets[0], statement.value
        if isinstance(name, ast.Name) and isinstance(value.op, ast.Add):
            for before, added in ((value.left, value.right), (value.right, value.left)):
                if isinstance(before, ast.Name) and before.id == name.id and not _mentions(added, name.id):
                    return before, added, Form.SUM
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append":
        if isinstance(call.func.value, ast.Name) and len(call.args) == 1 and not call.keywords:
            return call.func.value, call.args[0], Form.LIST
    return None


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))


def _targets(fillings: list[Filling]) -> set[ast.AST]:
    """The names that the statements bind."""
    found: set[ast.AST] = set()
    for statement in (filling.statement for filling in fillings):
        if isinstance(statement, ast.AugAssign | ast.Assign):
            found.add(statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0])
    return found


def _check_number(use: ast.Name) -> Use:
    if not isinstance(use.ctx, ast.Load):
        raise Refused("changes it as well", use)
    return Use.READ


def _is_zero(start: Binding) -> bool:
    value = start_value(start)
    return isinstance(value, ast.Constant) and type(value.value) in (int, float) and value.value == 0


def _is_position(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_position(node.operand)
    return isinstance(node, ast.Name) or (isinstance(node, ast.Constant) and type(node.value) is int)


def _changes(node: ast.AST, name: str) -> bool:
    """``name += …``, ``name.mul_(…)``."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.target, ast.Name) and node.target.id == name
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.func.attr.endswith("_"):
        return False
    return isinstance(node.func.value, ast.Name) and node.func.value.id == name
