"""torch_xla's counters as totals that only grow, without the probe's own doings.

Names and meanings: torch_xla 2.9, `torch_xla.debug.metrics`; measured on XLA:CPU. Counters and metrics do not
exist before they are first touched, and `met.clear_all()` sets them back.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..events import Counts

READ_OP = "aten::_local_scalar_dense"
"""`.item()` and its kin are counted among the fallbacks, but are reads."""


class Counters:
    """Reads torch_xla's counters (about 3 microseconds a time) and adds up what was added."""

    def __init__(self, xlac: Any) -> None:
        self._xlac = xlac
        self._raw: dict[str, int] = {}
        self._total: dict[str, int] = {}
        self._own: dict[str, int] = {}
        self._lock = threading.RLock()

    def _read(self) -> dict[str, int]:
        value = self._xlac._xla_counter_value
        raw = {name: value(name) or 0 for name in ("UncachedCompile", "CachedCompile", "PersistentCacheHit")}
        transfers = self._xlac._xla_metric_data("TransferFromDeviceTime")
        raw["transfers"] = transfers[0] if transfers else 0
        graphs = self._xlac._xla_metric_data("TensorsGraphSize")
        raw["nodes"] = int(graphs[1]) if graphs else 0
        for op in self._xlac._get_executed_fallback_ops():
            raw[op] = value(op) or 0
        return raw

    def _update(self) -> None:
        raw = self._read()
        for name, value in raw.items():
            before = self._raw.get(name, 0)
            # A value that went down was set back by the script: all of it is new.
            self._total[name] = self._total.get(name, 0) + (value - before if value >= before else value)
        self._raw = raw

    def totals(self) -> Counts:
        """What the script has done so far."""
        with self._lock:
            self._update()
            total = {name: value - self._own.get(name, 0) for name, value in self._total.items()}
        uncached, hits = total.pop("UncachedCompile"), total.pop("PersistentCacheHit")
        cached, runs = total.pop("CachedCompile"), total.pop("runs", 0)
        transfers, nodes = total.pop("transfers"), total.pop("nodes")
        fallbacks = {op: n for op, n in total.items() if n and op != READ_OP}
        return Counts(uncached + hits, uncached + cached + runs, transfers, nodes, fallbacks)

    def add_runs(self, count: int) -> None:
        """Executions which no counter shows (dynamo's cached graphs), or, negative, compiles which ran
        nothing.
        """
        with self._lock:
            self._total["runs"] = self._total.get("runs", 0) + count

    @contextmanager
    def being_changed(self) -> Iterator[None]:
        """Around a call that sets the counters by hand: what was counted is kept, and nothing is added."""
        with self._lock:
            self._update()
            try:
                yield
            finally:
                self._raw = self._read()

    @contextmanager
    def own(self) -> Iterator[None]:
        """Around what the probe does itself: it is not the script's."""
        with self._lock:
            self._update()
            before = dict(self._total)
            try:
                yield
            finally:
                self._update()
                for name, value in self._total.items():
                    self._own[name] = self._own.get(name, 0) + value - before.get(name, 0)
