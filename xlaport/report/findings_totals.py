"""How many findings each rule has, and what is left of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xlaport.result import ReportedFinding

if TYPE_CHECKING:
    from rich.table import Table


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
    for finding in (finding for finding in findings if not finding.is_possible):
        by_rule.setdefault((finding.code, finding.name), []).append(finding)
    rows = []
    for (code, name), found in by_rule.items():
        fixed, waiting = sum(finding.fixed for finding in found), sum(map(waits, found))
        rows.append(Total(code, name, fixed, waiting, len(found) - fixed - waiting))
    return sorted(rows, key=lambda row: (-row.left, -row.waiting, -row.fixed, row.code))


def table(rows: Sequence[Total], fixed: str | None) -> Table:
    """One line for each rule, below a line of heads. `fixed`: the head of what is fixed."""
    from rich.table import Table

    columns = [
        (head, figures)
        for head, figures in (
            ("left for you", [row.left for row in rows]),
            ("with --unsafe", [row.waiting for row in rows]),
            (fixed or "in the diff", [row.fixed for row in rows]),
        )
        if any(figures)
    ]
    shown = Table(box=None, pad_edge=False, header_style="", padding=(0, 2, 0, 0))
    shown.add_column("rule")
    shown.add_column("")
    for head, _ in columns:
        shown.add_column(head, justify="right")
    for index, row in enumerate(rows):
        shown.add_row(row.code, row.name, *(str(figures[index] or "-") for _, figures in columns))
    return shown
