"""What makes one value of selected ones, over all places: sums, means, losses."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.held import Kind

from . import elements
from .elements import Rest
from .operation import Call, called
from .spreading import Spread, Spreading

_OPTIONS = frozenset("reduction weight ignore_index label_smoothing beta delta".split())


def ends(context: Context, node: ast.AST) -> bool:
    """Whether a node makes one value of all that it gets: a sum, a mean, a loss."""
    return isinstance(node, ast.Call) and _ending(context, node) is not None


def _ending(context: Context, node: ast.Call) -> tuple[str, Call] | None:
    """``mse_loss`` of ``F.mse_loss(…)`` and of ``nn.MSELoss()(…)``, or ``sum`` or ``mean``, with its call."""
    call = called(context, node)
    if call is None:
        return None
    loss = elements.LOSS_MODULES.get(call.name, call.name)
    if loss in elements.DISTANCES | elements.CLASSIFYING and len(call.operands) == 2:
        is_function = (context.resolve(node.func) or "").startswith("torch.nn.functional.")
        is_loss = (call.module is not None or is_function) and call.keywords.keys() <= _OPTIONS
        return (loss, call) if is_loss and _reduction(call) is not None else None
    is_plain = call.module is None and len(call.operands) == 1 and not call.keywords
    return (call.name, call) if is_plain and call.name in ("sum", "mean") else None


def end(spreading: Spreading, node: ast.expr) -> Spread | None:
    """A sum, a mean or a loss of selected values over all places; None where it cannot be written."""
    found = _ending(spreading.context, node) if isinstance(node, ast.Call) else None
    if found is None or not isinstance(node, ast.Call):
        return None
    name, call = found
    if name in elements.CLASSIFYING:
        return _classification(spreading, node, call)
    if name in elements.DISTANCES:
        return _distance(spreading, node, call)
    operand = spreading.of(call.operands[0])
    if operand is None or not operand.is_proven or not (operand.is_counted or name == "sum"):
        return None
    if operand.is_truth and name == "sum":
        return Spread(f"({spreading.mask_text} & {operand.operand}).sum()", Rest.FINITE)
    total = f"{_zero(spreading, operand).operand}.sum()"
    if name == "sum":
        return Spread(total, Rest.FINITE)
    return Spread(f"{total} / {spreading.mask_text}.sum()", Rest.FINITE, is_atom=False)


def _zero(spreading: Spreading, operand: Spread) -> Spread:
    """An operand that is zero where the mask leaves out, also if it was computed of zeros there."""
    if operand.rest is Rest.ZERO:
        return operand
    return Spread(spreading.where(spreading.text(spreading.mask), operand.text, "0"), Rest.ZERO)


def _distance(spreading: Spreading, node: ast.Call, call: Call) -> Spread | None:
    """A loss of each element: over zeros in both operands it is zero."""
    found = {operand: spread for operand in call.operands if (spread := spreading.of(operand)) is not None}
    if len(found) < 2 or not any(spread.is_proven and spread.is_counted for spread in found.values()):
        return None
    text = spreading.rebuilt(node, {operand: _zero(spreading, spread) for operand, spread in found.items()})
    if _reduction(call) == "sum":
        return Spread(text, Rest.FINITE)
    mask = spreading.mask_text
    return Spread(f"{text} * {mask}.numel() / {mask}.sum()", Rest.FINITE, is_atom=False)


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


def _reduction(call: Call) -> str | None:
    """``mean`` or ``sum``; None for anything else."""
    made = call.module
    if made is not None and call.keywords:
        return None
    # In this order: `HuberLoss(reduction, delta)`, `L1Loss(size_average, reduce, reduction)`, and a `weight` before it.
    named_first = 3 if call.name.rpartition(".")[2] in ("CrossEntropyLoss", "NLLLoss") else 0
    if made is not None and (len(made.args) > named_first or any(k.arg is None for k in made.keywords)):
        return None
    keywords = call.keywords if made is None else {k.arg: k.value for k in made.keywords if k.arg}
    if {"size_average", "reduce"} & set(keywords):
        return None
    value = keywords.get("reduction")
    if value is None:
        return "mean"
    return str(value.value) if isinstance(value, ast.Constant) and value.value in ("mean", "sum") else None
