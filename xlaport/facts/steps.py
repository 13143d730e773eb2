"""Inside a step loop: where the barrier belongs, and which host reads can wait until behind it.

The places of the barrier are those of `Cuts`. A read that stands before it can be moved behind it where nothing
in between could tell the difference.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.facts.between import Stays
from xlaport.facts.cuts import Cuts
from xlaport.facts.frequency import is_now_and_then, varies
from xlaport.facts.late_guards import LateGuard, LateGuards
from xlaport.facts.late_reads import Form, LateRead
from xlaport.facts.loops import Loops, StepLoop
from xlaport.facts.module import FunctionNode
from xlaport.facts.reads import HostRead
from xlaport.facts.step_reads import Cut, Side

__all__ = ["Cut", "EarlyRead", "Form", "LateGuard", "LateRead", "Side", "Stays", "Steps"]


@dataclass(frozen=True)
class EarlyRead:
    """A statement that reads the device before the barrier of its block, which is (in) ``block[barrier]``."""

    block: list[ast.stmt]
    index: int
    barrier: int
    reads: list[HostRead]

    @property
    def statement(self) -> ast.stmt:
        """The statement."""
        return self.block[self.index]


class Steps(Cuts):
    """Questions about the bodies of step loops."""

    def __init__(self, loops: Loops) -> None:
        super().__init__(loops)
        self.between = self.late_reads.between
        self._late_guards = LateGuards(loops.facts, loops.structure, self.late_reads)

    def condition_of_cut(self, node: ast.AST, loop: StepLoop) -> ast.If | None:
        """The ``if``, the same in all passes, under which alone a step loop cuts the graph, and a node does not stand.

        None where each pass in which the node runs is cut sooner or later, and where nothing is seen that cuts any.
        """
        barriers = self.loops.effects(loop.node.body).barriers
        cuts = [Cut(self.module.statement(call), Side.BEFORE) for call in barriers] or self.cuts(loop)
        found: dict[ast.If, set[bool]] = {}
        for cut in () if loop.cut_by_loader else cuts:
            branch = self._own_branch(cut, node, loop)
            if branch is None:
                return None
            found.setdefault(branch[0], set()).add(branch[1])
        return next(iter(found), None) if all(len(branches) == 1 for branches in found.values()) else None

    def _own_branch(self, cut: Cut, node: ast.AST, loop: StepLoop) -> tuple[ast.If, bool] | None:
        """The outermost such ``if`` around a cut, and whether the cut stands in its ``else``."""
        around = set(self.module.ancestors(node))
        if isinstance(cut.statement, ast.If) and cut.side is Side.ELSE and cut.statement not in around:
            return cut.statement, True
        found: tuple[ast.If, bool] | None = None
        child: ast.AST = cut.statement
        for parent in self.module.ancestors(cut.statement):
            if parent is loop.node:
                break
            if isinstance(parent, ast.If) and child not in around and child is not node:
                if not varies(parent.test, loop.node) and not is_now_and_then(parent.test):
                    found = parent, any(child is s for s in parent.orelse)
            child = parent
        return found

    def backward_behind(self, function: FunctionNode, loop: StepLoop) -> ast.AST | None:
        """The backward() of a step that comes behind a function which every pass runs behind a model."""
        order, effects = self.loops.module.order, self.loops.effects(loop.node.body)
        if effects.backward is None or effects.model is None:
            return None
        first, last = (self.loops.module.statement(node) for node in (effects.model, effects.backward))
        for call in self.loops.module.that_run(loop.node.body, ast.Call):
            run = [f.node for f in self.loops.run_by(call) if f.facts is self.facts]
            if any(node is function or function in self.passes.called_by(node) for node in run):
                if order[first] <= order[self.loops.module.statement(call)] < order[last]:
                    return effects.backward
        return None

    # -- reads before the barrier ----------------------------------------------------------------------

    def early_reads(self, loop: StepLoop) -> list[EarlyRead]:
        """The statements of a step loop that read the device between the first work of a step and its barrier."""
        return list(self._early_reads(loop.node.body, loop, False, set()))

    def early_reads_in(self, function: FunctionNode, loop: StepLoop) -> list[EarlyRead]:
        """The same for a function of this file that a step loop of another one calls."""
        return list(self._early_reads(function.body, loop, False, {function}))

    def _early_reads(
        self, block: list[ast.stmt], loop: StepLoop, worked: bool, opened: set[FunctionNode]
    ) -> Iterator[EarlyRead]:
        barrier = self.cut_index(block)
        if barrier is None:
            return
        for index in range(barrier):
            # A read before any device work of this step finds its value ready: the previous barrier ran it.
            worked = worked or self.work.works(block[index], loop)
            reads = self.reads_in([block[index]])
            if worked and reads:
                yield EarlyRead(block, index, barrier, reads)
        statement = block[barrier]
        if isinstance(statement, ast.If):
            yield from self._early_reads(statement.body, loop, worked, opened)
            yield from self._early_reads(statement.orelse, loop, worked, opened)
        elif isinstance(statement, ast.With | ast.AsyncWith | ast.Try):
            yield from self._early_reads(statement.body, loop, worked, opened)
        else:
            for call in self.loops.effects([statement]).barriers:
                for function in self.loops.run_by(call):
                    if function.facts is self.facts and function.node not in opened:
                        yield from self._early_reads(function.node.body, loop, worked, {*opened, function.node})

    def late_read(self, early: EarlyRead) -> LateRead | Stays:
        """How an early read could move behind the barrier, or why it could not."""
        return self.late_reads.late_read(early.block, early.index, early.barrier)

    def late_guard(self, early: EarlyRead) -> LateGuard | None:
        """How an early read could move behind the barrier with the guards that look at its value, if it could."""
        return self._late_guards.late_guard(early.block, early.index, early.barrier)

    def ends_the_program(self, statement: ast.stmt) -> bool:
        """Whether a statement ends the program unless a value is fine, does nothing else, and nothing catches that."""
        return self._late_guards.ends_the_program(statement)

    def only_asks(self, statement: ast.If) -> bool:
        """Whether what a statement asks is a plain question: nobody would know if it were not asked."""
        return self._late_guards.only_asks(statement)

    def only_reads(self, statement: ast.Expr) -> bool:
        """Whether what the call of a statement is given are plain values and reads, of which nobody else would know."""
        return self.late_reads.is_given_plain(statement)
