"""What a TPU would make of the steady steps of a verified run."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from xlaport.caching.store import Store
from xlaport.tpu.chips import Chip
from xlaport.tpu.compiler import LIBTPU, Compiler
from xlaport.tpu.labels import donors, labelled
from xlaport.tpu.memory import Roles, beside, memory
from xlaport.tpu.origins import Origins
from xlaport.tpu.program import read_program
from xlaport.tpu.saying import say
from xlaport.verify import VerifyRequest, verify
from xlaport.verify.counts import Site
from xlaport.verify.on_chip import GraphOnChip, OnChip, SteadyGraph
from xlaport.verify.verdict import Verdict, VerdictFinding, finding

_WANTED = re.compile(r"memory space hbm\. Used ([\d.]+)([KMGT]?) of ")
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
GIB = 2**30


@dataclass(frozen=True)
class Tpu:
    """The TPUs that graphs are compiled for. `timeout` (seconds) is for one graph; `store` remembers what came."""

    chips: tuple[Chip, ...]
    timeout: float
    store: Store

    def verified(self, request: VerifyRequest, tell: Callable[[str], None] = lambda what: None) -> Verdict:
        """The verdict on a script, with what each of the chips would make of its steady steps. See `verify`.

        `tell` is told what is compiled now. Raises `UserError` where there is no compiler, or where it breaks.
        """
        compiler = Compiler(request.python, self.store, self.timeout)
        with tempfile.TemporaryDirectory(prefix="xlaport-graphs-", ignore_cleanup_errors=True) as folder:
            verdict = verify(replace(request, graphs=Path(folder)))
            return on_chips(verdict, Path(folder), self.chips, compiler, tell)


def on_chips(
    verdict: Verdict,
    folder: Path,
    chips: Sequence[Chip],
    compiler: Compiler,
    tell: Callable[[str], None] = lambda what: None,
) -> Verdict:
    """The verdict, with what each of the chips would make of the graphs kept in a folder. See `Tpu.verified`."""
    graphs = verdict.details.graphs
    if not graphs:
        nothing = [finding(say("tpu-nothing.steady"), "fail")] if verdict.verdict == "pass" else []
        return replace(verdict, findings=(*verdict.findings, *nothing))
    found, said = list[OnChip](), list[VerdictFinding]()
    for chip in chips:
        made, besides = list[GraphOnChip](), list[int]()
        for graph in graphs:
            tell(f"compiling for {chip.name}: the graph of {_place(graph.site)}")
            one, rest = _on_chip(verdict, graph, (folder / graph.dump).read_bytes(), chip, compiler)
            made.append(one)
            besides.append(rest)
        whole = OnChip(chip.code, chip.name, chip.count, chip.usable, min(besides), f"libtpu {LIBTPU}", tuple(made))
        found.append(whole)
        said += _findings(whole)
    level = "fail" if verdict.verdict == "pass" and any(item.severity == "fail" for item in said) else verdict.verdict
    return replace(verdict, verdict=level, chips=tuple(found), findings=(*verdict.findings, *said))


def _on_chip(
    verdict: Verdict, graph: SteadyGraph, dump: bytes, chip: Chip, compiler: Compiler
) -> tuple[GraphOnChip, int]:
    """A graph on a chip, and what lies on the device beside it."""
    compiled = compiler.compiled(dump, chip)
    if compiled.error:
        wanted = _WANTED.search(compiled.error)
        size = int(float(wanted[1]) * _UNITS[wanted[2]]) if wanted else 0
        return GraphOnChip(graph, compiled.error, size), 0
    program, tensors = read_program(compiled.dump), verdict.details.tensors
    taken = memory(compiled, program, Origins(dump), Roles(tensors), graph.backwards)
    rest = beside(tensors, program, donors(labelled(dump)))
    return GraphOnChip(graph, memory=taken, seconds=compiled.seconds), rest


def _findings(chip: OnChip) -> Iterator[VerdictFinding]:
    for each in chip.graphs:
        if each.wanted:
            said = say("tpu-memory.large", chip=chip.name, used=each.wanted / GIB, there=chip.usable / GIB)
            yield finding(said, "fail", each.graph.site)
        elif each.error:
            why = " ".join(each.error.split())
            yield finding(say("tpu-refused.graph", chip=chip.name, why=why[:300]), "fail", each.graph.site)
    if not chip.fits and not any(each.error for each in chip.graphs):
        largest = max(chip.graphs, key=lambda each: each.memory.peak if each.memory else 0)
        said = say("tpu-memory.beside", chip=chip.name, used=chip.needed / GIB, there=chip.usable / GIB,
                   beside=chip.beside / GIB)  # fmt: skip
        yield finding(said, "fail", largest.graph.site)


def _place(site: Site | None) -> str:
    return f"{Path(site.path).name}:{site.line}" if site is not None else "a graph"
