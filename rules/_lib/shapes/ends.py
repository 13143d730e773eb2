"""What makes one value of selected ones, over all places: sums, means, losses."""

from __future__ import annotations

import ast

from xlaport.facts.held import Kind

from ..host_reads.device_values import torch_name
from ..parentheses import factor
from . import elements
from .elements import Rest
from .operation import Call
from .spread import Spread, rebuilt
from .spreading import Spreading


def end(spreading: Spreading, node: ast.Call, call: Call) -> Spread | None:
    """A sum, a mean or a loss of selected values over all places; None where a call is none, or cannot be written."""
    loss = elements.LOSS_MODULES.get(call.name, call.name)
    is_function = (spreading.context.resolve(node.func) or "").startswith("torch.nn.functional.")
    if loss in elements.DISTANCES and (call.module is not None or is_function):
        return _distance(spreading, node, call)
    if loss in elements.CLASSIFYING and (call.module is not None or is_function):
        return _classification(spreading, node, call)
    if call.module is not None:
        return None
    operand = call.operands[0]
    found = spreading.of(operand)
    if found is None or found.rest is None or found.rows != 0 or not found.is_proven:
        return None
    if not found.is_counted and call.name != "sum":
        return None
    if _is_count(spreading, node, call):
        return Spread(_count(spreading), None)
    if len(call.operands) != 1:
        return None
    if call.name == "sum" and set(call.keywords) <= {"dtype"}:
        return _sum(spreading, node, operand, found)
    if call.name == "mean" and not call.keywords:
        total = _zeroed(spreading, operand, found)
        return Spread(f"{total}.sum() / {_count(spreading)}", None, is_atom=False) if total is not None else None
    if call.name in ("any", "all") and found.is_truth and not call.keywords:
        mask, text = factor(spreading.mask, spreading.mask_text()), found.operand
        written = f"{mask} & {text}" if call.name == "any" else f"~{mask} | {text}"
        return Spread(f"({written}).{call.name}()", None)
    if call.name in ("max", "min") and not call.keywords:
        return _extreme(spreading, node, call, found)
    return None


def _is_count(spreading: Spreading, node: ast.Call, call: Call) -> bool:
    """``x.numel()`` and ``x.size(0)`` that something is divided by."""
    quotient = spreading.context.module.parents[node]
    if not isinstance(quotient, ast.BinOp) or not isinstance(quotient.op, ast.Div) or quotient.right is not node:
        return False
    given = [spreading.text(o) for o in call.operands[1:]]
    return (call.name, given) in [("numel", []), ("nelement", []), ("size", ["0"]), ("len", [])]


def _sum(spreading: Spreading, node: ast.Call, operand: ast.expr, found: Spread) -> Spread | None:
    given = ", ".join(spreading.text(k) for k in node.keywords)
    if found.is_truth:
        mask = factor(spreading.mask, spreading.mask_text())
        text = found.operand
        return Spread(f"({mask} & {text}).sum({given})", None)
    total = _zeroed(spreading, operand, found)
    return Spread(f"{total}.sum({given})", None) if total is not None else None


def _zeroed(spreading: Spreading, operand: ast.expr, found: Spread) -> str | None:
    """An operand with zeros in the places that the mask leaves out, as what a method can be called on."""
    if found.rest is Rest.ANYTHING:
        filled = spreading.filled(operand)
        return filled.text if filled is not None else None
    if found.rest is Rest.ZERO:
        return found.operand
    where, imports = torch_name(spreading.context, "where", operand)
    spreading.imports += imports
    return f"{where}({spreading.mask_text()}, {found.text}, 0)"


def _count(spreading: Spreading) -> str:
    return f"{factor(spreading.mask, spreading.mask_text())}.sum()"


def _extreme(spreading: Spreading, node: ast.Call, call: Call, found: Spread) -> Spread | None:
    context, operand = spreading.context, call.operands[0]
    held = context.tensors.held(context.view.own, operand)
    if held.kind is not Kind.FLOAT or found.rest is not Rest.ANYTHING:
        return None
    filled = spreading.filled(operand, 'float("-inf")' if call.name == "max" else 'float("inf")')
    return Spread(f"{filled.text}.{call.name}()", None) if filled is not None else None


