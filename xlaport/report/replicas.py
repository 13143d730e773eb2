"""The replicas of a distributed program in the reports: one row for those that did the same."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.report.saying import say
from xlaport.verify.verdict import Replica, Verdict

HEADS = ("replica", "verdict", "steps", "compiles", "after warm-up", "executions", "transfers")


def said(verdict: Verdict) -> str:
    """How many replicas ran, and how, in a sentence or two."""
    ran, count = len(verdict.replicas), max(item.count for item in verdict.replicas)
    text = say.phrase("all replicas" if ran == count else "some replicas", ran=ran, count=count)
    text += say.phrase("played") if any(item.played for item in verdict.replicas) else ""
    return text + say.phrase("figures of", ordinal=_shown(verdict).ordinal)


def _shown(verdict: Verdict) -> Replica:
    """The replica whose figures are those of the verdict."""
    return next((item for item in verdict.replicas if _figures(item) == _figures(verdict)), verdict.replicas[0])


def _figures(judged: Replica | Verdict) -> tuple[object, ...]:
    return judged.steps, judged.warmup, judged.compiles, judged.executions, judged.transfers


def rows(verdict: Verdict) -> list[tuple[str, ...]]:
    """A row for each replica, in the order of `HEADS`; neighbours that did the same have one together."""
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for item in verdict.replicas:
        figures = (
            item.verdict,
            str(item.steps),
            str(item.compiles.total),
            str(item.compiles.after_warmup),
            str(sum(item.executions.per_step)),
            str(item.transfers.total),
        )
        if found and found[-1][2] == figures and found[-1][1] == item.ordinal - 1:
            found[-1] = found[-1][0], item.ordinal, figures
        else:
            found.append((item.ordinal, item.ordinal, figures))
    return [(f"{first}-{last}" if last > first else str(first), *figures) for first, last, figures in found]


def as_lines(verdict: Verdict, most: int = 8) -> Iterator[str]:
    """What the text says of them; nothing for a program of one process."""
    if not verdict.replicas:
        return
    yield said(verdict)
    table = [HEADS, *rows(verdict)]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADS))]
    for row in table[: most + 1]:
        yield "  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
    if len(table) > most + 1:
        yield f"  … and {len(table) - most - 1} more rows: --output-format json lists all replicas"
