"""Rules over one file: find, choose the edits that go together, apply them, repeat until nothing changes.

The engine alone decides. Findings whose edits may be applied are taken smallest first; what overlaps with
an edit already taken waits for the next round, which looks at the new text. After ten rounds at the most
the text is stable, or the file is left alone with an error.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from xlaport import imports
from xlaport.context import Context
from xlaport.edits import EditError, Realiser, SharedLineError, Splice, apply
from xlaport.facts.module import Module
from xlaport.facts.names import Names
from xlaport.result import ReportedFinding
from xlaport.rule import Applicability, Finding, Rule, resolve_lines
from xlaport.target import Target

MAX_ROUNDS = 10
IMPORT_AFTER = "torch"
"""New imports go behind the import of this package."""


class ConversionError(Exception):
    """A file that cannot be converted; its text is one line. The file stays as it was."""


@dataclass(frozen=True)
class Conversion:
    """The new text and the findings, placed in the old text."""

    text: str
    findings: tuple[ReportedFinding, ...]


@dataclass(frozen=True)
class Settings:
    """What the engine needs to know besides the rules."""

    target: Target
    allowed: frozenset[Applicability] = frozenset({Applicability.SAFE})
    """Findings of these kinds are applied."""


def parse(text: str) -> Module:
    """The parsed text. Raises `ConversionError` where Python cannot parse it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes and the like are the user's affair
            return Module(text)
    except SyntaxError as error:
        where = f"line {error.lineno}: " if error.lineno else ""
        raise ConversionError(
            f"{where}this is not Python that can be parsed ({error.msg}); file left as it is"
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ConversionError(f"cannot be parsed ({error or type(error).__name__}); file left as it is") from None


def convert(text: str, path: str, rules: Sequence[Rule], settings: Settings, newline: str = "\n") -> Conversion:
    """Apply the rules to one file's text until nothing changes. Raises `ConversionError`."""
    original = parse(text)
    used_before = imports.used_imports(original, Names(original))
    ledger = _Ledger(original, path)
    module = original
    for _ in range(MAX_ROUNDS):
        findings = find(module, rules, settings.target)
        ledger.see(findings)
        chosen, splices = _choose(module, findings, settings.allowed, newline)
        if not splices:
            break
        module, applied, splices = _apply(module, chosen, splices, newline)
        if not splices:
            break
        ledger.applied(applied, splices)
    else:
        raise ConversionError(f"the edits did not settle in {MAX_ROUNDS} rounds; file left as it is")
    if module is not original:
        module = _drop_idle_imports(module, used_before, newline)
    return Conversion(module.text, ledger.report())


def find(module: Module, rules: Sequence[Rule], target: Target) -> list[Finding]:
    """All findings of the rules whose trigger words the text holds, in source order."""
    context = Context(module, target)
    found = [
        finding for rule in rules if any(word in module.text for word in rule.words) for finding in rule.check(context)
    ]
    return sorted(found, key=lambda f: (f.span, f.code, f.message))


def _choose(
    module: Module, findings: list[Finding], allowed: Collection[Applicability], newline: str
) -> tuple[list[tuple[Finding, list[Splice]]], list[Splice]]:
    """The findings to apply in this round, with their splices; and those that only open shared lines."""
    realiser = Realiser(module, newline)
    proposals: list[tuple[Finding, list[Splice]]] = []
    openings: list[Splice] = []
    for finding in findings:
        if not finding.edits or finding.applicability not in allowed:
            continue
        try:
            proposals.append((finding, [s for edit in finding.edits for s in realiser.splices(edit)]))
        except SharedLineError as error:
            openings.append(error.opening)
        except EditError:
            continue
    taken: list[Splice] = []
    chosen: list[tuple[Finding, list[Splice]]] = []
    for finding, splices in sorted(proposals, key=lambda p: _size(p[1])):
        if any(new.conflicts(old) for new in splices for old in taken if new != old):
            continue
        chosen.append((finding, splices))
        taken += [s for s in splices if s not in taken]
    chosen.sort(key=lambda pair: pair[0].span)
    lone = [s for i, s in enumerate(openings) if s not in openings[:i]]
    for opening in lone:
        if not any(opening.conflicts(old) for old in taken):
            taken.append(opening)
    return chosen, taken


def _size(splices: list[Splice]) -> tuple[int, int]:
    return (sum(s.end - s.start for s in splices), splices[0].start)


def _apply(
    module: Module, chosen: list[tuple[Finding, list[Splice]]], taken: list[Splice], newline: str
) -> tuple[Module, list[Finding], list[Splice]]:
    """The new text; where it would not compile, without the findings that break it."""
    lone = [s for s in taken if not any(s in splices for _, splices in chosen)]
    try:
        new, splices = _spliced(module, chosen, lone, newline)
        return new, [finding for finding, _ in chosen], splices
    except ConversionError:
        good: list[tuple[Finding, list[Splice]]] = []
        for pair in chosen:
            try:
                _spliced(module, [*good, pair], lone, newline)
            except ConversionError:
                continue
            good.append(pair)
        if not good and not lone:
            return module, [], []
        new, splices = _spliced(module, good, lone, newline)
        return new, [finding for finding, _ in good], splices


def _spliced(
    module: Module, chosen: list[tuple[Finding, list[Splice]]], lone: list[Splice], newline: str
) -> tuple[Module, list[Splice]]:
    splices: list[Splice] = []
    for _, proposed in chosen:
        splices += [s for s in proposed if s not in splices]
    splices += lone
    wanted = [request for finding, _ in chosen for request in finding.imports]
    # New imports come first at their place: other insertions there may need them.
    splices = imports.additions(module, wanted, newline, IMPORT_AFTER) + splices
    new = parse(apply(module.text, splices))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(new.tree, "<converted>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise ConversionError(f"the edits would break the file ({error})") from None
    return new, splices


def _drop_idle_imports(module: Module, used_before: set[str], newline: str) -> Module:
    names = Names(module)
    splices = imports.removals(module, names, used_before, newline)
    return parse(apply(module.text, splices)) if splices else module


class _Ledger:
    """What has been found and fixed so far, by its place in the original text."""

    def __init__(self, original: Module, path: str) -> None:
        self.original = original
        self.path = path
        self._maps: list[list[Splice]] = []
        self._seen: dict[tuple[str, int], ReportedFinding] = {}
        self._fixed: set[tuple[str, int]] = set()
        self._last: set[tuple[str, int]] = set()
        self._first: set[tuple[str, int]] = set()

    def see(self, findings: list[Finding]) -> None:
        """Note the findings of one round."""
        self._last = set()
        for finding in findings:
            key = self._key(finding)
            self._last.add(key)
            if not self._maps:
                self._first.add(key)
            self._seen.setdefault(key, self._reported(finding))

    def applied(self, findings: list[Finding], splices: list[Splice]) -> None:
        """Note what a round applied, and how it moved the text."""
        self._fixed |= {self._key(finding) for finding in findings}
        self._maps.append(sorted(splices, key=lambda s: (s.start, s.end)))

    def report(self) -> tuple[ReportedFinding, ...]:
        """The findings of the first round, those applied later, and those that are left at the end."""
        rows = []
        for key, finding in self._seen.items():
            left = key in self._last
            if key in self._fixed or (key in self._first and not left):
                rows.append(replace(finding, fixed=True))
            elif left:
                rows.append(finding)
        return tuple(sorted(rows, key=lambda f: (f.line, f.column, f.code)))

    def _key(self, finding: Finding) -> tuple[str, int]:
        return finding.code, self._to_original(finding.span.start)

    def _reported(self, finding: Finding) -> ReportedFinding:
        start = self._to_original(finding.span.start)
        end = max(start, self._to_original(finding.span.end))
        line, column = self.original.position(start)
        end_line, end_column = self.original.position(end)
        return ReportedFinding(
            finding.code, finding.name, resolve_lines(finding.message, self._line), self.path,
            line, column, end_line, end_column, finding.applicability,
        )  # fmt: skip

    def _line(self, offset: int) -> int:
        return self.original.position(self._to_original(offset))[0]

    def _to_original(self, offset: int) -> int:
        for splices in reversed(self._maps):
            offset = _before(offset, splices)
        return offset


def _before(offset: int, splices: list[Splice]) -> int:
    """Where an offset of the new text was in the old one; new text maps to what it was copied from or to its place."""
    shift = 0
    for splice in splices:
        start = splice.start + shift
        if offset < start:
            break
        if offset < start + len(splice.text):
            if splice.origin is not None:
                return splice.origin + (offset - start if splice.copied else 0)
            return splice.start
        shift += len(splice.text) - (splice.end - splice.start)
    return offset - shift
