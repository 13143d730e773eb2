"""Whether a parameter has got a gradient since it was looked at, told without keeping the gradient alive.

A tensor that is alive is an output of the next graph: what the probe keeps may not change what is compiled.
"""

from __future__ import annotations

from typing import Any


class Gradient:
    """The gradient that a parameter has now."""

    def __init__(self, parameter: Any) -> None:
        from torch.utils.weak import TensorWeakRef

        gradient = parameter.grad
        self._gradient = None if gradient is None else TensorWeakRef(gradient)
        self._version = 0 if gradient is None else gradient._version

    def is_old(self, parameter: Any) -> bool:
        """Whether the parameter has got none since: it has none, or the same one, to which nothing was added."""
        gradient = parameter.grad
        if gradient is None:
            return True
        same = self._gradient is not None and self._gradient() is gradient
        return same and bool(gradient._version == self._version)
