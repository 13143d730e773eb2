"""What a tensor or a number holds: the kind of its elements, and how many dimensions it has."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass


class Kind(enum.IntEnum):
    """What the elements are; of two that are combined, the greater one wins."""

    BOOL = 0
    INT = 1
    FLOAT = 2


@dataclass(frozen=True)
class Held:
    """What a tensor (or a number) holds. `rank` is the number of its dimensions; None: not known."""

    kind: Kind | None = None
    rank: int | None = None

    @property
    def is_scalar(self) -> bool:
        """Whether it is one value without dimensions."""
        return self.rank == 0


SCALAR = Held(Kind.FLOAT, 0)
"""One float."""

OPEN = Held(Kind.BOOL, -1)
"""Stands for a question that is being asked already: it neither helps nor hinders."""


def agreed(found: Sequence[Held]) -> Held:
    """What several values have in common that may stand for each other."""
    settled = [held for held in found if held is not OPEN]
    if not settled:
        return OPEN if found else Held()
    kinds, ranks = {held.kind for held in settled}, {held.rank for held in settled}
    ranks = ranks - {OPEN.rank} or ranks
    return Held(kinds.pop() if len(kinds) == 1 else None, ranks.pop() if len(ranks) == 1 else None)


def wider(*kinds: Kind | None) -> Kind | None:
    """The kind of what is computed of several."""
    known = [kind for kind in kinds if kind is not None]
    if Kind.FLOAT in known:
        return Kind.FLOAT
    return max(known) if known and len(known) == len(kinds) else None


def highest(ranks: Sequence[int | None]) -> int | None:
    """The rank of what is computed of several, element by element."""
    known = [rank for rank in ranks if rank is not None]
    return max(known) if known and len(known) == len(ranks) else None
