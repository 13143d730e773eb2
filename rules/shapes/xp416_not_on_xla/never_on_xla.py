"""Code that no tensor of XLA comes to: a question that a conversion leaves as it is keeps it for other devices."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.roles import Role

from ..._lib.device import cuda, device_types, guarded

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_MAX_DEPTH = 4


def never_runs(context: Context, node: ast.AST) -> bool:
    """Whether a program on XLA never comes to a node: ``if x.device.type != "cuda": return`` stands before it."""
    child = node
    for parent in context.module.ancestors(node):
        if isinstance(child, ast.stmt):
            block = context.module.block(child)
            if any(_always_leaves(context, earlier) for earlier in block[: block.index(child)]):
                return True
        if isinstance(parent, ast.If | ast.IfExp | ast.While) and child is not parent.test:
            body = parent.body if isinstance(parent.body, list) else [parent.body]
            if _answer(context, parent.test, 0) is (child not in body):
                return True
        child = parent
    return False


def _always_leaves(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement before the node leaves its block, as often as XLA comes to it."""
    return (
        isinstance(statement, ast.If)
        and isinstance(statement.body[-1], _LEAVING)
        and _answer(context, statement.test, 0) is True
    )


def _answer(context: Context, test: ast.expr, depth: int) -> bool | None:
    """What a condition is on XLA, after the conversion, too; None where that is not known."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        answer = _answer(context, test.operand, depth)
        return None if answer is None else not answer
    if isinstance(test, ast.BoolOp):
        deciding = isinstance(test.op, ast.Or)
        answers = [_answer(context, value, depth) for value in test.values]
        return deciding if deciding in answers else None if None in answers else not deciding
    if isinstance(test, ast.Name) and depth < _MAX_DEPTH:
        value = context.names.assigned(test)
        return _answer(context, value, depth + 1) if value is not None else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(context, test)
    return None


def _compared(context: Context, test: ast.Compare) -> bool | None:
    """The answer to a question for the type of a device that stays, and to ``0 in x.stride()``."""
    is_denied = isinstance(test.ops[0], ast.NotIn | ast.NotEq)
    if not is_denied and not isinstance(test.ops[0], ast.In | ast.Eq):
        return None
    if is_for_broadcast(context, test):
        return is_denied
    question = device_types.question(context, test)
    if question is None or not question.known:
        return None
    said = [answer.value for answer in question.answers if isinstance(answer, ast.Constant)]
    if len(said) + 1 < len(question.answers) or context.target.device_type in said:
        return None  # one is the device's type itself; what else is no text is not known
    stays = any(cuda.is_cuda_string(answer) for answer in question.answers) and guarded.why_not(context, test)
    return is_denied if stays else None


def is_for_broadcast(context: Context, test: ast.Compare) -> bool:
    """``0 in x.stride()``, also by a name: a dimension that is expanded has a stride of 0, but not on XLA."""
    if not isinstance(test.ops[0], ast.In | ast.NotIn) or not _is_zero(test.left):
        return False
    asked = context.names.assigned(test.comparators[0]) or test.comparators[0]
    is_method = isinstance(asked, ast.Call) and isinstance(asked.func, ast.Attribute) and asked.func.attr == "stride"
    return is_method and isinstance(asked, ast.Call) and _is_of_tensor(context, asked.func)


def _is_of_tensor(context: Context, method: ast.expr) -> bool:
    return isinstance(method, ast.Attribute) and context.roles.is_(method.value, Role.TENSOR)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0 and type(node.value) is int
