"""XP961: programs of one process for all chips (SPMD), for a target that has a process for each."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.origins import Origins
from xlaport.facts.roles import Role
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    Harm,
    RemoveArgument,
    RemoveStatement,
    Replace,
    ReplaceStatement,
    Rule,
    Trait,
)
from xlaport.wording import Text

from .._lib.arguments import by_parameter
from .._lib.distributed.fully_shard import HELPER, wraps
from .._lib.distributed.names import SAMPLERS, variable
from .._lib.removal import removal
from .._lib.rendering import render
from .._lib.shapes.helpers import Helper, helper, is_helper
from .._lib.shapes.shared_helpers import Adding
from .._lib.successor import spmd
from .._lib.successor.alone import Alone
from .._lib.successor.answers import uses
from .._lib.successor.hosts import SAMPLER, picks_one
from .._lib.successor.saying import say
from .._lib.uses import Use

_STARTS, _SHARES, _LOADER, _WHOLE = "use_spmd", "share_work", "OwnShare", "whole_state_dict"
_INDEX = "process_index"
_HOST = 'int({os:environ}.get("GROUP_RANK", "0"))'
_CLIPS = frozenset(
    f"torch.nn.utils.{name}"
    for name in ("clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm")
)
_WRITES = frozenset({"torch.utils.tensorboard.SummaryWriter"})
"""What writes on a path, beside what the target saves by."""


class SpmdProgram(Rule):
    """Have several processes do what one did for all chips.

    ## What it does
    `xr.use_spmd()` becomes `share_work()`, which is added to the file: the processes draw the same numbers, and average
    their gradients before each step. A loader with `input_sharding` becomes one that gives each process its share of
    every batch. A loop that marks the weights of a model becomes `shard_fully(model)`. Meshes and what marks values in
    `forward` only say how tensors lie: they go. A `DistributedSampler` divides over hosts, as it did.

    ## Why
    SPMD is torch_xla's. On torch_tpu, torchrun starts a process for each chip. With equal shares, the mean of
    the processes' gradients is the gradient of a mean over the whole batch.

    ## Example
        import torch_xla.distributed.parallel_loader as pl
        import torch_xla.distributed.spmd as xs
        import torch_xla.runtime as xr

        def main(model, loader, device, step):
            xr.use_spmd()
            mesh = xs.get_1d_mesh("data")
            spec = xs.ShardingSpec(mesh, ("data", None))
            for x, y in pl.MpDeviceLoader(loader, device, input_sharding=spec):
                step(model, x, y)

        main(*made())

    becomes

        import os
        import torch


        def share_work():
            \"\"\"Has each process do a chip's part of what SPMD did in one: all draw alike, gradients averaged.\"\"\"
            import pickle
            import random
            import sys

            from torch.optim.optimizer import register_optimizer_step_pre_hook

            if int(os.environ.get("WORLD_SIZE", "1")) == 1:
                return
            group, device = torch.distributed, torch.accelerator.current_accelerator(True)
            if not group.is_initialized():
                group.init_process_group()
            count, begun, numpy = group.get_world_size(), set(), sys.modules.get("numpy")
            drawn = numpy.random.get_state() if numpy else None
            states = pickle.dumps((torch.initial_seed(), torch.get_rng_state(), random.getstate(), drawn))
            shared = torch.tensor(list(states.ljust(2**15)), device=device)
            group.broadcast(shared, 0)
            seed, state, of_python, drawn = pickle.loads(bytes(shared.tolist()))
            torch.manual_seed(seed)  # that of the device
            torch.set_rng_state(state)
            random.setstate(of_python)
            if numpy:
                numpy.random.set_state(drawn)

            def average(optimizer, args, kwargs):
                if len(args) > 1 or kwargs:
                    raise RuntimeError("the gradients of a closure are not averaged: average them in it")
                # What fully_shard() divides is averaged in the backward pass.
                weights = (weight for options in optimizer.param_groups for weight in options["params"])
                weights = [weight for weight in weights if not hasattr(weight, "full_tensor")]
                if weights and id(optimizer) not in begun:
                    begun.add(id(optimizer))
                    sums = torch.stack([weight.detach().float().sum() for weight in weights])
                    first = sums.clone()
                    group.broadcast(first, 0)
                    if not torch.equal(sums, first):
                        raise RuntimeError("the processes have begun with other weights: make them behind share_work()")
                for weight in weights:
                    if weight.grad is not None:
                        group.all_reduce(weight.grad)
                        weight.grad.div_(count)

            register_optimizer_step_pre_hook(average)



        class OwnShare:
            \"\"\"Moves batches to a device: each process's share of what has as many rows as the batch.\"\"\"

            def __init__(self, loader, device, dims=None, per_host=False):
                self.loader, self.device, self.dims = loader, device, dims
                prefix = "LOCAL_" if per_host else ""
                self.count = int(os.environ.get(f"{prefix}WORLD_SIZE", "1"))
                self.place = int(os.environ.get(f"{prefix}RANK", "0"))

            def __len__(self):
                return len(self.loader)

            def __iter__(self):
                for batch in self.loader:
                    rows = self.rows(batch)
                    if rows is not None and rows % self.count:
                        raise ValueError(f"{self.count} processes cannot divide a batch of {rows}: use drop_last")
                    yield self.share(batch, rows)

            def rows(self, value):
                \"\"\"Those of the first tensor with as many dimensions as what is divided.\"\"\"
                if isinstance(value, torch.Tensor):
                    return len(value) if value.ndim == (self.dims or value.ndim or 1) else None
                parts = value if isinstance(value, (list, tuple)) else getattr(value, "__dict__", {}).values()
                parts = dict(value).values() if hasattr(value, "keys") else parts
                return next((rows for part in parts if (rows := self.rows(part)) is not None), None)

            def share(self, value, rows, inner=False):
                import copy

                if isinstance(value, torch.Tensor):
                    is_divided = value.ndim > 0 and len(value) == rows
                    return (value.chunk(self.count)[self.place] if is_divided else value).to(self.device)
                if isinstance(value, (list, tuple)):
                    if inner and len(value) == rows and not any(isinstance(part, torch.Tensor) for part in value):
                        size = rows // self.count
                        value = value[self.place * size : (self.place + 1) * size]
                    parts = [self.share(part, rows, True) for part in value]
                    return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
                if hasattr(value, "keys"):
                    parts, value = dict(value), copy.copy(value)
                    for key, part in parts.items():
                        value[key] = self.share(part, rows, True)
                elif hasattr(value, "__dict__"):
                    parts, value = vars(value), copy.copy(value)
                    for name, part in parts.items():
                        setattr(value, name, self.share(part, rows, True))
                return value


        def main(model, loader, device, step):
            share_work()
            for x, y in OwnShare(loader, device, dims=2):
                step(model, x, y)

        main(*made())

    ## When it is wrong
    A loss that is a sum or a weighted mean, not a mean over equal shares; batch norms, which see one share; figures
    that are printed, or decide, or are collected, which are of one share; a weight with a gradient in some processes
    only. A batch that the processes cannot divide raises. All processes draw the same dropout masks. A mesh of
    several axes goes: the batch and the weights are divided over all chips.

    ## When it is left alone
    A program that may do without SPMD (`if args.spmd:`), starts processes, or leaves training to a framework; a batch
    that is divided by another dimension; marks of single tensors outside `forward`, and of weights that an optimizer
    holds already; gradients that are read where no model is sharded; what saves tensors that SPMD shards: reported.

    ## Sources
    - Read from the modules of torch_xla 2.9: `distributed/spmd`, `runtime`, and the example programs.
    - Measured on PyTorch 2.13, in two processes of the CPU: losses and weights are those of one process with the whole
      batches, with weights that are sharded and that are not.

    ## Related
    XP960, XP612, XP953.
    """

    code = "XP961"
    name = "spmd-program"
    summary = "One process for all chips (SPMD) becomes one for each"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("torch_xla", "share_work")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of SPMD's names, and for what divides by hosts, or waits for all."""
        adding = Adding(self.check, self.code, self.applicability)
        is_spmd, loops = spmd.is_spmd(context), set()
        for use in uses(context):
            is_ours = use.entry.rule == self.code and not context.module.is_in_annotation(use.node)
            if not is_ours or spmd.goes(context, use.whole):
                continue
            call = use.call if is_spmd else None
            loop = spmd.marking_loop(context, call) if call is not None else None
            if loop is None or loop[0] not in loops:
                loops |= {loop[0]} if loop is not None else set()
                found = self._found(context, use, call, loop, adding) if call is not None else None
                yield found or self._manual(context, use)
        if is_spmd:
            for call in context.module.calls:
                if (divided := spmd.divided(context, call)) is not None:
                    yield from self._loader(context, call, divided, adding)
            for made in spmd.by_batch(context):
                if not context.names.uses(context.names.root, made.name):
                    said = say("XP961.mesh", what=made.name)
                    yield self.finding(context.place(made), said, RemoveStatement(context.span(made)))
            yield from self._of_hosts(context)
            yield from self._of_all(context)

    def _manual(self, context: Context, use: Use) -> Finding:
        key = "XP961.started_by_hand" if use.name.endswith(_STARTS) else "XP961.manual"
        said = say(key, what=use.shown, why=use.answer.why, recipe=use.answer.recipe)
        return self.finding(context.place(use.node), said, applicability=Applicability.MANUAL)

    def _found(
        self, context: Context, use: Use, call: ast.Call, loop: spmd.Loop | None, adding: Adding
    ) -> Finding | None:
        """What takes the place of a call; None where that is not seen."""
        name, parent = use.name.rpartition(".")[2], context.module.parents[call]
        if not context.editable(call):
            return None
        if name == _STARTS and isinstance(parent, ast.Expr):
            defined = helper(context, _SHARES, call, adding)
            said = say("XP961.started", helper=_SHARES, source=defined.source) if defined else None
            return self._written(context, call, said, defined, Replace(context.span(call), f"{_SHARES}()"))
        if name in spmd.MARKS:
            return self._mark(context, call, name, loop, adding)
        if name == spmd.SETS_MESH and isinstance(parent, ast.Expr):
            return self.finding(context.span(call), say("XP961.mesh", what=name), removal(context, parent))
        if name in spmd.MAKERS and (statements := spmd.unused(context, call)):
            edits = [removal(context, statement) for statement in statements]
            return self.finding(context.span(call), say("XP961.mesh", what=name), *edits)
        return None

    def _mark(
        self, context: Context, call: ast.Call, name: str, loop: spmd.Loop | None, adding: Adding
    ) -> Finding | None:
        parent = context.module.parents[call]
        if loop is not None:
            model = context.module.segment(loop[1])
            if _is_marked_above(context, loop):
                return self.finding(context.span(call), say("XP961.value", what=name), removal(context, loop[0]))
            defined = helper(context, HELPER, call, adding)
            said = say("XP961.sharded", what=name, helper=HELPER, source=defined.source) if defined else None
            shards = ReplaceStatement(context.span(loop[0]), f"{model} = {HELPER}({model})")
            return self._written(context, call, said, defined, shards)
        if not spmd.is_of_values(context, call) or not call.args:
            return None
        edit = removal(context, parent) if isinstance(parent, ast.Expr) else None
        text = context.module.segment(call.args[0])
        said = say("XP961.value", what=name)
        return self.finding(context.span(call), said, edit or Replace(context.span(call), f"({text})"))

    def _written(
        self, context: Context, call: ast.Call, said: Text | None, defined: Helper | None, edit: Edit
    ) -> Finding | None:
        if defined is None or said is None:
            return None
        return self.finding(context.span(call), said, *defined.edits, edit, imports=defined.imports)

    def _loader(self, context: Context, call: ast.Call, found: spmd.Divided, adding: Adding) -> Iterator[Finding]:
        defined = helper(context, _LOADER, call, adding)
        if defined is None:
            return
        keyword = context.span(found.keyword)
        words = [f"dims={found.dims}"] * (found.dims is not None) + ["per_host=True"] * found.per_host
        gone = Replace(keyword, ", ".join(words)) if words else RemoveArgument(context.span(call), keyword)
        said = say("XP961.divided", helper=_LOADER, source=defined.source)
        edits = (*defined.edits, Replace(context.span(call.func), _LOADER), gone)
        yield self.finding(context.span(call.func), said, *edits, imports=defined.imports)

    def _of_hosts(self, context: Context) -> Iterator[Finding]:
        """What divides by the number of a host, which other code takes for that of a process."""
        sources = Origins(context.flow.structure)
        for call in context.module.calls:
            rank = by_parameter(call, SAMPLER).get("rank") if context.resolve(call.func) in SAMPLERS else None
            if rank is not None and not isinstance(rank, ast.Call) and context.editable(call):
                found = sources.of(context.view.own, rank) or []
                if any(_counts(context.of(spot.facts), spot.node, "RANK") for spot in found):
                    text, imports = render(context, _HOST, (), rank)
                    edit = Replace(context.span(rank), text)
                    yield self.finding(context.span(call), say("XP961.sampler"), edit, imports=imports)
        for call in context.module.calls:
            kept = isinstance(context.module.parents[call], ast.Assign | ast.AnnAssign | ast.Return | ast.Tuple)
            if kept and _counts(context, call, "GROUP_RANK") and not picks_one(context, call):
                said = say("XP961.index", what=f"{_INDEX}()")
                yield self.finding(context.place(call), said, applicability=Applicability.MANUAL)

    def _of_all(self, context: Context) -> Iterator[Finding]:
        """What one process does alone, or each on the same path, or in front of what brings all together."""
        own, alone = context.view.own, Alone(context)
        files = dict.fromkeys((own, *context.flow.structure.analysis(own).files()))
        is_sharded = any(_shards(context.of(facts), call) for facts in files for call in facts.module.calls)
        nodes = context.module.of_type(ast.Call, ast.Attribute)
        for node in (node for node in nodes if not is_helper(context, node)):
            key = _speaks(context, node, alone, is_sharded)
            if key is not None:
                place = node.func if isinstance(node, ast.Call) else node
                yield self.finding(context.place(place), say(key), applicability=Applicability.MANUAL)


