"""Statements that tie two parameters of an object from outside, and the move that undoes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.roles import dotted

from ..._lib.elsewhere import line_of
from ..._lib.step import replaced
from ..._lib.step.instances import instance_of
from ..._lib.step.moved_objects import Moved
from ..._lib.step.moves import moves
from ..._lib.step.ties import Ties, looks_like_tie


@dataclass(frozen=True)
class OutsideTie:
    """``model.decoder.weight = model.encoder.weight``, or ``model.tie_weights()``."""

    statement: ast.stmt
    """The tie, or the ``if`` around it that holds nothing else."""
    root: str
    """What both parameters belong to."""
    says: str
    """The statement itself, on one line."""


def outside_ties(context: Context, ties: Ties) -> Iterator[OutsideTie]:
    """The ties of a file that are no part of the making of an object."""
    for node in context.module.of_type(ast.Assign, ast.Expr):
        root = _root(context, ties, node)
        if root is None:
            continue
        says = context.module.segment(node)
        yield OutsideTie(_around(context, node), root, says if "\n" not in says else ast.unparse(node))


def _root(context: Context, ties: Ties, statement: ast.Assign | ast.Expr) -> str | None:
    if isinstance(statement, ast.Assign):
        if not looks_like_tie(statement):
            return None
        root = _common(dotted(statement.targets[0]) or "", dotted(statement.value) or "")
        first: ast.expr = statement.value
    else:
        call = statement.value
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.args or call.keywords:
            return None
        first = call.func.value
        root = dotted(first)
        found = instance_of(context, context.view.own, first) if root is not None else None
        method = ties.structure.method(found.owner, call.func.attr) if found is not None else None
        if found is None or method is None or not ties.only_ties(method) or not method.node.body:
            return None
        if any(tie.method == call.func.attr for tie in ties.of(found.owner, found.made)):
            return None  # its making does it, too
    while isinstance(first, ast.Attribute):
        first = first.value
    owner = context.names.self_class(first) if isinstance(first, ast.Name) else None
    if owner is not None and (context.roles.is_module_class(owner) or root == getattr(first, "id", None)):
        return None
    return root


def _common(one: str, other: str) -> str | None:
    """``model`` of ``model.a.weight`` and ``model.b.weight``."""
    parts: list[str] = []
    for left, right in zip(one.split(".")[:-1], other.split(".")[:-1], strict=False):
        if left != right:
            break
        parts.append(left)
    return ".".join(parts) or None


def _around(context: Context, statement: ast.stmt) -> ast.stmt:
    parent = context.module.parents[statement]
    if (
        isinstance(parent, ast.If)
        and not parent.orelse
        and all(looks_like_tie(s) for s in parent.body)
        and not any(isinstance(n, ast.Call) for n in ast.walk(parent.test))
        and statement is parent.body[0]
    ):
        return parent
    return statement


@dataclass(frozen=True)
class Undone:
    """The move that undoes a tie, in the same function."""

    moved: Moved
    can_sink: bool
    """Whether the tie can stand behind the move: nothing in between looks at the object."""
    can_repeat: bool
    """Whether it can be done once more there: it is done on every way to the move."""


def undone(context: Context, tie: OutsideTie, every: list[Moved]) -> Undone | None:
    """The first move behind a tie, of the object or of what holds it."""
    if _is_on_device(context, tie):
        return None
    function = context.module.function(tie.statement)
    behind = [
        moved
        for moved in every
        if moved.before is not None
        and (tie.root == moved.before or tie.root.startswith(f"{moved.before}."))
        and context.module.function(moved.statement) is function
        and moved.statement.lineno > tie.statement.lineno
    ]
    if not behind or moved_text(tie) in _texts_behind(context, behind[0].statement):
        return None
    moved = behind[0]
    block = context.module.block(tie.statement)
    same = context.module.block(moved.statement) is block
    between = block[block.index(tie.statement) + 1 : block.index(moved.statement)] if same else []
    around = {id(b) for p in [moved.statement, *context.module.ancestors(moved.statement)] if isinstance(p, ast.stmt)
              for b in [context.module.block(p)]}  # fmt: skip
    keeps_name = moved.root == moved.before
    return Undone(
        moved,
        same and keeps_name and not any(_mentions(s, tie.root) for s in between),
        id(block) in around and keeps_name,
    )


def moved_text(tie: OutsideTie) -> str:
    """The tie as `ast` writes it."""
    return ast.unparse(tie.statement)


def _texts_behind(context: Context, statement: ast.stmt) -> set[str]:
    function = context.module.function(statement)
    body = function.body if function is not None else context.module.tree.body
    return {ast.unparse(n) for n in walk_block(body) if isinstance(n, ast.stmt) and n.lineno > statement.lineno}


def _is_on_device(context: Context, tie: OutsideTie) -> bool:
    """Whether the object was moved before it is tied."""
    statement = tie.statement
    while True:
        block = context.module.block(statement)
        if any(moves(context, earlier, tie.root) for earlier in block[: block.index(statement)]):
            return True
        parent = context.module.parents[statement]
        if not isinstance(parent, ast.If | ast.With | ast.Try | ast.For | ast.While):
            break
        statement = parent
    bases = [n for n in ast.walk(tie.statement) if isinstance(n, ast.Name | ast.Attribute) and dotted(n) == tie.root]
    found = instance_of(context, context.view.own, bases[0]) if bases else None
    return found is not None and found.is_moved


def _mentions(statement: ast.stmt, root: str) -> bool:
    return any(dotted(n) == root for n in ast.walk(statement) if isinstance(n, ast.Name | ast.Attribute))


def later(context: Context, tie: OutsideTie) -> str | None:
    """Where the object is moved afterwards by a function that gets it, for a message."""
    if _is_on_device(context, tie):
        return None
    found = replaced.moved_behind(context, tie.statement)
    return line_of(context, *found) if found is not None else None
