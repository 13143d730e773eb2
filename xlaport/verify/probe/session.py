"""The recording in one process: where events go, how many steps have been seen, and when to stop."""

from __future__ import annotations

import atexit
import contextlib
import errno
import os
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from ..events import Boundary, Counts, End, Event, Lost, Site, Trouble, encode
from . import frames
from .counters import Counters
from .settings import SETTINGS

_SWALLOWED = 100
"""So many boundaries after the stop mean that the script has swallowed it and goes on."""

_FEW_TRAINED, _LONGER, _COMPILED = 6, 30, 8
"""A run that has made fewer steps of training than this, since it evaluates between them, may last so often as long, as
long as no more of these further steps compile than so many.
"""

_THREADS = 20.0
"""Seconds that the threads of a script may take to end once its main program, stopped by us, is over."""


class Session:
    """The state of one recording. A forked child gets a file of its own, and goes on with its own steps."""

    def __init__(self, directory: str, steps: int) -> None:
        self.directory = directory
        self.limit = steps
        self.lock = threading.RLock()
        self.counters: Counters | None = None
        self.at_boundary: list[Callable[[], None]] = []
        self.at_end: list[Callable[[], None]] = []
        self._file: int | None = None
        self._lost = 0
        self._why = ""
        self._pid = 0
        self._markers = 0
        self._last_executions = 0
        self._since_marker: dict[int, int] = {}
        self._trained: Counter[int] = Counter()
        self._compiles = self._compiled = 0
        self._backwards: defaultdict[int, Counter[Site | None]] = defaultdict(Counter)
        self._reads: dict[Site | None, int] = {}
        self._in_training = False
        self._stopped_at: Site | None = None
        self._after_stop = 0
        self._ended = False
        self._began = time.monotonic()
        self._waited = 0.0
        atexit.register(self.finish, "exit")

    def emit(self, event: Event) -> None:
        """Write one event; each line reaches the file at once, so a killed process loses at most the last
        one. What cannot be written is counted, and told when it can be again: the script must run.
        """
        with self.lock:
            text = encode(event) + "\n"
            if self._lost:
                missing = Lost(f"{self._lost} events could not be written: {self._why}")
                text = f"\n{encode(missing)}\n{text}"  # the line that failed may stand there in part
            try:
                if self._file is None or self._pid != os.getpid():
                    # Held open for the life of the process, and closed by its end.
                    path = os.path.join(self.directory, f"{os.getpid()}.jsonl")
                    self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
                    self._pid = os.getpid()
                data = text.encode("ascii")
                if os.write(self._file, data) != len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            except OSError as error:
                self._lost, self._why = self._lost + 1, error.strerror or str(error)
                if error.errno == errno.EBADF:  # the script has closed what it does not know
                    self._file = None
            else:
                self._lost = 0

    def totals(self) -> Counts:
        """The counts so far; nothing where torch_xla has not been imported."""
        return self.counters.totals() if self.counters else Counts()

    def add_runs(self, count: int) -> None:
        """See `Counters.add_runs`."""
        if self.counters:
            self.counters.add_runs(count)

    def marker(self, kind: str, site: Site | None) -> bool:
        """A barrier has run. Whether it ended a step: only if something was executed since the one before."""
        with self.lock:
            totals = self.totals()
            if totals.executions <= self._last_executions:
                return False
            self._last_executions = totals.executions
            self._markers += 1
            self._compiled += self._markers > self.limit and totals.compiles > self._compiles
            self._compiles = totals.compiles
            self._since_marker.clear()
            self._reads.clear()
            self._in_training = False
            self._emit_boundary("marker", kind, site, totals)
            self._backwards.pop(frames.thread(), None)
            return True

    def no_step(self) -> None:
        """What has been executed so far is no work that the next barrier ends."""
        with self.lock:
            self._last_executions = self.totals().executions

    def optimizer_stepped(self, optimizer: int, site: Site | None) -> None:
        """An optimizer has made a step."""
        for call in self.at_boundary:
            guarded(call)
        with self.lock:
            self._emit_boundary("optimizer", "step", site, self.totals(), optimizer)
            self._reads.clear()
            self._in_training = False
            self._trained[optimizer] += 1
            self._since_marker[optimizer] = self._since_marker.get(optimizer, 0) + 1

    def _emit_boundary(
        self, source: str, kind: str, site: Site | None, totals: Counts, optimizer: int | None = None
    ) -> None:
        thread, times = frames.thread(), (self._seconds(), self._waited)
        line, backwards = next(iter(self._backwards[thread].most_common(1)), (None, 0))
        self.emit(Boundary(source, kind, site, totals, optimizer, thread, *times, backwards, line))

    def backward(self, site: Site | None, keeps: bool) -> None:
        """A backward pass begins. `keeps`: the graph of autograd stays, for another pass over the same work."""
        with self.lock:
            passes = self._backwards[frames.thread()]
            passes[site] = max(1, passes[site]) if keeps else passes[site] + 1

    def waited(self, seconds: float) -> None:
        """The main thread has waited for a batch."""
        self._waited += seconds

    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def graph_read(self, site: Site | None, in_training: bool = False) -> None:
        """A read, or torch.compile, has run a graph: a loop without barrier and optimizer has only these steps.
        `in_training`: an optimizer has been made, and gradients are recorded.
        """
        with self.lock:
            self._reads[site] = self._reads.get(site, 0) + 1
            self._in_training |= in_training  # a read without gradients in between ends no training

    def stop_if_due(self, site: Site | None) -> None:
        """Leave the script after the wanted number of steps, as if it had called ``sys.exit(0)``.

        Steps are barriers; a script without them is stopped by its optimizer's steps, else by its reads. Training that
        has begun goes on until it can be judged: the steps of an evaluation may come before its second one, and many
        reads, such as a check in each layer or the norms of all gradients, before the optimizer's step.
        """
        if not self.limit:
            return
        if self._stopped_at is None:
            made = max(self._markers, *self._since_marker.values(), *self._reads.values(), 0)
            trained = max(self._trained.values(), default=0)
            is_begun = trained or self._in_training or self._backwards[frames.thread()]
            is_begun = is_begun and trained < min(_FEW_TRAINED, self.limit)
            if made < self.limit * (_LONGER if is_begun and self._compiled <= _COMPILED else 1):
                return
            self._stopped_at = site
            self.finish("steps")
            threading.Thread(target=_leave, daemon=True).start()
            raise SystemExit(0)
        self._after_stop += 1
        # What the script does on its way out (a `finally` that saves) may run; a loop that swallowed the stop
        # may not.
        if site == self._stopped_at or self._after_stop > _SWALLOWED:
            _exit()

    def finish(self, reason: str) -> None:
        """Write the last events, once."""
        if self._ended:
            return
        self._ended = True
        for call in self.at_end:
            guarded(call)
        self.emit(End(reason, self.totals()))


def _exit() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # the script may have closed it, or put its own there
            stream.flush()
    os._exit(0)


def _leave() -> None:
    """End a script that has been stopped, and whose main program is over, but whose threads do not end."""
    threading.main_thread().join()
    time.sleep(_THREADS)
    _exit()


_session: Session | None = None


def current() -> Session:
    """The session of this process."""
    global _session
    if _session is None:
        _session = Session(SETTINGS["XLAPORT_EVENTS"], int(SETTINGS.get("XLAPORT_STEPS") or 0))
    return _session


def guarded(call: Callable[..., Any], *arguments: Any, **named: Any) -> None:
    """Call something of ours that must not break the script, whatever state the script is in."""
    try:
        call(*arguments, **named)
    except Exception as error:  # whatever it is, it is ours: the script must run
        current().emit(Trouble(f"{getattr(call, '__name__', call)}: {type(error).__name__}: {error}"))
