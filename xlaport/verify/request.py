"""What is asked of a verification: which script, how long, and how much is still fine."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from xlaport.verify.eager.names import PACKAGE

CPU, CUDA = "cpu", "cuda"
"""Where an original runs."""

TORCH_XLA, TORCH_TPU = "torch_xla", PACKAGE
"""What a script has been ported to."""


def table_of(target: str) -> str:
    """What the texts are called that speak of a target alone; empty for none. See `xlaport.wording`."""
    return target if target == TORCH_TPU else ""


@dataclass(frozen=True)
class Budgets:
    """What a run may cost and still pass. What stays below a budget is a note with its line.

    `compiles`: graphs compiled after warm-up. `None` allows a bounded set (a ragged last batch, the first log
    step) and fails what grows with the steps; a number allows that many, all loops together.
    `transfers`: share of the steady steps of a loop in which tensors may be read on the host.
    `executions`: graphs executed per steady step.
    `fallbacks`: ops that may run on the host for want of an XLA lowering, as ``aten::name``.
    `training`: whether parameters that an optimizer steps have to change.
    """

    compiles: int | None = None
    transfers: float = 0.5
    executions: int = 1
    fallbacks: frozenset[str] = frozenset()
    training: bool = True


@dataclass(frozen=True)
class Against:
    """The CUDA original that a port is compared with: run on `device`, with the same seeds, data and arguments.

    `rtol`: the relative difference that is allowed once training has carried a rounding on; in the first step it
    is a hundredth of that. `no_dropout`: dropout is off in both. `directory`: the original runs by the very command of
    the port, in this folder. `device`: `CPU`, its CUDA calls redirected, or `CUDA`, on a GPU.
    """

    script: Path
    rtol: float = 1e-3
    no_dropout: bool = False
    directory: Path | None = None
    device: str = CPU


@dataclass(frozen=True)
class Sandbox:
    """A script is to run in a copy of its folder, or of the folder `top` around it. `links`: what of that is linked
    instead, since it is only read. `room`: bytes that the script may write there, before it is stopped.
    """

    links: tuple[Path, ...] = ()
    top: Path | None = None
    room: int | None = None


@dataclass(frozen=True)
class VerifyRequest:
    """One verification. `script` is a path, or a module name if `module` (as in ``python -m``).

    `steps` ends the script after so many steps (`None`: let it run to its end), `timeout` (seconds) kills it.
    `directory` is where it runs (`None`: here), `python` what runs it, `environment` what is added to ours.
    `against`: with what it is compared. `sandbox`: whether, and how, it runs in a copy of its folder.
    `replicas`: how many ``torch_xla.launch()`` starts on XLA:CPU, to be played. `graphs`: a folder in which the graphs
    that it compiles are kept. `devices`: how many XLA:CPU has for the mesh of a script that uses SPMD. `target`: what
    it has been ported to.
    """

    script: Path | str
    arguments: tuple[str, ...] = ()
    module: bool = False
    steps: int | None = None
    timeout: float = 600.0
    python: str = sys.executable
    directory: Path | None = None
    budgets: Budgets = field(default_factory=Budgets)
    against: Against | None = None
    environment: tuple[tuple[str, str], ...] = ()
    replicas: int = 1
    sandbox: Sandbox | None = None
    graphs: Path | None = None
    devices: int = 1
    target: str = TORCH_XLA

    @property
    def command(self) -> tuple[str, ...]:
        """What is run: the user's own command line, nothing added."""
        return (self.python, *(("-m",) if self.module else ()), str(self.script), *self.arguments)
