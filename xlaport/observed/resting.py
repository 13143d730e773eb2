"""Which findings rest on a run: those that are not found without what it has shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xlaport.finding import Applicability, Finding
from xlaport.observed.record import Observations


def with_evidence(known: Sequence[Finding], found: Sequence[Finding], observed: Observations) -> list[Finding]:
    """The findings of a file, in their order: those that are `known` without a run, and what else is `found` by it.

    Evidence takes nothing away. What rests on it is unsafe: another run may show something else. It takes the place of
    advice on the same lines.
    """
    places = {(finding.code, finding.span): finding for finding in known}
    added: dict[tuple[str, object], Finding] = {}
    for finding in found:
        old = places.get((finding.code, finding.span))
        if old is None or (finding.edits and not old.edits):
            added[finding.code, finding.span] = _resting(finding, observed)
    left = [finding for finding in known if (finding.code, finding.span) not in added]
    return sorted([*left, *added.values()], key=lambda finding: (finding.span, finding.code, finding.message))


def _resting(finding: Finding, observed: Observations) -> Finding:
    is_safe = finding.applicability is Applicability.SAFE
    kind = Applicability.UNSAFE if is_safe else finding.applicability
    said = observed.phrase
    return replace(finding, applicability=kind, seen=said, notes=(*finding.notes, said))
