"""The findings for people: what was done, what ``--unsafe`` would do, and what is left for them.

By file, a line for each finding, those that are alike once; then what matters most, the totals, and the next command.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from xlaport.report import all_errors, hunks
from xlaport.report.findings_totals import table, totals
from xlaport.report.folding import Group, also, grouped
from xlaport.report.next_step import Asked, next_command, still_on_cpu, urgent
from xlaport.report.printable import count, printable
from xlaport.report.terminal import Detail, Look
from xlaport.report.view import View
from xlaport.result import FileResult, ReportedFinding, RunResult

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(
    run: RunResult,
    view: View,
    look: Look | None = None,
    asked: Asked | None = None,
    *,
    statistics: bool = False,
    known: int = 0,
) -> str:
    """The whole report. Of `asked` comes the next command; without it there is none.

    `statistics`: the findings of each rule are counted, too. `known`: how many findings a baseline has left out.
    """
    look = look or Look()
    blocks: list[list[RenderableType]] = []
    if look.detail is not Detail.SUMMARY:
        blocks += [[look.text("error", line) for line in still_on_cpu(run, view)]]
        blocks += _files(run, view, look)
    blocks += [[_error(error.path, error.message, look) for error in all_errors(run)]]
    if statistics and run.findings:
        blocks += [[table(totals(run.findings, view.waits), view.fixed)]]
    blocks += [list(_ending(run, view, look, asked, known))]
    return look.render(part for block in _spaced(blocks) for part in block)


def _spaced(blocks: Sequence[list[RenderableType]]) -> Iterator[list[RenderableType]]:
    """The blocks that are not empty, with an empty line between them."""
    for index, block in enumerate([block for block in blocks if block]):
        yield ["", *block] if index else block


def _files(run: RunResult, view: View, look: Look) -> Iterator[list[RenderableType]]:
    """One block for each file that has something to show."""
    from rich.table import Table

    for file, groups in grouped(run.files, view, fold=look.detail is Detail.FINDINGS):
        rows = Table.grid(padding=(0, 2, 0, 0))
        for _ in range(3):
            rows.add_column(no_wrap=True)
        rows.add_column(overflow="fold")
        evidence = _Evidence(file, view, look)
        for group in groups:
            told, role = group.told, view.role(group.finding)
            message = look.prose(printable(told.message))
            for note in told.notes if look.detail is Detail.FINDINGS else ():
                message.append_text(look.text("quiet", f"; {printable(note)}"))
            if others := also(group, view):
                message.append_text(look.text("quiet", f" ({others})"))
            rows.add_row(
                look.text("place", f"  {_place(told)}"),
                look.text("code", told.code),
                look.text(role, view.mark(group.finding)),
                message,
            )
            if look.detail is Detail.EVIDENCE:
                for part in evidence.of(group):
                    rows.add_row("", "", "", part)
        yield [look.text("path", printable(groups[0].told.path)), rows]


def _place(finding: ReportedFinding) -> str:
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    return f"{cell}{finding.line}:{finding.column}"


class _Evidence:
    """What is shown below the findings of a file: notes, recipes, and lines, as they are or as they become."""

    def __init__(self, file: FileResult, view: View, look: Look) -> None:
        self.file, self.view, self.look = file, view, look
        self._source = hunks.lines(file.after if view.written else file.before)
        self._changes = hunks.Changes(file)
        self._done: set[hunks.Hunk] = set()

    def of(self, group: Group) -> Iterator[RenderableType]:
        """All that belongs to one finding."""
        finding, told, look = group.finding, group.told, self.look
        yield from (look.text("quiet", f"note: {printable(note)}") for note in told.notes)
        yield from self._lines(finding, told)
        if finding.fixed:
            return
        if told.recipe:
            yield look.prose(printable(told.recipe))
        yield from (self._code(f"    {line}", "quiet") for line in told.snippet.splitlines())

    def _lines(self, finding: ReportedFinding, told: ReportedFinding) -> Iterator[RenderableType]:
        if finding.cell is not None:  # its line is one of its cell, not of the file
            cell = hunks.lines((self.file.cells or {}).get(finding.cell, ""))
            if not finding.fixed and finding.line <= len(cell):
                yield self._excerpt(finding.line, cell[finding.line - 1])
        elif finding.fixed or self.view.waits(finding):
            # What a fix among others has become; what one that waits would do.
            wanted = self._changes.of(finding) if finding.fixed else hunks.offer(self.file, finding)
            numbered = self._changes.now if self.view.written else None
            yield from self._rewrite([hunk for hunk in wanted if hunk not in self._done], numbered)
            self._done.update(wanted)
        elif told.line <= len(self._source):
            yield self._excerpt(told.line, self._source[told.line - 1])

    def _excerpt(self, number: int, line: str) -> RenderableType:
        return self._code(f"{number} | {line.strip()}", "quiet")

    def _rewrite(
        self, found: Sequence[hunks.Hunk], now: Callable[[int], int | None] | None
    ) -> Iterator[RenderableType]:
        """The lines that go, with their numbers, and those that come; with the line above those that are only added.

        `now` says where a line is in the file that was written.
        """
        rows: list[tuple[int | None, str, str]] = []
        last = 1
        for hunk in found:
            if not hunk.removed and hunk.start > last:
                rows.append((hunk.start - 1, " ", self._changes.before[hunk.start - 2]))
            rows += hunk.rows()
            last = hunk.end
        if now is not None:
            rows = [(now(number) if number is not None else None, sign, text) for number, sign, text in rows]
        texts = textwrap.dedent("\n".join(text for _, _, text in rows)).split("\n")
        width = max((len(str(number)) for number, _, _ in rows if number is not None), default=0)
        for (number, sign, _), text in zip(rows[:_ROWS], texts, strict=False):
            yield self._code(f"{number or '':>{width}}{' ' * bool(width)}{sign} {text}", sign)
        if len(rows) > _ROWS:
            yield self._code(f"… {count(len(rows) - _ROWS, 'more line')} (--diff shows all)", "quiet")

    def _code(self, line: str, role: str) -> RenderableType:
        text = self.look.text(role, printable(line))
        text.no_wrap, text.overflow = True, "ellipsis"
        return text


_ROWS = 8
"""Lines of a rewrite that are shown."""


def _error(path: str, message: str, look: Look) -> RenderableType:
    text = look.text("error", "error: ").append_text(look.text("place", f"{printable(path)}: {printable(message)}"))
    text.no_wrap, text.overflow = True, "ignore"  # one line, which scripts look for
    return text


def _ending(run: RunResult, view: View, look: Look, asked: Asked | None, known: int) -> Iterator[RenderableType]:
    """What matters most, the totals, and what to do next."""
    worst = urgent(run, view) if look.detail is not Detail.SUMMARY else ""
    if worst:
        yield look.prose(worst)
    yield summary(run, view, known)
    command = next_command(run, view, asked) if asked is not None else None
    if command and look.detail is not Detail.SUMMARY:
        text = look.text("next", f"next: {command}")
        text.no_wrap, text.overflow = True, "ignore"  # to be copied: on one line
        yield text


def summary(run: RunResult, view: View, known: int = 0) -> str:
    """All that was found, in one line."""
    errors = len(all_errors(run))
    findings = run.findings
    fixed = [finding for finding in findings if finding.fixed]
    waiting = sum(map(view.waits, findings))
    left = sum(map(view.is_left, findings))
    parts = []
    if fixed:
        files = count(len({finding.path for finding in fixed}), "file")
        parts.append(view.summary.format(findings=count(len(fixed), "finding"), files=files))
    if waiting:
        parts.append(f"{waiting} {'more ' if fixed else ''}with --unsafe")
    if left:
        parts.append(f"{left} left for you")
    certain = any(not finding.is_possible for finding in findings)
    if not certain:
        seen = {"Python file": run.seen - run.notebooks, "notebook": run.notebooks}
        looked_at = [count(number, what) for what, number in seen.items() if number]
        what = "nothing new" if known else "nothing certain" if run.possible else "nothing to port"
        parts.append(f"{what} in {' and '.join(looked_at) or count(0, 'Python file')}")
    if run.possible:
        shown = any(finding.is_possible for finding in findings)
        hint = f" (--possible shows {'it' if len(run.possible) == 1 else 'them'})"
        parts.append(f"{len(run.possible)} possible{'' if shown else hint}")
    if known:
        parts.append(f"{known} in the baseline")
    if errors:
        parts.append(count(errors, "error"))
    line = "; ".join(parts)
    return f"{line[0].upper()}{line[1:]}."
