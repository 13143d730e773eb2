"""How long the tensors of a pass stay what they are: whether a closure would still find them so."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.between import Stays
from xlaport.facts.loops import StepLoop
from xlaport.facts.names import How


class Lifetimes:
    """Questions about the tensors that statements of a step loop look at, which end with `last`."""

    def __init__(self, context: Context, loop: StepLoop, last: ast.stmt) -> None:
        self.context = context
        self.loop = loop
        self.last = last

    def change(self, name: ast.Name) -> Stays | None:
        """Why a tensor may be another, or be changed in place, by the time that a closure runs."""
        body = self.loop.node.body
        found = self.context.names.reaching(name)
        tops = [self._top(binding.node) for binding in found]
        if not found or any(top is None for top in tops) or any(b.how is How.AUGMENT for b in found):
            return Stays(f"{name.id} goes on from pass to pass, and is another by then")
        here = self._top(self.last)
        first = min(top for top in tops if top is not None)
        rest = [*body[(here or 0) + 1 :], *body[:first], *self._inside(), *self._behind()]
        if self.context.steps.between.is_changed_in({name.id}, self.last, rest):
            return Stays(f"{name.id} is changed in place later, and may be another by then")
        return None

    def _inside(self) -> Iterator[ast.stmt]:
        """What follows in the branches that the last statement stands in."""
        statement: ast.AST = self.last
        for parent in self.context.module.ancestors(self.last):
            if isinstance(statement, ast.stmt):
                block = self.context.module.block(statement)
                yield from block[block.index(statement) + 1 :]
            if parent is self.loop.node:
                return
            statement = parent

    def _behind(self) -> Iterator[ast.stmt]:
        """What follows behind the loop, in its function."""
        statement: ast.AST = self.loop.node
        for parent in self.context.module.ancestors(self.loop.node):
            if isinstance(statement, ast.stmt):
                block = self.context.module.block(statement)
                yield from block[block.index(statement) + 1 :]
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                return
            statement = parent

    def _top(self, node: ast.AST) -> int | None:
        """The statement of the loop's body that a node is in."""
        around = {node, *self.context.module.ancestors(node)}
        return next((i for i, s in enumerate(self.loop.node.body) if s in around), None)
