"""A word about an accelerator that is there and not asked for: ``if torch.cuda.is_available() and not args.cuda:``."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.roles import dotted

from ..._lib.device import repeated_seeds
from ..._lib.device.branches import says_something

_TELLS = re.compile(r"\b(cuda|gpus?|nvidia)\b", re.IGNORECASE)
_ON = re.compile(r"(^|_)(cuda|gpus?)(_|$)")
_OFF = re.compile(r"(^|_)((no|not|without|disable)_(cuda|gpus?)|cpu)(_|$)")


def is_asked_for_a_word(context: Context, call: ast.Call) -> bool:
    """Whether a question decides only about a message that CUDA is there and not used."""
    test = context.module.parents[call]
    statement = context.module.parents[test] if isinstance(test, ast.BoolOp) else test
    if not isinstance(statement, ast.If) or statement.orelse:
        return False
    if statement.test is call:
        inner = statement.body[0]
        if len(statement.body) != 1 or not isinstance(inner, ast.If):
            return False
        is_off = _is_off(inner.test)
        return is_off and _tells(context, inner.body) and all(_is_seeded(context, s) for s in inner.orelse)
    if statement.test is not test or not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return False
    return any(_is_off(value) for value in test.values) and _tells(context, statement.body)


def waits(context: Context, call: ast.Call) -> bool:
    """Whether a seed for CUDA still stands on the other side of the message: it is XP106 that takes that out."""
    statement = context.module.parents[call]
    inner = statement.body[0] if isinstance(statement, ast.If) else None
    return isinstance(inner, ast.If) and bool(inner.orelse)


def _is_off(test: ast.expr) -> bool:
    """``not args.cuda``, ``args.no_cuda``: the option of the device is not set, or is set to do without."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(_is_off(value) for value in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        option = _last(test.operand)
        return _ON.search(option) is not None and _OFF.search(option) is None
    return _OFF.search(_last(test)) is not None


def _last(option: ast.expr) -> str:
    return (dotted(option) or "").rpartition(".")[2].lower()


def _tells(context: Context, block: list[ast.stmt]) -> bool:
    """Whether statements only say something, and that of CUDA or a GPU."""
    calls = [s.value for s in block if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call)]
    if len(calls) != len(block) or not all(says_something(context, call) for call in calls):
        return False
    texts = (node.value for call in calls for node in ast.walk(call) if isinstance(node, ast.Constant))
    return any(isinstance(text, str) and _TELLS.search(text) for text in texts)


def _is_seeded(context: Context, statement: ast.stmt) -> bool:
    """``torch.cuda.manual_seed(seed)`` that XP106 takes out, since the device has the seed already."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and "XP106" in context.codes and repeated_seeds.is_repeated(context, call)
