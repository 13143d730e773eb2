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
    LAUNCH_OF_ONE = "launch of one"
    SPAWN_OF_ONE = "spawn of one"
    """The same with one process, on one chip: what would hang on several keeps the program from these alone."""

    @property
    def is_launch(self) -> bool:
        """Whether a launch takes the place of torchrun."""
        return self in (Way.LAUNCH, Way.LAUNCH_OF_ONE)

    @property
    def is_spawn(self) -> bool:
        """Whether a launch takes the place of ``mp.spawn()``."""
        return self in (Way.SPAWN, Way.SPAWN_OF_ONE)

    @property
    def arguments(self) -> str:
        """What the launch is given beside the function and its arguments."""
        return ", debug_single_process=True" if self in (Way.LAUNCH_OF_ONE, Way.SPAWN_OF_ONE) else ""
