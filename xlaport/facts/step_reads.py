"""Inside a step loop: its barriers and the places for them, the reads before these, and the ways out of a pass."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from xlaport.facts.between import Stays
from xlaport.facts.late_reads import LateReads
from xlaport.facts.loops import LOOPS, Loops
from xlaport.facts.module import walk_block
from xlaport.facts.passes import Passes
from xlaport.facts.reads import HostRead
from xlaport.facts.work import Work

_EXITS = (ast.Continue, ast.Break, ast.Return)


class Side(enum.Enum):
    """Where a barrier stands, seen from a statement."""

    BEFORE = enum.auto()
    AFTER = enum.auto()
    ELSE = enum.auto()
    """In an ``else`` of its own, behind an ``if`` that has none."""
    ELSEWHERE = enum.auto()
    """In a function of another file that the statement calls."""


@dataclass(frozen=True)
class Cut:
    """One place for a barrier."""

    statement: ast.stmt
    side: Side


class StepReads:
    """Questions about the statements of step loops, as they stand."""

    def __init__(self, loops: Loops) -> None:
        self.facts = loops.facts
        self.module = loops.module
        self.loops = loops
        self.reads = loops.reads
        self.passes = Passes(loops)
        self.work = Work(loops)
        self.late_reads = LateReads(loops.facts)

    def has_to_stay(self, block: list[ast.stmt], index: int, barrier: int) -> bool:
        """Whether the read of ``block[index]`` cannot wait for a barrier behind ``block[barrier]``."""
        return isinstance(self.late_reads.late_read(block, index, barrier), Stays)

    def is_elif(self, statement: ast.If, branch: list[ast.stmt]) -> bool:
        """Whether the branch is an ``elif``, in front of which there is no place."""
        return (
            branch is statement.orelse
            and len(branch) == 1
            and isinstance(branch[0], ast.If)
            and branch[0].col_offset == statement.col_offset
        )

    def exits(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements in it that leave this pass of the loop early."""
        found: list[ast.stmt] = []
        todo: list[ast.AST] = [statement]
        while todo:
            node = todo.pop()
            if isinstance(node, _EXITS):
                found.append(node)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                continue
            if isinstance(node, LOOPS):
                # `continue` and `break` in there belong to the inner loop.
                found += [n for n in walk_block(node.body) if isinstance(n, ast.Return)]
                continue
            todo.extend(reversed(list(ast.iter_child_nodes(node))))
        return found

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
        if isinstance(statement, LOOPS):
            # What it goes through is computed once.
            return isinstance(statement, ast.For) and any(node in barriers for node in ast.walk(statement.iter))
        return any(node in barriers for node in walk_block([statement]))

    def reads_in(self, statements: list[ast.stmt]) -> list[HostRead]:
        """The reads of statements, without those of nested step loops and those behind a barrier of their branch."""
        return [r for r in self.reads.within(statements) if not self._is_apart(r.node, statements)]

    def _is_apart(self, node: ast.AST, top: list[ast.stmt]) -> bool:
        statement = self.module.statement(node)
        while not any(statement is s for s in top):
            parent = self.module.parents[statement]
            if isinstance(parent, LOOPS) and self.loops.step_loop(parent) is not None:
                return True
            if isinstance(parent, ast.stmt):
                block = self.module.block(statement)
                at = self.cut_index(block)
                if at is not None and block.index(statement) > at:
                    return True
            statement = self.module.statement(parent)
        return False
