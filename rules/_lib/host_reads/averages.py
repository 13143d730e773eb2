"""Arrays that a loop fills from the first element to the last, and of which only the mean is asked."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.names import Binding, Scope

from .beginning import is_undecided
from .fillings import Filling

_MEANS = frozenset({"torch.mean", "numpy.mean"})
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Try)


def is_averaged(context: Context, home: Scope, fillings: Sequence[Filling], starts: Sequence[Binding]) -> bool:
    """Whether ``losses = torch.zeros(n)`` gets each of its elements in turn, and then gives its mean alone."""
    if len(fillings) != 1 or len(starts) != 1:
        return False
    filling, start = fillings[0], starts[0]
    uses = (use for use in context.names.uses(home, start.name) if use is not filling.before)
    return (
        _is_filled(context, filling, start)
        and all(_is_mean(context, use) for use in uses)
        and not is_undecided(context, start.node, filling.loop)
    )


def _is_filled(context: Context, filling: Filling, start: Binding) -> bool:
    loop, made, statement = filling.loop.node, start.given, filling.statement
    if not isinstance(loop, ast.For) or not isinstance(made, ast.Call) or not isinstance(statement, ast.Assign):
        return False
    block, target, place = context.module.block(loop), statement.targets[0], loop.target
    begin = context.module.statement(start.node)
    if begin not in block or block.index(begin) > block.index(loop) or statement not in loop.body:
        return False
    turns = loop.iter
    if not isinstance(turns, ast.Call) or context.resolve(turns.func) != "builtins.range" or len(turns.args) != 1:
        return False
    if not isinstance(place, ast.Name) or not isinstance(target, ast.Subscript):
        return False
    if not isinstance(target.slice, ast.Name) or target.slice.id != place.id:
        return False
    if [b.node for b in context.names.reaching(target.slice)] != [place]:
        return False
    return _are_alike(context, made.args[0], turns.args[0]) and not any(
        isinstance(node, _LEAVING) for node in walk_block(loop.body)
    )


def _are_alike(context: Context, count: ast.expr, turns: ast.expr) -> bool:
    if isinstance(count, ast.Name) and isinstance(turns, ast.Name):
        return count.id == turns.id and context.names.reaching(count) == context.names.reaching(turns)
    return isinstance(count, ast.Constant) and isinstance(turns, ast.Constant) and count.value == turns.value


def _is_mean(context: Context, use: ast.Name) -> bool:
    """``losses.mean()``, ``np.mean(losses)``."""
    parents = context.module.parents
    asked = parents[use]
    if isinstance(asked, ast.Attribute) and asked.attr == "mean":
        call = parents[asked]
        return isinstance(call, ast.Call) and call.func is asked and not call.args and not call.keywords
    is_alone = isinstance(asked, ast.Call) and asked.args == [use] and not asked.keywords
    return isinstance(asked, ast.Call) and is_alone and context.resolve(asked.func) in _MEANS
