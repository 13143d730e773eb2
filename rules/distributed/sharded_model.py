"""XP605: a model whose weights are sharded over several GPUs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.rule import Applicability, Finding, Harm, Rule

from ..arguments import given
from . import input_sharding
from .fsdp_names import IN_PLACE, PARAMETERS, WRAPPERS, last_word
from .jobs import Job, job_of
from .spmd_job import spmd_job

_PORTS = "XP603"
_TENSORS = frozenset({"distribute_tensor", "distribute_module", "parallelize_module", "init_device_mesh", "DeviceMesh"})
_CHECKPOINTS = "torch.distributed.checkpoint."
_STORES = re.compile(r"\.(save|load|async_save|(save|load|get|set)_\w*state_dict)$")


class ShardedModel(Rule):
    """Shard a model's weights over the chips of a TPU.

    ## What it does
    `FullyShardedDataParallel` becomes torch_xla's own `XlaFullyShardedDataParallel`, as a part of the job that XP603
    ports: together with the process group, the ranks and the launch, or not at all.

    - `auto_wrap_policy` stays, by the policies of the same names in torch_xla: PyTorch's own raise there, but for
      `ModuleWrapPolicy`. `SHARD_GRAD_OP` becomes `reshard_after_forward=False`. `sync_module_states=True` becomes a
      broadcast before the model is wrapped. What places or schedules on a GPU (`device_id`, `limit_all_gathers`,
      prefetching, `use_orig_params`) goes.
    - `MixedPrecision(param_dtype=torch.bfloat16)` becomes an autocast of the model's forward pass.
    - `apply_activation_checkpointing(model, check_fn=…)` becomes `checkpoint_module()` for the same modules, and moves
      in front of the wrapping.
    - `with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, …): model.state_dict()` becomes a function that
      gathers the weights and gives them their own names: the file that is saved is as before.
    - `clip_grad_norm_()` of the model and `no_sync()` are there under the same names. The optimizer goes on to step by
      itself: the gradients are reduced in `backward()`.

    A program of one file that shards by `fully_shard()` becomes one process for all chips of a host: `use_spmd()` under
    the main guard, parameters that are marked as divided, no process group, ranks of one process, the whole batch from
    a loader with a `DistributedSampler`, and `input_sharding` for the batches where their dimensions are known.

    For what is not understood, for tensors that are distributed by hand, and for `torch.distributed.checkpoint`, it
    says what takes its place.

    ## Why
    These shard over a group of NCCL, which exists for NVIDIA GPUs only. torch_xla has two ways. Its
    `XlaFullyShardedDataParallel` wraps a model in each of several processes, as PyTorch's class of that name does,
    with the same policies, methods and sampler: the better port of a program that wraps. SPMD is one process for all
    chips of a host, in which weights and batches stay whole to the program and are marked as divided; modules,
    parameters and their names stay as they are, as under `fully_shard()` and `distribute_tensor()`, which is why
    it is the better port of those. It needs another launch, and batches that are the sum of all processes'.

    ## Example
        import functools
        import os
        import torch.distributed as dist
        from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
        from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy

        def main():
            dist.init_process_group("nccl")
            model = FSDP(make_model(Block), auto_wrap_policy=policy, device_id=int(os.environ["LOCAL_RANK"]))
            train(model)

    is reported, since it is not known what `policy` is. With this in front, the job is ported as a whole:

        policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})

    ## When it is wrong
    Measured on torch_xla 2.9, in one process of XLA:CPU: losses, clipping, weights and their names are those of the
    model that is not wrapped. Several processes cannot be run there. torch_xla's `compute_dtype=torch.bfloat16`
    would save more memory than autocast, but raises in ordinary models ("mixed precision is disallowed", a
    convolution with a bias, LSTM, TransformerEncoderLayer): the weights that are gathered still say that they are
    float32. Under autocast the gradients are reduced in float32, and gathered weights are kept from the forward pass
    to the backward pass, unless the blocks are checkpointed. Batch normalization has the statistics of each process.

    SPMD was measured on four virtual devices: losses and weights are those of one device with the same global batch.
    The port runs on one host; with several, each would need its share of the data (`minibatch=True`). A loader without
    a `DistributedSampler` keeps its batch size.

    ## When it is left alone
    Classes and functions of these names of other libraries, or of one's own.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, Fully sharded data parallel: https://docs.pytorch.org/xla/release/r2.7/perf/fsdp.html
    - PyTorch/XLA, SPMD user guide: https://docs.pytorch.org/xla/release/r2.8/perf/spmd_basic.html

    ## Related
    XP603, XP606, XP602.
    """

    code = "XP605"
    name = "sharded-model"
    summary = "FullyShardedDataParallel, fully_shard, DTensor: how a TPU shards a model"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    words = ("fsdp", "distributed", "use_spmd")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each model that is sharded, and for what is done with its shards."""
        job = job_of(context)
        is_ported = job is not None and job.is_nccl and job.obstacle is None and _PORTS in context.codes
        told: set[str] = set()
        for call in context.module.calls:
            name = context.resolve(call.func) or ""
            if name in WRAPPERS and not is_ported:
                yield self.finding(context.place(call.func), _wrapped(context, call, job))
            elif name in IN_PLACE and "in place" not in told:
                told.add("in place")
                yield self._divided(context, call, job)
            elif name.startswith("torch.distributed.") and last_word(name) in _TENSORS and name not in told:
                told.add(name)
                yield self.finding(context.place(call.func), _tensor(context, call, last_word(name)))
            elif name.startswith(_CHECKPOINTS) and _STORES.search(name) and "stored" not in told:
                told.add("stored")
                yield self.finding(context.place(call.func), _checkpoint(last_word(name)))
        for call in input_sharding.undivided(context):
            yield self._batches(context, call)

    def _divided(self, context: Context, call: ast.Call, job: Job | None) -> Finding:
        recipe = _in_place(context, call)
        own = context.view.own.file
        if job is None or not job.is_nccl or job.entries != (own,) or _is_spread(context):
            return self.finding(context.place(call.func), recipe)
        spmd = spmd_job(context)
        if spmd.obstacle is not None:
            node, what = spmd.obstacle
            return self.finding(context.place(call.func), f"{recipe}. By hand, since line {context.line(node)} {what}")
        return self.finding(
            context.place(call.func),
            "fully_shard() makes sharded tensors in a group of NCCL, which no TPU has: one process for all chips of "
            "the host, without torchrun, marks the weights as divided, and the compiler adds the collectives (SPMD). "
            "A step's batch is that of all chips",
            *spmd.edits,
            imports=tuple(spmd.imports),
            applicability=Applicability.UNSAFE,
        )

    def _batches(self, context: Context, call: ast.Call) -> Finding:
        found = input_sharding.divided(context, call)
        if found is None:
            return self.finding(
                context.place(call),
                "every chip gets the whole batch, and computes it: pass input_sharding="
                f"{context.target.symbol('sharding_spec').qualified}(mesh, (axis, None)), with the axis of the mesh "
                "for the batch, and one None for each further dimension of its tensors",
            )
        edit, imports = found
        return self.finding(
            context.place(call),
            "every chip would get the whole batch, and compute it: input_sharding gives each a share",
            edit,
            imports=imports,
            applicability=Applicability.UNSAFE,
        )


