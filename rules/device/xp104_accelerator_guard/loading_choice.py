"""A question whether CUDA is there that chooses where a checkpoint is loaded to."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.role import is_none

from ..._lib.device import cuda

_PARAMETER = "map_location"


def loads_elsewhere(context: Context, question: ast.expr, truth: bool) -> bool:
    """Whether the answer `truth` loads without a place, and the other one to the CPU, however that is written.

    ``torch.load(path) if … else torch.load(path, map_location="cpu")``, ``place = None if … else "cpu"``.
    """
    parent = context.module.parents[question]
    if not isinstance(parent, ast.If | ast.IfExp) or parent.test is not question:
        return False
    if isinstance(parent, ast.IfExp) and _is_place(context, parent):
        taken, other = (parent.body, parent.orelse) if truth else (parent.orelse, parent.body)
        return is_none(taken) and cuda.is_cpu_device(context, other)
    sides = [side if isinstance(side, list) else [side] for side in (parent.body, parent.orelse)]
    if any(len(side) != 1 for side in sides):
        return False
    located = [_locates(context, side[0]) for side in sides]
    return located == [not truth, truth]


def _locates(context: Context, node: ast.AST) -> bool | None:
    """Whether code that loads a checkpoint says where to; None where it loads none."""
    loads = [n for n in ast.walk(node) if isinstance(n, ast.Call) and context.resolve(n.func) == "torch.load"]
    return any(k.arg == _PARAMETER for load in loads for k in load.keywords) if loads else None


def _is_place(context: Context, choice: ast.IfExp) -> bool:
    """Whether a choice is handed to ``map_location``, under a name or as it stands."""
    parent = context.module.parents[choice]
    if not isinstance(parent, ast.Assign) or not isinstance(parent.targets[0], ast.Name):
        return isinstance(parent, ast.keyword) and parent.arg == _PARAMETER
    given = [context.module.parents[use] for use in context.names.uses_of(parent.targets[0])]
    return any(isinstance(user, ast.keyword) and user.arg == _PARAMETER for user in given)
