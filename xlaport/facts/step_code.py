"""Step code: what runs in each step: in step loops, the functions that they call, ``forward()``, hooks of libraries."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from xlaport.facts.frequency import behind_usual_exit, is_now_and_then, is_passed_over
from xlaport.facts.hooks import hooks_of
from xlaport.facts.loops import LOOPS, Loops, RuntimeNames, StepLoop, loops_of
from xlaport.facts.module import FunctionNode, LoopNode, walk_block
from xlaport.facts.program import Facts
from xlaport.facts.running import chosen, going_on, places, wrapped, wrappers
from xlaport.facts.step_nodes import APART, StepBody, StepNodes
from xlaport.facts.structure import CallSite, Function

_MAX_DEPTH = 6


class _Called(NamedTuple):
    """A function that a body runs."""

    function: FunctionNode
    blocks: list[list[ast.stmt]]
    """What of it runs each time."""
    calls: frozenset[ast.AST] | None = None
    """The calls of the function that this runs it for, one of which is to run first; None: for all."""


def step_code_of(facts: Facts, runtime: RuntimeNames) -> StepCode:
    """The step code of a file, as it sees its project."""
    return facts.once(("step code", runtime), lambda: StepCode(loops_of(facts, runtime)))


class StepCode(StepNodes):
    """Questions about the code of a step. A step loop inside another one has steps of its own. See `step_code_of`."""

    def __init__(self, loops: Loops) -> None:
        super().__init__(loops)
        self.roles = loops.roles
        self.structure = loops.structure
        self._counting: dict[LoopNode, bool] = {}
        self._run: dict[ast.AST, bool] = {}
        self._fed: dict[FunctionNode, bool] = {}
        self._seldom: dict[tuple[ast.AST, bool], bool] = {}

    @cached_property
    def bodies(self) -> tuple[StepBody, ...]:
        """All code that runs in steps, each piece of it once."""
        found: list[StepBody] = []
        seen: set[FunctionNode] = set()
        calls: set[ast.AST] = set()
        waiting: list[_Called] = []
        for loop in self.loops.all():
            todo: list[StepBody] = [StepBody(tuple(loop.node.body), loop, None)]
            while todo:
                body = todo.pop(0)
                found.append(body)
                calls.update(self.of_type(body, ast.Call))
                waiting += self._called(body)
                now = [one for one in waiting if one.calls is None or not calls.isdisjoint(one.calls)]
                waiting = [one for one in waiting if one not in now]
                for function, blocks, _ in now:
                    if function not in seen:
                        seen.add(function)
                        todo += [StepBody(tuple(block), loop, function) for block in blocks]
        for function in self._called_from_outside():
            if function not in seen:
                seen.add(function)
                found.append(StepBody(tuple(function.body), None, function))
        return tuple(found)

    @cached_property
    def others(self) -> tuple[StepBody, ...]:
        """The functions that only steps of other files might run: ask `runs_in_steps`."""
        if self.facts.view.is_alone:
            return ()
        functions = self.module.of_type(ast.FunctionDef, ast.AsyncFunctionDef)
        found = (node for node in functions if not node.name.endswith("__"))
        return tuple(StepBody(tuple(f.body), None, f) for f in found if f not in self._functions)

    @cached_property
    def lambdas(self) -> tuple[StepBody, ...]:
        """The lambdas that steps run, of this file or of another one."""
        found = (node for node in self.module.of_type(ast.Lambda) if self.runs_in_steps(node))
        return tuple(StepBody((node.body,), None, None) for node in found)

    def passes_with_steps(self, loop: LoopNode) -> bool:
        """Whether the passes of a loop are steps, hold steps, or give a step what it gets."""
        function = self._yielding.get(loop)
        return self.counts_steps(loop) or (function is not None and self._feeds(function))

    @cached_property
    def _yielding(self) -> dict[LoopNode, FunctionNode]:
        """The innermost loops around what generators yield."""
        found: dict[LoopNode, FunctionNode] = {}
        for node in self.module.of_type(ast.Yield):
            around = self.module.ancestors(node)
            loop = next((p for p in around if isinstance(p, (ast.For, ast.AsyncFor, ast.While, *APART))), None)
            function = self.module.function(node)
            if isinstance(loop, LOOPS) and function is not None:
                found[loop] = function
        return found

    def _feeds(self, generator: FunctionNode) -> bool:
        """Whether a step loop goes through what a generator gives, itself or by another generator."""
        if generator not in self._fed:
            self._fed[generator] = False
            self._fed[generator] = any(
                isinstance(node, LOOPS) and self.elsewhere(facts).passes_with_steps(node)
                for facts, node in places(self.structure, self.facts, generator)
            )
        return self._fed[generator]

    @cached_property
    def yielded_to(self) -> tuple[tuple[LoopNode, StepLoop, Facts], ...]:
        """The loops that get something of each step: of a generator that yields in its step loop; with that, and where.

        ``for loss in training(model, batches):``
        """
        found: list[tuple[LoopNode, StepLoop, Facts]] = []
        for node in self.module.of_type(ast.For, ast.AsyncFor):
            if isinstance(node, ast.While) or self.loops.step_loop(node) is not None:
                continue
            call = self.loops.stepping.iterated(node)
            for function in self.structure.runs(self.facts, call) if isinstance(call, ast.Call) else ():
                there = self.loops.elsewhere(function.facts)
                found += [
                    (node, loop, function.facts)
                    for loop in there.all()
                    if function.node in function.facts.module.ancestors(loop.node)
                    and any(isinstance(inner, ast.Yield) for inner in walk_block(loop.node.body))
                ]
        return tuple(found)

    def runs_in_steps(self, function: ast.AST) -> bool:
        """Whether a step of this file, or of another one, runs a function of this file."""
        if function in self._functions or not isinstance(function, FunctionNode | ast.Lambda):
            return function in self._functions
        if function not in self._run:
            self._run[function] = False
            self._run[function] = any(code.in_step(node) for code, node in self.places_of(function))
        return self._run[function]

    def places_of(self, function: FunctionNode | ast.Lambda) -> Iterator[tuple[StepCode, ast.AST]]:
        """Where in the project a function or a lambda of this file runs; a decorator's, where what it wraps does.

        Of what a text chooses, ``fire("step")``, the calls that pass that text.
        """
        for code, place in self._places_of(function):
            calls = code.calls_that_choose(function, place)
            yield from calls if calls is not None else [(code, place)]

    def calls_that_choose(self, function: ast.AST, place: ast.AST) -> list[tuple[StepCode, ast.AST]] | None:
        """The calls of the function around a place for which another runs there; None where no text chooses that."""
        caller = next((parent for parent in self.module.ancestors(place) if isinstance(parent, APART)), None)
        calls = chosen(self.structure, self.facts, caller) if isinstance(caller, FunctionNode) else []
        found = [(f, call) for f, call, runs in calls if any(run.node is function for run in runs.get(place, ()))]
        return [(self.elsewhere(facts), call) for facts, call in found] if calls else None

    def _places_of(self, function: FunctionNode | ast.Lambda) -> Iterator[tuple[StepCode, ast.AST]]:
        if isinstance(function, FunctionNode):
            of_objects = self.structure.calls_to(Function(self.facts, function))  # and what makes them
            for site in dict.fromkeys((*self.calls_to(function), *of_objects)):
                yield self.elsewhere(site.facts), site.node
        for facts, node in places(self.structure, self.facts, function):
            yield self.elsewhere(facts), node
        for inner in wrapped(self.structure, self.facts, function):
            yield from self.elsewhere(inner.facts).places_of(inner.node)

    def elsewhere(self, facts: Facts) -> StepCode:
        """The step code of another file of the project."""
        return self if facts is self.facts else step_code_of(facts, self.loops.runtime)

    def is_now_and_then(self, node: ast.AST, but_training: bool = False) -> bool:
        """Whether a node of a step runs in every n-th step only: under ``if step % 100 == 0``.

        `but_training`: a branch that steps an optimizer is part of the work, ``if step % 4 == 0: agent.learn()``, and
        no excuse for what costs a compilation each time.
        """
        if self.is_behind_usual_exit(node):
            return True
        child = node
        for parent in self.module.ancestors(node):
            if isinstance(parent, FunctionNode | ast.Lambda):
                return self._is_called_now_and_then(parent, but_training)
            if isinstance(parent, LOOPS) and self.loops.step_loop(parent) is not None:
                return False
            if isinstance(parent, LOOPS) and self.is_behind_usual_exit(parent):
                return True
            if _is_rare_branch(parent, child) and not (but_training and self._trains(parent)):
                return True
            if is_passed_over(parent, child):
                return True
            child = parent
        return False

    def is_behind_usual_exit(self, node: ast.AST) -> bool:
        """Whether a node runs in every n-th pass only, behind ``if step % 100: continue``; not where that trains."""
        later = behind_usual_exit(self.module, node)
        return later is not None and not self.loops.nesting.steps_in(later)

    def _is_called_now_and_then(self, function: FunctionNode | ast.Lambda, but_training: bool) -> bool:
        """Whether all calls of a function that belong to steps stand under such conditions."""
        key = (function, but_training)
        if key not in self._seldom:
            self._seldom[key] = False
            inside = [(code, node) for code, node in self.places_of(function) if code.in_step(node)]
            self._seldom[key] = bool(inside) and all(code.is_now_and_then(n, but_training) for code, n in inside)
        return self._seldom[key]

    def _trains(self, branch: ast.AST) -> bool:
        return isinstance(branch, ast.If) and self.loops.nesting.steps_in(branch.body)

    def runs(self, call: ast.Call) -> list[FunctionNode]:
        """The functions of this file that a call runs: the ``forward()`` of a model, too."""
        found = self.loops.run_by(call)
        if not found and not self.structure.classes_named(self.facts, call.func):
            found = self.structure.runs(self.facts, call)
        around = next((p for p in self.module.ancestors(call) if isinstance(p, APART)), None)
        own = [function.node for function in found if function.facts is self.facts]
        return [function for function in own if around not in self._wrappers(function)]

    def _wrappers(self, function: FunctionNode) -> list[FunctionNode]:
        """What decorators of this file put around a function of it."""
        found = wrappers(self.structure, self.facts, function)
        return [wrapper.node for wrapper in found if wrapper.facts is self.facts]

    def calls_to(self, function: FunctionNode) -> list[CallSite]:
        """The calls in the project that run a function of this file."""
        own = [CallSite(self.facts, call) for call in self._calls_to.get(function, [])]
        others = self.structure.calls_to(Function(self.facts, function))
        return [*own, *(site for site in others if site.facts is not self.facts)]

    def in_step(self, node: ast.AST) -> bool:
        """Whether the code of a node runs in each step: not between the steps of two epochs, nor before the first.

        A loop itself stands for what goes on with its passes.
        """
        child: ast.AST | None = None
        for parent in (node, *self.module.ancestors(node)):
            if isinstance(parent, APART):
                return self.runs_in_steps(parent)
            if isinstance(parent, LOOPS) and (child is None or _is_of_a_pass(parent, child)):
                if self.loops.step_loop(parent) is not None:
                    return True
            child = parent
        return False

    def with_steps(self, node: ast.AST) -> bool:
        """Whether the code of a node runs again with the steps, or with the passes of a loop around step loops."""
        for parent in self.module.ancestors(node):
            if isinstance(parent, APART):
                return self.runs_in_steps(parent)
            if isinstance(parent, LOOPS) and self.counts_steps(parent):
                return True
        return False

    def counting_loop(self, node: ast.AST) -> LoopNode | None:
        """The innermost loop around a node, in its function, that steps or holds step loops."""
        for parent in self.module.ancestors(node):
            if isinstance(parent, APART):
                return None
            if isinstance(parent, LOOPS) and self.counts_steps(parent):
                return parent
        return None

    def counts_steps(self, loop: LoopNode) -> bool:
        """Whether the passes of a loop are steps, or hold steps: not a loop inside of one step."""
        if loop not in self._counting:
            self._counting[loop] = self.loops.step_loop(loop) is not None or self.loops.runs_step_loop(loop.body)
        return self._counting[loop]

    def is_inside(self, node: ast.AST, loop: LoopNode) -> bool:
        """Whether a node belongs to a loop."""
        return any(parent is loop for parent in self.module.ancestors(node))

    @property
    def attributes(self) -> dict[str, list[ast.Attribute]]:
        """The attributes that are read or set in the file, by their name."""
        return self.module.attributes

    @cached_property
    def _functions(self) -> frozenset[ast.AST]:
        return frozenset(body.function for body in self.bodies if body.function is not None)

    @cached_property
    def _calls_to(self) -> dict[ast.AST, list[ast.Call]]:
        found: dict[ast.AST, list[ast.Call]] = {}
        for call in self.module.calls:
            for function in self.runs(call):
                found.setdefault(function, []).append(call)
        return found

    def _called(self, body: StepBody) -> Iterator[_Called]:
        """The functions that run with a body."""
        loop = body.loop.node if body.loop is not None and body.function is None else None
        asked = self.module.that_run([loop.test], ast.Call) if isinstance(loop, ast.While) else []
        for call in (*asked, *self.of_type(body, ast.Call)):
            again = [function.node for function in going_on(self.structure, self.facts, call)]
            for function in self.runs(call):
                choosing = self.calls_that_choose(function, call)
                calls = None if choosing is None else frozenset(node for _, node in choosing)
                yield _Called(function, self._rounds(function) if function in again else [function.body], calls)
                yield from (_Called(wrapper, [wrapper.body], calls) for wrapper in self._wrappers(function))
        around = (loop,) if loop is not None else ()
        for node in (*around, *self.nodes(body)) if self.loops.beside else ():
            for beside in self.loops.beside.get(node, ()):  # what a loop goes through, a property, an operator
                if beside.facts is self.facts:
                    yield _Called(beside.node, self._rounds(beside.node))

    def _rounds(self, function: FunctionNode) -> list[list[ast.stmt]]:
        """What runs each time that a function goes on: the loops in which it yields, or else all of it."""
        around = (self.module.ancestors(node) for node in self.module.yields(function))
        loops = [next((parent for parent in parents if isinstance(parent, LOOPS)), None) for parents in around]
        found = dict.fromkeys(loop for loop in loops if loop is not None and function in self.module.ancestors(loop))
        return [loop.body for loop in found] or [function.body]

    def _called_from_outside(self) -> Iterator[FunctionNode]:
        """The ``forward()`` of each module class and the hooks of libraries, with what they call on the way."""
        todo: list[FunctionNode] = [hook.function for hook in hooks_of(self.facts, self.structure)]
        todo += [
            function
            for owner in self.module.of_type(ast.ClassDef)
            if self.roles.is_module_class(owner)
            for function in owner.body
            if isinstance(function, ast.FunctionDef) and function.name == "forward"
        ]
        for function in todo:
            yield function
            body = StepBody(tuple(function.body), None, function)
            todo += [called for called, *_ in self._called(body) if called not in todo]


def _is_of_a_pass(loop: LoopNode, child: ast.AST) -> bool:
    """Whether a part of a loop runs in each pass, as what it goes through does not."""
    return child in loop.body or (isinstance(loop, ast.While) and child is loop.test)


def _is_rare_branch(node: ast.AST, child: ast.AST) -> bool:
    """``if step % 100 == 0:`` and what stands in it."""
    return isinstance(node, ast.If) and is_now_and_then(node.test) and any(child is s for s in node.body)
