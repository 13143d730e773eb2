"""What the comments of a file keep as it is, over the rounds of its conversion, and which of them are idle.

The comments are read anew from the text of each round, so that one stays with its line wherever that moves, and a
second conversion, which sees only the last text, keeps the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from xlaport.finding import Finding, line_reference
from xlaport.result import Fix
from xlaport.rule import Rule, SuppressionRule
from xlaport.splices import Splice
from xlaport.suppressions.comments import Suppression, Suppressions
from xlaport.suppressions.judged import Judged
from xlaport.target import Target


class Keeping:
    """Takes the findings of each round, and leaves out what the comments ask to ignore."""

    def __init__(self, read: Callable[[], Suppressions], back: Callable[[int], int]) -> None:
        """`read` gives the comments of the present text; `back` says where an offset of it was in the first one."""
        self._read = read
        self._back = back
        self._present = read()
        self._used: set[tuple[int, str]] = set()
        """Where a comment was in the first text, and the code of a rule that it kept from a place."""
        self._kept: list[tuple[Splice, Suppression]] = []
        """The places of the findings that are left out, as if they were to be written anew, and what keeps them."""
        self._held: dict[Finding, Suppression] = {}

    def left(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings of a round that nobody asked to ignore."""
        self._present = self._read()
        self._kept, self._held = [], {}
        found = list(findings)
        return [finding for finding in found if not self._ignores(finding)] if self._present.all else found

    def holds(self, finding: Finding | None, splices: Iterable[Splice]) -> bool:
        """Whether the edits of a finding would change what has to stay; without a finding, any line with a comment."""
        changed = list(splices)
        for suppression in self._present.all:
            place = _whole(suppression.governs.start, suppression.governs.end)
            if finding is None:
                if not suppression.directive.fault and any(s.conflicts(place) for s in changed):
                    return True
            elif suppression.directive.names(finding.code) and any(s.conflicts(place) for s in changed):
                self._used.add((self._back(suppression.span.start), finding.code))
                self._held[finding] = suppression
                return True
        if finding is not None:
            keeper = next((by for kept, by in self._kept if any(s.conflicts(kept) for s in changed)), None)
            if keeper is not None:
                self._held[finding] = keeper
            return keeper is not None
        return False

    def offers(self, fixes: Mapping[Finding, Fix]) -> dict[Finding, Fix]:
        """Those of the fixes that leave alone what has to stay."""
        return {
            finding: fix
            for finding, fix in fixes.items()
            if not self.holds(finding, (Splice(edit.start, edit.end, edit.text) for edit in fix.edits))
        }

    def told(self, finding: Finding) -> Finding:
        """The finding; where a comment in another place keeps it from being fixed, it says so."""
        suppression = self._held.get(finding) if self._held else None
        if suppression is None:
            return finding
        line = line_reference(suppression.span.start)
        return replace(finding, notes=(*finding.notes, f"not fixed: line {line} asks to be left as it is"))

    def leaves(self, splices: Sequence[Splice]) -> list[Splice]:
        """Those of the splices that touch no line with a comment."""
        present = self._read()
        places = [_whole(s.governs.start, s.governs.end) for s in present.all if not s.directive.fault]
        return [splice for splice in splices if not any(splice.conflicts(place) for place in places)]

    def report(
        self, first: Suppressions, rules: Sequence[Rule], catalogue: Sequence[Rule], target: Target
    ) -> list[Finding]:
        """What the rules about such comments say of those of the first text, after the last round."""
        judges = [rule for rule in rules if isinstance(rule, SuppressionRule)]
        if not judges or not first.all:
            return []
        judged = [self._judged(suppression, rules, catalogue or rules, target) for suppression in first.all]
        found = [finding for rule in judges for finding in rule.check_suppressions(judged)]
        # A bare `ignore` is what they speak of; only one that names them is about them.
        named = [suppression for suppression in first.all if suppression.directive.codes]
        return [finding for finding in found if not any(each.covers(finding) for each in named)]

    def _ignores(self, finding: Finding) -> bool:
        covering = [s for s in self._present.all if s.covers(finding)]
        for suppression in covering:
            self._used.add((self._back(suppression.span.start), finding.code))
        if covering:
            head = self._present.head(finding.span)
            self._kept.append((_whole(head.start, head.end), covering[0]))
        return bool(covering)

    def _judged(
        self, suppression: Suppression, rules: Sequence[Rule], catalogue: Sequence[Rule], target: Target
    ) -> Judged:
        directive = suppression.directive
        if directive.fault or directive.skips_file:
            return Judged(suppression, (), False, ())
        kept = [code for start, code in self._used if start == suppression.span.start]
        unknown = tuple(code for code in directive.codes if not any(rule.code.startswith(code) for rule in catalogue))
        ran = {rule.code for rule in rules}
        silent = {rule.code for rule in catalogue if not target.is_a(*rule.traits)}

        def is_idle(prefix: str) -> bool:
            """Whether all the rules that are meant have looked, and found nothing here."""
            meant = {r.code for r in catalogue if r.code.startswith(prefix) and (not r.on_request or r.code == prefix)}
            looked = ran if prefix else ran | silent
            return meant <= looked and not any(code.startswith(prefix) for code in kept)

        judges = {rule.code for rule in catalogue if isinstance(rule, SuppressionRule)}
        idle = tuple(code for code in directive.codes if code not in (*unknown, *judges) and is_idle(code))
        nothing = len(idle) == len(directive.codes) if directive.codes else is_idle("")
        return Judged(suppression, idle, nothing, unknown)


def _whole(start: int, end: int) -> Splice:
    return Splice(start, end, "")
