"""What is recorded of the parameters that optimizers hold: where they are, whether they change, whose they are.

A part of the probe, too: the standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .counts import Site


@dataclass(frozen=True)
class OptimizerSeen:
    """An optimizer, just before its `step`-th step: how many parameters it has, where they are, how many have
    a gradient. `built` is where it was constructed.
    """

    type: ClassVar[str] = "optimizer"
    optimizer: int
    name: str
    built: Site | None
    step: int
    parameters: int
    on_cpu: int
    on_xla: int
    with_gradient: int


@dataclass(frozen=True)
class ParametersCompared:
    """`changed` of `sampled` parameters of one optimizer differ from what they were at its first step."""

    type: ClassVar[str] = "parameters"
    optimizer: int
    step: int
    sampled: int
    changed: int


@dataclass(frozen=True)
class LeftBehind:
    """An optimizer steps `parameters` in whose place the model has others, which get gradients that nobody uses.

    These are so many of the `trainable` ones that the optimizer holds. `since`: the first of its steps for which that
    is so, `lost`: how many steps by now. `how` the others came: ``moved`` (``Module.to`` and its like), ``set`` (a
    parameter was assigned) or ``rebuilt`` (another model was built); `site`: the line that did so, if that is known.
    """

    type: ClassVar[str] = "left-behind"
    optimizer: int
    parameters: int
    trainable: int
    since: int
    lost: int
    how: str
    site: Site | None
