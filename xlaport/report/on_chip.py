"""What a TPU would make of a run, as a part of the verdict's JSON and text."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from xlaport.report.saying import say
from xlaport.report.verdict_words import relative
from xlaport.verify.counts import Site
from xlaport.verify.on_chip import MATRIX, Collective, Cost, GraphOnChip, Held, Largest, Memory, OnChip, Work

_UNITS = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))
_KINDS, _HELD, _COSTS = 6, 3, 5
"""Kinds of memory, largest values, and costs, that the text lists; the JSON has them all."""
_WIDTH = 100
_MOMENT = 1e-6
"""Seconds."""
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_OPERATIONS = ((1e12, "TFLOP"), (1e9, "GFLOP"), (1e6, "MFLOP"))
_MOVED = ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"))
_SMALL = 0.01
"""The part of the memory below which a kind of it, or the padding, is not worth a word; nor is a graph's, of a chip."""


def as_dict(chip: OnChip, directory: Path | None) -> dict[str, Any]:
    """An object: the chip, what it has and needs (bytes of one chip), and each graph of the steady steps."""
    return {
        "tpu": chip.code,
        "name": chip.name,
        "chips": chip.count,
        "used": chip.used,
        "compiler": chip.compiler,
        "fits": chip.fits,
        "usable": chip.usable,
        "needed": chip.needed,
        "largest_batch": _largest(chip.largest) if chip.largest else None,
        "graphs": [_graph(each, directory) for each in chip.graphs],
    }


def _graph(each: GraphOnChip, directory: Path | None) -> dict[str, Any]:
    return {
        **_site(each.graph.site, directory),
        "loop": _site(each.graph.loop, directory),
        "trains": each.graph.trains,
        "per_step": each.graph.per_step,
        "error": each.error or None,
        "beside": each.beside,
        "compile_seconds": round(each.seconds, 2),
        "memory": _memory(each.memory, directory) if each.memory else None,
        "work": _work(each.work) if each.work else None,
        "costs": [_cost(item, directory) for item in each.costs],
        "lines": [{**_site(item.site, directory), "share": item.share, "bytes": item.bytes} for item in each.lines],
        "chips": each.chips,
        "collectives": [
            {**_site(item.site, directory), "kind": item.kind, "count": item.count, "bytes": item.bytes}
            for item in each.collectives
        ],
    }


def _largest(found: Largest) -> dict[str, Any]:
    return {"batch": found.batch, "tried": [{"batch": batch, "needed": needed} for batch, needed in found.tried]}


def _work(work: Work) -> dict[str, Any]:
    """Times in milliseconds."""
    return {
        "flops": work.flops,
        "padding": round(work.padding, 4),
        "bytes": work.bytes,
        "matrix_ms": work.matrix_seconds * 1000,
        "memory_ms": work.memory_seconds * 1000,
        "compiler_ms": work.estimate * 1000,
        "least_ms": work.seconds * 1000,
        "bound": work.bound,
    }


def _cost(cost: Cost, directory: Path | None) -> dict[str, Any]:
    return {
        **_site(cost.site, directory),
        "kind": cost.kind,
        "share": cost.share,
        "of": "memory" if cost.of_memory else "time",
        "bytes": cost.bytes,
        "reason": cost.reason,
        "advice": cost.advice,
    }


def _memory(memory: Memory, directory: Path | None) -> dict[str, Any]:
    return {
        "peak": memory.peak,
        "padding": memory.padding,
        "kinds": dict(memory.kinds),
        "largest": [
            {
                **_site(item.site, directory),
                "bytes": item.bytes,
                "padding": item.padding,
                "kind": item.kind,
                "shape": item.shape,
            }
            for item in memory.largest
        ],
    }


def _site(site: Site | None, directory: Path | None) -> dict[str, Any]:
    return {"path": relative(site.path, directory), "line": site.line} if site else {"path": None, "line": None}


def answer(chip: OnChip) -> str:
    """Whether it takes the graphs, whether they fit, and where the chips of a slice meet, in words."""
    if any(each.error and each.memory is None for each in chip.graphs):
        return say.phrase("chip refuses")
    key = "chip fits" if chip.fits else "chip is too small"
    told = say.phrase(key, needed=size(chip.needed), usable=size(chip.usable))
    busiest = max(chip.graphs, key=_per_step, default=None)
    if busiest is None or not busiest.collectives:
        return told
    return say.phrase("meeting", answer=told, met=", ".join(_by_kind(busiest)))


def as_lines(chip: OnChip, directory: Path | None) -> Iterator[str]:
    """The chip with its answer, then each graph with what its memory is made of."""
    yield say.phrase("chip", name=chip.name, compiler=chip.compiler, answer=answer(chip))
    if chip.largest is not None:
        yield f"    {_batches(chip.largest)}"
    for each in chip.graphs:
        if each.memory is not None:
            yield from _lines(each, each.memory, chip, directory)


