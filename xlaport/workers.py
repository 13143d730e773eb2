"""The work on many files, shared among all cores, with results in the order of the files."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

_FEWEST = 24
"""Fewer files than this are done sooner by one process."""
_SHARES = 6
"""Into how many pieces the files of each process are cut: files of one folder stay together, and nobody waits long."""

_PATIENCE = 1.0
"""How many seconds a process may outlive the one that shares the work."""


def cores() -> int:
    """How many processes this one may run at a time."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


def processes(count: int, jobs: int) -> int:
    """How many processes share `count` files, where there may be `jobs`."""
    if count < _FEWEST or "fork" not in multiprocessing.get_all_start_methods():
        return 1
    return min(jobs, count)


class Sharing(Generic[T]):
    """A task for each of some numbers, done by forked processes where that pays and the system forks.

    What a process that dies (killed for its memory) had to do is done by this one.
    """

    _task: Callable[[range], Any] | None = None
    """What the forked processes do: they have it from here, and nothing has to be sent to them."""

    def __init__(self, task: Callable[[range], T], count: int, jobs: int) -> None:
        """`task` does what belongs to a range of the numbers below `count`."""
        self._own = task
        self._count = count
        self._jobs = processes(count, jobs)

    def results(self, progress: Callable[[int, int], None]) -> list[T]:
        """What came of the pieces, in order. `progress` is told how many of the numbers are done, and of how many."""
        if self._jobs < 2:
            return [result for _, result in self._alone(_cut(self._count, self._count), progress)]
        pieces = _cut(self._count, self._jobs * _SHARES)
        found = dict(self._forked(pieces, progress))
        left = [piece for piece in pieces if piece.start not in found]
        found.update(self._alone(left, lambda done, total: None))
        return [found[start] for start in sorted(found)]

    def _alone(self, pieces: Sequence[range], progress: Callable[[int, int], None]) -> Iterator[tuple[int, T]]:
        for piece in pieces:
            progress(piece.start, self._count)
            yield piece.start, self._own(piece)

    def _forked(self, pieces: Sequence[range], progress: Callable[[int, int], None]) -> Iterator[tuple[int, T]]:
        from concurrent.futures import ProcessPoolExecutor, as_completed  # takes time, and one process needs none
        from concurrent.futures.process import BrokenProcessPool

        Sharing._task = self._own
        pool = ProcessPoolExecutor(self._jobs, multiprocessing.get_context("fork"), _begin, (os.getpid(),))
        try:
            waiting: dict[Future[T], range] = {pool.submit(_do, piece): piece for piece in pieces}
            done = 0
            for future in as_completed(waiting):
                try:
                    result = future.result()
                except BrokenProcessPool:
                    continue
                done += len(waiting[future])
                progress(done, self._count)
                yield waiting[future].start, result
        except BaseException:
            # Nobody waits for what they are at: an interrupted run ends at once.
            for child in multiprocessing.active_children():
                child.terminate()
            raise
        finally:
            Sharing._task = None
            pool.shutdown(wait=True, cancel_futures=True)


def is_forked() -> bool:
    """Whether this is one of the processes that share the work."""
    return _forked


_forked = False


def _begin(parent: int) -> None:
    """Settle in; `parent` shares the work, and may have been killed by now, so that it is not asked for here."""
    global _forked
    _forked = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever interrupts the run means the one that writes
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    gc.freeze()


def _end_with(parent: int) -> None:
    """End this process when the one that shares the work is killed: the pipes between all of them stay open then."""
    while os.getppid() == parent:
        time.sleep(_PATIENCE)
    os._exit(1)


def _do(piece: range) -> Any:
    assert Sharing._task is not None
    return Sharing._task(piece)


def _cut(count: int, pieces: int) -> list[range]:
    """`count` numbers in about as many ranges as wanted, none of them empty."""
    pieces = max(1, min(pieces, count))
    return [range(count * i // pieces, count * (i + 1) // pieces) for i in range(pieces) if count]
