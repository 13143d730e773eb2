"""What of a file's host reads could be left on the device, taken together: where they go, and what holds them.

It begins with all names and functions that hand on what was read, and drops those of which some use needs the number
in every pass, until the rest holds together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.lineage import Function
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.reads import HostRead
from xlaport.facts.steps import Stays

from .accumulation import Deferral, Kept, accumulations, reads_within
from .addends import Addend, Addends, is_about_none, own_statements
from .callers import check_callers
from .device_values import Deferred
from .fillings import Form, filled
from .meters import is_shown
from .sources import (
    Definition,
    Named,
    Returned,
    Source,
    Use,
    as_reads,
    definitions_of,
    uses_of_function,
    uses_of_name,
)
from .tracked import Refused, check_frequency, range_of


@dataclass(frozen=True)
class Group:
    """What has to be left on the device together. `reading` are the uses that need the number, now and then."""

    sources: tuple[Source, ...]
    deferrals: tuple[Deferral, ...]
    reading: tuple[Use, ...]


@dataclass(frozen=True)
class Stuck:
    """A name or a function that hands on what was read, and why it has to be read there."""

    source: Source
    reads: tuple[HostRead, ...]
    why: Stays


@dataclass(frozen=True)
class Plan:
    """What can be left on the device, and what not."""

    groups: tuple[Group, ...]
    kept: tuple[Kept, ...]
    stuck: tuple[Stuck, ...]


_known: WeakKeyDictionary[Context, Plan] = WeakKeyDictionary()


def plan(context: Context) -> Plan:
    """What of a file's host reads could be left on the device."""
    if context not in _known:
        _known[context] = _Solving(context).plan()
    return _known[context]


