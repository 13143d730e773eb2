"""How much of the machine's memory parsed files may take."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from xlaport.facts.program import KEPT

_BYTES = 75
"""What a parsed file takes for each character of its source, with what is found out about it; measured."""
_LEAST = 6_000_000
"""Characters that each process may keep, however little memory there is."""
_MACHINE = Path("/proc/meminfo")
_GROUPS = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes")),
)
"""Where Linux says how much a container may have, and has: in the second version of its groups, and in the first."""


def kept_characters(processes: int) -> int:
    """How many characters of parsed source each of some processes may keep: together half of what is free."""
    free = min(_free(), default=None)
    return KEPT if free is None else max(free // 2 // _BYTES // processes, _LEAST)


def _free() -> Iterator[int]:
    """How many bytes are free: of the machine, and of the container where it has a limit of its own."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB", _read(_MACHINE), re.MULTILINE)
    if found is not None:
        yield int(found[1]) * 1024
    elif {"SC_PHYS_PAGES", "SC_PAGE_SIZE"} <= getattr(os, "sysconf_names", {}).keys():  # not Linux, but a Unix
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2  # what others use is not known
    for most, used in _GROUPS:
        limit, taken = _read(most).strip(), _read(used).strip()
        if limit.isdigit() and taken.isdigit():
            yield max(int(limit) - int(taken), 0)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii")
    except (OSError, UnicodeError):
        return ""
