"""What is around a call of a journal in its pass, and what comes behind it: a barrier, or an end of the program."""

from __future__ import annotations

import ast
from itertools import takewhile

from xlaport.context import Context
from xlaport.facts.late_guards import ENDING
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.passes import Pass
from xlaport.facts.steps import Steps


def in_pass(context: Context, node: ast.AST) -> list[ast.AST]:
    """What is around a node, up to its step loop or its function."""
    last = around(context, node)
    return list(takewhile(lambda parent: parent is not last, context.module.ancestors(node)))


def around(context: Context, node: ast.AST) -> LoopNode | FunctionNode:
    """The step loop, or the function, that a node of a step is in."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, FunctionNode):
            return parent
        if isinstance(parent, LoopNode) and context.loops.step_loop(parent) is not None:
            return parent
    raise ValueError("it is in no step")


def may_end_behind(context: Context, statement: ast.stmt) -> bool:
    """Whether something behind a statement of a pass may end the program."""
    for node in context.module.that_run(around(context, statement).body, ast.Raise, ast.Expr):
        call = node.value if isinstance(node, ast.Expr) else None
        is_end = isinstance(call, ast.Call) and context.resolve(call.func) in ENDING
        if isinstance(node, ast.Raise) or is_end:
            if context.span(node).start > context.span(statement).end:
                return True
    return False


def is_cut_behind(context: Context, statement: ast.stmt) -> bool:
    """Whether each pass that runs a statement, of whatever file, comes to a barrier behind it."""
    inside = around(context, statement)
    if isinstance(inside, LoopNode):
        loop = context.loops.step_loop(inside)
        is_cut = loop is not None and bool(loop.barriers or loop.cut_by_loader or "XP201" in context.codes)
        return is_cut and not inside.orelse
    runs = context.steps.passes.running(inside)
    return bool(runs) and all(_is_cut_in(run, "XP201" in context.codes) for run in runs or ())


def has_barrier(context: Context, function: FunctionNode) -> bool:
    """Whether the loops of a file that run a function have their barriers by now."""
    runs = context.steps.passes.running(function) or ()
    return all(_is_cut_in(run, run.loops.facts is not context.view.own) for run in runs)


def _is_cut_in(run: Pass, is_to_be: bool) -> bool:
    """Whether the barrier of a loop stands beside a call or behind it, or belongs there if it is to be made."""
    if run.loop.cut_by_loader:
        return True
    steps, body = Steps(run.loops), run.loop.node.body
    made = steps.cuts(run.loop) if is_to_be else ()
    nodes: list[ast.AST] = [*run.loop.barriers] or [cut.statement for cut in made]
    cuts = (steps.module.place_in(body, node) for node in nodes)
    here = steps.module.place_in(body, run.call)
    return here is not None and any(cut is not None and here <= cut for cut in cuts)
