"""Functions of the project that make a sum or a mean of what they get: of what is zero where a mask leaves out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from xlaport.analysis.definitions import Function
from xlaport.analysis.value import UNKNOWN, Bound, each_alternative
from xlaport.context import Context

from . import elements
from .elements import Rest
from .operation import Call
from .reductions import reduced, reduction
from .selection import Selection
from .spreading import Spread, Spreading


def hands_over(context: Context, node: ast.Call) -> bool:
    """Whether all that a call may run is known, and makes one value: ``lambda a, b: ((a - b) ** 2).mean()``."""
    return bool(list(_reducing(context, node) or ()))


def reduction_of(context: Context, node: ast.Call, zeros: Mapping[ast.expr, Spread], rows: int) -> str | None:
    """What a call makes of arguments that are zero in the places that are left out: `sum` or `mean` of what is zero
    there, too; None where it may be anything else.
    """
    found: set[str | None] = set()
    for there, passed, (made, call) in _reducing(context, node) or ():
        given = {name: zeros[written] for name, written in passed.items() if written is not None and written in zeros}
        if len(given) != len(zeros) or "weight" in call.keywords:
            return None
        inside = _Inside(there, node, given)
        operands = [inside.of(operand, rows) for operand in call.operands]
        are_zero = all(each is not None and each.rest is Rest.ZERO and not each.is_truth for each in operands)
        found.add((made if made in ("sum", "mean") else reduction(call)) if are_zero else None)
    return found.pop() if len(found) == 1 else None


_Found = tuple[Context, Mapping[str, ast.expr | None], tuple[str, Call]]


def _reducing(context: Context, node: ast.Call) -> Iterator[_Found] | None:
    """The functions that a call may run, each with its file, what it gets, and what it makes of that."""
    analysis = context.flow.structure.analysis(context.view.own)
    refers = [each.refers for each in each_alternative(analysis.value_at(node.func) or UNKNOWN)]
    functions = [each.definition if isinstance(each, Bound) else each for each in refers]
    run = {function.node: passed for function, passed in analysis.run_by(node).items()}
    found: list[_Found] = []
    for function in functions:
        facts = analysis.facts(function.file) if isinstance(function, Function) else None
        if not isinstance(function, Function) or facts is None or function.node not in run or function.decorators:
            return None
        there, returned = context.of(facts), _returned(function.node)
        made = reduced(there, returned) if isinstance(returned, ast.Call) else None
        if made is None or made[0] in elements.CLASSIFYING:
            return None
        found.append((there, run[function.node], made))
    return iter(found)


def _returned(function: ast.AST) -> ast.expr | None:
    """What a function gives that does nothing else."""
    if isinstance(function, ast.Lambda):
        return function.body
    body = function.body if isinstance(function, ast.FunctionDef) else []
    last = body[-1] if len(body) == 1 or (len(body) == 2 and _is_text(body[0])) else None
    return last.value if isinstance(last, ast.Return) else None


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class _Inside(Spreading):
    """The expressions of such a function, whose parameters stand for what they are given."""

    def __init__(self, context: Context, call: ast.Call, given: Mapping[str, Spread]) -> None:
        super().__init__(context, call)
        self.given = given

    def of(self, node: ast.expr, rows: int = 0) -> Spread | None:
        """An expression of parameters."""
        if isinstance(node, ast.Name):
            return self.given.get(node.id)
        return super().of(node, rows)

    def _selected(self, found: Selection, rows: int) -> Spread | None:
        return None
