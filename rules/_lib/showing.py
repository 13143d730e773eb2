"""Code of a loop that may show, in every n-th pass, what is on the device."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.frequency import is_now_and_then
from xlaport.facts.module import walk_block
from xlaport.facts.roles import Role

_SILENT = (Role.OPTIMIZER, Role.SCHEDULER, Role.SCALER, Role.MODEL, Role.LOADER, Role.DEVICE_LOADER, Role.TENSOR)


def shows_now_and_then(context: Context, statements: list[ast.stmt]) -> bool:
    """Whether an ``if step % n == 0:`` calls what may read: ``progress.display(i)``, whose meters hold tensors."""
    return any(
        _may_show(context, node)
        for statement in walk_block(statements)
        if isinstance(statement, ast.If) and is_now_and_then(statement.test)
        for node in walk_block(statement.body)
    )


def _may_show(context: Context, node: ast.AST) -> bool:
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    call = node.value
    called = context.resolve(call.func) or ""
    if called.startswith(("torch.", "torch_xla.", "builtins.")):
        return called == "builtins.print" and any(isinstance(n, ast.Attribute) for a in call.args for n in ast.walk(a))
    return not (isinstance(call.func, ast.Attribute) and context.roles.is_(call.func.value, *_SILENT))
