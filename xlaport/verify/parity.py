"""Does the port train as its original does? A pure function over the records of the two runs.

Told in the order of the program: which parameters are trained, their initial values, then loss and gradients step
by step up to the first that differs, then the parameters at the end, the number of steps, and what is printed and
saved. What comes after the first difference follows from it, and is not told.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from xlaport.verify.events import ParameterSeen, Site, Trace, Trouble
from xlaport.verify.parity_figures import LOSS, Recorded, distance, figures
from xlaport.verify.parity_idle import compare_idle
from xlaport.verify.parity_outputs import different_outputs, outputs_of
from xlaport.verify.parity_why import other_draws, why
from xlaport.verify.saying import say
from xlaport.verify.verdict import Figure, Parity, VerdictFinding, finding
from xlaport.wording import Text

_NAMED = 4
"""Parameters that a message names, at most."""


def compare(
    original: Trace, port: Trace, rtol: float, name: str, rounding: Trace | None = None
) -> tuple[Parity, list[VerdictFinding]]:
    """The comparison, and what it found.

    `name` is the original's file. `rounding` is the original once more, its weights changed by a rounding: where
    it is given, what that alone does is allowed.
    """
    by_loss = not Recorded(original).steps and not Recorded(port).steps
    one, other = Recorded(original, by_loss), Recorded(port, by_loss)
    third = Recorded(rounding, by_loss) if rounding else None
    if not one.steps and not other.steps:
        return compare_idle(one, other, rtol, name, third)
    if not one.steps or not other.steps:
        return _nothing(one, other, name)
    other = other.in_order_of(one)
    is_whole = one.failure is None
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
        said = say.phrase("from step on", step=step, **_told(parted))
        found = [replace(causes[0], reason=causes[0].reason + said), *causes[1:]]
    elif parted and _other_masks(one, other, parted.step):
        return _masks(one, other, parted, all_figures, name)
    elif parted:
        found = [_parted(one, other, parted, all_figures)]
    else:
        found = causes or list(_final(one, other, rtol, third)) or list(_lengths(one, other) if is_whole else ())
    outputs = outputs_of(original) if is_whole and not found else (0, 0)
    if is_whole and not found:
        found = different_outputs(one, other, all_figures, rtol, third)
    fails = any(item.severity == "fail" for item in found)
    found += _notes(one, other, all_figures, not fails and _parts_without(one, other, rtol, third))
    steps = all_figures[-1].step if all_figures else 0
    return Parity("fail" if fails else "pass", name, steps, step, all_figures, *outputs), found


def _parts_without(one: Recorded, other: Recorded, rtol: float, rounding: Recorded | None) -> bool:
    """Whether the figures agree only since a rounding moves the original as far."""
    return rounding is not None and not all(item.agrees for item in figures(one, other, rtol, None))


def _told(figure: Figure) -> dict[str, object]:
    """A figure, for a message."""
    what = "losses" if figure.what == LOSS else "gradient norms"
    return {"what": what, "original": figure.original, "port": figure.port}


def _finding(
    severity: str, said: Text, site: Site | None = None, step: int | None = None, rule: str | None = None
) -> VerdictFinding:
    return finding(said, severity, site, count=1, steps=(step,) if step else (), rule=rule)


def _nothing(one: Recorded, other: Recorded, name: str) -> tuple[Parity, list[VerdictFinding]]:
    if one.steps:
        said = say("parity.port_trains_nothing", original=name, count=len(one.steps))
        return Parity("fail", name), [_finding("fail", said)]
    said = say("parity.original_trains_nothing", original=name)
    return Parity("error", name, is_idle=True), [_finding("fail", said)]


def _structure(one: Recorded, other: Recorded) -> Iterator[VerdictFinding]:
    """Do the optimizers hold the same parameters?"""
    mine, its = one.parameters(end=False), other.parameters(end=False)
    site = other.steps[0].site
    shapes, others = Counter(item.shape for item in mine), Counter(item.shape for item in its)
    if shapes == others:
        kinds = sorted({(a.dtype, b.dtype) for a, b in zip(mine, its, strict=True) if a.dtype != b.dtype})
        if kinds:
            was, now = kinds[0]
            yield _finding("fail", say("parity.dtypes", port=now, original=was), site, 1)
        return
    extra, missing = others - shapes, shapes - others
    differ = " and ".join(
        say.phrase(key, count=shapes.total(), shapes=_shapes(shapes))
        for key, shapes in (("more parameters", extra), ("fewer parameters", missing))
        if shapes
    )
    names = {"port": len(its), "original": len(mine), "differ": differ}
    if extra and not missing:
        said = say("parity.more_parameters", tied=_twin(its, extra) or say.phrase("maybe tied"), **names)
    else:
        said = say("parity.other_parameters", **names)
    yield _finding("fail", said, site, 1)


def _shapes(shapes: Counter[tuple[int, ...]]) -> str:
    return ", ".join(str(list(shape)) for shape in list(shapes)[:_NAMED])


def _twin(parameters: tuple[ParameterSeen, ...], extra: Counter[tuple[int, ...]]) -> str:
    """Two parameters of the port that begin with the same values: they were one."""
    for shape in extra:
        same = [item for item in parameters if item.shape == shape and item.norm]
        for at, item in enumerate(same):
            for other in same[at + 1 :]:
                if item.values == other.values:
                    return say.phrase("tied", one=_name(item), other=_name(other))
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
    said = say(
        "parity.initial",
        count=len(differ),
        names=_named(differ),
        draws=say.phrase("other draws") if draws else "",
    )
    yield _finding("fail", said, other.steps[0].site, 1)


def _without_gradient(one: Recorded, other: Recorded, parted: Figure | None) -> Iterator[VerdictFinding]:
    """Do as many parameters get a gradient as in the original?"""
    last = parted.step if parted else min(len(one.steps), len(other.steps))
    for mine, its in zip(one.steps[:last], other.steps[:last], strict=True):
        if its.with_gradient < mine.with_gradient:
            names = {"step": its.step, "parameters": its.parameters, "original": mine.with_gradient}
            if its.with_gradient:
                said = say("parity.fewer_gradients", port=its.with_gradient, **names)
                yield _finding("fail", said, its.site, its.step)
            else:
                yield _finding("fail", say("parity.no_gradients", **names), its.site, its.step, "XP203")
            return


def _uneven(one: Recorded, other: Recorded) -> tuple[int, VerdictFinding] | None:
    """The first step with another number of backward passes."""
    for step in range(1, min(len(one.steps), len(other.steps)) + 1):
        mine, its = len(one.losses_before(step)), len(other.losses_before(step))
        if mine != its:
            passes = "pass" if its == 1 else "passes"
            said = say("parity.passes", step=step, port=its, passes=passes, original=mine)
            return step, _finding("fail", said, other.site(step, LOSS), step)
    return None


def _parted(one: Recorded, other: Recorded, parted: Figure, all_figures: tuple[Figure, ...]) -> VerdictFinding:
    told, names = why(one, other, parted, all_figures), _told(parted)
    names["what"] = str(names["what"]).capitalize()
    said = say(
        "parity.differ",
        step=parted.step,
        apart=parted.apart,
        allowed=parted.allowed,
        why=told.message,
        recipe=told.recipe,
        **names,
    )
    return _finding("fail", said, other.site(parted.step, parted.what), parted.step)


def _other_masks(one: Recorded, other: Recorded, last: int) -> bool:
    """Whether the two drew other numbers with dropout on: padding alone, which is masked, makes larger masks."""
    on = any(event.what == "dropout" and event.detail == "on" for event in other.noticed)
    return on and other_draws(one, other, last) is not None


def _masks(
    one: Recorded, other: Recorded, parted: Figure, all_figures: tuple[Figure, ...], name: str
) -> tuple[Parity, list[VerdictFinding]]:
    site = next(event.site for event in other.noticed if event.what == "dropout")
    said = say("parity.dropout", step=parted.step, **_told(parted))
    found = [_finding("fail", said, site, parted.step)]
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
    # A weight whose gradient is 0 but for rounding moves at random under Adam: the third run has it, too.
    still = [
        theirs[at]
        for at in range(len(mine))
        if theirs[at].values == its[at].values and start[at].values != mine[at].values
        if not third or _keeps_its_way(start[at], mine[at], third[at])
    ]
    differ = [
        start[at]
        for at in range(len(mine))
        if distance(mine[at], its[at], start[at])
        > max(10 * rtol, 10 * distance(mine[at], third[at], start[at]) if third else 0.0)
        and theirs[at] not in still
    ]
    site = other.steps[-1].site
    if still:
        yield _finding("fail", say("parity.untrained", count=len(still), names=_named(still)), site)
    if differ:
        yield _finding("fail", say("parity.last_parameters", count=len(differ), names=_named(differ)), site)


def _keeps_its_way(start: ParameterSeen, mine: ParameterSeen, third: ParameterSeen) -> bool:
    """Whether a parameter goes where it went, with another rounding."""
    way = math.dist(start.values, mine.values)
    return len(third.values) != len(mine.values) or math.dist(mine.values, third.values) < way / 2


def _lengths(one: Recorded, other: Recorded) -> Iterator[VerdictFinding]:
    """Do both make as many steps?"""
    mine, its = len(one.steps), len(other.steps)
    if mine != its:
        last = other.steps[-1]
        yield _finding("fail", say("parity.lengths", original=mine, port=its), last.site, min(mine, its) + 1)


def _notes(
    one: Recorded, other: Recorded, all_figures: tuple[Figure, ...], amplified: bool
) -> Iterator[VerdictFinding]:
    """What limits the comparison."""
    for message in sorted(
        {event.message for run in (one, other) for event in run.trace.events if isinstance(event, Trouble)}
    ):
        yield _finding("note", say("parity.missed", message=message))
    if one.failure is not None:
        yield _finding("note", say("parity.original_ended", why=one.failure))
    draws = next((item for item in other.noticed if item.what == "device-draw"), None)
    if draws:
        yield _finding("note", say("parity.draws"), draws.site)
    norms = next((item for item in one.noticed if item.what == "batch-norm"), None)
    if norms:
        yield _finding("note", say("parity.batch_norm"), norms.site)
    lower = sorted({item.detail for item in one.noticed if item.what == "autocast"})
    if lower:
        site = next(item.site for item in one.noticed if item.what == "autocast")
        yield _finding("note", say("parity.float32", dtypes=", ".join(lower)), site)
    if amplified:
        far = max(all_figures, key=lambda item: item.apart)
        yield _finding("note", say("parity.rounding", apart=far.apart, what=far.what, step=far.step))
