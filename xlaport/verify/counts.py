"""Where something is in the user's source, and what torch_xla has done: what the events are made of.

A part of the probe, too: the standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Site:
    """A place in the user's source: absolute path, line (from 1), function."""

    path: str
    line: int
    function: str


@dataclass(frozen=True)
class Counts:
    """What torch_xla has done so far in this process, the probe's own doings taken out.

    `compiles`: graphs built by the compiler (`UncachedCompile` + `PersistentCacheHit`). `executions`: graphs
    sent to the device, counted when they are sent (`UncachedCompile` + `CachedCompile`, and dynamo's runs).
    `transfers`: device-to-host transfers (samples of `TransferFromDeviceTime`). `nodes`: sum of the sizes of
    all graphs so far, in IR nodes. `fallbacks`: calls of ops without an XLA lowering, by op.
    """

    compiles: int = 0
    executions: int = 0
    transfers: int = 0
    nodes: int = 0
    fallbacks: dict[str, int] = field(default_factory=dict)

    def __sub__(self, other: Counts) -> Counts:
        """What was added since `other`."""
        added = {op: n - other.fallbacks.get(op, 0) for op, n in self.fallbacks.items()}
        return Counts(
            self.compiles - other.compiles,
            self.executions - other.executions,
            self.transfers - other.transfers,
            self.nodes - other.nodes,
            {op: n for op, n in added.items() if n},
        )

    def __add__(self, other: Counts) -> Counts:
        """Both together."""
        both = dict(self.fallbacks)
        for op, n in other.fallbacks.items():
            both[op] = both.get(op, 0) + n
        return Counts(
            self.compiles + other.compiles,
            self.executions + other.executions,
            self.transfers + other.transfers,
            self.nodes + other.nodes,
            both,
        )

    def __bool__(self) -> bool:
        """Whether anything was counted."""
        return bool(self.compiles or self.executions or self.transfers or self.nodes or self.fallbacks)
