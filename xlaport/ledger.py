"""What has been found and fixed over the rounds, by its place in the original text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from xlaport.facts.module import Module
from xlaport.result import Fix, ReportedFinding
from xlaport.rule import Applicability, Finding, Span, resolve_lines
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
        self._rounds: list[Shift] = []
        self._first: set[_Key] = set()
        self._last: set[_Key] = set()
        self._fixed: set[_Key] = set()
        self._rows: dict[_Key, ReportedFinding] = {}
        self._offers: dict[_Key, ReportedFinding] = {}

    def see(self, findings: Iterable[Finding]) -> None:
        """Note the findings of one round."""
        rows = {self._key(finding): self._row(finding) for finding in reversed([*findings])}
        self._last = set(rows)
        if not self._rounds:
            self._first = set(rows)
        # What was fixed is told as it was then; what is still there, as it is now.
        self._rows |= {key: row for key, row in rows.items() if key not in self._fixed}

    def offer(self, fixes: Mapping[Finding, Fix]) -> None:
        """Note what the fixes of the first round's findings do, each alone, to the original text."""
        rows = ((finding, replace(self._row(finding), fix=fix)) for finding, fix in reversed([*fixes.items()]))
        self._offers = {self._key(finding): row for finding, row in rows}

    def applied(self, findings: Iterable[Finding], splices: Iterable[Splice]) -> None:
        """Note what a round applied, and how it moved the text."""
        for finding in findings:
            key = self._key(finding)
            self._fixed.add(key)
            self._rows[key] = self._row(finding)
        self._rounds.append(Shift(splices))

    def report(self, further: Iterable[Finding] = ()) -> tuple[ReportedFinding, ...]:
        """The findings that a round applied or made needless, and those that are left at the end.

        Advice that other findings' edits made needless is not told: they say what became of its place. `further` are
        findings about the original text, which no round has to do with.
        """
        rows = [
            replace(row, fixed=key in self._fixed or key not in self._last, fix=self._fix(key, row))
            for key, row in self._rows.items()
            if key in self._fixed or key in self._last or (key in self._first and row.applicability is not _ADVICE)
        ]
        first = Ledger(self.original, self.path)
        rows += map(first._row, further)
        return tuple(sorted(rows, key=lambda r: (r.line, r.column, r.code, r.end_line, r.end_column)))

    def _fix(self, key: _Key, row: ReportedFinding) -> Fix | None:
        """The fix that was offered for a finding, if the finding is still the same."""
        offer = self._offers.get(key)
        return offer.fix if offer is not None and replace(offer, fix=None) == row else None

    def _key(self, finding: Finding) -> _Key:
        return finding.code, self._original_span(finding)

    def _row(self, finding: Finding) -> ReportedFinding:
        span = self._original_span(finding)
        line, column = self.original.position(span.start)
        end_line, end_column = self.original.position(span.end)
        message = resolve_lines(finding.message, lambda offset: self._line_name(self._line(offset), line))
        return ReportedFinding(
            finding.code, finding.name, message, self.path,
            line, column, end_line, end_column, finding.applicability,
        )  # fmt: skip

    def _line(self, offset: int) -> int:
        return self.original.position(self.to_original(offset))[0]

    def _original_span(self, finding: Finding) -> Span:
        start = self.to_original(finding.span.start)
        return Span(start, max(start, self.to_original(finding.span.end, is_end=True)))

    def to_original(self, offset: int, is_end: bool = False) -> int:
        """Where an offset of the present text was in the original one."""
        for shift in reversed(self._rounds):
            offset = shift.end_before(offset) if is_end else shift.before(offset)
        return offset
