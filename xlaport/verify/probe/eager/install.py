"""Puts the watch in place: torch has just been imported, and torch_tpu with it."""

from __future__ import annotations

import sys
from importlib import metadata

from ...eager import names
from ...events import Loaded
from .. import device, left_behind, training
from ..session import current, guarded
from ..settings import SETTINGS


def install() -> None:
    """Count and watch what runs on the device; nothing where torch has not found one."""
    if names.DEVICE_MODULE not in sys.modules:
        return
    from . import averages, regions
    from .counting import EagerCounters
    from .watch import Watcher, watch

    session = current()
    played = SETTINGS.get("XLAPORT_PLAY_TPU")
    session.emit(Loaded(names.PACKAGE, metadata.version(names.PACKAGE), "CPU" if played else "TPU"))
    counters = session.counters = EagerCounters()
    watcher = Watcher(session, counters)
    device.quiet = watcher.quiet
    watch(watcher)
    guarded(regions.install, watcher)
    guarded(averages.install)

    def step_ends() -> None:
        watcher.step_ended()
        guarded(training.after_barrier)
        guarded(left_behind.after_barrier)

    session.at_boundary.append(step_ends)
    session.at_end.append(watcher.step_ended)
