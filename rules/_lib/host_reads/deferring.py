"""What of a file's host reads could be left on the device, taken together: where they go, and what holds them.

It begins with all names and functions that hand on what was read, and drops those of which some use needs the number
in every pass, until the rest holds together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.reads import HostRead
from xlaport.facts.steps import Stays

from .accumulation import Deferral, Kept, accumulations
from .addends import is_about_none
from .callers import check_callers
from .device_values import Deferred
from .fillings import Form
from .growing import Growing
from .keepers import Keeping
from .meters import is_shown
from .refused import Refused
from .sources import Definition, Source, Use, as_reads, uses_of_function, uses_of_name
from .tracked import check_cut, check_frequency


@dataclass(frozen=True)
class Group:
    """What has to be left on the device together. `reading` are the uses that need the number, now and then."""

    sources: tuple[Source, ...]
    deferrals: tuple[Deferral, ...]
    reading: tuple[Use, ...]
    keeping: tuple[Keeping, ...] = ()
    """What becomes of dicts that code of the project is given."""


@dataclass(frozen=True)
class Plan:
    """What can be left on the device, and what not."""

    groups: tuple[Group, ...]
    kept: tuple[Kept, ...]


_known: WeakKeyDictionary[Context, Plan] = WeakKeyDictionary()


def plan(context: Context) -> Plan:
    """What of a file's host reads could be left on the device."""
    if context not in _known:
        _known[context] = _Solving(context).plan()
    return _known[context]


def would_stay(context: Context, read: HostRead, check: ast.stmt) -> bool:
    """Whether a read could be left on the device if a check looked at it now and then only."""
    groups = _Solving(context, check).plan().groups
    return any(made_of is read.node for group in groups for source in group.sources for made_of in _reads_of(source))


