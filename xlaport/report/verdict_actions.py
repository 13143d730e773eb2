"""What to change, in order of cost: the failures of a verdict together with the lines that are to blame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from xlaport.report.static_causes import Cause, Causes
from xlaport.verify.verdict import Details, Verdict, VerdictFinding


@dataclass(frozen=True)
class Kind:
    """A kind of finding for a newcomer: what happens, and what that costs him."""

    headline: str
    why: str


KINDS = {
    "nothing-executed": Kind(
        "Nothing runs on the device",
        "Everything was computed by the CPU: on a TPU machine the TPU would stand idle.",
    ),
    "not-training": Kind(
        "The model does not learn",
        "The loss may be printed all the same, but the optimizer's steps do not change the model: their time is lost.",
    ),
    "untied": Kind(
        "Weights that were shared are shared no more",
        "A model that moves to an XLA device gets new parameters, one for each name: what was one weight is trained as "
        "several, and the model is another one than the original.",
    ),
    "samples-lost": Kind(
        "Data is lost without an error",
        "torch_xla's loaders read ahead in a thread: an error there ends the epoch as if the data were at its end.",
    ),
    "not-distributed": Kind(
        "The processes do not know of each other",
        "Each process trains a model of its own: the others' gradients never reach it.",
    ),
    "replicas-apart": Kind(
        "The replicas exchange nothing",
        "Replicas train one model only if each adds the gradients of all before it steps.",
    ),
    "replicas-differ": Kind(
        "The replicas run different graphs",
        "Each replica is a program of its own that meets the others in the collectives of its graphs. Where one runs "
        "another graph, or none, the others wait for it: a pod hangs without a message, or ends with one that names "
        "no line.",
    ),
    "no-barrier": Kind(
        "The loop does not say where a step ends",
        "Operations on an XLA device are only noted down, until a barrier, torch_xla.sync(), runs them as one graph. "
        "Without one, the graph grows with each step.",
    ),
    "recompile": Kind(
        "New graphs are compiled again and again",
        "XLA compiles a program for exactly the shapes and numbers that it sees. Whatever is new is compiled again, "
        "which takes seconds to minutes on a TPU: the step that is waited for takes milliseconds.",
    ),
    "guard-failed": Kind(
        "torch.compile traces a function again and again",
        "What it has traced holds for the shapes, numbers and objects that it has seen: guards check them in each "
        "call. Where one fails, Python is traced once more, and XLA compiles a new graph; after eight times, the "
        "function is not compiled any more.",
    ),
    "fallback": Kind(
        "An operation is computed on the host",
        "XLA has no kernel for it: its inputs are fetched from the device, and its result is sent back, each time, "
        "while the device waits.",
    ),
    "extra-execution": Kind(
        "A step runs as more than one graph",
        "Each part is sent to the device by itself, and XLA cannot optimise across the cut.",
    ),
    "graph-break": Kind(
        "torch.compile cuts a function in pieces",
        "It cannot trace this line: what comes before and what comes behind are graphs of their own, with Python "
        "between them, in each call.",
    ),
    "host-read": Kind(
        "The host reads from the device in nearly every step",
        "A read waits until the device has computed the value; only then does the host prepare the next step, and "
        "the device stands idle meanwhile.",
    ),
    "extra-barrier": Kind(
        "A step has more than one barrier",
        "Each cut makes a graph of its own: XLA cannot optimise across it, and each is sent to the device by itself.",
    ),
}
"""From the dearest to the cheapest."""
_ORDER = {kind: number for number, kind in enumerate(KINDS)}
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
    def kind(self) -> Kind:
        """What it is, for a newcomer."""
        first = self.seen[0]
        return KINDS.get(first.kind) or Kind(first.kind.replace("-", " ").capitalize(), "")

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
    return f"In this run, {graphs} graphs took {seconds:.0f} s of {details.seconds:.0f} s to compile, warm-up included."
