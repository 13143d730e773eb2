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

from .._lib import ranks
from .._lib.arguments import by_parameter
from .._lib.distributed.fully_shard import HELPER, wraps
from .._lib.distributed.names import SAMPLERS, variable
from .._lib.removal import is_effect_free, removal
from .._lib.rendering import render
from .._lib.shapes.helpers import Helper, helper, is_helper
from .._lib.shapes.shared_helpers import Adding
from .._lib.successor import processes, spmd
from .._lib.successor.answers import uses
from .._lib.successor.saying import say
from .._lib.uses import Use

_STARTS, _SHARES, _LOADER, _WHOLE = "use_spmd", "share_work", "OwnShare", "whole_state_dict"
_INDEX = "process_index"
_HOST = 'int({os:environ}.get("GROUP_RANK", "0"))'
_SAMPLER = ("dataset", "num_replicas", "rank")
_CLIPS = frozenset({"torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_value_"})


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
            from torch.optim.optimizer import register_optimizer_step_pre_hook

            if int(os.environ.get("WORLD_SIZE", "1")) == 1:
                return
            if not torch.distributed.is_initialized():
                torch.distributed.init_process_group()
            seed = torch.tensor([torch.initial_seed() % 2**63], device=torch.accelerator.current_accelerator(True))
            torch.distributed.broadcast(seed, 0)
            torch.manual_seed(seed.item())
            count = torch.distributed.get_world_size()

            def average(optimizer, args, kwargs):
                for weight in (weight for group in optimizer.param_groups for weight in group["params"]):
                    # What fully_shard() divides is averaged in the backward pass.
                    if weight.grad is not None and not hasattr(weight, "full_tensor"):
                        torch.distributed.all_reduce(weight.grad)
                        weight.grad.div_(count)

            register_optimizer_step_pre_hook(average)



        class OwnShare:
            \"\"\"Moves a loader's batches to a device, each divided over the processes by its first dimension.\"\"\"

            def __init__(self, loader, device, per_host=False):
                self.loader, self.device = loader, device
                prefix = "LOCAL_" if per_host else ""
                self.count = int(os.environ.get(f"{prefix}WORLD_SIZE", "1"))
                self.place = int(os.environ.get(f"{prefix}RANK", "0"))

            def __len__(self):
                return len(self.loader)

            def __iter__(self):
                return (torch.utils._pytree.tree_map(self.part, batch) for batch in self.loader)

            def part(self, value):
                if not isinstance(value, torch.Tensor):
                    return value
                if value.ndim == 0:
                    return value.to(self.device)
                if len(value) % self.count:
                    raise ValueError(f"{self.count} processes cannot divide a batch of {len(value)}")
                return value.chunk(self.count)[self.place].to(self.device)


        def main(model, loader, device, step):
            share_work()
            for x, y in OwnShare(loader, device):
                step(model, x, y)

        main(*made())

    ## When it is wrong
    A loss that is a sum, not a mean; batch norms, which see the share of a process; losses and figures that are
    printed, which are of one share. All processes draw the same dropout masks. A mesh of several axes goes: the batch
    and the weights are divided over all chips.

    ## When it is left alone
    A batch that is divided by another dimension, marks of single tensors outside `forward`, gradients that are clipped
    where no model is sharded, and what saves tensors that SPMD shards: reported.

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
            if (
                use.entry.rule != self.code
                or context.module.is_in_annotation(use.node)
                or spmd.goes(context, use.whole)
            ):
                continue
            loop = spmd.marking_loop(context, use.call) if use.call is not None and is_spmd else None
            if loop is None or loop[0] not in loops:
                loops |= {loop[0]} if loop is not None else set()
                found = self._found(context, use, use.call, adding) if use.call is not None and is_spmd else None
                yield found or self._manual(context, use)
        if is_spmd:
            for call in context.module.calls:
                if spmd.divided(context, call) is not None:
                    yield from self._loader(context, call, adding)
            for made in spmd.by_batch(context):
                if not context.names.uses(context.names.root, made.name):
                    said = say("XP961.mesh", what=made.name)
                    yield self.finding(context.place(made), said, RemoveStatement(context.span(made)))
            yield from self._of_hosts(context)
            yield from self._of_all(context)

    def _manual(self, context: Context, use: Use) -> Finding:
        key = "started_by_hand" if use.name.endswith(_STARTS) else "manual"
        said = say(f"XP961.{key}", what=use.shown, why=use.answer.why, recipe=use.answer.recipe)
        return self.finding(context.place(use.node), said, applicability=Applicability.MANUAL)

    def _found(self, context: Context, use: Use, call: ast.Call, adding: Adding) -> Finding | None:
        """What takes the place of a call; None where that is not seen."""
        name, parent = use.name.rpartition(".")[2], context.module.parents[call]
        if not context.editable(call):
            return None
        if name == _STARTS and isinstance(parent, ast.Expr) and is_effect_free(context, *_arguments(call)):
            defined = helper(context, _SHARES, call, adding)
            said = say("XP961.started", helper=_SHARES, source=defined.source) if defined else None
            return self._written(context, call, said, defined, Replace(context.span(call), f"{_SHARES}()"))
        if name in spmd.MARKS:
            return self._mark(context, call, name, adding)
        if name == spmd.SETS_MESH and isinstance(parent, ast.Expr):
            return self.finding(context.span(call), say("XP961.mesh", what=name), removal(context, parent))
        if name in spmd.MAKERS and (statements := spmd.unused(context, call)):
            edits = [removal(context, statement) for statement in statements]
            return self.finding(context.span(call), say("XP961.mesh", what=name), *edits)
        return None

    def _mark(self, context: Context, call: ast.Call, name: str, adding: Adding) -> Finding | None:
        loop, parent = spmd.marking_loop(context, call), context.module.parents[call]
        if loop is not None:
            model = context.module.segment(loop[1])
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

    def _loader(self, context: Context, call: ast.Call, adding: Adding) -> Iterator[Finding]:
        found, defined = spmd.divided(context, call), helper(context, _LOADER, call, adding)
        if found is None or defined is None:
            return
        keyword = context.span(found.keyword)
        gone = Replace(keyword, "per_host=True") if found.per_host else RemoveArgument(context.span(call), keyword)
        said = say("XP961.divided", helper=_LOADER, source=defined.source)
        edits = (*defined.edits, Replace(context.span(call.func), _LOADER), gone)
        yield self.finding(context.span(call.func), said, *edits, imports=defined.imports)

    def _of_hosts(self, context: Context) -> Iterator[Finding]:
        """What divides by the number of a host, which other code takes for that of a process."""
        sources = Origins(context.flow.structure)
        for call in context.module.calls:
            rank = by_parameter(call, _SAMPLER).get("rank") if context.resolve(call.func) in SAMPLERS else None
            if rank is None or isinstance(rank, ast.Call) or not context.editable(call):
                continue
            found = sources.of(context.view.own, rank) or []
            if any(_is_index(context.of(spot.facts), spot.node) for spot in found):
                text, imports = render(context, _HOST, (), rank)
                yield self.finding(
                    context.span(call), say("XP961.sampler"), Replace(context.span(rank), text), imports=imports
                )
        for call in context.module.calls:
            if _is_index(context, call):
                yield from self._divides(context, call)

    def _divides(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        parent = context.module.parents[call]
        target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
        named = [
            node
            for node in context.module.of_type(ast.Attribute)
            if isinstance(target, ast.Attribute) and node.attr == target.attr and isinstance(node.ctx, ast.Load)
        ]
        for node in (*context.names.uses_of(target), *named):
            if processes.may_divide(context, node) and not _is_sampler(context, context.module.parents[node]):
                said = say("XP961.index", what=f"{_INDEX}()")
                yield self.finding(context.place(node), said, applicability=Applicability.MANUAL)

    def _of_all(self, context: Context) -> Iterator[Finding]:
        """What one process does alone, or in front of what brings all together."""
        own = context.view.own
        files = (own, *context.flow.structure.analysis(own).files())
        is_sharded = any(
            _shards(context.of(facts), call) for facts in dict.fromkeys(files) for call in facts.module.calls
        )
        for call in context.module.calls:
            if is_helper(context, call):
                continue
            if not is_sharded and context.resolve(call.func) in _CLIPS:
                yield self.finding(context.place(call.func), say("XP961.clipped"), applicability=Applicability.MANUAL)
            if is_sharded and _is_for_one(context, call):
                match call.func:
                    case ast.Name(id=name):
                        waits = name == _WHOLE
                    case ast.Attribute(value=model, attr="state_dict"):
                        waits = context.roles.is_(model, Role.MODEL)
                    case _:
                        waits = False
                if waits:
                    yield self.finding(context.place(call.func), say("XP961.alone"), applicability=Applicability.MANUAL)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _is_index(context: Context, node: ast.AST) -> bool:
    """Whether a call gives the number of the host, or of the process where XP951 has been: ``int(environ["RANK"])``."""
    if not isinstance(node, ast.Call):
        return False
    read = variable(context, node.args[0]) if context.resolve(node.func) == "builtins.int" and node.args else None
    is_rank = read is not None and read[0] == "RANK"
    return is_rank or context.resolve(node.func) in context.target.spellings[_INDEX]


def _is_sampler(context: Context, parent: ast.AST) -> bool:
    call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    return isinstance(call, ast.Call) and context.resolve(call.func) in SAMPLERS


def _shards(context: Context, call: ast.Call) -> bool:
    """Whether a call shards a model, or marks its weights."""
    is_mark = spmd.word(context, call.func) in spmd.MARKS and spmd.marking_loop(context, call) is not None
    return is_mark or wraps(context, call)


def _is_for_one(context: Context, node: ast.AST) -> bool:
    around = (n for n in context.module.ancestors(node) if isinstance(n, ast.If))
    return any(ranks.asks(context, condition.test) for condition in around)
