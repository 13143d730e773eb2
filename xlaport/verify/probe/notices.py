"""What bears on whether two runs can be compared, recorded once, where it was first seen."""

from __future__ import annotations

from ..events import Noticed
from . import frames
from .session import current

_noticed: set[tuple[str, str]] = set()


def notice(what: str, detail: str = "") -> None:
    """Record it, with the line of the first time."""
    if (what, detail) not in _noticed:
        _noticed.add((what, detail))
        current().emit(Noticed(what, detail, frames.site()))
