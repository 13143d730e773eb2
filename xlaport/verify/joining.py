"""From the verdicts on the replicas of a program to one: the worst counts, and what all have seen is said once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from xlaport.verify.failure import LOST
from xlaport.verify.replicas import Lane
from xlaport.verify.saying import say
from xlaport.verify.verdict import Replica, Verdict, VerdictFinding, finding

_FIGURES = re.compile(r"\d[\d.,%]*")
_ERRORS_OF_THE_RUN = frozenset({LOST, "script-failed", "timeout", "interrupted", "not-pytorch", "probe-failed"})
"""Findings that speak of the whole run, whichever replica is asked."""
_ORDER = ("fail", "error", "pass")


def joined(lanes: Sequence[Lane], verdicts: Sequence[Verdict], between: Sequence[VerdictFinding]) -> Verdict:
    """One verdict on all replicas; `between` is what was found when they were compared.

    A failure that is proven counts before a replica that could not be judged, unless the run itself broke off.
    """
    broken = any(item.kind in _ERRORS_OF_THE_RUN and item.severity == "fail" for item in verdicts[0].findings)
    said = {verdict.verdict for verdict in verdicts} | {item.severity for item in between if item.severity == "fail"}
    overall = "error" if broken else next(word for word in _ORDER if word in said)
    worst = min(verdicts, key=lambda verdict: _ORDER.index(verdict.verdict))
    everyone = tuple(lane.ordinal for lane in lanes)
    findings = [*(replace(item, replicas=everyone) for item in between), *_once(lanes, verdicts)]
    # What ended the run comes first, as it does for one process.
    findings.sort(key=lambda item: (item.severity != "fail", item.kind not in _ERRORS_OF_THE_RUN))
    return replace(
        worst,
        verdict=overall,
        findings=tuple(findings),
        replicas=tuple(
            Replica(
                lane.ordinal,
                lane.seen.count,
                verdict.verdict,
                lane.seen.played,
                verdict.steps,
                verdict.warmup,
                verdict.compiles,
                verdict.executions,
                verdict.transfers,
                verdict.stalling,
            )
            for lane, verdict in zip(lanes, verdicts, strict=True)
        ),
    )


def not_played(verdict: Verdict, count: int) -> Verdict:
    """The verdict on a script that was to be run as `count` replicas, and started none."""
    missing = finding(say("no-replicas.none_started", count=count), "fail")
    return replace(verdict, verdict="error", findings=(missing, *verdict.findings))


def _once(lanes: Sequence[Lane], verdicts: Sequence[Verdict]) -> Iterator[VerdictFinding]:
    """Each finding, with the replicas that have it: its figures are those of the first one."""
    first: dict[object, VerdictFinding] = {}
    where: dict[object, list[int]] = {}
    for lane, verdict in zip(lanes, verdicts, strict=True):
        met: Counter[object] = Counter()
        for item in verdict.findings:
            alike = (item.kind, item.severity, item.path, item.line, item.function, _FIGURES.sub("#", item.reason))
            met[alike] += 1
            key: object = (alike, met[alike])
            first.setdefault(key, item)
            where.setdefault(key, []).append(lane.ordinal)
    for name, item in first.items():
        if item.kind in _ERRORS_OF_THE_RUN:
            yield item
        else:
            yield replace(item, reason=item.reason + _in(where[name], len(lanes)), replicas=tuple(where[name]))


def _in(ordinals: Sequence[int], count: int) -> str:
    if len(ordinals) == count:
        return say.phrase("in both" if count == 2 else "in all", count=count)
    return say.phrase("in one" if len(ordinals) == 1 else "in some", ordinals=", ".join(map(str, ordinals)))
