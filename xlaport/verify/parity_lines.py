"""Do both print the same, and write the same lines into files? Their numbers are compared, line by line.

Lines are matched by their texts, those of one text in their order: a port may print a line of another kind earlier or
later. What only the port prints is its own affair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlaport.verify.events import End, LineSeen, Trace
from xlaport.verify.parity_noise import Noise
from xlaport.verify.parity_numbers import Place
from xlaport.verify.parity_text import Line, is_of_the_machine, parsed
from xlaport.verify.saying import say
from xlaport.verify.verdict import VerdictFinding, finding

_SHOWN = 60
"""Characters of a line that a message shows."""
_LATE = 2
"""So many lines may be missing where a run was ended: a port may print later than its original."""


@dataclass(frozen=True)
class Printed:
    """A line, where it was printed and after how many optimizer steps."""

    line: Line
    seen: LineSeen


Key = tuple[str, str]
"""The file that lines are written into, empty for what is printed, and their text."""


def lines_of(trace: Trace) -> dict[Key, list[Printed]]:
    """The lines of a run by file and text."""
    found: dict[Key, list[Printed]] = {}
    for event in trace.events:
        line = parsed(event.text) if isinstance(event, LineSeen) else None
        if isinstance(event, LineSeen) and line is not None and line.numbers:
            found.setdefault((event.path, line.text), []).append(Printed(line, event))
    return found


def is_cut(*traces: Trace) -> bool:
    """Whether one of the runs was ended after its steps."""
    return any(isinstance(event, End) and event.reason == "steps" for trace in traces for event in trace.events)


def different_lines(original: Trace, port: Trace, noise: Noise, rounding: Trace | None) -> Iterator[VerdictFinding]:
    """The first number of each line of the source that differs, and the lines that the port does not print."""
    mine, its = lines_of(original), lines_of(port)
    third = lines_of(rounding) if rounding else None
    told: set[tuple[str, int]] = set()
    for key, lines in mine.items():
        again = third.get(key, []) if third is not None else None
        others = its.get(key, [])
        if again is not None and len(again) != len(lines):  # no two runs of the original print as many of these
            continue
        found = _missing(lines, others, is_cut(original, port)) or _first(lines, others, again, noise)
        if found is None:
            continue
        place = (found.path or "", found.line or 0)
        if place not in told:
            told.add(place)
            yield found


def _first(
    lines: Sequence[Printed], others: Sequence[Printed], again: Sequence[Printed] | None, noise: Noise
) -> VerdictFinding | None:
    steps = [item.seen.step for item in lines]
    for at in range(len(lines[0].line.numbers)):
        moved = None if again is None else [item.line.numbers[at] for item in again]
        place = Place([item.line.numbers[at] for item in lines], steps, moved, noise)
        if place.is_skipped:
            continue
        for time, (one, other) in enumerate(zip(lines, others, strict=False)):
            if not place.agrees(time, other.line.numbers[at]):
                said = say(
                    "parity.written" if one.seen.path else "parity.printed",
                    original=f"{one.line.numbers[at].value:.10g}",
                    port=f"{other.line.numbers[at].value:.10g}",
                    step=one.seen.step,
                    line=short(one.seen.text),
                    path=one.seen.path,
                )
                return finding(said, "fail", other.seen.site, count=1)
    return None


def _missing(lines: Sequence[Printed], others: Sequence[Printed], cut: bool) -> VerdictFinding | None:
    """Results that the port prints less often, or more often, than the original."""
    first = lines[0]
    if len(lines) == len(others) or not first.line.measures or is_of_the_machine(first.line.text):
        return None
    if cut and abs(len(lines) - len(others)) <= _LATE:
        return None
    said = say(
        "parity.written_lines" if first.seen.path else "parity.printed_lines",
        original=len(lines),
        port=len(others),
        line=short(first.seen.text),
        path=first.seen.path,
    )
    return finding(said, "fail", others[0].seen.site if others else first.seen.site, count=1)


def short(text: str) -> str:
    """A line as a message shows it."""
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
