"""Inside a step loop: where the barrier belongs, and which host reads can wait until behind it.

The device runs what has been traced when the graph is cut. So the barrier belongs behind the last device
work of the step and before its first host read; a read that stands earlier can be moved behind the barrier
where nothing in between could tell the difference.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.facts.between import Stays
from xlaport.facts.late_reads import Form, LateRead, LateReads
from xlaport.facts.loops import LoopKind, Loops, StepLoop
from xlaport.facts.module import FunctionNode, Module, walk_block
from xlaport.facts.names import Names
from xlaport.facts.reads import HostRead, HostReads
from xlaport.facts.roles import Roles
from xlaport.facts.work import Work

__all__ = ["Cut", "EarlyRead", "Form", "LateRead", "Side", "Stays", "Steps"]


class Side(enum.Enum):
    """Where a barrier stands, seen from a statement."""

    BEFORE = enum.auto()
    AFTER = enum.auto()
    ELSE = enum.auto()
    """In an ``else`` of its own, behind an ``if`` that has none."""


@dataclass(frozen=True)
class Cut:
    """One place for a barrier."""

    statement: ast.stmt
    side: Side


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


_EXITS = (ast.Continue, ast.Break, ast.Return)
_LOOPS = ast.For | ast.AsyncFor | ast.While


class Steps:
    """Questions about the bodies of step loops."""

    def __init__(self, module: Module, names: Names, roles: Roles, loops: Loops, reads: HostReads) -> None:
        self.module = module
        self.names = names
        self.roles = roles
        self.loops = loops
        self.reads = reads
        self.work = Work(module, names, roles, loops, reads)
        self._late_reads = LateReads(module, names, roles, reads)

    # -- where the barrier belongs ---------------------------------------------------------------------

    def cuts(self, loop: StepLoop) -> list[Cut]:
        """Where to cut the graph, once on each path of a step; none where the body does no device work."""
        return self._cuts(loop.node.body, loop, [], set())

    def _cuts(
        self, block: list[ast.stmt], loop: StepLoop, before: list[ast.stmt], opened: set[FunctionNode]
    ) -> list[Cut]:
        last = self.work.last_essential(block, loop)
        if last is None:
            return []
        anchor = self._anchor(block, last, loop)
        work = [*before, *self.work.leaves(block[:anchor])]
        inside = self._cuts_inside(block[anchor], loop, work, opened) if anchor == last else []
        if not inside:
            work += self.work.leaves([block[anchor]])
        exits = [
            node
            for statement in block[: anchor + (not inside)]
            for node in self._exits(statement)
            if any(self._can_follow(leaf, node) for leaf in work)
        ]
        return [*(inside or [Cut(block[anchor], Side.AFTER)]), *(self._way_out(node) for node in exits)]

    def _anchor(self, block: list[ast.stmt], last: int, loop: StepLoop) -> int:
        """The last device work that the barrier can wait for: no read in between but those that can wait, too."""
        anchor = last
        waiting: list[int] = []
        for index in range(last + 1, len(block)):
            statement = block[index]
            if self.loops.runs_step_loop([statement]) or self.work.calls_what_reads(statement):
                break
            reads = bool(self.reads.within([statement]))
            # What a training step does now and then (a test, a snapshot) is no part of it.
            optional = isinstance(statement, ast.If) and loop.kind is LoopKind.TRAIN
            works = not optional and self.work.works(statement, loop)
            if not reads and self.work.may_read(statement, loop):
                break
            if any(isinstance(self._late_reads.late_read(block, i, index), Stays) for i in waiting):
                break
            if reads:
                late = self._late_reads.late_read(block, index, index)
                if isinstance(late, Stays):
                    break
                waiting.append(index)
                works = late.form is not Form.WHOLE
            if works:
                anchor = index
        return anchor

    def _cuts_inside(
        self, statement: ast.stmt, loop: StepLoop, before: list[ast.stmt], opened: set[FunctionNode]
    ) -> list[Cut]:
        """The cuts within a statement that ends the device work of a step, if it reads as well."""
        if isinstance(statement, ast.Try) and not (statement.orelse or statement.finalbody):
            return self._cuts(statement.body, loop, before, opened)
        if isinstance(statement, ast.With | ast.AsyncWith) and self._reads([statement]):
            return self._cuts(statement.body, loop, before, opened)
        if isinstance(statement, ast.If) and self._reads([*statement.body, *statement.orelse]):
            return self._cuts_in_branches(statement, loop, before, opened)
        for call in (node for node in walk_block([statement]) if isinstance(node, ast.Call)):
            function = self.roles.classes.function_called(call)
            if function is not None and self._is_helper(function, loop, opened):
                return self._cuts(function.body, loop, before, {*opened, function})
        return []

    def _cuts_in_branches(
        self, statement: ast.If, loop: StepLoop, before: list[ast.stmt], opened: set[FunctionNode]
    ) -> list[Cut]:
        found: list[Cut] = []
        for branch in (statement.body, statement.orelse):
            cuts = self._cuts(branch, loop, before, opened)
            if not cuts and branch and self._is_elif(statement, branch):
                inner = branch[0]
                assert isinstance(inner, ast.If)
                cuts = self._cuts_in_branches(inner, loop, before, opened)
            if not cuts:
                cuts = [Cut(branch[0], Side.BEFORE) if branch else Cut(statement, Side.ELSE)]
            found += cuts
        return found

    def _is_elif(self, statement: ast.If, branch: list[ast.stmt]) -> bool:
        """Whether the branch is an ``elif``, in front of which there is no place."""
        return (
            branch is statement.orelse
            and len(branch) == 1
            and isinstance(branch[0], ast.If)
            and branch[0].col_offset == statement.col_offset
        )

    def _is_helper(self, function: FunctionNode, loop: StepLoop, opened: set[FunctionNode]) -> bool:
        """A function that ends with reads, and that nothing but step loops calls: the barrier belongs into it."""
        if function in opened or not self._reads(function.body):
            return False
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk_block(function.body)):
            return False
        last = self.work.last_essential(function.body, loop)
        if last is None:
            return False
        rest = function.body[self._anchor(function.body, last, loop) + 1 :]
        if any(self.work.works(s, loop) and not self.reads.within([s]) for s in rest):
            return False
        return all(self._is_in_step_loop(call) for call in self.roles.calls_to(function))

    def _is_in_step_loop(self, call: ast.Call) -> bool:
        for parent in self.module.ancestors(call):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                return False
            if isinstance(parent, _LOOPS) and self.loops.step_loop(parent) is not None:
                return True
        return False

    def helpers(self, loop: StepLoop) -> list[FunctionNode]:
        """The functions of this file that every pass of a step loop calls, in the order of their calls."""
        found: dict[FunctionNode, None] = {}
        for node in walk_block(loop.node.body):
            function = self.roles.classes.function_called(node) if isinstance(node, ast.Call) else None
            if function is not None and self._is_on_every_pass(node, loop):
                found[function] = None
        return list(found)

    def _is_on_every_pass(self, node: ast.AST, loop: StepLoop) -> bool:
        for parent in self.module.ancestors(node):
            if parent is loop.node:
                return True
            if isinstance(parent, ast.If | ast.IfExp | ast.ExceptHandler | ast.comprehension | _LOOPS):
                return False
        return False

    def _way_out(self, node: ast.stmt) -> Cut:
        """Where to cut before a ``continue``, ``break`` or ``return``: before the reads that lead up to it."""
        block = self.module.block(node)
        first = index = next(i for i, s in enumerate(block) if s is node)
        while index > 0 and (self.reads.within([block[index - 1]]) or not self.work.works(block[index - 1], None)):
            index -= 1
            late = self._late_reads.late_read(block, index, index)
            if self._reads([block[index]]) and not (isinstance(late, LateRead) and late.form is not Form.WHOLE):
                first = index
        return Cut(block[first], Side.BEFORE)

    # -- where the barrier is --------------------------------------------------------------------------

    def cut_index(self, block: list[ast.stmt]) -> int | None:
        """The statement of a block that has a barrier on each of its paths."""
        barriers = set(self.loops.effects(block).barriers)
        if barriers:
            for index, statement in enumerate(block):
                if self._is_cut(statement, barriers):
                    return index
        return None

    def _is_cut(self, statement: ast.stmt, barriers: set[ast.Call]) -> bool:
        if isinstance(statement, ast.If):
            branches = (statement.body, statement.orelse)
            return all(any(self._is_cut(s, barriers) for s in branch) for branch in branches)
        if isinstance(statement, ast.With | ast.AsyncWith | ast.Try):
            return any(self._is_cut(s, barriers) for s in statement.body)
        if isinstance(statement, _LOOPS):
            return False
        return any(node in barriers for node in walk_block([statement]))

    def early_reads(self, loop: StepLoop) -> list[EarlyRead]:
        """The statements of a step loop that read the device between the first work of a step and its barrier."""
        return list(self._early_reads(loop.node.body, loop, False, set()))

    def _early_reads(
        self, block: list[ast.stmt], loop: StepLoop, worked: bool, opened: set[FunctionNode]
    ) -> Iterator[EarlyRead]:
        barrier = self.cut_index(block)
        if barrier is None:
            return
        for index in range(barrier):
            # A read before any device work of this step finds its value ready: the previous barrier ran it.
            worked = worked or self.work.works(block[index], loop)
            reads = self._reads([block[index]])
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
                function = self.roles.classes.function_called(call)
                if function is not None and function not in opened:
                    yield from self._early_reads(function.body, loop, worked, {*opened, function})

    def late_read(self, early: EarlyRead) -> LateRead | Stays:
        """How an early read could move behind the barrier, or why it could not."""
        return self._late_reads.late_read(early.block, early.index, early.barrier)

    def _reads(self, statements: list[ast.stmt]) -> list[HostRead]:
        """The reads of statements, without those of nested step loops and those behind a barrier of their branch."""
        return [r for r in self.reads.within(statements) if not self._is_apart(r.node, statements)]

    def _is_apart(self, node: ast.AST, top: list[ast.stmt]) -> bool:
        statement = self.module.statement(node)
        while not any(statement is s for s in top):
            parent = self.module.parents[statement]
            if isinstance(parent, _LOOPS) and self.loops.step_loop(parent) is not None:
                return True
            if isinstance(parent, ast.stmt):
                block = self.module.block(statement)
                at = self.cut_index(block)
                if at is not None and block.index(statement) > at:
                    return True
            statement = self.module.statement(parent)
        return False

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

    def _exits(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements in it that leave this pass of the loop early."""
        found: list[ast.stmt] = []
        todo: list[ast.AST] = [statement]
        while todo:
            node = todo.pop()
            if isinstance(node, _EXITS):
                found.append(node)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                continue
            if isinstance(node, ast.For | ast.AsyncFor | ast.While):
                # `continue` and `break` in there belong to the inner loop.
                found += [n for n in walk_block(node.body) if isinstance(n, ast.Return)]
                continue
            todo.extend(reversed(list(ast.iter_child_nodes(node))))
        return found
