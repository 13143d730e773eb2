"""Conditions as they are written for the device: `&` for `and`, no reads, and a tensor of truth values in the end."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.roles import Role

from ..one_line import one_line

_READING = frozenset({"item", "cpu", "numpy", "tolist"})
_CASTS = frozenset({"builtins.bool", "builtins.float", "builtins.int"})
_NUMBERS = (Kind.INT, Kind.FLOAT)
_ASKING = {f"{package}.{name}": name for package in ("math", "numpy") for name in ("isnan", "isinf", "isfinite")}


def on_device(context: Context, test: ast.expr) -> str | None:
    """A condition as a tensor of one truth value, as text; None where a part of it is no tensor.

    What the host knows beside it, as `mask is not None and …` does, is left out: `of_host` tells it.
    """
    asked, _ = _asked(context, test)
    found = _Translation(context).translated(asked) if asked is not None else None
    if found is None or any(isinstance(n, ast.Attribute) and n.attr in _READING for n in ast.walk(found)):
        return None  # a function that gets what was read gives nothing of the device
    return ast.unparse(found)


def of_host(context: Context, test: ast.expr) -> str | None:
    """What a condition asks the host beside a tensor, as text: ``self.training`` of ``self.training and x.any()``."""
    asked, known = _asked(context, test)
    texts = [one_line(context, value) for value in known]
    parts = [
        f"({text})" if isinstance(v, ast.BoolOp | ast.IfExp) else text for v, text in zip(known, texts, strict=True)
    ]
    return " and ".join(parts) if parts and asked is not None else None


def _asked(context: Context, test: ast.expr) -> tuple[ast.expr | None, list[ast.expr]]:
    """The part of a condition that asks the device, and what the host knows beside it."""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return test, []
    translation = _Translation(context)
    asked = [value for value in test.values if translation.is_read(value)]
    known = [value for value in test.values if value not in asked]
    if len(asked) < 2:
        return next(iter(asked), None), known
    return ast.BoolOp(test.op, asked), known


def unread(context: Context, node: ast.expr) -> str:
    """A number that is computed from what is read from the device, as text of the tensor that it would be there."""
    text = one_line(context, node)
    names = {part.id: context.names.assigned(part) for part in ast.walk(node) if isinstance(part, ast.Name)}
    read = {name: value for name, value in names.items() if value is not None and context.reads.of_expression(value)}
    found = _Unread(read).visit(copy.deepcopy(node))
    return text if ast.dump(found) == ast.dump(node) else ast.unparse(found)


class _Unread(ast.NodeTransformer):
    """Takes ``int(x)``, ``float(x)`` and ``x.item()`` away, and puts what names have `read` in their places."""

    def __init__(self, read: Mapping[str, ast.expr]) -> None:
        self.read = read

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.read.get(node.id)
        unread: ast.AST = _Unread({}).visit(copy.deepcopy(value)) if value is not None else node
        return unread

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr == "item" and not node.args:
            return func.value
        if isinstance(func, ast.Name) and func.id in ("int", "float") and len(node.args) == 1:
            return node.args[0]
        return node


class _Translation:
    def __init__(self, context: Context) -> None:
        self.context = context

    def translated(self, node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.BoolOp):
            parts = [self.translated(value) for value in node.values]
            if isinstance(node.op, ast.Or) and any(part is not None for part in parts):
                parts = [part or self._where_asked(value) for part, value in zip(parts, node.values, strict=True)]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                return None
            operator: ast.operator = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
            joined = known[0]
            for part in known[1:]:
                joined = ast.BinOp(joined, operator, part)
            return joined
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.translated(node.operand)
            return ast.UnaryOp(ast.Invert(), inner) if inner is not None else None
        found = self._without_reads(node) if self.is_read(node) else None
        return (
            ast.Compare(found, [ast.NotEq()], [ast.Constant(0)])
            if found is not None and self._is_number(node)
            else found
        )

    def _is_number(self, node: ast.expr) -> bool:
        """Whether a condition is a number, which is none for ``torch.where()`` nor for ``~``."""
        asked = node
        while isinstance(asked, ast.Call) and len(asked.args) < 2:
            if isinstance(asked.func, ast.Attribute) and asked.func.attr in _READING and not asked.args:
                asked = asked.func.value
            elif self.context.resolve(asked.func) in _CASTS and asked.args:
                asked = asked.args[0]
            else:
                break
        return self.context.tensors.held(self.context.view.own, asked).kind in _NUMBERS

    def _where_asked(self, node: ast.expr) -> ast.expr | None:
        """``last > p if p is not None else False`` of ``p is not None and last > p``, as one side of an `or`."""
        asked, known = _asked(self.context, node)
        found = self.translated(asked) if asked is not None and known else None
        if found is None:
            return None
        condition = known[0] if len(known) == 1 else ast.BoolOp(ast.And(), known)
        return ast.IfExp(copy.deepcopy(condition), found, ast.Constant(False))

    def is_read(self, node: ast.expr) -> bool:
        """Whether a condition asks the device."""
        if isinstance(node, ast.Compare):
            return not isinstance(node.ops[0], ast.Is | ast.IsNot) and any(
                self.is_read(side) for side in [node.left, *node.comparators]
            )
        if isinstance(node, ast.BinOp):
            return self.is_read(node.left) or self.is_read(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.is_read(node.operand)
        if isinstance(node, ast.BoolOp):
            return any(self.is_read(value) for value in node.values)
        return self.context.roles.is_(node, Role.TENSOR) or bool(self.context.reads.of_expression(node))

    def _without_reads(self, node: ast.expr) -> ast.expr | None:
        """The value that is read, on the device."""
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            return self._among(node)
        if isinstance(node, ast.Compare):
            parts = [self._without_reads(part) for part in [node.left, *node.comparators]]
            left, *others = [part for part in parts if part is not None]
            return ast.Compare(left, node.ops, others) if len(others) == len(node.comparators) else None
        if isinstance(node, ast.BinOp):
            sides = self._without_reads(node.left), self._without_reads(node.right)
            return ast.BinOp(sides[0], node.op, sides[1]) if sides[0] is not None and sides[1] is not None else None
        if not isinstance(node, ast.Call):
            return copy.deepcopy(node)
        name = self.context.resolve(node.func) or ""
        if isinstance(node.func, ast.Attribute) and node.func.attr in _READING and not node.args:
            return self._without_reads(node.func.value)
        if name in _CASTS and len(node.args) == 1:
            return self._without_reads(node.args[0])
        if name in _ASKING and node.args:
            inner = self._without_reads(node.args[0])
            return _call(ast.Attribute(ast.Name("torch"), _ASKING[name]), inner) if inner is not None else None
        operands = list(node.args)
        compared = name.removeprefix("torch.") if name.startswith("torch.") else ""
        if not name and isinstance(node.func, ast.Attribute):
            compared, operands = node.func.attr, [node.func.value, *operands]
        if compared == "equal" and len(operands) == 2:
            return _call(ast.Attribute(ast.Compare(operands[0], [ast.Eq()], [operands[1]]), "all"))
        if compared == "allclose" and len(operands) >= 2:
            close = ast.Call(ast.Attribute(ast.Name("torch"), "isclose"), operands, node.keywords)
            return _call(ast.Attribute(close, "all"))
        return copy.deepcopy(node)

    def _among(self, node: ast.Compare) -> ast.expr | None:
        """``token in (1, 2)``, which asks for one after the other, at once."""
        left, listed = self._without_reads(node.left), node.comparators[0]
        if left is None or len(node.ops) > 1 or self.is_read(listed):
            return None
        device = ast.keyword("device", ast.Attribute(left, "device"))
        ids = ast.Call(ast.Attribute(ast.Name("torch"), "tensor"), [copy.deepcopy(listed)], [device])
        found = _call(ast.Attribute(_call(ast.Attribute(ast.Name("torch"), "isin"), left, ids), "any"))
        return found if isinstance(node.ops[0], ast.In) else ast.UnaryOp(ast.Invert(), found)


def _call(func: ast.expr, *given: ast.expr) -> ast.Call:
    return ast.Call(func, list(given), [])


def negated(text: str) -> str:
    """The opposite of a condition on the device."""
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        return ast.unparse(node.operand)
    return ast.unparse(ast.UnaryOp(ast.Invert(), node))
