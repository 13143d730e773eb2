"""Does the port train as its original does? A pure function over the records of the two runs.

Told in the order of the program: which parameters are trained, their initial values, then loss and gradients step
by step up to the first that differs, then the parameters at the end. What comes after the first difference follows
from it, and is not told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from xlaport.verify.events import ParameterSeen, Site, Trace, Trouble
from xlaport.verify.parity_figures import LOSS, Recorded, distance, figures
from xlaport.verify.parity_why import other_draws, why
from xlaport.verify.verdict import Figure, Parity, VerdictFinding, finding

KIND = "parity"
_NAMED = 4
"""Parameters that a message names, at most."""


def compare(
    original: Trace, port: Trace, rtol: float, name: str, rounding: Trace | None = None
) -> tuple[Parity, list[VerdictFinding]]:
    """The comparison, and what it found.

    `name` is the original's file. `rounding` is the original once more, its weights changed by a rounding: where
    it is given, what that alone does is allowed.
    """
    one, other = Recorded(original), Recorded(port)
    if not one.steps or not other.steps:
        return _nothing(one, other, name)
    third = Recorded(rounding) if rounding else None
    all_figures = figures(one, other, rtol, third)
    parted = next((item for item in all_figures if not item.agrees), None)
    causes = list(_structure(one, other)) or list(_initial(one, other, rtol))
    causes += _without_gradient(one, other, parted)
    step = parted.step if parted else None
    uneven = _uneven(one, other)
    if uneven and (step is None or uneven[0] <= step):
        step = uneven[0]
        found = [*causes, uneven[1]]
    elif parted and causes:
        # What follows from a cause that is told already needs none of its own.
        said = f"; from step {step} on the {_plural(parted)} part: {_values(parted)}"
        found = [replace(causes[0], reason=causes[0].reason + said), *causes[1:]]
    elif parted and _other_masks(one, other, parted.step):
        return _masks(one, other, parted, all_figures, name)
    elif parted:
        found = [_parted(one, other, parted, all_figures)]
    else:
        found = causes or list(_final(one, other, rtol, third))
    fails = bool(found)
    found += _notes(one, other, all_figures, rounding is not None and not fails)
    steps = all_figures[-1].step if all_figures else 0
    return Parity("fail" if fails else "pass", name, steps, step, all_figures), found


def _plural(figure: Figure) -> str:
    return "losses" if figure.what == LOSS else "gradient norms"


def _values(figure: Figure) -> str:
    return f"{figure.original:.7g} in the original, {figure.port:.7g} in the port"


def _finding(
    severity: str, reason: str, advice: str, site: Site | None = None, step: int | None = None, rule: str | None = None
) -> VerdictFinding:
    return finding(KIND, severity, reason, advice, site, count=1, steps=(step,) if step else (), rule=rule)


def _nothing(one: Recorded, other: Recorded, name: str) -> tuple[Parity, list[VerdictFinding]]:
    if one.steps:
        reason = f"the port makes no optimizer step, where {name} makes {len(one.steps)}"
        return Parity("fail", name), [_finding("fail", reason, "give both the arguments that make them train")]
    said = "neither makes" if not other.steps else f"{name} does not make"
    reason = f"{said} an optimizer's step: there is no training to compare"
    return Parity("error", name), [_finding("fail", reason, "give both the arguments that make them train")]


def _structure(one: Recorded, other: Recorded) -> Iterator[VerdictFinding]:
    """Do the optimizers hold the same parameters?"""
    mine, its = one.parameters(end=False), other.parameters(end=False)
    site = other.steps[0].site
    shapes, others = Counter(item.shape for item in mine), Counter(item.shape for item in its)
    if shapes == others:
        kinds = sorted({(a.dtype, b.dtype) for a, b in zip(mine, its, strict=True) if a.dtype != b.dtype})
        if kinds:
            was, now = kinds[0]
            yield _finding(
                "fail",
                f"the port trains {now} parameters where the original's are {was}",
                "train in the original's precision, and lower it with autocast where it is wanted",
                site,
                1,
            )
        return
    extra, missing = others - shapes, shapes - others
    said = [f"{_count(extra)} more ({_shapes(extra)})"] if extra else []
    said += [f"{_count(missing)} fewer ({_shapes(missing)})"] if missing else []
    reason = f"the port's optimizers hold {len(its)} parameters, the original's {len(mine)}: {' and '.join(said)}"
    advice = "compare what the optimizers are given, and which parameters are frozen"
    if extra and not missing:
        twin = _twin(its, extra)
        reason += f"; {twin}" if twin else "; a parameter that two modules shared may have become two"
        advice = "tie the weights again after model.to(device), and before the optimizer is built"
    yield _finding("fail", reason, advice, site, 1)


def _count(shapes: Counter[tuple[int, ...]]) -> int:
    return sum(shapes.values())


def _shapes(shapes: Counter[tuple[int, ...]]) -> str:
    return ", ".join(str(list(shape)) for shape in list(shapes)[:_NAMED])


def _twin(parameters: tuple[ParameterSeen, ...], extra: Counter[tuple[int, ...]]) -> str:
    """Two parameters of the port that begin with the same values: they were one."""
    for shape in extra:
        same = [item for item in parameters if item.shape == shape and item.norm]
        for at, item in enumerate(same):
            for other in same[at + 1 :]:
                if item.values == other.values:
                    return f"{_name(item)} and {_name(other)} begin alike: they are one in the original, tied"
    return ""


def _name(item: ParameterSeen) -> str:
    return item.name or f"parameter {item.place + 1} of optimizer {item.optimizer + 1}"


def _named(items: list[ParameterSeen]) -> str:
    more = f" and {len(items) - _NAMED} more" if len(items) > _NAMED else ""
    return ", ".join(_name(item) for item in items[:_NAMED]) + more


def _initial(one: Recorded, other: Recorded, rtol: float) -> Iterator[VerdictFinding]:
    """Do both begin with the same weights?"""
    pairs = zip(one.parameters(end=False), other.parameters(end=False), strict=True)
    differ = [a for a, b in pairs if distance(a, b) > rtol / 100 and a.dtype == b.dtype]
    if not differ:
        return
    draws = one.steps[0].generators != other.steps[0].generators
    yield _finding(
        "fail",
        f"{len(differ)} parameters differ before the first step: {_named(differ)}"
        + ("; the random generators had drawn other numbers by then" if draws else ""),
        "build the model in both at the same place among the draws, from the same seed or checkpoint",
        other.steps[0].site,
        1,
    )


def _without_gradient(one: Recorded, other: Recorded, parted: Figure | None) -> Iterator[VerdictFinding]:
    """Do as many parameters get a gradient as in the original?"""
    last = parted.step if parted else min(len(one.steps), len(other.steps))
    for mine, its in zip(one.steps[:last], other.steps[:last], strict=True):
        if its.with_gradient < mine.with_gradient:
            what = "none" if not its.with_gradient else f"only {its.with_gradient}"
            moved = "; model.to(xla) makes new parameters, and the optimizer holds the old ones"
            yield _finding(
                "fail",
                f"in step {its.step} {what} of the {its.parameters} parameters that the port steps have a gradient, "
                f"in the original {mine.with_gradient}: the others are not trained"
                + (moved if not its.with_gradient else ""),
                "build the optimizer after model.to(torch_xla.device()), and look for detach() and requires_grad",
                its.site,
                its.step,
                "XP203" if not its.with_gradient else None,
            )
            return


def _uneven(one: Recorded, other: Recorded) -> tuple[int, VerdictFinding] | None:
    """The first step with another number of backward passes."""
    for step in range(1, min(len(one.steps), len(other.steps)) + 1):
        mine, its = len(one.losses_before(step)), len(other.losses_before(step))
        if mine != its:
            return step, _finding(
                "fail",
                f"step {step} of the port is made of {its} backward pass{'es' * (its != 1)}, that of the original of "
                f"{mine}",
                "compare the number of accumulated batches, and what the last ones of a loader do",
                other.site(step, LOSS),
                step,
            )
    return None


def _parted(one: Recorded, other: Recorded, parted: Figure, all_figures: tuple[Figure, ...]) -> VerdictFinding:
    reason, advice = why(one, other, parted, all_figures)
    return _finding(
        "fail",
        f"the {_plural(parted)} part in step {parted.step}: {_values(parted)}, {parted.apart:.1g} apart where "
        f"{parted.allowed:.1g} is allowed; {reason}",
        advice,
        other.site(parted.step, parted.what),
        parted.step,
    )


def _other_masks(one: Recorded, other: Recorded, last: int) -> bool:
    """Whether the two drew other numbers with dropout on: padding alone, which is masked, makes larger masks."""
    on = any(event.what == "dropout" and event.detail == "on" for event in other.noticed)
    return on and other_draws(one, other, last) is not None


def _masks(
    one: Recorded, other: Recorded, parted: Figure, all_figures: tuple[Figure, ...], name: str
) -> tuple[Parity, list[VerdictFinding]]:
    site = next(event.site for event in other.noticed if event.what == "dropout")
    reason = (
        f"the {_plural(parted)} part in step {parted.step} ({_values(parted)}), which proves nothing with dropout on: "
        "the port has drawn other random numbers, as it does where its batches are padded, and so other masks"
    )
    found = [_finding("fail", reason, "compare without dropout: --no-dropout", site, parted.step)]
    found += _notes(one, other, all_figures, amplified=False)
    return Parity("error", name, all_figures[-1].step, parted.step, all_figures), found


def _final(one: Recorded, other: Recorded, rtol: float, rounding: Recorded | None) -> Iterator[VerdictFinding]:
    """After as many steps: the same weights?"""
    if len(one.steps) != len(other.steps):
        return
    start, theirs = one.parameters(end=False), other.parameters(end=False)
    mine, its = one.parameters(end=True), other.parameters(end=True)
    third = rounding.parameters(end=True) if rounding else ()
    if not len(mine) == len(its) == len(start) or (third and len(third) != len(mine)):
        return
    still = [
        theirs[at]
        for at in range(len(mine))
        if theirs[at].values == its[at].values and start[at].values != mine[at].values
    ]
    # A weight whose gradient is 0 but for rounding moves at random under Adam: the third run has it, too.
    differ = [
        start[at]
        for at in range(len(mine))
        if distance(mine[at], its[at]) > max(10 * rtol, 10 * distance(mine[at], third[at]) if third else 0.0)
        and theirs[at] not in still
    ]
    site = other.steps[-1].site
    if still:
        yield _finding(
            "fail",
            f"{len(still)} parameters are in the port what they were before the first step, and trained in the "
            f"original: {_named(still)}",
            "compare what the optimizers are given, and look for weights that were replaced after that",
            site,
        )
    if differ:
        yield _finding(
            "fail",
            f"the losses agree, and {len(differ)} parameters differ after the last step: {_named(differ)}",
            "compare the learning rate, weight decay, and which parameters each optimizer is given",
            site,
        )


def _notes(
    one: Recorded, other: Recorded, all_figures: tuple[Figure, ...], amplified: bool
) -> Iterator[VerdictFinding]:
    """What limits the comparison."""
    for message in sorted(
        {event.message for run in (one, other) for event in run.trace.events if isinstance(event, Trouble)}
    ):
        yield _finding("note", f"the probe missed something: {message}", "")
    mine, its = len(one.steps), len(other.steps)
    if mine != its:
        yield _finding(
            "note",
            f"the original made {mine} optimizer steps, the port {its}: the first {min(mine, its)} are compared",
            "compare the lengths of the loaders (drop_last) and the number of epochs",
        )
    draws = next((item for item in other.noticed if item.what == "device-draw"), None)
    if draws:
        yield _finding(
            "note",
            "random numbers for the device came from the CPU's generator in both runs; a TPU draws others, as another "
            "GPU would",
            "",
            draws.site,
        )
    lower = sorted({item.detail for item in one.noticed if item.what == "autocast"})
    if lower:
        yield _finding(
            "note",
            f"both ran in float32: autocast ({', '.join(lower)}) and loss scaling were off, to compare the mathematics",
            "",
            next(item.site for item in one.noticed if item.what == "autocast"),
        )
    if amplified:
        far = max(all_figures, key=lambda item: item.apart)
        yield _finding(
            "note",
            f"rounding grows in this training: up to {far.apart:.1g} apart ({far.what}, step {far.step}); the original "
            "itself is as far from a run with its weights changed by a millionth",
            "",
        )
