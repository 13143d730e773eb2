"""What torch_tpu has compiled and run, by its own counters, and which of that is laid to a line already."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from ...eager import names
from ..counters import Counters


class EagerCounters(Counters):
    """torch_tpu's counters as totals: each operation asks its cache for a program, and what is not there is compiled.

    Runs of what torch.compile has compiled are no such requests (`add_runs`). What is read and what cannot be run is
    counted here: torch_tpu has no counters for it.
    """

    def __init__(self) -> None:
        super().__init__(None)
        library: Any = getattr(sys.modules[names.DEVICE_MODULE], names.BACKEND)
        self.requests, self.misses = getattr(library, names.REQUESTS), getattr(library, names.MISSES)
        self.reads = 0
        self.refused: Counter[str] = Counter()

    def _read(self) -> dict[str, int]:
        compiled = self.misses()
        asked = {"CachedCompile": self.requests() - compiled, "transfers": self.reads, "nodes": 0}
        return {"UncachedCompile": compiled, "PersistentCacheHit": 0, **asked, **self.refused}
