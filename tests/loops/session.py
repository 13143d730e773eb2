"""Runs the programs once for all tests of a session, on however many workers they are spread."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from . import conversion, running

SHAPES = Path(__file__).parent / "shapes"


def observe(names: Collection[str], folder: Path) -> dict[str, dict[str, Any]]:
    """What the originals did (``x host``), and their ports: with ``--unsafe`` (``x``), and without (``x safe``) where
    that makes a difference.

    The folder is shared by the workers of a session: the first one does the work, the others wait for it.
    """
    done = folder / "observed.json"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            done.write_text(json.dumps(_observe(names, folder)), encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(done.read_text(encoding="utf-8"))
    return found


def _observe(names: Collection[str], folder: Path) -> dict[str, dict[str, Any]]:
    ports = [conversion.port(SHAPES, name, folder) for name in names]
    host = running.start("host", {f"{port.name} host": port.host for port in ports}, folder / "host_seen")
    unsafe = {port.name: port.unsafe for port in ports}
    safe = {f"{port.name} safe": port.safe for port in ports if port.differs}
    xla = running.start("xla", unsafe | safe, folder / "xla_seen")
    return host.observations() | xla.observations()
