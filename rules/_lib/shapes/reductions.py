"""Operations that make one value of all that they get: sums, means, losses."""

from __future__ import annotations

import ast

from xlaport.context import Context

from . import elements
from .operation import Call, called

_OPTIONS = frozenset("reduction weight ignore_index label_smoothing beta delta".split())


def reduced(context: Context, node: ast.Call) -> tuple[str, Call] | None:
    """``sum`` or ``mean``, or ``cross_entropy`` of ``F.cross_entropy(…)`` and of its module, with the call."""
    call = called(context, node)
    if call is None:
        return None
    loss = elements.LOSS_MODULES.get(call.name, call.name)
    if loss in elements.DISTANCES | elements.CLASSIFYING and len(call.operands) == 2:
        is_function = (context.resolve(node.func) or "").startswith("torch.nn.functional.")
        is_loss = (call.module is not None or is_function) and call.keywords.keys() <= _OPTIONS
        return (loss, call) if is_loss and reduction(call) is not None else None
    is_plain = call.module is None and len(call.operands) == 1 and not call.keywords
    return (call.name, call) if is_plain and call.name in ("sum", "mean") else None


def reduction(call: Call) -> str | None:
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
