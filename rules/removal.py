"""Taking out a statement that has lost its meaning, and with it an ``if`` that guarded nothing else."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.module import is_elif
from xlaport.rule import RemoveStatement, Replace, Span

from .blocks import comment_above, end_of_block

_HARMLESS = frozenset(
    f"builtins.{name}" for name in "str int float bool len isinstance hasattr getattr repr format max min".split()
)

_ASKS = frozenset(["startswith", "endswith", "get", "lower", "upper", "strip", "split"])
"""Methods that only ask."""

_ASKING_CUDA = (
    "torch.cuda.is_", "torch.cuda.device_count", "torch.cuda.current_stream", "torch.cuda.default_stream"
)  # fmt: skip

_WORD = re.compile(r"[a-z0-9]{3,}")
_CUDA_WORDS = frozenset(["cuda", "cudnn", "gpu", "gpus", "tf32", "nccl", "nvidia"])
_DIRECTIVES = frozenset(["todo", "fixme", "noqa", "type", "pragma", "pylint", "region", "endregion"])
"""What speaks to tools and to people about more than the next line."""


def removal(context: Context, statement: ast.stmt) -> RemoveStatement | Replace:
    """The edit that removes a statement, or the ``if`` or ``else`` around it that would be left empty.

    A comment above that speaks of nothing else goes with it.
    """
    while True:
        parent = context.module.parents[statement]
        if isinstance(parent, ast.If) and parent.orelse == [statement] and not is_elif(context.module, statement):
            outer = context.span(parent)
            body_end = end_of_block(context.module, parent.body, outer)
            return Replace(Span(body_end, end_of_block(context.module, parent.orelse, outer)), "")
        if not (
            isinstance(parent, ast.If)
            and parent.body == [statement]
            and not parent.orelse
            and is_effect_free(context, parent.test)
            and not is_elif(context.module, parent)
        ):
            return RemoveStatement(context.span(statement), with_comment=_has_own_comment(context, statement))
        statement = parent


def _has_own_comment(context: Context, statement: ast.stmt) -> bool:
    """Whether a comment directly above is about this statement: nothing else follows, and it names it, or begins so.

    A comment that begins with "this" speaks of the line below.
    """
    module, span = context.module, context.span(statement)
    comment = comment_above(module, span.start)
    block = module.block(statement)
    following = block[block.index(statement) + 1 :]
    last = module.position(span.end)[0]
    if not comment or (following and following[0].lineno <= last + 1):
        return False
    words = set(_WORD.findall(comment.lower()))
    own = set(_WORD.findall(module.text[span.start : span.end].lower())) | _CUDA_WORDS
    is_about_it = bool(words & own) or comment.lstrip("# \t").lower().startswith("this ")
    return is_about_it and not words & _DIRECTIVES


def is_effect_free(context: Context, *nodes: ast.AST) -> bool:
    """Whether nothing would be missed if some expressions were not evaluated."""
    for part in (part for node in nodes for part in ast.walk(node)):
        if isinstance(part, ast.Await | ast.NamedExpr | ast.Yield | ast.YieldFrom):
            return False
        if isinstance(part, ast.Call) and not _only_returns(context, part):
            called = context.resolve(part.func) or ""
            if isinstance(part.func, ast.Attribute) and part.func.attr in _ASKS:
                continue
            if called in _HARMLESS or called in context.target.devices:
                continue
            if not called.startswith(_ASKING_CUDA):
                return False
    return True


def _only_returns(context: Context, call: ast.Call) -> bool:
    """Whether a function of this file does nothing but to give something that is there: ``return self._steps``."""
    function = context.names.function_called(call)
    if function is None or function.decorator_list or isinstance(function, ast.AsyncFunctionDef):
        return False
    body = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if len(body) != 1 or not isinstance(body[0], ast.Return):
        return False
    calls = (ast.Call, ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)
    return not any(isinstance(node, calls) for node in ast.walk(body[0]))
