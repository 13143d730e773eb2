"""Processes that take turns: the others wait at one barrier while the first works, and it meets them at a second one.

``if rank != 0: dist.barrier()``, the download, ``if rank == 0: dist.barrier()``: each process comes to one of the two.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from xlaport.context import Context
from xlaport.facts.module import is_elif, walk_block
from xlaport.facts.structure import Function

from .. import ranks
from . import names

_MANAGER = "contextlib.contextmanager"


def is_meeting(context: Context, call: ast.AST) -> bool:
    """Whether a call waits for all processes, and does nothing else."""
    if not isinstance(call, ast.Call):
        return False
    meaning = "rendezvous"
    spelled = {names.BARRIER, context.target.symbol(meaning).qualified, *context.target.other_spellings(meaning)}
    return context.resolve(call.func) in spelled


def takes_turns(context: Context, guard: ast.If, works: Callable[[Context, list[ast.stmt]], bool]) -> bool:
    """Whether a barrier under a condition on the rank has its counterpart for all other processes in the same block.

    `works`: whether statements come to work of all processes, which has to stand outside of the turns.
    """
    if not _is_turn(context, guard, works):
        return False
    block = context.module.block(guard)
    place = block.index(guard)
    later = (s for s in block[place + 1 :] if isinstance(s, ast.If) and _is_turn(context, s, works))
    earlier = (s for s in reversed(block[:place]) if isinstance(s, ast.If) and _is_turn(context, s, works))
    for other in (next(later, None), next(earlier, None)):
        if other is not None and _complete(context, guard.test, other.test):
            first, last = sorted((place, block.index(other)))
            between = block[first + 1 : last]
            return not works(context, between) and _all_come_behind(context, guard, between, works)
    return False


def _is_turn(context: Context, guard: ast.If, works: Callable[[Context, list[ast.stmt]], bool]) -> bool:
    """Whether a condition lets some processes come to one barrier, and to nothing else that all have to do."""
    if guard.orelse or is_elif(context.module, guard):
        return False
    waits = [s for s in guard.body if isinstance(s, ast.Expr) and is_meeting(context, s.value)]
    return len(waits) == 1 and not works(context, [s for s in guard.body if s not in waits]) and not _leaves(guard.body)


def _leaves(block: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Return | ast.Break | ast.Continue) for node in walk_block(block))


def _all_come_behind(
    context: Context, guard: ast.If, between: list[ast.stmt], works: Callable[[Context, list[ast.stmt]], bool]
) -> bool:
    """Whether who comes to the first barrier, or passes it, comes to the second one."""
    if _leaves(between):
        return False
    yields = [n for n in walk_block(between) if isinstance(n, ast.Yield | ast.YieldFrom | ast.Await)]
    if not yields:
        return True
    function = context.module.function(guard)
    if (
        not isinstance(function, ast.FunctionDef)
        or len(yields) != 1
        or context.module.statement(yields[0]) not in between
    ):
        return False
    if not any(context.resolve(decorator) == _MANAGER for decorator in function.decorator_list):
        return False
    sites = context.flow.structure.calls_to(Function(context.view.own, function))
    return bool(sites) and all(_is_waited_around(context.of(site.facts), site.node, works) for site in sites)


def _is_waited_around(context: Context, call: ast.Call, works: Callable[[Context, list[ast.stmt]], bool]) -> bool:
    """Whether a context manager is entered where it is made, around what is no work of all."""
    item = context.module.parents[call]
    block = context.module.parents[item]
    return isinstance(item, ast.withitem) and isinstance(block, ast.With) and not works(context, block.body)


# -- conditions ----------------------------------------------------------------------------------------------------


def _complete(context: Context, one: ast.expr, other: ast.expr) -> bool:
    """Whether one of two conditions picks the first process, and the other one the rest, with nothing else between."""
    for first, rest in ((one, other), (other, one)):
        asked, left = _conjuncts(first), _conjuncts(rest)
        for pick in asked:
            if ranks.master(context, pick) is None:
                continue
            for leave in left:
                if _same(context, _first(pick), _others(context, leave)):
                    same = [c for c in asked if c is not pick], [c for c in left if c is not leave]
                    return len(same[0]) == len(same[1]) and all(map(lambda a, b: _same(context, a, b), *same))
    return False


def _conjuncts(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def _first(test: ast.expr) -> ast.expr:
    """The rank of ``rank == 0``, ``rank in [-1, 0]``, ``not rank``; what says it by itself as it is."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return test.left
    return test


def _others(context: Context, test: ast.expr) -> ast.expr | None:
    """The rank of ``rank != 0``, ``rank not in [-1, 0]``, ``rank > 0``; what picks the first of ``not is_main``."""
    if ranks.master(context, test) is not None:
        return None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _first(test.operand) if ranks.master(context, test.operand) is not None else None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return test
    operator, number = test.ops[0], test.comparators[0]
    if isinstance(operator, ast.NotIn) and isinstance(number, ast.List | ast.Tuple | ast.Set):
        values = {ast.unparse(element) for element in number.elts}
        return test.left if "0" in values and values <= {"-1", "0"} else None
    told = ast.unparse(number)
    is_rest = (isinstance(operator, ast.NotEq | ast.Gt) and told == "0") or (
        isinstance(operator, ast.GtE) and told == "1"
    )
    return test.left if is_rest else None


def _same(context: Context, one: ast.expr, other: ast.expr | None) -> bool:
    """Whether two expressions are written alike, and mean the same bindings."""
    if other is None or ast.dump(one) != ast.dump(other):
        return False
    pairs = zip(ast.walk(one), ast.walk(other), strict=True)
    return all(
        set(context.names.reaching(a)) == set(context.names.reaching(b))
        for a, b in pairs
        if isinstance(a, ast.Name) and isinstance(b, ast.Name)
    )
