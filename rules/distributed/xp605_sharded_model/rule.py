"""XP605: a model whose weights are sharded over several GPUs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait
from xlaport.wording import Text

from ..._lib.arguments import given
from ..._lib.distributed import input_sharding, names
from ..._lib.distributed.fsdp_names import IN_PLACE, PARAMETERS, WRAPPERS, last_word
from ..._lib.distributed.jobs import Job, job_of
from ..._lib.distributed.saying import say
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
      prefetching, `use_orig_params`) is removed.
    - `MixedPrecision(param_dtype=torch.bfloat16)` becomes an autocast of the model's forward pass.
    - `apply_activation_checkpointing(model, check_fn=…)` becomes `checkpoint_module()` for the same modules, before
      the wrapping.
    - `with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, …): model.state_dict()` becomes a function that
      gathers the weights and gives them their own names: the file that is saved is as before.
    - `clip_grad_norm_()` of the model and `no_sync()` are there under the same names. The optimizer still steps by
      itself: the gradients are reduced in `backward()`.

    Each process saves the weights of such a model as `model.state_dict()` and `model.get_shard_metadata()`, which
    `consolidate_sharded_model_checkpoints()` puts together. Under SPMD, `state_dict()` holds whole tensors, which
    `torch.save()` writes from the host, or `torch.distributed.checkpoint` with the `SPMDSavePlanner` and the
    `SPMDLoadPlanner` of `torch_xla.experimental.distributed_checkpoint`.

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
    traits = (Trait.OWN_PROCESSES,)
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
                yield self.finding(context.place(call.func), say("XP605.checkpoint", call=last_word(name)))
        for call in input_sharding.undivided(context):
            yield self._batches(context, call)

    def _divided(self, context: Context, call: ast.Call, job: Job | None) -> Finding:
        own = context.view.own.file
        if job is None or not job.is_nccl or job.entries != (own,) or _is_spread(context):
            return self.finding(context.place(call.func), _in_place(context, call))
        spmd = spmd_job(context)
        if spmd.obstacle is not None:
            node, what = spmd.obstacle
            because = say.phrase("because", where=f"line {context.line(node)}", what=what)
            return self.finding(context.place(call.func), _in_place(context, call, because))
        return self.finding(
            context.place(call.func),
            say("XP605.spmd"),
            *spmd.edits,
            imports=tuple(spmd.imports),
            applicability=Applicability.UNSAFE,
        )

    def _batches(self, context: Context, call: ast.Call) -> Finding:
        found = input_sharding.divided(context, call)
        if found is None:
            said = say("XP605.undivided", **names.spelled(context, "sharding_spec"))
            return self.finding(context.place(call), said)
        edit, imports = found
        return self.finding(
            context.place(call),
            say("XP605.divided"),
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


def _because(context: Context, job: Job | None) -> str:
    """What keeps the processes of a program as they are, for the end of a sentence."""
    if job is None or job.obstacle is None:
        return ""
    return say.phrase("because", where=job.obstacle.where(context), what=job.obstacle.what.message)


def _wrapped(context: Context, call: ast.Call, job: Job | None) -> Text:
    arguments = given(call, PARAMETERS) or {}
    policy = arguments.get("auto_wrap_policy")
    return say(
        "XP605.wrapped",
        because=_because(context, job),
        model=context.module.segment(arguments["module"]) if "module" in arguments else "model",
        policy=context.module.segment(policy) if policy is not None else "…",
        **names.spelled(context, "fsdp", "launch"),
    )


def _in_place(context: Context, call: ast.Call, because: str = "") -> Text:
    model = context.module.segment(call.args[0]) if call.args else "model"
    symbols = ("use_spmd", "mesh_of_all", "mark_sharding", "device_loader", "sharding_spec")
    return say("XP605.in_place", because=because, model=model, **names.spelled(context, *symbols))


def _tensor(context: Context, call: ast.Call, word: str) -> Text:
    if word in ("init_device_mesh", "DeviceMesh"):
        axes = next((context.module.segment(k.value) for k in call.keywords if k.arg == "mesh_dim_names"), None)
        symbols = names.spelled(context, "mesh", "global_device_count")
        return say("XP605.mesh", call=word, axes=axes or "('data', 'model')", **symbols)
    what = context.module.segment(call.args[0]) if call.args else "the weights"
    key = "XP605.parallelize" if word == "parallelize_module" else "XP605.distribute"
    return say(key, call=word, what=what, **names.spelled(context, "use_spmd", "mark_sharding"))
