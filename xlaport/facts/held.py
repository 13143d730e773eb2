"""What a tensor or a number holds: the kind of its elements, and how many dimensions it has."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple


class Kind(enum.IntEnum):
    """What the elements are; of two that are combined, the greater one wins."""

    BOOL = 0
    INT = 1
    FLOAT = 2
    COMPLEX = 3


class Held(NamedTuple):
    """What a tensor (or a number) holds. `rank` is the number of its dimensions; None: not known."""

    kind: Kind | None = None
    rank: int | None = None
    may_be_row: bool = False
    """Whether what computes it may leave it a dimension, though it be of one element: ``x.sum(0)``, ``x.view(-1)``."""

    @property
    def is_scalar(self) -> bool:
        """Whether it is one value without dimensions."""
        return self.rank == 0


NOTHING_HELD = Held()
"""Nothing is known."""
SCALAR = Held(Kind.FLOAT, 0)
"""One float."""
ONE_INTEGER = Held(Kind.INT, 0)


def agreed(one: Held, other: Held) -> Held:
    """What two values have in common one of which something may be."""
    if one == other:
        return one
    kind = one.kind if one.kind == other.kind else None
    return Held(kind, one.rank if one.rank == other.rank else None, one.may_be_row or other.may_be_row)


def wider(*kinds: Kind | None) -> Kind | None:
    """The kind of what is computed of several."""
    known = [kind for kind in kinds if kind is not None]
    if max(known, default=Kind.BOOL) >= Kind.FLOAT:
        return max(known)
    return max(known) if known and len(known) == len(kinds) else None


def highest(ranks: Sequence[int | None]) -> int | None:
    """The rank of what is computed of several, element by element."""
    known = [rank for rank in ranks if rank is not None]
    return max(known) if known and len(known) == len(ranks) else None
