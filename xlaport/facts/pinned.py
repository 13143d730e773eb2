"""Numbers that have one value where they stand: ``t`` under ``if t == last:``, behind ``if t != last: continue``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from xlaport.analysis.branches import leaves
from xlaport.facts.change import A_FEW
from xlaport.facts.module import Module
from xlaport.facts.names import Names
from xlaport.facts.roles import dotted

_APART = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def in_most_passes(loop: ast.For | ast.AsyncFor | ast.While) -> list[ast.stmt]:
    """The statements of a loop without the branches that one pass of it takes: ``if i == 0: …``."""
    if isinstance(loop, ast.While) or not any(_is_of_one_pass(loop, statement) for statement in loop.body):
        return loop.body
    return [
        kept
        for statement in loop.body
        for kept in (
            statement.orelse if isinstance(statement, ast.If) and _is_of_one_pass(loop, statement) else [statement]
        )
    ]


def _is_of_one_pass(loop: ast.For | ast.AsyncFor, statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare):
        return False
    counted = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)} if _counts(loop.iter) else set()
    sides = [statement.test.left, *statement.test.comparators]
    is_equality = len(statement.test.ops) == 1 and isinstance(statement.test.ops[0], ast.Eq)
    return is_equality and any(isinstance(side, ast.Name) and side.id in counted for side in sides)


def _counts(iterated: ast.expr) -> bool:
    """``range(n)`` and ``reversed(range(n))``."""
    while isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) and iterated.args:
        if iterated.func.id in ("range", "trange"):
            return True
        iterated = iterated.args[0]
    return False


class Pinned:
    """Answers whether the conditions at a place leave a number no more than a few values."""

    def __init__(self, module: Module, names: Names, is_fixed: Callable[[ast.expr], bool]) -> None:
        """`is_fixed` says whether an expression is the same number in each step, as far as is known."""
        self.module = module
        self.names = names
        self._is_fixed = is_fixed

    def is_pinned(self, number: ast.Name | ast.Attribute, at: ast.expr | None = None) -> bool:
        """Whether a number is one of few where it is used, or where `at` stands, if it has not changed until there."""
        return any(
            self._leaves_few(test, truth, number, around) for around, test, truth in self._conditions(at or number)
        )

    def _leaves_few(self, test: ast.expr, truth: bool, number: ast.Name | ast.Attribute, around: ast.AST) -> bool:
        """Whether a number is one of few where a test is true, or false."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._leaves_few(test.operand, not truth, number, around)
        if isinstance(test, ast.BoolOp):
            parts = (self._leaves_few(value, truth, number, around) for value in test.values)
            return any(parts) if isinstance(test.op, ast.And) is truth else all(parts)
        return any(
            self._is_of(side, number, around) and all(self._is_fixed(value) for value in values)
            for side, values in _equalities(test, truth)
        )

    def _is_of(self, side: ast.expr, number: ast.Name | ast.Attribute, around: ast.AST) -> bool:
        """Whether an expression is the number, or that and fixed numbers: one value of it is one of the number."""
        if isinstance(side, ast.Name | ast.Attribute) and self._is_same(side, number, around):
            return True
        if isinstance(side, ast.Name):
            value = self.names.assigned(side)
            return isinstance(value, ast.BinOp | ast.UnaryOp) and self._is_of(value, number, around)
        if isinstance(side, ast.UnaryOp) and isinstance(side.op, ast.USub):
            return self._is_of(side.operand, number, around)
        if isinstance(side, ast.BinOp) and isinstance(side.op, ast.Add | ast.Sub):
            pairs = ((side.left, side.right), (side.right, side.left))
            return any(self._is_of(one, number, around) and self._is_fixed(other) for one, other in pairs)
        return False

    def _is_same(self, one: ast.Name | ast.Attribute, number: ast.Name | ast.Attribute, around: ast.AST) -> bool:
        if isinstance(one, ast.Name) and isinstance(number, ast.Name):
            if one.id != number.id:
                return False
            return set(self.names.reaching(one)) == set(self.names.reaching(number))
        path = dotted(number)
        if path is None or dotted(one) != path:
            return False
        # What changes the attribute stands elsewhere: then it is what was compared.
        return not any(
            isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load) and dotted(n) == path
            for n in ast.walk(around)
        )

    def _conditions(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr, bool]]:
        """The tests that came out true, or false, where a node runs, each with what it is asked in front of."""
        child = node
        for parent in self.module.ancestors(node):
            if isinstance(parent, ast.If | ast.While | ast.IfExp) and child is not parent.test:
                body = parent.body if isinstance(parent.body, list) else [parent.body]
                is_body = any(child is part for part in body)
                if is_body or not isinstance(parent, ast.While):
                    yield parent, parent.test, is_body
            elif isinstance(parent, ast.BoolOp):
                for value in parent.values[: parent.values.index(child)] if child in parent.values else ():
                    yield parent, value, isinstance(parent.op, ast.And)
            if isinstance(child, ast.stmt):
                yield from self._earlier(parent, child)
            if isinstance(parent, _APART):
                return
            child = parent

    def _earlier(self, parent: ast.AST, child: ast.stmt) -> Iterator[tuple[ast.AST, ast.expr, bool]]:
        """``if t != last: continue`` and assertions, in the same block in front of a statement."""
        for statement in self.module.block(child):
            if statement is child:
                return
            if isinstance(statement, ast.Assert):
                yield parent, statement.test, True
            elif isinstance(statement, ast.If) and leaves(statement.body) != leaves(statement.orelse):
                yield parent, statement.test, leaves(statement.orelse)


def _equalities(test: ast.expr, truth: bool) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    """What is equal to one of a few expressions where a test is true, or false."""
    if isinstance(test, ast.Name | ast.Attribute):
        if not truth:
            yield test, []
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        other = test.comparators[0]
        if isinstance(test.ops[0], ast.Eq if truth else ast.NotEq):
            yield test.left, [other]
            yield other, [test.left]
        elif isinstance(test.ops[0], ast.In if truth else ast.NotIn):
            if isinstance(other, ast.Tuple | ast.List | ast.Set) and len(other.elts) <= A_FEW:
                yield test.left, other.elts
