"""What is to be run: a script, how it starts its processes, and on which slice."""

from __future__ import annotations

import enum
import shlex
from dataclasses import dataclass

from xlaport.launching.slices import Slice
from xlaport.target import Machine

FIRST_HOST = "HOST0"
"""The variable that torchrun's hosts take the address of the first of them from."""


class Start(enum.Enum):
    """How a script comes to a process for each chip."""

    LAUNCHES = "launches"
    """It calls torch_xla.launch()."""
    SPAWNS = "spawns"
    """It calls torch.multiprocessing.spawn() itself, where that starts processes of the target."""
    TORCHRUN = "torchrun"
    """It joins a process group of the XLA backend, and starts no processes."""
    SPMD = "spmd"
    """One process has all chips of its host."""
    LIGHTNING = "lightning"
    """Lightning's Trainer starts the processes."""
    ACCELERATE = "accelerate"
    """accelerate, or the Trainer of transformers, which wait for a launcher."""
    SINGLE = "single"
    """One process, one chip."""


@dataclass(frozen=True)
class Job:
    """One script on one slice."""

    script: str
    """As it is called from the folder that it is started in."""
    arguments: tuple[str, ...]
    start: Start
    slice: Slice
    machine: Machine
    file: str = "THIS_FILE"
    """What the engine's file is called, where that is known."""

    @property
    def name(self) -> str:
        """A name that each engine allows: lower case letters, digits, hyphens."""
        stem = self.script.rsplit("/", 1)[-1].removesuffix(".py").lower()
        kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in stem).strip("-")[:30].strip("-")
        return kept if kept[:1].isalpha() else f"job-{kept}".strip("-")

    @property
    def words(self) -> list[str]:
        """The command for each host."""
        script = [self.script, *self.arguments]
        if self.start is Start.TORCHRUN:
            return ["torchrun", f"--nproc_per_node={self.slice.chips_per_host}", *script]
        if self.start is Start.ACCELERATE and self.slice.chips > 1:
            return ["accelerate", "launch", "--tpu", "--main_training_function", "main", *script]
        return ["python3", *script]

    @property
    def meets(self) -> bool:
        """Whether the hosts have to be told the address of the first of them: see `at`."""
        return self.start is Start.TORCHRUN and self.slice.hosts > 1

    def at(self, address: str) -> str:
        """What stands before the command, to say by which text a shell knows the address of the first host."""
        return f"{FIRST_HOST}={address} && " if self.meets else ""

    @property
    def command(self) -> str:
        """The command for each host, for a shell."""
        words = [shlex.quote(word) for word in self.words]
        if self.meets:
            # The hosts meet at the first; the shell says so where nobody has told it which that is.
            meeting = f'--rdzv_backend=c10d --rdzv_endpoint="${{{FIRST_HOST}:?is the address of the first host}}:29500"'
            words[1:1] = [f"--nnodes={self.slice.hosts}", meeting]
        before = self.machine.before_torchrun if self.start is Start.TORCHRUN else ""
        return f"{before} && {' '.join(words)}" if before else " ".join(words)

    @property
    def variables(self) -> str:
        """What a shell is told before the command, with a space behind it."""
        return "".join(f"{name}={value} " for name, value in self.machine.environment.items())

    @property
    def is_shells(self) -> bool:
        """Whether only a shell can run the command."""
        return self.meets or bool(self.machine.before_torchrun and self.start is Start.TORCHRUN)


GKE_FIRST_HOST = '"${TPU_WORKER_HOSTNAMES%%,*}"'
"""GKE names the hosts of a slice in each of its pods, the first one first."""
