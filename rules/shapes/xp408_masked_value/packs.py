"""Selections through one mask, with the sum, the mean or the loss that becomes of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Edit, Import, Replace

from ..._lib.comments import has_comment
from ..._lib.shapes.ends import end, ends
from ..._lib.shapes.masked_assignment import is_written
from ..._lib.shapes.selection import Selection, selection
from ..._lib.shapes.spreading import Spread, Spreading
from ..._lib.shapes.standing import changed_in_place, uses_behind


@dataclass(frozen=True)
class Pack:
    """Selections that belong together, in the order of the source."""

    selections: tuple[Selection, ...]
    edits: tuple[Edit, ...] = ()
    """What writes everything over all places; none, if something needs the selected values packed together."""
    imports: tuple[Import, ...] = ()


def packs(context: Context, body: StepBody) -> Iterator[Pack]:
    """The selections of a step's body, grouped by what becomes of them."""
    found = [
        s
        for node in context.step_code.of_type(body, ast.Subscript, ast.Call)
        if (s := selection(context, node)) is not None and not is_written(context, context.module.statement(node))
    ]
    taken: set[ast.expr] = set()
    for first in sorted(found, key=lambda s: context.span(s.node)):
        if first.node not in taken:
            pack = _rewritten(context, first) or Pack((first,))
            taken.update(s.node for s in pack.selections)
            yield pack


def _rewritten(context: Context, first: Selection) -> Pack | None:
    """The pack that a selection belongs to; None where nobody can write it over all places."""
    spreading, written, nodes = Spreading(context, first.mask), dict[ast.expr, Spread](), [first.node]
    for node in nodes:  # what an end joins with it has ends of its own
        wholes = _ends(context, node)
        if not wholes:
            return None
        for whole in wholes:
            spread = written.get(whole) or end(spreading, whole)
            if spread is None:
                return None
            written[whole] = spread
        nodes += [other for other in spreading.selections if other not in nodes]
    if first.node not in spreading.selections:
        return None
    roots = {**spreading.named, **written}
    if any(has_comment(context, root) or not spreading.is_mask_at(root) for root in roots):
        return None
    if not all(context.editable(root) for root in roots):
        return None
    selections = tuple(spreading.selections.values())
    parts = [part for s in selections for part in (s.tensor, s.mask)]
    if spreading.named and changed_in_place(context, parts) is not None:
        return None
    edits = [Replace(context.span(value), spread.text) for value, spread in spreading.named.items()]
    edits += [
        Replace(context.span(whole), spread.operand if _binds(context, whole) else spread.text)
        for whole, spread in written.items()
    ]
    return Pack(selections, tuple(edits), tuple(dict.fromkeys(spreading.imports)))


def _binds(context: Context, node: ast.expr) -> bool:
    """Whether what stands around a node binds more tightly than a quotient."""
    parent = context.module.parents[node]
    adds = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Sub)
    return isinstance(parent, ast.BinOp | ast.UnaryOp | ast.Attribute | ast.Subscript) and not adds


def _ends(context: Context, node: ast.expr) -> list[ast.expr]:
    """What makes one value each of an expression of selected values, perhaps by a name that it has until then; nothing,
    where something else becomes of it, too.
    """
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.expr) and ends(context, parent):
            return [parent]
        if isinstance(parent, ast.stmt):
            named = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
            found = [_ends(context, use) for use in uses_behind(context, named)] if named is not None else []
            return list(dict.fromkeys(whole for wholes in found for whole in wholes)) if all(found) else []
    return []
