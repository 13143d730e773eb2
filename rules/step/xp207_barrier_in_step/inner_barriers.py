"""Barriers in the middle of a step that has another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts.frequency import varies
from xlaport.facts.loops import LOOPS, LoopKind, StepLoop
from xlaport.facts.module import FunctionNode, LoopNode, walk_block

from ..._lib.step import waiting
from ..._lib.step.traces import is_step_trace


@dataclass(frozen=True)
class InnerBarrier:
    """A barrier with work of the same step on both sides."""

    call: ast.Call
    statement: ast.stmt
    loop: StepLoop | None
    """The step loop; None for the ``forward()`` of a model that other files step."""
    removable: bool
    """A statement by itself, without which the step's own body still has a barrier."""


@dataclass(frozen=True)
class _Place:
    """A barrier on each pass, with the statements of the pass before and behind it, in their order."""

    call: ast.Call
    statement: ast.stmt
    before: tuple[ast.stmt, ...]
    after: tuple[ast.stmt, ...]
    top: bool
    """It stands in the body of the loop itself."""


def inner_barriers(context: Context) -> Iterator[InnerBarrier]:
    """The barriers of a file that cut a step in two."""
    seen: set[ast.Call] = set()
    for loop in context.loops.all():
        if loop.kind is LoopKind.ACT or context.steps.passes.accumulation(loop) is not None:
            continue
        finder = _Finder(context, loop.node)
        places = list(finder.places(loop.node.body, (), (), True, frozenset()))
        inner = [found for place in places if (found := finder.inner(place, loop)) is not None]
        calls = {found.call for found in inner}
        kept = [place for place in places if place.call not in calls]
        cut = loop.cut_by_loader or finder.ends_in_step_trace(loop) or bool(kept)
        if not cut:
            # As long as there is only one, each pass is one graph, wherever the barrier stands.
            inner = inner[:-1]
        top = loop.cut_by_loader or any(place.top for place in kept)
        for found in inner:
            if found.call not in seen:
                seen.add(found.call)
                yield replace(found, removable=found.removable and top)
    yield from _in_forwards(context, seen)


def _in_forwards(context: Context, seen: set[ast.Call]) -> Iterator[InnerBarrier]:
    for body in context.step_code.bodies:
        if body.loop is None and body.function is not None:
            finder = _Finder(context, body.function)
            for place in finder.places(body.function.body, (), (), False, frozenset({body.function})):
                found = finder.inner(place, None)
                if found is not None and found.call not in seen:
                    seen.add(found.call)
                    yield found


class _Finder:
    """Goes through the statements of a pass, and through the functions of the file that they call."""

    def __init__(self, context: Context, around: LoopNode | FunctionNode) -> None:
        self.context = context
        self.around = around

    def places(
        self,
        block: list[ast.stmt],
        before: tuple[ast.stmt, ...],
        after: tuple[ast.stmt, ...],
        top: bool,
        opened: frozenset[FunctionNode],
    ) -> Iterator[_Place]:
        """The barriers on each pass through a block."""
        for index, statement in enumerate(block):
            behind = (*block[index + 1 :], *after)
            ahead = (*before, *block[:index])
            if isinstance(statement, ast.Try) and statement.handlers:
                continue  # the barrier is there so that errors come in the try
            if isinstance(statement, ast.With | ast.AsyncWith | ast.Try):
                yield from self.places(statement.body, ahead, behind, top, opened)
            elif isinstance(statement, ast.If):
                if not varies(statement.test, self.around) and not statement.orelse:
                    yield from self.places(statement.body, ahead, behind, False, opened)
            elif isinstance(statement, LOOPS | FunctionNode | ast.ClassDef):
                continue
            else:
                yield from self._in_statement(statement, ahead, behind, top, opened)

    def _in_statement(
        self,
        statement: ast.stmt,
        before: tuple[ast.stmt, ...],
        after: tuple[ast.stmt, ...],
        top: bool,
        opened: frozenset[FunctionNode],
    ) -> Iterator[_Place]:
        for node in walk_block([statement]):
            if not isinstance(node, ast.Call):
                continue
            if self.context.loops.stepping.is_barrier(node):
                yield _Place(node, statement, before, after, top)
                continue
            for function in self.context.step_code.runs(node):
                if function not in opened and not self._repeats(function):
                    yield from self.places(function.body, before, after, False, opened | {function})

    def _repeats(self, function: FunctionNode) -> bool:
        """Whether a function holds step loops, whose barriers are their own."""
        return self.context.loops.holds_step_loop(function)

    def inner(self, place: _Place, loop: StepLoop | None) -> InnerBarrier | None:
        """The barrier, if the same step works before and behind it, and needs no value in between."""
        if self.context.loops.stepping.is_step(place.call):
            return None
        before = self._since_last_cut(place.before)
        after = self._until_next_cut(place.after)
        effects = self.context.loops.effects(before)
        if effects.steps is not None:
            return None  # it ends one step, and another begins
        first = effects.backward or effects.model or (self._first_work(before) if loop is None else None)
        at = next((i for i, s in enumerate(after) if self._works([s], loop) is not None), None)
        if first is None or at is None or self._is_needed(after[: at + 1]):
            return None
        removable = isinstance(place.statement, ast.Expr) and place.statement.value is place.call and place.top
        return InnerBarrier(place.call, place.statement, loop, removable)

    def _first_work(self, statements: list[ast.stmt]) -> ast.AST | None:
        return next((s for s in reversed(statements) if self.context.steps.work.works(s, None)), None)

    def _works(self, statements: list[ast.stmt], loop: StepLoop | None) -> ast.AST | None:
        """What the step is for, among statements; in a ``forward()``, any work."""
        effects = self.context.loops.effects(statements)
        if (found := effects.backward or effects.steps or effects.model) is not None:
            return found
        return self._first_work(statements) if loop is None else None

    def _is_needed(self, statements: list[ast.stmt]) -> bool:
        """Whether the statements behind the barrier read the device, wait for it, or hand a tensor to who might."""
        return waiting.reads(self.context, statements) or waiting.waits(self.context, statements)

    # -- the graph that a barrier belongs to ------------------------------------------------------------

    def _since_last_cut(self, statements: tuple[ast.stmt, ...]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in reversed(statements):
            if self._cuts(statement):
                break
            found.insert(0, statement)
        return found

    def _until_next_cut(self, statements: tuple[ast.stmt, ...]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            found.append(statement)
            if self._cuts(statement):
                break
        return found

    def _cuts(self, statement: ast.stmt) -> bool:
        return bool(self.context.loops.effects([statement]).barriers) or is_step_trace(self.context, statement)

    def ends_in_step_trace(self, loop: StepLoop) -> bool:
        """Whether the end of a trace cuts each step."""
        return any(is_step_trace(self.context, statement) for statement in loop.node.body)
