"""Which line of the user's source is being run: the innermost frame that is neither library nor probe."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import sysconfig
import threading
import weakref
from collections.abc import Callable, Iterator
from types import FrameType

from ..eager.names import PACKAGE
from ..events import Site
from ..graphs import COMPREHENSIONS
from .wrapping import wrap

_START = os.getcwd()
_PROBE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_STDLIB = tuple(
    os.path.abspath(path) + os.sep for key in ("stdlib", "platstdlib") if (path := sysconfig.get_paths().get(key))
)
_PACKAGES = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_FRAMEWORK = tuple(f"{os.sep}{name}{os.sep}" for name in ("torch", "torch_xla", PACKAGE))
_rank: dict[str, int] = {}

_RESUMED = re.compile(r"torch_dynamo_resume_in_(.+)_at_\d+")
"""What torch.compile calls the rest of a function behind a graph break."""
_REPLICAS = "pjrt.py"
"""torch_xla starts the threads of its replicas here: to them, they are what the main thread is elsewhere."""
_started: weakref.WeakKeyDictionary[threading.Thread, Site | None] = weakref.WeakKeyDictionary()
"""Where the user's source was when it, or a library for it, started a thread."""

_USER, _PACKAGE, _OTHER = 2, 1, 0


def _rank_of(filename: str) -> int:
    """How likely a file is the user's: his own, an installed package, or torch, the standard library and
    us.
    """
    rank = _rank.get(filename)
    if rank is None:
        path = os.path.abspath(os.path.join(_START, filename))
        if filename.startswith("<") or path.startswith(_PROBE):
            rank = _OTHER
        elif any(part in path for part in _PACKAGES):
            rank = _OTHER if any(part in path for part in _FRAMEWORK) else _PACKAGE
        else:
            rank = _OTHER if path.startswith(_STDLIB) else _USER
        _rank[filename] = rank
    return rank


def is_user(filename: str) -> bool:
    """Whether a file is the user's own."""
    return _rank_of(filename) == _USER


def _user_frame(frame: FrameType | None) -> FrameType | None:
    # A script that is itself installed (python -m package) has no better frame than that of a package.
    package = None
    while frame is not None:
        rank = _rank_of(frame.f_code.co_filename)
        if rank == _USER:
            return frame
        if rank == _PACKAGE and package is None:
            package = frame
        frame = frame.f_back
    return package


def _backward_caller() -> FrameType | None:
    """The user's frame in the thread that waits for the backward pass, else in the main thread."""
    frames = sys._current_frames()
    # Our own frame among its own locals would be a cycle: it would keep the tensors of the frames above it alive
    # until the next garbage collection, and a live tensor is an output of the graph.
    frames.pop(threading.get_ident(), None)
    for start in frames.values():
        frame: FrameType | None = start
        while frame is not None:
            if frame.f_code.co_name == "_engine_run_backward":
                return _user_frame(frame)
            frame = frame.f_back
    main = threading.main_thread().ident
    return _user_frame(frames.get(main)) if main is not None else None


def _is_users(frame: FrameType | None) -> bool:
    return frame is not None and is_user(frame.f_code.co_filename)


def site() -> Site | None:
    """The user's place in the source now; `None` if no thread is in it.

    A thread that runs nothing of the user's is laid to the line that started it, or, if it is the autograd engine's,
    to the line that waits for the backward pass. Where neither is there, a line of a package is better than none.
    """
    # Never ask for a deeper frame: in an autograd thread our own frames are the whole stack.
    frame = _user_frame(sys._getframe())
    if not _is_users(frame) and threading.get_ident() != threading.main_thread().ident:
        if (started := _started_here()) is not None:
            return started
        caller = _backward_caller()
        frame = caller if frame is None or _is_users(caller) else frame
    return _place(frame) if frame is not None else None


def offset() -> int:
    """Which of the calls in its line the user's place is now: a loop comes to the same one again."""
    frame = _user_frame(sys._getframe())
    return frame.f_lasti if frame is not None else 0


def users_frames(most: int) -> Iterator[FrameType]:
    """The user's frames that run now, the innermost first; in a thread of torch's, those of the thread that waits."""
    frame = _user_frame(sys._getframe())
    if not _is_users(frame):
        frame = _backward_caller()
    for _ in range(most):
        if not _is_users(frame) or frame is None:
            return
        yield frame
        frame = _user_frame(frame.f_back)


def _place(frame: FrameType) -> Site:
    line, inner = frame.f_lineno, frame
    while inner.f_code.co_name in COMPREHENSIONS and inner.f_back is not None:
        inner = inner.f_back
    code = frame.f_code
    same = inner.f_code.co_filename == code.co_filename
    return site_of(code.co_filename, line, inner.f_code.co_name if same else code.co_name)


def site_of(filename: str, line: int, function: str) -> Site:
    """A place as its author knows it, from what a code object or a traceback says."""
    # A script given as a relative path keeps it in its code objects, and may have changed the directory
    # since.
    path = os.path.abspath(os.path.join(_START, filename))
    resumed = _RESUMED.fullmatch(function)
    return Site(path, line, resumed[1] if resumed else function)


def is_rest(function: str) -> bool:
    """Whether torch.compile calls so what is left of a function behind a graph break."""
    return _RESUMED.fullmatch(function) is not None


def _started_here() -> Site | None:
    """Where this thread was started from."""
    own = _started_thread()
    return _started[own] if own else None


def _started_thread() -> threading.Thread | None:
    """This thread, if the script or a library has started it: neither the main thread nor one of the engine's."""
    own = threading.get_ident()
    # `threading.current_thread` would make up an object for a thread of the engine.
    return next((thread for thread in threading.enumerate() if thread.ident == own and thread in _started), None)


def thread() -> int:
    """The number of this thread if the script or a library has started it, else 0."""
    if threading.get_ident() == threading.main_thread().ident:
        return 0
    return threading.get_ident() if _started_thread() else 0


def watch_threads() -> None:
    """Remember where each thread is started from."""

    def start(original: Callable[..., None], self: threading.Thread) -> None:
        with contextlib.suppress(Exception):  # whatever a subclass is like, the script must run
            if not _starts_replica():
                _started[self] = site()
        original(self)

    wrap(threading.Thread, "start", start)


def _starts_replica() -> bool:
    """Whether torch_xla starts a replica now: what a replica's own code starts has that code in between."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and _rank_of(frame.f_code.co_filename) == _OTHER:
        if os.path.basename(frame.f_code.co_filename) == _REPLICAS:
            return True
        frame = frame.f_back
    return False


def raised_at(error: BaseException) -> Site | None:
    """The innermost place in the user's source on the way of an error."""
    found: Site | None = None
    function = ""
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if _rank_of(code.co_filename) == _USER:
            own = found is None or code.co_name not in COMPREHENSIONS
            found = site_of(code.co_filename, traceback.tb_lineno, code.co_name if own else function)
            function = found.function
        traceback = traceback.tb_next
    return found


def is_direct() -> bool:
    """Whether nothing but torch lies between the user's line and us: no other library asked on its behalf."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        rank = _rank_of(frame.f_code.co_filename)
        if rank != _OTHER:
            return rank == _USER
        frame = frame.f_back
    return True


def called_by(*names: str, depth: int = 8) -> bool:
    """Whether one of the nearest `depth` callers is a function (or a file's base name) of these names."""
    frame: FrameType | None = sys._getframe().f_back
    for _ in range(depth):
        if frame is None:
            return False
        code = frame.f_code
        if code.co_name in names or os.path.basename(code.co_filename) in names:
            return True
        frame = frame.f_back
    return False
