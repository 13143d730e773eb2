"""Calls of operations on tensors, as functions, methods and modules."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.analysis.events import objects_of
from xlaport.analysis.value import UNKNOWN
from xlaport.context import Context
from xlaport.facts.role import Role


@dataclass(frozen=True)
class Call:
    """A call of an operation on tensors, as a function, a method or a module."""

    name: str
    operands: tuple[ast.expr, ...]
    keywords: dict[str, ast.expr]
    module: ast.Call | None
    """What made the module that is called."""


def called(context: Context, node: ast.Call) -> Call | None:
    """The operation that a call runs: ``mse_loss`` of ``F.mse_loss(…)`` and of ``criterion(…)``."""
    if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return None
    keywords = {k.arg: k.value for k in node.keywords if k.arg is not None}
    name = context.resolve(node.func)
    if name is not None:
        if name.startswith("torch."):
            return Call(name.rpartition(".")[2], tuple(node.args), keywords, None)
        return None
    made = _module(context, node.func)
    if made is not None:
        return Call(context.resolve(made.func) or "", tuple(node.args), keywords, made)
    if isinstance(node.func, ast.Attribute) and not context.roles.is_(node.func.value, Role.MODEL):
        return Call(node.func.attr, (node.func.value, *node.args), keywords, None)
    return None


def _module(context: Context, func: ast.expr) -> ast.Call | None:
    """What makes the one module of torch's that is called."""
    own, structure = context.view.own, context.flow.structure
    made = [structure.made_there(own, site) for site in objects_of(structure.value(own, func) or UNKNOWN)]
    if len(made) != 1 or made[0] is None:
        return None
    name = context.of(made[0].facts).resolve(made[0].node.func) or ""
    return made[0].node if name.startswith("torch.nn.") else None
