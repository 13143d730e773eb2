"""The growth of compiles, transfers and executions over the steps, as one SVG of three panels."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlaport.report.markup import Markup, element, join
from xlaport.report.saying import say
from xlaport.verify.verdict import Loop, Verdict

_LEFT, _RIGHT, _WIDTH = 56, 16, 920
_STRIP = 34
"""Height of the strip on top, which shows the loops."""
_FIRST, _PANEL, _GAP, _BOTTOM = 56, 92, 40, 38
_COLUMNS = 400
"""Columns that are drawn, at most: of a longer run, several steps share one."""
LOOP_COLORS = 6


@dataclass(frozen=True)
class _Curve:
    name: str
    unit: str
    style: str
    wish: str
    per_step: tuple[int, ...]


def chart(verdict: Verdict, labels: Sequence[str]) -> Markup | None:
    """The chart with its legend and its figures; `labels` name the loops. `None` where no step was seen."""
    count = verdict.steps
    if not count:
        return None
    curves = (
        _Curve(
            f"{say.phrase('graphs')} compiled",
            "compiled",
            "compiles",
            "should stay level after the warm-up",
            _of(verdict.compiles.per_step, count),
        ),
        _Curve(
            "device-to-host transfers",
            "transferred",
            "transfers",
            "should rise seldom: when you log",
            _of(verdict.transfers.per_step, count),
        ),
        _Curve(
            f"{say.phrase('graphs')} executed",
            "executed",
            "executions",
            say.phrase("rises by one"),
            _of(verdict.executions.per_step, count),
        ),
    )
    columns = _columns(count)
    loops = _loops_of(columns, _loop_of(verdict.details.loops, count))
    height = _FIRST + len(curves) * (_PANEL + _GAP) - _GAP + _BOTTOM
    drawing = element(
        "svg",
        *_warmups(verdict.details.loops, count, height),
        *_strip(loops, labels, columns, count),
        *itertools.chain.from_iterable(
            _panel(curve, top, columns, count) for curve, top in zip(curves, _tops(), strict=False)
        ),
        *_axis(count, height),
        element("line", class_="cursor", y1=_STRIP, y2=height - _BOTTOM, x1=-10, x2=-10),
        *_hovers(curves, loops, labels, columns, count, height),
        viewBox=f"0 0 {_WIDTH} {height}",
        role="img",
        aria_label="Cumulative counts over the steps: " + ", ".join(f"{sum(c.per_step)} {c.name}" for c in curves),
    )
    return element(
        "figure",
        element("div", drawing, class_="scroll"),
        element("div", "", class_="tip", hidden="hidden"),
        _legend(verdict.details.loops, labels),
        _figures(curves, loops, labels, columns),
        class_="chart",
    )


def _of(per_step: tuple[int, ...], count: int) -> tuple[int, ...]:
    return (*per_step, *(0 for _ in range(count - len(per_step))))[:count]


def _tops() -> Iterator[int]:
    return itertools.count(_FIRST, _PANEL + _GAP)


def _columns(count: int) -> list[tuple[int, int]]:
    """First and last step (from 1) of each column."""
    size = math.ceil(count / _COLUMNS)
    return [(start, min(count, start + size - 1)) for start in range(1, count + 1, size)]


def _loop_of(loops: Sequence[Loop], count: int) -> list[int | None]:
    """For each step the number of its loop."""
    found: list[int | None] = [None] * count
    for number, loop in enumerate(loops):
        for step in loop.steps:
            if step <= count:
                found[step - 1] = number
    return found


def _loops_of(columns: Sequence[tuple[int, int]], loops: Sequence[int | None]) -> list[int | None]:
    """For each column the loop of most of its steps."""
    return [Counter(loops[first - 1 : last]).most_common(1)[0][0] for first, last in columns]


def _x(step: float, count: int) -> float:
    """Where a step ends; step 0 is the left edge."""
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * step / count


def _strip(
    loops: Sequence[int | None], labels: Sequence[str], columns: Sequence[tuple[int, int]], count: int
) -> Iterator[Markup]:
    start = 0
    for loop, group in itertools.groupby(loops):
        end = start + len(list(group))
        if loop is not None:
            left, right = _x(columns[start][0] - 1, count), _x(columns[end - 1][1], count)
            yield element(
                "rect",
                x=left,
                y=4,
                width=max(0.5, right - left - 1),
                height=18,
                rx=3,
                class_=f"loop loop{loop % LOOP_COLORS}",
            )
            # The whole name where there is room for it, else its first word.
            fitting = (
                label for label in (labels[loop], labels[loop].split(" ")[0]) if right - left > 6 * len(label) + 12
            )
            if label := next(fitting, None):
                yield element("text", label, x=left + 6, y=17, class_="band")
        start = end


def _warmups(loops: Sequence[Loop], count: int, height: int) -> Iterator[Markup]:
    """The steps in which a loop may still compile, shaded."""
    warm = sorted(step for loop in loops for step in loop.steps[: loop.warmup])
    top = _STRIP - 8
    for index, (first, last) in enumerate(_runs(warm)):
        left, right = _x(first - 1, count), _x(last, count)
        yield element("rect", x=left, y=top, width=right - left, height=height - _BOTTOM - top, class_="warm")
        if index == 0:
            yield element("text", "warm-up", x=left, y=height - 6, class_="small")


def _runs(steps: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of each row of neighbours."""
    first = last = None
    for step in steps:
        if last is not None and first is not None and step == last + 1:
            last = step
            continue
        if first is not None and last is not None:
            yield first, last
        first = last = step
    if first is not None and last is not None:
        yield first, last


