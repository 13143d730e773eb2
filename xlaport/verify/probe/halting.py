"""Where a process was when it was made to end: Python's own fault handler writes it, from inside of a C call, too.

`launch` asks with SIGTERM; a process that crashes is told by its own signal. One file for each process, which is there
as soon as the probe is: what has none has run without the probe.
"""

from __future__ import annotations

import faulthandler
import os
import signal

from .settings import SETTINGS

_file: int | None = None
_tells_crashes = False
"""Whether the fault handler is ours: a script, or who started it, may have its own."""


def arm() -> None:
    """Let this process, and those forked from it, write where they are when they are ended."""
    global _tells_crashes
    _tells_crashes = not faulthandler.is_enabled()
    _begin()
    os.register_at_fork(after_in_child=_begin)


def _begin() -> None:
    """Open a file now: a handler of signals can open nothing."""
    global _file
    inherited = _file
    path = os.path.join(SETTINGS["XLAPORT_EVENTS"], f"{os.getpid()}.stack")
    try:
        _file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    except OSError:  # the folder is full, or gone: what is found then cannot be told
        _file = None
        faulthandler.unregister(signal.SIGTERM)
        if _tells_crashes:
            faulthandler.disable()
    else:
        faulthandler.register(signal.SIGTERM, _file, chain=True)
        if _tells_crashes:
            faulthandler.enable(_file)
    if inherited is not None:
        os.close(inherited)
