"""Blocks of a profile, ``with xp.Trace("step"):``, in which no barrier may run."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, LoopNode

Block = ast.With | ast.AsyncWith | FunctionNode

_BECOME_TRACES = frozenset({"torch.cuda.nvtx.range"})
"""What is replaced by a trace."""


def traces_around(context: Context, node: ast.AST, within: LoopNode | None = None) -> list[Block]:
    """The blocks of traces around a node, the innermost first: of its own function, or only those in a loop."""
    found: list[Block] = []
    for parent in context.module.ancestors(node):
        if parent is within:
            break
        if isinstance(parent, ast.With | ast.AsyncWith):
            if _opens(context, [item.context_expr for item in parent.items]):
                found.append(parent)
        elif isinstance(parent, FunctionNode):
            if _opens(context, parent.decorator_list):
                found.append(parent)
            break
    return found


def is_step_trace(context: Context, block: ast.AST) -> bool:
    """Whether a block is a trace that cuts the graph as it ends."""
    return isinstance(block, ast.With | ast.AsyncWith) and any(
        _called(context, item.context_expr) in context.target.step_traces for item in block.items
    )


def _opens(context: Context, nodes: list[ast.expr]) -> bool:
    return any(_called(context, node) in context.target.traces | _BECOME_TRACES for node in nodes)


def _called(context: Context, node: ast.expr) -> str | None:
    return context.resolve(node.func) if isinstance(node, ast.Call) else None
