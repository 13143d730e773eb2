"""Branches between whose sides `torch.where()` cannot choose, and those whose numbers the host has anyway."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.in_place import changes
from xlaport.facts.module import last_name, walk_block
from xlaport.facts.role import TENSORS, Role

from ..series import series
from .decisions import Decision
from .fetched import loop_to_leave
from .from_host import made_of_numbers
from .saying import say

_JOINING = frozenset("cat concat concatenate hstack vstack pad".split())
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


def kept_branch(context: Context, decision: Decision) -> str | None:
    """What to do where a side counts a number of Python, or gives a tensor another size; None for others."""
    node = decision.node
    if not isinstance(node, ast.If):
        return None
    tensor = _base(decision.read.tensor)
    loop = loop_to_leave(context, tensor) if isinstance(tensor, ast.Name) else None
    counted = _counted(context, node) if loop is not None else None
    resized = _resized(context, node)
    if counted is None and resized is None:
        return None
    if loop is not None and isinstance(tensor, ast.Name):
        return say.phrase("read_before_loop", name=tensor.id, line=context.line(loop))
    return say.phrase("larger_size", name=resized)


def _counted(context: Context, node: ast.If) -> str | None:
    """A name that a side counts on, as a number of Python, and that is read after the branch, or in its next pass."""
    inside = list(walk_block([*node.body, *node.orelse]))
    for statement in inside:
        target = statement.target if isinstance(statement, ast.AugAssign) else None
        if not isinstance(target, ast.Name) or not context.roles.is_(target, Role.NUMBER):
            continue
        if any(use not in inside for use in context.names.uses_of(target)):
            return target.id
    return None


def _resized(context: Context, node: ast.If) -> str | None:
    """A name that one side joins something to, ``x = torch.cat([x, more])``, and the other leaves as it is."""
    sides = [{name for name, _ in _assigned(side)} for side in (node.body, node.orelse)]
    for side, others in ((node.body, sides[1]), (node.orelse, sides[0])):
        for name, value in _assigned(side):
            joins = isinstance(value, ast.Call) and (context.resolve(value.func) or "").rpartition(".")[2] in _JOINING
            own = any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value))
            if joins and own and name not in others:
                return name
    return None


def _assigned(side: list[ast.stmt]) -> list[tuple[str, ast.expr]]:
    return [
        (s.targets[0].id, s.value) for s in side if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)
    ]


def _base(node: ast.expr) -> ast.expr:
    """``x`` of ``x[i][0] == n``."""
    while isinstance(node, ast.Subscript | ast.Compare):
        node = node.value if isinstance(node, ast.Subscript) else node.left
    return node


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
