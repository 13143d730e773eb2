"""What the compiler of TPUs says of a graph that it does not take: how much memory was wanted, and for what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.tpu.origins import Origins
from xlaport.verify.counts import Site
from xlaport.verify.on_chip import Held

_WANTED = re.compile(r"memory space hbm\. Used ([\d.]+)([KMGT]?) of ")
_PART = re.compile(r"^ {4}(program|arguments) +([\d.]+)([KMGT]?)B? *$", re.MULTILINE)
_ENTRY = re.compile(r"^ +\d+\. Size: (.+?)^ +=+$", re.MULTILINE | re.DOTALL)
_SIZE = re.compile(r"([\d.]+)([KMGT]?)")
_LABEL = re.compile(r'op_name="(\d+)"')
_SHAPE = re.compile(r"^ +Shape: ([a-z0-9]+\[[\d,]*\])", re.MULTILINE)
_UNPADDED = re.compile(r"^ +Unpadded size: ([\d.]+)([KMGT]?)", re.MULTILINE)
_KIND = re.compile(r"^ +Allocation type: (.+)$", re.MULTILINE)
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_LARGEST = 10
_SHORT = 300


@dataclass(frozen=True)
class Refusal:
    """Why a graph was not taken. `wanted`: bytes of the large memory, 0 where that is not the reason; `kinds` of them,
    as far as they are told, and the `largest` values. `why`: the compiler's own words, in one line. `site`: the user's
    line of the operation that they name.
    """

    why: str
    wanted: int
    kinds: tuple[tuple[str, int], ...]
    largest: tuple[Held, ...]
    site: Site | None


def read_refusal(error: str, origins: Origins) -> Refusal:
    """What the compiler's words say."""
    wanted = _WANTED.search(error)
    label = _LABEL.search(error)
    largest = tuple(_largest(error, origins))[:_LARGEST]
    kinds = tuple((name, _bytes(number, unit)) for name, number, unit in _PART.findall(error))
    named = origins.site_of(int(label[1])) if label is not None else None
    return Refusal(
        _in_short(error, origins),
        _bytes(wanted[1], wanted[2]) if wanted else 0,
        tuple((kind, size) for kind, size in kinds if size) if wanted else (),
        largest,
        next((item.site for item in largest if item.site is not None), None) if wanted else named,
    )


def _largest(error: str, origins: Origins) -> Iterator[Held]:
    for entry in _ENTRY.findall(error):
        size, unpadded, shape = _SIZE.match(entry), _UNPADDED.search(entry), _SHAPE.search(entry)
        kind, label = _KIND.search(entry), _LABEL.search(entry)
        if size is None:
            continue
        whole = _bytes(size[1], size[2])
        padding = whole - _bytes(unpadded[1], unpadded[2]) if unpadded else 0
        yield Held(
            whole,
            max(0, padding),
            kind[1].removeprefix("HLO ") if kind else "",
            shape[1] if shape else "",
            origins.site_of(int(label[1])) if label else None,
        )


def _bytes(number: str, unit: str) -> int:
    return int(float(number) * _UNITS[unit])


def _in_short(error: str, origins: Origins) -> str:
    """In one line, with the operations by the names that PyTorch has for them."""
    line = " ".join(error.split())
    named = _LABEL.sub(lambda match: origins.source_op(int(match[1])) or match[0], line)
    return named if len(named) <= _SHORT else named[: _SHORT - 1] + "…"
