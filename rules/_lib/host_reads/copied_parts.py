"""What a method looks at that is a part of its own object: where that is a copy, nobody changes it meanwhile."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.roles import Role

_BOUND = (How.ASSIGN, How.UNPACK, How.FOR, How.AUGMENT)


class CopiedParts:
    """Questions about the expressions of one method."""

    def __init__(self, context: Context, method: FunctionNode) -> None:
        self.context = context
        arguments = [*method.args.posonlyargs, *method.args.args]
        self.itself = arguments[0].arg if arguments and context.names.scope_of(method) is not None else None
        self.method = method
        self.known: dict[str, bool] = {}

    def is_part(self, node: ast.expr) -> bool:
        """Whether an expression is the object, or is found in it: ``meter.value`` of ``for meter in self.meters``."""
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        return isinstance(node, ast.Name) and self._is_own(node)

    def is_given(self, node: ast.AST) -> bool:
        """Whether what an expression hands to a method, or a method to look at, are parts, numbers and texts."""
        return all(self._is_known(name) for name in ast.walk(node) if isinstance(name, ast.Name))

    def _is_known(self, name: ast.Name) -> bool:
        if self.context.resolve(name) is not None or self.context.roles.is_(name, Role.NUMBER, Role.TEXT):
            return True
        return self._is_own(name)

    def _is_own(self, name: ast.Name) -> bool:
        if name.id not in self.known:
            self.known[name.id] = True  # what is made of itself is what it began with
            bindings = self.context.names.bindings(name)
            self.known[name.id] = bool(bindings) and all(
                b.node in self._first()
                if b.how is How.PARAMETER
                else b.how in _BOUND and self._is_made_of_parts(b.value)
                for b in bindings
            )
        return self.known[name.id]

    def _first(self) -> list[ast.arg]:
        return [*self.method.args.posonlyargs, *self.method.args.args][:1]

    def _is_made_of_parts(self, value: ast.expr | None) -> bool:
        return value is not None and self.is_given(value)
