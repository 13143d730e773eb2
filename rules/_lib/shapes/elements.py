"""Operations on each element, or each row, by itself: what they make of the places that a mask leaves out.

Such an operation can run over all places in the stead of the selected ones, as long as the places that are left out
add neither to the result nor to a gradient: there, a gradient of zero times a derivative that is not finite is NaN.
"""

from __future__ import annotations

import enum


class Rest(enum.Enum):
    """What stands in the places that a mask leaves out."""

    ANYTHING = "anything"
    """What the tensor holds there, NaN perhaps: nothing but operations of a constant derivative may follow."""
    ZERO = "zero"
    FINITE = "finite"
    """Numbers without a gradient that goes anywhere."""


LINEAR = frozenset(
    "detach clone contiguous neg negative float double half bfloat16 long int bool to type eq ne lt le gt ge isnan "
    "isinf isfinite logical_not bitwise_not".split()
)
"""Methods and functions of a constant derivative, or of none: they leave anything as anything."""
KEEPS_ZERO = frozenset(
    "abs absolute square relu tanh sin sinh tan asin atan asinh expm1 log1p round trunc floor ceil sign erf neg "
    "negative detach clone contiguous float double half bfloat16 long int bool to type gelu silu".split()
)
"""Those that leave a zero as zero, and have a finite derivative there."""
FINITE_AT_ZERO = frozenset("exp exp2 sigmoid cos cosh softplus logsigmoid clamp clamp_min clamp_max clip".split())
FINITE_AT_ONE = frozenset("log log2 log10 sqrt rsqrt reciprocal".split())
"""Those that are not finite at zero, or whose derivative is not, and are at one."""
LARGEST = frozenset("maximum minimum max min".split())
ASKING = frozenset("eq ne lt le gt ge isnan isinf isfinite bool".split())
"""Those that give truth values."""
HANDING_ON = frozenset("detach clone contiguous logical_not bitwise_not".split())
"""Those that give truth values of truth values."""
ROWWISE_MODULES = frozenset(
    f"torch.nn.{name}"
    for name in "Linear LayerNorm RMSNorm Identity GELU ReLU Tanh Sigmoid SiLU ELU LeakyReLU Softplus Dropout "
    "Hardswish Mish ReLU6 CELU SELU".split()
)
"""Modules that work on each row, the last dimension, by itself, and are finite where the row is."""
ROWWISE_FUNCTIONS = frozenset(
    f"torch.nn.functional.{name}" for name in "linear layer_norm gelu relu silu elu leaky_relu dropout".split()
)
DISTANCES = frozenset("mse_loss l1_loss smooth_l1_loss huber_loss".split())
"""Losses of each element that are zero, and have a derivative of zero, where both of their operands are zero."""
CLASSIFYING = frozenset("cross_entropy nll_loss".split())
LOSS_MODULES = {
    "torch.nn.MSELoss": "mse_loss", "torch.nn.L1Loss": "l1_loss", "torch.nn.SmoothL1Loss": "smooth_l1_loss",
    "torch.nn.HuberLoss": "huber_loss", "torch.nn.CrossEntropyLoss": "cross_entropy", "torch.nn.NLLLoss": "nll_loss",
}  # fmt: skip
