"""The roles that values can have."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass


class Role(enum.Enum):
    """What a value is, as far as porting is concerned."""

    TENSOR = "tensor"
    """A tensor that is, or may be, on the device."""
    HOST_TENSOR = "host tensor"
    """A tensor that was made on the host and not moved."""
    MODEL = "model"
    OPTIMIZER = "optimizer"
    SCHEDULER = "scheduler"
    SCALER = "scaler"
    LOADER = "loader"
    DEVICE_LOADER = "device loader"
    """A loader wrapper whose batches are already on the device."""
    DATASET = "dataset"
    DEVICE = "device"
    NUMBER = "number"
    TEXT = "text"
    OTHER = "other"
    """Known to be none of the above: an instance of a class of this file, a display, None …"""


TENSORS = frozenset({Role.TENSOR, Role.HOST_TENSOR})


@dataclass(frozen=True)
class Fact:
    """A role and what it rests on: `because` is a phrase, `line` its place (from 1)."""

    role: Role
    because: str
    line: int
    assumed: bool = False
    """Whether a tensor is taken to be on the device for want of anything that says where it lies."""


OUTPUT = "output of a model"
"""The evidence of what a model gives, where nothing more is known of it; with more behind it, where that is."""


OF_PARAMETERS = ("one of a module's .parameters()", "one of a module's .named_parameters()")
"""The evidence of a Parameter that a loop gets of a module."""


OF_FORWARD = "parameter of forward()"
"""The evidence of what `forward()` gets, where nothing else says what that is."""


OF_STATE = "one of a module's .state_dict()"
"""The evidence of what a module's state holds."""


OF_CLOCK = "the clock"
"""The evidence of what a look at a clock gives."""

A_PARAMETER = "a parameter of a layer"
"""The evidence of ``layer.weight``."""

MADE_PARAMETER = "Parameter(…)"
"""The evidence of ``nn.Parameter(…)``."""


ANNOTATED = "annotated as"
"""The begin of the evidence of an annotation, which says of no tensor where it lies."""


def is_none(node: ast.expr | None) -> bool:
    """The constant ``None``."""
    return isinstance(node, ast.Constant) and node.value is None
