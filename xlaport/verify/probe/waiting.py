"""Whether the loop waits for a value that the host reads, or has sent more work to the device before.

A read in a thread of its own holds up nobody, unless the main thread waits for that very thread. A read of a value of
the step before, behind the barrier of this one, finds the device at work: it waits for what is done already.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from types import FrameType
from typing import Any

from ..events import Site
from . import frames
from .session import current

_LOCKS = (threading.__file__, os.path.join(os.path.dirname(threading.__file__), "queue.py"))
"""Where the frames of a thread end that waits for another one."""
_WAITING = frozenset({"wait", "wait_for", "join", "_wait_for_tstate_lock"})
"""What it is in there, and not on its way through."""
_STARTING = "start"
"""It waits for a thread to begin: that it runs is enough, however late the other one hears of it."""


_INSTALLED = ("site-packages", "dist-packages")


class _Ends(threading.local):
    """The ends of steps that a thread has come to. Tensors of torch_xla have numbers, in the order they are made."""

    def __init__(self) -> None:
        self.newest: dict[Site | None, int] = {}
        """The newest tensor at the last end of a step, by the line that ended it."""
        self.settled = 0
        """Tensors up to this one were there when a step ended, and after it another one, at the same line."""


_ends = _Ends()


def step_ended(site: Site | None) -> None:
    """The graph of a step has been sent to the device: whatever is there now is computed by it, or was before."""
    import _XLAC
    import torch

    counters = current().counters
    if counters is None:
        return
    with counters.own():
        number = _XLAC._xla_get_tensor_id(torch.empty(0, device="xla"))
    _ends.settled = max(_ends.settled, _ends.newest.get(site, 0))
    _ends.newest[site] = number


def is_of_an_earlier_step(tensors: Sequence[Any]) -> bool:
    """Whether these were all computed by a step that another one was sent to the device after."""
    import _XLAC

    if not tensors or not _ends.settled:
        return False
    old = all(_XLAC._xla_get_tensor_id(tensor) <= _ends.settled for tensor in tensors)
    return old and not any(_XLAC._check_tensor_need_materialization(list(tensors)))


def main_waits_for_this() -> bool:
    """Whether the main thread waits for this one now: for its end, its result, or what it puts into a queue.

    It then stands in a lock, and who has asked for it there, the library or else the user, is what runs this thread.
    """
    main = threading.main_thread().ident
    frame = sys._current_frames().get(main) if main is not None else None
    if frame is None or frame.f_code.co_filename not in _LOCKS or frame.f_code.co_name not in _WAITING:
        return False
    asked = set[str]()
    while frame is not None:
        name = frame.f_code.co_filename
        if frames.is_user(name):
            asked = asked or {_owner(name)}
            break
        if name not in _LOCKS:
            asked.add(_owner(name))
        elif frame.f_code.co_name == _STARTING:
            return False
        frame = frame.f_back
    else:
        return False
    return not asked.isdisjoint(_owners(sys._getframe()))


def _owners(frame: FrameType | None) -> set[str]:
    found = set()
    while frame is not None:
        found.add(_owner(frame.f_code.co_filename))
        frame = frame.f_back
    return found


def _owner(filename: str) -> str:
    """A file, or the package of the standard library that it is in: a pool's callers and workers are files of one."""
    library = os.path.dirname(threading.__file__)
    parts = filename.removeprefix(library + os.sep).split(os.sep)
    inside = filename.startswith(library + os.sep) and len(parts) > 1 and parts[0] not in _INSTALLED
    return os.path.join(library, parts[0]) if inside else filename
