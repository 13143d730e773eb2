"""What the runs of a port came to, kept until it has ended: an interrupted one goes on from there."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from xlaport import registry
from xlaport.caching.evidence import digest, run_key
from xlaport.caching.store import Store
from xlaport.errors import UserError
from xlaport.observed.record import NOTHING_OBSERVED, Observations
from xlaport.port.attempt import Attempt, Codes, Offer
from xlaport.port.bench import FolderBench
from xlaport.port.request import PortRequest
from xlaport.port.writing import changes_of
from xlaport.result import RunResult
from xlaport.source import read_bytes
from xlaport.tpu.trying import Tpu
from xlaport.verify.events import Trace
from xlaport.verify.verdict import VerdictFinding

_Asked = tuple[str, Codes, str]
"""What was asked, of which set, and what else tells a conversion from others."""


@dataclass
class _Kept:
    """By what was asked of an attempt and which one it is: what came of it, and how often the script ran for it."""

    attempts: dict[_Asked, tuple[Attempt, int]] = field(default_factory=dict)
    recordings: dict[tuple[tuple[str, str], ...], Trace | VerdictFinding] = field(default_factory=dict)
    offered: dict[str, Offer] = field(default_factory=dict)
    """By the name of what the first run has shown."""
    observed: Observations = NOTHING_OBSERVED


class Remembering:
    """A bench that keeps what its runs came to, and, resumed, does not run again what has run."""

    def __init__(self, bench: FolderBench, store: Store, *, resumed: bool) -> None:
        self._bench = bench
        self._store = store
        self._key = _key(bench.request, bench.named)
        self._kept = (self._load() if resumed else None) or _Kept()
        bench.recordings.made |= self._kept.recordings
        self._runs = 0

    @property
    def runs(self) -> int:
        """How often the script has run so far, before an interruption, too."""
        return self._runs

    def on_tpus(self, attempt: Attempt, tpu: Tpu) -> Attempt:
        """See `FolderBench.on_tpus`: what the compiler makes of a graph is remembered there."""
        return self._bench.on_tpus(attempt, tpu)

    @property
    def known(self) -> int:
        """How many runs are known from before."""
        return sum(runs for _, runs in self._kept.attempts.values())

    def offered(self) -> Offer:
        """What unsafe fixes there are here."""
        name = self._bench.observed.name
        if name not in self._kept.offered:
            self._kept.offered[name] = self._bench.offered()
        return self._kept.offered[name]

    @property
    def observed(self) -> Observations:
        """What the first run has shown."""
        return self._kept.observed

    def finished(self, result: RunResult) -> None:
        """Keep it for a folder that holds the result, too: a port that is killed once all is written is known there."""
        key = _key(self._bench.request, self._bench.named, {change.path: change.after for change in changes_of(result)})
        self._store.put(key, pickle.dumps(self._kept))

    def attempt(self, unsafe: Codes) -> Attempt:
        """A conversion with the unsafe fixes of some rules, run and judged."""
        return self._once(("judged", unsafe, self._bench.observed.name), lambda: self._bench.attempt(unsafe))

    def compared(self, attempt: Attempt) -> Attempt:
        """The same, compared with the original."""
        texts = digest(repr([(file.path, file.after) for file in attempt.result.changed]).encode())
        return self._once(("compared", attempt.unsafe, texts), lambda: self._bench.compared(attempt))

    def _once(self, key: _Asked, run: Callable[[], Attempt]) -> Attempt:
        if key not in self._kept.attempts:
            before = self._bench.runs
            found = run()
            self._kept.attempts[key] = found, self._bench.runs - before
            self._kept.recordings.update(self._bench.recordings.made)
            self._kept.observed = self._bench.observed
            self._store.put(self._key, pickle.dumps(self._kept))
        self._bench.observed = self._kept.observed  # from the first run on
        attempt, runs = self._kept.attempts[key]
        self._runs += runs
        return attempt

    def _load(self) -> _Kept | None:
        kept = self._store.get(self._key)
        try:
            found = pickle.loads(kept) if kept is not None else None
        except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError, TypeError):
            return None
        return found if isinstance(found, _Kept) else None


def _key(request: PortRequest, files: list[Path], instead: Mapping[Path, bytes] = MappingProxyType({})) -> str:
    """Of what is asked, of the files, and of the program that finds and rewrites. `instead`: what files will hold."""
    contents = [(os.path.realpath(file), _digest(file, instead)) for file in files]
    return run_key(repr(("port", request, contents)), registry.places(request.config.packs))


def _digest(file: Path, instead: Mapping[Path, bytes]) -> str:
    if file.is_dir():
        return ",".join(_digest(inner, instead) for inner in sorted(file.rglob("*.py")))
    try:
        return digest(instead[file] if file in instead else read_bytes(file))
    except UserError:
        return ""