class _Solving:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.module = context.module
        self.own = context.view.own
        self.structure = context.flow.structure
        self.addends = Addends(context)
        self.loops = context.loops.all()
        self.helpers: dict[FunctionNode, StepLoop] = {}
        for loop in self.loops:
            self.helpers.update(dict.fromkeys(context.steps.helpers(loop), loop))
        self.every = {function for function, run in context.steps.passes.from_elsewhere() if run.every}
        self.every |= set(self.helpers)
        self.sources: dict[object, Source] = {}
        self.sites: dict[FunctionNode, frozenset[ast.Call]] = {}
        self.stuck: dict[object, Stuck] = {}
        self.uses: dict[ast.AST, Use] = {}

    def plan(self) -> Plan:
        """Grow, then shrink."""
        while self._grown():
            self._find_uses()
        found = self._settled() if self.sources else accumulations(self.context)
        kept = tuple(each for each in found if isinstance(each, Kept))
        deferrals = [each for each in found if isinstance(each, Deferral)]
        return Plan(tuple(self._groups(deferrals)), kept, tuple(self.stuck.values()))

    # -- growing ---------------------------------------------------------------------------------------

    def _grown(self) -> bool:
        """Whether there are definitions that were not known."""
        before = sum(len(source.definitions) for source in self.sources.values())
        nodes = {loop.node for loop in self.loops}
        for loop in self.loops:
            for statement in own_statements(self.context, loop, nodes):
                self._define(statement, loop)
        for function, loop in self.helpers.items():
            for node in walk_block(function.body):
                if isinstance(node, ast.stmt) and is_on_every_pass(self.module, function, node):
                    self._define(node, loop)
            self._define_returned(function, loop)
        return sum(len(source.definitions) for source in self.sources.values()) > before

    def _reads(self, value: ast.expr) -> list[HostRead]:
        return reads_within(self.context, [ast.Expr(value)], as_reads(self.uses))

    def _define(self, statement: ast.stmt, loop: StepLoop) -> None:
        what = filled(statement)
        if what is not None and what[2] is Form.SUM:
            return
        for target, value in _pairs(statement):
            home = self.context.names.home(target)
            reads = self._reads(value)
            if home is None or not reads:
                continue
            key = home, target.id
            addend = self._addend(value, reads)
            if addend is not None and key not in self.stuck:
                source = self.sources.setdefault(key, Named(home, target.id))
                source.definitions[target] = Definition(target, addend, tuple(reads), loop)  # type: ignore[assignment]
        self._define_elements(statement, loop)

    def _define_elements(self, statement: ast.stmt, loop: StepLoop) -> None:
        """``loss, accuracy = train_step(batch)``."""
        call = statement.value if isinstance(statement, ast.Assign) else None
        source = next((s for s in self.sources.values() if isinstance(s, Returned) and call in self._sites(s)), None)
        if not isinstance(statement, ast.Assign) or not isinstance(call, ast.Call) or not isinstance(source, Returned):
            return
        target = statement.targets[0]
        for place in source.places:
            if place is None or not isinstance(target, ast.Tuple) or place >= len(target.elts):
                continue
            name = target.elts[place]
            home = self.context.names.home(name) if isinstance(name, ast.Name) else None
            if not isinstance(name, ast.Name) or home is None or (home, name.id) in self.stuck:
                continue
            held = source.held(place)
            assert held.kind is not None
            addend = Addend(call, (), held.kind, not held.is_scalar)
            named = self.sources.setdefault((home, name.id), Named(home, name.id))
            assert isinstance(named, Named)
            named.definitions[name] = Definition(name, addend, (), loop)

    def _define_returned(self, function: FunctionNode, loop: StepLoop) -> None:
        if function in self.stuck:
            return
        found = Returned(function, loop)
        returns = [node for node in walk_block(function.body) if isinstance(node, ast.Return)]
        for node in returns:
            parts = _parts(node)
            defined: dict[int | None, Definition] = {}
            for place, value in parts.items():
                reads = self._reads(value)
                addend = self._addend(value, reads) if reads else None
                if addend is not None:
                    defined[place] = Definition(node, addend, tuple(reads), loop)
            found.definitions[node] = defined
        if not found.places:
            return
        self.sources[function] = found

    def _addend(self, value: ast.expr, reads: list[HostRead]) -> Addend | None:
        try:
            return self.addends.addend(value, reads)
        except Refused:
            return None

    def _sites(self, source: Returned) -> frozenset[ast.Call]:
        """The calls of a function in this file."""
        if source.function not in self.sites:
            calls = self.structure.calls_to(Function(self.own, source.function))
            self.sites[source.function] = frozenset(site.node for site in calls if site.facts is self.own)
        return self.sites[source.function]

    def _find_uses(self) -> None:
        """Look for the uses of all sources; those that cannot be followed are dropped."""
        self.uses = {}
        for key, source in list(self.sources.items()):
            try:
                if isinstance(source, Named):
                    self.uses.update(uses_of_name(self.context, source))
                else:
                    check_callers(self.context, source)
                    self.uses.update(uses_of_function(self.context, source, self._sites(source)))
            except Refused as refused:
                self._drop(key, refused)

    def _drop(self, key: object, refused: Refused) -> None:
        source = self.sources.pop(key)
        reads = [read for definition in definitions_of(source) for read in definition.reads]
        self.stuck[key] = Stuck(source, tuple(reads), refused.stays)

    # -- shrinking -------------------------------------------------------------------------------------

    def _settled(self) -> tuple[Deferral | Kept, ...]:
        """Drop what cannot be left on the device, until nothing more has to be dropped."""
        while True:
            self._find_uses()
            self._redefine()
            found = accumulations(self.context, as_reads(self.uses))
            if not self.sources:
                return found
            deferred = {r.node: d for d in found if isinstance(d, Deferral) for f in d.fillings for r in f.reads}
            refused: dict[int, Refused] = {}
            for source in self.sources.values():
                try:
                    self._check_elements(source)
                except Refused as error:
                    refused[id(source)] = error
            for use in self.uses.values():
                try:
                    self._check_use(use, deferred)
                except Refused as error:
                    refused.setdefault(id(use.source), error)
            dropped = [key for key, source in self.sources.items() if id(source) in refused]
            if not dropped:
                return found
            for key in dropped:
                self._drop(key, refused[id(self.sources[key])])

    def _redefine(self) -> None:
        """Look at the definitions anew, after something was dropped that they were made of."""
        sources, self.sources = self.sources, {}
        while self._grown():
            pass
        for key, source in sources.items():
            if key not in self.sources:
                self.stuck.setdefault(key, Stuck(source, (), Stays("what it is made of is read")))
        grounded = self._grounded()
        self.sources = {key: source for key, source in self.sources.items() if key in sources and source in grounded}
        self._find_uses()

    def _grounded(self) -> set[Source]:
        """The sources whose values come from reads, in the end: not from themselves alone."""
        found: set[Source] = set()
        while True:
            more = {
                source
                for source in self.sources.values()
                if source not in found and all(self._is_grounded(d, found) for d in definitions_of(source))
            }
            if not more:
                return found
            found |= more

    def _is_grounded(self, definition: Definition, found: set[Source]) -> bool:
        if not definition.reads:
            return True  # an element of what a function returns
        sources = [
            self.uses[r.node].source for r in definition.reads if isinstance(r, Deferred) and r.node in self.uses
        ]
        keys = {key for key, source in self.sources.items() if source in found}
        return len(sources) < len(definition.reads) or any(self._key(source) in keys for source in sources)

    def _key(self, source: Source) -> object:
        return (source.home, source.name) if isinstance(source, Named) else source.function

    def _check_use(self, use: Use, deferred: dict[ast.expr, Deferral]) -> None:
        """Raises `Refused` where a use needs the number in every pass."""
        if self._is_defining(use.node):
            return
        if use.node in deferred:
            if use.at_first and deferred[use.node].form is not Form.SUM:
                raise Refused("may hold what was there at first", use.node)
            return
        parent = self.module.parents[use.node]
        if isinstance(parent, ast.Expr) or (isinstance(parent, ast.expr) and is_about_none(parent)):
            return
        self._check_frequency(use)
        if not self._is_shown(use) and _range(self.context, use) is None:
            raise Refused("uses it in an f-string that cannot be edited", use.node)

    def _check_elements(self, source: Source) -> None:
        """Raises `Refused` where an element of what a function returns is given to a name that needs the number."""
        if isinstance(source, Named):
            return
        named = {node for each in self.sources.values() if isinstance(each, Named) for node in each.definitions}
        for call in self._sites(source) if source.places != {None} else ():
            statement = self.module.parents[call]
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            for place in source.places:
                if isinstance(target, ast.Tuple) and place is not None:
                    if place >= len(target.elts) or target.elts[place] not in named:
                        raise Refused("needs the number", call)

    def _is_defining(self, node: ast.expr) -> bool:
        return any(node is made_of for source in self.sources.values() for made_of in _reads_of(source))

    def _is_shown(self, use: Use) -> bool:
        return use.held.is_scalar and is_shown(self.own, use.node)

    def _check_frequency(self, use: Use) -> None:
        """Raises `Refused` where a use that needs the number runs in every pass."""
        source = use.source
        loops = [source.loop] if isinstance(source, Returned) else [d.loop for d in source.definitions.values()]
        home = self.module.function(use.node)
        check_frequency(self.context, loops, use.node, source.home.node if isinstance(source, Named) else home)
        if home in self.every and home is not None and is_on_every_pass(self.module, home, use.node):
            raise Refused("needs it in every pass", use.node)

    # -- what belongs together -------------------------------------------------------------------------

    def _groups(self, deferrals: list[Deferral]) -> Iterator[Group]:
        """The sources and what holds their values, in groups that have to be changed together."""
        groups: list[tuple[list[Source], list[Deferral]]] = []
        for source in self.sources.values():
            made_of = [self.uses[n].source for n in _reads_of(source) if n in self.uses] + self._unpacked(source)
            self._join(groups, [source, *made_of], [])
        for deferral in deferrals:
            nodes = [read.node for filling in deferral.fillings for read in filling.reads]
            self._join(groups, [self.uses[node].source for node in nodes if node in self.uses], [deferral])
        held = {read.node for d in deferrals for filling in d.fillings for read in filling.reads}
        for sources, mine in groups:
            uses = [use for use in self.uses.values() if any(use.source is source for source in sources)]
            reading = [use for use in uses if use.node not in held and self._is_reading(use)]
            yield Group(tuple(sources), tuple(mine), tuple(reading))

    def _unpacked(self, source: Source) -> list[Source]:
        """The functions whose results a name is an element of."""
        if isinstance(source, Returned):
            return []
        calls = {d.addend.node for d in source.definitions.values() if not d.addend.values}
        return [s for s in self.sources.values() if isinstance(s, Returned) and not calls.isdisjoint(self._sites(s))]

    def _join(
        self, groups: list[tuple[list[Source], list[Deferral]]], sources: list[Source], deferrals: list[Deferral]
    ) -> None:
        mine: tuple[list[Source], list[Deferral]] = ([], [])
        for group in [g for g in groups if any(one is other for one in g[0] for other in sources)]:
            groups.remove(group)
            mine[0].extend(group[0])
            mine[1].extend(group[1])
        mine[0].extend(s for i, s in enumerate(sources) if not any(s is o for o in [*mine[0], *sources[:i]]))
        mine[1].extend(deferrals)
        groups.append(mine)

    def _is_reading(self, use: Use) -> bool:
        parent = self.module.parents[use.node]
        if isinstance(parent, ast.Expr) or (isinstance(parent, ast.expr) and is_about_none(parent)):
            return False
        return not self._is_defining(use.node) and not self._is_shown(use)


def _reads_of(source: Source) -> list[ast.expr]:
    return [read.node for definition in definitions_of(source) for read in definition.reads]


def _range(context: Context, use: Use) -> object:
    if isinstance(use.node, ast.Name):
        return range_of(context, use.node)
    return context.span(use.node) if context.editable(use.node) else None


def _pairs(statement: ast.stmt) -> list[tuple[ast.Name, ast.expr]]:
    """The names that a statement binds, and to what."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return []
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Name):
        return [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = zip(target.elts, value.elts, strict=True)
        return [(name, part) for name, part in pairs if isinstance(name, ast.Name)]
    return []


def _parts(node: ast.Return) -> dict[int | None, ast.expr]:
    """What a function returns, by its place."""
    if isinstance(node.value, ast.Tuple) and not any(isinstance(e, ast.Starred) for e in node.value.elts):
        return dict(enumerate(node.value.elts))
    return {None: node.value} if node.value is not None else {}
