"""Sums, lists and meters that a step loop fills from host reads, and whether they could hold device values instead.

They can where every use is found: the statements that add to them, what shows them now and then in the loop, and
what comes behind the loop. There they are read; whoever uses them then has the numbers that he had before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.module import walk_block
from xlaport.facts.names import Binding, Scope
from xlaport.facts.reads import HostRead
from xlaport.facts.steps import Stays

from . import containers
from .addends import Addend, Addends, own_statements
from .averages import is_averaged
from .fillings import Filling, Form, filled
from .meter_uses import Meter
from .refused import Refused
from .tracked import Reading, Variable, check_cut


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
    """A sum, a list, or what hands on what was read, that stays on the host, and why."""

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


def accumulations(
    context: Context, deferred: Mapping[ast.AST, HostRead] = MappingProxyType({})
) -> tuple[Deferral | Kept, ...]:
    """The sums and lists to which the step loops of a file add host reads on every pass, in source order.

    `deferred` are expressions that stand for what was read, and could be left on the device.
    """
    return tuple(_Accumulations(context, deferred).all())


def reads_within(
    context: Context, statements: Sequence[ast.stmt | ast.expr], deferred: Mapping[ast.AST, HostRead]
) -> list[HostRead]:
    """The reads of statements, and what stands in their place."""
    return [
        *context.reads.within(statements),
        *(deferred[node] for node in walk_block(statements) if node in deferred),
    ]


class _Accumulations:
    def __init__(self, context: Context, deferred: Mapping[ast.AST, HostRead]) -> None:
        self.context = context
        self.deferred = deferred
        self.module = context.module
        self.names = context.names
        self.structure = context.flow.structure
        self.addends = Addends(context)

    def all(self) -> Iterator[Deferral | Kept]:
        for found in self._gathered():
            try:
                if found.refused is not None:
                    raise found.refused
                for filling in found.fillings:
                    check_cut(self.context, filling.statement, filling.loop)
                yield self._judged(found)
            except Refused as refused:
                yield Kept(found.name, found.form, tuple(found.reads), refused.stays)

    def _judged(self, found: _Found) -> Deferral:
        """Raises `Refused`."""
        variable = Variable(self.context, found.home, found.name)
        if found.form is Form.LIST and len({filling.addend.reading for filling in found.fillings}) > 1:
            alike = [(filling, self.addends.fetched(filling.addend.node, filling.reads)) for filling in found.fillings]
            found.fillings = [replace(filling, addend=addend) for filling, addend in alike]
        container = _CONTAINERS[found.form](self.context, found.fillings)
        own = _targets(found.fillings)
        starts = variable.starts(found.fillings, own)
        for start in starts:
            container.check_start(start)
        device = own | {start.node for start in starts}
        reading = variable.reading(found.fillings, device, container.check_use, container.only_uses)
        container.check_reading(reading)
        kinds = container.kind, container.host_kind(starts)
        is_mean = found.form is Form.ARRAY and kinds == (Kind.FLOAT, Kind.FLOAT)
        is_mean = is_mean and isinstance(container, containers.Array) and all(map(container.is_of_floats, starts))
        form = Form.MEAN if is_mean and is_averaged(self.context, found.home, found.fillings, starts) else found.form
        return Deferral(found.name, form, *kinds, tuple(found.fillings), tuple(starts), reading)

    def _gathered(self) -> list[_Found]:
        gathered: dict[tuple[Scope, str], _Found] = {}
        loops = {loop.node for loop in self.context.loops.all()}
        for loop in self.context.loops.all():
            for statement in own_statements(self.context, loop, loops):
                what = filled(statement) or self._fills_meter(statement)
                reads = reads_within(self.context, [statement], self.deferred) if what is not None else []
                if what is None or not reads:
                    continue
                before, added, form = what
                home = self.names.home(before)
                if home is None:
                    continue
                if form is Form.SUM and containers.is_list(self.context, home.bindings[before.id]):
                    form = Form.EXTENDED
                found = gathered.setdefault((home, before.id), _Found(home, before.id, form))
                found.reads += reads
                try:
                    if form is not found.form:
                        raise Refused("it is used as a number and as a list", statement)
                    if loop.needs_its_reads:
                        raise Refused("nothing else cuts the graph of this loop")
                    found.fillings.append(Filling(statement, loop, before, self._addend(form, added, reads), (*reads,)))
                except Refused as refused:
                    found.refused = found.refused or refused
        return [part for found in gathered.values() for part in self._apart(found)]

    def _addend(self, form: Form, added: ast.expr, reads: Sequence[HostRead]) -> Addend:
        """What a statement adds. Raises `Refused`."""
        if form is Form.EXTENDED:
            return self.addends.fetched(added, reads)
        try:
            addend = self.addends.addend(added, reads)
        except Refused:
            if form is not Form.LIST:
                raise
            return self.addends.fetched(added, reads)
        if addend.guessed and form is Form.LIST and not addend.is_computed:
            return self.addends.fetched(added, reads)
        if addend.extremes:
            raise Refused("more is done to what is read than the device could do", added)
        if addend.guessed and form in (Form.SUM, Form.METER):
            raise Refused("it is not clear that one number is read, and of what type")
        return addend

    def _apart(self, found: _Found) -> Iterator[_Found]:
        """What a name holds here and what it holds there, where these have nothing to do with each other."""
        if found.refused is not None or len(found.fillings) < 2:
            yield found
            return
        try:
            variable = Variable(self.context, found.home, found.name)
            groups = variable.together(found.fillings)
        except Refused as refused:
            found.refused = refused
            yield found
            return
        for fillings in groups:
            reads = [read for filling in fillings for read in filling.reads]
            yield _Found(found.home, found.name, found.form, list(fillings), reads)

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
        reading: set[ast.AST] = {read.node for read in reads_within(self.context, [statement], self.deferred)}
        given = [a for a in [*call.args, *(k.value for k in call.keywords)] if not reading.isdisjoint(ast.walk(a))]
        if len(given) != 1 or self.structure.instance_of(self.context.view.own, func.value) is None:
            return None
        return func.value, given[0], Form.METER


def _targets(fillings: list[Filling]) -> set[ast.AST]:
    """The names that the statements bind."""
    found: set[ast.AST] = set()
    for statement in (filling.statement for filling in fillings):
        if isinstance(statement, ast.AugAssign | ast.Assign):
            found.add(statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0])
    return found


_CONTAINERS: dict[Form, type[containers.Container]] = {
    Form.SUM: containers.Sum,
    Form.LIST: containers.List,
    Form.EXTENDED: containers.Extended,
    Form.ARRAY: containers.Array,
    Form.SUMS: containers.Sums,
    Form.LISTS: containers.Lists,
    Form.METER: Meter,
}
