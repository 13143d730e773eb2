"""What two runs that part differ in, as far as their records show it: a sentence, and what to do."""

from __future__ import annotations

from xlaport.verify.parity_figures import GRADIENT, Recorded
from xlaport.verify.verdict import Figure

_RATIO_STEADY = 1e-3

_GENERATORS = {
    "torch": "torch's CPU generator",
    "numpy": "numpy's generator",
    "random": "Python's random",
}


def why(original: Recorded, port: Recorded, parted: Figure, figures: tuple[Figure, ...]) -> tuple[str, str]:
    """The likeliest reason that the records show for the first figure that parts, and the advice."""
    step = parted.step
    for question in (_other_draws, _other_precision, _other_scale):
        answer = question(original, port, parted, figures)
        if answer:
            return answer
    if parted.what == GRADIENT:
        return (
            "the losses up to here agree, so the weights do: the gradients are changed between backward() and step()",
            "compare what stands between the two: zero_grad(), accumulation, clipping, scaling, what is detached",
        )
    if step == 1:
        return (
            "the weights are the same before this step: the batch or the forward pass is another",
            "compare the first batch and the model's mode in both: order, padding, masks, train() and eval()",
        )
    return (
        f"up to the gradients of step {step - 1} both agree: that optimizer step, or the batch after it, is another",
        "compare the learning rate and its schedule, weight decay, which parameters are stepped, and the batches",
    )


def other_draws(original: Recorded, port: Recorded, last: int) -> tuple[int, str] | None:
    """The first step, up to `last`, before which the port had drawn other random numbers, and whose they were."""
    for one, other in zip(original.steps[:last], port.steps[:last], strict=False):
        differ = [said for name, said in _GENERATORS.items() if one.generators.get(name) != other.generators.get(name)]
        if differ:
            return one.step, " and ".join(differ)
    return None


def _other_draws(
    original: Recorded, port: Recorded, parted: Figure, figures: tuple[Figure, ...]
) -> tuple[str, str] | None:
    found = other_draws(original, port, parted.step)
    return found and (
        f"by step {found[0]} {found[1]} had drawn other numbers in the port: more, fewer, or in another order",
        "compare where both draw (initial weights, shuffling, augmentation, noise), and in which order",
    )


def _other_precision(
    original: Recorded, port: Recorded, parted: Figure, figures: tuple[Figure, ...]
) -> tuple[str, str] | None:
    lower = {event.detail for event in port.noticed if event.what == "autocast"}
    if lower and not any(event.what == "autocast" for event in original.noticed):
        return (
            f"the port computes under autocast ({', '.join(sorted(lower))}), and the original does not",
            "leave autocast out, or accept the difference with a larger --rtol",
        )
    one = {loss.dtype for loss in original.losses_before(parted.step)}
    other = {loss.dtype for loss in port.losses_before(parted.step)}
    if one and other and one != other:
        return (
            f"the loss is {', '.join(sorted(other))} in the port and {', '.join(sorted(one))} in the original",
            "compare where the dtypes are set: .to(), .half(), .bfloat16(), XLA_USE_BF16",
        )
    return None


def _other_scale(
    original: Recorded, port: Recorded, parted: Figure, figures: tuple[Figure, ...]
) -> tuple[str, str] | None:
    """Whether one is the other times a factor, in all passes of the first step that parts."""
    pairs = [item for item in figures if item.step == parted.step and item.what == parted.what]
    ratios = [item.port / item.original for item in pairs if item.original]
    if not ratios or any(abs(ratio / ratios[0] - 1) > _RATIO_STEADY for ratio in ratios if ratios[0]):
        return None
    ratio, simple = ratios[0], _simple(ratios[0])
    if parted.what == GRADIENT:
        if not simple:
            return None
        return (
            f"the losses agree, and the gradients are {simple} times the original's",
            "compare what scales them: accumulation over backward passes, a GradScaler, an average over replicas",
        )
    # Any factor is one if the gradients have it, too (clipped ones do not).
    gradient = next((item for item in figures if item.step == parted.step and item.what == GRADIENT), None)
    follows = gradient is not None and abs(gradient.port - ratio * gradient.original) <= _RATIO_STEADY * gradient.port
    if not simple and not follows:
        return None
    return (
        f"the port's loss is {simple or f'{ratio:.4g}'} times the original's: the same loss, scaled",
        "compare what it is summed over and divided by: reduction=, accumulation steps, batch size, loss scaling",
    )


def _simple(ratio: float) -> str:
    """A factor that somebody may have written: ``4`` or ``1/4``."""
    for value, said in ((ratio, "{}"), (1 / ratio if ratio else 0.0, "1/{}")):
        if 1.5 < value < 1e6 and abs(value / round(value) - 1) < _RATIO_STEADY:
            return said.format(round(value))
    return ""
