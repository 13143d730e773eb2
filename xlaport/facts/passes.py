"""The passes of step loops: what runs on each of them, also in functions, and steps that go over several passes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.facts.loops import LOOPS, LoopKind, Loops, StepLoop
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.structure import Function

_MAX_DEPTH = 3


@dataclass(frozen=True)
class Pass:
    """A call that runs in the passes of a step loop, perhaps of another file."""

    loops: Loops
    loop: StepLoop
    call: ast.Call
    every: bool
    """Whether it runs on every pass."""


class Passes:
    """Questions about what runs in the passes of the step loops of a file."""

    def __init__(self, loops: Loops) -> None:
        self.facts = loops.facts
        self.module = loops.module
        self.loops = loops

    def is_on_every(self, node: ast.AST, loop: StepLoop) -> bool:
        """Whether a node in the body of a step loop runs on each of its passes."""
        for parent in self.module.ancestors(node):
            if parent is loop.node:
                return True
            if isinstance(parent, ast.If | ast.IfExp | ast.ExceptHandler | ast.comprehension | LOOPS):
                return False
        return False

    # -- functions -------------------------------------------------------------------------------------

    def helpers(self, loop: StepLoop) -> list[FunctionNode]:
        """The functions of this file that every pass of a step loop calls, in the order of their calls."""
        found: dict[FunctionNode, None] = {}
        for node in walk_block(loop.node.body):
            if isinstance(node, ast.Call) and self.is_on_every(node, loop):
                found.update((f.node, None) for f in self.loops.run_by(node) if f.facts is self.facts)
        return list(found)

    def running(self, function: FunctionNode) -> list[Pass] | None:
        """The calls of a function of this file, in the project, if each is in the passes of a step loop."""
        return self._running(function, 0)

    def _running(self, function: FunctionNode, depth: int) -> list[Pass] | None:
        found: list[Pass] = []
        for site in self.loops.structure.calls_to(Function(self.facts, function)):
            loops = self.loops.elsewhere(site.facts)
            passes = Passes(loops)
            loop = loops.around(site.node)
            if loop is not None:
                found.append(Pass(loops, loop, site.node, passes.is_on_every(site.node, loop)))
                continue
            around = loops.module.function(site.node)
            through = passes._running(around, depth + 1) if around is not None and depth < _MAX_DEPTH else None
            if not through:
                return None
            found += through
        return found

    def from_elsewhere(self) -> Iterator[tuple[FunctionNode, Pass]]:
        """The functions of this file that do a step's work for the step loop of another file, and read the device."""
        for node in self.module.nodes:
            if not isinstance(node, FunctionNode) or node.name in ("forward", "__init__"):
                continue
            if not self.loops.reads.within(node.body):
                continue
            effects = self.loops.function_effects(node)
            if effects.steps is None and effects.backward is None and effects.model is None:
                continue
            for found in self.running(node) or ():
                if found.loops.facts is not self.facts:
                    yield node, found
                    break

    # -- gradient accumulation -------------------------------------------------------------------------

    def accumulation(self, loop: StepLoop) -> ast.If | None:
        """The ``if (i + 1) % n == 0`` under which a loop steps, while every pass adds to the gradients."""
        if loop.kind is not LoopKind.TRAIN:
            return None
        under: ast.If | None = None
        child: ast.AST = loop.evidence
        for parent in self.module.ancestors(loop.evidence):
            if parent is loop.node:
                break
            if isinstance(parent, ast.If) and any(child is s for s in parent.body):
                under = parent if self._counts(parent.test, loop) else None
            child = parent
        if under is None:
            return None
        beside = self.loops.effects([*self._beside(under, loop), *under.orelse])
        return under if beside.backward is not None and beside.steps is None else None

    def _beside(self, under: ast.If, loop: StepLoop) -> list[ast.stmt]:
        """What a pass does besides the branch."""
        found: list[ast.stmt] = []
        statement: ast.stmt = under
        while statement is not loop.node:
            found += [other for other in self.module.block(statement) if other is not statement]
            statement = self.module.statement(self.module.parents[statement])
        return found

    def _counts(self, test: ast.expr, loop: StepLoop) -> bool:
        """Whether a condition takes the remainder of something that the loop counts."""
        for node in ast.walk(test):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
                return True
            if isinstance(node, ast.Name):
                found = self.facts.names.reaching(node)
                values = [b.value for b in found if b.how is How.ASSIGN and b.value is not None]
                inside = [v for v in values if any(p is loop.node for p in self.module.ancestors(v))]
                if inside and any(
                    isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod) for v in inside for n in ast.walk(v)
                ):
                    return True
        return False
