"""What a TPU would make of a run, as a part of the verdict's page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from xlaport.report.markup import Markup, element
from xlaport.report.on_chip import answer, is_worth_telling, place, size, speed
from xlaport.report.page import section, sentence, table
from xlaport.report.saying import say
from xlaport.verify.on_chip import GraphOnChip, Held, Memory, OnChip

_LINES = 10
"""Lines with their share of the time that are shown, at most."""


def parts(chip: OnChip, directory: Path | None) -> Iterator[Markup]:
    """A section for a chip: its answer, and the memory of each graph."""
    inner = (part for each in chip.graphs for part in _graph(each, directory))
    said = say.phrase("chip", name=chip.name, compiler=chip.compiler, answer=answer(chip))
    yield section(f"tpu-{chip.code}", f"On a {chip.name}", element("p", f"{said}."), *inner)


def _graph(each: GraphOnChip, directory: Path | None) -> Iterator[Markup]:
    memory = each.memory
    yield element("h3", f"The graph of {place(each.graph.site, directory)}")
    if each.error:
        yield element("p", each.error)
    if memory is None:
        return
    rows = [[kind, size(count), f"{count / memory.peak:.0%}"] for kind, count in memory.kinds]
    if each.beside:
        rows.append([say.phrase("held"), size(each.beside), ""])
    yield table((f"{size(memory.peak)} at its peak", "size", "share"), rows)
    if memory.largest:
        heads = ("largest values", "size", "padding", "what", "line")
        yield table(heads, [_held(item, memory, directory) for item in memory.largest])
    yield from _costs(each, directory)


def _costs(each: GraphOnChip, directory: Path | None) -> Iterator[Markup]:
    if each.work is not None and is_worth_telling(each.work):
        yield element("p", sentence(speed(each.work)))
    if each.costs:
        rows = [[cost.reason, cost.advice, place(cost.site, directory) if cost.site else ""] for cost in each.costs]
        yield table(("what costs most", "what would help", "line"), rows)
    if each.lines:
        rows = [[place(line.site, directory), f"{line.share:.0%}", size(line.bytes)] for line in each.lines[:_LINES]]
        yield table(("where the time goes", "share", "moved"), rows)


def _held(item: Held, memory: Memory, directory: Path | None) -> list[str]:
    where = place(item.site, directory) if item.site else ""
    return [item.shape, size(item.bytes), size(item.padding) if item.padding else "", item.kind, where]