def _speaks(context: Context, node: ast.Call | ast.Attribute, alone: Alone, is_sharded: bool) -> str | None:
    """What has to be said of a call, or of the gradient of a weight."""
    if isinstance(node, ast.Attribute):
        is_gradient = node.attr == "grad" and isinstance(node.ctx, ast.Load) and not is_sharded
        return "XP961.clipped" if is_gradient and not _is_asked(context, node) else None
    called, is_one = context.resolve(node.func) or "", alone.runs(node)
    method = node.func.attr if isinstance(node.func, ast.Attribute) else None
    if called in _CLIPS and not is_sharded:
        return "XP961.clipped"
    if is_sharded and is_one and _works(context, node):
        return "XP961.alone"
    if is_sharded and method == "state_dict" and isinstance(node.func, ast.Attribute):
        is_whole = context.roles.is_(node.func.value, Role.MODEL, Role.OPTIMIZER)
        return "XP961.shards" if is_whole else None
    return "XP961.all_write" if called in _WRITES | context.target.spellings["save"] and not is_one else None


def _works(context: Context, call: ast.Call) -> bool:
    """Whether a call runs a model, or asks for its weights, or hands it to a function that may."""
    if isinstance(call.func, ast.Name) and call.func.id == _WHOLE:
        return True
    asked = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "state_dict" else call.func
    return any(context.roles.is_(node, Role.MODEL, Role.OPTIMIZER) for node in (asked, *_arguments(call)))


