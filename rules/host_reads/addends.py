"""What a step adds to a sum or a list: numbers that are read, and what is done to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import Module
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import TENSORS
from xlaport.facts.tensors import Tensors

from .device_values import DeviceValue, device_value
from .tracked import Refused


@dataclass(frozen=True)
class Addend:
    """An expression with host reads, as it could be computed on the device."""

    node: ast.expr
    values: tuple[DeviceValue, ...]
    kind: Kind
    """What the number was."""

    @property
    def is_computed(self) -> bool:
        """Whether more is done to the values than reading them."""
        return not any(value.node is self.node for value in self.values)


class Addends:
    """Finds out what an expression with host reads would be on the device."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tensors = Tensors(context.flow.structure)

    def addend(self, node: ast.expr, reads: Sequence[HostRead]) -> Addend:
        """The expression as an addend. Raises `Refused`."""
        if not all(read.proven for read in reads):
            raise Refused("it may be no tensor that is read")
        values: list[DeviceValue] = []
        kind = self._kind(node, {read.node: read for read in reads}, values)
        return Addend(node, tuple(values), kind)

    def _kind(self, node: ast.expr, reads: Mapping[ast.expr, HostRead], values: list[DeviceValue]) -> Kind:
        """What a part of an addend is; its values are gathered. Raises `Refused`."""
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
        if value is None and not isinstance(node, ast.BinOp):
            raise Refused("it is not clear that one number is read, and of what type")
        raise Refused("more is done to what is read than the device could do", node)

    def _number_kind(self, value: DeviceValue) -> Kind:
        """What the number was: ``float(count)`` is a float."""
        made_by = self.context.resolve(value.node.func) if isinstance(value.node, ast.Call) else None
        assert value.held.kind is not None
        return {"builtins.float": Kind.FLOAT, "builtins.int": Kind.INT}.get(made_by or "", value.held.kind)

    def _host_kind(self, node: ast.expr) -> Kind:
        held = self.tensors.held(self.context.view.own, node)
        if any(self.context.roles.role(n) in TENSORS for n in ast.walk(node) if isinstance(n, ast.Name)):
            if held.kind is not Kind.INT:  # `x.size(0)`
                raise Refused("a tensor takes part that is not read", node)
        # A number of unknown type changes no float.
        return held.kind if held.kind is not None else Kind.FLOAT


def own_statements(module: Module, loop: StepLoop) -> Iterator[ast.stmt]:
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
            todo += reversed(module.children[node])
