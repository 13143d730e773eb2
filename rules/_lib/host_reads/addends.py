"""What a step adds to a sum or a list: numbers that are read, and what is done to them."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.held import Kind
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import LoopNode, Module
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import TENSORS

from .device_values import KIND_OF, DeviceValue, device_value, fetched
from .refused import Refused

_TO_HOST = re.compile(r"\.(cpu\(\)|to\(.*\))")
"""What takes a tensor to the host, where it stays one."""


@dataclass(frozen=True)
class Addend:
    """An expression with host reads, as it could be computed on the device."""

    node: ast.expr
    values: tuple[DeviceValue, ...]
    kind: Kind
    """What the number was."""
    guessed: bool = False
    """Whether one number is asked for of a tensor which may have dimensions of one element, or hold integers."""
    extremes: tuple[ast.Call, ...] = ()
    """The calls of ``max`` and ``min`` in it, which become ``.clamp()``."""

    @property
    def reading(self) -> tuple[str, ...] | None:
        """What stands before and behind it where it is fetched as a whole; None where it is a number."""
        return self.values[0].reading

    @property
    def is_computed(self) -> bool:
        """Whether more is done to the values than reading them."""
        return not any(value.node is self.node for value in self.values)


class Addends:
    """Finds out what an expression with host reads would be on the device."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tensors = context.tensors

    def addend(self, node: ast.expr, reads: Sequence[HostRead]) -> Addend:
        """The expression as an addend. Raises `Refused`."""
        if not all(read.proven for read in reads):
            raise Refused("it may be no tensor that is read")
        values: list[DeviceValue] = []
        extremes: list[ast.Call] = []
        kind = self._kind(node, {read.node: read for read in reads}, values, extremes)
        guessed = not all(value.held.is_scalar for value in values)
        return Addend(node, tuple(values), kind, guessed, tuple(extremes))

    def fetched(self, node: ast.expr, reads: Sequence[HostRead]) -> Addend:
        """The expression, where it is no more than a tensor that is fetched as a whole. Raises `Refused`."""
        if not all(read.proven for read in reads):
            raise Refused("it may be no tensor that is read")
        value = fetched(self.context, self.tensors, node, reads[0])
        if value is None:
            raise Refused("more is done to what is read than fetching it", node)
        if _frees_memory(value):
            raise Refused("the outputs of all batches may not fit in the device's memory, which this takes them out of")
        return Addend(node, (value,), value.held.kind or Kind.FLOAT)

    def _kind(
        self,
        node: ast.expr,
        reads: Mapping[ast.expr, HostRead],
        values: list[DeviceValue],
        extremes: list[ast.Call],
    ) -> Kind:
        """What a part of an addend is; its values are gathered. Raises `Refused`."""
        read = next((reads[n] for n in ast.walk(node) if isinstance(n, ast.expr) and n in reads), None)
        if read is None:
            return self._host_kind(node)
        value = device_value(self.context, self.tensors, read)
        if value is not None and value.node is node:
            values.append(value)
            return self._number_kind(value)

        def kinds(parts: Sequence[ast.expr]) -> list[Kind]:
            return [self._kind(part, reads, values, extremes) for part in parts]

        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            found = kinds([node.operand])
            self._check_flags(node, [node.operand], values, found)
            return found[0]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            found = kinds([node.left, node.right])
            self._check_flags(node, [node.left, node.right], values, found)
            return Kind.FLOAT if isinstance(node.op, ast.Div) else max(Kind.INT, *found)
        if (
            isinstance(node, ast.IfExp)
            and is_about_none(node.test)
            and all(_reads(b, reads) for b in (node.body, node.orelse))
        ):
            return max(kinds([node.body, node.orelse]))
        if isinstance(node, ast.Call) and self._is_extreme(node, reads):
            extremes.append(node)
            return max(kinds(node.args))
        if value is None and not isinstance(node, ast.BinOp):
            raise Refused("it is not clear that one number is read, and of what type")
        raise Refused("more is done to what is read than the device could do", node)

    def _check_flags(
        self, node: ast.UnaryOp | ast.BinOp, parts: list[ast.expr], values: list[DeviceValue], kinds: list[Kind]
    ) -> None:
        """Raises `Refused` where the device does not compute with booleans as with 0 and 1.

        The sum of two of them is a boolean there, and none can be subtracted.
        """
        booleans = {value.node for value in values if value.held.kind is Kind.BOOL}
        flags = [p for p, kind in zip(parts, kinds, strict=True) if p in booleans or kind is Kind.BOOL]
        if len(flags) > 1 or (flags and not isinstance(node.op, ast.Add | ast.Mult | ast.Div)):
            raise Refused("computes with booleans, which the device does in another way", node)

    def _is_extreme(self, node: ast.Call, reads: Mapping[ast.expr, HostRead]) -> bool:
        """``max(worst, loss.item())``, of which the second is read."""
        if self.context.resolve(node.func) not in ("builtins.max", "builtins.min") or len(node.args) != 2:
            return False
        return not node.keywords and _reads(node.args[1], reads)

    def _number_kind(self, value: DeviceValue) -> Kind:
        """What the number was: ``float(count)`` is a float."""
        made_by = self.context.resolve(value.node.func) if isinstance(value.node, ast.Call) else None
        known = value.held.kind if value.held.kind is not None else Kind.FLOAT
        return KIND_OF.get(made_by or "", known)

    def _host_kind(self, node: ast.expr) -> Kind:
        held = self.tensors.held(self.context.view.own, node)
        if isinstance(node, ast.Constant) and not isinstance(node.value, int | float):
            raise Refused("it is no number at times", node)
        if any(self.context.roles.role(n) in TENSORS for n in ast.walk(node) if isinstance(n, ast.Name)):
            if held.kind is not Kind.INT:  # `x.size(0)`
                raise Refused("a tensor takes part that is not read", node)
        # A number of unknown type changes no float.
        return held.kind if held.kind is not None else Kind.FLOAT


