"""What CUDA looks like in source: device strings and availability tests, shared by the XP1xx rules."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context

_STRING = re.compile(r"cuda(:\d+)?")

AVAILABLE = frozenset(
    {
        "torch.cuda.is_available",
        "torch.cuda.is_bf16_supported",
        "torch.accelerator.is_available",
    }
)
"""Calls that ask whether the accelerator (or its bfloat16) is there; on a TPU the answer is yes.

Source: cuda_api.json, ``torch.cuda.is_available`` (False under torch_xla although a device is there).
"""

CURRENT = "torch.accelerator.current_accelerator"


def is_cuda_string(node: ast.expr) -> bool:
    """``"cuda"``, ``"cuda:1"`` or ``f"cuda:{rank}"``."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and _STRING.fullmatch(node.value) is not None
    if isinstance(node, ast.JoinedStr) and node.values:
        first = node.values[0]
        return isinstance(first, ast.Constant) and str(first.value) == "cuda:" and len(node.values) == 2
    return False


def is_cpu_string(node: ast.expr) -> bool:
    """``"cpu"``."""
    return isinstance(node, ast.Constant) and node.value == "cpu"


def is_available_call(context: Context, node: ast.expr) -> bool:
    """``torch.cuda.is_available()`` and the calls that ask the same of any accelerator."""
    return isinstance(node, ast.Call) and context.resolve(node.func) in AVAILABLE


def is_cuda_device(context: Context, node: ast.expr) -> bool:
    """``torch.device("cuda…")``, ``torch.device("cuda", 0)``, ``torch.device(0)`` or the current accelerator."""
    if not isinstance(node, ast.Call):
        return False
    called = context.resolve(node.func)
    if called == CURRENT:
        return True
    if called != "torch.device":
        return False
    arguments = [*node.args, *(k.value for k in node.keywords if k.arg in ("type", "device"))]
    if not arguments:
        return False
    first = arguments[0]
    return is_cuda_string(first) or (isinstance(first, ast.Constant) and type(first.value) is int)


def is_cpu_device(context: Context, node: ast.expr) -> bool:
    """``"cpu"`` or ``torch.device("cpu")``."""
    if is_cpu_string(node):
        return True
    return (
        isinstance(node, ast.Call)
        and context.resolve(node.func) == "torch.device"
        and len(node.args) == 1
        and is_cpu_string(node.args[0])
    )


def needs_parentheses(context: Context, node: ast.expr) -> bool:
    """Whether a conditional expression written in the place of `node` would need parentheses there."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.keyword | ast.Call):
        return isinstance(parent, ast.Call) and parent.func is node
    return not isinstance(parent, ast.Assign | ast.AnnAssign | ast.Return | ast.Tuple | ast.List | ast.Dict)
