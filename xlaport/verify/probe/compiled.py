"""Why a graph was compiled: the new dump beside those of the same place before it.

XLA writes the dumps while it compiles (``--xla_dump_to``, set by `launch`), so they are there when the compile
returns. It writes much more than is read here, which is deleted at once.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..differences import GROWTH, OPERATIONS, SHAPE, Difference, Names, difference
from ..events import Change, Site
from ..graphs import DUMP, LARGEST_DUMP, Frame, Graph, nearest, read_graph
from . import dumps, frames, keeping, loading, replicas, training
from .changes import changes
from .lines import with_lines
from .repeats import repeated
from .variables import Variables, renewed

_EXPLAINED = 12
"""Compiles that are explained, per place: after so many it is clear that they do not end."""
_REMEMBERED = 6
"""Graphs that are kept, per place, for new ones to be compared with."""


@dataclass
class _Place:
    """What was compiled at one line."""

    graphs: list[Graph] = field(default_factory=list)
    explained: int = 0
    gradients: tuple[int, int] | None = None
    grown: tuple[str, str, int] | None = None
    """The input whose shape was new at last, that shape, and by how much it was longer than the one before."""


@dataclass(frozen=True)
class Reason:
    """How a graph that was compiled differs from an earlier one of its place: in one line, as one of the kinds of
    `differences`, and side by side. Empty for the first one, and where it was not looked at. `graph`: its digest,
    where replicas are compared. `place`: the user's line that makes the difference. `repeats`: how often it holds the
    work of one line in a loop, `repeated`. `dumps`: the files that hold what was compiled, where they are kept.
    `plain`: it multiplies no matrices and convolves nothing; None where it was not looked at.
    """

    words: str | None = None
    kind: str = ""
    changes: tuple[Change, ...] = ()
    graph: str | None = None
    place: Site | None = None
    repeats: int = 0
    repeated: Site | None = None
    dumps: tuple[str, ...] = ()
    plain: bool | None = None


_places: dict[Site | None, _Place] = {}


def reason(site: Site | None) -> Reason:
    """Why the graph was compiled that has just been compiled here."""
    folder = dumps.folder()
    if not folder:
        return Reason()
    new, kept = None, list[str]()
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.endswith(DUMP) and os.path.getsize(path) <= LARGEST_DUMP:
            with open(path, "rb") as file:
                new = file.read()
        if name.endswith(DUMP) and keeping.is_asked():
            kept.append(keeping.keep(path))
        else:
            os.remove(path)
    return replace(_why(site, new), dumps=tuple(kept))


def _why(site: Site | None, new: bytes | None) -> Reason:
    place = _places.setdefault(site, _Place())
    if new is None or place.explained >= _EXPLAINED:
        return Reason()
    place.explained += 1
    graph = read_graph(new)
    with_gradient, before = training.gradients(), place.gradients
    place.gradients = with_gradient
    said = Reason(graph=replicas.graph_compiled(graph))
    times, line = repeated(graph)
    if place.graphs:
        old = nearest(place.graphs, graph)
        graph = with_lines(graph, old)
        found = _told(place, difference(old, graph, _Known()), before, with_gradient)
        said = Reason(
            found.words, found.kind, changes(old, graph, frames.is_user), said.graph, _site(found.place, old, graph)
        )
    said = replace(said, repeats=times, repeated=line, plain=graph.is_plain)
    place.graphs.append(graph)
    del place.graphs[:-_REMEMBERED]
    return said


def _site(place: Frame | None, *graphs: Graph) -> Site | None:
    """A line of two graphs, and the function it is in."""
    if place is None:
        return None
    function = next((graph.functions[place] for graph in graphs if place in graph.functions), "")
    return frames.site_of(*place, function)


def _told(
    place: _Place, found: Difference, before: tuple[int, int] | None, after: tuple[int, int] | None
) -> Difference:
    """A difference with what is known beside the two graphs."""
    if found.kind == SHAPE:
        grown = longer(found.before, found.after)
        before_that, place.grown = place.grown, (found.who, found.after, grown)
        if grown and before_that == (found.who, found.before, grown):
            return replace(found, words=f"{found.words}, longer every time", kind=GROWTH)
    elif found.kind == OPERATIONS and before and after and before[1] == after[1] and before[0] != after[0]:
        said = f"{after[0]} of {after[1]} parameters have gradients, {before[0]} before"
        why = "some were frozen or unused" if after[0] > before[0] else "some are frozen or unused"
        return replace(found, words=f"{said} ({why}); {found.words}")
    return found


def longer(before: str, after: str) -> int:
    """By how much one shape, as in ``f32[17,128]``, is another made longer in one dimension; 0 if it is not."""
    old, new = (list(map(int, re.findall(r"(?<=[\[,])\d+", shape))) for shape in (before, after))
    by = [b - a for a, b in zip(old, new, strict=False) if a != b]
    return by[0] if len(old) == len(new) and len(by) == 1 and by[0] > 0 else 0


class _Known(Names):
    """What the running program says of its variables; looked up only where it is asked for."""

    def __init__(self) -> None:
        super().__init__(frames.is_user)

    @functools.cached_property
    def _variables(self) -> Variables:
        return Variables()

    def tensor(self, shape: str, lines: Sequence[Frame]) -> str | None:
        """See `Variables.tensor`."""
        return self._variables.tensor(shape, lines)

    def renewed(self, lines: Sequence[Frame]) -> str | None:
        """See `variables.renewed`."""
        return renewed(lines)

    def number(self, value: float, lines: Sequence[Frame]) -> str | None:
        """See `Variables.number`."""
        return self._variables.number(value, lines)

    def batch(self, before: str, after: str) -> str | None:
        """See `loading.last_batch`."""
        return loading.last_batch(before, after)
