"""Environment variables that old torch_xla read, and what becomes of them: data of XP906 and XP910."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xlaport.target import Target
from xlaport.wording import Text

from .saying import say


@dataclass(frozen=True)
class OldVariable:
    """Variables that a pattern names: from which version on they are old, and what to do."""

    pattern: re.Pattern[str]
    since: str
    is_dead: bool
    """Nothing reads them any more: setting them is removed."""
    key: str
    """What is said of them."""

    def speaks_of(self, name: str, target: Target) -> bool:
        """Whether a variable of this name is old for the target's version."""
        return self.pattern.fullmatch(name) is not None and target.is_at_least(self.since)

    def text(self, name: str, target: Target) -> Text:
        """What to say of one of them."""
        return say(self.key, name=name, target=target.name)


_VARIABLES = (
    OldVariable(re.compile(r"XRT_SHARD_\w+|XRT_\w*LOCAL_\w+"), "2.2", True, "XP906.ranks"),
    OldVariable(re.compile(r"XRT_\w+"), "2.2", True, "XP906.runtime"),
    OldVariable(re.compile(r"XLA_(USE|DOWNCAST)_FP?16|XLA_TENSOR_ALLOCATOR_MAXSIZE"), "2.5", True, "XP906.dead"),
    OldVariable(re.compile(r"GPU_NUM_DEVICES|PJRT_GPU_ASYNC_CLIENT"), "2.9", True, "XP906.dead"),
    OldVariable(re.compile(r"TPU_NUM_DEVICES"), "2.9", False, "XP906.chips"),
    OldVariable(re.compile(r"XLA_USE_BF16|XLA_DOWNCAST_BF16"), "2.5", False, "XP906.bfloat16"),
    OldVariable(re.compile(r"XLA_USE_32BIT_LONG"), "2.5", False, "XP906.long"),
    OldVariable(re.compile(r"XLA_USE_SPMD"), "2.1", False, "XP906.spmd"),
    OldVariable(re.compile(r"COLAB_TPU_ADDR|TPU_IP_ADDRESS|TPU_NAME"), "2.1", False, "XP906.address"),
)

_GPU_KINDS = {"GPU": "2.2", "CUDA": "2.9", "ROCM": "2.9"}
"""Values of PJRT_DEVICE that have gone, and since when."""


def find(name: str, target: Target) -> OldVariable | None:
    """What is known of a variable that is old for the target's version."""
    return next((variable for variable in _VARIABLES if variable.speaks_of(name, target)), None)


def gone_kind(value: str, target: Target) -> Text | None:
    """What to say of a value of PJRT_DEVICE that the target's version does not have."""
    since = _GPU_KINDS.get(value)
    if since is None or not target.is_at_least(since):
        return None
    return say("XP906.kind", value=value, version=since)
