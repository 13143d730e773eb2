"""A local name that only holds the answer to a question: ``use_cuda = torch.cuda.is_available()``."""

from __future__ import annotations

import ast
from itertools import pairwise

from xlaport.context import Context
from xlaport.rule import Edit, RemoveStatement, Replace, ReplaceStatement, Span

from ..._lib.device import branches, cuda
from ..._lib.device.cuda_code import needs_cuda
from ..._lib.device.fold import Fold


def through_name(context: Context, question: ast.expr) -> tuple[Edit, ...] | None:
    """The edits that fold every condition that a local name stands for, and take out the name.

    None where it is more than a condition somewhere, or where not all of them fold.
    """
    assign = context.module.parents[question]
    if not isinstance(assign, ast.Assign) or len(assign.targets) != 1 or context.module.function(assign) is None:
        return None
    target = assign.targets[0]
    home = context.names.home(target) if isinstance(target, ast.Name) else None
    if not isinstance(target, ast.Name) or home is None or len(home.bindings.get(target.id, ())) != 1:
        return None
    if home is not context.names.scope(assign):
        return None  # `global use_cuda`
    edits: list[Edit] = [RemoveStatement(context.span(assign))]
    uses = context.names.uses(home, target.id)
    for use in uses:
        found = _folded(context, use)
        if found is None:
            return None
        edits += found
    return tuple(edits) if uses and _are_apart([_span(edit) for edit in edits]) else None


def _folded(context: Context, use: ast.Name) -> tuple[Edit, ...] | None:
    if not context.editable(use):
        return None
    fold = Fold(context)
    node, truth = fold.decided(use, True)
    parent = context.module.parents[node]
    if not isinstance(parent, ast.If | ast.IfExp | ast.While | ast.Assert | ast.BoolOp):
        return None
    if isinstance(parent, ast.BoolOp) and not isinstance(
        context.module.parents[parent], ast.If | ast.IfExp | ast.While
    ):
        return None  # its value may be kept
    if branches.missed(context, node, truth) is not None:
        return None  # the name lets the user see what would go
    if any(_stays(context, part) for part in ast.walk(context.module.statement(use))):
        return None
    return fold.folded(node, truth)


def _stays(context: Context, node: ast.AST) -> bool:
    """A "cuda" that isn't seen to reach a device, or what only CUDA has: the condition is the better place for it."""
    if isinstance(node, ast.expr) and cuda.is_cuda_string(node):
        return not context.flow.reach(node).sinks
    return isinstance(node, ast.Name | ast.Attribute | ast.Constant | ast.Import | ast.ImportFrom) and (
        needs_cuda(context, node) is not None
    )


def _span(edit: Edit) -> Span | None:
    """The range of the kinds of edit that folding makes."""
    if isinstance(edit, Replace):
        return edit.span
    return edit.statement if isinstance(edit, RemoveStatement | ReplaceStatement) else None


def _are_apart(spans: list[Span | None]) -> bool:
    """Whether no two of the edits touch the same code, as those of an ``if`` within another one do."""
    ordered = sorted(span for span in spans if span is not None)
    if len(ordered) != len(spans):
        return False
    return all(not left.overlaps(right) for left, right in pairwise(ordered))
