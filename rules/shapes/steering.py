"""Numbers that a branch chooses, and that the host goes by afterwards: bounds of a search, ends of slices, counts."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.role import TENSORS

from ..one_line import one_line
from ..series import series

_OF_HOST = frozenset({"builtins.range", "builtins.round", "builtins.int", "math.floor", "math.ceil"})
"""Functions of the host that ask a tensor for its value: a choice of the device would only move the waiting there."""


def steered(context: Context, node: ast.If) -> str | None:
    """What to do about a branch that does nothing but choose numbers by which the host goes; None for others."""
    names = _chosen_numbers(context, node)
    if not names:
        return None
    loop: ast.While | None = None
    part: ast.Subscript | None = None
    functions: dict[str, None] = {}
    for use in _uses(context, node, names):
        parents = list(context.module.ancestors(use))
        for child, parent in zip([use, *parents], parents, strict=False):
            if isinstance(parent, ast.While) and child is parent.test:
                loop = loop or parent
            elif isinstance(parent, ast.Call):
                # A tensor is what other functions get, and the host asks for what they give, not for this.
                if child is not parent.func and (name := context.resolve(parent.func)) in _OF_HOST:
                    functions.setdefault(f"{name.rpartition('.')[2]}()")
                break
            elif isinstance(parent, ast.Slice) and child in (parent.lower, parent.upper):
                holder = context.module.parents[parent]
                part = part or (holder if isinstance(holder, ast.Subscript) else None)
            if isinstance(parent, ast.stmt | ast.Subscript):
                break
    if loop is None and part is None and not functions:
        return None
    return _advice(context, names, loop, part, list(functions))


def _advice(
    context: Context, names: list[str], loop: ast.While | None, part: ast.Subscript | None, functions: list[str]
) -> str:
    one = len(names) == 1
    kept = f"{names[0]} as a tensor" if one else f"{series(names)} as tensors"
    asking = [
        *([f"the condition of the loop in line {context.line(loop)}"] if loop is not None else []),
        *functions,
        *([one_line(context, part)] if part is not None else []),
    ]
    asked = f"{series(asking)} ask{'s' if len(asking) == 1 else ''}"
    todo = [f"choose {'it' if one else 'them'} by torch.where()"]
    if loop is not None or "range()" in functions:
        todo.append("run a fixed number of passes, as many as there can be, and keep what is done as it is")
    rounding = [name for name in functions if name != "range()"]
    if rounding:
        todo.append(f"round by torch's own functions, not by {' or '.join(rounding)}")
    if part is not None:
        todo.append("compare places with it, and mask, in place of the slice")
    otherwise = (
        "Where that is too much, fetch what the loop reads once, before it, by .cpu(), and run the loop on the host"
        if loop is not None
        else "Where only the host can do it, read what it needs at once, behind the step's barrier"
    )
    return (
        f"keep {kept} on the device all the way, since with torch.where() here alone {asked} the device for "
        f"the value in its place: {', '.join(todo)}. {otherwise}"
    )


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
    inside = set(walk_block([*node.body, *node.orelse]))
    bound = [n for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id in names]
    found: list[ast.Name] = []
    for target in {n.id: n for n in bound}.values():
        home = context.names.home(target)
        for use in context.names.uses(home, target.id) if home is not None else ():
            if any(b.node in bound for b in context.names.reaching(use)):
                found.append(use)
    return sorted(found, key=lambda use: (use.lineno, use.col_offset))
