"""How many findings each rule has, and what is left of them: the end of a long report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xlaport.result import ReportedFinding


@dataclass(frozen=True)
class Total:
    """The findings of one rule."""

    code: str
    name: str
    fixed: int
    waiting: int
    """Those that ``--unsafe`` would fix."""
    left: int
    """Those that are left for a human."""


def totals(findings: Sequence[ReportedFinding], waits: Callable[[ReportedFinding], bool]) -> list[Total]:
    """The rules that found something; those with the most left for a human come first."""
    by_rule: dict[tuple[str, str], list[ReportedFinding]] = {}
    for finding in findings:
        by_rule.setdefault((finding.code, finding.name), []).append(finding)
    rows = []
    for (code, name), found in by_rule.items():
        fixed, waiting = sum(finding.fixed for finding in found), sum(map(waits, found))
        rows.append(Total(code, name, fixed, waiting, len(found) - fixed - waiting))
    return sorted(rows, key=lambda row: (-row.left, -row.waiting, -row.fixed, row.code))


def table(rows: Sequence[Total], fixed: str) -> Iterator[str]:
    """One line for each rule, below a line of heads. `fixed`: the head of what is fixed."""
    columns = [
        (head, figures)
        for head, figures in (
            ("left for you", [row.left for row in rows]),
            ("with --unsafe", [row.waiting for row in rows]),
            (fixed, [row.fixed for row in rows]),
        )
        if any(figures)
    ]
    width = max((len(row.name) for row in rows), default=0)
    yield "  ".join([" " * (width + 7), *(head for head, _ in columns)])
    for index, row in enumerate(rows):
        shown = (f"{figures[index] or '-':>{len(head)}}" for head, figures in columns)
        yield "  ".join([f"{row.code:<5}  {row.name:<{width}}", *shown])
