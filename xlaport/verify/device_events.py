"""What is recorded of the memory of the device, for a compiler of TPUs: what lies there between two steps.

A part of the probe, too: the standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

PARAMETER, STATE, GRADIENT, BUFFER, OTHER = "parameter", "state", "gradient", "buffer", "other"
"""What a tensor on the device is: of a module the first and the fourth, of an optimizer, of a parameter, or else."""


@dataclass(frozen=True)
class TensorsSeen:
    """All tensors on the device behind the `barrier`-th barrier: `tensors` are rows of what they are (see above),
    XLA's name of their elements' type, their sizes, and how many there are of these.
    """

    type: ClassVar[str] = "tensors"
    barrier: int
    tensors: tuple[tuple[str, str, tuple[int, ...], int], ...]
