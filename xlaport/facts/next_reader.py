"""Behind the work of a step: an ``if`` of options that computes more before it reads, and has the barrier in it."""

from __future__ import annotations

import ast

from xlaport.facts.late_reads import Form, LateRead
from xlaport.facts.loops import StepLoop
from xlaport.facts.step_reads import Cut, Side, StepReads


class NextReader:
    """Where the barrier of a step belongs that its next reader computes more for."""

    def __init__(self, around: StepReads) -> None:
        self.around = around
        self.loops = around.loops
        self.work = around.work

    def cuts(self, block: list[ast.stmt], anchor: int, loop: StepLoop) -> list[Cut]:
        """The cuts in an ``if`` of each pass, behind the step's work, that computes more before it reads.

        A read of the step's last work that the ``if`` needs has cut the graph before it. Before the ``if``, an option
        may ask for something that is read, too: ``if args.save: np.save(path, out.cpu())``.
        """
        optional: list[Cut] = []
        reads = bool(self.loops.reads.within([block[anchor]]))
        for index, statement in enumerate(block[anchor + 1 :], anchor + 1):
            if isinstance(statement, ast.If) and self.around.reads_in([statement]):
                is_settled = self.around.passes.is_settled(statement.test, loop)
                if not is_settled or (reads and self.around.has_to_stay(block, anchor, index)):
                    return []
                found = self._before_reads(statement)
                if found or statement.orelse:
                    return [*optional, *found] if found else []
                first = self._first_reader(statement.body)
                if first is None:
                    return []
                optional.append(Cut(first, Side.BEFORE))  # what an option asks for has its own, before the next one
                continue
            if self.loops.reads.within([statement]) or self.loops.calls_what_reads([statement]):
                is_computed = bool(optional) and self._reads_what_it_computes(statement)
                return [*optional, Cut(statement, Side.AFTER)] if is_computed else []
            if self.loops.runs_step_loop([statement]) or self.work.may_read(statement, loop):
                return []
        return []

    def _first_reader(self, branch: list[ast.stmt]) -> ast.stmt | None:
        return next((s for s in branch if self.around.reads_in([s]) or self.loops.calls_what_reads([s])), None)

    def _before_reads(self, statement: ast.If) -> list[Cut]:
        """A cut in front of the first read of each branch; none where no branch computes what it reads."""
        found: list[Cut] = []
        worked = False
        for branch in (statement.body, statement.orelse):
            first = self._first_reader(branch)
            ahead = branch[: branch.index(first)] if first is not None else []
            worked = worked or any(self.work.works(s, None) or self.work.may_work(s) for s in ahead)
            leaves_early = any(self.around.exits(s) for s in (ahead if first is not None else branch))
            if leaves_early or self.around.is_elif(statement, branch):
                return []
            if first is None:
                found.append(Cut(branch[-1], Side.AFTER) if branch else Cut(statement, Side.ELSE))
            elif self._reads_what_it_computes(first):
                worked = True
                found.append(Cut(first, Side.AFTER))  # from where its read can move behind it
            else:
                found.append(Cut(first, Side.BEFORE))
        return found if worked else []

    def _reads_what_it_computes(self, statement: ast.stmt) -> bool:
        """``pred = out.max(0)[1].cpu()``, of which the last part alone can come behind a barrier."""
        block = self.around.module.block(statement)
        index = next(i for i, s in enumerate(block) if s is statement)
        late = self.around.late_reads.late_read(block, index, index) if self.loops.reads.within([statement]) else None
        return isinstance(late, LateRead) and late.form is not Form.WHOLE
