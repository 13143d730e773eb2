"""The options of compiling for a TPU that is not there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from xlaport.tpu.trying import Tpu

Chips = Annotated[
    list[str] | None,
    typer.Option(metavar="CHIP", help="Compile the steady graphs for this TPU, too (v5e, v6e, …); repeatable."),
]
CompileTimeout = Annotated[
    float, typer.Option(min=1, metavar="SECONDS", help="Give up on a graph that takes longer to compile.")
]


def tpu_of(
    names: Sequence[str],
    timeout: float,
    gib: float | None = None,
    milliseconds: float | None = None,
    batch: str | None = None,
) -> Tpu:
    """The TPUs of these names, several of which a comma parts. Raises `UserError` for one that is not known.

    `gib` of memory and `milliseconds` of a step are what may be taken there; `batch` is the option of the script whose
    largest value is looked for.
    """
    from xlaport.caching import store
    from xlaport.tpu.chips import chip_of
    from xlaport.tpu.trying import Tpu

    chips = dict.fromkeys(name for each in names for name in each.split(","))
    place = None if os.environ.get("XLAPORT_NO_CACHE") else store.folder()
    most = gib * 2**30 if gib is not None else None
    longest = milliseconds / 1000 if milliseconds is not None else None
    return Tpu(tuple(map(chip_of, chips)), timeout, store.Store(place), most, longest, batch)
