"""Modules of the project that work on each row, the last dimension, by itself: heads of language models."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.role import Role
from xlaport.facts.structure import Function

from . import elements
from .operation import called

_ELEMENTWISE = elements.LINEAR | elements.KEEPS_ZERO | elements.FINITE_AT_ZERO
_SIMPLE = (ast.Assign, ast.Return, ast.Expr, ast.Assert)
_MAX_DEPTH = 6


def works_on_rows(context: Context, call: ast.Call, depth: int = 0) -> bool:
    """Whether a call runs a `forward()` of the project that works on each row of its one argument by itself."""
    structure = context.flow.structure
    if len(call.args) != 1 or call.keywords or depth > _MAX_DEPTH:
        return False
    owner = structure.instance_of(context.view.own, call.func)
    forward = structure.method(owner, "forward") if owner is not None else None
    if owner is None or forward is None or not structure.is_module(owner):
        return False
    return _Rows(context.of(forward.facts), forward, depth).kept()


class _Rows:
    def __init__(self, context: Context, function: Function, depth: int) -> None:
        self.context = context
        self.function: FunctionNode = function.node
        self.depth = depth

    def kept(self) -> bool:
        given = self.function.args
        if len(given.args) != 2 or given.vararg or given.kwarg or given.kwonlyargs:
            return False
        if not all(isinstance(statement, _SIMPLE) for statement in self.function.body):
            return False
        returned = self.context.module.returns(self.function)
        return bool(returned) and all(n.value is not None and self._is_row(n.value, 0) for n in returned)

    def _is_row(self, node: ast.expr, depth: int) -> bool:
        """Whether each row of a value is made of the same row of the argument, and is finite if that is."""
        if depth > _MAX_DEPTH * 4:
            return False
        if isinstance(node, ast.Name):
            found = self.context.names.reaching(node)
            if len(found) != 1:
                return False
            if found[0].how is How.PARAMETER:
                return node.id == self.function.args.args[1].arg
            value = found[0].value
            return found[0].how is How.ASSIGN and value is not None and self._is_row(value, depth + 1)
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node, depth + 1)
        return isinstance(node, ast.Call) and self._call(node, depth + 1)

    def _arithmetic(self, node: ast.BinOp, depth: int) -> bool:
        if isinstance(node.op, ast.MatMult):
            return self._is_row(node.left, depth) and self._is_own(node.right)
        if not isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            return False
        sides = [self._is_row(side, depth) for side in (node.left, node.right)]
        others = [side for side, row in zip((node.left, node.right), sides, strict=True) if not row]
        return any(sides) and all(self._is_own(o) or self._is_number(o) for o in others)

    def _call(self, node: ast.Call, depth: int) -> bool:
        if works_on_rows(self.context, node, self.depth + 1):
            return self._is_row(node.args[0], depth)
        call = called(self.context, node)
        if call is None or not call.operands or not self._is_row(call.operands[0], depth):
            return False
        others = [*call.operands[1:], *call.keywords.values()]
        if any(self._is_row(o, depth) for o in others):
            return False
        name = self.context.resolve(node.func)
        if call.name in elements.ROWWISE_MODULES or name in elements.ROWWISE_FUNCTIONS:
            return True
        return call.module is None and call.name in _ELEMENTWISE and all(self._is_number(o) for o in others)

    def _is_own(self, node: ast.expr) -> bool:
        """``self.bias``, ``self.weight.t()``."""
        while isinstance(node, ast.Call | ast.Attribute):
            node = node.func if isinstance(node, ast.Call) else node.value
        return isinstance(node, ast.Name) and node.id == self.function.args.args[0].arg

    def _is_number(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) or self.context.roles.is_(node, Role.NUMBER)