def _is_asked(context: Context, node: ast.Attribute) -> bool:
    """``p.grad is None``, ``p.grad = None``."""
    return isinstance(context.module.parents[node], ast.Compare)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _counts(context: Context, node: ast.AST, variable_name: str) -> bool:
    """Whether a call gives the number of the host, or what XP951 writes for it: ``int(os.environ.get("RANK"))``."""
    if not isinstance(node, ast.Call):
        return False
    read = variable(context, node.args[0]) if context.resolve(node.func) == "builtins.int" and node.args else None
    return (read is not None and read[0] == variable_name) or (
        context.resolve(node.func) in context.target.spellings[_INDEX]
    )


def _is_marked_above(context: Context, loop: spmd.Loop) -> bool:
    """Whether a loop above, in the same function, has marked the weights of the same model."""
    function = context.module.function(loop[0])
    above = (c for c in context.module.calls if c.lineno < loop[0].lineno and context.module.function(c) is function)
    found = (spmd.marking_loop(context, call) for call in above)
    return any(other is not None and ast.dump(other[1]) == ast.dump(loop[1]) for other in found)


def _shards(context: Context, call: ast.Call) -> bool:
    """Whether a call shards a model, whatever the options are, or marks its weights."""
    is_mark = spmd.word(context, call.func) in spmd.MARKS and spmd.marking_loop(context, call) is not None
    around = (n for n in context.module.ancestors(call) if isinstance(n, ast.If))
    return is_mark or (wraps(context, call) and all(spmd.is_main_guard(context, n) for n in around))