def _panel(curve: _Curve, top: int, columns: Sequence[tuple[int, int]], count: int) -> Iterator[Markup]:
    sums = [0, *itertools.accumulate(curve.per_step)]
    highest = max(sums[-1], 1)

    def y(value: int) -> float:
        return top + _PANEL - _PANEL * value / highest

    yield element(
        "text",
        f"{sums[-1]} {curve.name}",
        element("tspan", f": {curve.wish}", class_="wish"),
        x=_LEFT,
        y=top - 7,
        class_="title",
    )
    for value in sorted({0, highest // 2, highest} if highest > 1 else {0, highest}):
        yield element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y(value), y2=y(value), class_="grid")
        yield element("text", str(value), x=_LEFT - 6, y=y(value) + 4, class_="tick end")
    path = [f"M{_LEFT} {y(0):.1f}"]
    for first, last in columns:
        path.append(f"H{_x(first - 0.5 if first == last else first, count):.1f}V{y(sums[last]):.1f}")
    path.append(f"H{_WIDTH - _RIGHT}")
    yield element("path", d="".join(path), class_=f"curve {curve.style}")


def _axis(count: int, height: int) -> Iterator[Markup]:
    for step in _ticks(count):
        yield element("text", str(step), x=_x(step - 0.5, count), y=height - _BOTTOM + 16, class_="tick middle")
    yield element("text", "step", x=_WIDTH - _RIGHT, y=height - 4, class_="tick end")


def _ticks(count: int) -> list[int]:
    rough = max(1, count / 10)
    power = 10 ** math.floor(math.log10(rough))
    size = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return sorted({1, *range(size, count + 1, size)})


def _in_words(curves: Sequence[_Curve], column: tuple[int, int], label: str) -> str:
    first, last = column
    steps = f"step {first}" if first == last else f"steps {first}-{last}"
    counts = (f"{sum(c.per_step[:last])} {c.unit} (+{sum(c.per_step[first - 1 : last])})" for c in curves)
    return f"{steps}{label} · " + " · ".join(counts)


def _hovers(
    curves: Sequence[_Curve],
    loops: Sequence[int | None],
    labels: Sequence[str],
    columns: Sequence[tuple[int, int]],
    count: int,
    height: int,
) -> Iterator[Markup]:
    """One transparent column for each step: the browser shows its title, the script a better tooltip."""
    for (first, last), loop in zip(columns, loops, strict=True):
        words = _in_words(curves, (first, last), "" if loop is None else f" of {labels[loop]}")
        left, right = _x(first - 1, count), _x(last, count)
        yield element(
            "rect",
            element("title", words),
            x=left,
            y=0,
            width=right - left,
            height=height - _BOTTOM,
            class_="hit",
            data_tip=words,
        )


def _legend(loops: Sequence[Loop], labels: Sequence[str]) -> Markup:
    entries = [
        element(
            "li",
            element("span", "", class_=f"key loop{number % LOOP_COLORS}"),
            f"{label}: {len(loop.steps)} steps, {loop.warmup} of them warm-up" + (", trains" if loop.trains else ""),
        )
        for number, (loop, label) in enumerate(zip(loops, labels, strict=True))
    ]
    return element(
        "ul",
        *entries,
        element("li", element("span", "", class_="key warm"), "warm-up: compiles here are normal"),
        class_="legend",
    )


def _figures(
    curves: Sequence[_Curve], loops: Sequence[int | None], labels: Sequence[str], columns: Sequence[tuple[int, int]]
) -> Markup:
    """The same as a table, for those who read figures, or have no pointer."""
    heads = ("step", "loop", *(curve.name for curve in curves))
    rows = []
    for (first, last), loop in zip(columns, loops, strict=True):
        cells = [str(first) if first == last else f"{first}-{last}", "" if loop is None else labels[loop]]
        cells += [str(sum(curve.per_step[first - 1 : last])) for curve in curves]
        rows.append(element("tr", *(element("td", cell) for cell in cells)))
    return element(
        "details",
        element("summary", "The figures, step by step"),
        element(
            "div",
            element(
                "table",
                element("thead", element("tr", *(element("th", head) for head in heads))),
                element("tbody", join(rows)),
            ),
            class_="scroll",
        ),
    )
