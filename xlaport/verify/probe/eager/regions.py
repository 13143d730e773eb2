"""What torch.compile has compiled for the device: each run of it, and what was compiled for that run."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ...differences import GUARD
from ...eager import names
from ...events import Counts, Point, Site
from .. import dynamo, frames
from ..session import guarded
from ..wrapping import wrap
from . import causes
from .watch import Watcher

_compiled_at: Site | None = None
"""The function that was compiled last."""


def install(watcher: Watcher) -> None:
    """Watch the runs of what is compiled."""
    dynamo.install()

    def run(original: Callable[..., Any], executable: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(executable, *args, **kwargs)
        site = frames.site()
        guarded(_ran, watcher, site)
        if not frames.thread() and not causes.backward_node():
            watcher.session.graph_read(site)
            watcher.session.stop_if_due(site)
        return result

    wrap(getattr(importlib.import_module(names.EXECUTABLES), names.EXECUTABLE), "__call__", run)


def _ran(watcher: Watcher, site: Site | None) -> None:
    """Compiles that no operation is laid to are those of this graph; of a backward pass, its function's."""
    global _compiled_at
    compiles = watcher.counters.misses() - watcher.laid
    watcher.laid += compiles
    watcher.session.add_runs(1)
    causes.tell()
    node, thread, offset = causes.backward_node(), frames.thread(), frames.offset()
    if compiles:
        _compiled_at = _compiled_at if node else site
        why = dynamo.why(site, node is not None)
        kind = GUARD if why else ""
        watcher.session.emit(Point("dynamo", _compiled_at, Counts(compiles=compiles), None, why, cause=kind))
    if not node:
        causes.passes(site)
    added = Counts(executions=watcher.ran_since())
    watcher.session.emit(Point("dynamo", site, added, node, thread=thread, offset=offset))
