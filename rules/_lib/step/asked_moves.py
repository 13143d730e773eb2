"""The condition under which a model is moved later, ``if args.cuda:``, so that an earlier move can be under it, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.main_guards import is_main_guard
from xlaport.facts.module import FunctionNode
from xlaport.facts.roles import dotted

from ..device import cuda

_PLAIN = (
    ast.Name | ast.Attribute | ast.Constant | ast.BoolOp | ast.boolop | ast.UnaryOp | ast.Not | ast.Compare | ast.cmpop
    | ast.expr_context
)  # fmt: skip


def guards(context: Context, node: ast.AST, around: ast.AST | None = None) -> Iterator[tuple[ast.If, bool]]:
    """The ``if`` around code, from the inside out, and whether it is in the body of each."""
    child = node
    for parent in context.module.ancestors(node):
        if parent is around or isinstance(parent, FunctionNode):
            return
        if isinstance(parent, ast.If) and child is not parent.test and not is_main_guard(parent):
            yield parent, any(child is statement for statement in parent.body)
        child = parent


def is_asked(context: Context, node: ast.AST, around: ast.AST | None = None) -> bool:
    """Whether code stands under a condition in its function, or in the statement `around` it, that may be false."""
    return any(not cuda.is_available_call(context, guard.test) for guard, _ in guards(context, node, around))


def condition(context: Context, move: ast.stmt, first: ast.stmt) -> str | None:
    """The condition of a move as it can be written above `first`; None where it means something else there.

    It is an empty text where there is none: one that asks only whether there is an accelerator holds.
    """
    tests: list[tuple[ast.expr, str]] = []
    around = context.module.parents[first]
    for guard, is_body in reversed(list(guards(context, move, around if isinstance(around, ast.stmt) else None))):
        test = guard.test
        if is_body and cuda.is_available_call(context, test):
            continue
        text = context.module.segment(test)
        if not is_body or "\n" in text or not _means_the_same(context, test, first, move):
            return None
        tests.append((test, text))
    if len(tests) == 1:
        return tests[0][1]
    is_or = [isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) for test, _ in tests]
    return " and ".join(f"({text})" if needs else text for (_, text), needs in zip(tests, is_or, strict=True))


def _means_the_same(context: Context, test: ast.expr, first: ast.stmt, move: ast.stmt) -> bool:
    """Whether a condition has the same value above a statement as at the move behind it."""
    if not all(isinstance(n, _PLAIN) for n in ast.walk(test)):
        return False
    between = range(first.lineno, move.lineno)
    for name in (n for n in ast.walk(test) if isinstance(n, ast.Name)):
        here = context.module.function(name)
        for binding in context.names.bindings(name):
            at = getattr(binding.node, "lineno", 0)
            if context.module.function(binding.node) is here and not isinstance(binding.node, ast.arg):
                if at >= first.lineno:
                    return False
    paths = {dotted(n) for n in ast.walk(test) if isinstance(n, ast.Attribute)}
    return not any(
        n.lineno in between and not isinstance(n.ctx, ast.Load) and dotted(n) in paths
        for n in context.module.of_type(ast.Attribute)
    )
