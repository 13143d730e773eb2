"""What two runs that part differ in, as far as their records show it: a sentence, and what to do."""

from __future__ import annotations

from xlaport.verify.parity_figures import GRADIENT, Recorded
from xlaport.verify.saying import say
from xlaport.verify.verdict import Figure
from xlaport.wording import Text

_RATIO_STEADY = 1e-3
_FACTOR = 0.01
"""What a factor is from 1, at least: what is nearer is no scale that somebody has given a loss."""

_GENERATORS = {
    "torch": "torch's CPU generator",
    "numpy": "numpy's generator",
    "random": "Python's random",
}


def why(original: Recorded, port: Recorded, parted: Figure, figures: tuple[Figure, ...]) -> Text:
    """The likeliest reason that the records show for the first figure that parts, and the advice."""
    step = parted.step
    for question in (_other_draws, _other_precision, _other_scale):
        answer = question(original, port, parted, figures)
        if answer:
            return answer
    if parted.what == GRADIENT:
        return say("why.gradients")
    return say("why.batch") if step == 1 else say("why.update", before=step - 1)


def other_draws(original: Recorded, port: Recorded, last: int) -> tuple[int, str] | None:
    """The first step, up to `last`, before which the port had drawn other random numbers, and whose they were."""
    for one, other in zip(original.steps[:last], port.steps[:last], strict=False):
        differ = [said for name, said in _GENERATORS.items() if one.generators.get(name) != other.generators.get(name)]
        if differ:
            return one.step, " and ".join(differ)
    return None


def _other_draws(original: Recorded, port: Recorded, parted: Figure, figures: tuple[Figure, ...]) -> Text | None:
    found = other_draws(original, port, parted.step)
    return say("why.draws", step=found[0], generators=found[1]) if found else None


def _other_precision(original: Recorded, port: Recorded, parted: Figure, figures: tuple[Figure, ...]) -> Text | None:
    lower = {event.detail for event in port.noticed if event.what == "autocast"}
    if lower and not any(event.what == "autocast" for event in original.noticed):
        return say("why.autocast", dtypes=", ".join(sorted(lower)))
    one = {loss.dtype for loss in original.losses_before(parted.step)}
    other = {loss.dtype for loss in port.losses_before(parted.step)}
    if one and other and one != other:
        return say("why.dtype", port=", ".join(sorted(other)), original=", ".join(sorted(one)))
    return None


def _other_scale(original: Recorded, port: Recorded, parted: Figure, figures: tuple[Figure, ...]) -> Text | None:
    """Whether one is the other times a factor, in all passes of the first step that parts."""
    pairs = [item for item in figures if item.step == parted.step and item.what == parted.what]
    ratios = [item.port / item.original for item in pairs if item.original]
    if not ratios or any(abs(ratio / ratios[0] - 1) > _RATIO_STEADY for ratio in ratios if ratios[0]):
        return None
    ratio, simple = ratios[0], _simple(ratios[0])
    if parted.what == GRADIENT:
        return say("why.gradients_scaled", factor=simple) if simple else None
    # Any factor is one if the gradients have it, too (clipped ones do not).
    gradient = next((item for item in figures if item.step == parted.step and item.what == GRADIENT), None)
    follows = gradient is not None and abs(gradient.port - ratio * gradient.original) <= _RATIO_STEADY * gradient.port
    if not simple and (not follows or abs(ratio - 1) < _FACTOR):
        return None
    return say("why.loss_scaled", factor=simple or f"{ratio:.4g}")


def _simple(ratio: float) -> str:
    """A factor that somebody may have written: ``4`` or ``1/4``."""
    for value, said in ((ratio, "{}"), (1 / ratio if ratio else 0.0, "1/{}")):
        if 1.5 < value < 1e6 and abs(value / round(value) - 1) < _RATIO_STEADY:
            return said.format(round(value))
    return ""
