"""Do both print and save the same? What training that agrees does not show: metrics, evaluations, checkpoints."""

from __future__ import annotations

from collections.abc import Sequence

from xlaport.verify.events import FileSeen, Trace
from xlaport.verify.parity_figures import Recorded, figures
from xlaport.verify.parity_lines import different_lines, lines_of
from xlaport.verify.parity_noise import Noise
from xlaport.verify.parity_saved import different_files
from xlaport.verify.verdict import Figure, VerdictFinding


def different_outputs(
    one: Recorded, other: Recorded, all_figures: Sequence[Figure], rtol: float, rounding: Recorded | None
) -> list[VerdictFinding]:
    """What the two print and save otherwise, the original first; see `parity.compare`."""
    carried = figures(one, rounding, rtol, None) if rounding else ()
    noise = Noise(all_figures, carried, one, other, rounding)
    third = rounding.trace if rounding else None
    return [
        *different_lines(one.trace, other.trace, noise, third),
        *different_files(one.trace, other.trace, noise, third),
    ]


def outputs_of(trace: Trace) -> tuple[int, int]:
    """How many lines with numbers a run has printed or written, and how many files of values it has saved."""
    lines = sum(map(len, lines_of(trace).values()))
    return lines, sum(isinstance(event, FileSeen) and event.how == "values" for event in trace.events)
