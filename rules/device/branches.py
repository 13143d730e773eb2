"""An ``if`` statement whose condition is known: the side that runs, written without the ``if``."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.module import Module
from xlaport.facts.roles import dotted
from xlaport.rule import Edit, RemoveStatement, Replace, Span

from ..blocks import end_of_block, lifted
from . import cuda

_PRINTS = frozenset({"builtins.print", "warnings.warn", "sys.exit", "builtins.exit", "builtins.quit", "os._exit"})
_LOG_METHODS = frozenset({"info", "warning", "warn", "error", "debug", "critical"})
_JUMPS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def taken(context: Context, statement: ast.If, truth: bool) -> tuple[Edit, ...] | None:
    """The edits that leave only the side of the ``if`` that runs; None where the other one would be missed.

    The other side goes where it does nothing beyond the CPU's counterpart of the one that stays.
    """
    module = context.module
    kept, dead = (statement.body, statement.orelse) if truth else (statement.orelse, statement.body)
    if _is_elif(module, statement):
        if not _can_go(context, dead, kept):
            return None
        return _as_else(context, statement) if truth else _without(context, statement)
    never: list[ast.stmt] = []
    if kept and isinstance(kept[-1], _JUMPS):
        block = module.block(statement)
        never = block[block.index(statement) + 1 :]
    if not _can_go(context, [*dead, *never], kept):
        return None
    edits: list[Edit] = [RemoveStatement(context.span(s)) for s in never]
    if not kept or all(isinstance(s, ast.Pass) for s in kept):
        return RemoveStatement(context.span(statement)), *edits
    if isinstance(kept[0], ast.If) and _is_elif(module, kept[0]):
        start = context.span(kept[0]).start
        return Replace(Span(context.span(statement).start, start + len("elif")), "if"), *edits
    return lifted(context, statement, kept), *edits


def _is_elif(module: Module, statement: ast.If) -> bool:
    parent = module.parents[statement]
    return (
        isinstance(parent, ast.If)
        and parent.orelse == [statement]
        and module.text.startswith("elif", module.span(statement).start)
    )


# -- what may go ---------------------------------------------------------------------------------------


def _can_go(context: Context, dead: list[ast.stmt], kept: list[ast.stmt]) -> bool:
    assigned = {
        path
        for statement in kept
        for node in ast.walk(statement)
        if isinstance(node, ast.Name | ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and (path := dotted(node)) is not None
    }
    returns = bool(kept) and isinstance(kept[-1], ast.Return)
    seeds = any(_seeds(context, statement) for statement in kept)
    return all(
        _is_idle(context, statement, assigned, returns) or (seeds and _seeds(context, statement)) for statement in dead
    )


def _seeds(context: Context, statement: ast.stmt) -> bool:
    """``torch.manual_seed(…)``, and the same of a device."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = context.resolve(statement.value.func) or ""
    return called.startswith("torch") and called.rpartition(".")[2] in ("manual_seed", "manual_seed_all")


def _is_setting(context: Context, value: ast.expr | None, alone: bool) -> bool:
    """What a run without a GPU would be told: ``args.device = "cpu"``, ``use_gpu = False``, ``args.gpu = -1``.

    Where it is all that the ``if`` does (`alone`), any constant: ``args.workers = 1``.
    """
    if value is None or cuda.is_cpu_device(context, value):
        return True
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.operand, ast.Constant)
    return isinstance(value, ast.Constant) and (alone or value.value is None or value.value is False)


def _is_idle(context: Context, statement: ast.stmt, assigned: set[str], returns: bool) -> bool:
    if isinstance(statement, ast.Pass | ast.Raise | ast.Continue | ast.Break):
        return True
    if isinstance(statement, ast.Return):
        # The counterpart of what the other side returns, or nothing that is computed.
        return returns or not any(isinstance(n, ast.Call | ast.Await) for n in ast.walk(statement))
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return _is_setting(context, statement.value, alone=not assigned) or all(
            dotted(target) in assigned for target in targets
        )
    if isinstance(statement, ast.If):
        return all(_is_idle(context, s, assigned, returns) for s in [*statement.body, *statement.orelse])
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        func = statement.value.func
        if context.resolve(func) in _PRINTS:
            return True
        return isinstance(func, ast.Attribute) and func.attr in _LOG_METHODS
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


# -- text ----------------------------------------------------------------------------------------------


def _as_else(context: Context, statement: ast.If) -> tuple[Edit, ...] | None:
    """``elif`` that always runs becomes ``else``, and what came after it goes."""
    module = context.module
    span = context.span(statement)
    colon = re.compile(r"[\s)\\]*:").match(module.text, context.span(statement.test).end)
    if colon is None:
        return None
    edits: list[Edit] = [Replace(Span(span.start, colon.end()), "else:")]
    if statement.orelse:
        edits.append(
            Replace(Span(end_of_block(module, statement.body, span), end_of_block(module, statement.orelse, span)), "")
        )
    return tuple(edits)


def _without(context: Context, statement: ast.If) -> tuple[Edit, ...] | None:
    """The ``if`` around an ``elif`` that never runs, without it."""
    module = context.module
    span = context.span(statement)
    before = module.parents[statement]
    assert isinstance(before, ast.If)
    if not statement.orelse:
        return (Replace(Span(end_of_block(module, before.body, span), end_of_block(module, statement.body, span)), ""),)
    if _is_elif(module, statement.orelse[0]) if isinstance(statement.orelse[0], ast.If) else False:
        return (Replace(Span(span.start, context.span(statement.orelse[0]).start), ""),)
    start, end = end_of_block(module, statement.body, span), context.span(statement.orelse[0]).start
    keyword = re.search(r"^[ \t]*(else[ \t]*:)", module.text[start:end], re.MULTILINE)
    return (Replace(Span(span.start, start + keyword.start(1)), ""),) if keyword is not None else None