class _Solving(Growing):
    def __init__(self, context: Context, rare: ast.stmt | None = None) -> None:
        """`rare` is a statement that is taken to run now and then."""
        super().__init__(context)
        self.rare = rare
        self.every = {function for function, run in context.steps.passes.from_elsewhere() if run.every}
        self.every |= set(self.helpers)
        self.stuck: dict[object, Kept] = {}

    def plan(self) -> Plan:
        """Grow, then shrink."""
        while self.grown():
            self._find_uses()
        found = self._settled() if self.sources else accumulations(self.context)
        kept = tuple(each for each in found if isinstance(each, Kept))
        deferrals = [each for each in found if isinstance(each, Deferral)]
        return Plan(tuple(self._groups(deferrals)), (*kept, *self.stuck.values()))

    def _find_uses(self) -> None:
        """Look for the uses of all sources; those that cannot be followed are dropped."""
        self.uses = {}
        for key, source in list(self.sources.items()):
            try:
                if source.function is None:
                    self.uses.update(uses_of_name(self.context, source))
                else:
                    check_callers(self.context, source)
                    self.uses.update(uses_of_function(self.context, source, self.sites(source)))
            except Refused as refused:
                self._drop(key, refused)

    def _drop(self, key: object, refused: Refused) -> None:
        source = self.sources.pop(key)
        reads = [read for definition in source.all_definitions for read in definition.reads]
        self.stuck[key] = Kept(source.name, source.form, tuple(reads), refused.stays)
        self.dropped.add(key)

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
                    self._check_definitions(source)
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
        while self.grown():
            pass
        for key, source in sources.items():
            if key not in self.sources:
                self.stuck.setdefault(key, Kept(source.name, source.form, (), Stays("what it is made of is read")))
                self.dropped.add(key)
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
                if source not in found and all(self._is_grounded(d, found) for d in source.all_definitions)
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
        keys = {source.key for source in found}
        return len(sources) < len(definition.reads) or any(source.key in keys for source in sources)

    def _check_use(self, use: Use, deferred: dict[ast.expr, Deferral]) -> None:
        """Raises `Refused` where a use needs the number in every pass."""
        if self._is_defining(use.node):
            return
        if use.node in deferred:
            if use.at_first and deferred[use.node].form is not Form.SUM:
                raise Refused("may hold what was there at first", use.node)
            return
        if self._is_idle(use):
            return
        if isinstance(use.keeping, Keeping):
            self._check_given(use.keeping)
            return
        self._check_record(use)
        try:
            self._check_frequency(use)
        except Refused as refused:
            raise use.keeping or refused from None
        if not self._is_shown(use) and _range(self.context, use) is None:
            raise Refused("uses it in an f-string that cannot be edited", use.node)

    def _check_given(self, keeping: Keeping) -> None:
        """Raises `Refused` where other calls give what keeps a dict something else than such dicts."""
        for facts, node in keeping.given:
            was_read = facts is self.own and self._key(node) in self.stuck
            is_such = facts is self.own and node in self.uses and isinstance(self.uses[node].keeping, Keeping)
            if not is_such and not was_read:
                raise Refused("gives it something else", node if facts is self.own else None)

    def _check_record(self, use: Use) -> None:
        """Raises `Refused` with what keeps a name, or a caller, from holding a dict of device values that it gets."""
        parent = self.module.parents[use.node]
        if isinstance(parent, ast.Tuple):
            parent = self.module.parents[parent]
        target = parent.targets[0] if isinstance(parent, ast.Assign) else None
        key = self.module.function(parent) if isinstance(parent, ast.Return) else self._key(target)
        stuck = self.stuck.get(key) if use.is_dict else None
        if stuck is not None and use.node in {read.node for read in stuck.reads}:
            raise Refused(stuck.why.why, stuck.why.node)

    def _key(self, name: ast.expr | None) -> object:
        return (self.context.names.home(name), name.id) if isinstance(name, ast.Name) else None

    def _check_elements(self, source: Source) -> None:
        """Raises `Refused` where an element of what a function returns is given to a name that needs the number."""
        if source.function is None or source.is_dict:
            return
        for call, gathered in source.gathered.items():
            home = self.module.function(call)
            if home in self.every and home is not None and is_on_every_pass(self.module, home, gathered.statement):
                raise Refused("needs it in every pass", call)
        named = {node for each in self.sources.values() for node in each.definitions}
        for call in self.sites(source) if not source.is_whole else ():
            statement = self.module.parents[call]
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            names = target.elts if isinstance(target, ast.Tuple) else []
            for element in source.elements if names else ():
                if element >= len(names) or names[element] not in named:
                    stuck = self.stuck.get(self._key(names[element])) if element < len(names) else None
                    raise Refused("needs the number", stuck.why.node or call if stuck is not None else call)

    def _check_definitions(self, source: Source) -> None:
        """Raises `Refused` where a source may be given what another one holds at first: ``previous = last``."""
        for definition in source.all_definitions:
            check_cut(self.context, definition.node, definition.loop)
            uses = [self.uses.get(read.node) for read in definition.reads]
            if uses and all(use is not None and use.at_first for use in uses):
                raise Refused("may give it what was there at first", definition.node)

    def _is_defining(self, node: ast.expr) -> bool:
        return any(node is made_of for source in self.sources.values() for made_of in _reads_of(source))

    def _is_shown(self, use: Use) -> bool:
        return use.held.is_scalar and is_shown(self.own, use.node)

    def _check_frequency(self, use: Use) -> None:
        """Raises `Refused` where a use that needs the number runs in every pass."""
        if self.rare is not None and self.rare in self.module.ancestors(use.node):
            return
        source = use.source
        loops = [source.loop] if source.loop is not None else [d.loop for d in source.all_definitions]
        home = self.module.function(use.node)
        check_frequency(self.context, loops, use.node, home if source.home is None else source.home.node)
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
            kept = [use.keeping for use in uses if isinstance(use.keeping, Keeping)]
            here = {use.node for use in uses if not use.source.others}
            keeping = [each if here.issuperset(n for _, n in each.given) else replace(each, starts=()) for each in kept]
            yield Group(tuple(sources), tuple(mine), tuple(reading), tuple(keeping))

    def _unpacked(self, source: Source) -> list[Source]:
        """The functions whose results a name is an element of."""
        calls = {d.addend.node for d in source.all_definitions if not d.reads}
        return [s for s in self.sources.values() if not calls.isdisjoint(self.sites(s))]

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
        if isinstance(use.keeping, Keeping):
            return False
        return not self._is_idle(use) and not self._is_defining(use.node) and not self._is_shown(use)

    def _is_idle(self, use: Use) -> bool:
        """Whether a use does nothing with the number: a statement by itself, ``x is None``."""
        parent = self.module.parents[use.node]
        return isinstance(parent, ast.Expr) or (isinstance(parent, ast.expr) and is_about_none(parent))


def _reads_of(source: Source) -> list[ast.expr]:
    return [read.node for definition in source.all_definitions for read in definition.reads]


def _range(context: Context, use: Use) -> object:
    return context.span(use.node) if context.editable(use.node) else None
