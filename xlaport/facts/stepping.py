"""What shows in a loop that it steps: the calls that step, run a model, denoise, or change parameters."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from xlaport.analysis.value import CUTTING_OPTIMIZER
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import LoopNode, last_name
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, dotted, roles_of

_DENOISING_ARGUMENTS = 3
"""``scheduler.step(noise, t, latents)`` of a sampler; schedulers of learning rates take one at the most."""


@dataclass(frozen=True)
class RuntimeNames:
    """What the target's functions do, by qualified name, as far as loops are concerned."""

    barriers: frozenset[str] = frozenset()
    stepping: frozenset[str] = frozenset()


_RUNNING = frozenset({"forward", "generate"})
"""Words in the names of methods that run a model."""

_JOINING, _CHOOSING = frozenset("cat concat concatenate hstack".split()), frozenset("multinomial argmax topk".split())


class Stepping:
    """Questions about the calls and loops of one file, each by itself."""

    def __init__(self, facts: Facts, runtime: RuntimeNames) -> None:
        self.module = facts.module
        self.names = facts.names
        self.roles = roles_of(facts)
        self.runtime = runtime

    # -- calls -----------------------------------------------------------------------------------------

    def is_barrier(self, call: ast.Call) -> bool:
        """A call that cuts the graph: the target's own, or a stepping one that is told to."""
        return self.names.resolve(call.func) in self.runtime.barriers or (
            self.is_step(call)
            and (any(k.arg == "barrier" and _is_true(k.value) for k in call.keywords) or self._cuts_itself(call))
        )

    def _cuts_itself(self, call: ast.Call) -> bool:
        """``optimizer.step()`` of an optimizer that a library has taken over, which cuts the graph behind it."""
        is_step = isinstance(call.func, ast.Attribute) and call.func.attr == "step"
        return is_step and isinstance(call.func, ast.Attribute) and self.roles.is_of(call.func.value, CUTTING_OPTIMIZER)

    def is_step(self, call: ast.Call) -> bool:
        """``optimizer.step()``, ``scaler.step(optimizer)``, or the target's own stepping call."""
        if self.names.resolve(call.func) in self.runtime.stepping or self.roles.is_kept_step(call.func):
            return True
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "step":
            return False
        role = self.roles.role(call.func.value)
        if role is Role.OPTIMIZER or role is Role.SCALER:
            return True
        return bool(len(call.args) == 1 and self.roles.is_(call.args[0], Role.OPTIMIZER))

    def hands_over(self, call: ast.Call) -> bool:
        """``loss_scaler(loss, optimizer, …)`` of a library: what gets a loss and an optimizer steps it."""
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if (
            len(given) < 2
            or isinstance(self.module.parents[call], ast.withitem)  # `with amp.scale_loss(loss, optimizer) as scaled:`
            or not self._speaks_of_optimizers
            or not any(self.roles.is_(value, Role.OPTIMIZER) for value in given)
        ):
            return False
        return any(self.roles.is_(value, Role.TENSOR) for value in given)

    @cached_property
    def _speaks_of_optimizers(self) -> bool:
        return "opt" in self.module.text

    def is_backward(self, call: ast.Call) -> bool:
        """``loss.backward()``, and that of a trainer: ``accelerator.backward(loss)``."""
        return isinstance(call.func, ast.Attribute) and call.func.attr == "backward"

    def is_model_call(self, call: ast.Call) -> bool:
        """A call of a module, other than of a layer that the loop around it picks out of a container.

        Methods that are a forward pass of their own say so: ``incremental_forward()``, ``forward_features()``.
        """
        func = call.func
        if isinstance(func, ast.Attribute) and not _RUNNING.isdisjoint(func.attr.split("_")):
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

    def unknown_step(self, body: list[ast.stmt], calls: list[ast.Call]) -> ast.Call | None:
        """``self.opt.step()`` of something unknown among the calls, beside a backward() in the same body."""
        if not any(n.attr == "backward" for n in self.module.that_run(body, ast.Attribute)):
            return None
        for call in calls:
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
        """No plain name or attribute, nor an item of one; or one of a loop over schedulers, of a ``with`` block."""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            node = node.value  # self.optimizer["generator"]
        if dotted(node) is None:
            return True
        return isinstance(node, ast.Name) and any(
            binding.how in (How.FOR, How.WITH) for binding in self.names.bindings(node)
        )

    def denoising_step(self, node: LoopNode, calls: list[ast.Call]) -> ast.Call | None:
        """``latents = scheduler.step(noise, t, latents)`` in a loop that counts or lists the times ``t``."""
        if isinstance(node, ast.While):
            return None
        counted = {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
        for call in calls:
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            if (
                isinstance(call.func, ast.Attribute)
                and call.func.attr == "step"
                and len(given) >= _DENOISING_ARGUMENTS
                and any(isinstance(n, ast.Name) and n.id in counted for value in given for n in ast.walk(value))
                and not isinstance(self.module.parents[call], ast.Expr)
            ):
                return call
        return None

    # -- gradients -------------------------------------------------------------------------------------

    def gradients_are_off(self, node: ast.AST, within: ast.AST | None = None) -> bool:
        """Whether code runs under ``torch.no_grad()`` or the like, as far as its own function, or a loop, shows."""
        return self.switches_off(node, within) is True

    def switches_off(self, node: ast.AST, within: ast.AST | None = None) -> bool | None:
        """Whether the function of some code switches gradients off for it, or on; None where it does neither."""
        child = node
        for parent in self.module.ancestors(node):
            if parent is within:
                return None
            if isinstance(child, ast.stmt) and (off := self._switched_ahead(child)) is not None:
                return off
            switching: list[ast.expr] = []
            if isinstance(parent, ast.With | ast.AsyncWith):
                switching = [item.context_expr for item in parent.items]
            elif isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                switching = parent.decorator_list
            for switch in reversed(switching):
                if (off := self._switches_gradients_off(switch)) is not None:
                    return off
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                return None
            child = parent
        return None

    def _switched_ahead(self, statement: ast.stmt) -> bool | None:
        """What the last ``torch.set_grad_enabled(False)`` says that stands in front of a statement in its block."""
        if not self._switches:
            return None
        block = self.module.block(statement)
        ahead = (s.value for s in reversed(block[: block.index(statement)]) if isinstance(s, ast.Expr))
        return next((self._switches[call] for call in ahead if call in self._switches), None)

    @cached_property
    def _switches(self) -> dict[ast.expr, bool]:
        """The ``torch.set_grad_enabled(False)`` of a file that are statements, and whether they switch off for sure."""
        if "set_grad_enabled" not in self.module.text:
            return {}
        calls = (call for call in self.module.calls if isinstance(self.module.parents[call], ast.Expr))
        switches = (call for call in calls if self.names.resolve(call.func) in torch_api.GRAD_SWITCHES)
        return {call: self._switches_gradients_off(call) is True for call in switches}

    def _switches_gradients_off(self, node: ast.expr) -> bool | None:
        """Whether a context switches gradients off, or on; None where it does neither, as far as is known."""
        if isinstance(node, ast.Call):
            if self.names.resolve(node.func) in torch_api.GRAD_SWITCHES:
                value = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
                return not value if isinstance(value, bool) else None
            node = node.func
        name = self.names.resolve(node)
        return True if name in torch_api.GRAD_OFF else False if name in torch_api.GRAD_ON else None

    # -- loops -----------------------------------------------------------------------------------------

    def iterates(self, node: LoopNode, role: Role) -> bool:
        """Whether a loop goes through something of this role."""
        if isinstance(node, ast.While):
            return False
        gone_through = self.iterated(node)
        found = self.roles.role(gone_through)
        return found is role or (found is None and role is Role.DEVICE_LOADER and self.roles.is_prepared(gone_through))

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

    def only_steps(self, node: LoopNode, step: ast.AST) -> bool:
        """No loop of steps: ``for opt in optimizers: opt.step()``, or what winds a scheduler forward."""
        if isinstance(node, ast.While) or not isinstance(step, ast.Call):
            return False
        calls = [s.value for s in node.body if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call)]
        if self.counts(node) and len(calls) == len(node.body):
            if all(last_name(c.func) == "step" for c in calls) and not all(self.is_step(c) for c in calls):
                return True
        targets = {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
        return any(isinstance(n, ast.Name) and n.id in targets for n in ast.walk(step.func))

    def counts(self, node: LoopNode) -> bool:
        """Whether a loop only counts: ``while …``, ``for t in range(…)``, ``itertools.count()``."""
        return isinstance(node, ast.While) or (
            isinstance(node.iter, ast.Call) and self.names.resolve(node.iter.func) in torch_api.COUNTERS
        )

    def may_add(self, node: LoopNode, backward: ast.AST) -> bool:
        """Whether each pass of a loop is a batch with a graph of its own, rather than one of a few losses."""
        if isinstance(backward, ast.Call) and any(k.arg == "retain_graph" for k in backward.keywords):
            return False
        return isinstance(node, ast.While) or not isinstance(self.iterated(node), ast.Tuple | ast.List | ast.Dict)

    def feeds_itself(self, node: LoopNode, call: ast.AST) -> bool:
        """Whether what a call in a loop is given was made by the pass before: ``x = model(x)``."""
        return self._made_before(node, call) is not None

    def takes_what_it_gave(self, node: LoopNode, call: ast.AST) -> bool:
        """The same, of what the call itself gave; not ``x = resize(x)`` beside ``model(x)``."""
        made = self._made_before(node, call) or []
        return any(part is call for value in made for part in ast.walk(value))

    def goes_on_with_choices(self, node: LoopNode, call: ast.AST | None) -> bool:
        """Whether a call gets, joined, what the passes before chose by its results: no gradient goes back from there.

        ``token = torch.multinomial(…, 1)``, ``tokens = torch.cat((tokens, token), dim=1)``.
        """
        made = [part for value in (self._made_before(node, call) if call else None) or [] for part in ast.walk(value)]
        called = {last_name(part.func) for part in made if isinstance(part, ast.Call)}
        return not called.isdisjoint(_JOINING) and not called.isdisjoint(_CHOOSING) and call in made

    def _made_before(self, node: LoopNode, call: ast.AST) -> list[ast.expr] | None:
        """What makes the arguments of a call in the passes of a loop; None where none of it is of the pass before."""
        todo = [n for n in ast.walk(call) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        found: dict[ast.AST, ast.expr] = {}
        goes_on = False
        while todo:
            reaching = self.names.reaching(todo.pop())
            inside = [b for b in reaching if any(parent is node for parent in self.module.ancestors(b.node))]
            made = [b for b in inside if b.how in (How.ASSIGN, How.UNPACK, How.AUGMENT)]
            goes_on = goes_on or (any(b.value is not None for b in made) and len(inside) < len(reaching))
            for binding in made:
                if binding.node not in found and binding.value is not None:
                    found[binding.node] = binding.value
                    todo += [n for n in ast.walk(binding.value) if isinstance(n, ast.Name)]
                    if binding.how is How.AUGMENT and isinstance(binding.node, ast.Name):
                        todo.append(binding.node)  # what it was before
        return list(found.values()) if goes_on else None

    def _is_loop_target(self, name: ast.Name) -> bool:
        for parent in self.module.ancestors(name):
            if isinstance(parent, ast.Tuple | ast.List):
                continue
            return isinstance(parent, ast.For | ast.AsyncFor | ast.comprehension)
        return False


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True
