"""Why a graph was compiled: the new dump beside those of the same place before it.

XLA writes the dumps while it compiles (``--xla_dump_to``, set by `launch`), so they are there when the compile
returns. It writes much more than is read here, which is deleted at once.
"""

from __future__ import annotations

import os

from ..events import Change, Site
from ..graphs import Graph, difference, nearest, read_graph
from . import dumps, frames, replicas
from .changes import changes

_WANTED = ".before_optimizations.hlo.pb"
_EXPLAINED = 12
"""Compiles that are explained, per place: after so many it is clear that they do not end."""
_REMEMBERED = 6
_LARGEST = 20_000_000
"""Bytes of a dump that are read, at most: reading takes about a second for each 10 MB (measured)."""

_graphs: dict[Site | None, list[Graph]] = {}
_explained: dict[Site | None, int] = {}


def reason(site: Site | None) -> tuple[str | None, tuple[Change, ...], str | None]:
    """How the graph that has just been compiled here differs from an earlier one: in one line, and side by side; and
    its digest, where replicas are compared.

    Nothing is said of the first one.
    """
    folder = dumps.folder()
    if not folder:
        return None, (), None
    new = None
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.endswith(_WANTED) and os.path.getsize(path) <= _LARGEST:
            with open(path, "rb") as file:
                new = file.read()
        os.remove(path)
    if new is None or _explained.get(site, 0) >= _EXPLAINED:
        return None, (), None
    _explained[site] = _explained.get(site, 0) + 1
    graph = read_graph(new)
    earlier = _graphs.setdefault(site, [])
    why: str | None = None
    changed: tuple[Change, ...] = ()
    if earlier:
        old = nearest(earlier, graph)
        why, changed = difference(old, graph, frames.is_user), changes(old, graph, frames.is_user)
    earlier.append(graph)
    del earlier[:-_REMEMBERED]
    return why, changed, replicas.graph_compiled(graph)
