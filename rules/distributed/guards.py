"""Work that one process alone would do: the others wait for it in the next collective, and so does a whole pod."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.roles import Role

from . import names

_RANK = re.compile(r"(^|_)(rank|gpu_id|gpu|is_main|is_master|main_process|master_process|is_main_process)$")
_DEEP = 4


def alone(context: Context) -> tuple[ast.If, Context, ast.AST] | None:
    """A condition on the rank, and the work on the device under it."""
    for node in context.module.nodes:
        if isinstance(node, ast.If) and any(_says_rank(context, n) for n in ast.walk(node.test)):
            for block in (node.body, node.orelse):
                found = _work(context, block, frozenset(), 0)
                if found is not None:
                    return node, *found
    return None


def _says_rank(context: Context, node: ast.AST) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return _RANK.search(name.lower()) is not None or (
        isinstance(node, ast.Call) and context.resolve(node.func) == "torch.distributed.get_rank"
    )


def _work(
    context: Context, block: list[ast.stmt], seen: frozenset[ast.AST], depth: int
) -> tuple[Context, ast.AST] | None:
    for node in walk_block(block):
        if not isinstance(node, ast.Call):
            continue
        if _is_work(context, node):
            return context, node
        called = context.flow.structure.run_by(context.view.own, node) if depth < _DEEP else None
        if called is not None and called.node not in seen:
            found = _work(context.of(called.facts), called.node.body, seen | {called.node}, depth + 1)
            if found is not None:
                return found
    return None


def _is_work(context: Context, call: ast.Call) -> bool:
    """A run of a model, a backward pass, a step of an optimizer, a collective."""
    name = context.resolve(call.func) or ""
    if (
        name in names.COLLECTIVES
        or name == names.BARRIER
        or name in context.target.barriers
        or name in context.target.stepping
    ):
        return True
    if context.roles.role(call.func) is Role.MODEL:
        return True
    if not isinstance(call.func, ast.Attribute):
        return False
    return call.func.attr == "backward" or (
        call.func.attr == "step" and context.roles.role(call.func.value) in (Role.OPTIMIZER, Role.SCALER)
    )
