"""Optimizers and moves of models of which XP203 has one change its place."""

from __future__ import annotations

import ast

from xlaport.context import Context

from .optimizers import built, sources
from .reordering import edits, pair_of, wraps


def will_move(context: Context, move: ast.stmt) -> bool:
    """Whether an optimizer stands above a move of its model, and one of the two changes its place in this round."""
    if "XP203" not in context.codes:
        return False
    for optimizer in built(context):
        for model, at in sources(context, optimizer).items():
            pair = pair_of(context, optimizer, model, at)
            is_it = pair is not None and (pair.move is move or move in ast.walk(pair.move))
            if pair is not None and is_it and not wraps(context, pair) and edits(context, pair):
                return True
    return False
