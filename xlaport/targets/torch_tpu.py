"""How torch_tpu spells things: what is written in programs. What `verify` needs of it is in `verify/eager/names.py`.

Most are PyTorch's own, which know the accelerator that is there. Source: the wheel of torch_tpu 0.2.0, and runs of it
with torch 2.13 on the CPU plugin of OpenXLA.
"""

from __future__ import annotations

from collections.abc import Mapping

from xlaport.finding import Import
from xlaport.target import Machine, Symbol, Target, Trait, Unavailable
from xlaport.targets.torch_xla import VERSIONS, torch_xla

_TORCH = Import("torch", "torch")
_DISTRIBUTED = Import("torch.distributed", "dist")
_CHECKPOINT = Import("torch.utils.checkpoint", "torch.utils.checkpoint")
_PROFILER = Import("torch.profiler", "torch.profiler")

_SPELLINGS: Mapping[str, Symbol] = {
    "device": Symbol(_TORCH, "accelerator.current_accelerator"),
    "device_count": Symbol(_TORCH, "accelerator.device_count"),
    "device_kind": Symbol(_TORCH, "tpu.get_device_name"),
    "manual_seed": Symbol(_TORCH, "manual_seed"),
    "memory_info": Symbol(_TORCH, "accelerator.get_memory_info"),
    "wait_device_ops": Symbol(_TORCH, "accelerator.synchronize"),
    "compile": Symbol(_TORCH, "compile"),
    "matmul_precision": Symbol(_TORCH, "set_float32_matmul_precision"),
    "get_matmul_precision": Symbol(_TORCH, "get_float32_matmul_precision"),
    "world_size": Symbol(_DISTRIBUTED, "get_world_size"),
    "global_ordinal": Symbol(_DISTRIBUTED, "get_rank"),
    "global_device_count": Symbol(_DISTRIBUTED, "get_world_size"),
    "save": Symbol(_TORCH, "save"),
    "checkpoint": Symbol(_CHECKPOINT, "checkpoint"),
    "trace": Symbol(_PROFILER, "record_function"),
    "trace_function": Symbol(_PROFILER, "record_function"),
}

_PROCESSES = "every process has one chip, and torch.distributed is how they talk"
_SHARDED = "DTensor and fully_shard of torch shard a model, with one process for each chip"
_INSTEAD: Mapping[str, str] = {
    "device_hardware": "the device's type is always tpu",
    "device_type": "the device's type is always tpu",
    "get_rng_state": "torch.get_rng_state() is the host's",
    "set_rng_state": "torch.manual_seed() seeds the device, too",
    "sync": "it runs each operation at once",
    "add_step_closure": "it runs each operation at once, so call the function",
    "device_loader": "batches are moved with .to(device)",
    "optimizer_step": "the optimizer steps itself, and DDP reduces the gradients",
    "bf16_supported": "every TPU has bfloat16",
    "launch": "torchrun starts the processes, with what  python -m torch.tpu.distributed  prints in their environment",
    "process_group": "init_process_group() without a backend finds its own",
    "local_ordinal": "torchrun sets LOCAL_RANK",
    "local_device_count": _PROCESSES,
    "addressable_device_count": _PROCESSES,
    "process_index": _PROCESSES,
    "process_count": _PROCESSES,
    "is_master": "torch.distributed.get_rank() is 0 in the first process",
    "master_print": "print where torch.distributed.get_rank() is 0",
    "rendezvous": "torch.distributed.barrier() waits for all",
    "all_reduce": "torch.distributed.all_reduce() works in place",
    "all_gather": "torch.distributed.all_gather_into_tensor() fills a tensor",
    "mesh_reduce": "torch.distributed.all_gather_object() gathers what the processes have",
    "reduce_gradients": "DDP reduces the gradients",
    "broadcast_parameters": "DDP sends the first process's parameters to all",
    "use_spmd": _SHARDED,
    "is_spmd": _SHARDED,
    "mesh": _SHARDED,
    "mark_sharding": _SHARDED,
    "sharding_spec": _SHARDED,
    "mesh_of_all": _SHARDED,
    "fsdp": _SHARDED,
    "checkpoint_module": "torch.utils.checkpoint.checkpoint() takes a call, not a module",
    "consolidate_states": "torch.distributed.checkpoint saves what is sharded",
    "always_wrap_policy": _SHARDED,
    "lambda_auto_wrap_policy": _SHARDED,
    "size_based_auto_wrap_policy": _SHARDED,
    "transformer_auto_wrap_policy": _SHARDED,
    "initialize_cache": "the variable TORCH_TPU_TIER3_COMPILATION_CACHE_ROOT names the folder",
    "step_trace": "the profiler's step() marks steps",
    "start_trace": "torch.profiler.profile() is a block",
    "stop_trace": "torch.profiler.profile() is a block",
    "metrics_report": "torch.tpu._get_cache_stats() counts what is compiled",
}
"""What takes the place of a meaning that it has no name for."""
_TYPE = {'"xla"': '"tpu"', "is_xla": "is_tpu", "torch.xla.": "torch.tpu.", "`torch_xla`": "`torch_tpu`"}
"""How the type of the device is spelled in what is said, and it itself."""
_NOT_DONE = {
    ", after `torch_xla.sync()`": "",
    "start a process for each with `torch_xla.launch()`": "start a process for each with `torchrun`",
    "before `torch_xla.launch()` starts the processes": "before the processes start",
    "operations that XLA has": "operations that a TPU has",
    ": part of the forward pass runs twice": "",
}
"""What is said of torch_xla's own ways."""
_VERSION = "0.2"
_TRAITS = frozenset(
    {Trait.NEW_PARAMETERS, Trait.TORCH_GROUPS, Trait.SHARDS_IN_PLACE, Trait.STILL_AVERAGES, Trait.SUCCEEDS_XLA}
)


