"""Device work: which statements of a step loop add to its graph, and which of them the step is for."""

from __future__ import annotations

import ast

from xlaport.facts.loops import LoopKind, Loops, StepLoop
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.roles import Role
from xlaport.facts.running import lambdas
from xlaport.facts.structure import Function
from xlaport.facts.vocabulary import DISTRIBUTION_USES, HOST_PACKAGES, HOST_READ_METHODS

_PLAYED = (4, 5)
"""How many values ``env.step()`` of Gym, and of Gymnasium, hands back."""
_CLEARING = "zero_grad"
_VIEWS = frozenset(
    {"squeeze", "unsqueeze", "permute", "transpose", "reshape", "view", "flatten", "contiguous", "detach"}
)
_OF_ITSELF = _VIEWS | {"sum", "mean", "exp", "log", "softmax", "sigmoid"}
"""What a name gets that is computed from itself: ``loss = loss.sum()``."""


class Work:
    """Questions about statements: do they work, and may they read?"""

    def __init__(self, loops: Loops) -> None:
        self.module = loops.module
        self.roles = loops.roles
        self.loops = loops
        self.reads = loops.reads
        self._functions: dict[FunctionNode, bool] = {}

    def last_essential(self, block: list[ast.stmt], loop: StepLoop) -> int | None:
        """The last statement of a block that does what the step is for."""
        found = [i for i, s in enumerate(block) if self.is_essential([s], loop)]
        return found[-1] if found else None

    def is_essential(self, statements: list[ast.stmt], loop: StepLoop) -> bool:
        """Whether the statements do what the step is for, on every pass (or step, under accumulation)."""
        effects = self.loops.effects(statements)
        if effects.steps is not None or effects.backward is not None:
            return True
        if any(node is loop.evidence for node in walk_block(statements)):
            return True
        if len(statements) == 1 and isinstance(statements[0], ast.If):
            branches = (statements[0].body, statements[0].orelse)
            return all(any(self.is_essential([s], loop) for s in branch) for branch in branches)
        return loop.kind is not LoopKind.TRAIN and effects.model is not None

    def _is_by_torch(self, node: ast.AST) -> bool:
        """What torch's own classes do to the device: ``zero_grad()``, the scaler's update, an average of weights."""
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in (_CLEARING, "update", "update_parameters")
            and self.roles.is_(node.func.value, Role.OPTIMIZER, Role.MODEL, Role.SCALER)
        )

    def only_clears(self, statement: ast.stmt) -> bool:
        """``optimizer.zero_grad()``, which drops the gradients, so that nothing is left to run behind it."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        return (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == _CLEARING
            and not (call.args or call.keywords)
            and self._is_by_torch(call)
        )

    def works(self, statement: ast.stmt, loop: StepLoop | None) -> bool:
        """Whether a statement adds to the graph of the step."""
        effects = self.loops.effects([statement])
        if effects.steps is not None or effects.backward is not None or effects.model is not None:
            return True
        if loop is not None and (self._computes(statement, loop) or self._is_view(statement, loop)):
            return True
        if any(
            isinstance(node, ast.Call) and any(self._function_works(f) for f in self.loops.run_by(node))
            for node in walk_block([statement])
            if not self._counts(node)
        ):
            return True
        return any(
            isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and self._computes_here(node.value)
            for node in walk_block([statement])
        ) or any(
            self._is_by_torch(node)
            or (isinstance(node, ast.Call | ast.BinOp) and self.roles.role(node) is Role.TENSOR)
            or (isinstance(node, ast.AugAssign) and self.roles.role(node.value) is Role.TENSOR)
            or self._is_written(node)
            for node in walk_block([statement])
        )

    def may_work(self, statement: ast.stmt) -> bool:
        """Whether a statement may change something of the device, unseen: ``unwrapped(model).scale.clamp_(0)``.

        Of statements that do not read: a barrier behind what turns out to be the host's costs nothing, one before
        work of the device a second graph.
        """
        return any(
            self._may_change(node) or (isinstance(node, ast.Call) and self._may_change_what_it_gets(node))
            for node in walk_block([statement])
        )

    def _may_change(self, node: ast.AST) -> bool:
        """``value.mul_(0.9)``, ``nets["d"].step()``, ``dist.sample()``, ``x = (x + 1) / 2`` of what is unknown."""
        if isinstance(node, ast.AugAssign):
            return isinstance(node.value, ast.Call) and self.roles.role(node.value) is None
        if isinstance(node, ast.BinOp):
            return self._is_of_itself(node) and self.roles.role(node) is None
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        if node.func.attr == "append" and any(self._is_of_results(value) for value in node.args):
            return True
        name, owner = node.func.attr, self.roles.role(node.func.value)
        changes = name.endswith("_") and not name.startswith("_") and owner in (None, Role.TENSOR)
        if name in DISTRIBUTION_USES and owner in (None, Role.OTHER):
            return self.loops.facts.names.resolve(node.func) is None  # `dist.sample()`, not `random.sample(…)`
        return changes or (name == "step" and owner is None and not node.args)

    def _is_of_results(self, value: ast.expr) -> bool:
        """``losses.append(joint - prior)``, ``found.append(y.argsort()[:5])`` of what unknown code gave."""
        if isinstance(value, ast.BinOp):
            return self._is_result(value.left) and self._is_result(value.right)
        inner = value
        while isinstance(inner, ast.Subscript | ast.Call):
            func = inner.func if isinstance(inner, ast.Call) else inner
            if not isinstance(func, ast.Subscript | ast.Attribute):
                return False
            if isinstance(func, ast.Attribute) and func.attr in HOST_READ_METHODS:
                return False
            inner = func.value
        return inner is not value and self._is_result(inner)

    def _is_result(self, value: ast.expr) -> bool:
        """Whether a name has what a call gave, of which nothing is known."""
        found = self.loops.facts.names.reaching(value) if isinstance(value, ast.Name) else []
        return any(isinstance(b.value, ast.Call) for b in found) and self.roles.role(value) is None

    def _is_of_itself(self, node: ast.BinOp) -> bool:
        """Whether a name gets what is computed from it: ``image = (image + 1) / 2``."""
        assign = self.module.parents[node]
        targets = assign.targets if isinstance(assign, ast.Assign) else []
        names = {target.id for target in targets if isinstance(target, ast.Name)}
        return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))

    def _may_change_what_it_gets(self, call: ast.Call) -> bool:
        """Whether a function of the project that gets a model changes something unknown: ``value *= 0.9``.

        A meter does that with whatever it gets: ``top1.update(acc1[0], n)``.
        """
        run = self.loops.run_by(call)
        arguments = [*call.args, *(k.value for k in call.keywords)]
        gets = any(self.roles.is_(a, Role.MODEL, Role.TENSOR) for a in arguments) or (
            isinstance(self.module.parents[call], ast.Expr)
            and isinstance(call.func, ast.Attribute)
            and any(self.roles.role(a) is None for a in arguments)
            and not any(isinstance(part, ast.Call) for f in run for part in walk_block(f.node.body))
        )
        return gets and any(Work(self.loops.elsewhere(f.facts))._function_may_change(f.node) for f in run)

    def _function_may_change(self, function: FunctionNode) -> bool:
        """Whether a function of this file changes something unknown, if by no more than a sum in place."""
        facts = self.loops.facts
        return facts.once(("may change", function), lambda: any(map(self._may_change_here, walk_block(function.body))))

    def _may_change_here(self, node: ast.AST) -> bool:
        is_sum = isinstance(node, ast.AugAssign) and self.roles.role(node.target) in (None, Role.TENSOR)
        return is_sum or self._may_change(node)

    def _is_written(self, node: ast.AST) -> bool:
        """``row[:, i] = value``: a place of a tensor of the device, which is another one behind it."""
        return (
            isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Store)
            and self.roles.role(node.value) is Role.TENSOR
        )

    def _counts(self, node: ast.AST) -> bool:
        """``batch_time.update(time.time() - end)``: a meter that gets numbers of the host, whatever others get."""
        if not isinstance(node, ast.Call) or node.keywords or not node.args:
            return False
        return all(self.roles.is_(value, Role.NUMBER, Role.TEXT) for value in node.args) and not any(
            isinstance(part, ast.Call) for f in self.loops.run_by(node) for part in walk_block(f.node.body)
        )

    def _function_works(self, function: Function) -> bool:
        """Whether a function of the project adds to the graph: ``ema.update(model)``."""
        if function.facts is not self.loops.facts:
            return Work(self.loops.elsewhere(function.facts))._function_works(function)
        if function.node not in self._functions:
            self._functions[function.node] = False
            self._functions[function.node] = any(self.works(s, None) for s in function.node.body)
        return self._functions[function.node]

    def _computes_here(self, call: ast.Call) -> bool:
        """``top1, top5 = accuracy(out, y)`` of a function of the project that gets tensors."""
        arguments = [*call.args, *(k.value for k in call.keywords)]
        return self.loops.called(call) is not None and any(self.roles.role(a) is Role.TENSOR for a in arguments)

    def _computes(self, statement: ast.stmt, loop: StepLoop) -> bool:
        """``latents = scheduler.step(noise, t, latents)`` of a denoising loop: what unknown code makes of tensors."""
        if loop.kind is LoopKind.TRAIN or not isinstance(statement, ast.Assign):
            return False
        unknown = [n for n in walk_block([statement]) if isinstance(n, ast.Call) and self._is_unknown(n)]
        resolve = self.loops.facts.names.resolve
        return any(not (resolve(call.func) or "").startswith(HOST_PACKAGES) for call in unknown)

    def _is_view(self, statement: ast.stmt, loop: StepLoop) -> bool:
        """``audio = audio.squeeze()`` of something unknown: if it is a tensor, the next read is of that."""
        value = statement.value if isinstance(statement, ast.Assign) else None
        func = value.func if isinstance(value, ast.Call) else None
        if loop.kind is LoopKind.TRAIN or not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name):
            return False
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        same = any(isinstance(t, ast.Name) and t.id == func.value.id for t in targets)
        return func.attr in (_OF_ITSELF if same else _VIEWS) and self.roles.role(func.value) is None

    def may_read(self, statement: ast.stmt, loop: StepLoop) -> bool:
        """Code that we cannot see, with a tensor in hand: a logger, ``save_image``, whoever gets what is yielded."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield):
            return True
        if isinstance(statement, ast.Assign) and self._is_played(statement):
            return True
        if any(isinstance(node, ast.Call) and self._reads_by_lambda(node) for node in walk_block([statement])):
            return True
        if self._computes(statement, loop):
            return False
        return any(isinstance(node, ast.Call) and self._is_unknown(node) for node in walk_block([statement]))

    def _is_played(self, statement: ast.Assign) -> bool:
        """``obs, reward, done, info = env.step(action)``: an environment, which runs on the host."""
        call, target = statement.value, statement.targets[0]
        return (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "step"
            and bool(call.args)
            and isinstance(target, ast.Tuple)
            and len(target.elts) in _PLAYED
            and self.loops.called(call) is None
        )

    def _reads_by_lambda(self, call: ast.Call) -> bool:
        """``to_np(output)`` after ``to_np = lambda x: x.data.cpu().numpy()``."""
        return any(
            isinstance(node, ast.Attribute) and node.attr in HOST_READ_METHODS
            for _, function in lambdas(self.loops.structure, self.loops.facts, call)
            for node in ast.walk(function.body)
        )

    def _is_unknown(self, node: ast.Call) -> bool:
        """Whether code that we cannot see gets a tensor in hand."""
        if self.roles.role(node) is not None:
            return False
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "extend", "backward"):
            return False
        if self.loops.called(node) is not None or self._is_collective(node):
            return False
        arguments = [*node.args, *(k.value for k in node.keywords)]
        return any(self.roles.role(a) is Role.TENSOR for a in arguments)

    def _is_collective(self, node: ast.Call) -> bool:
        """``dist.all_reduce(loss, async_op=True)``, which is a part of the graph."""
        return (self.loops.facts.names.resolve(node.func) or "").startswith("torch.distributed.")

    def leaves(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The innermost statements that add to the graph, but for those whose loops have barriers of their own."""
        found: list[ast.stmt] = []
        for statement in statements:
            if not self.works(statement, None):
                continue
            inner = [s for s in walk_block([statement]) if isinstance(s, ast.stmt) and s is not statement]
            leaves = self.leaves([s for s in inner if self.module.statement(self.module.parents[s]) is statement])
            found += leaves or ([] if self.loops.runs_step_loop([statement]) else [statement])
        return found
