"""What to write around a move so that parameters are tied again behind it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence

from xlaport.context import Context
from xlaport.rule import Edit, InsertStatement, Replace

from ..._lib.step.moved_objects import Moved, stripped
from .untied import Untied
from .ways import EACH

_NAMES = ("model", "module", "net")


def name_of(context: Context, moved: Moved) -> str:
    """How what moves is, or shall be, called behind the move."""
    if moved.before is not None and not isinstance(moved.statement, ast.Assign | ast.AnnAssign):
        return moved.before
    return moved.root or next((name for name in _NAMES if _is_free(context, name, moved.statement)), "model_")


def _is_free(context: Context, name: str, statement: ast.stmt) -> bool:
    """Whether the function around a statement has nothing of this name."""
    around = ast.walk(context.module.function(statement) or context.module.tree)
    return not any(name in (getattr(n, "id", ""), getattr(n, "arg", "")) for n in around)


def line(one: Untied, root: str) -> str:
    """The statement that ties two parameters of an object with this name."""
    return f"{root}{one.target} = {root}{one.source}"


def is_written(context: Context, moved: Moved, every: Sequence[Untied]) -> bool:
    """Whether the statements behind a move tie again, in these words, what nobody knows to be the same object."""
    block = context.module.block(moved.statement)
    behind = block[block.index(moved.statement) + 1 :]
    lines = {ast.unparse(node) for statement in behind for node in ast.walk(statement) if isinstance(node, ast.Assign)}
    return all(line(one, name_of(context, moved) + moved.inside) in lines for one in every)


def edits(context: Context, moved: Moved, every: Sequence[Untied]) -> list[Edit]:
    """What ties again behind a move; where they may be apart, it is asked before. None where it cannot be written."""
    if any(not one.target or not one.is_there or EACH in one.target + one.source for one in every):
        return []
    if isinstance(moved.statement, ast.Return):
        return _hoisted(context, moved, every)
    if moved.root is None or not isinstance(moved.statement, ast.Expr | ast.Assign | ast.AnnAssign):
        return []
    at, root = context.span(moved.statement), moved.root + moved.inside
    before = moved.before
    ahead: list[Edit] = []
    if before is None and not all(one.is_sure for one in every):
        if moved.root != moved.root.removesuffix(".module"):
            return []
        before = moved.root
        made = moved.receiver
        ahead = [
            InsertStatement(at, f"{before} = {context.module.segment(made)}", before=True),
            Replace(context.span(made), before),
        ]
    asked, again = _lines(context, moved, (before or "") + moved.inside, root, every)
    ahead += [InsertStatement(at, "\n".join(asked), before=True)] if asked else []
    return [*ahead, InsertStatement(at, "\n".join(again))]


def _lines(
    context: Context, moved: Moved, before: str, root: str, every: Sequence[Untied]
) -> tuple[list[str], list[str]]:
    """What to write before a move, and behind it."""
    numbered = (f"tied_{number}" for number in itertools.count(2))
    names = (n for n in itertools.chain(("tied", "was_tied"), numbered) if context.names.is_free(n, moved.statement))
    asked: list[str] = []
    again: list[str] = []
    for one in every:
        if one.is_sure:
            again.append(line(one, root))
            continue
        name = next(names)
        asked.append(f"{name} = {before}{one.target} is {before}{one.source}")
        again += [f"if {name}:", f"    {line(one, root)}"]
    return asked, again


def _hoisted(context: Context, moved: Moved, every: Sequence[Untied]) -> list[Edit]:
    """The edits that take a move out of a ``return``, so that something can be written behind it."""
    assert isinstance(moved.statement, ast.Return)
    value, base = moved.statement.value, stripped(moved.call)
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    others = [part for part in parts if part is not None and stripped(part) is not base]
    if len(others) == len(parts) or any(isinstance(n, ast.Call) for p in others for n in ast.walk(stripped(p))):
        return []
    name, made = name_of(context, moved), moved.receiver
    move, is_made = context.module.segment(moved.call), moved.before is None
    asked, again = _lines(context, moved, name + moved.inside, name + moved.inside, every)
    ahead = [f"{name} = {move}" if is_made else move]
    if is_made and asked:
        text = context.module.segment(made)
        ahead = [f"{name} = {text}", *asked, name + move.removeprefix(text)]
    elif asked:
        ahead = [*asked, *ahead]
    insert = InsertStatement(context.span(moved.statement), "\n".join([*ahead, *again]), before=True)
    return [insert, Replace(context.span(moved.call), name)]
