"""Branches whose numbers the host has anyway."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.in_place import changes
from xlaport.facts.module import last_name
from xlaport.facts.role import TENSORS

from ..series import series
from .decisions import Decision
from .from_host import made_of_numbers
from .saying import say

_RECEIVING = frozenset("all_reduce broadcast reduce scatter recv irecv".split())
"""Functions of `torch.distributed` that write to the tensor that they get."""


def asked_on_host(context: Context, decision: Decision) -> str | None:
    """What to do where the tensors of a question are made of numbers that the host has; None for others."""
    parts = [n for n in ast.walk(decision.asked) if isinstance(n, ast.Name | ast.Attribute)]
    tensors = [n for n in parts if context.roles.is_(n, *TENSORS)]
    made = [made_of_numbers(context, tensor) for tensor in tensors]
    calls = dict.fromkeys(call for call in made if call is not None)
    if not made or None in made or any(_is_written(context, n) for n in tensors if isinstance(n, ast.Name)):
        return None
    lines = series(dict.fromkeys(context.line(call) for call in calls))
    given = dict.fromkeys(" ".join(context.module.segment(c.args[0]).strip("[]").split()) for c in calls)
    return say.phrase("asked_on_host", given=series(f"`{text}`" for text in given), lines=lines)


def _is_written(context: Context, tensor: ast.Name) -> bool:
    """Whether something else than what made it may stand in a tensor."""
    home = context.names.home(tensor)
    return any(
        changes(context.view.own, use) or _receives(context, use)
        for use in (context.names.uses(home, tensor.id) if home is not None else ())
    )


def _receives(context: Context, use: ast.Name) -> bool:
    call = context.module.parents[use]
    return isinstance(call, ast.Call) and use in call.args and last_name(call.func) in _RECEIVING