def _symbol(meaning: str, read: Target) -> Symbol:
    if meaning in _SPELLINGS:
        return _SPELLINGS[meaning]
    symbol = read.symbols[meaning]
    reason = f"torch_tpu has no {symbol.attribute}(): {_INSTEAD[meaning]}"
    return Symbol(Unavailable(symbol.imports.module, symbol.imports.name, reason), symbol.attribute)


def _words(read: Target) -> dict[str, str]:
    same = {f"{read.symbols[meaning].qualified}(": f"{symbol.qualified}(" for meaning, symbol in _SPELLINGS.items()}
    return {**_NOT_DONE, **dict(sorted(same.items(), key=lambda pair: -len(pair[0]))), **_TYPE}


def torch_tpu() -> Target:
    """The target torch_tpu. Programs for torch_xla are read, too, to be moved to it."""
    read = torch_xla(VERSIONS[-1])
    symbols = {meaning: _symbol(meaning, read) for meaning in read.symbols}
    return Target(
        name=f"torch_tpu {_VERSION}",
        version=_VERSION,
        package="torch_tpu",
        table="torch_tpu",
        words=_words(read),
        torch="2.13",
        traits=_TRAITS,
        device_type="tpu",
        group_backend="tpu_dist",
        machine=Machine(
            ("torch~=2.13.0", f"torch_tpu~={_VERSION}.0"),
            {},
            "eval \"$(python3 -m torch.tpu.distributed | sed 's/^/export /')\"",
            "TORCH_TPU_TIER3_COMPILATION_CACHE_ROOT=/tmp/tpu before the command: the next start takes what is "
            "compiled from there.",
            "torchrun, with DistributedDataParallel,",
            "xlaport verify --target torch_tpu",
        ),
        symbols=symbols,
        spellings={meaning: names | {symbols[meaning].qualified} for meaning, names in read.spellings.items()},
        barriers=read.barriers,
        stepping=read.stepping,
        loaders=read.loaders,
        one_time_loaders=read.one_time_loaders,
        sharded=read.sharded,
        devices=read.devices | {symbols["device"].qualified},
        seeders=read.seeders | {"torch.manual_seed", "torch.random.manual_seed"},
        traces=read.traces,
        step_traces=read.step_traces,
    )
