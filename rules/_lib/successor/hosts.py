"""What a program of one process for all chips does with the number of its host: each process has one of its own now."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.looked_at import uses_of_parameter
from xlaport.facts.program import Facts

from ..arguments import by_parameter
from ..device.branches import says_something
from ..distributed.names import SAMPLERS

SAMPLER = ("dataset", "num_replicas", "rank")


def picks_one(context: Context, node: ast.expr) -> bool:
    """Whether a number only picks one for some work (``== 0``), or is printed: through names, and functions it goes to.

    The rank of a sampler is another matter, which a rule looks after (XP961).
    """
    return _picks(context, context.view.own, node, frozenset())


def is_rank_of_sampler(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression is the `rank` of a `DistributedSampler`."""
    parent = facts.module.parents[node]
    call = facts.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    is_sampler = isinstance(call, ast.Call) and facts.names.resolve(call.func) in SAMPLERS
    return is_sampler and isinstance(call, ast.Call) and by_parameter(call, SAMPLER).get("rank") is node


def _picks(context: Context, facts: Facts, node: ast.expr, seen: frozenset[ast.AST]) -> bool:
    parent = facts.module.parents[node]
    match parent:
        case ast.Compare(ops=[ast.Eq() | ast.NotEq() | ast.Gt() | ast.Lt()]):
            return any(
                isinstance(side, ast.Constant) and side.value == 0 for side in (parent.left, *parent.comparators)
            )
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.If() | ast.While() | ast.IfExp():
            return parent.test is node
        case ast.FormattedValue():
            text = facts.module.parents[parent]
            return isinstance(text, ast.expr) and _is_said(context, facts, text)
    if node in seen:
        return True
    call = facts.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if isinstance(call, ast.Call) and call.func is not node:
        return _is_said(context, facts, node) or _goes_on(context, facts, call, node, seen | {node})
    kept = _kept(context, facts, parent, node)
    return kept is not None and all(_picks(context, there, use, seen | {node}) for there, use in kept)


def _is_said(context: Context, facts: Facts, node: ast.expr) -> bool:
    parent = facts.module.parents[node]
    call = facts.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    return isinstance(call, ast.Call) and call.func is not node and says_something(context.of(facts), call)


def _goes_on(context: Context, facts: Facts, call: ast.Call, node: ast.expr, seen: frozenset[ast.AST]) -> bool:
    if is_rank_of_sampler(facts, node):
        return isinstance(node, ast.Name | ast.Attribute)
    try:
        there, _, uses = uses_of_parameter(facts, call, node)
    except LookupError:
        return False
    return all(_picks(context, there, use, seen) for use in uses)


def _kept(context: Context, facts: Facts, parent: ast.AST, node: ast.expr) -> list[tuple[Facts, ast.expr]] | None:
    """The uses of the name or attribute that a value is assigned to; None where it may go somewhere else."""
    match parent:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return _uses(context, facts, target)
        case ast.Tuple(elts=values):
            above = facts.module.parents[parent]
            if isinstance(above, ast.Assign) and len(above.targets) == 1 and isinstance(above.targets[0], ast.Tuple):
                targets = above.targets[0].elts
                return _uses(context, facts, targets[values.index(node)]) if len(targets) == len(values) else None
    return None


def _uses(context: Context, facts: Facts, target: ast.expr) -> list[tuple[Facts, ast.expr]] | None:
    own, program = context.view.own, context.view.program
    if isinstance(target, ast.Name):
        is_global = facts.module.function(target) is None
        if is_global and any(facts.file in files for files in program.graph.imports.values()):
            return None
        return [(facts, use) for use in facts.names.uses_of(target)]
    if not isinstance(target, ast.Attribute):
        return None
    return [
        (there, node)
        for there in dict.fromkeys((own, *context.flow.structure.analysis(own).files()))
        for node in there.module.of_type(ast.Attribute)
        if node.attr == target.attr and isinstance(node.ctx, ast.Load)
    ]
