"""What a target is: how it spells things, and what sets it apart; the tables are in `xlaport.targets`.

A rule asks a `Target` for a `Symbol` by its meaning ("device", "sync") and gets what to import and what to write, and
asks it for a `Trait` ("operations wait in a graph"), never which one it is. A meaning that a target does not have comes
with an `Unavailable` import: the engine then makes the finding manual and says so, and no rule has to ask.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from xlaport.finding import Import


class Trait(enum.Enum):
    """What sets a target apart from CUDA's PyTorch, and rules speak of."""

    LAZY_GRAPH = "operations wait in a graph until a barrier runs it"
    GRAPH_NUMBERS = "a Python number in arithmetic is a constant of what is compiled, as one in an index is"
    NEW_PARAMETERS = "Module.to() makes new parameters"
    OWN_LOADER = "a wrapper of its own brings the batches of a loader to the device"
    OWN_GENERATOR = "its generator is seeded apart from torch's, and torch.Generator is the host's"
    OWN_PROCESSES = "it starts processes, ranks them and lets them talk in a way of its own"
    TORCH_GROUPS = "its processes talk through torch.distributed alone, with the backend `group_backend`"
    OWN_FILES = "its tensors go into files by way of the host"
    OWN_BACKEND = "torch.compile has a backend for it, which is not the one without a name"
    XLA_TENSOR = "its tensors lack what the XLA dispatch key lacks"
    SPLIT_LOADS = "torch.load() cannot put tensors on it"
    UNPINNED = "copies to it gain nothing from pinned memory"
    WAITING_OPTIMIZERS = "steps of torch's optimizers read from it"
    LIBRARY_SUPPORT = "accelerate, Lightning, transformers and Ignite know it"
    OLDER_NAMES = "older versions of it spell things in another way"
    SHARDS_IN_PLACE = "fully_shard() shards a model, and FullyShardedDataParallel raises"
    STILL_AVERAGES = "training leaves the running averages of a BatchNorm as they were"
    SUCCEEDS_XLA = "programs for torch_xla are moved to it"


@dataclass(frozen=True, order=True)
class Unavailable(Import):
    """An import that the target cannot give; `reason` is a sentence for the user."""

    reason: str = ""


@dataclass(frozen=True)
class Symbol:
    """A function of the target: `attribute` of the module that `imports` makes known."""

    imports: Import
    attribute: str

    @property
    def qualified(self) -> str:
        """The full name, as `Names.resolve` gives it."""
        return f"{self.imports.module}.{self.attribute}"


@dataclass(frozen=True)
class Machine:
    """What programs of a target need on a machine with TPUs."""

    requirements: tuple[str, ...]
    """As pip takes them."""
    environment: Mapping[str, str]
    before_torchrun: str
    """A shell's command that sets what the processes of torchrun need; empty for none."""
    cache: str
    """How compiled graphs are kept for the next start, in words."""
    several: str
    """What starts a process for each chip, in words."""
    verify: str
    """The command that runs a few steps of a script and judges them."""


@dataclass(frozen=True)
class Target:
    """One target at one version."""

    name: str
    version: str
    package: str
    """The module that is there where the target is installed."""
    torch: str
    """The version of torch that is written for."""
    table: str
    """What the files with the texts and the answers for it alone are called: ``texts.<table>.toml``; empty for none."""
    words: Mapping[str, str]
    """What is said for what the texts of torch_xla say, the longer before the shorter; empty where it is the same."""
    traits: frozenset[Trait]
    device_type: str
    """The device string that torch understands, ``torch.device(device_type)``."""
    group_backend: str
    """What torch.distributed calls its backend."""
    machine: Machine
    symbols: Mapping[str, Symbol]
    spellings: Mapping[str, frozenset[str]]
    """For each meaning, its qualified names in all versions of the target."""
    barriers: frozenset[str]
    """Qualified names of the calls that cut and run the pending graph."""
    stepping: frozenset[str]
    """Qualified names of the calls that step the optimizer passed to them."""
    loaders: frozenset[str]
    """Qualified names of the loader wrappers that cut the graph at each batch."""
    one_time_loaders: frozenset[str]
    """Those of them that are old, and can be iterated once only."""
    sharded: frozenset[str]
    """Qualified names of the wrappers that shard a model, and reduce its gradients themselves."""
    devices: frozenset[str]
    """Qualified names of the calls that return the device."""
    seeders: frozenset[str]
    """Qualified names of the calls that seed the device passed to them, or the default one."""
    traces: frozenset[str]
    """Qualified names of the blocks and decorators for a profile, in which a barrier raises."""
    step_traces: frozenset[str]
    """Those of them that cut the graph themselves, as they end."""

    def is_a(self, *traits: Trait) -> bool:
        """Whether all of the traits are the target's."""
        return self.traits.issuperset(traits)

    def symbol(self, meaning: str) -> Symbol:
        """How the target spells a meaning; with an `Unavailable` import where it cannot."""
        return self.symbols[meaning]

    def has(self, meaning: str) -> bool:
        """Whether the target can say this at all."""
        return not isinstance(self.symbols[meaning].imports, Unavailable)

    def instead_of(self, qualified: str) -> Symbol | None:
        """How the target spells what another version calls `qualified`; None where it says the same, or cannot."""
        for meaning, spellings in self.spellings.items():
            if self.has(meaning) and qualified in spellings:
                symbol = self.symbols[meaning]
                return symbol if symbol.qualified != qualified else None
        return None

    def other_spellings(self, meaning: str) -> frozenset[str]:
        """The qualified names that other versions have for a meaning."""
        return self.spellings[meaning] - {self.symbols[meaning].qualified}

    def is_at_least(self, version: str) -> bool:
        """Whether the target goes with this version of torch, or a later one."""
        return number(self.torch) >= number(version)


def number(version: str) -> tuple[int, ...]:
    """A version, to be compared."""
    return tuple(int(part) for part in version.split("."))
