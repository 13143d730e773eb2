"""XP602: gradients that are clipped before they are reduced."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import dotted
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    Harm,
    Import,
    InsertStatement,
    MoveStatement,
    Replace,
    Rule,
    Trait,
)

from .._lib.distributed.saying import say
from .._lib.step import optimizers

_CLIPS = frozenset(
    f"torch.nn.utils.{module}{name}"
    for module in ("", "clip_grad.")
    for name in ("clip_grad_norm_", "clip_grad_norm", "clip_grad_value_")
)
_CLAMPS = ("clamp_", "clip_")
_SEVERAL = re.compile(rb"\b(spawn|launch|xrt_world_size|world_size|get_ordinal|global_ordinal|is_master_ordinal)\b")


class ClipBeforeReduce(Rule):
    """Reduce the gradients of all replicas, then clip them.

    ## What it does
    Finds gradients that are clipped before `xm.optimizer_step(optimizer)` or `xm.reduce_gradients(optimizer)`
    averages them over the replicas, and turns the two around. A step of a model that is wrapped in FSDP, which has
    reduced them already, becomes `optimizer.step()`.

    ## Why
    `xm.optimizer_step` reduces the gradients and steps. Clipped before, each replica scales its own gradient by its
    own norm, and the mean of those is no gradient of the loss: a replica with a large one counts less than the
    others. DistributedDataParallel on GPUs reduces during `backward()`, before any clipping. With FSDP the gradients
    would be reduced twice.

    ## Example
        import torch_xla
        import torch_xla.core.xla_model as xm

        def train(model, optimizer, loader):
            for x in loader:
                model(x).sum().backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                xm.optimizer_step(optimizer)

        torch_xla.launch(train)

    becomes

        import torch_xla
        import torch_xla.core.xla_model as xm

        def train(model, optimizer, loader):
            for x in loader:
                model(x).sum().backward()
                xm.reduce_gradients(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()

        torch_xla.launch(train)

    ## When it is wrong
    The training changes where there are several replicas. With one, nothing does.

    ## When it is left alone
    A program of one replica, gradients that are reduced before they are clipped, and a plain `optimizer.step()`.

    ## Sources
    - Read in the source of torch_xla 2.9.
    - PyTorch, clip_grad_norm_: https://docs.pytorch.org/docs/stable/generated/torch.nn.utils.clip_grad_norm_.html
    - PyTorch, DistributedDataParallel:
      https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html

    ## Related
    XP603, XP609.
    """

    code = "XP602"
    name = "clip-before-reduce"
    summary = "gradients are reduced before they are clipped"
    applicability = Applicability.UNSAFE
    harm = Harm.WRONG
    traits = (Trait.OWN_PROCESSES,)
    words = ("optimizer_step", "reduce_gradients")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each step whose gradients are clipped too early."""
        if not _has_replicas(context):
            return
        reduce = context.target.symbol("reduce_gradients").qualified
        for call in context.module.calls:
            name = context.resolve(call.func)
            if name in context.target.stepping:
                if _is_sharded(context, call):
                    yield self._sharded(context, call)
                else:
                    yield from self._step(context, call)
            elif name == reduce:
                yield from self._reduce(context, call)

    def _step(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        clip = _clip_before(context, call)
        if clip is None:
            return
        optimizer = _optimizer(call)
        reduce, imports = context.symbol("reduce_gradients", call)
        options = {k.arg: k.value for k in call.keywords}
        edits, more = self._stepped(context, call)
        above = _above(context, clip, call)
        if optimizer is None or edits is None or above is None or not set(options) <= _SIMPLE:
            yield self._by_hand(context, clip, call)
            return
        handed = [
            f"{k.arg}={context.module.segment(k.value)}" for k in call.keywords if k.arg in ("groups", "pin_layout")
        ]
        ahead = InsertStatement(context.span(above), f"{reduce}({', '.join([optimizer, *handed])})", before=True)
        said = say("XP602.clipped", line=context.line(clip), reduce=reduce, optimizer=optimizer)
        yield self.finding(context.span(call), said, ahead, *edits, imports=(*imports, *more))

    def _stepped(self, context: Context, call: ast.Call) -> tuple[list[Edit] | None, tuple[Import, ...]]:
        """The edits that make ``optimizer.step()`` of a call, with the barrier that it had."""
        optimizer = _optimizer(call)
        barrier = next(iter([*call.args[1:2], *(k.value for k in call.keywords if k.arg == "barrier")]), None)
        if optimizer is None or len(call.args) > 2 or not context.editable(call):
            return None, ()
        edits: list[Edit] = [Replace(context.span(call), f"{optimizer}.step()")]
        if barrier is None or (isinstance(barrier, ast.Constant) and not barrier.value):
            return edits, ()
        if not isinstance(barrier, ast.Constant):
            return None, ()
        sync, imports = context.symbol("sync", call)
        return [*edits, InsertStatement(context.span(context.module.statement(call)), f"{sync}()")], imports

    def _reduce(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        clip = _clip_before(context, call)
        statement = context.module.statement(call)
        if clip is None:
            return
        above = _above(context, clip, call)
        if above is None or not isinstance(statement, ast.Expr):
            yield self._by_hand(context, clip, call)
            return
        move = MoveStatement(context.span(statement), context.span(above), before=True)
        reduce, optimizer = context.module.segment(call.func), _optimizer(call) or "optimizer"
        said = say("XP602.clipped", line=context.line(clip), reduce=reduce, optimizer=optimizer)
        yield self.finding(context.span(call), said, move)

    def _by_hand(self, context: Context, clip: ast.AST, call: ast.Call) -> Finding:
        reduce, optimizer = context.symbol("reduce_gradients", call)[0], _optimizer(call) or "optimizer"
        said = say("XP602.by_hand", line=context.line(clip), reduce=reduce, optimizer=optimizer)
        return self.finding(context.span(call), said)

    def _sharded(self, context: Context, call: ast.Call) -> Finding:
        edits, imports = self._stepped(context, call)
        optimizer = _optimizer(call) or "optimizer"
        if edits is None or any(k.arg != "barrier" for k in call.keywords):
            return self.finding(context.span(call), say("XP602.sharded_by_hand", optimizer=optimizer))
        return self.finding(context.span(call), say("XP602.sharded", optimizer=optimizer), *edits, imports=imports)


def _optimizer(call: ast.Call) -> str | None:
    """How the call names its optimizer."""
    return dotted(call.args[0]) if call.args else None


_SIMPLE = frozenset({"barrier", "groups", "pin_layout"})


def _has_replicas(context: Context) -> bool:
    """Whether the project starts several replicas, or asks how many there are, as far as its texts say."""
    program = context.view.program
    if _SEVERAL.search(context.module.text.encode("utf-8", "replace")):
        return True
    return program.once("XP602", lambda: any(_SEVERAL.search(program.data(file)) for file in program.files))


def _is_sharded(context: Context, call: ast.Call) -> bool:
    """Whether the optimizer's parameters are those of a model that FSDP wraps."""
    target = dotted(call.args[0]) if call.args else None
    function = context.module.function(call)
    for optimizer in optimizers.built(context):
        if optimizers.name_of(optimizer) != target or context.module.function(optimizer) not in (None, function):
            continue
        for model in optimizers.sources(context, optimizer):
            for node in ast.walk(optimizer):
                if isinstance(node, ast.Name) and node.id == model and _is_wrapped(context, node):
                    return True
    return False


def _is_wrapped(context: Context, model: ast.Name) -> bool:
    wrappers = {*context.target.sharded, "torch.distributed.fsdp.FullyShardedDataParallel"}
    return any(
        b.how is How.ASSIGN and isinstance(b.value, ast.Call) and context.resolve(b.value.func) in wrappers
        for b in context.names.reaching(model)
    )


def _clip_before(context: Context, call: ast.Call) -> ast.AST | None:
    """What clips gradients in the same pass before a call, with nothing in between that reduces or computes them."""
    function = context.module.function(call)
    body = function.body if function is not None else context.module.tree.body
    reduce = context.target.symbol("reduce_gradients").qualified
    found: ast.AST | None = None
    for node in sorted(
        (n for n in walk_block(body) if isinstance(n, ast.Call)), key=lambda n: (n.lineno, n.col_offset)
    ):
        if node is call:
            return found
        name = context.resolve(node.func)
        if name == reduce or name in context.target.stepping or _is_method(node, "backward"):
            found = None
        elif found is None and (name in _CLIPS or _clamps(context, node) or _runs_clip(context, node)):
            found = node
        elif _is_method(node, "step") and not node.args:
            found = None if _is_same_optimizer(node, call) else found
    return None


def _is_method(call: ast.Call, name: str) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == name


def _is_same_optimizer(step: ast.Call, call: ast.Call) -> bool:
    assert isinstance(step.func, ast.Attribute)
    return bool(call.args) and dotted(step.func.value) == dotted(call.args[0])


def _runs_clip(context: Context, call: ast.Call) -> bool:
    """A function of the project that clips."""
    function = context.flow.structure.run_by(context.view.own, call)
    return function is not None and any(
        isinstance(n, ast.Call) and function.facts.names.resolve(n.func) in _CLIPS
        for n in walk_block(function.node.body)
    )


def _clamps(context: Context, call: ast.Call) -> bool:
    """``p.grad.data.clamp_(-1, 1)`` for the parameters of a loop."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _CLAMPS:
        return False
    chain = (dotted(call.func.value) or "").split(".")
    in_loop = any(
        isinstance(p, ast.For) and isinstance(p.target, ast.Name) and p.target.id == chain[0]
        for p in context.module.ancestors(call)
    )
    return in_loop and "grad" in chain[1:]


def _above(context: Context, clip: ast.AST, call: ast.Call) -> ast.stmt | None:
    """The statement of the step's block that holds the first clipping, or the unscaling that belongs to it."""
    block = context.module.block(context.module.statement(call))
    holder = next((s for s in block if any(n is clip for n in ast.walk(s))), None)
    if holder is None:
        return None
    for statement in reversed(block[: block.index(holder)]):
        unscales = any(isinstance(n, ast.Call) and _is_method(n, "unscale_") for n in ast.walk(statement))
        if not unscales:
            break
        holder = statement
    return holder
