"""How findings are spoken of: what a run did to them, and in which colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xlaport.config import SEVERAL_PROCESSES
from xlaport.result import ReportedFinding
from xlaport.rule import Applicability

# Seven escape sequences are not worth the import of a library at every start.
_COLORS: Mapping[str, str] = {
    "place": "1",
    "code": "36",
    "safe": "32",
    "unsafe": "33",
    "manual": "35",
    "quiet": "2",
    " ": "2",
    "-": "31",
    "+": "32",
    "error": "1;31",
}


@dataclass(frozen=True)
class View:
    """What differs between the reports of a check, a conversion and a diff."""

    fixed: str | None
    """The mark of a finding that has been fixed; None where such findings are not shown."""
    summary: str
    """What is said of all of them; takes ``{findings}`` and ``{files}``."""
    head: str
    """What stands above their numbers."""
    unsafe: bool
    color: bool
    written: bool = False
    """Whether the files are spoken of as they were written."""

    def paint(self, role: str, text: str) -> str:
        """`text`, looking like what it is."""
        return f"\033[{_COLORS[role]}m{text}\033[0m" if self.color else text

    def mark(self, finding: ReportedFinding) -> str | None:
        """What became of a finding."""
        if finding.fixed:
            return self.fixed
        if self.waits(finding):
            return f"with {'--multi or ' if finding.code.startswith(SEVERAL_PROCESSES) else ''}--unsafe"
        # Something else was in the way, or the result would not have compiled.
        return None if finding.applicability is Applicability.MANUAL else "not fixed"

    def waits(self, finding: ReportedFinding) -> bool:
        """Whether a run with ``--unsafe`` would fix it."""
        return not finding.fixed and not self.unsafe and finding.applicability is Applicability.UNSAFE


def of_check(*, unsafe: bool, color: bool = False) -> View:
    """What a conversion would find and do; nothing was written. `unsafe`: whether it would apply unsafe fixes too."""
    return View("a conversion fixes it", "a conversion would fix {findings} in {files}", "fixable", unsafe, color)


def of_convert(*, unsafe: bool, color: bool = False) -> View:
    """What was found and what was written."""
    return View("fixed", "fixed {findings} in {files}", "fixed", unsafe, color, written=True)


def of_diff(*, unsafe: bool, color: bool = False) -> View:
    """What a diff itself does not show."""
    return View(None, "the diff fixes {findings} in {files}", "in the diff", unsafe, color)
