"""What has been found and fixed over the rounds, by its place in the original text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from xlaport.facts.module import Module
from xlaport.finding import Applicability, Finding, Span, told
from xlaport.result import Fix, ReportedFinding
from xlaport.splices import Shift, Splice

_Key = tuple[str, Span]
_ADVICE = Applicability.MANUAL


class Ledger:
    """Takes the findings and the splices of each round, and gives the report.

    A finding keeps its identity over the rounds: its rule's code and its range in the original text.
    """

    def __init__(
        self, original: Module, path: str, line_name: Callable[[int, int], str] = lambda line, seen_from: str(line)
    ) -> None:
        """`line_name` says what a message calls a line of the original text, seen from the line of its finding."""
        self.original = original
        self.path = path
        self._line_name = line_name
        self._text = original.text
        self._rounds: list[Shift] = []
        self._written: list[dict[Splice, ReportedFinding]] = []
        """For each round, what put which text in."""
        self._first: set[_Key] = set()
        self._last: set[_Key] = set()
        self._fixed: set[_Key] = set()
        self._again: set[_Key] = set()
        """What a rule did to its own text of an earlier round: a part of that fix."""
        self.rows: dict[_Key, ReportedFinding] = {}
        self._offers: dict[_Key, ReportedFinding] = {}

    def see(self, findings: Iterable[Finding], text: str) -> None:
        """Note the findings of one round, which looks at a text."""
        self._text = text
        rows = {self._key(finding): self.row(finding) for finding in reversed([*findings])}
        self._last = set(rows)
        if not self._rounds:
            self._first = set(rows)
        # What was fixed is told as it was then; what is still there, as it is now.
        self.rows |= {key: row for key, row in rows.items() if key not in self._fixed}

    def offer(self, fixes: Mapping[Finding, Fix]) -> None:
        """Note what the fixes of the first round's findings do, each alone, to the original text."""
        rows = ((finding, replace(self.row(finding), fix=fix)) for finding, fix in reversed([*fixes.items()]))
        self._offers = {self._key(finding): row for finding, row in rows}

    def applied(self, findings: Iterable[tuple[Finding, Iterable[Splice]]], splices: Iterable[Splice]) -> None:
        """Note what a round applied, each with its splices, and how all of them moved the text."""
        written: dict[Splice, ReportedFinding] = {}
        for finding, own in findings:
            key, row = self._key(finding), self.row(finding)
            if self._rounds and key not in self._first | self._fixed and self._is_own_work(finding):
                self._again.add(key)
            self._fixed.add(key)
            self.rows[key] = row
            written |= dict.fromkeys(own, row)
        self._rounds.append(Shift(splices))
        self._written.append(written)

    def placed(self, findings: Iterable[Finding]) -> list[ReportedFinding]:
        """Findings about the text that no round has changed yet, in their order."""
        return [self.row(finding) for finding in findings]

    def report(self, further: Iterable[Finding] = ()) -> tuple[ReportedFinding, ...]:
        """The findings that a round applied or made needless, and those that are left at the end.

        Advice that other findings' edits made needless is not told: they say what became of its place. Nor is an edit
        that was not made, since another rule's took its very place, nor what a rule did further to its own text.
        `further` are findings about the original text, which no round has to do with.
        """
        written = {span for _, span in self._fixed}
        rows = [
            replace(row, fixed=key in self._fixed or key not in self._last, fix=self._fix(key, row))
            for key, row in self.rows.items()
            if key not in self._again
            if key in self._fixed
            or key in self._last
            or (key in self._first and row.applicability is not _ADVICE and key[1] not in written)
        ]
        first = Ledger(self.original, self.path)
        rows += map(first.row, further)
        return tuple(sorted(rows, key=lambda r: (r.line, r.column, r.code, r.end_line, r.end_column)))

    def _fix(self, key: _Key, row: ReportedFinding) -> Fix | None:
        """The fix that was offered for a finding, if the finding is still the same."""
        offer = self._offers.get(key)
        return offer.fix if offer is not None and replace(offer, fix=None) == row else None

    def _key(self, finding: Finding) -> _Key:
        return finding.code, self._original_span(finding)

    def row(self, finding: Finding) -> ReportedFinding:
        """A finding as it is reported."""
        span = self._original_span(finding)
        line, column = self.original.position(span.start)
        end_line, end_column = self.original.position(span.end)
        said = told(finding, lambda offset: self._called(offset, line))
        row = ReportedFinding(
            finding.code, finding.name, said.message, self.path,
            line, column, end_line, end_column, finding.applicability,
            recipe=said.recipe, snippet=said.snippet, notes=said.notes, harm=said.harm,
            is_possible=finding.is_possible,
            seen=finding.seen,
        )  # fmt: skip
        if span.start == span.end:
            cause = self._writer(finding.span.start)
            # It has no place in the original text: it is told where that was found which wrote it.
            return row if cause is None else self._as_written(_moved(row, cause), finding, cause.code)
        is_new = bool(self._rounds) and self._key(finding) not in self._first
        return self._as_written(row, finding, finding.code) if is_new and self._is_own_work(finding) else row

    def _as_written(self, row: ReportedFinding, finding: Finding, code: str) -> ReportedFinding:
        """What is found in text that an edit wrote quotes it: the original text has nothing of the kind."""
        line = self._text[_line_start(self._text, finding.span.start) :].splitlines()[:1]
        return replace(row, notes=(*row.notes, f"in `{''.join(line).strip()}`, which {code} writes"))

    def _is_own_work(self, finding: Finding) -> bool:
        """Whether a rule speaks of what it changed itself in an earlier round."""
        start, end = finding.span.start, finding.span.end
        for shift, written in zip(reversed(self._rounds), reversed(self._written), strict=True):
            writers = [written[splice] for splice in shift.within(start, end) if splice in written]
            if any(writer.code == finding.code for writer in writers):
                return True
            start, end = shift.before(start), shift.end_before(end)
        return False

    def _called(self, offset: int, seen_from: int) -> str:
        """What a message calls the line of an offset of the present text."""
        line = self.original.position(self.to_original(offset))[0]
        if self._writer(offset) is None:
            return self._line_name(line, seen_from)
        is_blank = line > 1 and not self.original.text[self.original.line_start(line) :].partition("\n")[0].strip()
        at, where = (line - 1, "behind") if is_blank else (line, "before")
        return f"{self._line_name(at, seen_from)} (added {where} it)"

    def _writer(self, offset: int) -> ReportedFinding | None:
        """The finding whose edit put the text at an offset in, if that stands for nothing of the original text."""
        for shift, written in zip(reversed(self._rounds), reversed(self._written), strict=True):
            splice = shift.added(offset)
            if splice is not None:
                return written.get(splice)
            offset = shift.before(offset)
        return None

    def _original_span(self, finding: Finding) -> Span:
        start = self.to_original(finding.span.start)
        return Span(start, max(start, self.to_original(finding.span.end, is_end=True)))

    def to_original(self, offset: int, is_end: bool = False) -> int:
        """Where an offset of the present text was in the original one."""
        for shift in reversed(self._rounds):
            offset = shift.end_before(offset) if is_end else shift.before(offset)
        return offset


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _moved(row: ReportedFinding, other: ReportedFinding) -> ReportedFinding:
    return replace(row, line=other.line, column=other.column, end_line=other.end_line, end_column=other.end_column)
