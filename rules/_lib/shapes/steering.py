"""Numbers that a branch chooses, and that the host goes by afterwards: bounds of a search, ends of slices, counts."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.role import TENSORS

from ..series import series
from .saying import say

_OF_HOST = frozenset({"builtins.range", "builtins.round", "builtins.int", "math.floor", "math.ceil"})
"""Functions of the host that ask a tensor for its value: a choice of the device would only move the waiting there."""


def steered(context: Context, node: ast.If) -> str | None:
    """What to do about a branch that does nothing but choose numbers by which the host goes; None for others."""
    names = _chosen_numbers(context, node)
    if not names or not any(_steers(context, use) for use in _uses(context, node, names)):
        return None
    return say.phrase("steered", names=series(f"`{name}`" for name in names))


def _steers(context: Context, use: ast.Name) -> bool:
    """Whether the host asks for a number: a condition of a loop, a function of the host, the bound of a slice."""
    parents = list(context.module.ancestors(use))
    for child, parent in zip([use, *parents], parents, strict=False):
        if isinstance(parent, ast.While) and child is parent.test:
            return True
        if isinstance(parent, ast.Call):
            # A tensor is what other functions get, and the host asks for what they give, not for this.
            return child is not parent.func and context.resolve(parent.func) in _OF_HOST
        if isinstance(parent, ast.Slice) and child in (parent.lower, parent.upper):
            return isinstance(context.module.parents[parent], ast.Subscript)
        if isinstance(parent, ast.stmt | ast.Subscript):
            return False
    return False


def _chosen_numbers(context: Context, node: ast.If) -> list[str] | None:
    """The names that the sides of a branch give numbers of Python; None where they do anything else."""
    found: dict[str, None] = {}
    for statement in walk_block([*node.body, *node.orelse]):
        if not isinstance(statement, ast.stmt):
            continue
        if isinstance(statement, ast.If | ast.Pass):
            continue
        if not isinstance(statement, ast.Assign | ast.AugAssign):
            return None
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if len(targets) != 1 or not isinstance(targets[0], ast.Name) or context.roles.is_(statement.value, *TENSORS):
            return None
        found.setdefault(targets[0].id)
    return list(found)


def _uses(context: Context, node: ast.If, names: list[str]) -> list[ast.Name]:
    """The reads of names that may have the value that the branch gave them."""
    inside = walk_block([*node.body, *node.orelse])
    bound = [n for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id in names]
    return [use for target in bound for use in context.names.uses_of(target)]
