"""Arms the probe: what watches a library comes in once the script has imported that."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ..eager import names
from . import dumps, halting, kernel, watching
from .after_import import AfterImport
from .eager import simulation
from .settings import SETTINGS


def arm() -> None:
    """Wait for torch and torch_xla; nothing else is imported before the script wants them."""
    if folder := SETTINGS.get("XLAPORT_WATCH"):
        watching.install(folder)
    if SETTINGS.get("XLAPORT_NOTEBOOK"):
        kernel.install()
    halting.arm()
    dumps.choose()
    waiting: dict[str, Callable[[], None]] = {}
    for name, call in _calls().items():
        if name in sys.modules:
            call()
        else:
            waiting[name] = call
    if waiting:
        sys.meta_path.insert(0, AfterImport(waiting))


def _calls() -> dict[str, Callable[[], None]]:
    """What is called once a module has been imported."""
    if SETTINGS.get("XLAPORT_TARGET") != names.PACKAGE:
        return {
            "torch": _torch_loaded,
            "torch_xla": _torch_xla_loaded,
            "torch_xla.distributed.parallel_loader": _loaders_loaded,
        }
    calls: dict[str, Callable[[], None]] = {"torch": _torch_tpu_loaded}
    if SETTINGS.get("XLAPORT_PLAY_TPU"):
        calls |= {names.HARDWARE: simulation.chip_found, names.DEVICE_MODULE: simulation.runtime_stays}
    return calls


def _torch_loaded() -> None:
    if SETTINGS.get("XLAPORT_PARITY"):
        from . import parity, session

        session.guarded(parity.install)
    else:
        from . import frames, left_behind, loading, session, ties, training

        installs = (frames.watch_threads, training.install, loading.install, ties.install, left_behind.install)
        for install in installs:
            session.guarded(install)


def _torch_tpu_loaded() -> None:
    """torch has been imported, and torch_tpu with it, as a device of torch's."""
    from . import session

    if SETTINGS.get("XLAPORT_PLAY_TPU"):
        session.guarded(simulation.torch_loaded)
    _torch_loaded()
    from .eager import comparing, install

    session.guarded((comparing if SETTINGS.get("XLAPORT_PARITY") else install).install)


def _torch_xla_loaded() -> None:
    from . import memory, meshes, session

    session.guarded(memory.install)
    session.guarded(meshes.install)
    if SETTINGS.get("XLAPORT_PARITY"):
        from . import same_draws

        session.guarded(same_draws.install)
    else:
        from . import dynamo, meetings, points, replicas

        session.guarded(points.install)
        session.guarded(dynamo.install)
        session.guarded(meetings.install)
        session.guarded(replicas.install)


def _loaders_loaded() -> None:
    if not SETTINGS.get("XLAPORT_PARITY"):
        from . import loading, session

        session.guarded(loading.watch_device_loaders)
