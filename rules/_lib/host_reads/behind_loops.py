"""Log statements behind a step loop, which show what it has added up: the mean loss of an evaluation."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from xlaport.context import Context
from xlaport.facts.late_guards import ENDING
from xlaport.facts.loops import LOOPS, LoopKind, StepLoop
from xlaport.facts.module import FunctionNode, LoopNode, walk_block
from xlaport.facts.running import is_begun_once
from xlaport.facts.vocabulary import GRAD_OFF

from .log_runs import LogRun, log_runs


def runs_behind(context: Context, kinds: Collection[LoopKind]) -> Iterator[tuple[StepLoop, tuple[LogRun, ...]]]:
    """The runs behind each step loop that begins again and again and has its barriers, up to the next one, where
    nothing else is read there.
    """
    for loop in context.loops.all():
        if loop.kind not in kinds or not (loop.barriers or loop.cut_by_loader):
            continue
        top = block_end(context, loop.node)
        around = next((p for p in context.module.ancestors(top) if isinstance(p, LoopNode | FunctionNode)), None)
        if around is None or (isinstance(around, LoopNode) and context.loops.step_loop(around) is not None):
            continue
        if is_begun_once(context.flow.structure, context.view.own, loop.node):
            continue  # nothing is left to do beside
        block = context.module.block(top)
        rest = _rest(context, block[block.index(top) + 1 :])
        runs = tuple(r for r in log_runs(context, around) if r.block is block and set(r.statements) <= set(rest))
        logged = {statement for run in runs for statement in run.statements}
        left = [read for read in context.reads.all_in(rest) if context.module.statement(read.node) not in logged]
        if runs and not any(read.proven for read in left):
            yield loop, runs


def block_end(context: Context, loop: LoopNode) -> ast.stmt:
    """A loop, or the outermost ``with torch.no_grad():`` that ends with it."""
    top: ast.stmt = loop
    while isinstance(around := context.module.parents[top], ast.With) and around.body[-1] is top:
        called = [i.context_expr.func for i in around.items if isinstance(i.context_expr, ast.Call)]
        if len(called) != len(around.items) or not all(context.resolve(c) in GRAD_OFF for c in called):
            break
        top = around
    return top


def _rest(context: Context, statements: list[ast.stmt]) -> list[ast.stmt]:
    """What follows, up to the next loop of steps, or to what ends the program or hands on an error."""
    found: list[ast.stmt] = []
    for statement in statements:
        nodes = list(walk_block([statement]))
        if any(isinstance(node, LOOPS) and context.loops.step_loop(node) is not None for node in nodes):
            break
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        if any(isinstance(node, ast.Raise | ast.Yield | ast.YieldFrom | ast.Await) for node in nodes):
            return []
        if any(context.resolve(call.func) in ENDING for call in calls):
            return []
        found.append(statement)
    return found
