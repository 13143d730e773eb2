"""What a function computes on the device for its ``return``, behind the barrier of the step that it makes."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.roles import TENSORS, Role


@dataclass(frozen=True)
class LateReturn:
    """A ``return`` directly behind a barrier, and the parts of it that could as well be computed before."""

    barrier: ast.stmt
    statement: ast.Return
    parts: tuple[tuple[str, ast.expr], ...]
    """Expressions, each with a name for what it gives."""


def late_returns(context: Context) -> Iterator[LateReturn]:
    """The returns of the functions that do a step's work."""
    functions: dict[FunctionNode, None] = {}
    for loop in context.loops.all():
        functions.update(dict.fromkeys(context.steps.passes.helpers(loop)))
    functions.update(dict.fromkeys(function for function, _ in context.steps.passes.from_elsewhere()))
    for function in functions:
        for statement in walk_block(function.body):
            if isinstance(statement, ast.Return) and statement.value is not None:
                found = _late(context, statement, statement.value)
                if found is not None:
                    yield found


def _late(context: Context, statement: ast.Return, value: ast.expr) -> LateReturn | None:
    block = context.module.block(statement)
    index = next(i for i, s in enumerate(block) if s is statement)
    barrier = block[index - 1] if index else None
    if not isinstance(barrier, ast.Expr):
        return None
    if not any(call is barrier.value for call in context.loops.effects([barrier]).barriers):
        return None
    parts: list[tuple[str, ast.expr]] = []
    for key, node in _computed(context, "result", value):
        name = _name(context, key, statement, [taken for taken, _ in parts])
        if name is None or not context.editable(node) or context.reads.within([node]):
            return None
        parts.append((name, node))
    if not parts or not _is_plain(context, value):
        return None
    return LateReturn(barrier, statement, tuple(parts))


def _computed(context: Context, key: str, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The largest parts of an expression that are tensors and have to be computed; none of what may be left out."""
    if context.roles.role(node) is Role.TENSOR:
        if isinstance(node, ast.Call | ast.BinOp | ast.UnaryOp | ast.Subscript) and not _is_ready(node):
            yield key, node
        return
    match node:
        case ast.Dict():
            for name, part in zip(node.keys, node.values, strict=True):
                text = name.value if isinstance(name, ast.Constant) else None
                yield from _computed(context, text if isinstance(text, str) else key, part)
        case ast.Tuple() | ast.List():
            for part in node.elts:
                yield from _computed(context, key, part)
        case ast.BinOp():
            yield from _computed(context, key, node.left)
            yield from _computed(context, key, node.right)
        case ast.UnaryOp():
            yield from _computed(context, key, node.operand)
        case ast.Attribute() | ast.Subscript():
            yield from _computed(context, key, node.value)
        case ast.Call():
            if isinstance(node.func, ast.Attribute):
                yield from _computed(context, key, node.func.value)
            for part in node.args:
                yield from _computed(context, key, part)


def _is_ready(node: ast.expr) -> bool:
    """``loss.detach()``."""
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and func.attr == "detach" and isinstance(func.value, ast.Name)


def _is_plain(context: Context, value: ast.expr) -> bool:
    """Whether an expression computes on tensors and reads them, and does nothing that its other parts could tell."""
    for node in ast.walk(value):
        if isinstance(node, ast.Lambda | ast.comprehension | ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            return False
        if isinstance(node, ast.Call) and not _is_known(context, node):
            return False
    return True


def _is_known(context: Context, call: ast.Call) -> bool:
    """A tensor's method, also of what was read, a function of PyTorch, or a number."""
    name = context.resolve(call.func) or ""
    if name.startswith(("torch.", "builtins.")):
        return True
    if not isinstance(call.func, ast.Attribute):
        return False
    is_read = bool(context.reads.within([call.func]))
    return is_read or (context.roles.is_(call.func.value, *TENSORS) and not call.func.attr.endswith("_"))


def _name(context: Context, key: str, node: ast.AST, taken: list[str]) -> str | None:
    """A name that is free at a node."""
    stem = re.sub(r"\W", "_", key)
    stem = "result" if not stem.isidentifier() or keyword.iskeyword(stem) else stem
    names = [f"{stem}{ending}" for ending in ("", "_on_device", "_2", "_3", "_4", "_5")]
    return next((name for name in names if name not in taken and context.names.is_free(name, node)), None)
