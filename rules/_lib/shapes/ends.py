"""What makes one value of selected ones, over all places: sums, means, losses."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.context import Context
from xlaport.facts.held import Kind

from . import elements
from .elements import Rest
from .handed import hands_over, reduction_of
from .operation import Call
from .reductions import reduced, reduction
from .spreading import Spread, Spreading


def ends(context: Context, node: ast.AST) -> bool:
    """Whether a node makes one value of all that it gets: a sum, a mean, a loss, or a function that does."""
    return isinstance(node, ast.Call) and (reduced(context, node) is not None or hands_over(context, node))


def end(spreading: Spreading, node: ast.expr) -> Spread | None:
    """A sum, a mean or a loss of selected values over all places; None where it cannot be written."""
    if not isinstance(node, ast.Call):
        return None
    found = reduced(spreading.context, node)
    if found is None:
        return _handed(spreading, node)
    name, call = found
    if name in elements.CLASSIFYING:
        return _classification(spreading, node, call)
    if name in elements.DISTANCES:
        return _distance(spreading, node, call)
    rows = spreading.rows_in(call.operands[0])
    operand = spreading.of(call.operands[0], rows)
    if operand is None or not operand.is_proven or not (operand.is_counted or name == "sum"):
        return None
    if rows:
        parts = {call.operands[0]: _zero(spreading, operand, rows)}
        return None if operand.is_truth else _of_all(spreading, node, parts, name)
    if operand.is_truth and name == "sum":
        return Spread(f"({spreading.mask_text} & {operand.operand}).sum()", Rest.FINITE)
    total = f"{_zero(spreading, operand, rows).operand}.sum()"
    if name == "sum":
        return Spread(total, Rest.FINITE)
    return Spread(f"{total} / {spreading.mask_text}.sum()", Rest.FINITE, is_atom=False)


def _zero(spreading: Spreading, operand: Spread, rows: int) -> Spread:
    """An operand that is zero where the mask leaves out, also if it was computed of zeros there."""
    if operand.rest is Rest.ZERO:
        return operand
    return Spread(spreading.where(spreading.mask_of_rows(rows), operand.text, "0"), Rest.ZERO)


def _of_all(spreading: Spreading, node: ast.Call, parts: dict[ast.expr, Spread], name: str) -> Spread:
    """What makes the sum or the mean of what is zero in the places that are left out."""
    text, mask = spreading.rebuilt(node, parts), spreading.mask_text
    if name == "sum":
        return Spread(text, Rest.FINITE)
    return Spread(f"{text} * {mask}.numel() / {mask}.sum()", Rest.FINITE, is_atom=False)


def _distance(spreading: Spreading, node: ast.Call, call: Call) -> Spread | None:
    """A loss of each element: over zeros in both operands it is zero."""
    parts = _zeros(spreading, call.operands, max(map(spreading.rows_in, call.operands)))
    if parts is None or len(parts) < 2:
        return None
    return _of_all(spreading, node, parts, "sum" if reduction(call) == "sum" else "mean")


def _handed(spreading: Spreading, node: ast.Call) -> Spread | None:
    """What a function of the project makes of selected values: it gets all, with zeros in the places left out."""
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    rows = max(map(spreading.rows_in, given), default=0)
    parts = _zeros(spreading, given, rows)
    name = reduction_of(spreading.context, node, parts, rows) if parts else None
    return _of_all(spreading, node, parts, name) if parts and name is not None else None


def _zeros(spreading: Spreading, operands: Sequence[ast.expr], rows: int) -> dict[ast.expr, Spread] | None:
    """The selected ones among some operands, zero where the mask leaves out; None where the number of one is unsure."""
    found = {operand: spread for operand in operands if (spread := spreading.of(operand, rows)) is not None}
    how_many = all if rows else any
    if not how_many(spread.is_proven and spread.is_counted for spread in found.values()):
        return None
    return {operand: _zero(spreading, spread, rows) for operand, spread in found.items()}


def _classification(spreading: Spreading, node: ast.Call, call: Call) -> Spread | None:
    """Labels of places that are left out become those which the loss ignores."""
    context, (rows, classes) = spreading.context, call.operands
    scores, labels = spreading.filled(rows, 1), spreading.of(classes)
    if scores is None or labels is None or not (labels.is_proven and labels.is_counted):
        return None
    tensors, own = context.tensors, context.view.own
    if tensors.held(own, classes).kind is Kind.FLOAT:
        return None
    ignored = "-100"
    if call.module is not None:
        if any(k.arg == "ignore_index" for k in call.module.keywords) or len(call.module.args) > 1:
            ignored = f"{spreading.text(node.func)}.ignore_index"
    elif "ignore_index" in call.keywords:
        ignored = spreading.text(call.keywords["ignore_index"])
    first, second = scores.operand, spreading.where(spreading.text(spreading.mask), labels.text, ignored)
    if tensors.held(own, spreading.mask).rank != 1:
        first, second = f"{first}.flatten(0, -2)", f"{second}.flatten()"
    parts = {rows: Spread(first, Rest.FINITE), classes: Spread(second, Rest.FINITE)}
    return Spread(spreading.rebuilt(node, parts), Rest.FINITE)
