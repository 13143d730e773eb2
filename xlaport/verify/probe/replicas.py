"""Which replica of a distributed program this process is, and the graphs that it compiles."""

from __future__ import annotations

import multiprocessing.process
import multiprocessing.util
import os

from ..events import GraphSeen, ReplicaSeen
from ..graph_text import collectives, digest, to_text
from ..graphs import Graph
from . import frames, playing
from .session import current, guarded

_seen: set[str] = set()
_several = False


def install() -> None:
    """Watch how replicas start; torch_xla has just been imported."""
    _launched()
    playing.install(lambda: guarded(_started))


def _launched() -> None:
    """What torchrun, and accelerate through it, tell a process that they start."""
    rank, count = (os.environ.get(name, "") for name in ("RANK", "WORLD_SIZE"))
    if "TORCHELASTIC_RUN_ID" in os.environ and rank.isdigit() and count.isdigit() and int(count) > 1:
        current().emit(ReplicaSeen(int(rank), int(count), told=False))


def _started() -> None:
    """torch_xla has been told which replica this is."""
    import _XLAC
    from torch_xla import runtime

    global _several
    played = playing.played()
    # Not `runtime.world_size()`, which would remember the answer before the replica itself asks.
    ordinal, count = played or (_XLAC._xla_get_default_device_ordinal(), len(_XLAC._xla_get_all_devices()))
    _several = count > 1
    current().emit(ReplicaSeen(ordinal, count, True, played is not None, runtime.addressable_device_count()))
    if multiprocessing.process.parent_process() is not None:
        # A process of multiprocessing ends without `atexit`.
        multiprocessing.util.Finalize(None, current().finish, args=("exit",), exitpriority=100)


def graph_compiled(graph: Graph) -> str | None:
    """Record a graph, if this is one replica of several; returns its digest."""
    if not _several:
        return None
    name = digest(graph)
    if name not in _seen:
        _seen.add(name)
        current().emit(GraphSeen(name, collectives(graph), to_text(graph, frames.is_user)))
    return name
