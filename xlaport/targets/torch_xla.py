"""How torch_xla spells things, by version: the only place that holds its names.

Another version is another column, which is the newest spelling that it has. Source: the wheels of torch_xla 2.1 to 2.9.
"""

from __future__ import annotations

from collections.abc import Mapping

from xlaport.finding import Import
from xlaport.target import Machine, Symbol, Target, Trait, Unavailable, number

_OLDEST = "2.1"
_OTHERS = frozenset({Trait.TORCH_GROUPS, Trait.SHARDS_IN_PLACE, Trait.STILL_AVERAGES, Trait.SUCCEEDS_XLA})
"""What is true of other targets alone."""
VERSIONS = ("2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9")

_ROOT = Import("torch_xla", "torch_xla")
_BACKENDS = Import("torch_xla.backends", "torch_xla.backends")
_XM = Import("torch_xla.core.xla_model", "xm")
REMOVED_RANKS = ("torch_xla.core.xla_model.xrt_world_size", "torch_xla.core.xla_model.get_ordinal")
"""The number of processes and the own one's rank as torch_xla had them until 2.6; older libraries ask so."""
OLD_RANKS = (*REMOVED_RANKS, f"{_XM.module}.get_local_ordinal")
_XR = Import("torch_xla.runtime", "xr")
_XMP = Import("torch_xla.distributed.xla_multiprocessing", "xmp")
PROCESSES = _XMP.module
"""What starts the processes of a program, in all versions."""
_PL = Import("torch_xla.distributed.parallel_loader", "pl")
_XLA_BACKEND = Import("torch_xla.distributed.xla_backend", "torch_xla.distributed.xla_backend")
_SPMD = Import("torch_xla.distributed.spmd", "xs")
_FSDP = Import("torch_xla.distributed.fsdp", "xla_fsdp")
_FSDP_WRAP = Import("torch_xla.distributed.fsdp.wrap", "xla_wrap")
_XP = Import("torch_xla.debug.profiler", "xp")
_MET = Import("torch_xla.debug.metrics", "met")
_CHECKPOINT = Import("torch_xla.utils.checkpoint", "torch_xla.utils.checkpoint")

_Spellings = tuple[tuple[str, Symbol], ...]
"""Since when, and how; the newest last."""


def _since(version: str, module: Import, attribute: str) -> _Spellings:
    return ((version, Symbol(module, attribute)),)


def _always(module: Import, attribute: str) -> _Spellings:
    return _since(_OLDEST, module, attribute)


_SPELLINGS: Mapping[str, _Spellings] = {
    # The device and its generator.
    "device": _always(_XM, "xla_device") + _since("2.3", _ROOT, "device"),
    "device_count": _since("2.3", _ROOT, "device_count"),
    "device_hardware": _always(_XM, "xla_device_hw"),  # "TPU", "CPU"
    "device_kind": _since("2.6", _XM, "xla_device_kind"),  # "TPU v4"
    "device_type": _always(_XR, "device_type"),
    "manual_seed": _always(_XM, "set_rng_state") + _since("2.5", _ROOT, "manual_seed"),
    "get_rng_state": _always(_XM, "get_rng_state"),
    "set_rng_state": _always(_XM, "set_rng_state"),
    # Before 2.4 it gave kilobytes under other keys: what is written here reads bytes_used and bytes_limit.
    "memory_info": _since("2.4", _XM, "get_memory_info"),
    # The step. 2.4 has a torch_xla.sync too, without `wait`, still little known: mark_step is its spelling.
    "sync": _always(_XM, "mark_step") + _since("2.5", _ROOT, "sync"),
    "wait_device_ops": _always(_XM, "wait_device_ops"),
    "add_step_closure": _always(_XM, "add_step_closure"),
    "compile": _since("2.5", _ROOT, "compile"),
    "device_loader": _always(_PL, "MpDeviceLoader"),
    "optimizer_step": _always(_XM, "optimizer_step"),
    # Precision.
    "bf16_supported": _always(_XR, "is_bf16_supported"),
    "matmul_precision": _since("2.8", _BACKENDS, "set_mat_mul_precision"),
    "get_matmul_precision": _since("2.8", _BACKENDS, "get_mat_mul_precision"),
    # Several devices.
    "launch": _always(_XMP, "spawn") + _since("2.5", _ROOT, "launch"),
    "process_group": _always(_XLA_BACKEND, "ProcessGroupXla"),  # importing it registers the backend and xla://
    "world_size": _always(_XR, "world_size"),
    "global_ordinal": _always(_XR, "global_ordinal"),
    "local_ordinal": _always(_XR, "local_ordinal"),
    "local_device_count": _always(_XR, "local_device_count"),
    "global_device_count": _always(_XR, "global_runtime_device_count"),
    "addressable_device_count": _always(_XR, "addressable_runtime_device_count"),
    "process_index": _always(_XR, "process_index"),
    "process_count": _always(_XR, "process_count"),
    "is_master": _always(_XM, "is_master_ordinal"),
    "master_print": _always(_XM, "master_print"),
    "rendezvous": _always(_XM, "rendezvous"),
    "all_reduce": _always(_XM, "all_reduce"),
    "all_gather": _always(_XM, "all_gather"),
    "mesh_reduce": _always(_XM, "mesh_reduce"),
    "reduce_gradients": _always(_XM, "reduce_gradients"),
    "broadcast_parameters": _always(_XM, "broadcast_master_param"),
    "use_spmd": _always(_XR, "use_spmd"),
    "is_spmd": _always(_XR, "is_spmd"),
    "mesh": _since("2.2", _SPMD, "Mesh"),
    "mark_sharding": _since("2.2", _SPMD, "mark_sharding"),
    "sharding_spec": _since("2.2", _SPMD, "ShardingSpec"),
    "mesh_of_all": _since("2.5", _SPMD, "get_1d_mesh"),
    "fsdp": _always(_FSDP, "XlaFullyShardedDataParallel"),
    "checkpoint_module": _always(_FSDP, "checkpoint_module"),
    "consolidate_states": _always(_FSDP, "consolidate_sharded_state_dicts"),
    "always_wrap_policy": _always(_FSDP_WRAP, "always_wrap_policy"),
    "lambda_auto_wrap_policy": _always(_FSDP_WRAP, "lambda_auto_wrap_policy"),
    "size_based_auto_wrap_policy": _always(_FSDP_WRAP, "size_based_auto_wrap_policy"),
    "transformer_auto_wrap_policy": _always(_FSDP_WRAP, "transformer_auto_wrap_policy"),
    # Files, and looking at what happens.
    "save": _always(_XM, "save"),
    "checkpoint": _always(_CHECKPOINT, "checkpoint"),
    "initialize_cache": _since("2.2", _XR, "initialize_cache"),
    "trace": _always(_XP, "Trace"),
    "trace_function": _always(_XP, "trace_me"),  # a decorator, which Trace is not
    "step_trace": _always(_XP, "StepTrace"),
    "start_trace": _since("2.7", _XP, "start_trace"),
    "stop_trace": _since("2.7", _XP, "stop_trace"),
    "metrics_report": _always(_MET, "metrics_report"),
}


