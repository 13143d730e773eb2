"""How often code in a loop runs: on every pass, or only now and then."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import NamedTuple

from xlaport.facts.module import FunctionNode, LoopNode, Module, last_name

Around = LoopNode | FunctionNode | ast.Lambda
"""What runs again and again."""
_PROCESS = re.compile(
    r"^(get_)?(local_|global_)?rank$|^(get_)?world_size$|^is_(the_)?(main|master|primary|chief|rank)(_|$)"
    r"|^is_(distributed|available|initialized)$"
)


def is_on_every_pass(module: Module, loop: Around, node: ast.AST, through: Collection[ast.AST] = ()) -> bool:
    """Whether a node in a loop runs on each pass: under no condition that may be true in one pass and not in the next.

    The same for a function that is called on each pass, whose arguments may be others each time. Conditions of
    `through` count as true: those of a step that goes over several passes.

    What stands in a loop of its own, or in an exception handler, does not; but what the loop goes through does.
    """
    child: ast.AST = node
    for parent in module.ancestors(node):
        if parent is loop:
            return True
        if isinstance(parent, ast.If) and child is not parent.test and parent not in through:
            is_zero = _is_remainder(parent.test) and not _is_of_two(parent.test) and child in parent.orelse
            may_be_false = varies(parent.test, loop) or is_zero
            if may_be_false and not (is_last_otherwise(parent, child) or _is_after_warm_up(parent, child, loop)):
                return False
        is_once = isinstance(parent, ast.For | ast.AsyncFor) and child is parent.iter
        if isinstance(parent, ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler) and not is_once:
            return False
        if is_passed_over(parent, child):
            return False
        child = parent
    return True


def is_passed_over(parent: ast.AST, child: ast.AST) -> bool:
    """Whether an operand is evaluated in every n-th pass only: ``child`` of ``step % 100 == 0 and child``."""
    if isinstance(parent, ast.IfExp):
        return child is parent.body and is_now_and_then(parent.test)
    if not isinstance(parent, ast.BoolOp):
        return False
    before = parent.values[: next(i for i, value in enumerate(parent.values) if value is child)]
    if isinstance(parent.op, ast.And):
        return any(is_now_and_then(value) for value in before)
    return any(_is_false_now_and_then(value) for value in before)


def behind_usual_exit(module: Module, node: ast.AST) -> list[ast.stmt] | None:
    """What runs in every n-th pass only, a node in it: all behind ``if step % 100: return``, or ``continue``."""
    child: ast.AST = node
    for parent in module.ancestors(node):
        if isinstance(child, ast.stmt):
            block = module.block(child)
            for place, statement in enumerate(block[: block.index(child)]):
                if isinstance(statement, ast.If) and _leaves_usually(statement):
                    return block[place + 1 :]
        if isinstance(parent, FunctionNode | LoopNode):
            return None
        child = parent
    return None


def _leaves_usually(branching: ast.If) -> bool:
    tests = [branching.test]
    if isinstance(branching.test, ast.BoolOp) and isinstance(branching.test.op, ast.Or):
        tests = branching.test.values
    return isinstance(branching.body[-1], ast.Return | ast.Continue) and any(map(_is_usual, tests))


def _is_usual(test: ast.expr) -> bool:
    """``step % 100 != 0``, ``not step % 100 == 0``."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return is_now_and_then(test.operand)
    return _is_false_now_and_then(test)


def _is_after_warm_up(branching: ast.If, child: ast.AST, loop: Around) -> bool:
    """Whether a branch runs on each pass from one on: ``if step > warmup: …``, of a number that only grows.

    The last passes, ``if step > total - 100:``, look the same: a bound that is computed is none of a warm-up.
    """
    test = branching.test
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _ORDERS)):
        return False
    sides = (test.left, test.comparators[0])
    if isinstance(test.ops[0], ast.Lt | ast.LtE):
        sides = sides[::-1]
    if any(child is statement for statement in branching.orelse):
        sides = sides[::-1]
    grows, stays = sides
    if not isinstance(grows, ast.Name) or not isinstance(stays, ast.Name | ast.Attribute | ast.Constant):
        return False
    return _only_grows(grows.id, loop) and not varies(stays, loop)