def _is_spread(context: Context) -> bool:
    """Whether other files of the program have to do with its processes, or with its loaders."""
    program, own = context.view.program, context.view.own.file
    if context.view.is_alone:
        return False
    others = reached([own], program.graph.imports) - {own}
    return any(word in program.data(file) for file in others for word in (b"distributed", b"DataLoader", b"RANK"))


def _wrapped(context: Context, call: ast.Call, job: Job | None) -> str:
    arguments = given(call, PARAMETERS) or {}
    model = context.module.segment(arguments["module"]) if "module" in arguments else "model"
    policy = arguments.get("auto_wrap_policy")
    wrapped = f"auto_wrap_policy={context.module.segment(policy)}" if policy is not None else "…"
    fsdp, launch = context.target.symbol("fsdp").qualified, context.target.symbol("launch").qualified
    why = ""
    if job is not None and job.obstacle is not None:
        why = f". The processes of the program are not ported ({job.obstacle.told(context)}), and this goes with them"
    return (
        "FullyShardedDataParallel gathers weights in a group of NCCL, which no TPU has"
        f"{why}. By hand: {fsdp}({model}, {wrapped}) in each process of {launch}(), with a policy of "
        f"torch_xla.distributed.fsdp.wrap, checkpoint_module() on its blocks before that, and optimizer.step() alone "
        "(xm.optimizer_step() would reduce the gradients twice); a process saves its model.state_dict() and "
        "model.get_shard_metadata(), which consolidate_sharded_model_checkpoints() puts together"
    )


