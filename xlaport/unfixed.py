"""Findings whose fix cannot be made: they are told without it, and why."""

from __future__ import annotations

from dataclasses import replace

from xlaport.edits import CellError, EditError, Realiser
from xlaport.finding import Applicability, Finding
from xlaport.notebook import placeholders
from xlaport.target import Unavailable

UNSETTLED = "did not settle"
"""What the findings of a rule say whose edits come to no end."""


def within_reach(finding: Finding) -> Finding:
    """The finding; where it needs what the target's version does not have, without its edits and with the reason."""
    reasons = sorted({request.reason for request in finding.imports if isinstance(request, Unavailable)})
    if not reasons:
        return finding
    notes = (*finding.notes, *reasons)
    return replace(finding, notes=notes, applicability=Applicability.MANUAL, edits=(), imports=())


def within_cells(finding: Finding, realiser: Realiser) -> Finding:
    """The finding; where its edits would not leave the cells of a notebook as they are, without them."""
    try:
        splices = realiser.splices(*finding.edits)
    except CellError as error:
        reason = str(error)
    except EditError:
        return finding
    else:
        if not placeholders.lose(realiser.module.text, ((s.start, s.end, s.text) for s in splices)):
            return finding
        reason = "a magic would go"
    return _by_hand(finding, reason)


def left_out(finding: Finding, rounds: int) -> Finding:
    """The finding without its edits, which come to no end together with those of later rounds."""
    if not finding.edits:
        return finding
    return _by_hand(
        finding,
        f"the edits of {finding.code} {UNSETTLED} in {rounds} rounds, and none of them is made in this file; "
        "this is a bug of the rule, please report it",
    )


def _by_hand(finding: Finding, reason: str) -> Finding:
    notes = (*finding.notes, f"by hand, since {reason}")
    return replace(finding, notes=notes, applicability=Applicability.MANUAL, edits=(), imports=())
