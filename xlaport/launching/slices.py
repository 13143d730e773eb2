"""TPU slices by their names (``slices.toml``): chips, hosts, and what the engines call them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from xlaport.errors import UserError
from xlaport.tables import read_table

FILE = Path(__file__).with_name("slices.toml")
_CORES = 2
"""TensorCores of a chip, where the name of a slice counts these."""


@dataclass(frozen=True)
class Slice:
    """One slice of a TPU."""

    name: str
    """As Cloud TPU calls it: ``v5litepod-8``."""
    chips: int
    hosts: int
    runtime: str
    """The software version of its machines."""
    gke: str | None = None
    """The accelerator of GKE's node selector; None where GKE has no such nodes."""
    machine: str | None = None
    topology: str | None = None

    @property
    def chips_per_host(self) -> int:
        """The chips that each host has."""
        return self.chips // self.hosts


@cache
def _generations() -> Mapping[str, dict[str, Any]]:
    return read_table(FILE)


def find(name: str) -> Slice:
    """The slice of a name such as ``v5litepod-8`` or ``tpu-v4-8``. Raises `UserError` for one that there is not."""
    wanted = name.strip().lower().removeprefix("tpu-")
    match = re.fullmatch(r"(v5e|[a-z0-9]+)-(\d+)", wanted)
    generation = {"v5e": "v5litepod"}.get(match[1], match[1]) if match else ""
    if match is None or generation not in _generations():
        raise UserError(f"no TPU is called '{name}': write a generation and a size, {', '.join(_examples())}")
    data = _generations()[generation]
    number = int(match[2])
    per_chip = _CORES if data["counts"] == "cores" else 1
    chips = number // per_chip
    host = chips if chips in data["alone"] else data["host"]
    if number % per_chip or not chips or chips % host or chips < min(data["alone"]):
        raise UserError(f"there is no {generation}-{number}: {_sizes(generation)}")
    topology = data.get("topologies", {}).get(str(chips))
    if "topologies" in data and topology is None:
        raise UserError(f"there is no {generation}-{number} that xlaport knows: {_sizes(generation)}")
    machine = f"{data['pool']}-{host}t" if "pool" in data else None
    return Slice(f"{generation}-{number}", chips, chips // host, data["runtime"], data.get("gke"), machine, topology)


def names() -> list[str]:
    """The names of all slices whose topology is known."""
    return [
        f"{generation}-{int(chips) * (_CORES if data['counts'] == 'cores' else 1)}"
        for generation, data in _generations().items()
        for chips in data.get("topologies", {})
    ]


def _examples() -> list[str]:
    return ["v5litepod-8", "v6e-8", "v4-8", "v5p-8"]


def _sizes(generation: str) -> str:
    data = _generations()[generation]
    known = [name for name in names() if name.startswith(f"{generation}-")]
    counted = (
        "each chip has two, and a host four chips" if data["counts"] == "cores" else "a host has 1, 4 or 8 of them"
    )
    shown = f"there are {', '.join(known)}" if known else f"{generation}-8 is one host, {generation}-32 four"
    return f"its number counts {data['counts']} ({counted}), and {shown}"
