"""The findings for people: what was done, what ``--unsafe`` would do, and what is left for them.

One function for each thing that a run can be: a check, a conversion, a diff. A finding counts as fixed if
the new text has its fix, written or not. `unsafe` says whether the run applied unsafe fixes too.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence

from xlaport.report import all_errors, hunks
from xlaport.report.findings_totals import Total, table, totals
from xlaport.report.headline import headline
from xlaport.report.places import Places
from xlaport.report.view import View, of_check, of_convert, of_diff
from xlaport.result import FileResult, ReportedFinding, RunResult


def render_check(run: RunResult, *, unsafe: bool = False, color: bool = False) -> str:
    """What a conversion would find and do; nothing was written."""
    return _render(run, of_check(unsafe=unsafe, color=color))


def render_convert(run: RunResult, *, unsafe: bool = False, color: bool = False) -> str:
    """What was found and what was written."""
    return _render(run, of_convert(unsafe=unsafe, color=color))


def render_diff_notes(run: RunResult, *, unsafe: bool = False, color: bool = False) -> str:
    """What the diff itself does not show, to be printed beside it: what is left, the errors, the totals."""
    return _render(run, of_diff(unsafe=unsafe, color=color))


def _render(run: RunResult, view: View) -> str:
    """The blocks of lines, with an empty line between them."""
    blocks = [*_findings(run, view), *_ending(run, view)]
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _findings(run: RunResult, view: View) -> Iterator[list[str]]:
    """One block for each file that has something to show."""
    said: dict[tuple[str, str], ReportedFinding] = {}
    for file in run.files:
        block = list(_of_file(file, view, said))
        if block:
            yield block


def _of_file(file: FileResult, view: View, said: dict[tuple[str, str], ReportedFinding]) -> Iterator[str]:
    """What is shown of a file. What was `said` in full is not said twice; its places are."""
    shown = [finding for finding in file.findings if not finding.fixed or view.fixed is not None]
    source = hunks.lines(file.after if view.written else file.before) if shown else []
    changes, places = hunks.Changes(file), Places(file)
    done: set[hunks.Hunk] = set()
    for finding in shown:
        told = places.finding(finding) if view.written else finding
        first = said.setdefault((told.code, finding.message), told)
        yield from _finding(told, view, None if first is told else first)
        if finding.cell is not None:  # its line is one of its cell, not of the file
            cell = hunks.lines((file.cells or {}).get(finding.cell, ""))
            if not finding.fixed and not view.waits(finding) and finding.line <= len(cell):
                yield _excerpt(finding.line, cell[finding.line - 1], view)
            continue
        if finding.fixed or view.waits(finding):
            if first is told:
                # What a fix among others has become; what one that waits would do.
                wanted = changes.of(finding) if finding.fixed else hunks.offer(file, finding)
                numbered = changes.now if view.written else None
                yield from _rewrite([hunk for hunk in wanted if hunk not in done], changes.before, view, numbered)
                done.update(wanted)
        elif told.line <= len(source):
            yield _excerpt(told.line, source[told.line - 1], view)


def _finding(finding: ReportedFinding, view: View, first: ReportedFinding | None) -> Iterator[str]:
    """One finding; where `first` says the same, its beginning, and where that is."""
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    kind = finding.applicability.value
    mark = view.mark(finding)
    message, *others = map(printable, finding.message.splitlines() or [""])
    short = printable(headline(finding.message))
    if first is not None and len(short) + _SAVED < len(message):
        in_cell = f" of cell {first.cell}" if first.cell is not None and first.cell != finding.cell else ""
        where = f"line {first.line}{in_cell}" if first.path == finding.path else f"{printable(first.path)}:{first.line}"
        message, others = f"{short}: as in {where}", []
    parts = [
        view.paint("place", f"{printable(finding.path)}:{cell}{finding.line}:{finding.column}"),
        view.paint("code", finding.code),
        view.paint(kind, f"[{kind}]"),
        message,
    ]
    yield " ".join(parts if mark is None else [*parts, view.paint("quiet", f"({mark})")])
    for line in others:
        yield f"    {line}"


_SAVED = 30
"""Characters; to save fewer is not worth a reference."""


def _excerpt(number: int, line: str, view: View) -> str:
    return view.paint("quiet", f"    {number} | {_cut(printable(line.strip()))}")


def _rewrite(
    found: Sequence[hunks.Hunk], source: Sequence[str], view: View, now: Callable[[int], int | None] | None
) -> Iterator[str]:
    """The lines that go, with their numbers, and those that come; with the line above those that are only added.

    `now` says where a line is in the file that was written.
    """
    rows: list[tuple[int | None, str, str]] = []
    last = 1
    for hunk in found:
        if not hunk.removed and hunk.start > last:
            rows.append((hunk.start - 1, " ", source[hunk.start - 2]))
        rows += hunk.rows()
        last = hunk.end
    if now is not None:
        rows = [(now(number) if number is not None else None, sign, text) for number, sign, text in rows]
    texts = textwrap.dedent("\n".join(text for _, _, text in rows)).split("\n")
    width = max((len(str(number)) for number, _, _ in rows if number is not None), default=0)
    for (number, sign, _), text in zip(rows[:_ROWS], texts, strict=False):
        line = view.paint(sign, f"{sign} {_cut(printable(text))}".rstrip())
        yield f"    {view.paint('quiet', f'{number or str():>{width}}')}{' ' * bool(width)}{line}"
    if len(rows) > _ROWS:
        yield view.paint("quiet", f"    {'':>{width}} … {count(len(rows) - _ROWS, 'more line')} (--diff shows all)")


_ROWS = 8
"""Lines of a rewrite that are shown."""


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else text[:_WIDTH] + " ..."


_WIDTH = 100


def _ending(run: RunResult, view: View) -> Iterator[list[str]]:
    """The errors, the totals by rule where there are many findings, and the totals."""
    errors = all_errors(run)
    if errors:
        word = view.paint("error", "error:")
        yield [f"{word} {printable(error.path)}: {printable(error.message)}" for error in errors]
    rows = totals(run.findings, view.waits)
    if len(run.findings) > _MANY and len(rows) > 1:
        yield [*table(rows, view.head), *_next(rows, view)]
    yield [summary(run, view)]


_MANY = 10
"""So many findings are seen at a glance."""


def _next(rows: Sequence[Total], view: View) -> Iterator[str]:
    """What to do next."""
    yield f"xlaport explain {rows[0].code} says more about a rule" + (
        "; xlaport convert --diff shows all that it would fix." if view.head == "fixable" else "."
    )


def summary(run: RunResult, view: View) -> str:
    """All that was found, in one line."""
    errors = len(all_errors(run))
    findings = run.findings
    fixed = [finding for finding in findings if finding.fixed]
    waiting = sum(map(view.waits, findings))
    left = len(findings) - len(fixed) - waiting
    parts = []
    if fixed:
        files = count(len({finding.path for finding in fixed}), "file")
        parts.append(view.summary.format(findings=count(len(fixed), "finding"), files=files))
    if waiting:
        parts.append(f"{waiting} {'more ' if fixed else ''}with --unsafe")
    if left:
        parts.append(f"{left} left for you")
    if not findings:
        seen = {"Python file": run.seen - run.notebooks, "notebook": run.notebooks}
        looked_at = [count(number, what) for what, number in seen.items() if number]
        parts.append(f"nothing to port in {' and '.join(looked_at) or count(0, 'Python file')}")
    if errors:
        parts.append(count(errors, "error"))
    line = "; ".join(parts)
    return f"{line[0].upper()}{line[1:]}."


def count(number: int, what: str) -> str:
    """A number of things."""
    return f"{number} {what}{'' if number == 1 else 's'}"


# Controls (a file could steer the terminal), marks that turn the reading order, and lone surrogates.
_UNPRINTABLE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """`text`, fit for a terminal and for a strict encoder: one line, no controls, no lone surrogates."""
    return _UNPRINTABLE.sub(lambda match: _escape(ord(match.group())), text)


def _escape(code: int) -> str:
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
