"""Runs a function right after a module has been imported for the first time, without importing it."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

from . import dumps, halting, kernel, watching
from .settings import SETTINGS
from .wrapping import wrap


class AfterImport(importlib.abc.MetaPathFinder):
    """Calls `then[name]` once the module `name` has been executed; a module not named there is none of its
    business.
    """

    def __init__(self, then: dict[str, Callable[[], None]]) -> None:
        self.then = then

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The ordinary spec of a module that is waited for, with its loader's `exec_module` extended."""
        call = self.then.pop(fullname, None)
        if call is None:
            return None
        if not self.then and self in sys.meta_path:
            sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec

        def execute(original: Callable[[ModuleType], None], module: ModuleType) -> None:
            original(module)
            call()

        wrap(spec.loader, "exec_module", execute)
        return spec


def arm() -> None:
    """Wait for torch and torch_xla; nothing else is imported before the script wants them."""
    if folder := SETTINGS.get("XLAPORT_WATCH"):
        watching.install(folder)
    if SETTINGS.get("XLAPORT_NOTEBOOK"):
        kernel.install()
    halting.arm()
    dumps.choose()
    waiting: dict[str, Callable[[], None]] = {}
    for name, call in (
        ("torch", _torch_loaded),
        ("torch_xla", _torch_xla_loaded),
        ("torch_xla.distributed.parallel_loader", _loaders_loaded),
    ):
        if name in sys.modules:
            call()
        else:
            waiting[name] = call
    if waiting:
        sys.meta_path.insert(0, AfterImport(waiting))


def _torch_loaded() -> None:
    if SETTINGS.get("XLAPORT_PARITY"):
        from . import parity, session

        session.guarded(parity.install)
    else:
        from . import frames, left_behind, loading, session, ties, training

        installs = (frames.watch_threads, training.install, loading.install, ties.install, left_behind.install)
        for install in installs:
            session.guarded(install)


def _torch_xla_loaded() -> None:
    if SETTINGS.get("XLAPORT_PARITY"):
        from . import same_draws, session

        session.guarded(same_draws.install)
    else:
        from . import dynamo, meetings, points, replicas, session

        session.guarded(points.install)
        session.guarded(dynamo.install)
        session.guarded(meetings.install)
        session.guarded(replicas.install)


def _loaders_loaded() -> None:
    if not SETTINGS.get("XLAPORT_PARITY"):
        from . import loading, session

        session.guarded(loading.watch_device_loaders)
