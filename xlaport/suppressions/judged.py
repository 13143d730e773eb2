"""Comments that ask to ignore findings, and what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass

from xlaport.suppressions.comments import Suppression


@dataclass(frozen=True)
class Judged:
    """A comment, and what is wrong with it."""

    suppression: Suppression
    idle: tuple[str, ...]
    """Those of its codes for which it does nothing."""
    is_idle: bool
    """Whether it does nothing at all."""
    unknown: tuple[str, ...]
    """Its codes that no rule has."""
