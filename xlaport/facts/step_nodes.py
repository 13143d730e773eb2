"""The nodes of the code of a step, as they run: without nested functions, step loops within and dead branches."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, overload

from xlaport.facts import torch_versions
from xlaport.facts.loops import LOOPS, Loops, StepLoop
from xlaport.facts.module import FunctionNode

APART = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)

A = TypeVar("A", bound=ast.AST)
B = TypeVar("B", bound=ast.AST)


@dataclass(frozen=True)
class StepBody:
    """Statements that run once in each step: the body of a step loop, or of a function that the step calls."""

    statements: tuple[ast.stmt | ast.expr, ...]
    loop: StepLoop | None
    """The step loop; None for the ``forward()`` of a model whose steps are in another file, and for hooks."""
    function: FunctionNode | None
    """The function that the step calls; None for the loop's own body."""


class StepNodes:
    """Walks over the bodies of a file."""

    def __init__(self, loops: Loops) -> None:
        self.facts = loops.facts
        self.module = loops.module
        self.names = loops.facts.names
        self.loops = loops
        self._nodes: dict[tuple[ast.AST, ...], list[ast.AST]] = {}
        self._typed: dict[tuple[object, ...], list[ast.AST]] = {}

    def nodes(self, body: StepBody) -> list[ast.AST]:
        """The nodes that run in each step of a body, without those of nested functions and of nested step loops.

        Do not change the list: it is kept.
        """
        key = body.statements
        if key not in self._nodes:
            self._nodes[key] = list(self.walk(body.statements))
        return self._nodes[key]

    @overload
    def of_type(self, body: StepBody, kind: type[A], /) -> list[A]: ...

    @overload
    def of_type(self, body: StepBody, kind: type[A], other: type[B], /) -> list[A | B]: ...

    @overload
    def of_type(self, body: StepBody, /, *kinds: type[ast.AST]) -> list[ast.AST]: ...

    def of_type(self, body: StepBody, /, *kinds: type[ast.AST]) -> Sequence[ast.AST]:
        """Those of `nodes` that are of some concrete types. Do not change the list: it is kept."""
        key = (body.statements, *kinds)
        if key not in self._typed:
            self._typed[key] = [node for node in self.nodes(body) if type(node) in kinds]
        return self._typed[key]

    def walk(self, statements: Iterable[ast.stmt | ast.expr]) -> Iterator[ast.AST]:
        """The nodes that run with the statements, outside of step loops among them."""
        todo: list[ast.AST] = list(reversed(list(statements)))
        while todo:
            node = todo.pop()
            yield node
            if isinstance(node, APART):
                continue
            if isinstance(node, LOOPS) and self.loops.step_loop(node) is not None:
                todo += [*reversed(node.orelse), node.test if isinstance(node, ast.While) else node.iter]
                continue
            if isinstance(node, ast.If | ast.IfExp):
                todo += reversed(self._sides(node))
                continue
            todo.extend(reversed(self.module.children[node]))

    def _sides(self, node: ast.If | ast.IfExp) -> list[ast.AST]:
        """What runs of a branch: both sides and the question, unless that is for a version of torch long gone."""
        holds = torch_versions.answer(self.names, node.test)
        if holds is None:
            return list(self.module.children[node])
        kept = node.body if holds else node.orelse
        return list(kept) if isinstance(kept, list) else [kept]
