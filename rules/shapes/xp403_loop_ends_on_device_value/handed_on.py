"""What the passes of a loop hand on, and whether `torch.where()` can keep that as it is once the loop is done."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.module import LoopNode, walk_block
from xlaport.facts.role import Role

from ..._lib.shapes.fixed_form import carried


def handed_on(context: Context, loop: LoopNode) -> list[str]:
    """The names of the tensors that a pass makes, and that the next one, or what is behind the loop, reads."""
    return list(dict.fromkeys(_handed_on(context, loop)))


def _handed_on(context: Context, loop: LoopNode) -> Iterator[str]:
    inside = set(ast.walk(loop))
    for node in ast.walk(loop):
        if not isinstance(node, ast.Name) or isinstance(node.ctx, ast.Load):
            continue
        tensors = [use for use in context.names.uses_of(node) if context.roles.is_(use, Role.TENSOR)]
        if any(use not in inside or _is_of_last_pass(context, use, node) for use in tensors):
            yield node.id


def _is_of_last_pass(context: Context, use: ast.Name, target: ast.Name) -> bool:
    """Whether a use gets what the pass before made: it stands in front of what binds it, or in the same statement."""
    is_before = (use.lineno, use.col_offset) < (target.lineno, target.col_offset)
    return is_before or context.module.statement(use) is context.module.statement(target)


def one_kept(context: Context, loop: LoopNode, test: ast.expr) -> str | None:
    """The tensor that a loop hands on, where that is one: with several, each has to be kept, and none is named."""
    name = carried(context, loop, test)
    if name is None or _grows(context, loop, name):
        return None
    others = [other for other in handed_on(context, loop) if other != name and not _is_flag(context, loop, other)]
    return name if all(_grows(context, loop, other) for other in others) else None


def _is_flag(context: Context, loop: LoopNode, name: str) -> bool:
    """Whether a pass makes truth values by a name, as what remembers that something is done."""
    made = [s.value for s in walk_block(loop.body) if isinstance(s, ast.Assign) and _binds(s, name)]
    return bool(made) and all(
        context.tensors.held(context.view.own, value).kind is Kind.BOOL
        or (isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr | ast.BitAnd))
        for value in made
    )


def _binds(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for target in statement.targets for n in ast.walk(target))


def _grows(context: Context, loop: LoopNode, name: str) -> bool:
    """Whether a name stands for a tensor that is longer in each pass: ``x = torch.cat([x, y])``."""
    return any(
        isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)
        and isinstance(statement.value, ast.Call)
        and (context.resolve(statement.value.func) or "").rpartition(".")[2] in ("cat", "concat", "stack", "pad")
        for statement in ast.walk(loop)
    )
