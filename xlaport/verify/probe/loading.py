"""What the data loaders do: how long the main thread waits for them, and which errors end an epoch unseen.

torch_xla's loaders iterate a ``DataLoader`` in a thread of their own. Where that raises, the thread ends, the queue is
closed, and the loop ends as if the data were at its end (torch_xla 2.9, parallel_loader.py, `_loader_worker`).
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..events import LoaderFailed, Site
from . import frames
from .session import current, guarded
from .wrapping import wrap

_LONGEST = 300
"""Characters of an error's text."""

_delivered: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
_sites: weakref.WeakKeyDictionary[Any, Site | None] = weakref.WeakKeyDictionary()


@dataclass(frozen=True)
class _Batches:
    """A loader that was iterated: where, its number of samples, and how many a batch has."""

    site: Site | None
    samples: int
    size: int


_batches: dict[_Batches, None] = {}
_MOST_LOADERS = 50


def install() -> None:
    """Watch the iterators of ``torch.utils.data.DataLoader``; torch has just been imported."""
    from torch.utils.data import dataloader

    wrap(dataloader._BaseDataLoaderIter, "__init__", _begin)
    wrap(dataloader._BaseDataLoaderIter, "__next__", _following)


def watch_device_loaders() -> None:
    """Watch the queues of torch_xla's loaders; its module has just been imported."""
    from torch_xla.distributed import parallel_loader

    wrap(parallel_loader.ParallelLoader, "next_item", _timed)


def last_batch(before: str, after: str) -> str | None:
    """Whose last batch has the second of two shapes, as in ``f32[17,128]``, where the first is that of a whole one."""
    sizes = [re.match(r"\w+\[(\d+)", shape) for shape in (before, after)]
    whole, rest = (int(size[1]) if size else 0 for size in sizes)
    for item in _batches:
        if rest and (whole, rest) == (item.size, item.samples % item.size):
            return f"the last batch of the loader ({item.samples} samples in batches of {item.size})"
    return None


def _begin(original: Callable[..., None], iterator: Any, *args: Any, **kwargs: Any) -> None:
    _sites[iterator] = frames.site()
    guarded(_remember, _sites[iterator], args[0] if args else kwargs.get("loader"))
    original(iterator, *args, **kwargs)


def _remember(site: Site | None, loader: Any) -> None:
    sampler: Any = getattr(loader, "batch_sampler", None)
    size, rows = getattr(sampler, "batch_size", None), getattr(sampler, "sampler", ())
    if len(_batches) >= _MOST_LOADERS or not isinstance(size, int) or size < 1 or getattr(sampler, "drop_last", True):
        return
    with contextlib.suppress(TypeError, NotImplementedError):  # what has no length
        if count := len(rows):  # none where a class of the script's own puts the rows together by itself
            _batches[_Batches(site, count, size)] = None


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
