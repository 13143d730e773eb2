"""What the data loaders do: how long the main thread waits for them, and which errors end an epoch unseen.

torch_xla's loaders iterate a ``DataLoader`` in a thread of their own. Where that raises, the thread ends, the queue is
closed, and the loop ends as if the data were at its end (torch_xla 2.9, parallel_loader.py, `_loader_worker`).
"""

from __future__ import annotations

import functools
import threading
import time
import weakref
from typing import Any

from ..events import LoaderFailed, Site
from . import frames
from .session import current, guarded

_LONGEST = 300
"""Characters of an error's text."""

_delivered: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
_sites: weakref.WeakKeyDictionary[Any, Site | None] = weakref.WeakKeyDictionary()


def install() -> None:
    """Watch the iterators of ``torch.utils.data.DataLoader``; torch has just been imported."""
    from torch.utils.data import dataloader

    iterator = dataloader._BaseDataLoaderIter
    begin, advance = iterator.__init__, iterator.__next__

    @functools.wraps(begin)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        _sites[self] = frames.site()
        begin(self, *args, **kwargs)

    @functools.wraps(advance)
    def following(self: Any) -> Any:
        start = time.monotonic()
        try:
            batch = advance(self)
        except StopIteration:
            raise
        except Exception as error:
            guarded(_failed, self, error)
            raise
        _delivered[self] = _delivered.get(self, 0) + 1
        if threading.current_thread() is threading.main_thread():
            current().waited(time.monotonic() - start)
        return batch

    iterator.__init__ = init
    iterator.__next__ = following


def watch_device_loaders() -> None:
    """Watch the queues of torch_xla's loaders; its module has just been imported."""
    from torch_xla.distributed import parallel_loader

    take = parallel_loader.ParallelLoader.next_item

    @functools.wraps(take)
    def taken(self: Any, *args: Any, **kwargs: Any) -> Any:
        start = time.monotonic()
        try:
            return take(self, *args, **kwargs)
        finally:
            if threading.current_thread() is threading.main_thread():
                current().waited(time.monotonic() - start)

    parallel_loader.ParallelLoader.next_item = taken


def _failed(iterator: Any, error: Exception) -> None:
    try:
        expected = len(iterator._index_sampler)
    except (AttributeError, TypeError):  # a stream has no length
        expected = None
    # A worker process hands its error on with the whole traceback as text: what it was stands in the last line.
    lines = [line for line in f"{type(error).__name__}: {error}".splitlines() if line.strip()]
    current().emit(
        LoaderFailed(
            frames.raised_at(error) or _sites.get(iterator),
            (lines[-1] if "Original Traceback" in str(error) else lines[0])[:_LONGEST],
            _delivered.get(iterator, 0),
            expected,
            threading.current_thread() is not threading.main_thread(),
        )
    )