_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def _only_grows(name: str, loop: Around) -> bool:
    """Whether a loop counts with a name: ``step += 1``, or the numbers of ``range()`` and ``enumerate()``."""
    bound = _bound_in(loop)
    binds, counts = bound.variables.get(name, ()), list(bound.raised)
    if isinstance(loop, ast.For) and isinstance(loop.iter, ast.Call):
        called = last_name(loop.iter.func)
        if called == "range" and len(loop.iter.args) < 3:
            counts.append(loop.target)
        elif called == "enumerate" and isinstance(loop.target, ast.Tuple):
            counts.append(loop.target.elts[0])
    return bool(binds) and all(any(node is count for count in counts) for node in binds)


def _is_positive(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, int) and value.value > 0


def is_last_otherwise(branching: ast.If, child: ast.AST) -> bool:
    """Whether there is no further pass where a branch of an ``if`` is not taken: ``if i < n: … else: break``."""
    other = branching.orelse if any(child is statement for statement in branching.body) else branching.body
    return bool(other) and isinstance(other[-1], ast.Break | ast.Return | ast.Raise)


def varies(test: ast.expr, loop: Around, is_fixed: Callable[[str], bool] = lambda _: False) -> bool:
    """Whether a condition may be true in one pass and false in the next; `is_fixed` knows parameters that stay."""
    if _is_remainder(test):
        return False  # `if step % 100:` is false once in a hundred steps
    if any(isinstance(node, ast.Call) and not _asks_for_process(node) for node in ast.walk(test)):
        return True
    names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    if not names:
        return False
    bound = _bound_in(loop)
    names -= {name for name in names & bound.parameters if is_fixed(name)}
    return not names.isdisjoint(bound.parameters) or not names.isdisjoint(bound.variables)


def _asks_for_process(call: ast.Call) -> bool:
    """``get_rank()``, ``dist.is_primary()``, ``dist.is_initialized()``: what kind of process this is, and it stays."""
    return not call.args and not call.keywords and _PROCESS.search(last_name(call.func) or "") is not None


class _Bound(NamedTuple):
    """What a loop or a function binds, with all that is in it."""

    variables: dict[str, list[ast.Name]]
    parameters: set[str]
    raised: list[ast.expr]
    """What gets a positive number added."""


@lru_cache(maxsize=64)  # each is asked for again and again, while one file is at work
def _bound_in(loop: Around) -> _Bound:
    found = _Bound({}, set(), [])
    for node in ast.walk(loop):
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                found.variables.setdefault(node.id, []).append(node)
        elif isinstance(node, ast.arg):
            found.parameters.add(node.arg)
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and _is_positive(node.value):
            found.raised.append(node.target)
    return found


def is_now_and_then(test: ast.expr) -> bool:
    """Whether a condition is true in every n-th pass only: ``step % 100 == 0``, and more."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(is_now_and_then(value) for value in test.values)
    if isinstance(test, ast.BoolOp):
        # `step % 100 == 0 or step == last`
        often = [value for value in test.values if not is_now_and_then(value)]
        return len(often) < len(test.values) and all(_is_equality(value) for value in often)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return isinstance(test.operand, ast.BinOp) and isinstance(test.operand.op, ast.Mod)
    if isinstance(test, ast.Compare) and _is_equality(test):
        return any(
            isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mod) for side in (test.left, *test.comparators)
        )
    return False


def _is_false_now_and_then(test: ast.expr) -> bool:
    """``step % 100`` and ``step % 100 != 0``."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.NotEq):
        return any(_is_remainder(side) for side in (test.left, *test.comparators))
    return _is_remainder(test) and not _is_of_two(test)


def _is_equality(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)


def _is_remainder(test: ast.expr) -> bool:
    return isinstance(test, ast.BinOp) and isinstance(test.op, ast.Mod)


def _is_of_two(test: ast.expr) -> bool:
    """``step % 2`` is zero in every other step."""
    return isinstance(test, ast.BinOp) and isinstance(test.right, ast.Constant) and test.right.value == 2
