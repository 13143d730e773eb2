"""The names of PyTorch's FullyShardedDataParallel and of what goes with it."""

from __future__ import annotations

_PACKAGE = "torch.distributed.fsdp."
_CHECKPOINTING = "torch.distributed.algorithms._checkpoint.checkpoint_wrapper."
_CLASS = "FullyShardedDataParallel"

WRAPPERS = frozenset({f"{_PACKAGE}{_CLASS}", f"{_PACKAGE}fully_sharded_data_parallel.{_CLASS}"})
_XLA = "torch_xla.distributed.fsdp."
_SPMD = "torch_xla.experimental.spmd_fully_sharded_data_parallel."
SPMD_WRAPPERS = frozenset({f"{_SPMD}Spmd{_CLASS}"})
XLA_WRAPPERS = SPMD_WRAPPERS | {f"{_XLA}Xla{_CLASS}", f"{_XLA}xla_fully_sharded_data_parallel.Xla{_CLASS}"}
IN_PLACE = frozenset(
    {f"{_PACKAGE}fully_shard", f"{_PACKAGE}_fully_shard.fully_shard",
     "torch.distributed._composable.fsdp.fully_shard", "torch.distributed._composable.fsdp.fully_shard.fully_shard"}
)  # fmt: skip
"""FSDP2: the model stays what it is, and its weights become sharded tensors."""

PARAMETERS = (
    "module", "process_group", "sharding_strategy", "cpu_offload", "auto_wrap_policy", "backward_prefetch",
    "mixed_precision", "ignored_modules", "param_init_fn", "device_id", "sync_module_states", "forward_prefetch",
    "limit_all_gathers", "use_orig_params", "ignored_states", "device_mesh",
)  # fmt: skip
"""Those of FullyShardedDataParallel, in their order."""

POLICIES = frozenset(
    {"transformer_auto_wrap_policy", "size_based_auto_wrap_policy", "lambda_auto_wrap_policy", "always_wrap_policy"}
)
"""The policies that torch_xla has under the same names. PyTorch's own raise there: torch_xla calls them with
`unwrapped_params`, and theirs is called `nonwrapped_numel`. (`ModuleWrapPolicy` takes either: it stays.)"""

KEPT_POLICY = frozenset(
    {"ModuleWrapPolicy", "MixedPrecision", "CPUOffload", "FullStateDictConfig", "CheckpointImpl", "BACKWARD_PRE",
     "BACKWARD_POST", "FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD", "_HYBRID_SHARD_ZERO2",
     "FULL_STATE_DICT", "SHARDED_STATE_DICT", "LOCAL_STATE_DICT", "NO_REENTRANT", "REENTRANT", "ShardingStrategy",
     "BackwardPrefetch", "StateDictType"}
)  # fmt: skip
"""Plain values, which do no harm where they stand: the calls that take them are looked at."""

HYBRID = frozenset({"HYBRID_SHARD", "_HYBRID_SHARD_ZERO2"})


def belongs(name: str) -> bool:
    """Whether a name is of FullyShardedDataParallel, or of the checkpointing of activations that goes with it."""
    return name.startswith((_PACKAGE, _CHECKPOINTING)) and name not in IN_PLACE


def is_wrapper(name: str | None) -> bool:
    """Whether a name is that of the class."""
    return name in WRAPPERS


def last_word(name: str | None) -> str:
    """The last part of a qualified name; empty for none."""
    return (name or "").rpartition(".")[2]
