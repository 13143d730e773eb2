"""The passes of step loops: what runs on each of them, also in functions, and steps that go over several passes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from xlaport.facts.frequency import is_now_and_then, is_on_every_pass, varies
from xlaport.facts.loops import LOOPS, LoopKind, Loops, StepLoop
from xlaport.facts.module import FunctionNode, LoopNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.running import places
from xlaport.facts.scopes import Comprehension
from xlaport.facts.structure import Class, Function, Structure

_MAX_DEPTH = 3
_Runs = Callable[[ast.AST, LoopNode | FunctionNode], bool]


@dataclass(frozen=True)
class Pass:
    """A call that runs in the passes of a step loop, perhaps of another file."""

    loops: Loops
    loop: StepLoop
    call: ast.AST
    every: bool
    """Whether it runs on every pass."""
    usual: bool
    """The same, where the options of the program have it run at all: under ``if args.augment:``, too."""


@dataclass(frozen=True)
class Window:
    """Where a step that goes over several passes is made: ``if (i + 1) % n == 0:``, or behind its ``continue``."""

    guard: ast.If
    """What decides whether a pass steps."""
    body: list[ast.stmt]
    """What runs in the passes that step only."""
    skipped: list[ast.stmt]
    """What runs in the others only."""


class Passes:
    """Questions about what runs in the passes of the step loops of a file."""

    def __init__(self, loops: Loops) -> None:
        self.facts = loops.facts
        self.module = loops.module
        self.loops = loops

    def is_on_every(self, node: ast.AST, loop: StepLoop) -> bool:
        """Whether a node in the body of a step loop runs on each of its passes."""
        return self._is_plainly_in(node, loop.node)

    def _is_plainly_in(self, node: ast.AST, around: LoopNode | FunctionNode) -> bool:
        child = node
        for parent in self.module.ancestors(node):
            if parent is around:
                return True
            is_first = isinstance(parent, ast.For) and child is parent.iter
            if isinstance(parent, ast.If | ast.IfExp | ast.ExceptHandler | ast.comprehension | LOOPS) and not is_first:
                return False
            child = parent
        return False

    def is_settled(self, test: ast.expr, loop: StepLoop) -> bool:
        """Whether a condition, in a loop or in what it calls, is the same in each pass: of options and constants."""
        if is_now_and_then(test):
            return False
        function = self.module.function(test)
        if any(parent is loop.node for parent in self.module.ancestors(test)):
            return not varies(test, loop.node)
        return function is not None and not varies(test, function, lambda arg: self._is_given_constant(function, arg))

    def _is_given_constant(self, function: FunctionNode, parameter: str) -> bool:
        """Whether each call of a function passes a constant for a parameter, or leaves it to its default."""
        structure, called = self.loops.structure, Function(self.facts, function)
        given = [structure.given(site, called, parameter)[1] for site in structure.calls_to(called)]
        return bool(given) and all(isinstance(value, ast.Constant) for value in given)

    # -- functions -------------------------------------------------------------------------------------

    def helpers(self, loop: StepLoop) -> list[FunctionNode]:
        """The functions of this file that every pass of a step loop runs, each before those that it calls itself."""
        return self._run_in(loop.node, self._is_plainly_in)

    def usual_helpers(self, loop: StepLoop) -> list[FunctionNode]:
        """The same, with those that every pass runs where the options of the program have it so."""
        return self._run_in(loop.node, lambda node, around: is_on_every_pass(self.module, around, node))

    def called_by(self, function: FunctionNode) -> list[FunctionNode]:
        """The functions of this file that run whenever another one runs, each before those that it calls itself."""
        return self._run_in(function, self._is_plainly_in)

    def _run_in(self, around: LoopNode | FunctionNode, runs: _Runs) -> list[FunctionNode]:
        """The functions of this file whose calls run in a loop or a function, as `runs` tells."""
        found: dict[FunctionNode, None] = {}
        self._add_helpers(around, found, 0, runs)
        return list(found)

    def _add_helpers(
        self, around: LoopNode | FunctionNode, found: dict[FunctionNode, None], depth: int, runs: _Runs
    ) -> None:
        called: dict[FunctionNode, None] = {}
        for node in walk_block(around.body):
            if (isinstance(node, ast.Call) or node in self.loops.beside) and runs(node, around):
                called.update((f.node, None) for f in self.loops.run_by(node) if f.facts is self.facts)
        new = [function for function in called if function not in found]
        found.update(dict.fromkeys(new))
        for function in new if depth < _MAX_DEPTH else ():
            self._add_helpers(function, found, depth + 1, runs)

    def running(self, function: FunctionNode) -> list[Pass] | None:
        """The calls of a function of this file, in the project, if each is in the passes of a step loop."""
        found = self._running(function, 0)
        return [run for run in found if run is not None] if None not in found else None

    def among(self, function: FunctionNode, *, by_models: bool = False) -> list[Pass]:
        """Those calls of a function of this file that are in the passes of a step loop, wherever else it is called.

        `by_models`: also those that a pass makes as it calls a model, in whose ``forward()`` they stand.
        """
        return [run for run in self._running(function, 0, by_models) if run is not None]

    def _running(self, function: FunctionNode, depth: int, by_models: bool = False) -> list[Pass | None]:
        """The same, with None for a call that is in none, or is not seen to be."""
        found: list[Pass | None] = []
        structure = self.loops.structure
        sites = [(site.facts, site.node) for site in structure.calls_to(Function(self.facts, function))]
        owner = self.module.parents[function]
        if by_models and isinstance(owner, ast.ClassDef) and function.name == "forward":
            called = structure.calls_of_objects(Class(self.facts, owner))
            sites += [(site.facts, site.node) for site in called]
        for facts, node in (*sites, *places(structure, self.facts, function)):
            loops = self.loops.elsewhere(facts)
            passes = Passes(loops)
            if passes._is_in_comprehension(node):
                continue  # a step of its own, which has no place for a barrier but there
            loop = loops.around(node)
            if loop is not None:
                usual = is_on_every_pass(loops.module, loop.node, node)
                found.append(Pass(loops, loop, node, passes.is_on_every(node, loop), usual))
                continue
            around = loops.module.function(node)
            if around is not None and _is_never_run(structure, facts, around):
                continue
            if around is None or depth >= _MAX_DEPTH:
                found.append(None)
                continue
            through = passes._running(around, depth + 1, by_models)
            found += [run and passes._inside(run, around, node) for run in through] or [None]
        return found

    def _inside(self, run: Pass, function: FunctionNode, node: ast.AST) -> Pass:
        """The passes of a node in a function that a pass runs."""
        every = run.every and self._is_plainly_in(node, function)
        return replace(run, every=every, usual=run.usual and is_on_every_pass(self.module, function, node))

    def _is_in_comprehension(self, node: ast.AST) -> bool:
        """Whether a node runs for each batch that a comprehension goes through."""
        comprehensions = (p for p in self.module.ancestors(node) if isinstance(p, Comprehension))
        return any(self.loops.goes_through_batches(p) for p in comprehensions)

    def from_elsewhere(self) -> Iterator[tuple[FunctionNode, Pass]]:
        """The functions of this file that do a step's work for the step loop of another file, and read the device."""
        for node in self._readers():
            effects = self.loops.function_effects(node)
            if effects.steps is not None or effects.backward is not None or effects.model is not None:
                runs = [run for run in self.among(node) if run.loops.facts is not self.facts]
                if runs:
                    yield node, runs[0]

    def reading_elsewhere(self) -> Iterator[tuple[FunctionNode, Pass]]:
        """The functions of this file that read the device in the passes of another file's step loop.

        Other calls of such a function, from outside of step loops or from nobody knows where, do not make it wait less.
        """
        for node in self._readers():
            runs = [run for run in self.among(node, by_models=True) if run.loops.facts is not self.facts]
            if runs:
                yield node, max(runs, key=lambda run: run.usual)

    def _readers(self) -> Iterator[FunctionNode]:
        for node in self.module.of_type(ast.FunctionDef, ast.AsyncFunctionDef):
            if node.name not in ("forward", "__init__") and self.loops.reads.within(node.body):
                yield node

    # -- gradient accumulation -------------------------------------------------------------------------

    def guards(self, loop: StepLoop) -> list[ast.If]:
        """The ``if`` of a step that goes over several passes, under which is what runs in each of its steps."""
        window = self.accumulation(loop)
        return [window.guard] if window is not None and window.body is window.guard.body else []

    def accumulation(self, loop: StepLoop) -> Window | None:
        """Where a loop steps once in several passes, each of which adds to the gradients."""
        if loop.kind is not LoopKind.TRAIN:
            return None
        found: Window | None = None
        child: ast.AST = loop.evidence
        for parent in self.module.ancestors(loop.evidence):
            if isinstance(child, ast.stmt):
                found = self._behind_a_guard(child, loop) or found
            if parent is loop.node:
                break
            if isinstance(parent, ast.If) and any(child is s for s in parent.body):
                found = Window(parent, parent.body, parent.orelse) if self._counts(parent.test, loop) else None
            child = parent
        if found is None:
            return None
        beside = self.loops.effects([*self.beside(found, loop), *found.skipped])
        return found if beside.backward is not None and beside.steps is None else None

    def _behind_a_guard(self, statement: ast.stmt, loop: StepLoop) -> Window | None:
        """``if (i + 1) % n: continue`` before a statement of the same block."""
        around = next(p for p in self.module.ancestors(statement) if isinstance(p, LOOPS))
        if around is not loop.node:
            return None
        block = self.module.block(statement)
        at = next(i for i, s in enumerate(block) if s is statement)
        for index, guard in enumerate(block[:at]):
            if isinstance(guard, ast.If) and not guard.orelse and isinstance(guard.body[-1], ast.Continue):
                if self._counts(guard.test, loop) and not is_now_and_then(guard.test):
                    return Window(guard, block[index + 1 :], guard.body)
        return None

    def beside(self, window: Window, loop: StepLoop) -> list[ast.stmt]:
        """What a pass does besides the step."""
        found: list[ast.stmt] = []
        statement: ast.stmt = window.guard
        while statement is not loop.node:
            block = self.module.block(statement)
            found += [s for s in block if s is not statement and not any(s is own for own in window.body)]
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


def _is_never_run(structure: Structure, facts: Facts, function: FunctionNode) -> bool:
    """Whether a function is a method of a class that nothing in the project makes, derives from or names."""
    owner = facts.module.parents[function]
    if not isinstance(owner, ast.ClassDef) or facts.module.parents[owner] is not facts.module.tree:
        return False
    if structure.view.is_alone:
        return False  # what is in other files is not seen
    named = structure.is_everywhere(facts, owner.name) or structure.references(facts, owner.name)
    return not named and not facts.names.uses(facts.names.root, owner.name)
