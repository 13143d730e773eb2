"""Environment variables that old torch_xla read, and what becomes of them: data of XP906 and XP910."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xlaport.target import Target


@dataclass(frozen=True)
class OldVariable:
    """Variables that a pattern names: from which version on they are old, and what to do."""

    pattern: re.Pattern[str]
    since: str
    is_dead: bool
    """Nothing reads them any more: setting them is removed."""
    what: str

    def speaks_of(self, name: str, target: Target) -> bool:
        """Whether a variable of this name is old for the target's version."""
        return self.pattern.fullmatch(name) is not None and target.is_at_least(self.since)


_VARIABLES = (
    OldVariable(
        re.compile(r"XRT_SHARD_\w+|XRT_\w*LOCAL_\w+"), "2.2", True,
        "belongs to the old runtime (XRT), which is gone: torch_xla.runtime.global_ordinal(), local_ordinal() and "
        "world_size() answer, within each process",
    ),
    OldVariable(
        re.compile(r"XRT_\w+"), "2.2", True,
        "belongs to the old runtime (XRT), which is gone: PJRT finds the TPU by itself, or is told PJRT_DEVICE=TPU",
    ),
    OldVariable(
        re.compile(r"XLA_(USE|DOWNCAST)_FP?16|XLA_TENSOR_ALLOCATOR_MAXSIZE"), "2.5", True,
        "has no effect any more",
    ),
    OldVariable(
        re.compile(r"GPU_NUM_DEVICES|PJRT_GPU_ASYNC_CLIENT"), "2.9", True,
        "belongs to torch_xla's backend for GPUs, which went with 2.9",
    ),
    OldVariable(
        re.compile(r"TPU_NUM_DEVICES"), "2.9", False,
        "is not read by torch_xla 2.9: each process has one chip; to use fewer, set TPU_VISIBLE_CHIPS and "
        "TPU_PROCESS_BOUNDS before torch_xla is imported",
    ),
    OldVariable(
        re.compile(r"XLA_USE_BF16|XLA_DOWNCAST_BF16"), "2.5", False,
        "turns every float32 tensor into bfloat16 behind the program's back, and will go: convert the model, "
        'model.to(torch.bfloat16), or run its forward pass under torch.autocast("xla", dtype=torch.bfloat16)',
    ),
    OldVariable(
        re.compile(r"XLA_USE_32BIT_LONG"), "2.5", False,
        "turns int64 into int32 behind the program's back, and will go: convert the tensors that should be int32",
    ),
    OldVariable(
        re.compile(r"XLA_USE_SPMD"), "2.1", False,
        "is deprecated: call torch_xla.runtime.use_spmd() before the first tensor is moved to the device",
    ),
    OldVariable(
        re.compile(r"COLAB_TPU_ADDR|TPU_IP_ADDRESS|TPU_NAME"), "2.1", False,
        "names a TPU over the network, as the old runtime did; a program runs on the TPU's own host now, and asks "
        "torch_xla.device() for it",
    ),
)  # fmt: skip

_GPU_KINDS = {"GPU": "2.2", "CUDA": "2.9", "ROCM": "2.9"}
"""Values of PJRT_DEVICE that have gone, and since when."""


def find(name: str, target: Target) -> OldVariable | None:
    """What is known of a variable that is old for the target's version."""
    return next((variable for variable in _VARIABLES if variable.speaks_of(name, target)), None)


def gone_kind(value: str, target: Target) -> str | None:
    """What to say of a value of PJRT_DEVICE that the target's version does not have."""
    since = _GPU_KINDS.get(value)
    if since is None or not target.is_at_least(since):
        return None
    kind = "is CUDA since torch_xla 2.2" if value == "GPU" else "went with torch_xla 2.9"
    return f"PJRT_DEVICE={value} {kind}: a TPU's is PJRT_DEVICE=TPU"
