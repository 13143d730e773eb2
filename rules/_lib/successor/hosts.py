"""What a program of one process for all chips does with the number of its host: each process has one of its own now."""

from __future__ import annotations

import ast
from collections.abc import Iterator

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
    kept = _kept(facts, parent, node)
    return bool(kept) and all(_picks(context, there, use, seen | {node}) for there, use in kept)


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


def _kept(facts: Facts, parent: ast.AST, node: ast.expr) -> list[tuple[Facts, ast.expr]]:
    """The uses of a name or attribute that a value is assigned to; none where there may be others."""
    match parent:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return list(_uses(facts, target))
        case ast.Tuple(elts=values):
            above = facts.module.parents[parent]
            if isinstance(above, ast.Assign) and len(above.targets) == 1 and isinstance(above.targets[0], ast.Tuple):
                targets = above.targets[0].elts
                return list(_uses(facts, targets[values.index(node)])) if len(targets) == len(values) else []
    return []


def _uses(facts: Facts, target: ast.expr) -> Iterator[tuple[Facts, ast.expr]]:
    if isinstance(target, ast.Name):
        yield from ((facts, use) for use in facts.names.uses_of(target))
    elif isinstance(target, ast.Attribute):
        for node in facts.module.of_type(ast.Attribute):
            if node.attr == target.attr and isinstance(node.ctx, ast.Load):
                yield facts, node
