"""What is recorded of the replicas of a distributed program: who each is, and the graphs that it runs.

A part of the probe, too: the standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class ReplicaSeen:
    """This process is the replica `ordinal` of `count`, or the first of `devices` of them, which are its threads.

    `told`: torch_xla knows so, by its launch or its process group; else it is only what torchrun has put into the
    environment. `played`: the replicas do not meet (see `xlaport/verify/probe/playing.py`).
    """

    type: ClassVar[str] = "replica"
    ordinal: int
    count: int
    told: bool = True
    played: bool = False
    devices: int = 1


@dataclass(frozen=True)
class GraphSeen:
    """A graph that a replica has compiled, by its `digest`: graphs with the same one do the same.

    `collectives` are the operations in which it meets other replicas, as ``all-reduce f32[8,2]``. `nodes` holds all
    operations, for the reason why two graphs differ (see `xlaport/verify/graph_text.py`); empty for a very large one.
    """

    type: ClassVar[str] = "graph"
    digest: str
    collectives: tuple[str, ...] = ()
    nodes: str = ""
