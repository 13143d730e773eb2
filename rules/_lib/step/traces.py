"""Blocks of a profile, ``with xp.Trace("step"):``, in which no barrier may run."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.loops import LOOPS
from xlaport.facts.module import FunctionNode, LoopNode, walk_block

from .waiting import SYNCHRONIZE

Block = ast.With | ast.AsyncWith | FunctionNode

RANGES = frozenset({"torch.cuda.nvtx.range"})
"""What is replaced by a trace, unless a barrier is to run in it."""


def traces_around(context: Context, node: ast.AST, within: LoopNode | None = None) -> list[Block]:
    """The blocks of traces around a node, the innermost first: of its own function, or only those in a loop."""
    found: list[Block] = []
    for parent in context.module.ancestors(node):
        if parent is within:
            break
        if isinstance(parent, ast.With | ast.AsyncWith):
            if _opens(context, parent, [item.context_expr for item in parent.items]):
                found.append(parent)
        elif isinstance(parent, FunctionNode):
            if _opens(context, parent, getattr(parent, "decorator_list", [])):
                found.append(parent)
            break
    return found


def is_step_trace(context: Context, block: ast.AST) -> bool:
    """Whether a block is a trace that cuts the graph as it ends."""
    return isinstance(block, ast.With | ast.AsyncWith) and any(
        _called(context, item.context_expr) in context.target.step_traces for item in block.items
    )


def is_cut_inside(context: Context, block: Block) -> bool:
    """Whether a barrier runs in a block, or is to run in it: at the end of a step, or where the device is awaited."""
    body = block.body if isinstance(block.body, list) else []
    for node in walk_block(body):
        if isinstance(node, ast.Call):
            if context.loops.stepping.is_barrier(node) or context.resolve(node.func) in SYNCHRONIZE:
                return True
        elif isinstance(node, LOOPS) and context.loops.step_loop(node) is not None:
            return True
    return context.loops.runs_step_loop(body)


def _opens(context: Context, block: Block, nodes: list[ast.expr]) -> bool:
    called = {_called(context, node) for node in nodes}
    if called & context.target.traces:
        return True
    return bool(called & RANGES) and not is_cut_inside(context, block)


def _called(context: Context, node: ast.expr) -> str | None:
    return context.resolve(node.func) if isinstance(node, ast.Call) else None
