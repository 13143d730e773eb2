"""What a run is asked to do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xlaport.engine import Settings
from xlaport.finding import Applicability
from xlaport.ignore import Patterns
from xlaport.observed.record import NOTHING_OBSERVED, Observations
from xlaport.rule import Rule
from xlaport.targets.known import DEFAULT, target

SEVERAL_PROCESSES = ("XP6", "XP7")
"""The families of rules that port what starts several processes, and what they save."""


@dataclass(frozen=True)
class IgnoredIn:
    """Rules that do not look at some files, by codes or their beginnings."""

    files: Patterns
    codes: tuple[str, ...]
    others: bool = False
    """Whether all files but those of the patterns are meant."""

    def concerns(self, real: str) -> bool:
        """Whether the file with this true path is one of them."""
        return self.files.match(real) != self.others


@dataclass(frozen=True)
class Config:
    """The settings of one run. `select` and `ignore` hold rule codes or their beginnings."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str | Patterns, ...] = ()
    """Patterns of files and folders to leave out, as in a ``.gitignore``; texts are of the working directory."""
    unsafe: bool = False
    unsafe_codes: tuple[str, ...] = ()
    """Codes, or their beginnings, of the rules of which what is unsafe is applied; `unsafe` is of all."""
    unsafe_places: tuple[tuple[str, str, int], ...] = ()
    """Codes, with the path and the line (from 1) of a finding of which what is unsafe is applied."""
    target: str = DEFAULT
    multi: bool = False
    """Whether programs of several processes are ported as such: what is unsafe in `SEVERAL_PROCESSES` is applied."""
    force_exclude: bool = False
    """Whether `exclude` decides over files that are named themselves, too."""
    insisted: tuple[str, ...] = ()
    """Codes, or their beginnings, that come before those of `ignore` which are no longer."""
    per_file: tuple[IgnoredIn, ...] = ()
    extend_select: tuple[str, ...] = ()
    """Codes, or their beginnings, beside those of `select`; of a rule on request, its whole code."""
    baseline: Path | None = None
    """The findings that are known and not reported by ``check``."""
    observed: Observations = NOTHING_OBSERVED
    """What a run has shown of the files: findings that rest on it say so, and are unsafe."""
    is_run: bool = False
    """Whether the files are a program that is run: other scripts that lead to some of them hold nothing back."""
    packs: tuple[str, ...] = ()
    """Rule packs beside the built-in one: folders, or packages that can be imported."""

    def rules_for(self, path: Path, rules: Sequence[Rule]) -> Sequence[Rule]:
        """Those of the rules that look at a file."""
        if not self.per_file:
            return rules
        real = os.path.realpath(path)
        codes = tuple(code for each in self.per_file if each.concerns(real) for code in each.codes)
        return [rule for rule in rules if not rule.code.startswith(codes)] if codes else rules

    def settings(self) -> Settings:
        """What the engine needs. Raises `UserError` for an unknown target."""
        allowed = {Applicability.SAFE, Applicability.UNSAFE} if self.unsafe else {Applicability.SAFE}
        families = (*self.unsafe_codes, *(SEVERAL_PROCESSES if self.multi else ()))
        return Settings(target(self.target), frozenset(allowed), families, frozenset(self.unsafe_places))
