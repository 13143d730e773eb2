"""What ``torch.no_grad()`` says of tensors: what is computed under it has no gradients."""

from __future__ import annotations

import ast

from xlaport.analysis import library
from xlaport.analysis.frame import Frame
from xlaport.analysis.value import TENSOR, Bound, Value
from xlaport.facts import vocabulary

_MAY_KEEP = vocabulary.MOVING_METHODS | frozenset(
    "cpu type type_as float double half bfloat16 contiguous expand_as reshape flatten view as_tensor dropout "
    "Parameter".split()
)
"""Methods and functions that may give what they get, with its gradients."""


def switch(frame: Frame, node: ast.expr) -> None:
    """Note what ``with torch.no_grad():``, or a decorator, says."""
    called = frame.around.value_at(node.func if isinstance(node, ast.Call) else node)
    refers = called.refers if called is not None else None
    if isinstance(refers, str) and refers in vocabulary.GRAD_OFF | vocabulary.GRAD_ON:
        frame.is_gradless = refers in vocabulary.GRAD_OFF
    elif isinstance(refers, str) and refers in vocabulary.GRAD_SWITCHES:
        frame.is_gradless = False  # whatever it is given: nothing is claimed


def without_gradient(frame: Frame, node: ast.expr, value: Value) -> Value:
    """A value, with what is known of it where no gradients are kept."""
    if frame.is_gradless and value.type == TENSOR and not value.detached and _makes(frame, node):
        return value._replace(detached=True)
    return value


def _makes(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression gives no tensor that was there before, as ``x.to(device)`` and ``x.add_(1)`` may."""
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.BinOp | ast.UnaryOp)
    if any(keyword.arg in ("requires_grad", None) for keyword in node.keywords):
        return False
    called = frame.around.values.get(node.func)
    if called is None or library.is_module(called):
        return called is not None
    refers = called.refers
    name = refers if isinstance(refers, str) else ""
    if isinstance(refers, Bound) and refers.receiver.type == TENSOR:
        name = f"torch.{refers.definition.key.removeprefix('method ')}"
    last = name.rpartition(".")[2]
    return name.startswith("torch.") and not last.endswith("_") and last not in _MAY_KEEP
