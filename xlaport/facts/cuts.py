"""Where the barrier of a step loop belongs: behind the device work of a step, before its first host read.

The device runs what has been traced when the graph is cut. So the barrier belongs behind the last device
work of the step and before its first host read, once on each path.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.facts.between import Stays
from xlaport.facts.data_reads import DataReads
from xlaport.facts.late_reads import Form, LateRead
from xlaport.facts.loops import LOOPS, LoopKind, Loops, StepLoop
from xlaport.facts.module import FunctionNode, last_name, walk_block
from xlaport.facts.next_reader import NextReader
from xlaport.facts.one_read import OneRead
from xlaport.facts.step_reads import Cut, Side, StepReads
from xlaport.facts.structure import Function
from xlaport.facts.vocabulary import GRAD_OFF


@dataclass(frozen=True)
class _Before:
    """What has run in this pass before a block."""

    work: tuple[ast.stmt, ...] = ()
    """The statements that added to the graph."""
    pending: bool = False
    """Whether some of that was not read since: it waits for a barrier."""


class Cuts(StepReads):
    """Questions about where to cut the graphs of step loops."""

    def __init__(self, loops: Loops) -> None:
        super().__init__(loops)
        self.one_read = OneRead(loops)
        self.data_reads = DataReads(loops)
        self.next_reader = NextReader(self)

    def cuts(self, loop: StepLoop) -> list[Cut]:
        """Where to cut the graph, once on each path of a step; none where the body leaves no device work to run."""
        if self.module.parents[loop.evidence] is loop.node and not isinstance(loop.evidence, ast.stmt):
            return [Cut(loop.node.body[0], Side.BEFORE)]  # of a step that `map()` runs before the body
        return [] if self.one_read.takes_all(loop) else self._cuts(loop.node.body, loop, _Before(), set())

    def cuts_in(self, function: FunctionNode, loop: StepLoop) -> list[Cut]:
        """Where a function of this file cuts the graph for a step loop of another one; none if the loop does."""
        if not self.is_helper(function, loop, set()):
            return []
        return self._cuts(function.body, loop, _Before(), {function})

    def _cuts(self, block: list[ast.stmt], loop: StepLoop, before: _Before, opened: set[FunctionNode]) -> list[Cut]:
        last = self.work.last_essential(block, loop)
        if last is None:
            return []
        anchor = self._anchor(block, last, loop)
        if anchor != last and (self.reads_in([block[last]]) or self.loops.calls_what_reads([block[last]])):
            if self._cuts_inside(block[last], loop, before, opened):
                anchor = last  # the barrier belongs before its reads: what comes behind them waits for the next pass
        if isinstance(block[anchor], ast.Return):
            return []  # nothing runs behind it: what gets the value cuts the graph
        outside, before = before, self._and(before, block[:anchor])
        inside = self._cuts_inside(block[anchor], loop, before, opened) if anchor == last else []
        held = block[anchor]
        if anchor != last and isinstance(held, ast.With) and self.reads_in([held]):
            inside = [Cut(held.body[self._anchor(held.body, -1, loop)], Side.AFTER)]
        if inside and not before.pending and self.loops.effects(block[:anchor]).steps is not None:
            # A read runs no optimizer's step before it: that is a step by itself, with its own barrier.
            inside = [*self._cuts(block[:anchor], loop, outside, opened), *inside]
        work = list(before.work)
        if not inside:
            work += self.work.leaves([block[anchor]])
        exits = [
            node
            for statement in block[: anchor + (not inside)]
            for node in self.exits(statement)
            if any(self._can_follow(leaf, node) for leaf in work if not self._needs_no_barrier(leaf, node))
        ]
        inside = inside or self.next_reader.cuts(block, anchor, loop) or [Cut(block[anchor], Side.AFTER)]
        cuts = [*inside, *(self._way_out(node) for node in exits)]
        return list(dict.fromkeys(cuts))

    def _and(self, before: _Before, statements: list[ast.stmt]) -> _Before:
        """What ran before, with further statements behind it."""
        pending = before.pending
        for statement in statements:
            pending = not self.reads_in([statement]) and (pending or self.work.works(statement, None))
        return _Before((*before.work, *self.work.leaves(statements)), pending)

    def _anchor(self, block: list[ast.stmt], last: int, loop: StepLoop) -> int:
        """The last device work that the barrier can wait for: no read in between but those that can wait, too."""
        anchor = last
        waiting: list[int] = []
        for index in range(last + 1, len(block)):
            statement = block[index]
            if isinstance(statement, ast.With) and self._computes_and_reads(statement, loop):
                return anchor if any(self.has_to_stay(block, i, index) for i in waiting) else index
            reads = bool(self.reads.within([statement]))
            calls = self.loops.calls_what_reads([statement])
            of_data = (reads or calls) and self.data_reads.are_all(statement, loop)
            if self.loops.runs_step_loop([statement]) or (calls and not of_data):
                break
            reads = reads and not of_data
            # What a training step does now and then (a test, a snapshot) is no part of it.
            optional = loop.kind is LoopKind.TRAIN and self._may_be_left_out(statement, loop)
            works = not optional and (self.work.works(statement, loop) or self.work.may_work(statement))
            if not reads and self.work.may_read(statement, loop):
                break
            if any(self.has_to_stay(block, i, index) for i in waiting):
                break
            if reads:
                late = self.late_reads.late_read(block, index, index)
                if isinstance(late, Stays):
                    break
                waiting.append(index)
                works = late.form is not Form.WHOLE
            if works:
                anchor = index
        return anchor

    def _may_be_left_out(self, statement: ast.stmt, loop: StepLoop) -> bool:
        """Whether an ``if`` runs its body in some steps and not in others: ``if i % 100 == 0``, not ``if use_ema``."""
        if not isinstance(statement, ast.If):
            return False
        is_plain = not statement.orelse and not any(isinstance(n, ast.Mod) for n in ast.walk(statement.test))
        return not (is_plain and self.passes.is_settled(statement.test, loop))

    def _computes_and_reads(self, statement: ast.With, loop: StepLoop) -> bool:
        """``with torch.no_grad():`` around a metric of the step's tensors, which is computed there and then read."""
        calls = [item.context_expr for item in statement.items]
        if not all(isinstance(c, ast.Call) and self.facts.names.resolve(c.func) in GRAD_OFF for c in calls):
            return False
        simple = all(isinstance(s, ast.Assign | ast.AugAssign | ast.Expr) for s in statement.body)
        if self.loops.effects(statement.body).model is not None:
            return False  # the model runs anew, with its new weights
        return simple and bool(self.reads_in([statement])) and self._anchor(statement.body, -1, loop) >= 0

    def _cuts_inside(
        self, statement: ast.stmt, loop: StepLoop, before: _Before, opened: set[FunctionNode]
    ) -> list[Cut]:
        """The cuts within a statement that ends the device work of a step, if it reads as well."""
        if isinstance(statement, ast.Try) and not (statement.orelse or statement.finalbody):
            return self._cuts(statement.body, loop, before, opened)
        hands_out = any(isinstance(node, ast.Yield) for node in walk_block([statement]))
        reads = bool(self.reads_in([statement])) or self.loops.calls_what_reads([statement])
        if isinstance(statement, ast.With | ast.AsyncWith) and (hands_out or reads):
            return self._cuts(statement.body, loop, before, opened)
        if isinstance(statement, ast.If) and self.reads_in([*statement.body, *statement.orelse]):
            return self._cuts_in_branches(statement, loop, before, opened)
        for call in (node for node in walk_block([statement]) if isinstance(node, ast.Call)):
            found = [self._cuts_of(function, statement, loop, before, opened) for function in self.loops.run_by(call)]
            if any(cuts is not None for cuts in found):
                return list(dict.fromkeys(cut for cuts in found for cut in cuts or ()))
        return []

    def _cuts_of(
        self, function: Function, caller: ast.stmt, loop: StepLoop, before: _Before, opened: set[FunctionNode]
    ) -> list[Cut] | None:
        """The cuts in a function that a statement calls; None where the barrier does not belong into it."""
        other = self if function.facts is self.facts else Cuts(self.loops.elsewhere(function.facts))
        if not other.is_helper(function.node, loop, opened):
            return None
        if other is not self:
            return [Cut(caller, Side.ELSEWHERE)]
        return self._cuts(function.node.body, loop, before, {*opened, function.node})

    def _cuts_in_branches(
        self, statement: ast.If, loop: StepLoop, before: _Before, opened: set[FunctionNode]
    ) -> list[Cut]:
        found: list[Cut] = []
        for branch in (statement.body, statement.orelse):
            cuts = self._cuts(branch, loop, before, opened)
            if not cuts and branch and self.is_elif(statement, branch):
                inner = branch[0]
                assert isinstance(inner, ast.If)
                cuts = self._cuts_in_branches(inner, loop, before, opened)
            if not cuts and before.pending:
                cuts = [Cut(branch[0], Side.BEFORE) if branch else Cut(statement, Side.ELSE)]
            found += cuts
        return found

    def is_helper(self, function: FunctionNode, loop: StepLoop, opened: set[FunctionNode]) -> bool:
        """A function that ends with reads, which cut the graph where step loops call it: the barrier goes before them.

        Where others call it, too, it reads whatever they ask for: a barrier in the middle of their step is two graphs.
        """
        if function in opened or not self.reads_in(function.body):
            return False
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk_block(function.body)):
            return False
        last = self.work.last_essential(function.body, loop)
        if last is None:
            return False
        anchor = self._anchor(function.body, last, loop)
        if isinstance(function.body[anchor], ast.Return):
            return False
        rest = function.body[anchor + 1 :]
        rest = [s for s in rest if not (self.reads.within([s]) or _hands_back(s) or self._may_be_left_out(s, loop))]
        if any(self.work.works(s, loop) for s in rest):
            return False
        runs = self.passes.running(function)
        if runs and all(run.loop is loop for run in runs):
            return True
        return bool(self.passes.among(function)) and self._always_reads(function.body[anchor:])

    def _always_reads(self, block: list[ast.stmt]) -> bool:
        """Whether a read is on each path through a block."""
        for statement in block:
            if isinstance(statement, ast.If):
                if statement.orelse and self._always_reads(statement.body) and self._always_reads(statement.orelse):
                    return True
            elif isinstance(statement, ast.With):
                if self._always_reads(statement.body):
                    return True
            elif not isinstance(statement, LOOPS | ast.Try) and self.reads.within([statement]):
                return True
        return False

    def _way_out(self, node: ast.stmt) -> Cut:
        """Where to cut before a ``continue``, ``break`` or ``return``: before the reads that lead up to it."""
        block = self.module.block(node)
        first = index = next(i for i, s in enumerate(block) if s is node)
        while index > 0 and (self.reads.within([block[index - 1]]) or not self.work.works(block[index - 1], None)):
            index -= 1
            late = self.late_reads.late_read(block, index, index)
            if self.reads_in([block[index]]) and not (isinstance(late, LateRead) and late.form is not Form.WHOLE):
                first = index
        return Cut(block[first], Side.BEFORE)

    def _can_follow(self, first: ast.stmt, second: ast.stmt) -> bool:
        """Whether, in one pass, `second` may run after `first`, which is not in the other branch of an ``if``."""
        if first is second or first.lineno > second.lineno:
            return False
        branch: ast.AST = second
        for parent in self.module.ancestors(second):
            if isinstance(parent, ast.If):
                inside = [s for s in (parent.body, parent.orelse) if any(branch is b for b in s)]
                other = parent.orelse if inside and inside[0] is parent.body else parent.body
                if any(node is first for node in walk_block(other)):
                    return False
            branch = parent
        return True

    def _needs_no_barrier(self, work: ast.stmt, leaving: ast.stmt) -> bool:
        """Whether work needs no barrier before the loop is left: ``flag.fill_(…)`` where ``if flag.item(): break``."""
        if self.work.only_clears(work):
            return True
        if isinstance(leaving, ast.Break) and self._is_dead(work, leaving):
            return True
        condition = self.module.parents[leaving]
        if isinstance(leaving, ast.Continue) or not isinstance(condition, ast.If) or leaving not in condition.body:
            return False
        read = {r.tensor.id for r in self.reads.within([condition.test]) if isinstance(r.tensor, ast.Name)}
        if isinstance(work, ast.Assign):
            return all(isinstance(target, ast.Name) and target.id in read for target in work.targets)
        call = work.value if isinstance(work, ast.Expr) else None
        if not isinstance(call, ast.Call):
            return False
        changed: ast.expr | None = None
        if (self.facts.names.resolve(call.func) or "").startswith("torch.distributed."):
            changed = next(iter(call.args), None)
        elif isinstance(call.func, ast.Attribute) and call.func.attr.endswith("_"):
            changed = call.func.value
        return isinstance(changed, ast.Name) and changed.id in read

    def _is_dead(self, work: ast.stmt, leaving: ast.Break) -> bool:
        """Whether nobody uses what is computed once a loop, which trains nothing, is left: it need not run."""
        loop = self.loops.around(leaving)
        if loop is None or loop.kind is LoopKind.TRAIN or not isinstance(work, ast.Assign):
            return False
        inside = set(ast.walk(loop.node))
        return all(
            isinstance(target, ast.Name)
            and all(use in inside and use.lineno >= work.lineno for use in self.facts.names.uses_of(target))
            for target in work.targets
        )


def _hands_back(statement: ast.stmt) -> bool:
    """``return loss.detach(), size``, which computes nothing."""
    parts = ast.walk(statement) if isinstance(statement, ast.Return) else ()
    made = [node for node in parts if isinstance(node, ast.Call | ast.BinOp | ast.Subscript)]
    return bool(made) and all(isinstance(n, ast.Call) and last_name(n.func) == "detach" for n in made)
