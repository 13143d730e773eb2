"""What is recorded of the memory of the device, for a compiler of TPUs: what lies there between two steps.

A part of the probe, too: the standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

PARAMETER, STATE, GRADIENT, BUFFER = "parameter", "state", "gradient", "buffer"
"""What a tensor on the device is of: a module, an optimizer, a parameter, a module."""
HELD, OTHER = "held", "other"
"""Any other tensor: one that was there several barriers before, or one that was not."""


@dataclass(frozen=True)
class TensorsSeen:
    """All tensors on the device behind the `barrier`-th barrier: `tensors` are rows of what they are (see above),
    XLA's name of their elements' type, their sizes (of a shard, where devices share it), and how many there are.
    """

    type: ClassVar[str] = "tensors"
    barrier: int
    tensors: tuple[tuple[str, str, tuple[int, ...], int], ...]
