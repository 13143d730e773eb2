"""How findings are spoken of: what a run did to them."""

from __future__ import annotations

from dataclasses import dataclass

from xlaport.config import SEVERAL_PROCESSES
from xlaport.finding import Applicability
from xlaport.result import ReportedFinding


@dataclass(frozen=True)
class View:
    """What differs between the reports of a check, a conversion and a diff."""

    fixed: str | None
    """The mark of a finding that has been fixed; None where such findings are not shown."""
    summary: str
    """What is said of all of them; takes ``{findings}`` and ``{files}``."""
    unsafe: bool
    written: bool = False
    """Whether the files are spoken of as they were written."""

    def mark(self, finding: ReportedFinding) -> str:
        """What became of a finding, or becomes of it, in a word or two."""
        if finding.is_possible:
            return "possible"
        if finding.fixed:
            return f"{self.fixed or 'fixed'}{'' if finding.applicability is Applicability.SAFE else ', unsafe'}"
        if self.waits(finding):
            return "--multi" if finding.code.startswith(SEVERAL_PROCESSES) else "--unsafe"
        # Something else was in the way of a fix, or the result would not have compiled.
        return "by hand" if finding.applicability is Applicability.MANUAL else "not fixed"

    def role(self, finding: ReportedFinding) -> str:
        """Which of them it is: fixed, waiting for an option, left, or possible."""
        if finding.is_possible:
            return "quiet"
        return "fixed" if finding.fixed else "waits" if self.waits(finding) else "left"

    def waits(self, finding: ReportedFinding) -> bool:
        """Whether a run with ``--unsafe`` would fix it."""
        return not finding.fixed and not self.unsafe and finding.applicability is Applicability.UNSAFE

    def is_left(self, finding: ReportedFinding) -> bool:
        """Whether it is left for a human."""
        return not finding.fixed and not finding.is_possible and not self.waits(finding)


def of_check(*, unsafe: bool) -> View:
    """What a conversion would find and do; nothing was written. `unsafe`: whether it would apply unsafe fixes too."""
    return View("fixable", "a conversion would fix {findings} in {files}", unsafe)


def of_convert(*, unsafe: bool) -> View:
    """What was found and what was written."""
    return View("fixed", "fixed {findings} in {files}", unsafe, written=True)


def of_diff(*, unsafe: bool) -> View:
    """What a diff itself does not show."""
    return View(None, "the diff fixes {findings} in {files}", unsafe)
