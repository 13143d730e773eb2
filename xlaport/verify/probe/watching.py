"""Tells of marked expressions what they gave: of which sort it was, and nothing of its value.

The marks are calls of a builtin function (see `xlaport/observed/marking.py`), which is there before the script begins.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import json
import os
import sys
import time
import types
import weakref
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from ..marks import MOST_SIZES, NAME
from .session import current

_OFTEN = 200
"""From so many times on, what is of a type that was seen there is looked at only now and then."""
_NOW_AND_THEN = 16
_BETWEEN = 2.0
"""Seconds between two looks at whether there is more to write."""
_NUMBERS = (int, float, bool)
_MOST_SORTS = 8
_HOLDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def install(folder: str) -> None:
    """Put the function in place, and have what was seen written into a folder when the process ends."""
    watcher = _Watcher(folder)
    setattr(builtins, NAME, watcher.seen)
    current().at_end.append(watcher.finish)
    atexit.register(watcher.finish)
    watcher.keep_written()
    os.register_at_fork(after_in_child=watcher.begin_anew)


class _Seen:
    """What was seen of one expression."""

    __slots__ = ("changes", "last", "sizes", "sorts", "times", "types")

    def __init__(self) -> None:
        self.times = 0
        self.sorts: dict[str, dict[str, Any]] = {}
        self.types: set[type] = set()
        self.changes = False
        self.last: object = None
        self.sizes: dict[tuple[int, ...], None] = {}
        """Those of a tensor, in the order in which they came."""


class _Watcher:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.begin()

    def begin(self) -> None:
        """Nothing has been seen in this process."""
        self.writes = allocate_lock()
        self.found: dict[int, _Seen] = {}
        self.makers: dict[int, tuple[weakref.ref[Any], int]] = {}
        """By the id of a module or an optimizer, the expression that gave it first."""

    def seen(self, number: int, value: Any) -> Any:
        """Note what an expression gave, and give it back. Whatever it is like, the script must run."""
        seen = self.found.get(number)
        if seen is None:
            seen = self.found[number] = _Seen()
        seen.times += 1
        kind = type(value)
        if seen.times > _OFTEN and seen.times % _NOW_AND_THEN and kind in seen.types:
            if kind not in _NUMBERS or seen.changes or value == seen.last:
                return value
        try:
            self._note(seen, number, value)
        except Exception:  # whatever a class of the script's own raises: the script must run
            seen.sorts["other"] = {"kind": "other"}
        return value

    def _note(self, seen: _Seen, number: int, value: Any) -> None:
        kind = type(value)
        if kind in _NUMBERS:
            seen.changes = seen.changes or (seen.last is not None and seen.last != value)
            seen.last = value
        seen.types.add(kind)
        self._note_size(seen, value)
        sort = self._sort(value, number, 2)
        key = repr(sorted(sort.items(), key=lambda item: item[0]))
        if key not in seen.sorts:
            more = len(seen.sorts) < _MOST_SORTS
            seen.sorts[key if more else "other"] = sort if more else {"kind": "other"}

    def _note_size(self, seen: _Seen, value: Any) -> None:
        torch: Any = sys.modules.get("torch")
        if len(seen.sizes) <= MOST_SIZES and hasattr(torch, "Tensor") and isinstance(value, torch.Tensor):
            with torch._C.DisableTorchFunction():
                seen.sizes[tuple(value.shape)] = None

    def _sort(self, value: Any, number: int, depth: int) -> dict[str, Any]:
        """Of which sort a value is: see `xlaport.observed.record.Sort`."""
        if value is None:
            return {"kind": "none"}
        if isinstance(value, bool | int | float | complex):
            return {"kind": "number", "holds": type(value).__name__ if type(value) in (bool, int, float) else ""}
        if isinstance(value, str):
            return {"kind": "text"}
        if isinstance(value, types.FunctionType):
            return {"kind": "function", **_defined(value, value.__code__.co_filename)}
        if isinstance(value, type):
            return {"kind": "class", **_of_class(value)}
        if isinstance(value, list | tuple | dict) and depth:
            # Not by a method of the script's own, which may do something; and not all of a long list.
            inner = islice(next(each for kind, each in _INSIDE if isinstance(value, kind))(value), _MOST_SORTS)
            sorts = [self._sort(each, number, depth - 1) for each in inner]
            alike = bool(sorts) and all(sort == sorts[0] for sort in sorts)
            kind = "table" if isinstance(value, dict) else "row"
            return {"kind": kind, **({"element": sorts[0]} if alike else {})}
        return self._of_torch(value, number)

    def _of_torch(self, value: Any, number: int) -> dict[str, Any]:
        torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
        own = _of_class(type(value))
        if torch is not None and hasattr(torch, "Tensor"):
            if isinstance(value, torch.Tensor):
                with torch._C.DisableTorchFunction():  # a class or a mode of the script's own may count calls
                    known = {"device": value.device.type, "holds": _holds(value), "rank": value.dim()}
                return {"kind": "tensor", **known}
            if isinstance(value, torch.dtype):
                return {"kind": "class", "name": str(value)}
            if isinstance(value, torch.device):
                return {"kind": "device", "device": value.type}
            for kind, module, name in _KINDS:
                base = getattr(sys.modules.get(module), name, None)
                if base is not None and isinstance(value, base):
                    made = {"made": self._maker(value, number)} if kind in ("module", "optimizer") else {}
                    return {"kind": kind, **own, **made}
        if numpy is not None and isinstance(value, numpy.ndarray | numpy.generic):
            kind = "array" if isinstance(value, numpy.ndarray) else "other"
            return {"kind": kind, "holds": _HOLDS.get(value.dtype.kind, ""), "rank": value.ndim}
        if isinstance(value, types.BuiltinFunctionType) and isinstance(value.__self__, types.ModuleType | None):
            return {"kind": "function", "name": _public(value, value.__module__, value.__name__)}
        return {"kind": "instance", **own} if own.get("file") else {"kind": "other"}

    def _maker(self, value: object, number: int) -> int:
        known = self.makers.get(id(value))
        if known is None or known[0]() is not value:  # another one, now gone, had this id
            known = self.makers[id(value)] = weakref.ref(value), number
        return known[1]

    def begin_anew(self) -> None:
        """Begin in a process that was forked from a watched one."""
        self.begin()
        self.keep_written()

    def keep_written(self) -> None:
        """Write what is seen every few seconds: a process that is ended while it compiles says nothing at its end.

        In a thread that `threading` does not list, for a script may count its own.
        """
        with contextlib.suppress(RuntimeError):  # no thread to be had: what was seen is written at the end
            start_new_thread(self._write_on, ())

    def _write_on(self) -> None:
        written = -1
        while True:
            time.sleep(_BETWEEN)
            times = sum(seen.times for seen in self.found.copy().values())
            if times != written:
                written = times
                self.finish()

    def finish(self) -> None:
        """Write what was seen."""
        with self.writes:  # what is written last is what was seen last
            self._write()

    def _write(self) -> None:
        told = {
            number: {
                "times": seen.times,
                "sorts": list(seen.sorts.copy().values()),
                "changes": seen.changes,
                "sizes": list(seen.sizes.copy()),
            }
            for number, seen in self.found.copy().items()  # other threads may go on
        }
        loaded = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
        own = [os.path.abspath(file) for file in loaded if isinstance(file, str) and not _is_library(file)]
        path = os.path.join(self.folder, f"{os.getpid()}.json")
        # Where there is no room, the run counts without it; a process may be killed while it writes.
        with contextlib.suppress(OSError):
            with open(f"{path}.part", "w", encoding="utf-8") as file:
                json.dump({"expressions": told, "loaded": own, "hindered": _is_hindered()}, file)
            os.replace(f"{path}.part", path)


def _is_hindered() -> bool:
    """Whether the marks were in the way: an error tells of them, or torch.compile has traced code, perhaps theirs."""
    traced = getattr(sys.modules.get("torch._dynamo.utils"), "counters", {}).get("frames")
    error = str(getattr(sys, "last_value", ""))
    return bool(traced) or (NAME in error and "Traceback" not in error)  # that of a process shows any line


_INSIDE: tuple[tuple[type, Callable[[Any], Iterable[Any]]], ...] = (
    (list, list.__iter__),
    (tuple, tuple.__iter__),
    (dict, dict.values),
)
_KINDS = (
    ("module", "torch.nn", "Module"),
    ("optimizer", "torch.optim", "Optimizer"),
    ("scheduler", "torch.optim.lr_scheduler", "LRScheduler"),
    ("scaler", "torch.amp", "GradScaler"),
    ("loader", "torch.utils.data", "DataLoader"),
    ("dataset", "torch.utils.data", "Dataset"),
)


def _holds(tensor: Any) -> str:
    kind = tensor.dtype
    if kind.is_complex:
        return "complex"
    return "float" if kind.is_floating_point else "bool" if str(kind) == "torch.bool" else "int"


def _of_class(kind: type) -> dict[str, Any]:
    module = sys.modules.get(kind.__module__)
    return _defined(kind, getattr(module, "__file__", None) or "")


def _defined(value: Any, file: str) -> dict[str, Any]:
    """The name of a function or a class, and the file that defines it."""
    name = value.__qualname__.replace("<locals>.", "")
    path = os.path.abspath(file) if file else ""
    if not path or _is_library(path):
        return {"name": _public(value, value.__module__, name)}
    return {"name": name, "file": path} if os.path.isfile(path) else {}  # made by `exec()`


def _is_library(path: str) -> bool:
    return f"{os.sep}site-packages{os.sep}" in path or path.startswith(sys.base_prefix + os.sep)


def _public(value: Any, module: str | None, name: str) -> str:
    """The shortest name by which a library gives something."""
    parts = (module or "torch").split(".")
    for end in range(1, len(parts) + 1):
        package = ".".join(parts[:end])
        if getattr(sys.modules.get(package), name, None) is value:
            return f"{package}.{name}"
    functional = sys.modules.get("torch.nn.functional")
    return f"torch.nn.functional.{name}" if getattr(functional, name, None) is value else f"{module}.{name}"
