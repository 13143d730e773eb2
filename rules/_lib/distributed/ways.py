"""How the processes of a job are started once it is ported."""

from __future__ import annotations

import enum


class Way(enum.Enum):
    """How the processes of a job are started once it is ported."""

    LAUNCH = "launch"
    """By `torch_xla.launch()`, where torchrun started them: the rank is asked of the runtime."""
    SPAWN = "spawn"
    """By `torch_xla.launch()`, where `mp.spawn()` started them."""
    TORCHRUN = "torchrun"
    """By torchrun, as before: the program goes on to read its variables, and may still run without it."""