def _frees_memory(value: DeviceValue) -> bool:
    """Whether whole tensors of floats go to the host as tensors, a batch of vectors each: ``features.cpu()``.

    A loss and a class for each sample are small.
    """
    after = value.reading[-1] if value.reading is not None and not value.deferred else ""
    is_large = value.held.kind in (None, Kind.FLOAT) and (value.held.rank is None or value.held.rank > 1)
    return is_large and _TO_HOST.fullmatch(after) is not None


def _reads(node: ast.expr, reads: Mapping[ast.expr, HostRead]) -> bool:
    return any(n in reads for n in ast.walk(node) if isinstance(n, ast.expr))


def is_about_none(test: ast.expr) -> bool:
    """``x is None``, ``x is not None``."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name) or len(test.ops) != 1:
        return False
    other = test.comparators[0]
    return isinstance(test.ops[0], ast.Is | ast.IsNot) and isinstance(other, ast.Constant) and other.value is None


def own_statements(context: Context, loop: StepLoop, others: Collection[ast.AST]) -> Iterator[ast.stmt]:
    """The statements that run in every step of a loop, also in loops that it has, but for the `others`."""
    module = context.module
    through = context.steps.passes.guards(loop)
    todo: list[ast.AST] = list(reversed(loop.node.body))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.AsyncFor | ast.While):
            continue
        if isinstance(node, ast.For) and node in others:
            continue
        if isinstance(node, ast.stmt):
            if not _is_on_every_pass(module, loop, node, through):
                continue
            yield node
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            todo += reversed(module.children[node])


def _is_on_every_pass(module: Module, loop: StepLoop, statement: ast.stmt, through: Collection[ast.AST]) -> bool:
    """The same for a statement in a loop of its own that every pass makes."""
    around: LoopNode = loop.node
    for parent in module.ancestors(statement):
        if parent is loop.node:
            break
        if isinstance(parent, ast.For):
            around = parent
            break
    if not is_on_every_pass(module, around, statement, through):
        return False
    return around is loop.node or _is_on_every_pass(module, loop, around, through)
