"""Statements that log: ``print(…)``, ``logger.info(…)``, ``writer.add_scalar(…)``, ``wandb.log(…)``."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.names import How

_LEVELS = ("debug", "info", "warning", "error", "critical", "log")
_FUNCTIONS = frozenset({"builtins.print", "wandb.log", *(f"logging.{level}" for level in _LEVELS)})
_LOGGERS = frozenset({"logging.getLogger", "logging.Logger"})
_WRITERS = frozenset(
    {
        "torch.utils.tensorboard.SummaryWriter", "torch.utils.tensorboard.writer.SummaryWriter",
        "tensorboardX.SummaryWriter",
    }
)  # fmt: skip
_WRITER_METHODS = ("add_scalar", "add_scalars")


def logged(context: Context, statement: ast.stmt) -> ast.Call | None:
    """The call, if the statement does nothing but log."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return None
    call = statement.value
    if context.resolve(call.func) in _FUNCTIONS:
        return call
    func = call.func
    if not isinstance(func, ast.Attribute):
        return None
    if func.attr in _LEVELS and _is_made_by(context, func.value, _LOGGERS):
        return call
    return call if func.attr in _WRITER_METHODS and _is_made_by(context, func.value, _WRITERS) else None


def _is_made_by(context: Context, node: ast.expr, makers: frozenset[str]) -> bool:
    """Whether a name, or an attribute of ``self``, is only ever bound to what one of these calls gives."""
    values: list[ast.expr | None] = []
    if isinstance(node, ast.Name):
        values = [b.value if b.how is How.ASSIGN else None for b in context.names.bindings(node)]
    elif isinstance(node, ast.Attribute):
        owner = context.roles.instance_class(node.value)
        values = context.roles.classes.attribute_values(owner, node.attr) if owner is not None else []
    return bool(values) and all(isinstance(v, ast.Call) and context.resolve(v.func) in makers for v in values)
