"""Step loops: the innermost loops that step an optimizer, or run a model to evaluate or generate."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import FunctionNode, LoopNode, Module, walk_block
from xlaport.facts.names import How, Names
from xlaport.facts.roles import Role, Roles, dotted

_UPDATES = ("add_", "sub_", "addcdiv_", "addcmul_", "copy_", "lerp_")
"""Methods by which a parameter is changed in a step that is written out."""


class LoopKind(enum.Enum):
    """What a step loop does."""

    TRAIN = "training"
    EVAL = "evaluation"


@dataclass(frozen=True)
class StepLoop:
    """One step loop and what shows that it is one."""

    node: LoopNode
    kind: LoopKind
    because: str
    evidence: ast.AST
    """What shows it: the optimizer's step, or the call of the model."""
    barriers: tuple[ast.Call, ...]
    """Calls in its own body that cut the graph already."""
    cut_by_loader: bool
    """It iterates a device loader, which cuts the graph at every batch."""


@dataclass(frozen=True)
class RuntimeNames:
    """What the target's functions do, by qualified name, as far as loops are concerned."""

    barriers: frozenset[str] = frozenset()
    stepping: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Effects:
    """What one run of some code does to the device, loops inside it that step by themselves left out."""

    steps: ast.AST | None = None
    backward: ast.AST | None = None
    model: ast.AST | None = None
    barriers: tuple[ast.Call, ...] = ()


