"""Dicts that a step fills with what it reads, of its own and of its helpers: ``log.update(self.update_critic(x))``.

Up to the barrier, such a dict may hold the tensors, where nothing looks at it before: then one graph runs for the step,
and all are read behind it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.module import FunctionNode, LoopNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import Role
from xlaport.facts.structure import Function
from xlaport.facts.vocabulary import VIEW_METHODS

from ..._lib.host_reads.addends import Addend, Addends
from ..._lib.host_reads.deferring import plan
from ..._lib.host_reads.device_values import DeviceValue, may_be_narrow
from ..._lib.host_reads.in_sight import InSight
from ..._lib.host_reads.lifetimes import lasts
from ..._lib.host_reads.refused import Refused
from ..._lib.host_reads.tracked import Variable

_READING = frozenset({"builtins.float", "builtins.int", "builtins.print", "builtins.round"})
_PLAIN = (Role.NUMBER, Role.TEXT)


@dataclass(frozen=True)
class Record:
    """A dict in the block of a barrier."""

    name: str
    barrier: ast.Expr
    mixed: bool
    """Whether it holds numbers or texts that are not read, too."""


@dataclass(frozen=True)
class Records:
    """Dicts that the same helpers fill, and that have to be read behind their barriers together."""

    records: tuple[Record, ...]
    reads: tuple[HostRead, ...]
    kept: dict[ast.expr, str]
    """What is put into them in the place of each reading."""
    computes: bool
    """Whether the TPU computes with what was read, in float32, in the place of Python."""


def records_behind(context: Context) -> tuple[Records, ...]:
    """The dicts of a file that can be read behind a barrier."""
    return context.view.own.once("records behind", lambda: tuple(_together(_fillings(context))))


def _fillings(context: Context) -> list[_Filling]:
    """All such dicts, but for those whose helpers give what they read to others, too."""
    module, stepping, found = context.module, context.loops.stepping, list[_Filling]()
    for call in module.calls:
        barrier = module.parents[call]
        if not isinstance(barrier, ast.Expr) or not stepping.is_barrier(call) or stepping.is_step(call):
            continue
        block = module.block(barrier)
        for start in _flat(block[: block.index(barrier)]):
            filling = _Filling(context)
            is_new = filling.begin(start, block, barrier) and all(filling.starts.isdisjoint(f.starts) for f in found)
            found += [filling] if is_new else []
    while True:
        calls = {call for filling in found for call in filling.calls}
        left = [filling for filling in found if filling.is_alone(calls)]
        if len(left) == len(found):
            return found
        found = left


def _together(fillings: list[_Filling]) -> Iterator[Records]:
    """The dicts that share a helper."""
    while fillings:
        group, rest = [fillings[0]], fillings[1:]
        while more := [f for f in rest if any(not f.functions.keys().isdisjoint(g.functions) for g in group)]:
            group += more
            rest = [f for f in rest if f not in more]
        reads = {read.node: read for filling in group for read in filling.reads}
        kept = {node: text for filling in group for node, text in filling.kept.items()}
        records = tuple(filling.record for filling in group if filling.record is not None)
        yield Records(records, tuple(reads.values()), kept, any(filling.computes for filling in group))
        fillings = rest


@dataclass(eq=False)
class _Filling(InSight):
    """Follows a dict from where it begins up to the barrier, and into the functions that make parts of it."""

    context: Context
    reads: list[HostRead] = field(default_factory=list)
    kept: dict[ast.expr, str] = field(default_factory=dict)
    mixed: bool = False
    computes: bool = False
    functions: dict[FunctionNode, Function] = field(default_factory=dict)
    calls: set[ast.AST] = field(default_factory=set)
    starts: set[ast.stmt] = field(default_factory=set)
    record: Record | None = None

    def __post_init__(self) -> None:
        super().__init__(self.context)
        self.module = self.context.module
        self.addends = Addends(self.context)

    def begin(self, start: ast.stmt, block: list[ast.stmt], barrier: ast.Expr) -> bool:
        """Whether a statement begins a dict that could be read behind the barrier of its block."""
        target = _target(start)
        if target is None or not isinstance(start, ast.Assign) or not _may_be_record(start.value):
            return False
        try:
            if any(isinstance(n, ast.Try) for n in self.module.ancestors(start)):
                raise Refused("what catches an exception may look at it", start)
            behind = self._rest(start, block)
            self._name(target, start.value, behind[: behind.index(barrier)])
        except Refused:
            return False
        self.starts.add(start)
        self.record = Record(target.id, barrier, self.mixed)
        return bool(self.reads) and not self._stays_for_longer()

    def is_alone(self, calls: Collection[ast.AST]) -> bool:
        """Whether some calls are all that get what the helpers read; others need the numbers at once."""
        sites = (site for function in self.functions.values() for site in self.structure.calls_to(function))
        return all(site.node in calls for site in sites)

    def _stays_for_longer(self) -> bool:
        """Whether XP303 leaves some of it on the device until it is used."""
        if "XP303" not in self.context.codes:
            return False
        groups, mine = plan(self.context).groups, {read.node for read in self.reads}
        made = (d.reads for group in groups for source in group.sources for d in source.all_definitions)
        added = (filling.reads for group in groups for d in group.deferrals for filling in d.fillings)
        return any(read.node in mine for reads in (*made, *added) for read in reads)

    def _name(self, target: ast.Name, value: ast.expr, behind: Sequence[ast.stmt], *, is_helper: bool = False) -> None:
        """A variable that is given a dict; `behind` is what runs before the barrier, or the rest of a helper."""
        context, module = self.context, self.module
        home = context.names.home(target)
        if home is None or not isinstance(home.node, FunctionNode | ast.Module):
            raise Refused("keeps it where it cannot be followed", target)
        variable = Variable(context, home, target.id)
        uses = variable.all_uses()
        inside = set(walk_block(behind))
        if any(module.function(use) is not module.function(target) for use in uses):
            raise Refused("another function looks at it", target)
        if is_helper and any(use not in inside for use in uses):
            raise Refused("uses it elsewhere", target)
        if any(b.node is not target and (is_helper or b.node in inside) for b in variable.bindings):
            raise Refused("gives the name something else", target)
        if any(b.how is How.AUGMENT for b in variable.bindings):
            raise Refused("changes it as well", target)
        self._dict(value)
        is_filled = bool(self.reads)
        for node in walk_block(behind):
            # An inner loop may have filled it in the pass before.
            is_inner = any(isinstance(n, LoopNode) and n in inside for n in module.ancestors(node))
            if node in uses and isinstance(node, ast.Name):
                may_return = is_helper or not (is_filled or is_inner)
                is_filled = self._use(node, may_return=may_return) or is_filled
            elif isinstance(node, ast.Continue | ast.Break) and not is_helper:
                if is_filled and not is_inner:
                    raise Refused("leaves the step before the barrier", node)
            elif isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
                raise Refused("gives it away before the barrier", node)

    def _use(self, node: ast.Name, *, may_return: bool) -> bool:
        """A use before the barrier: whether it puts something in. Raises `Refused` where it looks at it."""
        parent = self.module.parents[node]
        outer = self.module.parents[parent]
        match parent:
            case ast.Return() if may_return:
                return False
            case ast.Subscript(ctx=ast.Store()) if parent.value is node and isinstance(outer, ast.Assign):
                if len(outer.targets) == 1:
                    self._put(outer.value)
                    return True
            case ast.Attribute(attr="update") if isinstance(outer, ast.Call) and outer.func is parent:
                if isinstance(self.module.parents[outer], ast.Expr):
                    self._made_of(outer)
                    return True
        raise Refused("looks at it before the barrier", node)

    def _dict(self, value: ast.expr) -> None:
        """A new dict."""
        match value:
            case ast.Dict():
                for key, part in zip(value.keys, value.values, strict=True):
                    (self._dict if key is None else self._put)(part)
            case ast.Call() if self.context.resolve(value.func) == "builtins.dict":
                self._made_of(value)
            case ast.Call():
                self._call(value)
            case _:
                raise Refused("may get something else there", value)

    def _made_of(self, call: ast.Call) -> None:
        """``dict(loss=loss.item())``, ``log.update(helper(x))``."""
        for part in call.args:
            self._dict(part)
        for keyword in call.keywords:
            (self._dict if keyword.arg is None else self._put)(keyword.value)

    def _call(self, call: ast.Call) -> None:
        """A helper of this file that returns a dict in each case, which no other code gets."""
        functions = self.context.loops.run_by(call)
        if len(functions) != 1 or functions[0].facts is not self.context.view.own:
            raise Refused("may get something else there", call)
        self.calls.add(call)
        function = functions[0]
        node = function.node
        if node in self.functions:
            return
        self.functions[node] = function
        self.check_function(self.context, function)
        if self.context.loops.function_effects(node).barriers or not isinstance(node.body[-1], ast.Return):
            raise Refused("has a barrier of its own, or returns nothing at times", node)
        named: set[str] = set()
        for returned in (n for n in walk_block(node.body) if isinstance(n, ast.Return)):
            if isinstance(returned.value, ast.Name):
                named.add(returned.value.id)
            elif returned.value is not None:
                self._dict(returned.value)
            else:
                raise Refused("returns nothing at times", returned)
        for name in named:
            starts = [s for s in _flat(node.body) if (target := _target(s)) is not None and target.id == name]
            target = _target(starts[0]) if len(starts) == 1 else None
            if target is None or not isinstance(starts[0], ast.Assign):
                raise Refused("it is not clear where it begins", node)
            self._name(target, starts[0].value, self._rest(starts[0], node.body), is_helper=True)

    def _rest(self, start: ast.stmt, block: list[ast.stmt]) -> list[ast.stmt]:
        """What runs behind a statement of a block, or of a ``with`` in it."""
        found: list[ast.stmt] = []
        while True:
            around = self.module.block(start)
            found += around[around.index(start) + 1 :]
            if around is block:
                return found
            start = self.module.statement(self.module.parents[start])

    def _put(self, value: ast.expr) -> None:
        """A value: a reading, or something that is no tensor."""
        context = self.context
        reads = context.reads.within([value])
        if not all(read.proven for read in reads):
            raise Refused("it may be no tensor that is read", value)  # or one, as soon as other fixes are made
        addend = self._addend(value, reads) if reads else None
        if addend is None:
            is_plain = isinstance(value, ast.Constant) or context.roles.is_(value, *_PLAIN)
            if not is_plain and not _is_call_of(value, "item", "tolist", "numpy"):
                raise Refused("may hold a tensor", value)
            self.mixed = True  # it stays what it is: no tensor
            return
        self.computes = self.computes or addend.is_computed
        for read in addend.values:
            text = read.text
            if not addend.is_computed and not self._lasts(read.tensor):
                text += ".clone()"  # what is only detached changes with the tensor
            elif text == f"({self.module.segment(read.tensor)})" and not addend.is_computed:
                text = text[1:-1]
            self.kept[read.node] = text
        self.reads += reads

    def _addend(self, value: ast.expr, reads: list[HostRead]) -> Addend | None:
        """What a value would be on the device; None where it is better read as it is."""
        try:
            addend = self.addends.addend(value, reads)
        except Refused:
            return None
        if addend.extremes or (addend.is_computed and may_be_narrow(self.context)):
            return None
        return addend if all(self._is_exact(read) for read in addend.values) else None

    def _is_exact(self, read: DeviceValue) -> bool:
        """Whether .item() gives the same later: of ``float(count)`` it would be a whole number."""
        func = read.node.func if isinstance(read.node, ast.Call) else None
        is_float = func is not None and self.context.resolve(func) == "builtins.float"
        return _is_call_of(read.node, "item") or (is_float and read.held.kind is Kind.FLOAT)

    def _lasts(self, tensor: ast.expr) -> bool:
        """Whether a tensor stays what it is up to the barrier, whatever other functions do meanwhile."""
        module = self.module
        base = tensor
        while isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute) and base.func.attr in VIEW_METHODS:
            base = base.func.value
        around = next((n for n in module.ancestors(tensor) if isinstance(n, LoopNode | FunctionNode)), None)
        if around is None or not lasts(self.context, tensor, around):
            return False
        home = self.context.names.home(base) if isinstance(base, ast.Name) else None
        if not isinstance(base, ast.Name) or home is None:
            return base is tensor or isinstance(base, ast.Call | ast.BinOp)
        uses = self.context.names.uses(home, base.id)
        return base is tensor and not any(self._hands_on(use) for use in uses)

    def _hands_on(self, use: ast.Name) -> bool:
        """Whether other code may have a tensor by this use of its name: it could change it in place."""
        parent = self.module.parents[use]
        if isinstance(parent, ast.Attribute):
            is_call = isinstance(self.module.parents[parent], ast.Call)
            return not is_call or parent.attr in VIEW_METHODS or parent.attr.endswith("_")
        if isinstance(parent, ast.Call) and use in parent.args:
            func = parent.func
            is_scaled = isinstance(func, ast.Attribute) and self.context.roles.is_(func.value, Role.SCALER)
            return not is_scaled and self.context.resolve(func) not in _READING
        return not isinstance(parent, ast.BinOp | ast.UnaryOp | ast.Compare | ast.FormattedValue)


def _flat(block: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run whenever a block does: also those of a ``with``."""
    for statement in block:
        yield statement
        if isinstance(statement, ast.With):
            yield from _flat(statement.body)


def _target(statement: ast.stmt) -> ast.Name | None:
    """The name that an assignment gives something."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    return target if isinstance(target, ast.Name) else None


def _is_call_of(node: ast.expr, *methods: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods


def _may_be_record(value: ast.expr) -> bool:
    return isinstance(value, ast.Dict | ast.Call)
