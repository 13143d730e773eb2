"""Where neither run trains: do both print and save the same, once a model has run?

What a script that only infers comes to is what it shows: its lines, word by word, with their numbers, and its files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from xlaport.verify.events import RAN, LineSeen, Noticed, Trace
from xlaport.verify.parity_figures import Recorded
from xlaport.verify.parity_lines import Key, short
from xlaport.verify.parity_outputs import different_outputs, outputs_of
from xlaport.verify.parity_text import is_of_the_machine, parsed
from xlaport.verify.saying import say
from xlaport.verify.verdict import Parity, VerdictFinding, finding


def compare_idle(
    one: Recorded, other: Recorded, rtol: float, name: str, rounding: Recorded | None
) -> tuple[Parity, list[VerdictFinding]]:
    """The comparison of two runs that train nothing, and what it found; see `parity.compare`."""
    results = _results(one.trace)
    lines, files = len(_texts(results)), outputs_of(results)[1]
    if not lines and not files:
        return Parity("error", name, is_idle=True), [finding(say("parity.neither_trains"), "fail")]
    found = [
        *_different_texts(one.trace, other.trace, rounding.trace if rounding else None),
        *different_outputs(one, other, (), rtol, rounding),
    ]
    fails = any(item.severity == "fail" for item in found)
    alike = (0, 0) if fails else (lines, files)
    return Parity("fail" if fails else "pass", name, 0, None, (), *alike, is_idle=True), found


def _results(trace: Trace) -> Trace:
    """What came since a model has first run."""
    events = iter(trace.events)
    any(isinstance(event, Noticed) and event.what == RAN for event in events)
    return replace(trace, events=tuple(events))


def _texts(trace: Trace) -> dict[Key, list[LineSeen]]:
    """The lines by file and text, but for those that speak of the machine, or of the time."""
    found: dict[Key, list[LineSeen]] = {}
    for event in trace.events:
        line = parsed(event.text) if isinstance(event, LineSeen) else None
        if not isinstance(event, LineSeen) or line is None or is_of_the_machine(line.text):
            continue
        if not any(number.clock for number in line.numbers):
            found.setdefault((event.path, line.text), []).append(event)
    return found


def _different_texts(original: Trace, port: Trace, rounding: Trace | None) -> Iterator[VerdictFinding]:
    """The first line that the port has more seldom, of those that each run of the original has."""
    its = Counter({key: len(lines) for key, lines in _texts(port).items()})
    again = _texts(rounding) if rounding is not None else None
    for key, lines in _texts(_results(original)).items():
        is_sure = again is None or len(again.get(key, ())) >= len(lines)
        if is_sure and its[key] < len(lines):
            said = say("parity.printed_text", line=short(lines[0].text))
            yield finding(said, "fail", lines[0].site, count=1)
            return