_SHARDED = frozenset(
    f"torch_xla.distributed.fsdp.{module}XlaFullyShardedDataParallel"
    for module in ("", "xla_fully_sharded_data_parallel.")
)
_ONE_TIME_LOADERS = (f"{_PL.module}.ParallelLoader",)


def _newest(meaning: str, version: str) -> Symbol:
    spellings = _SPELLINGS[meaning]
    known = [symbol for since, symbol in spellings if number(since) <= number(version)]
    if known:
        return known[-1]
    since, symbol = spellings[0]
    reason = f"torch_xla {version} has no {symbol.qualified}, which came with {since}"
    return Symbol(Unavailable(symbol.imports.module, symbol.imports.name, reason), symbol.attribute)


def _every(meaning: str, *older: str) -> frozenset[str]:
    """All spellings of a meaning, whatever the version: what is read may be older or newer than what is written."""
    return frozenset(symbol.qualified for _, symbol in _SPELLINGS[meaning]) | frozenset(older)


def torch_xla(version: str) -> Target:
    """The target of a version of torch_xla."""
    return Target(
        name=f"torch_xla {version}",
        version=version,
        package=_ROOT.module,
        torch=version,
        table="",
        words={},
        traits=frozenset(Trait) - _OTHERS,
        device_type="xla",
        group_backend="xla",
        machine=Machine(
            (f"torch~={version}.0", f"torch_xla[tpu]~={version}.0"),  # the extra brings libtpu, the driver
            {"PJRT_DEVICE": "TPU"},
            "",
            'XLA_PERSISTENT_CACHE_PATH=/tmp/xla before the command, or xr.initialize_cache("/tmp/xla") before the '
            "first tensor: the next start takes the graphs from there in place of compiling them.",
            "torch_xla.launch()",
            "xlaport verify",
        ),
        symbols={meaning: _newest(meaning, version) for meaning in _SPELLINGS},
        spellings={meaning: _every(meaning) for meaning in _SPELLINGS},
        barriers=_every("sync"),
        stepping=_every("optimizer_step"),
        loaders=_every("device_loader", *_ONE_TIME_LOADERS),
        one_time_loaders=frozenset(_ONE_TIME_LOADERS),
        sharded=_SHARDED,
        devices=_every("device", f"{_XR.module}.xla_device", "torch_xla.experimental.pjrt.xla_device"),
        seeders=_every("manual_seed"),
        traces=_every("trace") | _every("trace_function") | _every("step_trace"),
        step_traces=_every("step_trace"),
    )
