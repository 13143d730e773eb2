"""Names of which each may be taken: ``log``, ``log_2``, ``log_3`` and so on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator


def numbered(name: str) -> Iterator[str]:
    """A name, and further ones like it."""
    yield name
    yield from (f"{name}_{number}" for number in itertools.count(2))
