"""The table `lowerings.toml`: what torch_xla computes on the host, since XLA has no kernel for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from xlaport.tables import read_table

FILE = Path(__file__).parents[1] / "lowerings.toml"

HOST, MISSING = "host", "missing"
READ = "_local_scalar_dense"
"""The operator by which the host waits for one value."""


@dataclass(frozen=True)
class Function:
    """One function or module, as the comment at the top of the table describes it."""

    name: str
    method: str
    also: tuple[str, ...]
    forward: tuple[str, ...]
    backward: tuple[str, ...]
    samples: tuple[int, int]
    gradients: tuple[int, int]
    differs: int
    raises: str

    @property
    def is_always(self) -> bool:
        """Whether the host computes it whatever its arguments are."""
        return self.samples[0] == self.samples[1] or 0 < self.gradients[0] == self.gradients[1]

    @property
    def operators(self) -> tuple[str, ...]:
        """What the host computes, the values that it waits for left out."""
        return tuple(name for name in dict.fromkeys((*self.forward, *self.backward)) if name != READ)

    @property
    def has_wrong_gradient(self) -> bool:
        """Whether XLA has a kernel for all of it, and one for its gradient that differs from PyTorch's."""
        return self.differs > 0 and not self.operators


def function(table: dict[str, Any]) -> Function:
    """One entry of the table."""
    fallen, ran = table["samples"]
    undone, differentiated = table["gradients"]
    return Function(
        table["name"],
        table.get("method", ""),
        tuple(table.get("also", ())),
        tuple(table.get("forward", ())),
        tuple(table.get("backward", ())),
        (fallen, ran),
        (undone, differentiated),
        table.get("differs", 0),
        table.get("raises", ""),
    )


@cache
def _table() -> dict[str, Any]:
    return read_table(FILE) if FILE.exists() else {}


@cache
def functions() -> dict[str, Function]:
    """All functions, by their qualified names."""
    return {entry["name"]: function(entry) for entry in _table().get("function", ())}


@cache
def operators() -> dict[str, frozenset[str]]:
    """The operators that the host computes, and those that raise, without their ``aten::``."""
    listed = _table().get("operators", {})
    return {key: frozenset(listed.get(key, "").split()) for key in (HOST, MISSING)}
