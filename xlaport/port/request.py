"""What is asked of a port: which script, in which folder, and what it may cost."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from xlaport.config import Config
from xlaport.verify import Budgets
from xlaport.verify.request import CPU

MOST_RUNS = 8
"""How often the script is run, if nothing else is said."""
ROOM = 10 * 10**9
"""Bytes that a run may write into its copy of the folder, if nothing else is said."""


@dataclass(frozen=True)
class PortRequest:
    """One port. `script` is a path, or a module name if `module` (as in ``python -m``).

    `folder` is what is ported, and copied for each run; `links`: what of it is linked instead, since it is only read.
    The script runs in the part `inner` of it. `config` is what a conversion is asked to do, unsafe fixes aside. `steps`
    ends a run after so many steps (`None`: it runs to its end), `timeout` (seconds) kills it. `rtol`: the relative
    difference from the original that is allowed by the 100th step. `most_runs`: how often the script is run at most,
    the original among them, which runs on `original_device`; `room`: bytes that each run may write into its copy of the
    folder. `whole`: all files of the folder are ported, and not those alone that the script leads to.
    """

    folder: Path
    script: Path | str
    arguments: tuple[str, ...] = ()
    module: bool = False
    config: Config = field(default_factory=Config)
    steps: int | None = 100
    timeout: float = 600.0
    python: str = sys.executable
    rtol: float = 5e-3
    no_dropout: bool = False
    original_device: str = CPU
    links: tuple[Path, ...] = ()
    most_runs: int = MOST_RUNS
    room: int = ROOM
    inner: Path = Path()
    whole: bool = False
    budgets: Budgets = field(default_factory=Budgets)

    @property
    def directory(self) -> Path:
        """Where the script runs."""
        return self.folder / self.inner
