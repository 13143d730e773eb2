"""Step loops: the innermost loops that step an optimizer, or run a model to evaluate, denoise or generate."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from xlaport.facts.host_loops import runs_on_host
from xlaport.facts.module import FUNCTIONS_AND_CLASSES, FunctionNode, LoopNode
from xlaport.facts.nesting import Nesting
from xlaport.facts.pass_reads import PassReads
from xlaport.facts.pinned import in_most_passes
from xlaport.facts.program import Facts
from xlaport.facts.reads import HostReads, reads_of
from xlaport.facts.roles import Role, roles_of
from xlaport.facts.running import beside, going_on, lambdas
from xlaport.facts.scopes import Comprehension
from xlaport.facts.step_loop import CHOSEN, CUTS, MADE, SET, Effects, LoopKind, StepLoop
from xlaport.facts.stepping import RuntimeNames, Stepping
from xlaport.facts.structure import Function, structure_of
from xlaport.facts.updates import Updates

__all__ = ["Effects", "LoopKind", "Loops", "RuntimeNames", "StepLoop", "loops_of"]

LOOPS = ast.For | ast.AsyncFor | ast.While
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_MAX_DEPTH = 3
ADDS = "adds to the gradients that a step takes"
"""What shows a loop over the micro-batches of one step."""
UNSEEN = "computes something, and gradients are off"
"""What shows a loop that calls code which nobody sees, or in which no model is seen."""
_LIBRARIES = frozenset("builtins torch numpy math random time os".split())
"""Those whose functions step nothing, whatever they are given: ``print(loss, optimizer)``."""


def loops_of(facts: Facts, runtime: RuntimeNames) -> Loops:
    """The step loops of a file, as it sees its project."""
    return facts.once(("loops", runtime), lambda: Loops(facts, runtime))


class Loops:
    """The step loops of a file. Ask `all`. See `loops_of`."""

    def __init__(self, facts: Facts, runtime: RuntimeNames) -> None:
        self.facts = facts
        self.module = facts.module
        self.roles = roles_of(facts)
        self.reads: HostReads = reads_of(facts)
        self.structure = structure_of(facts.view)
        self.stepping = Stepping(facts, runtime)
        self.updates = Updates(facts.module, facts.names)
        self.nesting = Nesting(self)
        self.pass_reads = PassReads(self)
        self.runtime = runtime
        self._effects: dict[FunctionNode, Effects] = {}
        self._step_loops: dict[LoopNode, StepLoop | None] = {}
        self._answers: dict[tuple[object, ...], bool] = {}
        self._run: dict[ast.Call, list[Function]] = {}
        self._open: set[ast.AST] = set()

    def all(self) -> list[StepLoop]:
        """Every step loop, in source order."""
        return list(self._all)

    @cached_property
    def _all(self) -> list[StepLoop]:
        return [loop for n in self.module.of_type(ast.For, ast.AsyncFor, ast.While) if (loop := self.step_loop(n))]

    def step_loop(self, node: LoopNode) -> StepLoop | None:
        """What is known of one loop; None where it is not a step loop, or steps on the host alone."""
        if node not in self._step_loops:
            self._step_loops[node] = self._classify(node)
        loop = self._step_loops[node]
        return None if loop is None or runs_on_host(self.facts, loop) else loop

    @cached_property
    def steps_anywhere(self) -> bool:
        """Whether some loop steps, be it on the host alone."""
        found = self.module.of_type(ast.For, ast.AsyncFor, ast.While)
        return any(self.step_loop(loop) or self._step_loops[loop] for loop in found)

    def steps_on_host(self, node: LoopNode) -> bool:
        """Whether a loop steps, and does so on the host alone."""
        return self.step_loop(node) is None and self._step_loops[node] is not None

    def around(self, node: ast.AST) -> StepLoop | None:
        """The step loop in whose passes a node runs, by its own function."""
        for parent in self.module.ancestors(node):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                return None
            if isinstance(parent, LOOPS) and (loop := self.step_loop(parent)) is not None:
                return loop
        return None

    # -- classification --------------------------------------------------------------------------------

    def _classify(self, node: LoopNode) -> StepLoop | None:
        function = self.module.function(node)
        layers = function is not None and function.name == "forward"
        effects = self.effects(node.body)
        trains = not layers or (effects.steps_what_is_kept and not self.nesting.is_part_of_a_step(node))
        found = self._mapped(node) or (self._training(node, effects) if trains else None)
        found = found or self._changing(node, effects)
        if found is None and not layers:
            often = in_most_passes(node)
            found = self._running(node, effects if often is node.body else self.effects(often))
        if found is None or self.nesting.is_one_pass_of_a_step(node):
            return None
        kind, because, evidence = found
        cut = self.stepping.iterates(node, Role.DEVICE_LOADER)
        return StepLoop(node, kind, because, evidence, effects.barriers, cut)

    def _training(self, node: LoopNode, effects: Effects) -> tuple[LoopKind, str, ast.AST] | None:
        if effects.steps is not None:
            alone = effects.backward is None and effects.model is None
            if alone and self.stepping.only_steps(node, effects.steps):
                return None
            return LoopKind.TRAIN, "steps an optimizer", effects.steps
        if effects.backward is None:
            return None
        step = self.stepping.unknown_step(node.body, list(self._calls(node.body)))
        if step is not None:
            return LoopKind.TRAIN, "runs backward() and a step() in one body", step
        return None

    def _mapped(self, node: LoopNode) -> tuple[LoopKind, str, ast.AST] | None:
        """``for loss in map(step, loader):``, which runs a step to get what each pass goes through."""
        if isinstance(node, ast.While):
            return None
        run = going_on(self.structure, self.facts, node)
        steps = [f for f in run if not f.facts.module.yields(f.node)]
        inside = [self.elsewhere(f.facts).function_effects(f.node) for f in steps]
        is_step = any(effects.steps is not None for effects in (*inside, *self._of_lambdas(node)))
        return (LoopKind.TRAIN, "steps an optimizer", node.iter) if is_step else None

    def _changing(self, node: LoopNode, effects: Effects) -> tuple[LoopKind, str, ast.AST] | None:
        """A loop that makes a step without an optimizer, or one over the micro-batches of an optimizer's step."""
        nodes = list(self._nodes(node.body))
        update = self.updates.of_parameters(nodes) if effects.backward is not None else None
        found = (LoopKind.TRAIN, "changes the parameters by their gradients", update) if update is not None else None
        if found is None:
            changed = self.updates.of_what_it_differentiates(nodes, node, effects.backward is not None)
            found = (LoopKind.OPTIMIZE, "changes a tensor by its gradient", changed) if changed is not None else None
        if found is not None:
            return None if self.nesting.is_part_of_a_step(node) else found
        if effects.model is None or effects.backward is None or not self.stepping.may_add(node, effects.backward):
            return None
        return (LoopKind.TRAIN, ADDS, effects.backward) if self.nesting.is_part_of_a_step(node) else None

    def _running(self, node: LoopNode, effects: Effects) -> tuple[LoopKind, str, ast.AST] | None:
        """A loop that runs a model without training it."""
        by_loader = self.stepping.iterates(node, Role.LOADER) or self.stepping.iterates(node, Role.DEVICE_LOADER)
        if self.runs_step_loop(node.body, LoopKind.OPTIMIZE if by_loader else None):
            return None
        if self.nesting.goes_through_a_result(node) or self.pass_reads.drops_outputs(node):
            return None
        if effects.backward is not None:
            # The gradients themselves are wanted: of an attack, or to see what matters.
            if effects.model is None or self.nesting.is_part_of_a_step(node):
                return None
            if by_loader:
                return LoopKind.EVAL, "runs a model and backward(), and iterates a loader", effects.backward
            if self.stepping.counts(node) and self.pass_reads.reads_each_pass(node):
                return LoopKind.ACT, "runs a model and backward(), and reads the device on every pass", effects.backward
            return None
        denoising = self.stepping.denoising_step(node, list(self._calls(node.body)))
        if denoising is not None:
            return LoopKind.DENOISE, "takes a step of a sampler", denoising
        if effects.quiet is not None:
            goes_on = not by_loader and self.stepping.feeds_itself(node, effects.quiet)
            if not goes_on and not by_loader and self.nesting.belongs_to_a_forward(node):
                return None
            return LoopKind.GENERATE if goes_on else LoopKind.EVAL, "runs a model and gradients are off", effects.quiet
        if self.stepping.goes_on_with_choices(node, effects.model) and not self.nesting.is_part_of_a_step(node):
            return LoopKind.GENERATE, CHOSEN, effects.model or node
        if effects.model is not None and (by_loader or effects.barriers):
            return LoopKind.EVAL, f"runs a model and {'iterates a loader' if by_loader else CUTS}", effects.model
        if effects.model is not None:
            reads = self.pass_reads.reads_each_pass(node)
            if (reads or self.pass_reads.moves_its_data(node)) and self.pass_reads.is_set_to_eval(node):
                return LoopKind.EVAL, SET, effects.model
            if reads and self.stepping.counts(node):
                return LoopKind.ACT, "runs a model and its output is read on every pass", effects.model
        made = self.pass_reads.made_and_read(node)
        if made is not None and self.gradients_are_off(node):
            return LoopKind.EVAL, MADE, made
        unseen = self.pass_reads.computes_quietly(node, list(self._calls(in_most_passes(node))), by_loader)
        if unseen is not None and not self.nesting.is_part_of_a_step(node):
            return LoopKind.GENERATE if self.stepping.feeds_itself(node, unseen) else LoopKind.EVAL, UNSEEN, unseen
        return None

    # -- effects ---------------------------------------------------------------------------------------

    def effects(self, statements: Iterable[ast.AST]) -> Effects:
        """What the statements (or expressions) do in one run, with the functions of the project that they call."""
        steps: ast.AST | None = None
        backward: ast.AST | None = None
        model: ast.AST | None = None
        running: list[tuple[ast.AST, Effects | None]] = []
        barriers: list[ast.Call] = []
        for node in self._nodes(statements):
            run = self.run_by(node) if isinstance(node, ast.Call) or node in self.beside else []
            if isinstance(node, ast.Call):
                if self._is_of_library(node):
                    continue
                if self.stepping.is_barrier(node):
                    barriers.append(node)
                if self.stepping.is_step(node):
                    steps = steps or node
                elif self.stepping.is_backward(node):
                    backward = backward or node
                elif self.stepping.is_model_call(node):
                    model = model or node
                    running.append((node, None))
                if not run and self.stepping.hands_over(node):
                    steps = steps or node
            inside = [self.elsewhere(function.facts).function_effects(function.node) for function in run]
            for inner in [*inside, *(self._of_lambdas(node) if isinstance(node, ast.Call) else ())]:
                steps = steps or (node if inner.steps else None)
                backward = backward or (node if inner.backward else None)
                model = model or (node if inner.model else None)
                running += [(node, inner)] if inner.model else []
                barriers += [node] if inner.barriers and isinstance(node, ast.Call) else []
        return Effects(steps, backward, model, tuple(barriers), lambda: self._quiet(running))

    def _is_of_library(self, call: ast.Call) -> bool:
        """Whether a call runs a function of a library's that is neither the target's nor called like what steps."""
        name = self.facts.names.resolve(call.func)
        if name is None or name in self.runtime.barriers or name in self.runtime.stepping:
            return False
        if name.endswith((".step", ".backward")):
            return False
        return name.partition(".")[0] in _LIBRARIES and isinstance(self.facts.program.lead(self.facts.file, name), str)

    def _quiet(self, running: list[tuple[ast.AST, Effects | None]]) -> ast.AST | None:
        """The first of some calls that runs a model with gradients switched off, itself or in what it calls."""
        for call, inner in running:
            if self.gradients_are_off(call) or (inner is not None and inner.quiet is not None):
                return call
        return None

    def _calls(self, statements: Iterable[ast.AST]) -> Iterator[ast.Call]:
        """Calls that run with the statements, but not in nested loops that step by themselves."""
        return (node for node in self._nodes(statements) if isinstance(node, ast.Call))

    def _nodes(self, statements: Iterable[ast.AST]) -> Iterator[ast.AST]:
        """The nodes that run with the statements, in their order, without those of steps of their own."""
        todo: list[ast.AST] = list(reversed(list(statements)))
        while todo:
            node = todo.pop()
            if type(node) in FUNCTIONS_AND_CLASSES:
                continue
            if isinstance(node, Comprehension) and self.goes_through_batches(node):
                continue
            yield node
            if isinstance(node, LOOPS):
                todo.append(node.test if isinstance(node, ast.While) else node.iter)
                if self.step_loop(node) is None:
                    todo.extend(reversed(node.body))
                todo.extend(reversed(node.orelse))
                continue
            todo.extend(reversed(self.module.children[node]))

    def _of_lambdas(self, node: ast.AST) -> Iterator[Effects]:
        """What ``step = lambda batch: update(model, batch)`` does where it is called."""
        for there, function in lambdas(self.structure, self.facts, node):
            loops = self.elsewhere(there)
            if function not in loops._open:
                loops._open.add(function)
                try:
                    yield loops.effects([function.body])
                finally:
                    loops._open.discard(function)

    def gradients_are_off(self, node: ast.AST, depth: int = 0) -> bool:
        """Whether code runs under ``torch.no_grad()`` or the like, by its own function or wherever that is called."""
        off = self.stepping.switches_off(node)
        if off is not None:
            return off
        function = self.module.function(node)
        if function is None or depth > _MAX_DEPTH:
            return False
        return self._once(("quiet", function, depth), lambda: self._runs_quietly(function, depth))

    def _runs_quietly(self, function: FunctionNode, depth: int) -> bool:
        sites = self.structure.calls_to(Function(self.facts, function))
        return bool(sites) and all(
            self.elsewhere(s.facts).gradients_are_off(s.node, depth + 1)
            for s in sites
            if s.facts is not self.facts or self.module.function(s.node) is not function
        )

    def goes_through_batches(self, node: Comprehension) -> bool:
        """Whether a comprehension is a loop over a loader, whose passes are steps rather than part of one."""
        return self.roles.is_(node.generators[0].iter, Role.LOADER, Role.DEVICE_LOADER)

    def function_effects(self, function: FunctionNode) -> Effects:
        """What one call of a function of this file does."""
        if function in self._open:
            return Effects()
        if function not in self._effects:
            self._open.add(function)
            try:
                effects = self.effects(function.body)
                if effects.steps is None:
                    step = self.updates.of_parameters(self._nodes(function.body))
                    if effects.backward is not None:
                        step = self.stepping.unknown_step(function.body, list(self._calls(function.body))) or step
                    effects = replace(effects, steps=step)
                self._effects[function] = effects
            finally:
                self._open.discard(function)
        return self._effects[function]

    # -- functions -------------------------------------------------------------------------------------

    def elsewhere(self, facts: Facts) -> Loops:
        """The loops of another file of the project."""
        return self if facts is self.facts else loops_of(facts, self.runtime)

    def run_by(self, call: ast.AST) -> list[Function]:
        """The functions of the project that a call may run: of a method without a body, those in its place.

        Also those that nothing calls in words: that leave the context which it gives, or go on with ``next()``; of an
        operator, a property and the like, what these run.
        """
        if not isinstance(call, ast.Call):
            return [] if isinstance(call, LOOPS) else self.beside.get(call, [])
        found = self._runs(call)
        named = self.structure.method_of_self(self.facts, call) or (found[0] if len(found) == 1 else None)
        if named is not None and (others := self.structure.overrides(named)):
            found = others if _is_abstract(named.node) else [*found, *others]
        beside = going_on(self.structure, self.facts, call)
        return [*found, *(function for function in beside if function not in found)] if beside else found

    @cached_property
    def beside(self) -> Mapping[ast.AST, list[Function]]:
        """What runs at nodes that are no calls."""
        return beside(self.structure, self.facts)

    def called(self, call: ast.Call) -> Function | None:
        """The function or method of the project that a call runs; not the ``__init__`` of a class."""
        found = self._runs(call)
        return found[0] if len(found) == 1 else None

    def _runs(self, call: ast.Call) -> list[Function]:
        """The functions one of which a call runs: not a constructor, and of a module, a ``forward()`` that steps."""
        if call not in self._run:
            found = self.structure.runs(self.facts, call)
            owners = self.structure.instances_of(self.facts, call.func) if found else ()
            if found and self.structure.classes_named(self.facts, call.func):
                found = []
            if any(map(self.structure.is_module, owners)):
                found = [f for f in found if self.elsewhere(f.facts).function_effects(f.node).steps is not None]
            self._run[call] = found
        return self._run[call]

    def runs_step_loop(self, statements: list[ast.stmt], but: LoopKind | None = None) -> bool:
        """Whether a step loop, but for those of one kind, runs with the statements, or in what they call."""
        return any(
            (loop := self.step_loop(node)) is not None and loop.kind is not but
            if isinstance(node, LOOPS)
            else isinstance(node, ast.Call)
            and any(self.elsewhere(f.facts).holds_step_loop(f.node, but) for f in self.run_by(node))
            for node in self.module.that_run(statements, ast.Call, *_LOOPS)
        )

    def holds_step_loop(self, function: FunctionNode, but: LoopKind | None = None) -> bool:
        """Whether a step loop runs in a function of this file, or in what it calls."""
        return self._once(("step loop", function, but), lambda: self.runs_step_loop(function.body, but))

    def reads_device(self, function: FunctionNode) -> bool:
        """Whether a function of this file, or what it calls, reads the device."""
        return self._once(
            ("read", function),
            lambda: bool(self.reads.within(function.body)) or self.calls_what_reads(function.body),
        )

    def calls_what_reads(self, statements: list[ast.stmt]) -> bool:
        """Whether a function that the statements call reads the device."""
        return any(
            self.elsewhere(f.facts).reads_device(f.node)
            for node in self.module.that_run(statements, ast.Call)
            for f in self.run_by(node)
        )

    def _once(self, key: tuple[object, ...], answer: Callable[[], bool]) -> bool:
        """An answer that is found once; meanwhile it is no: a function that calls itself adds nothing."""
        if key not in self._answers:
            self._answers[key] = False
            self._answers[key] = answer()
        return self._answers[key]


def _is_abstract(function: FunctionNode) -> bool:
    """A method that does nothing but raise, or nothing at all, and is there for others to replace."""
    plain = (s.value if isinstance(s, ast.Expr) else s for s in function.body)
    return all(isinstance(node, ast.Pass | ast.Raise | ast.Constant) for node in plain)
