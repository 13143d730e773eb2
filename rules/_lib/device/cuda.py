"""What CUDA looks like in source: device strings and availability tests, shared by the XP1xx rules."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache

from xlaport.context import Context
from xlaport.facts.module import last_name
from xlaport.facts.roles import dotted

from ..catalogue import Disposition, catalogue

_STRING = re.compile(r"cuda(:\d+)?")
_PERCENT = re.compile(r"cuda:%[dis]")
_NUMBER = re.compile(r"(gpu|rank)(_?(id|idx|index|num|no))?$", re.IGNORECASE)
_BRACES = re.compile(r"cuda:\{0?(:d)?\}")

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


@cache
def available(table: str) -> frozenset[str]:
    """Those of them that a target with this table does not answer by itself."""
    entries = catalogue(table).entries
    return frozenset(
        name for name in AVAILABLE if name not in entries or entries[name].answer.disposition is not Disposition.KEEP
    )


CURRENT = "torch.accelerator.current_accelerator"


def is_cuda_text(text: str) -> bool:
    """Whether a text is ``cuda``, or ``cuda:1``."""
    return _STRING.fullmatch(text) is not None


def is_cuda_string(node: ast.AST) -> bool:
    """``"cuda"``, ``f"cuda"``, ``"cuda:1"``, and ``"cuda:"`` with a rank in any of Python's four ways."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and is_cuda_text(node.value)
    if isinstance(node, ast.JoinedStr) and len(node.values) == 1:
        return is_cuda_string(node.values[0])
    if isinstance(node, ast.JoinedStr):
        return len(node.values) == 2 and _is_text(node.values[0], "cuda:")
    if isinstance(node, ast.BinOp):
        is_sum = isinstance(node.op, ast.Add) and _is_text(node.left, "cuda:")
        return is_sum or (isinstance(node.op, ast.Mod) and _is_format(node.left, _PERCENT))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "format" and _is_format(node.func.value, _BRACES)
    return False


def _is_format(node: ast.AST, wanted: re.Pattern[str]) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and wanted.fullmatch(node.value) is not None


def _is_text(node: ast.AST, *texts: str) -> bool:
    return isinstance(node, ast.Constant) and node.value in texts


def device_index(node: ast.AST) -> int | None:
    """The index that a device string or ``torch.device`` call spells out."""
    constants = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
    for value in constants:
        match = re.fullmatch(r"cuda:(\d+)", value) if isinstance(value, str) else None
        if match is not None:
            return int(match[1])
        if type(value) is int:
            return value
    return None


@dataclass(frozen=True)
class Choice:
    """``accelerator if test else other``, also where it is written as ``other if not test else accelerator``."""

    node: ast.IfExp
    test: ast.expr
    accelerator: ast.expr
    other: ast.expr


def choice(node: ast.AST) -> Choice | None:
    """A conditional expression with its condition turned so that it is not negated."""
    if not isinstance(node, ast.IfExp):
        return None
    if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not):
        return Choice(node, node.test.operand, node.orelse, node.body)
    return Choice(node, node.test, node.body, node.orelse)


def is_cpu_string(node: ast.expr) -> bool:
    """``"cpu"``."""
    return isinstance(node, ast.Constant) and node.value == "cpu"


def is_gpu_number(node: ast.expr) -> bool:
    """``args.gpu``, ``local_rank``: the number of a GPU, by its name."""
    return _NUMBER.search(last_name(node) or "") is not None


def is_available_call(context: Context, node: ast.expr) -> bool:
    """``torch.cuda.is_available()`` and the calls that ask the same of any accelerator."""
    return isinstance(node, ast.Call) and context.resolve(node.func) in available(context.target.table)


def asks_cuda(context: Context, node: ast.expr) -> bool:
    """An argument of what only CUDA has: ``torch.cuda.get_device_properties(torch.device("cuda"))``."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.keyword):
        parent = context.module.parents[parent]
    return isinstance(parent, ast.Call) and (context.resolve(parent.func) or "").startswith("torch.cuda.")


def is_cuda_device(context: Context, node: ast.expr) -> bool:
    """``torch.device("cuda…")``, ``torch.device("cuda", 0)``, ``torch.device(0)`` or the current accelerator."""
    if not isinstance(node, ast.Call):
        return False
    called = context.resolve(node.func)
    if called == CURRENT:
        return CURRENT not in context.target.devices
    if called != "torch.device":
        return False
    arguments = [*node.args, *(k.value for k in node.keywords if k.arg in ("type", "device"))]
    if not arguments:
        return False
    first = arguments[0]
    return (
        is_cuda_string(first)
        or (isinstance(first, ast.Constant) and type(first.value) is int)
        or _is_indexed_accelerator(context, first)
    )


def becomes_accelerator(context: Context, node: ast.expr) -> bool:
    """A CUDA device, also where it is chosen by whether there is one: what the rules make the target's device."""
    if is_cuda_string(node) or is_cuda_device(context, node):
        return True
    if isinstance(node, ast.Call) and context.resolve(node.func) == "torch.device" and len(node.args) == 1:
        return becomes_accelerator(context, node.args[0])
    chosen = choice(node)
    if chosen is None or not becomes_accelerator(context, chosen.accelerator):
        return False
    # One of two CUDA devices is the same one, whatever is asked.
    return becomes_accelerator(context, chosen.other) or (
        is_available_call(context, chosen.test) and is_cpu_device(context, chosen.other)
    )


def is_without_accelerator(context: Context, node: ast.AST) -> bool:
    """Whether a node stands in the branch of ``if torch.cuda.is_available():`` that runs where there is none."""
    child = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.If):
            test, idle = parent.test, parent.orelse
            if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                test, idle = test.operand, parent.body
            if child in idle and is_available_call(context, test):
                return True
        child = parent
    return False


def _is_indexed_accelerator(context: Context, node: ast.expr) -> bool:
    """``f"{accelerator}:{rank}"``, where the accelerator is the current one, or the XLA device already."""
    if not isinstance(node, ast.JoinedStr) or len(node.values) not in (2, 3) or not _is_index(node.values[1]):
        return False
    head = node.values[0]
    path = dotted(head.value) if isinstance(head, ast.FormattedValue) else None
    if path is None:
        return False
    home = context.module.class_of(node) if "." in path else context.module.function(node)
    given = [
        n.value
        for n in ast.walk(home or context.module.tree)
        if isinstance(n, ast.Assign) and [dotted(target) for target in n.targets] == [path]
    ]
    asked = {CURRENT, *context.target.devices}
    return bool(given) and all(isinstance(v, ast.Call) and context.resolve(v.func) in asked for v in given)


def _is_index(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r":\d*", node.value) is not None
    )


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


def is_cpu(context: Context, node: ast.expr) -> bool:
    """``torch.device("cpu")``, and what is never anything else: ``self.cpu``."""
    return set(context.roles.texts(node)) == {"cpu"}


def needs_parentheses(context: Context, node: ast.expr) -> bool:
    """Whether a conditional expression written in the place of `node` would need parentheses there."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.keyword | ast.Call):
        return isinstance(parent, ast.Call) and parent.func is node
    return not isinstance(parent, ast.Assign | ast.AnnAssign | ast.Return | ast.Tuple | ast.List | ast.Dict)
