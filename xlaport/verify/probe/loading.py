"""What the data loaders do: how long the main thread waits for them, and which errors end an epoch unseen.

torch_xla's loaders iterate a ``DataLoader`` in a thread of their own. Where that raises, the thread ends, the queue is
closed, and the loop ends as if the data were at its end (torch_xla 2.9, parallel_loader.py, `_loader_worker`).
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

from ..events import LoaderFailed, Site
from . import frames
from .session import current, guarded
from .wrapping import wrap

_LONGEST = 300
"""Characters of an error's text."""

_delivered: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
_sites: weakref.WeakKeyDictionary[Any, Site | None] = weakref.WeakKeyDictionary()


def install() -> None:
    """Watch the iterators of ``torch.utils.data.DataLoader``; torch has just been imported."""
    from torch.utils.data import dataloader

    wrap(dataloader._BaseDataLoaderIter, "__init__", _begin)
    wrap(dataloader._BaseDataLoaderIter, "__next__", _following)


def watch_device_loaders() -> None:
    """Watch the queues of torch_xla's loaders; its module has just been imported."""
    from torch_xla.distributed import parallel_loader

    wrap(parallel_loader.ParallelLoader, "next_item", _timed)


def _begin(original: Callable[..., None], iterator: Any, *args: Any, **kwargs: Any) -> None:
    _sites[iterator] = frames.site()
    original(iterator, *args, **kwargs)


def _following(original: Callable[..., Any], iterator: Any) -> Any:
    try:
        batch = _timed(original, iterator)
    except StopIteration:
        raise
    except Exception as error:  # the script gets it, too, unless a thread of torch_xla's drops it
        guarded(_failed, iterator, error)
        raise
    _delivered[iterator] = _delivered.get(iterator, 0) + 1
    return batch


def _timed(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A batch, and how long the main thread has waited for it."""
    start = time.monotonic()
    try:
        return original(*args, **kwargs)
    finally:
        if threading.current_thread() is threading.main_thread():
            current().waited(time.monotonic() - start)


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
