"""The chips for which a graph can be compiled, and slices of them: data of `chips.toml`."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlaport.errors import UserError
from xlaport.tables import read_table

_CALLED = {"v5litepod": "v5e"}
"""What Cloud TPU calls a kind in the names of its slices."""


@dataclass(frozen=True)
class Chip:
    """A kind of TPU, or a slice of `count` chips of it.

    `hbm` is the memory of one chip in bytes, `bandwidth` what it reads and writes per second, `flops` what its matrix
    units do per second in bfloat16, at `clock` cycles per second; `side` is that of one of them, in elements.
    `topology` is what libtpu calls the slice, `host` the arrangement of the chips of one machine, `core` what it calls
    the way in which a chip is used. `usable`: the part of the memory that a program may have.
    """

    code: str
    name: str
    topology: str
    host: tuple[int, ...]
    count: int
    core: str
    hbm: int
    usable: int
    bandwidth: float
    flops: float
    clock: float
    side: int


def chip_of(code: str) -> Chip:
    """The chip or slice that a user calls ``v5e`` or ``v5e-8``; `UserError` where there is none of that name."""
    kind, _, number = code.lower().partition("-")
    kind = _CALLED.get(kind, kind)
    known = _kinds()
    if kind not in known:
        raise UserError(f"--tpu {code}: not known; take one of {', '.join(known)}, or a slice of one, as v5e-8")
    data = known[kind]
    slices = {kind if size == "1" else f"{kind}-{size}": sizes for size, sizes in data["slices"].items()}
    code = f"{kind}-{number}" if number else kind
    if code not in slices:
        raise UserError(f"--tpu {code}: {data['name']} has no slice of that size; take {', '.join(slices)}")
    sizes = slices[code]
    count = math.prod(sizes)
    host = tuple(data["host"]) if count > 1 else (1, 1, 1)
    topology = f"{data['kind']}:{'x'.join(map(str, sizes))}"
    name = data["name"] if count == 1 else f"{data['name']}-{number}"
    figures = {key: data[key] for key in ("core", "hbm", "usable", "bandwidth", "flops", "clock", "side")}
    return Chip(code, name, topology, host, count, **figures)


@functools.cache
def _kinds() -> dict[str, Any]:
    return read_table(Path(__file__).with_name("chips.toml"))
