"""Branches that ask how many places there are, and whether a choice on the device does the same without them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.derived import Derived
from xlaport.facts.module import FunctionNode, LoopNode, last_name, walk_block

from ..one_line import one_line
from .true_places import Places, uses_of

_COLLECTING = frozenset({"append", "extend", "insert", "appendleft"})
_DRAWING = frozenset("multinomial randint choice choices sample randrange Categorical".split())
"""What draws one of the places: of none, it raises, or gives a place that is not among them."""


def branch_on_count(context: Context, counts: list[ast.expr]) -> ast.If | None:
    """The branch that asks for the first of some counts."""
    for count in counts:
        for parent in context.module.ancestors(count):
            if isinstance(parent, ast.If) and count in set(ast.walk(parent.test)):
                return parent
    return None


def about(context: Context, places: Places, branch: ast.If) -> str:
    """What to do with a branch where all places are computed with, as a sentence."""
    line = context.line(branch)
    guarded = _guarded(context, branch)
    drawn = next(_drawing(context, places, guarded), None)
    rows = _rows(context, places, drawn) if drawn is not None else None
    if drawn is not None and rows is not None:
        tensor, mask = rows
        return (
            f". {last_name(drawn.func)}() in line {context.line(drawn)} draws in each row: draw in all of them, of "
            f"torch.where({mask}[:, None], {tensor}, 1), in which none is empty, leave the branch in line {line} out, "
            "and let the mask leave out what was drawn in the other rows"
        )
    if drawn is not None:
        return (
            f". The branch in line {line} keeps {last_name(drawn.func)}() in line {context.line(drawn)} from an empty "
            "choice, which torch.where() does not: draw on the host, with what decides it fetched once, by .cpu(), or "
            "draw by the mask, as weights, and remember in another mask that nothing of it counts where the first is "
            "true nowhere"
        )
    collected = next(_collecting(guarded), None)
    if collected is not None:
        return (
            f". The branch in line {line} decides whether {one_line(context, collected.func)}() in line "
            f"{context.line(collected)} runs, and torch.where() leaves nothing out of a list: collect in every case, "
            "with a mask that says what counts, or do this part on the host, with what decides it fetched once, by "
            ".cpu()"
        )
    return f". The branch in line {line} asks how many there are: leave that out, and let torch.where() decide"


def _rows(context: Context, places: Places, drawn: ast.Call) -> tuple[str, str] | None:
    """The tensor whose rows at the places are the weights of a draw, and the mask; None where the places are drawn.

    The mask is what a sum over each row, or another reduction of it, says: ``w[(w.sum(dim=1) > 0).nonzero()]``.
    """
    weights = drawn.args[0] if last_name(drawn.func) == "multinomial" and drawn.args else None
    reduces = any(
        isinstance(n, ast.Call) and any(k.arg in ("dim", "axis") for k in n.keywords) for n in ast.walk(places.mask)
    )
    if weights is None or not reduces:
        return None
    for used in uses_of(context, places):
        if isinstance(used.node, ast.Subscript) and Derived(context.view.own, used.node).has(weights):
            mask = one_line(context, places.mask)
            return one_line(context, used.node.value), f"({mask})" if isinstance(places.mask, ast.Compare) else mask
    return None


def can_go(context: Context, places: Places, branch: ast.If) -> bool:
    """Whether nothing that a branch guards needs a place, or is a list of the host."""
    guarded = _guarded(context, branch)
    return not any(True for _ in _drawing(context, places, guarded)) and not any(True for _ in _collecting(guarded))


def _guarded(context: Context, branch: ast.If) -> list[ast.stmt]:
    """What runs by the answer: the sides of a branch, and, where one of them leaves, what follows the branch."""
    sides = [*branch.body, *branch.orelse]
    if not any(isinstance(n, ast.Continue | ast.Break | ast.Return) for n in walk_block(sides)):
        return sides
    found: list[ast.stmt] = list(sides)
    child: ast.AST = branch
    for parent in context.module.ancestors(branch):
        for block in _blocks(parent):
            if any(child is statement for statement in block):
                found += block[[statement is child for statement in block].index(True) + 1 :]
        if isinstance(parent, LoopNode | FunctionNode):
            break
        child = parent
    return found


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield block


def _calls(statements: list[ast.stmt]) -> Iterator[ast.Call]:
    yield from (n for n in walk_block(statements) if isinstance(n, ast.Call))


def _drawing(context: Context, places: Places, statements: list[ast.stmt]) -> Iterator[ast.Call]:
    derived = Derived(context.view.own, places.call)
    for call in _calls(statements):
        given = [*call.args, *(k.value for k in call.keywords), call.func]
        if last_name(call.func) in _DRAWING and any(derived.has(argument) for argument in given):
            yield call


def _collecting(statements: list[ast.stmt]) -> Iterator[ast.Call]:
    yield from (
        call for call in _calls(statements) if isinstance(call.func, ast.Attribute) and call.func.attr in _COLLECTING
    )
