"""Numbers that a step loop adds up from host reads, and whether they could be added up on the device instead.

They can where every use of the sum is found: the additions themselves, what shows it now and then in the loop, and
what comes behind the loop. There it is read; whoever uses it then has the number that he had before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from xlaport.context import Context
from xlaport.facts import fstrings, reaching
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.held import Kind
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import LoopNode, walk_block
from xlaport.facts.names import Binding, How, Scope
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import TENSORS
from xlaport.facts.steps import Stays
from xlaport.facts.tensors import Tensors
from xlaport.rule import Span

from .device_values import DeviceValue, device_value

_LOOKING = frozenset({"locals", "vars", "globals", "eval", "exec", "dir"})
"""Builtins that may get at a variable without its name."""


@dataclass(frozen=True)
class Addition:
    """``total += loss.item() * n``, on every pass of a step loop. `before` is the use of the sum so far."""

    statement: ast.AugAssign | ast.Assign
    loop: StepLoop
    before: ast.Name
    target: ast.Name
    values: tuple[DeviceValue, ...]
    reads: tuple[HostRead, ...]
    kind: Kind
    is_computed: bool
    """Whether more is done to the values than adding them."""


@dataclass(frozen=True)
class Deferral:
    """A sum that can be kept on the device."""

    name: str
    kind: Kind
    host_kind: Kind
    """What it was on the host: a count may have been added to 0.0."""
    additions: tuple[Addition, ...]
    starts: tuple[Binding, ...]
    behind: tuple[LoopNode, ...]
    """The loops behind which it is read."""
    uses: tuple[ast.Name, ...]
    """The other uses that read it."""


@dataclass(frozen=True)
class Kept:
    """A sum that stays on the host, and why."""

    name: str
    reads: tuple[HostRead, ...]
    why: Stays


@dataclass
class _Sum:
    """A sum, while it is looked at."""

    home: Scope
    name: str
    additions: list[Addition] = field(default_factory=list)
    reads: list[HostRead] = field(default_factory=list)
    refused: Stays | None = None


class _Refused(Exception):
    def __init__(self, why: str, node: ast.AST | None = None) -> None:
        super().__init__(why)
        self.stays = Stays(why, node)


_found: WeakKeyDictionary[Context, tuple[Deferral | Kept, ...]] = WeakKeyDictionary()


def sums(context: Context) -> tuple[Deferral | Kept, ...]:
    """The names to which the step loops of a file add host reads on every pass, in source order."""
    if context not in _found:
        _found[context] = tuple(_Sums(context).all())
    return _found[context]


class _Sums:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.module = context.module
        self.names = context.names
        self.tensors = Tensors(context.flow.structure)

    def all(self) -> Iterator[Deferral | Kept]:
        found: dict[tuple[Scope, str], _Sum] = {}
        for loop in self.context.loops.all():
            for statement in self._own_statements(loop):
                target = _sum_target(statement)
                reads = self.context.reads.within([statement]) if target is not None else []
                if target is None or not reads or not is_on_every_pass(self.module, loop.node, statement):
                    continue
                home = self.names.home(target)
                if home is None:
                    continue
                total = found.setdefault((home, target.id), _Sum(home, target.id))
                total.reads += reads
                try:
                    total.additions.append(self._addition(statement, loop, target, reads))
                except _Refused as refused:
                    total.refused = total.refused or refused.stays
        for total in found.values():
            try:
                if total.refused is not None:
                    raise _Refused(total.refused.why, total.refused.node)
                yield self._deferral(total)
            except _Refused as refused:
                yield Kept(total.name, tuple(total.reads), refused.stays)

    def _own_statements(self, loop: StepLoop) -> Iterator[ast.stmt]:
        """The statements of a step loop, without those of loops in it."""
        todo: list[ast.AST] = list(reversed(loop.node.body))
        while todo:
            node = todo.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if isinstance(node, ast.For | ast.AsyncFor | ast.While):
                continue
            if isinstance(node, ast.stmt):
                yield node
            if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
                todo += reversed(self.module.children[node])

    # -- the statements that add -----------------------------------------------------------------------

    def _addition(self, statement: ast.stmt, loop: StepLoop, target: ast.Name, reads: list[HostRead]) -> Addition:
        assert isinstance(statement, ast.AugAssign | ast.Assign)
        before, added = target, statement.value
        if isinstance(statement, ast.Assign):
            assert isinstance(statement.value, ast.BinOp)
            left, right = statement.value.left, statement.value.right
            first, added = (left, right) if _is_name(left, target.id) else (right, left)
            assert isinstance(first, ast.Name)
            before = first
        if not all(read.proven for read in reads):
            raise _Refused("it may be no tensor that is read")
        values: list[DeviceValue] = []
        kind = self._kind(added, {read.node: read for read in reads}, values)
        is_computed = not any(value.node is added for value in values)
        return Addition(statement, loop, before, target, tuple(values), tuple(reads), kind, is_computed)

    def _kind(self, node: ast.expr, reads: Mapping[ast.expr, HostRead], values: list[DeviceValue]) -> Kind:
        """What an addend would be on the device; its values are gathered. Raises `_Refused`."""
        read = next((reads[n] for n in ast.walk(node) if isinstance(n, ast.expr) and n in reads), None)
        if read is None:
            return self._host_kind(node)
        value = device_value(self.context, self.tensors, read)
        if value is not None and value.node is node:
            values.append(value)
            return self._number_kind(value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            return self._kind(node.operand, reads, values)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            kinds = [self._kind(side, reads, values) for side in (node.left, node.right)]
            return Kind.FLOAT if isinstance(node.op, ast.Div) else max(Kind.INT, *kinds)
        if value is None and read.node in (node, *ast.walk(node)) and not isinstance(node, ast.BinOp):
            raise _Refused("it is not clear that one number is read, and of what type")
        raise _Refused("more is done to what is read than the device could do", node)

    def _number_kind(self, value: DeviceValue) -> Kind:
        """What the number was: ``float(count)`` is a float."""
        is_float = isinstance(value.node, ast.Call) and self.context.resolve(value.node.func) == "builtins.float"
        assert value.held.kind is not None
        return Kind.FLOAT if is_float else value.held.kind

    def _host_kind(self, node: ast.expr) -> Kind:
        held = self.tensors.held(self.context.view.own, node)
        if any(self.context.roles.role(n) in TENSORS for n in ast.walk(node) if isinstance(n, ast.Name)):
            parent = self.module.parents[node]
            is_size = held.kind is Kind.INT and not isinstance(parent, ast.Attribute)
            if not is_size:
                raise _Refused("a tensor takes part that is not read", node)
        # A number of unknown type changes no float.
        return held.kind if held.kind is not None else Kind.FLOAT

    # -- the sum ---------------------------------------------------------------------------------------

    def _deferral(self, total: _Sum) -> Deferral:
        self._check_scope(total)
        bindings = total.home.bindings[total.name]
        own: set[ast.AST] = {addition.target for addition in total.additions}
        reached = self._definitions(total, {})
        device = set(own)
        for addition in total.additions:
            device |= self._found(reached, addition.before)
        starts = [binding for binding in bindings if binding.node in device and binding.node not in own]
        for start in starts:
            if not _is_zero(start):
                raise _Refused("gives it a value that is not a plain 0", start.node)
        if device - own != {start.node for start in starts}:
            raise _Refused("it is not clear where it begins")
        values = [value for start in starts if (value := start_value(start)) is not None]
        kind = max(addition.kind for addition in total.additions)
        kind = max(kind, Kind.INT)
        is_float = any(isinstance(v, ast.Constant) and isinstance(v.value, float) for v in values)
        behind, uses = self._reading(total, device)
        return Deferral(
            total.name, kind, Kind.FLOAT if is_float else kind, tuple(total.additions), tuple(starts), behind, uses
        )

    def _check_scope(self, total: _Sum) -> None:
        node = total.home.node
        if not isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
            raise _Refused("it is no variable of a function")
        if any(binding.elsewhere for binding in total.home.bindings[total.name]):
            raise _Refused("another function may change it")
        for call in (n for n in walk_block(node.body) if isinstance(n, ast.Call)):
            if (self.context.resolve(call.func) or "").removeprefix("builtins.") in _LOOKING:
                raise _Refused("may look at it without its name", call)
        if isinstance(node, ast.Module):
            users = self.context.flow.structure.references(self.context.view.own, total.name)
            if users:
                raise _Refused("another file uses it")

    def _definitions(self, total: _Sum, behind: Mapping[ast.stmt, ast.AST]) -> dict[ast.Name, set[ast.AST]]:
        bindings = total.home.bindings[total.name]
        places = {b.node: total.name for b in bindings} | dict.fromkeys(behind.values(), total.name)
        entry = [b.node for b in bindings if b.how is How.PARAMETER]
        assert isinstance(total.home.node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef)
        return reaching.definitions(total.home.node.body, places, entry, behind)

    def _found(self, reached: Mapping[ast.Name, set[ast.AST]], use: ast.Name) -> set[ast.AST]:
        if use not in reached or not reached[use]:
            raise _Refused("uses it at a time that is not known", use)
        return reached[use]

    # -- where it is read ------------------------------------------------------------------------------

    def _reading(self, total: _Sum, device: set[ast.AST]) -> tuple[tuple[LoopNode, ...], tuple[ast.Name, ...]]:
        """Behind which loops, and at which uses, the sum has to be read. Raises `_Refused`."""
        refused: list[_Refused] = []
        plain: tuple[ast.Name, ...] | None = None
        try:
            plain = self._uses(total, device, ())
        except _Refused as error:
            refused.append(error)
        for behind in self._levels(total):
            try:
                uses = self._uses(total, device, behind)
            except _Refused as error:
                refused.append(error)
                continue
            # One use more or less is no reason for a statement of its own.
            if plain is None or len(plain) - len(uses) > 1:
                return behind, uses
        if plain is None:
            # The first speaks of the sum as it is; the second, of what it would be if it were read behind its loop.
            raise refused[min(1, len(refused) - 1)]
        return (), plain

    def _levels(self, total: _Sum) -> Iterator[tuple[LoopNode, ...]]:
        """The step loops, then the loops around them, and so on outwards."""
        chains = {addition.loop.node: self._loops_around(addition.loop.node) for addition in total.additions}
        for level in range(max(len(chain) for chain in chains.values())):
            yield tuple(dict.fromkeys(chain[min(level, len(chain) - 1)] for chain in chains.values()))

    def _loops_around(self, node: LoopNode) -> list[LoopNode]:
        found = [node]
        for parent in self.module.ancestors(node):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                break
            if isinstance(parent, ast.For | ast.AsyncFor | ast.While):
                found.append(parent)
        return found

    def _uses(self, total: _Sum, device: set[ast.AST], behind: tuple[LoopNode, ...]) -> tuple[ast.Name, ...]:
        """The uses that get the sum from the device, if it is read behind some loops. Raises `_Refused`."""
        reached = self._definitions(total, {loop: ast.Pass() for loop in behind})
        for addition in total.additions:
            if not self._found(reached, addition.before) <= device:
                raise _Refused("goes on adding to it after it is read", addition.statement)
        mine = {addition.before for addition in total.additions}
        found: list[ast.Name] = []
        for use in self._all_uses(total):
            places = self._found(reached, use)
            if use in mine or places.isdisjoint(device):
                continue
            if not places <= device:
                raise _Refused("may use it before and after it is read", use)
            self._check_use(total, use)
            found.append(use)
        return tuple(found)

    def _all_uses(self, total: _Sum) -> list[ast.Name]:
        loads = self.names.uses(total.home, total.name)
        changed = [
            b.node for b in total.home.bindings[total.name] if b.how is How.AUGMENT and isinstance(b.node, ast.Name)
        ]
        return sorted([*loads, *changed], key=lambda use: (use.lineno, use.col_offset))

    def _check_use(self, total: _Sum, use: ast.Name) -> None:
        """Raises `_Refused` where the sum cannot be read at a use, or is needed there on every pass."""
        if not isinstance(use.ctx, ast.Load):
            raise _Refused("changes it as well", use)
        if not self.context.editable(use) and range_of(self.context, use) is None:
            raise _Refused("uses it in an f-string that cannot be edited", use)
        around = set(self.module.ancestors(use))
        for loop in self.context.loops.all():
            is_outer = any(loop.node in self.module.ancestors(a.loop.node) for a in total.additions)
            if loop.node in around and not is_outer and not self._is_rare(loop.node, use):
                raise _Refused("needs it in every pass", use)

    def _is_rare(self, loop: LoopNode, use: ast.AST) -> bool:
        """Whether a use in a loop runs now and then: under a condition that the passes tell apart."""
        bound = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        child: ast.AST = use
        for parent in self.module.ancestors(use):
            if parent is loop:
                return child not in loop.body
            if isinstance(parent, ast.If) and child is not parent.test and not isinstance(parent.test, ast.BinOp):
                inside = list(ast.walk(parent.test))
                counts = any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod) for n in inside)
                if counts or any(isinstance(n, ast.Name) and n.id in bound for n in inside):
                    return True
            if isinstance(parent, ast.ExceptHandler):
                return True
            child = parent
        return False


def range_of(context: Context, use: ast.Name) -> Span | None:
    """The exact range of a use, also where it stands inside an f-string."""
    if context.editable(use):
        return context.span(use)
    joined = [p for p in context.module.ancestors(use) if isinstance(p, ast.JoinedStr)][-1]
    pairs = fstrings.spans_of(context.module, joined, use.id) or []
    return next((span for node, span in pairs if node is use), None)


def start_value(start: Binding) -> ast.expr | None:
    """The expression that a binding gives its name: also one of ``a, b = 0, 0``."""
    value = start.value
    if start.how is How.UNPACK and isinstance(value, ast.Tuple | ast.List) and start.index is not None:
        return value.elts[start.index] if start.index < len(value.elts) else None
    return value if start.how is How.ASSIGN else None


def _is_zero(start: Binding) -> bool:
    value = start_value(start)
    is_number = isinstance(value, ast.Constant) and type(value.value) in (int, float)
    return is_number and isinstance(value, ast.Constant) and value.value == 0


def _sum_target(statement: ast.stmt) -> ast.Name | None:
    """The name that a statement adds to."""
    if isinstance(statement, ast.AugAssign):
        return (
            statement.target if isinstance(statement.op, ast.Add) and isinstance(statement.target, ast.Name) else None
        )
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.value, ast.BinOp):
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Name) and isinstance(value.op, ast.Add):
            if _is_name(value.left, target.id) != _is_name(value.right, target.id):
                return target
    return None


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