def _batches(found: Largest) -> str:
    if not found.batch:
        return say.phrase("no batch fits", least=found.tried[0][0], needed=size(found.tried[0][1]))
    needed = dict(found.tried)
    above = min((batch for batch in needed if batch > found.batch), default=None)
    said = say.phrase("largest batch", batch=found.batch, needed=size(needed[found.batch]))
    return said if above is None else said + say.phrase("next batch", batch=above, needed=size(needed[above]))


def _lines(each: GraphOnChip, memory: Memory, chip: OnChip, directory: Path | None) -> Iterator[str]:
    kinds = [f"{size(bytes)} {kind}" for kind, bytes in memory.kinds[:_KINDS] if bytes > _SMALL * memory.peak]
    said = say.phrase(
        "graph's memory", place=place(each.graph.site, directory), peak=size(memory.peak), kinds=", ".join(kinds)
    )
    yield f"    {said}"
    if each.beside > _SMALL * each.needed:
        yield "      " + say.phrase("beside the graph", size=size(each.beside))
    if memory.peak > _SMALL * chip.usable:
        if memory.padding > _SMALL * memory.peak:
            yield "      " + say.phrase("padding", size=size(memory.padding))
        for item in memory.largest[:_HELD]:
            yield f"      {_held(item, directory)}"
    if each.work is not None and is_worth_telling(each.work):
        yield f"      {speed(each.work)}"
    for collective in each.collectives[:_HELD]:
        yield f"      {_met(collective, directory)}"
    for cost in each.costs[:_COSTS]:
        where = f"{place(cost.site, directory)}: " if cost.site else ""
        yield from textwrap.wrap(
            f"{where}{cost.reason} -> {cost.advice}", _WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 10,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip


def is_worth_telling(work: Work) -> bool:
    """Whether a graph takes long enough to be spoken of: to start one takes a host some microseconds."""
    return max(work.seconds, work.estimate) > _MOMENT


def speed(work: Work) -> str:
    """How fast a graph can be at best, and what bounds it, in words."""
    key = "bound by the matrix unit" if work.bound == MATRIX else "bound by memory"
    return say.phrase(
        key,
        least=_quantity(work.seconds, _TIMES),
        matrix=_quantity(work.matrix_seconds, _TIMES),
        memory=_quantity(work.memory_seconds, _TIMES),
        estimate=_quantity(work.estimate, _TIMES),
        operations=_quantity(work.flops, _OPERATIONS),
        moved=_quantity(work.bytes, _MOVED),
        padding=work.padding,
    )


def _quantity(value: float, units: Sequence[tuple[float, str]]) -> str:
    """In the largest unit of which there is one, else in the smallest; three digits."""
    unit, name = next((pair for pair in units if value >= pair[0]), units[-1])
    digits = max(0, 2 - math.floor(math.log10(value / unit))) if value > 0 else 0
    return f"{value / unit:.{min(digits, 2)}f} {name}"


def _per_step(each: GraphOnChip) -> float:
    """The bytes that its collectives bring to a chip in a step."""
    return each.graph.per_step * sum(item.bytes for item in each.collectives)


def _by_kind(each: GraphOnChip) -> Iterator[str]:
    """The collectives of a step, all of a kind together."""
    for kind in dict.fromkeys(item.kind for item in each.collectives):
        met = [item for item in each.collectives if item.kind == kind]
        count, moved = sum(item.count for item in met), sum(item.bytes for item in met)
        yield _counted(round(each.graph.per_step * count), kind, round(each.graph.per_step * moved))


def _met(item: Collective, directory: Path | None) -> str:
    said = _counted(item.count, item.kind, item.bytes)
    return f"{said}, {place(item.site, directory)}" if item.site else said


def _counted(count: int, kind: str, moved: int) -> str:
    return say.phrase("collectives", count=count, kind=kind if count == 1 else f"{kind}s", size=size(moved))


def _held(item: Held, directory: Path | None) -> str:
    where = f", {place(item.site, directory)}" if item.site else ""
    return f"{size(item.bytes)} {item.shape} ({item.kind}{where})"


def place(site: Site | None, directory: Path | None) -> str:
    """A line of the user's, as reports name it."""
    return f"{relative(site.path, directory)}:{site.line}" if site else say.phrase("a graph")


def size(count: int) -> str:
    """So many bytes, in the largest unit that they fill."""
    unit, name = next((pair for pair in _UNITS if count >= pair[0]), (1, "bytes"))
    return f"{count / unit:.{1 if unit > 1 else 0}f} {name}"
