"""Where findings stand in the text that a conversion has written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from xlaport import project
from xlaport.report.hunks import Changes, Hunk
from xlaport.result import FileResult, ReportedFinding

_LINE = re.compile(r"\b(lines?) (\d+)\b(?! of )")
"""The line of the same file in a message; ``line 3 of model.py`` is one of another."""

_ALIKE = 0.4
"""So much of a line that moved and was rewritten is the same: ``model.cuda()``, ``model.to(device)``."""


class Places:
    """The lines of a file, and where they are after its conversion."""

    def __init__(self, file: FileResult) -> None:
        self.file = file
        self._changes = Changes(file)
        self._known: dict[int, int] = {}

    def line(self, line: int) -> int:
        """Where a line (from 1) is now; of one that is no more, what came in its place, or where it was."""
        if line not in self._known:
            self._known[line] = self._found(line)
        return self._known[line]

    def finding(self, finding: ReportedFinding) -> ReportedFinding:
        """A finding as it is told of the file that was written: its path, its lines, and those that it speaks of."""
        place = self.file.place
        path = finding.path if place is None or place == self.file.path else project.display_path(place)
        if finding.cell is not None or not self.file.changed:
            return replace(finding, path=path)
        return replace(
            finding,
            path=path,
            message=self._renumbered(finding.message),
            recipe=self._renumbered(finding.recipe),
            notes=tuple(map(self._renumbered, finding.notes)),
            line=self.line(finding.line),
            column=max(1, finding.column + self._shift(finding.line)),
            end_line=max(self.line(finding.line), self.line(finding.end_line)),
            end_column=max(1, finding.end_column + self._shift(finding.end_line)),
        )

    def _renumbered(self, text: str) -> str:
        return _LINE.sub(lambda found: f"{found[1]} {self.line(int(found[2]))}", text)

    def _shift(self, line: int) -> int:
        """By how much further in a line begins now, say where the `if` around it is gone."""
        now = self.line(line)
        if max(line - len(self._changes.before), now - len(self._changes.after)) > 0:
            return 0
        return _indent(self._changes.after[now - 1]) - _indent(self._changes.before[line - 1])

    def _found(self, line: int) -> int:
        if not self.file.changed or line > len(self._changes.before):
            return line
        same = self._changes.now(line)
        if same is not None:
            return same
        text = self._changes.before[line - 1].strip()
        own = [(start, hunk) for start, hunk in self._hunks() if hunk.start <= line < hunk.end]
        start, hunk = own[0]
        moved = [s + i for s, h in self._hunks() for i, added in enumerate(h.added) if text and added.strip() == text]
        if moved:
            return min(moved, key=lambda at: abs(at - start))
        near = [(start + i, added) for i, added in enumerate(hunk.added)]
        everywhere = [(s + i, added) for s, h in self._hunks() for i, added in enumerate(h.added)]
        for candidates, least in ((near, 0.0), (everywhere, _ALIKE)):
            alike = [(SequenceMatcher(None, text, added.strip()).ratio(), -at) for at, added in candidates]
            if alike and max(alike)[0] >= least:
                return -max(alike)[1]
        return max(1, min(start, len(self._changes.after)))

    def _hunks(self) -> Iterator[tuple[int, Hunk]]:
        """The changes, with the line at which each begins now."""
        moved = 0
        for hunk in self._changes.hunks:
            yield hunk.start + moved, hunk
            moved += len(hunk.added) - len(hunk.removed)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