def _distance(spreading: Spreading, node: ast.Call, call: Call) -> Spread | None:
    """A loss of each element: over zeros in both operands it is zero."""
    if len(call.operands) != 2 or set(call.keywords) - {"reduction", "beta", "delta"}:
        return None
    reduction = _reduction(call)
    found = [spreading.of(operand) for operand in call.operands]
    if reduction is None or any(part is None or part.rest is None for part in found):
        return None
    known = [part for part in found if part is not None and part.rows is not None]
    if {part.rows for part in known} != {0} or not any(part.is_proven for part in known):
        return None
    if not any(part.is_counted for part in known):
        return None
    filled = [spreading.filled(operand, "0", 0) for operand in call.operands]
    parts = {o: _again(spreading, o, part) for o, part in zip(call.operands, filled, strict=True) if part is not None}
    if len(parts) != 2:
        return None
    text = rebuilt(spreading.context, node, parts)
    if reduction == "sum":
        return Spread(text, None)
    whole = f"{factor(spreading.mask, spreading.mask_text())}.numel()"
    if call.module is not None or not _ends_plainly(spreading, node):
        return Spread(f"{text} * {whole} / {_count(spreading)}", None, is_atom=False)
    if "reduction" in call.keywords:
        text = text.replace(spreading.text(call.keywords["reduction"]), '"sum"')
    else:
        text = f'{text[:-1]}, reduction="sum")'
    return Spread(f"{text} / {_count(spreading)}", None, is_atom=False)


def _again(spreading: Spreading, node: ast.expr, part: Spread) -> Spread:
    """An operand that is zero where the mask leaves out, also if it was computed of zeros there."""
    if part.rest is not Rest.FINITE:
        return part
    where, imports = torch_name(spreading.context, "where", node)
    spreading.imports += imports
    return Spread(f"{where}({spreading.mask_text()}, {part.text}, 0)", Rest.ZERO)


def _ends_plainly(spreading: Spreading, node: ast.Call) -> bool:
    """Whether the text of a call ends without a comma behind its last argument."""
    return not spreading.text(node)[:-1].rstrip().endswith(",")


def _classification(spreading: Spreading, node: ast.Call, call: Call) -> Spread | None:
    """Labels of places that are left out become those which the loss ignores."""
    if len(call.operands) != 2 or set(call.keywords) - {"reduction", "weight", "ignore_index", "label_smoothing"}:
        return None
    rows, labels = (spreading.of(operand) for operand in call.operands)
    if rows is None or labels is None or labels.rest is not Rest.ANYTHING or labels.rows != 0:
        return None
    if not labels.is_proven:
        return None
    if _reduction(call) is None or rows.rest is None or rows.rows not in (None, 1):
        return None
    context = spreading.context
    tensors = context.tensors
    if tensors.held(context.view.own, call.operands[1]).kind is Kind.FLOAT:
        return None
    scores = spreading.filled(call.operands[0], "0", 1)
    if scores is None:
        return None
    ignored = "-100"
    if call.module is not None:
        if any(k.arg in ("ignore_index", None) for k in call.module.keywords) or len(call.module.args) > 1:
            ignored = f"{spreading.text(node.func)}.ignore_index"
    elif "ignore_index" in call.keywords:
        ignored = spreading.text(call.keywords["ignore_index"])
    where, imports = torch_name(context, "where", node)
    spreading.imports += imports
    classes = f"{where}({spreading.mask_text()}, {labels.text}, {ignored})"
    first = scores.operand
    if tensors.held(context.view.own, spreading.mask).rank != 1:
        first, classes = f"{first}.flatten(0, -2)", f"{classes}.flatten()"
    parts = {call.operands[0]: Spread(first, None), call.operands[1]: Spread(classes, None)}
    return Spread(rebuilt(context, node, parts), None)


def _reduction(call: Call) -> str | None:
    """``mean`` or ``sum``; None for anything else."""
    if call.module is not None and (call.keywords.keys() & {"reduction"}):
        return None
    # In this order: `HuberLoss(reduction, delta)`, `L1Loss(size_average, reduce, reduction)`, and a `weight` before it.
    named_first = 3 if call.name.rpartition(".")[2] in ("CrossEntropyLoss", "NLLLoss") else 0
    if call.module is not None and (
        len(call.module.args) > named_first or any(k.arg is None for k in call.module.keywords)
    ):
        return None
    keywords = call.keywords if call.module is None else {k.arg: k.value for k in call.module.keywords if k.arg}
    if {"size_average", "reduce"} & set(keywords):
        return None
    value = keywords.get("reduction")
    if value is None:
        return "mean"
    if isinstance(value, ast.Constant) and value.value in ("mean", "sum"):
        return str(value.value)
    return None
