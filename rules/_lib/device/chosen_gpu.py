"""Moves that an option chooses the GPU for: ``if args.gpu is not None: x = x.cuda(args.gpu)``.

There is one device on XLA. Where the option says none, DataParallel takes its input from the host and scatters it; what
a port leaves of it cannot. So the move is made in any case where the program has its model on the device then.
"""

from __future__ import annotations

import ast
import enum

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, is_elif
from xlaport.facts.role import is_none
from xlaport.facts.roles import dotted
from xlaport.rule import Edit, ReplaceStatement

from . import branches


class Choice(enum.Enum):
    """What a condition around a move decides."""

    WHICH = enum.auto()
    """Which GPU it goes to: both branches move it."""
    WHETHER = enum.auto()
    """Whether it moves, though the program needs the device in any case."""


def choice(context: Context, call: ast.Call) -> tuple[Choice, ast.If] | None:
    """What the ``if`` decides in which a ``.cuda(…)`` stands; None where it may leave a program on the host."""
    statement = context.module.statement(call)
    guard = context.module.parents[statement]
    if not isinstance(guard, ast.If) or is_elif(context.module, guard) or _moved(guard.body) is None:
        return None
    option = _asked(guard.test)
    if option is None or not isinstance(guard.body[0], ast.Assign) or not _takes(guard.body[0].value, option):
        return None
    if guard.orelse:
        return (Choice.WHICH, guard) if _moved(guard.orelse) == _moved(guard.body) else None
    return (Choice.WHETHER, guard) if _needs_device(context, option, guard) else None


def always(context: Context, guard: ast.If, moved: str) -> tuple[Edit, ...]:
    """The edits that leave the move alone, without its condition; `moved`: what stands behind the dot then."""
    statement = guard.body[0]
    if "#" in context.module.segment(guard) or not isinstance(statement, ast.Assign):
        return branches.taken(context, guard, truth=True) or ()
    assert isinstance(statement.value, ast.Call)
    span = context.span(statement)
    end = context.span(statement.value.func).end - len("cuda")
    return (ReplaceStatement(context.span(guard), f"{context.module.text[span.start : end]}{moved}"),)


def _asked(test: ast.expr) -> str | None:
    """``args.gpu`` of ``args.gpu is not None``."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.IsNot):
        return None
    return dotted(test.left) if is_none(test.comparators[0]) else None


def _moved(block: list[ast.stmt]) -> str | None:
    """``x`` where all that a block does is ``x = x.cuda(…)``."""
    statement = block[0]
    if len(block) != 1 or not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    value, target = statement.value, dotted(statement.targets[0])
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute) or value.func.attr != "cuda":
        return None
    return target if target == dotted(value.func.value) else None


def _takes(node: ast.expr, option: str) -> bool:
    """``x.cuda(args.gpu, …)``."""
    return isinstance(node, ast.Call) and any(
        dotted(a) == option for a in [*node.args, *(k.value for k in node.keywords)]
    )


def _needs_device(context: Context, option: str, guard: ast.If) -> bool:
    """Whether something moves to the device in this file where the option says no GPU."""
    last = option.rpartition(".")[2]
    for call in context.module.calls:
        if (
            not isinstance(call.func, ast.Attribute)
            or call.func.attr != "cuda"
            or guard in context.module.ancestors(call)
        ):
            continue
        if _is_otherwise(context, call, last):
            return True
        given = [dotted(a) or "" for a in [*call.args, *(k.value for k in call.keywords)]]
        if any(path.rpartition(".")[2] == last for path in given) and not _is_asked_for(context, call, last):
            return True
    return False


def _is_otherwise(context: Context, call: ast.Call, last: str) -> bool:
    """Whether a call stands in the ``else`` of ``if args.gpu is not None:``, at any depth."""
    child: ast.AST = call
    for parent in context.module.ancestors(call):
        if isinstance(parent, FunctionNode):
            return False
        if isinstance(parent, ast.If) and any(child is statement for statement in parent.orelse):
            if (_asked(parent.test) or "").rpartition(".")[2] == last:
                return True
        child = parent
    return False


def _is_asked_for(context: Context, call: ast.Call, last: str) -> bool:
    """Whether a call stands under a condition that mentions the option."""
    return any(
        isinstance(parent, ast.If | ast.IfExp)
        and any((dotted(n) or "").rpartition(".")[2] == last for n in ast.walk(parent.test) if isinstance(n, ast.expr))
        for parent in context.module.ancestors(call)
    )
