"""Which files of a port take most work: points, not hours, by counts that anybody can check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xlaport.result import ReportedFinding, RunResult

FIRST = 3
"""Points of the first finding of a rule that is left for a human in a file: the advice has to be understood."""
AGAIN = 1
"""Points of each further one of the same rule in the file."""
REVIEW = 1
"""Points of each fix that may change values: somebody has to look whether it may."""

EXPLANATION = (
    "Effort is counted in points, to say which file to open first; they are no hours. In each file, "
    f"{FIRST} for the first finding of a rule that is left for you, {AGAIN} for each further one of the same rule, "
    f"{REVIEW} for each fix of --unsafe, which has to be looked at, applied or not; nothing for safe fixes."
)


@dataclass(frozen=True)
class FileEffort:
    """What is done and left in one file."""

    path: str
    done: int
    unsafe: int
    """Fixes that may change values, applied or waiting."""
    left: int
    rules: tuple[str, ...]
    """The codes of the rules with something left for a human."""

    @property
    def points(self) -> int:
        """See `EXPLANATION`."""
        return FIRST * len(self.rules) + AGAIN * (self.left - len(self.rules)) + REVIEW * self.unsafe


def by_file(
    run: RunResult, is_left: Callable[[ReportedFinding], bool], is_unsafe: Callable[[ReportedFinding], bool]
) -> list[FileEffort]:
    """The files with findings, those with most points first."""
    by_path: dict[str, list[ReportedFinding]] = {}
    for finding in run.findings:
        by_path.setdefault(finding.path, []).append(finding)
    rows = [_of_file(path, found, is_left, is_unsafe) for path, found in by_path.items()]
    return sorted(rows, key=lambda row: (-row.points, -row.done, row.path))


def _of_file(
    path: str,
    findings: Sequence[ReportedFinding],
    is_left: Callable[[ReportedFinding], bool],
    is_unsafe: Callable[[ReportedFinding], bool],
) -> FileEffort:
    left = [finding for finding in findings if is_left(finding)]
    return FileEffort(
        path,
        sum(finding.fixed for finding in findings),
        sum(map(is_unsafe, findings)),
        len(left),
        tuple(sorted({finding.code for finding in left})),
    )
