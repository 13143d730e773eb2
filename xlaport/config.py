"""What a run is asked to do."""

from __future__ import annotations

from dataclasses import dataclass

from xlaport.engine import Settings
from xlaport.rule import Applicability
from xlaport.target import DEFAULT, target

SEVERAL_PROCESSES = ("XP6", "XP7")
"""The families of rules that port what starts several processes, and what they save."""


@dataclass(frozen=True)
class Config:
    """The settings of one run. `select` and `ignore` hold rule codes or their beginnings."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    """Patterns of files and folders to leave out, as in a ``.gitignore``."""
    unsafe: bool = False
    target: str = DEFAULT
    multi: bool = False
    """Whether programs of several processes are ported as such: what is unsafe in `SEVERAL_PROCESSES` is applied."""

    def settings(self) -> Settings:
        """What the engine needs. Raises `UserError` for an unknown target."""
        allowed = {Applicability.SAFE, Applicability.UNSAFE} if self.unsafe else {Applicability.SAFE}
        return Settings(target(self.target), frozenset(allowed), SEVERAL_PROCESSES if self.multi else ())