class Loops:
    """The step loops of a module. Ask `all`."""

    def __init__(self, module: Module, names: Names, roles: Roles, runtime: RuntimeNames) -> None:
        self.module = module
        self.names = names
        self.roles = roles
        self.runtime = runtime
        self._function_memo: dict[ast.AST, Effects] = {}
        self._loop_memo: dict[LoopNode, StepLoop | None] = {}
        self._open: set[ast.AST] = set()

    def all(self) -> list[StepLoop]:
        """Every step loop, in source order."""
        return list(self._all)

    @cached_property
    def _all(self) -> list[StepLoop]:
        loops = (self.step_loop(n) for n in self.module.nodes if isinstance(n, ast.For | ast.AsyncFor | ast.While))
        return [loop for loop in loops if loop is not None]

    def effects(self, statements: Iterable[ast.stmt]) -> Effects:
        """What the statements do in one run, called functions of this file included."""
        steps: ast.AST | None = None
        backward: ast.AST | None = None
        model: ast.AST | None = None
        barriers: list[ast.Call] = []
        for call in self._calls(statements):
            if self.names.resolve(call.func) in self.runtime.barriers:
                barriers.append(call)
            elif self.is_step(call):
                steps = steps or call
                if any(k.arg == "barrier" and _is_true(k.value) for k in call.keywords):
                    barriers.append(call)
            elif isinstance(call.func, ast.Attribute) and call.func.attr == "backward":
                backward = backward or call
            elif self.is_model_call(call):
                model = model or call
            inner = self._called(call)
            if inner is not None:
                steps = steps or (call if inner.steps else None)
                backward = backward or (call if inner.backward else None)
                model = model or (call if inner.model else None)
                barriers += [call] if inner.barriers else []
        return Effects(steps, backward, model, tuple(barriers))

    def is_step(self, call: ast.Call) -> bool:
        """``optimizer.step()``, ``scaler.step(optimizer)``, or the target's own stepping call."""
        if self.names.resolve(call.func) in self.runtime.stepping:
            return True
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "step":
            return False
        role = self.roles.role(call.func.value)
        if role is Role.OPTIMIZER or role is Role.SCALER:
            return True
        return bool(len(call.args) == 1 and self.roles.is_(call.args[0], Role.OPTIMIZER))

    def is_model_call(self, call: ast.Call) -> bool:
        """A call of a module, other than of a layer that the loop around it picks out of a container."""
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr in ("forward", "generate"):
            func = func.value
        if not self.roles.is_(func, Role.MODEL):
            return False
        root: ast.expr = func
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if isinstance(root, ast.Name):
            return not any(
                isinstance(b.node, ast.Name) and self._is_loop_target(b.node) for b in self.names.bindings(root)
            )
        return True

    def step_loop(self, node: LoopNode) -> StepLoop | None:
        """What is known of one loop; None where it is not a step loop."""
        if node not in self._loop_memo:
            self._loop_memo[node] = self._classify(node)
        return self._loop_memo[node]

    def runs_step_loop(self, statements: list[ast.stmt]) -> bool:
        """Whether a step loop runs with the statements, among them or in a function that they call."""
        return any(
            isinstance(node, ast.For | ast.AsyncFor | ast.While) and self.step_loop(node) is not None
            for node in self.run_by(statements)
        )

    def run_by(self, statements: list[ast.stmt]) -> Iterator[ast.AST]:
        """The nodes that run with the statements, those of the functions of this file that they call included."""
        todo, seen = [*statements], set[FunctionNode]()
        while todo:
            for node in walk_block([todo.pop()]):
                yield node
                function = self.roles.classes.function_called(node) if isinstance(node, ast.Call) else None
                if function is not None and function not in seen:
                    seen.add(function)
                    todo += function.body

    # -- classification --------------------------------------------------------------------------------

    def _classify(self, node: LoopNode) -> StepLoop | None:
        function = self.module.function(node)
        if function is not None and function.name == "forward":
            return None
        body = list(node.body)
        effects = self.effects(body)
        cut = not isinstance(node, ast.While) and self._iterates(node, Role.DEVICE_LOADER)
        if effects.steps is not None:
            return self._loop(node, LoopKind.TRAIN, "steps an optimizer", effects.steps, effects, cut)
        if effects.backward is not None:
            step = self._unknown_step(body)
            if step is not None:
                because = "runs backward() and a step() in one body"
                return self._loop(node, LoopKind.TRAIN, because, step, effects, cut)
            update = self._own_update(body)
            if update is not None:
                because = "changes the parameters by their gradients"
                return self._loop(node, LoopKind.TRAIN, because, update, effects, cut)
            return None
        if effects.model is not None and not self.runs_step_loop(body):
            why = self._gradient_off(effects.model)
            if why is None and not isinstance(node, ast.While):
                why = "iterates a loader" if cut or self._iterates(node, Role.LOADER) else None
            if why is not None:
                because = f"runs a model and {why}"
                return self._loop(node, LoopKind.EVAL, because, effects.model, effects, cut)
        return None

    def _loop(self, node: LoopNode, kind: LoopKind, because: str, at: ast.AST, effects: Effects, cut: bool) -> StepLoop:
        return StepLoop(node, kind, because, at, effects.barriers, cut)

    def _unknown_step(self, body: list[ast.stmt]) -> ast.Call | None:
        """``self.opt.step()`` of something unknown, beside a backward() in the same body."""
        if not any(isinstance(n, ast.Attribute) and n.attr == "backward" for n in walk_block(body)):
            return None
        for call in self._calls(body):
            if (
                isinstance(call.func, ast.Attribute)
                and call.func.attr == "step"
                and self.roles.role(call.func.value) is None
                and not self._is_bound_by_block(call.func.value)
                and not call.args
            ):
                return call
        return None

    def _is_bound_by_block(self, node: ast.expr) -> bool:
        """No plain name or attribute, or one of a loop over schedulers, of a ``with profile() as p``."""
        if dotted(node) is None:
            return True
        return isinstance(node, ast.Name) and any(
            binding.how in (How.FOR, How.WITH) for binding in self.names.bindings(node)
        )

    def _own_update(self, body: list[ast.stmt]) -> ast.Call | None:
        """``p.data.add_(p.grad, alpha=-lr)`` for the parameters: a step without an optimizer."""
        for node in walk_block(body):
            if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
                continue
            if not (isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Attribute)):
                continue
            if node.iter.func.attr != "parameters":
                continue
            for call in (n for n in walk_block(node.body) if isinstance(n, ast.Call)):
                uses_gradient = any(isinstance(n, ast.Attribute) and n.attr == "grad" for n in ast.walk(call))
                if isinstance(call.func, ast.Attribute) and call.func.attr in _UPDATES and uses_gradient:
                    if _root(call.func) == node.target.id:
                        return call
        return None

    def _gradient_off(self, node: ast.AST) -> str | None:
        for parent in self.module.ancestors(node):
            if isinstance(parent, ast.With | ast.AsyncWith):
                for item in parent.items:
                    if self._switches_gradients_off(item.context_expr):
                        return "gradients are off"
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                if any(self._switches_gradients_off(d) for d in parent.decorator_list):
                    return "gradients are off"
                return None
        return None

    def _switches_gradients_off(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            if self.names.resolve(node.func) == "torch.set_grad_enabled":
                return bool(node.args) and isinstance(node.args[0], ast.Constant) and node.args[0].value is False
            node = node.func
        return self.names.resolve(node) in torch_api.GRAD_OFF

    def _iterates(self, node: ast.For | ast.AsyncFor, role: Role) -> bool:
        return self.roles.is_(self.iterated(node), role)

    def iterated(self, node: ast.For | ast.AsyncFor) -> ast.expr:
        """What a loop goes through, under ``enumerate``, ``tqdm`` and the like."""
        iterable = node.iter
        while (
            isinstance(iterable, ast.Call)
            and self.names.resolve(iterable.func) in torch_api.LOOP_WRAPPERS
            and iterable.args
        ):
            iterable = iterable.args[0]
        return iterable

    def _is_loop_target(self, name: ast.Name) -> bool:
        for parent in self.module.ancestors(name):
            if isinstance(parent, ast.Tuple | ast.List):
                continue
            return isinstance(parent, ast.For | ast.AsyncFor | ast.comprehension)
        return False

    # -- calls -----------------------------------------------------------------------------------------

    def _calls(self, statements: Iterable[ast.stmt]) -> Iterator[ast.Call]:
        """Calls that run with the statements; bodies of nested loops that step by themselves are left out."""
        todo: list[ast.AST] = list(reversed(list(statements)))
        while todo:
            node = todo.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                continue
            if isinstance(node, ast.For | ast.AsyncFor | ast.While):
                header = [node.test] if isinstance(node, ast.While) else [node.iter]
                todo.extend(header)
                if self.step_loop(node) is None:
                    todo.extend(reversed(node.body))
                todo.extend(reversed(node.orelse))
                continue
            if isinstance(node, ast.Call):
                yield node
            todo.extend(reversed(self.module.children[node]))

    def _called(self, call: ast.Call) -> Effects | None:
        function = self.roles.classes.function_called(call)
        if function is None or function in self._open:
            return None
        return self.function_effects(function)

    def function_effects(self, function: FunctionNode) -> Effects:
        """What one call of a function of this file does."""
        if function not in self._function_memo:
            self._open.add(function)
            try:
                self._function_memo[function] = self.effects(function.body)
            finally:
                self._open.discard(function)
        return self._function_memo[function]


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True
