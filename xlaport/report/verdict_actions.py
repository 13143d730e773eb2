"""What to change, in order of cost: the failures of a verdict together with the lines that are to blame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from xlaport.report.saying import say
from xlaport.report.static_causes import Cause, Causes
from xlaport.verify.verdict import Details, Verdict, VerdictFinding
from xlaport.wording import Text

KINDS = (
    "nothing-executed.kind",
    "not-training.kind",
    "untied.kind",
    "stale-averages.kind",
    "samples-lost.kind",
    "not-distributed.kind",
    "replicas-apart.kind",
    "replicas-differ.kind",
    "no-barrier.kind",
    "recompile.kind",
    "guard-failed.kind",
    "fallback.kind",
    "extra-execution.kind",
    "graph-break.kind",
    "host-read.kind",
    "extra-barrier.kind",
)
"""From the dearest to the cheapest."""
_ORDER = {key.partition(".")[0]: number for number, key in enumerate(KINDS)}
_UNKNOWN = _ORDER["fallback"] - 0.5
"""A kind that is not listed comes before what merely slows a step down."""


@dataclass(frozen=True)
class Action:
    """One thing to mend: what was seen (one kind, one function, its lines), and the lines that cause it, if known."""

    seen: tuple[VerdictFinding, ...]
    causes: tuple[Cause, ...]
    cost: str = ""
    is_told: bool = False
    """Whether all of its causes stand with a dearer one already."""

    @property
    def kind(self) -> Text:
        """What it is, for a newcomer: `message` says what happens, and `recipe` what that costs him."""
        kind = self.seen[0].kind
        return say(KINDS[_ORDER[kind]]) if kind in _ORDER else Text(kind.replace("-", " ").capitalize())

    @property
    def edits(self) -> tuple[tuple[Cause, ...], ...]:
        """The lines that cause it, those with the same reason and the same rewrite together."""
        groups: dict[object, list[Cause]] = {}
        for cause in self.causes:
            rows = cause.fix.rows if cause.fix else ()
            key = (cause.path, rows) if rows else (cause.path, cause.finding.message)
            groups.setdefault(key, []).append(cause)
        return tuple(map(tuple, groups.values()))

    @property
    def is_likely(self) -> bool:
        """Whether the causes are only likely ones: any of these lines makes new graphs, if it is run."""
        places = {(item.path, item.line) for item in self.seen}
        return self.seen[0].kind == "recompile" and places.isdisjoint((c.path, c.finding.line) for c in self.causes)


def actions(verdict: Verdict, causes: Causes) -> tuple[Action, ...]:
    """The failures of a verdict, what ended the run first, then the dearest first.

    Lines of one function that fail in the same way are one action.
    """
    groups: dict[object, list[VerdictFinding]] = {}
    for item in verdict.findings:
        if item.severity == "fail":
            groups.setdefault((item.kind, item.path, item.function, item.reason, item.advice), []).append(item)
    found = [Action(tuple(group), _causes(group, causes), _cost(group, verdict.details)) for group in groups.values()]
    broken = verdict.verdict == "error"
    found.sort(key=lambda action: (_rank(action, broken), -sum(item.count for item in action.seen)))
    return _each_cause_once(found)


def _rank(action: Action, broken: bool) -> float:
    kind = action.seen[0].kind
    return -1 if broken and kind not in _ORDER else _ORDER.get(kind, _UNKNOWN)


def _causes(group: Sequence[VerdictFinding], causes: Causes) -> tuple[Cause, ...]:
    return tuple(dict.fromkeys(cause for item in group for cause in causes.of(item)))


def _each_cause_once(found: Iterable[Action]) -> tuple[Action, ...]:
    """A line that is to blame for several things stands with the dearest."""
    said: set[Cause] = set()
    kept: list[Action] = []
    for action in found:
        new = tuple(cause for cause in action.causes if cause not in said)
        said.update(new)
        kept.append(replace(action, causes=new or action.causes, is_told=bool(action.causes) and not new))
    return tuple(kept)


def _cost(group: Sequence[VerdictFinding], details: Details) -> str:
    """What it has cost in this run, where that is known."""
    if group[0].kind not in ("recompile", "no-barrier"):
        return ""
    places = {(item.path, item.line) for item in group}
    places |= {(item.seen_at.path, item.seen_at.line) for item in group if item.seen_at}
    compiled = [
        item
        for item in details.compilations
        if item.site and ((item.site.path, item.site.line) in places or group[0].kind == "no-barrier")
    ]
    seconds, graphs = sum(item.seconds for item in compiled), sum(item.count for item in compiled)
    if seconds < 1 or not details.seconds:
        return ""
    return say.phrase("cost", graphs=graphs, seconds=seconds, total=details.seconds)
