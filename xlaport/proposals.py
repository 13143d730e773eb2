"""What the engine applies in a round, of all that its rules propose."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xlaport.edits import EditError, Realiser, SharedLineError
from xlaport.facts.module import Module
from xlaport.finding import Applicability, Finding
from xlaport.rule import Rule
from xlaport.splices import Splice, SpliceSet
from xlaport.suppressions.keeping import Keeping


@dataclass(frozen=True)
class Proposal:
    """A finding with the splices of its edits; without a finding, the opening of a shared line."""

    finding: Finding | None
    splices: tuple[Splice, ...]

    @property
    def size(self) -> tuple[int, int, bool]:
        """The order of choice; of two for one place, what `--unsafe` asks for goes before what is made in any case."""
        is_asked_for = self.finding is not None and self.finding.applicability is Applicability.UNSAFE
        return (sum(s.end - s.start for s in self.splices), self.splices[0].start, not is_asked_for)

    def changes(self, module: Module) -> bool:
        """Whether another text comes of it."""
        return any(module.text[s.start : s.end] != s.text for s in self.splices)

    def is_consistent(self) -> bool:
        """Whether its edits go together."""
        taken = SpliceSet()
        for splice in self.splices:
            if not taken.admits([splice]):
                return False
            taken.add([splice])
        return True


def choose(
    module: Module, findings: list[Finding], newline: str, keeping: Keeping, rules: Sequence[Rule]
) -> list[Proposal]:
    """What to apply in this round: smallest first, shared lines last; what overlaps waits for the next round.

    So does what comes after others that are made (`Rule.after`), as long as there are such.
    """
    realiser = Realiser(module, newline)
    proposals: list[Proposal] = []
    openings: list[Proposal] = []
    for finding in findings:
        try:
            splices = tuple(realiser.splices(*finding.edits))
        except SharedLineError as error:
            if not keeping.holds(None, error.opening):
                openings.append(Proposal(None, error.opening))
        except EditError:
            continue
        else:
            if not keeping.holds(finding, splices):
                proposals.append(Proposal(finding, splices))
    whole = [*sorted(proposals, key=lambda p: p.size), *dict.fromkeys(openings)]
    made = [p for p in whole if p.changes(module) and p.is_consistent()]
    present = {p.finding.code for p in made if p.finding is not None}
    late = {rule.code for rule in rules if not present.isdisjoint(rule.after)}
    awaited = {code for rule in rules if rule.code in late for code in rule.after}
    return _together(made, late, awaited) or _together(made)


def _together(proposals: list[Proposal], late: Collection[str] = (), awaited: Collection[str] = ()) -> list[Proposal]:
    """Those that do not overlap, in the order of the text; of two that do, the first.

    Those of `late` codes wait, but keep their places from all that they do not wait for.
    """
    chosen: list[Proposal] = []
    taken, kept = SpliceSet(), SpliceSet()
    for proposal in proposals:
        code = proposal.finding.code if proposal.finding is not None else ""
        if not taken.admits(proposal.splices) or not (code in awaited or kept.admits(proposal.splices)):
            continue
        if code in late:
            kept.add(proposal.splices)
            continue
        taken.add(proposal.splices)
        chosen.append(proposal)
    return sorted(chosen, key=lambda p: (p.finding is None, p.finding.span if p.finding else p.splices[0]))
