"""What the passes of a loop read from the device, or compute without gradients, each of them."""

from __future__ import annotations

import ast
from typing import Protocol

from xlaport.facts.module import LoopNode, Module
from xlaport.facts.program import Facts
from xlaport.facts.reads import HostReads
from xlaport.facts.role import Role
from xlaport.facts.roles import Roles
from xlaport.facts.settled import is_never_taken
from xlaport.facts.step_loop import StepLoop
from xlaport.facts.stepping import Stepping
from xlaport.facts.structure import Function, Structure
from xlaport.facts.vocabulary import MODULE_HOST_METHODS, MOVING_METHODS

_PARTS = frozenset({"parameters", "named_parameters", "modules", "named_modules", "children", "state_dict", "items"})
_MAX_DEPTH = 3


class Loops(Protocol):
    """What it asks of the loops of a file (`xlaport.facts.loops`)."""

    facts: Facts
    module: Module
    roles: Roles
    reads: HostReads
    structure: Structure
    stepping: Stepping
    pass_reads: PassReads

    def step_loop(self, node: LoopNode) -> StepLoop | None:
        """What is known of one loop."""

    def called(self, call: ast.Call) -> Function | None:
        """The function that a call runs."""

    def calls_what_reads(self, statements: list[ast.stmt]) -> bool:
        """Whether statements call a function that reads the device."""

    def gradients_are_off(self, node: ast.AST) -> bool:
        """Whether a node runs without gradients."""

    def elsewhere(self, facts: Facts) -> Loops:
        """The loops of another file."""


