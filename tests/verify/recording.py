"""Recordings of runs made by hand, in the words of a script: `step`, `sync`, `read`, `fallback`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from xlaport.verify.events import (
    Boundary,
    Counts,
    End,
    Event,
    LeftBehind,
    Loaded,
    OptimizerSeen,
    ParametersCompared,
    Point,
    Site,
    Trace,
)
from xlaport.verify.judge import judge
from xlaport.verify.launch import Run
from xlaport.verify.request import Budgets
from xlaport.verify.verdict import Verdict, VerdictFinding

HERE = Path("/project")
SCRIPT = str(HERE / "train.py")
STEP, SYNC, READ, BUILT, MOVED, BACKWARD = 10, 20, 30, 5, 40, 9
"""Lines of the imaginary script."""


def at(line: int) -> Site:
    return Site(SCRIPT, line, "train")


class Recording:
    """Events in the order in which a script makes them."""

    def __init__(self, *loaded: str, device: str = "CPU") -> None:
        self.totals = Counts()
        self.events: list[Event] = [
            Loaded(name, "2.9.0", device if name == "torch_xla" else "") for name in (loaded or ("torch", "torch_xla"))
        ]

    def optimizer(self, *, cpu: int = 0, xla: int = 4, gradients: int = 4, step: int = 1) -> Recording:
        self.events.append(OptimizerSeen(0, "Adam", at(BUILT), step, cpu + xla, cpu, xla, gradients))
        return self

    def compared(self, changed: int, step: int = 10) -> Recording:
        self.events.append(ParametersCompared(0, step, 4, changed))
        return self

    def left_behind(self, how: str, parameters: int = 4, since: int = 6, lost: int = 5) -> Recording:
        site = None if how == "rebuilt" else at(MOVED)
        self.events.append(LeftBehind(0, parameters, 4, since, lost, how, site))
        return self

    def step(self, line: int = STEP, optimizer: int = 0) -> Recording:
        self.events.append(Boundary("optimizer", "step", at(line), self.totals, optimizer))
        return self

    def sync(
        self, compiles: int = 0, executions: int = 1, line: int = SYNC, nodes: int = 50, backwards: int = 0
    ) -> Recording:
        added = Counts(compiles, executions, nodes=nodes)
        if compiles:
            self.point("sync", line, added)
        else:
            self.totals = self.totals + added
        passes = (backwards, at(BACKWARD)) if backwards else (0, None)
        self.events.append(Boundary("marker", "sync", at(line), self.totals, None, 0, 0.0, 0.0, *passes))
        return self

    def read(
        self,
        line: int = READ,
        *,
        pending: bool = False,
        compiles: int = 0,
        direct: bool = True,
        overlaps: bool = False,
        nodes: int = 8,
        offset: int = 0,
        plain: bool | None = None,
    ) -> Recording:
        """A host read; of a `pending` graph, which it runs, or of what the barrier has computed."""
        added = Counts(compiles, int(pending or compiles > 0), 1, nodes * pending)
        return self.point("read", line, added, direct, overlaps=overlaps, offset=offset, plain=plain)

    def fallback(self, op: str, line: int = READ) -> Recording:
        return self.point("fallback", line, Counts(0, 1, 1, 10, {op: 1}))

    def point(
        self,
        kind: str,
        line: int,
        added: Counts,
        direct: bool = True,
        thread: int = 0,
        *,
        overlaps: bool = False,
        offset: int = 0,
        place: int | None = None,
        plain: bool | None = None,
    ) -> Recording:
        self.totals = self.totals + added
        where, cause = at(line), at(place) if place else None
        self.events.append(
            Point(
                kind, where, added, None, None, direct, (), 0.0, thread, None, "", cause, overlaps, offset, plain=plain
            )
        )
        return self

    def beside(self, line: int, *, op: str = "", thread: int = 7, overlaps: bool = False) -> Recording:
        """What a thread beside the loop does: a read of pending work, or a fallback."""
        added = Counts(0, 1, 1, 8, {op: 1} if op else {})
        return self.point("fallback" if op else "read", line, added, thread=thread, overlaps=overlaps)

    def train(self, compiles: Iterable[int], line: int = SYNC) -> Recording:
        """Training steps with a barrier each, by how many graphs each compiles."""
        for count in compiles:
            self.step().sync(count, line=line)
        return self

    def evaluate(self, compiles: Iterable[int], line: int = 60) -> Recording:
        """Steps of a loop without an optimizer."""
        for count in compiles:
            self.sync(count, line=line)
        return self

    def end(self, reason: str = "exit") -> Recording:
        self.events.append(End(reason, self.totals))
        return self

    def run(
        self,
        *,
        exit_code: int | None = 0,
        signal: int | None = None,
        timed_out: bool = False,
        tail: str = "",
        ended: bool = True,
    ) -> Run:
        """The run; Python has said that it ends, if the exit code is that of one that did, unless `ended` is false."""
        said = any(isinstance(event, End) for event in self.events)
        if exit_code == 0 and ended and not said and not timed_out:
            self.end()
        trace = Trace(1, tuple(self.events))
        return Run(("python", "train.py"), HERE, exit_code, signal, timed_out, 12.0, tail, (trace,))

    def verdict(self, budgets: Budgets | None = None) -> Verdict:
        return judge(self.run(), budgets or Budgets())


def found(verdict: Verdict, severity: str = "fail") -> set[tuple[str, int | None]]:
    """Kinds and lines of the findings."""
    return {(item.kind, item.line) for item in verdict.findings if item.severity == severity}


def one(verdict: Verdict, kind: str) -> VerdictFinding:
    """The only finding of its kind."""
    (finding,) = [item for item in verdict.findings if item.kind == kind]
    return finding
