"""The variables of torchrun in a job: its addresses, ranks and counts."""

from __future__ import annotations

import ast

from xlaport.rule import Replace

from ..removal import removal
from . import names
from .part import Part, condition_of
from .ways import Way


def variable(part: Part, node: ast.expr, name: str, default: ast.expr | None) -> None:
    """What becomes of the place that reads, sets or looks for a variable."""
    if name in names.ADDRESSES:
        _address(part, node, name)
        return
    part.reads_ranks.append(node)
    if part.way is Way.LAUNCH:
        _asked_for(part, node, name, default)
    elif part.way is Way.SPAWN and condition_of(part.context, node) is None:
        part.obstacles.append((node, "reads a variable of torchrun, in a program that starts its processes"))


def _address(part: Part, node: ast.expr, name: str) -> None:
    context = part.context
    parent = context.module.parents[node]
    if part.way is Way.TORCHRUN:
        return  # torchrun sets it, and the group of XLA reads it
    if (isinstance(parent, ast.Assign) and parent.targets == [node]) or isinstance(parent, ast.Expr):
        part.edits.append(removal(context, context.module.statement(node)))
    else:
        part.obstacles.append((node, f"uses {name} for something else than to set it"))


def _asked_for(part: Part, node: ast.expr, name: str, default: ast.expr | None) -> None:
    context = part.context
    parent = context.module.parents[node]
    meaning, single = names.RANKS.get(name, (None, 0))
    is_number = isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.int"
    if meaning is None or not is_number or isinstance(node, ast.Compare) or not context.editable(node):
        part.obstacles.append((node, f"asks for {name} in a way that is not understood"))
    elif default is not None and not (isinstance(default, ast.Constant) and str(default.value) == str(single)):
        part.obstacles.append((node, f"runs without the other processes where {name} is not set"))
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        part.obstacles.append((node, f"sets {name}"))
    else:
        part.edits.append(Replace(context.span(parent), f"{part.asks(meaning, node)}()"))
