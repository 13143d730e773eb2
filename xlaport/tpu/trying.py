"""What a TPU would make of the steady steps of a verified run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from xlaport.caching.store import Store
from xlaport.errors import UserError
from xlaport.tpu.batches import batch_of, largest, with_batch
from xlaport.tpu.chips import Chip
from xlaport.tpu.collectives import collectives
from xlaport.tpu.compiler import Compiler
from xlaport.tpu.costs import costs_of, lines_of
from xlaport.tpu.memory import GRADIENTS, KEPT, OUTPUTS, PARAMETERS, STATES, TEMPORARIES, Roles, beside, memory
from xlaport.tpu.needed import LIBTPU
from xlaport.tpu.origins import Origins
from xlaport.tpu.program import read_program
from xlaport.tpu.refusal import read_refusal
from xlaport.tpu.saying import say
from xlaport.tpu.spreading import devices_of, spread_of
from xlaport.tpu.work import work_of
from xlaport.verify import VerifyRequest, verify
from xlaport.verify.counts import Site
from xlaport.verify.on_chip import GraphOnChip, Memory, OnChip, SteadyGraph
from xlaport.verify.sandbox import copied_folder, restored_from_any
from xlaport.verify.verdict import Verdict, VerdictFinding, finding

GIB = 2**30
_LARGE = {
    KEPT: "backward",
    TEMPORARIES: "backward",
    "program": "backward",
    PARAMETERS: "model",
    STATES: "model",
    GRADIENTS: "model",
    OUTPUTS: "twice",
}
"""What is said of a graph that is too large, by the kind of memory that it takes most of."""


@dataclass(frozen=True)
class Tpu:
    """The TPUs that graphs are compiled for. `timeout` (seconds) is for one graph; `store` remembers what came.

    `most`: bytes of a chip's memory that a graph may take, if not all that is there; `longest`: seconds that a step may
    take at best. `batch`: the option of the script that names its batch, where the largest that fits is asked for.
    """

    chips: tuple[Chip, ...]
    timeout: float
    store: Store
    most: float | None = None
    longest: float | None = None
    batch: str | None = None

    def verified(self, request: VerifyRequest, tell: Callable[[str], None] = lambda what: None) -> Verdict:
        """The verdict on a script, with what each of the chips would make of its steady steps. See `verify`.

        `tell` is told what is compiled now. Raises `UserError` where there is no compiler, or where it breaks.
        """
        request = replace(request, devices=devices_of(self.chips, request.replicas))
        compiler = Compiler(request.python, self.store, self.timeout, tell)
        first = batch_of(request, self.batch) if self.batch is not None else 0
        verdict, found = self._tried(request, self.chips, compiler, tell)
        if self.batch is not None and found:
            found = tuple(
                self._with_largest(chip, own, first, request, compiler, tell)
                for chip, own in zip(self.chips, found, strict=True)
            )
        return self._judged(verdict, found)

    def _tried(
        self, request: VerifyRequest, chips: Sequence[Chip], compiler: Compiler, tell: Callable[[str], None]
    ) -> tuple[Verdict, tuple[OnChip, ...]]:
        """The verdict on a run, and what the chips would make of its graphs."""
        with tempfile.TemporaryDirectory(prefix="xlaport-graphs-", ignore_cleanup_errors=True) as folder:
            verdict = verify(replace(request, graphs=Path(folder)))
            found = on_chips(verdict, Path(folder), chips, compiler, tell)
        if request.sandbox is not None:
            found = restored_from_any(found, copied_folder(request))
        return verdict, found

    def _with_largest(
        self,
        chip: Chip,
        found: OnChip,
        first: int,
        request: VerifyRequest,
        compiler: Compiler,
        tell: Callable[[str], None],
    ) -> OnChip:
        """What is known of a chip, with the largest batch that fits on it."""
        option = self.batch or ""

        def needed(batch: int) -> float:
            if batch == first:
                return found.needed
            tell(f"{option} {batch}: run, and compiled for {chip.name}")
            verdict, own = self._tried(with_batch(request, option, batch), [chip], compiler, lambda what: None)
            if not own:
                why = next((item.reason for item in verdict.findings), "no steady step was seen")
                raise UserError(f"--largest-batch {option}: with {batch} the script makes no steady steps: {why}")
            return own[0].needed

        limit = min(chip.usable, self.most if self.most is not None else chip.usable)
        return replace(found, largest=largest(first, limit, needed))

    def _judged(self, verdict: Verdict, found: tuple[OnChip, ...]) -> Verdict:
        said = [item for chip in found for item in (*_findings(chip, self.most), *_late(chip, self.longest))]
        if not found:
            said = [finding(say("tpu-nothing.steady"), "fail")] if verdict.verdict == "pass" else []
        fails = any(item.severity == "fail" for item in said)
        level = "fail" if verdict.verdict == "pass" and fails else verdict.verdict
        return replace(verdict, verdict=level, chips=found, findings=(*verdict.findings, *said))


def on_chips(
    verdict: Verdict, folder: Path, chips: Sequence[Chip], compiler: Compiler, tell: Callable[[str], None]
) -> tuple[OnChip, ...]:
    """What each of the chips would make of the graphs kept in a folder; nothing where there is none."""
    graphs = verdict.details.graphs
    found = list[OnChip]()
    for chip in chips if graphs else ():
        made = list[GraphOnChip]()
        for graph in graphs:
            tell(f"compiling for {chip.name}: {_name(graph.site)}")
            made.append(_on_chip(verdict, graph, (folder / graph.dump).read_bytes(), chip, compiler))
        found.append(OnChip(chip.code, chip.name, chip.count, chip.usable, f"libtpu {LIBTPU}", tuple(made)))
    return tuple(found)


def _on_chip(verdict: Verdict, graph: SteadyGraph, dump: bytes, chip: Chip, compiler: Compiler) -> GraphOnChip:
    name, origins = _name(graph.site), Origins(dump)
    spread = spread_of(dump, chip, len(verdict.replicas) or 1, name)
    compiled = compiler.compiled(dump, chip, name, spread)
    if compiled.error:
        why = read_refusal(compiled.error, origins)
        taken = Memory(why.wanted, why.kinds, 0, why.largest) if why.wanted else None
        return GraphOnChip(graph, why.why, taken, blamed=why.site, chips=spread.chips)
    program, tensors = read_program(compiled.dump), verdict.details.tensors
    taken = memory(compiled, program, origins, Roles(tensors), graph.backwards)
    rest = beside(tensors, program, trains=graph.trains)
    shared = replace(chip, count=spread.partitions)  # of replicas, each does the whole work of its graph
    return GraphOnChip(
        graph,
        memory=taken,
        beside=rest,
        seconds=compiled.seconds,
        chips=spread.chips,
        collectives=collectives(program, origins, spread.chips),
        work=work_of(dump, program, shared),
        costs=costs_of(dump, program, shared),
        lines=lines_of(dump, program, shared),
    )


def _findings(chip: OnChip, most: float | None) -> Iterator[VerdictFinding]:
    if chip.used < chip.count:
        yield finding(say("tpu-slice.idle", chip=chip.name, used=chip.used, count=chip.count), "note")
    for each in chip.graphs:
        if each.error and each.memory is None:
            said = say("tpu-refused.graph", chip=chip.name, why=each.error)
            yield finding(said, "fail", each.blamed or each.graph.site, seen_at=each.graph.site)
        elif each.memory is not None and each.needed > chip.usable:
            used, there, more = (size / GIB for size in (each.needed, chip.usable, each.beside))
            largest = max(each.memory.kinds, key=lambda pair: pair[1], default=("", 0))[0]
            if each.beside > each.memory.peak:
                said = say("tpu-memory.beside", chip=chip.name, used=used, there=there, beside=more)
            else:
                why = _LARGE.get(largest, "other")
                why = "sharded" if why == "model" and each.chips > 1 else why
                said = say(f"tpu-memory.{why}", chip=chip.name, used=used, there=there)
            lines = (each.blamed, *(item.site for item in each.memory.largest), each.graph.site)
            yield finding(said, "fail", next(filter(None, lines), None), seen_at=each.graph.site)
        elif most is not None and each.needed > most:
            said = say("tpu-budget.memory", chip=chip.name, used=each.needed / GIB, most=most / GIB)
            yield finding(said, "fail", each.graph.site)


def _late(chip: OnChip, longest: float | None) -> Iterator[VerdictFinding]:
    for graph, seconds in chip.steps if longest is not None else ():
        if longest is not None and seconds > longest:
            said = say("tpu-budget.time", chip=chip.name, took=seconds * 1000, most=longest * 1000)
            yield finding(said, "fail", graph.loop)


def _name(site: Site | None) -> str:
    return f"the graph of {Path(site.path).name}:{site.line}" if site is not None else "a graph"
