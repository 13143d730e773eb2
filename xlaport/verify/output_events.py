"""What is recorded of the outputs of a run for parity: the lines that it prints and writes, the values that it saves.

A part of the probe, too: the standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .counts import Site


@dataclass(frozen=True)
class LineSeen:
    """A line of text that the script has printed, or written into a file (`path`, relative to where it started).

    `step`: so many optimizer steps had been made; `site` is the line that printed, or opened the file.
    """

    type: ClassVar[str] = "line"
    text: str
    step: int
    site: Site | None
    path: str = ""


@dataclass(frozen=True)
class ValueSeen:
    """A value in what the script has saved: by the `number`-th save to `path` (from 1), after so many optimizer steps.

    `key` names it there, as ``model/layer.weight``. A tensor has a `shape`, and as `values` some of its elements,
    spread over it; a number is its only value, and has the shape of one. `norm` is that of all elements.
    """

    type: ClassVar[str] = "value"
    path: str
    number: int
    key: str
    shape: tuple[int, ...]
    norm: float
    values: tuple[float, ...]
    step: int
    site: Site | None


@dataclass(frozen=True)
class FileSeen:
    """A file that the script has saved or written. `how`: ``values``, ``lines``, or ``unknown`` (not comparable)."""

    type: ClassVar[str] = "file"
    path: str
    how: str
    site: Site | None