class PassReads:
    """Questions about the reads in the loops of a file."""

    def __init__(self, loops: Loops) -> None:
        self.loops = loops
        self.module = loops.module

    def made_and_read(self, node: LoopNode) -> ast.Call | None:
        """The call of a function of the project whose result every pass reads: ``rgb, _ = render(…)``."""
        for read in self.loops.reads.within(node.body):
            if isinstance(read.tensor, ast.Name) and self._is_on_every_pass(read.node, node):
                for binding in self.loops.facts.names.reaching(read.tensor):
                    inside = any(parent is node for parent in self.module.ancestors(binding.node))
                    if inside and isinstance(binding.value, ast.Call) and self.loops.called(binding.value) is not None:
                        return binding.value
        return None

    def drops_outputs(self, node: LoopNode) -> bool:
        """Whether the passes of a loop only run a model, and keep nothing of it: ``for _ in range(3): model(x)``.

        Nothing is pending behind such a warm-up, since what nobody holds is not computed.
        """
        statements = node.body if self.loops.stepping.counts(node) else []
        calls = [s.value if isinstance(s, ast.Expr) else None for s in statements]
        return bool(calls) and all(isinstance(call, ast.Call) and self._only_gives(call) for call in calls)

    def _only_gives(self, call: ast.Call) -> bool:
        """Whether a call runs a model for what it gives, be it itself or by a function that hands it back."""
        if self.loops.roles.is_(call.func, Role.MODEL):
            return True
        function = self.loops.called(call)
        if function is None or self.loops.elsewhere(function.facts).reads.within(function.node.body):
            return False
        inside = list(function.facts.module.that_run(function.node.body, ast.Return, ast.Attribute))
        keeps = any(isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load) for n in inside)
        return not keeps and any(isinstance(n, ast.Return) and n.value is not None for n in inside)

    def computes_quietly(self, node: LoopNode, calls: list[ast.Call], by_loader: bool) -> ast.Call | None:
        """What code that shows no model computes where gradients are off, and what shows that it is device work.

        ``with torch.no_grad(): _, action = agent.act(obs)`` in the loop itself; ``image = self.step(image, t)``, which
        each pass gives to the next; where the loop goes through a loader, what gets a model in hand.
        """
        if self._goes_through_parts(node):
            return None
        targets = (
            () if isinstance(node, ast.While) else [n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)]
        )
        for call in calls:
            if not isinstance(self.module.parents[call], ast.Assign) or not self._is_code(call):
                continue
            if not (by_loader or self.may_run_a_model(call) or self.reads_each_pass(node)):
                continue  # a part of the step around it
            if any(isinstance(n, ast.Name) and n.id in targets for n in ast.walk(call.func)):
                continue  # a layer, which the loop picks out
            if is_never_taken(self.loops.facts, self.loops.structure, call):
                continue  # of a model that no call of the function passes
            if self.loops.stepping.gradients_are_off(call, node):
                return call
            if self.loops.gradients_are_off(call):
                given = [*call.args, *(keyword.value for keyword in call.keywords)]
                if by_loader and any(self.loops.roles.is_(value, Role.MODEL) for value in given):
                    return call
                carried = any(self._is_tensor_before(value, node) for value in given)
                if carried and self.loops.stepping.takes_what_it_gave(node, call):
                    return call
        return None

    def may_run_a_model(self, call: ast.Call, depth: int = 0) -> bool:
        """Whether a call runs code of the project, or what we cannot see, that does more than to compute with tensors.

        A function that only selects, masks and adds is a part of the step around it, however often a loop calls it,
        unless each pass is read.
        """
        if not self._is_code(call):
            return False
        function = self.loops.called(call)
        if function is None or depth > _MAX_DEPTH:
            return True
        there = self.loops.elsewhere(function.facts)
        return any(
            there.stepping.is_model_call(inner) or there.pass_reads.may_run_a_model(inner, depth + 1)
            for inner in function.facts.module.that_run(function.node.body, ast.Call)
        )

    def _is_code(self, call: ast.Call) -> bool:
        """Whether a call runs code of the project, or what we cannot see, but no library and no tensor's method."""
        if self.loops.called(call) is not None:
            return True
        func = call.func
        if not isinstance(func, ast.Name | ast.Attribute) or self.loops.roles.role(call) is not None:
            return False
        if isinstance(func, ast.Attribute):
            of_tensor = self.loops.roles.role(func.value) not in (None, Role.MODEL)
            if of_tensor or func.attr.endswith("_") or func.attr in MODULE_HOST_METHODS:
                return False
        return self.loops.facts.names.resolve(func) is None

    def _goes_through_parts(self, node: LoopNode) -> bool:
        """``for p in model.parameters():``, which is done once, or in one step."""
        parts = ast.walk(node.iter) if isinstance(node, ast.For) else ()
        return any(isinstance(n, ast.Attribute) and n.attr in _PARTS for n in parts)

    def _is_tensor_before(self, value: ast.expr, node: LoopNode) -> bool:
        """Whether a name stands for a tensor where the loop begins."""
        outside = (
            binding.value
            for binding in (self.loops.facts.names.reaching(value) if isinstance(value, ast.Name) else ())
            if not any(parent is node for parent in self.module.ancestors(binding.node))
        )
        return any(v is not None and self.loops.roles.is_(v, Role.TENSOR) for v in outside)

    def reads_each_pass(self, node: LoopNode) -> bool:
        """Whether something is read on every pass, be it to decide what follows, or piece by piece."""
        plain = [s for s in node.body if not isinstance(s, ast.If | ast.Try | LoopNode)]
        if self.loops.calls_what_reads(plain):
            return True
        return any(
            read.proven and self._is_on_every_pass(read.node, node) for read in self.loops.reads.within(node.body)
        )

    def moves_its_data(self, node: LoopNode) -> bool:
        """Whether each pass moves what the loop goes through to the device: ``x, y = x.cuda(), y.cuda()``."""
        parts = ast.walk(node.target) if isinstance(node, ast.For) else ()
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        return any(
            isinstance(call.func, ast.Attribute)
            and call.func.attr in MOVING_METHODS
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id in names
            for call in self.module.that_run(node.body, ast.Call)
        )

    def is_set_to_eval(self, node: LoopNode) -> bool:
        """Whether what a function says last of the mode of a model, before a loop, is ``model.eval()``."""
        function = self.module.function(node)
        modes: list[tuple[int, str]] = []
        for name in ("eval", "train"):
            for method in self.module.attributes.get(name, []):
                called = isinstance(call := self.module.parents[method], ast.Call) and call.func is method
                if called and method.lineno < node.lineno and self.module.function(method) is function:
                    modes.append((method.lineno, name))
        return max(modes, default=(0, ""))[1] == "eval"

    def _is_on_every_pass(self, node: ast.AST, loop: LoopNode) -> bool:
        child = node
        for parent in self.module.ancestors(node):
            if parent is loop:
                return True
            under = isinstance(parent, ast.If | ast.IfExp) and child is not parent.test
            if under or isinstance(parent, ast.Try | ast.ExceptHandler):
                return False
            if isinstance(parent, LoopNode) and self.loops.step_loop(parent) is not None:
                return False
            child = parent
        return False