def _in_place(context: Context, call: ast.Call) -> str:
    model = context.module.segment(call.args[0]) if call.args else "the model"

    def spelled(meaning: str) -> str:
        return context.target.symbol(meaning).qualified

    return (
        "fully_shard() makes sharded tensors of the weights in a group of NCCL, which no TPU has. The same is SPMD: "
        f"one process for all chips of the host, without torchrun, group and ranks. Call {spelled('use_spmd')}() "
        f"before anything touches the device, make mesh = {spelled('mesh_of_all')}('fsdp'), move {model} there, "
        f"and in the place of fully_shard() mark its parameters: {spelled('mark_sharding')}(p, mesh, ('fsdp',) "
        "+ (None,) * (p.dim() - 1)). A batch is that of all chips, and so as many times larger as there are chips: "
        f"{spelled('device_loader')}(loader, device, input_sharding={spelled('sharding_spec')}(mesh, ('fsdp', None))), "
        "with one None for each further dimension. The names of the weights, state_dict() and clip_grad_norm_() of "
        "torch.nn.utils stay as they are"
    )


def _tensor(context: Context, call: ast.Call, word: str) -> str:
    mark, mesh = context.target.symbol("mark_sharding").qualified, context.target.symbol("mesh").qualified
    if word in ("init_device_mesh", "DeviceMesh"):
        names = next((k.value for k in call.keywords if k.arg == "mesh_dim_names"), None)
        axes = context.module.segment(names) if names is not None else "('data', 'model')"
        return (
            f"{word}() makes process groups over NVIDIA GPUs. Under SPMD the mesh is {mesh}(range(n), shape, {axes}), "
            f"of the n = {context.target.symbol('global_device_count').qualified}() chips, in one process"
        )
    what = context.module.segment(call.args[0]) if call.args else "the weights"
    how = (
        "its columnwise weights by ('model', None) and its rowwise ones by (None, 'model')"
        if word == "parallelize_module"
        else "by one name of the mesh, or None, for each dimension"
    )
    return (
        f"{word}() divides tensors over a group of NCCL. Under SPMD the compiler does: call "
        f"{context.target.symbol('use_spmd').qualified}() first of all, move {what} to the device, and mark with "
        f"{mark}(tensor, mesh, …) {how}; the collectives between them are the compiler's affair"
    )


def _checkpoint(word: str) -> str:
    return (
        f"{word}() saves and loads tensors that PyTorch has sharded. With torch_xla's FullyShardedDataParallel each "
        "process saves its model.state_dict() and model.get_shard_metadata(); under SPMD, state_dict() holds whole "
        "tensors, and torch.save() of them on the host is enough, or torch.distributed.checkpoint with the "
        "SPMDSavePlanner and SPMDLoadPlanner of torch_xla.experimental.distributed_checkpoint"
    )
