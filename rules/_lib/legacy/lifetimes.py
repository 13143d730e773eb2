"""What each version of torch_xla has: `lifetimes.txt` as answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from xlaport.target import Target
from xlaport.wording import Text

from .saying import say

FILE = Path(__file__).parents[2] / "legacy" / "lifetimes.txt"
_MODULE = re.compile(r"(\S+)(?: (\d\.\d+)-(\d\.\d+)?)?")
_NAMES = re.compile(r"  (\d\.\d+)-(\d\.\d+)?: (.*)")
_OLDEST, _NEWEST = "2.1", "2.9"

_COMPLETE = frozenset(
    "core core.xla_model runtime distributed distributed.xla_multiprocessing distributed.parallel_loader debug "
    "debug.metrics debug.profiler utils".split()
)
"""Modules of which it is reported, too, that no version has a name: their names are all in the table."""

_HELPERS = frozenset("torch torch_xla runtime logging xenv xm xr xu xp kq ms xc pjrt tpu neuron plugins".split())
"""Modules that those modules import for themselves, and that programs reach through them."""


@dataclass(frozen=True)
class Lifetime:
    """The version that something came with, and the first version without it."""

    first: str = _OLDEST
    removed: str | None = None

    def absence(self, name: str, target: Target) -> Text | None:
        """Why the target does not have `name`; None if it does."""
        if self.removed is not None and target.is_at_least(self.removed):
            return say("XP903.removed", name=name, version=self.removed)
        if not target.is_at_least(self.first):
            return say("XP903.later", name=name, target=target.name, version=self.first)
        return None


@dataclass(frozen=True)
class _Module:
    lifetime: Lifetime
    names: dict[str, Lifetime] = field(default_factory=dict)


def absence(name: str, target: Target) -> Text | None:
    """Why the target does not have a qualified name of torch_xla; None if it has, or who knows."""
    found = _split(name)
    if found is None:
        return None
    module, attribute = found
    missing = _table()[module].lifetime.absence(module, target)
    if missing is not None or not attribute:
        return missing
    lifetime = _table()[module].names.get(attribute)
    if lifetime is not None:
        return lifetime.absence(f"{module}.{attribute}", target)
    if module.partition(".")[2] in _COMPLETE and not attribute.startswith("_") and attribute not in _HELPERS:
        return _never(f"{module}.{attribute}")
    return None


def module_absence(name: str, target: Target) -> Text | None:
    """The same for what an ``import`` names, which can only be a module."""
    if name in _table():
        return _table()[name].lifetime.absence(name, target)
    if name.split(".")[0] != "torch_xla" or any(part.startswith("_") for part in name.split(".")):
        return None
    return _never(name)


def _never(name: str) -> Text:
    return say("XP903.never", name=name, oldest=_OLDEST, newest=_NEWEST)


def has(module: str, name: str, target: Target) -> bool:
    """Whether the table says that a module of the target has a name."""
    found = _table().get(module)
    lifetime = found.names.get(name) if found is not None else None
    return lifetime is not None and lifetime.absence(name, target) is None


def _split(name: str) -> tuple[str, str] | None:
    """The module that a qualified name begins with, the longest there is, and the name in it that follows."""
    parts = name.split(".")
    if parts[0] != "torch_xla":
        return None
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        if module in _table():
            return module, parts[length] if length < len(parts) else ""
    return None


@cache
def _table() -> dict[str, _Module]:
    found: dict[str, _Module] = {}
    current: dict[str, Lifetime] = {}
    lifetime = Lifetime()
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if (names := _NAMES.fullmatch(line)) is not None:
            lifetime = Lifetime(names[1], names[2])
            current |= dict.fromkeys(names[3].split(), lifetime)
        elif line.startswith("    "):
            current |= dict.fromkeys(line.split(), lifetime)
        elif (module := _MODULE.fullmatch(line)) is not None:
            current = {}
            found[module[1]] = _Module(Lifetime(module[2] or _OLDEST, module[3]), current)
    return found
