"""The replicas of a distributed program, and whether they run the same graphs: a pure function over their events.

Replicas meet in the collectives of a graph. torch_xla itself takes care "to produce the exact same graph in each
replica to prevent hanging" (2.9, `xla_model.collective_broadcast`). A graph without collectives may be run by one
replica alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from xlaport.verify.differences import Names, Wording, difference
from xlaport.verify.events import RENDEZVOUS, Boundary, Counts, End, GraphSeen, Point, ReplicaSeen, Site, Trace
from xlaport.verify.graph_text import from_text, place_apart
from xlaport.verify.graphs import Graph
from xlaport.verify.saying import say
from xlaport.verify.steps import MARKER
from xlaport.verify.verdict import VerdictFinding, finding


@dataclass(frozen=True)
class Lane:
    """One replica: who it is, and what its process recorded."""

    seen: ReplicaSeen
    trace: Trace

    @property
    def ordinal(self) -> int:
        """Its number, from 0."""
        return self.seen.ordinal

    @property
    def ended(self) -> bool:
        """Whether it came to its end by itself."""
        return any(isinstance(event, End) and event.reason == "exit" for event in self.trace.events)


@dataclass(frozen=True)
class Executed:
    """One run of a graph: where, in which step (from 1), and which graphs it may have been; none if it is not known.

    `trains`: an optimizer has stepped in it, since the barrier before.
    """

    site: Site | None
    step: int
    graphs: frozenset[str]
    trains: bool


def lanes(traces: Sequence[Trace]) -> tuple[Lane, ...]:
    """The replicas among the processes of a run, by ordinal: those that torch_xla knows, else those of torchrun."""
    found: dict[int, Lane] = {}
    for trace in traces:
        seen = [event for event in trace.events if isinstance(event, ReplicaSeen) and event.count > 1]
        if seen and any(isinstance(event, Boundary | Point) for event in trace.events):
            lane = Lane(next((event for event in seen if event.told), seen[-1]), trace)
            found.setdefault(lane.ordinal, lane)
    told = [lane for lane in found.values() if lane.seen.told]
    return tuple(sorted(told if len(told) > 1 else found.values(), key=lambda lane: lane.ordinal))


def compare(several: Sequence[Lane], broken: bool) -> Iterator[VerdictFinding]:
    """What is wrong between replicas. `broken`: something ended them early, so that it says nothing where they stop."""
    first = several[0]
    if not all(lane.seen.told for lane in several):
        said = say("not-distributed.not_told", count=first.seen.count)
        yield finding(said, "fail", _first_site(first.trace), count=first.seen.count, rule="XP603")
        return
    if any(lane.seen.devices > 1 for lane in several):
        yield _threads(first)
        return
    graphs = {event.digest: event for lane in several for event in lane.trace.events if isinstance(event, GraphSeen)}
    if not graphs:
        return  # without dumps nothing is known of them
    ran = [list(executed(lane.trace)) for lane in several]
    meeting = frozenset({RENDEZVOUS, *(name for name, graph in graphs.items() if graph.collectives)})
    yield from _apart(several, ran, meeting)
    parted = _parting(several, ran, meeting, broken)
    if parted is not None:
        yield _fewer(several, parted) if None in parted.here else _different(several, parted, graphs)


@dataclass(frozen=True)
class _Parting:
    """Where replicas stop running the same. `here`: the run of each, none of one that is at its end; `meetings`: how
    often each meets the others, as far as that is known.
    """

    here: tuple[Executed | None, ...]
    meetings: tuple[int, ...]


def _parting(
    several: Sequence[Lane], ran: Sequence[Sequence[Executed]], meeting: frozenset[str], broken: bool
) -> _Parting | None:
    """The first meeting in which not all replicas run the same; `None` if there is none, or it cannot be told."""
    known = [_until_unknown(runs) for runs in ran]
    meets = [[run for run in runs if run.graphs & meeting] for runs in known]
    at_their_end = [
        lane.ended and len(before) == len(runs) and not broken
        for lane, before, runs in zip(several, known, ran, strict=True)
    ]
    for here in itertools.zip_longest(*meets):
        over = [run is None for run in here]
        if any(is_over and not is_end for is_over, is_end in zip(over, at_their_end, strict=True)):
            return None  # we have ended that one
        if any(over) or _odd(list(filter(None, here))) is not None:
            return _Parting(here, tuple(map(len, meets)))
    return None


def alone(trace: Trace) -> Iterator[VerdictFinding]:
    """What there is to say of a program that is made for several replicas, and ran in one process."""
    seen = next((event for event in reversed(trace.events) if isinstance(event, ReplicaSeen) and event.told), None)
    if seen and seen.devices > 1:
        yield _threads(Lane(seen, trace))
    elif seen and seen.count == 1:
        yield finding(say("one-replica.alone"), "note")


def _threads(lane: Lane) -> VerdictFinding:
    return finding(say("replica-threads.together", count=lane.seen.devices), "note")


def executed(trace: Trace) -> Iterator[Executed]:
    """The graphs that a process ran, in order.

    Only a compile shows which graph it is. One that was there already is the one that was compiled at this place with
    this size; there may be several.
    """
    known: dict[tuple[Site | None, int], set[str]] = {}
    before, since, step, trains = Counts(), Counts(), 1, False
    for event in trace.events:
        if isinstance(event, Point):
            since = since + event.added
            here = Executed(event.site, step, frozenset(), trains)
            if event.graph and not event.added.executions:
                # torch.compile makes its graphs ahead, and runs them without a word of their size.
                known.setdefault((event.site, 0), set()).add(event.graph)
            if event.kind == RENDEZVOUS:
                # It stands for one graph: those that it is made of are as large as what is exchanged.
                yield replace(here, graphs=frozenset({RENDEZVOUS}), trains=False)
            else:
                yield from _executed(here, event.added, event.graph, known)
        elif isinstance(event, Boundary) and event.source == MARKER:
            here = Executed(event.site, step, frozenset(), trains)
            yield from _executed(here, event.totals - before - since, None, known)
            before, since, step, trains = event.totals, Counts(), step + 1, False
        elif isinstance(event, Boundary):
            trains = True


def _executed(
    here: Executed, added: Counts, graph: str | None, known: dict[tuple[Site | None, int], set[str]]
) -> Iterator[Executed]:
    if added.executions <= 0:
        return
    candidates = known.setdefault((here.site, added.nodes // added.executions), set())
    if graph and added.executions == 1:
        candidates.add(graph)
        yield replace(here, graphs=frozenset({graph}))
    else:
        names = frozenset() if added.compiles else frozenset(candidates)
        yield from (replace(here, graphs=names) for _ in range(added.executions))


def _until_unknown(runs: Sequence[Executed]) -> list[Executed]:
    end = next((index for index, run in enumerate(runs) if not run.graphs), len(runs))
    return list(runs[:end])


def _odd(here: Sequence[Executed]) -> int | None:
    """The first that runs another graph than most; None if all run the same."""
    groups = [[other for other, run in enumerate(here) if run.graphs & mine.graphs] for mine in here]
    most = max(groups, key=len)
    return next((index for index in range(len(here)) if index not in most), None)


def _different(several: Sequence[Lane], parted: _Parting, graphs: Mapping[str, GraphSeen]) -> VerdictFinding:
    here = [run for run in parted.here if run is not None]
    odd = _odd(here)
    assert odd is not None
    usual = next(index for index, run in enumerate(here) if not run.graphs & here[odd].graphs)
    one, other = here[usual], here[odd]
    a, b = several[usual].ordinal, several[odd].ordinal
    others = [several[index].ordinal for index, run in enumerate(here) if run.graphs & one.graphs]
    if RENDEZVOUS in one.graphs | other.graphs:
        return _alone_in_a_rendezvous(one, other, a, b, others)
    seen = [graphs[min(run.graphs)] for run in (one, other)]
    told, line, recipe = "", None, "same: any"
    if all(graph.nodes for graph in seen):
        old, new = (from_text(graph.nodes) for graph in seen)
        line = place_apart(old, new)
        words = Wording(f"in replica {a}, here", f"is in replica {b} alone", f"is in replica {a} alone")
        told = difference(old, new, Names(lambda path: True), words).words
        recipe = _recipe(old, new, told)
    elsewhere = say.phrase("run in line", line=other.site.line) if line and other.site else ""
    if one.site and other.site and (one.site.path, one.site.line) != (other.site.path, other.site.line):
        line = None  # two places, and neither is a part of the other's graph
        elsewhere = say.phrase("run in lines", line=other.site.line, other=a, there=one.site.line)
    said = say(
        "replicas-differ.graphs",
        ordinal=b,
        others=_replicas(others),
        step=other.step,
        run=elsewhere,
        difference=say.phrase("difference", words=told) if told else "",
        recipe=say.phrase(recipe),
    )
    found = finding(said, "fail", other.site, count=1, steps=(other.step,), rule="XP603")
    if line is None:
        return found
    # Where the graphs come apart is what has to change, and not the barrier that runs them.
    inside = other.site.function if other.site and other.site.path == line[0] else None
    return replace(found, path=line[0], line=line[1], function=inside)


def _alone_in_a_rendezvous(one: Executed, other: Executed, a: int, b: int, others: Sequence[int]) -> VerdictFinding:
    is_odd = RENDEZVOUS in other.graphs
    waits, goes_on = (other, one) if is_odd else (one, other)
    together = _replicas(others)
    waiting, running = (f"replica {b}", together) if is_odd else (together, f"replica {b}")
    run = say.phrase("at line", line=goes_on.site.line) if goes_on.site else ""
    said = say("replicas-differ.rendezvous", step=waits.step, waiting=waiting, running=running, run=run)
    return finding(said, "fail", waits.site, count=1, steps=(waits.step,), rule="XP603")


def _recipe(old: Graph, new: Graph, told: str) -> str:
    if "constant " in told:
        return "same: number"
    if [node.op for node in old.nodes] != [node.op for node in new.nodes]:
        return "same: operations"
    if sorted(node.shape for node in old.inputs) != sorted(node.shape for node in new.inputs):
        return "same: shapes"
    return "same: number"


def _fewer(several: Sequence[Lane], parted: _Parting) -> VerdictFinding:
    goes_on, run = next((index, run) for index, run in enumerate(parted.here) if run is not None)
    stopped = [index for index, run in enumerate(parted.here) if run is None]
    more, fewer = parted.meetings[goes_on], parted.meetings[stopped[0]]
    said = say(
        "replicas-differ.fewer",
        ordinal=several[goes_on].ordinal,
        more=more,
        stopped=_replicas([several[index].ordinal for index in stopped]),
        fewer=fewer,
        step=run.step,
    )
    return finding(said, "fail", run.site, count=more - fewer, steps=(run.step,), rule="XP603")


def _apart(
    several: Sequence[Lane], ran: Sequence[Sequence[Executed]], meeting: frozenset[str]
) -> Iterator[VerdictFinding]:
    """Do the replicas train, and share nothing?"""
    trained = [run for runs in ran for run in runs if run.trains]
    if not trained or any(not run.graphs or run.graphs & meeting for run in trained):
        return
    first = min(run.step for run in trained)
    # Replicas that average their parameters now and then meet in other graphs.
    later = any(run.graphs & meeting and run.step > first for runs in ran for run in runs)
    stepped = [
        event.site
        for event in several[0].trace.events
        if isinstance(event, Boundary) and event.source != MARKER and event.site
    ]
    yield finding(
        say("replicas-apart.no_collectives", replicas=_replicas([lane.ordinal for lane in several])),
        "note" if later else "fail",
        stepped[0] if stepped else _first_site(several[0].trace),
        count=len(stepped),
        rule="XP603",
    )


def _first_site(trace: Trace) -> Site | None:
    return next((event.site for event in trace.events if isinstance(event, Point | Boundary) and event.site), None)


def _replicas(ordinals: Sequence[int]) -> str:
    shown = [str(ordinal) for ordinal in ordinals[:6]] + (["…"] if len(ordinals) > 6 else [])
    return f"replica {shown[0]}" if len(shown) == 1 else f"replicas {', '.join(shown[:-1])} and {shown[-1]}"
