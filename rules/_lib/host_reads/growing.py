"""Names and functions that hand on what a file's step loops read: they grow, since what hands on those does so, too."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import Scope
from xlaport.facts.reads import HostRead
from xlaport.facts.structure import Function

from . import records
from .accumulation import reads_within
from .addends import Addend, Addends, own_statements
from .fillings import Form, filled
from .records import Others
from .refused import Refused
from .sources import Definition, Place, Source, Use, as_reads


class Growing:
    """The sources that are known, and `uses`, by which there may be more of them. What is in `dropped` is none."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.module = context.module
        self.own = context.view.own
        self.structure = context.flow.structure
        self.addends = Addends(context)
        self.loops = context.loops.all()
        self.helpers: dict[FunctionNode, StepLoop] = {}
        for loop in self.loops:
            self.helpers.update(dict.fromkeys(context.steps.passes.helpers(loop), loop))
        self.sources: dict[object, Source] = {}
        self.dropped: set[object] = set()
        self.uses: dict[ast.AST, Use] = {}
        self._sites: dict[FunctionNode, tuple[ast.Call, ...]] = {}

    def grown(self) -> bool:
        """Whether there are definitions that were not known."""
        before = self._count()
        nodes = {loop.node for loop in self.loops}
        for loop in self.loops:
            for statement in own_statements(self.context, loop, nodes):
                self._define(statement, loop)
        for function, loop in self.helpers.items():
            for node in walk_block(function.body):
                if isinstance(node, ast.stmt) and is_on_every_pass(self.module, function, node):
                    self._define(node, loop)
            self._define_returned(function, loop)
        for source in list(self.sources.values()):
            for call in self.sites(source):
                self._define_handed_back(source, call)
        return self._count() > before

    def _count(self) -> int:
        return sum(len(source.all_definitions) for source in self.sources.values())

    def sites(self, source: Source) -> tuple[ast.Call, ...]:
        """The calls of a function in this file, in source order."""
        function = source.function
        if function is None:
            return ()
        if function not in self._sites:
            calls = self.structure.calls_to(Function(self.own, function))
            here = (site.node for site in calls if site.facts is self.own)
            self._sites[function] = tuple(sorted(here, key=lambda call: (call.lineno, call.col_offset)))
        return self._sites[function]

    def _reads(self, value: ast.expr) -> list[HostRead]:
        return reads_within(self.context, [value], as_reads(self.uses))

    def _define(self, statement: ast.stmt, loop: StepLoop) -> None:
        if isinstance(statement, ast.For):
            self._define_items(statement, loop)
        what = filled(statement)
        if what is not None and what[2] is Form.SUM:
            return
        for target, value in _pairs(statement):
            home = self.context.names.home(target)
            reads = self._reads(value)
            if home is None or (home, target.id) in self.dropped:
                continue
            if records.parts(self.context, value) == {}:
                self._define_filled(home, target, loop)
            if not reads:
                continue
            addend = self._addend(value, reads)
            if addend is not None:
                self._name(home, target, {None: Definition(target, addend, tuple(reads), loop)})
            else:
                self._name(home, target, *self._values(target, value, loop))

    def _name(
        self,
        home: Scope,
        target: ast.Name,
        defined: dict[Place, Definition],
        others: Others = Others.NONE,
        puts: Collection[ast.AST] = (),
    ) -> None:
        """A name is given what was read, or a dict of that."""
        source = self.sources.get((home, target.id)) or Source(target.id, home)
        if defined and (not source.definitions or source.is_whole is (None in defined)):
            self.sources[source.key] = source
            source.definitions[target] = defined
            source.others = max(source.others, others)
            source.puts.update(puts)

    def _define_filled(self, home: Scope, target: ast.Name, loop: StepLoop) -> None:
        """``losses = {}``, into which ``losses["d"] = loss.item()`` puts what was read."""
        put = records.put_into(self.context, target)
        if not put:
            return
        values, others = self._of_parts(target, {key: value for key, (_, value) in put.items()}, loop)
        block = self.module.block(self.module.statement(target))
        if others and any(self.module.statement(use) not in block for use, _ in put.values()):
            return  # which keys it has, and which of them are numbers, is not known
        self._name(home, target, values, others, {use for use, _ in put.values()})

    def _define_items(self, statement: ast.For, loop: StepLoop) -> None:
        """``for name, value in metrics.items():``, where all values were read."""
        record = records.of_items(statement.iter)
        use = self.uses.get(record) if record is not None else None
        target = statement.target.elts[-1] if isinstance(statement.target, ast.Tuple) else None
        if use is None or not use.is_dict or use.source.others or not isinstance(target, ast.Name):
            return
        home = self.context.names.home(target)
        held = {use.source.held(place) for place in use.source.places}
        kinds = {each.kind for each in held if each.kind is not None}
        if home is None or len(kinds) != 1 or (home, target.id) in self.dropped:
            return
        addend = Addend(use.node, (), kinds.pop(), not all(each.is_scalar for each in held))
        read = as_reads({use.node: use})[use.node]
        self._name(home, target, {None: Definition(target, addend, (read,), loop)})

    def _values(self, node: ast.AST, value: ast.expr, loop: StepLoop) -> tuple[dict[Place, Definition], Others]:
        """What was read of the values of a dict, by their keys, and its others."""
        use = self.uses.get(value)
        if use is not None and use.is_dict:
            source, read = use.source, as_reads({value: use})[value]
            return {
                place: Definition(node, Addend(value, (), kind, not source.held(place).is_scalar), (read,), loop)
                for place in source.places
                if (kind := source.held(place).kind) is not None
            }, source.others
        return self._of_parts(node, records.parts(self.context, value) or {}, loop)

    def _of_parts(
        self, node: ast.AST, found: Mapping[str, ast.expr], loop: StepLoop
    ) -> tuple[dict[Place, Definition], Others]:
        defined = self._defined(node, found, loop)
        reading = {read.node for definition in defined.values() for read in definition.reads}
        if any(read.node not in reading for part in found.values() for read in self._reads(part)):
            return {}, Others.ANY  # one of its values has to be read there, and the others with it
        return defined, records.others(self.context, [part for key, part in found.items() if key not in defined])

    def _defined(
        self, node: ast.AST, found: Mapping[str, ast.expr] | Mapping[int | None, ast.expr], loop: StepLoop
    ) -> dict[Place, Definition]:
        defined: dict[Place, Definition] = {}
        for place, part in found.items():
            reads = self._reads(part)
            addend = self._addend(part, reads) if reads else None
            if addend is not None:
                defined[place] = Definition(node, addend, tuple(reads), loop)
        return defined

    def _define_handed_back(self, source: Source, call: ast.Call) -> None:
        """``loss, accuracy = train_step(batch)``, ``metrics = train_step(batch)``."""
        statement = self.module.parents[call]
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return
        loop = next((loop for loop in self.loops if loop.node in self.module.ancestors(call)), source.loop)
        assert loop is not None
        if source.is_dict:
            self._define(statement, loop)
            return
        target = statement.targets[0]
        for element, places in source.elements.items():
            if not isinstance(target, ast.Tuple) or element >= len(target.elts):
                continue
            name = target.elts[element]
            home = self.context.names.home(name) if isinstance(name, ast.Name) else None
            if not isinstance(name, ast.Name) or home is None or (home, name.id) in self.dropped:
                continue
            defined: dict[Place, Definition] = {}
            for key, place in places.items():
                held = source.held(place)
                assert held.kind is not None
                defined[key] = Definition(name, Addend(call, (), held.kind, not held.is_scalar), (), loop)
            self._name(home, name, defined, source.others if None not in defined else Others.NONE)

    def _define_returned(self, function: FunctionNode, loop: StepLoop) -> None:
        if function in self.dropped:
            return
        found = Source(function.name, function=function, loop=loop)
        for node in walk_block(function.body):
            if isinstance(node, ast.Return) and node.value is not None:
                found.definitions[node], others = self._values(node, node.value, loop)
                if not found.definitions[node]:
                    found.definitions[node], others = self._elements(node, node.value, loop)
                found.others = max(found.others, others)
            elif isinstance(node, ast.Return):
                found.definitions[node] = {}
        if found.places:
            self.sources[function] = found

    def _elements(self, node: ast.Return, value: ast.expr, loop: StepLoop) -> tuple[dict[Place, Definition], Others]:
        """What was read of the elements of a tuple, or of the dicts among them; and the other values of these."""
        defined: dict[Place, Definition] = {}
        others = Others.NONE
        for place, part in _parts(value).items():
            named, more = self._values(node, part, loop) if place is not None else ({}, others)
            others = max(others, more) if named else others
            for key, found in (named or self._defined(node, {place: part}, loop)).items():
                defined[(place, key) if isinstance(key, str) and place is not None else key] = found
        return defined, others

    def _addend(self, value: ast.expr, reads: list[HostRead]) -> Addend | None:
        try:
            return self.addends.addend(value, reads)
        except Refused:
            return None


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


def _parts(value: ast.expr) -> dict[int | None, ast.expr]:
    """What a function returns, by its place."""
    if isinstance(value, ast.Tuple) and not any(isinstance(e, ast.Starred) for e in value.elts):
        return dict(enumerate(value.elts))
    return {None: value}
