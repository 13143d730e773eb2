"""Which of the user's variables a shape or a number is likely to be: those of the functions that run now.

What is kept is what they are called, their shapes and their numbers; never a reference to a tensor. A live tensor is an
output of the graph that is pending, so that holding one would change what is measured.
"""

from __future__ import annotations

import contextlib
import inspect
import linecache
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

from ..dynamo import shape_text
from ..graphs import Frame
from . import device, frames

_NAME = re.compile(r"[A-Za-z_]\w*")
_ASSIGNED = re.compile(r"\s*([A-Za-z_][\w.]*)\s*=(?!=)(.*)")
_DEEPEST = 3
_MOST = 3000
"""Values that are looked at, at most."""
_LONGEST = 64
"""Items of a list that are looked at."""
_MODULES = 500
_FRAMES = 6


@dataclass(frozen=True)
class _Tensor:
    name: str
    shape: str
    on_xla: bool


class Variables:
    """What the variables of the running functions are, read once."""

    def __init__(self) -> None:
        self._tensors: list[_Tensor] = []
        self._numbers: list[tuple[str, float]] = []
        self._left = _MOST
        self._seen: set[int] = set()
        for frame in frames.users_frames(_FRAMES):
            for name, value in _variables(frame):
                if not name.startswith("__"):
                    # Whatever attributes and classes of the user's do when they are asked: it is only a name.
                    with contextlib.suppress(Exception):
                        self._look(name, value, _DEEPEST)

    def tensor(self, shape: str, lines: Sequence[Frame]) -> str | None:
        """The variable of this shape: of those on the device first, and that the lines speak of."""
        found = [item for item in self._tensors if item.shape == shape]
        found = [item for item in found if item.on_xla] or found
        names = list(dict.fromkeys(item.name for item in found))
        spoken = _spoken(lines)
        named = [name for name in names if _NAME.findall(name)[0] in spoken] or names
        return " or ".join(named[:2]) if 0 < len(named) <= 3 else None

    def number(self, value: float, lines: Sequence[Frame]) -> str | None:
        """The variable of this value that the lines speak of."""
        spoken = _spoken(lines)
        close = (name for name, known in self._numbers if abs(known - value) <= 1e-6 * max(abs(value), 1e-30))
        return next((name for name in close if _NAME.findall(name)[-1] in spoken), None)

    def _look(self, name: str, value: Any, depth: int) -> None:
        self._left -= 1
        if self._left < 0 or isinstance(value, bool | str | bytes | None):
            return
        if isinstance(value, int | float):
            self._numbers.append((name, float(value)))
            return
        import torch

        if isinstance(value, torch.Tensor):
            text = shape_text(value)
            if text:
                self._tensors.append(_Tensor(name, text, value.device.type == device.TYPE))
        elif isinstance(value, torch.nn.Module):
            self._look_into_module(name, value)
        elif depth and id(value) not in self._seen:
            self._seen.add(id(value))
            for part, item in _parts(value):
                self._look(name + part, item, depth - 1)

    def _look_into_module(self, name: str, module: Any) -> None:
        """The numbers of a model; its tensors are parameters, which keep their shapes."""
        if id(module) in self._seen:
            return
        self._seen.add(id(module))
        for number, (path, part) in enumerate(module.named_modules()):
            if number >= _MODULES:
                return
            own = ".".join(filter(None, (name, path)))
            for key, value in vars(part).items():
                if isinstance(value, int | float) and not isinstance(value, bool):
                    self._numbers.append((f"{own}.{key}", float(value)))


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """What a container, or an object of a class of the user's, holds; nothing is called that the user has written."""
    kind = type(value)
    if isinstance(value, dict):
        yield from (
            (f"[{key!r}]", item) for key, item in list(dict.items(value))[:_LONGEST] if isinstance(key, str | int)
        )
    elif kind in (list, tuple) or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        fields: Sequence[str] = getattr(kind, "_fields", ())
        for number, item in enumerate(list(tuple.__iter__(value) if isinstance(value, tuple) else value)[:_LONGEST]):
            yield (f".{fields[number]}" if fields else f"[{number}]"), item
    elif _is_plain_object(kind):
        attributes = vars(value)
        data = attributes.get("data")
        if isinstance(value, Mapping) and isinstance(data, dict):
            yield from _parts(data)  # a UserDict, such as a tokenizer's batch
        else:
            yield from ((f".{key}", item) for key, item in list(attributes.items())[:_LONGEST])


def _is_plain_object(kind: type) -> bool:
    """Whether objects of a class are of the user's making, or a mapping of a library's."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return kind.__module__ == "__main__" or bool(file and frames.is_user(file)) or issubclass(kind, Mapping)


def _variables(frame: FrameType) -> list[tuple[str, Any]]:
    """The variables of a frame; reading them leaves nothing behind in it."""
    if not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return list(frame.f_locals.items())
    # Up to Python 3.12 the frame keeps the dictionary that it makes here, and with it all that it holds, until the
    # function ends. Where nobody else has it (`locals()` is the same one), it is emptied.
    known = frame.f_locals
    found = list(known.items())
    if type(known) is dict and sys.getrefcount(known) <= _OURS:
        known.clear()
    return found


_OURS = 3
"""References to a frame's dictionary that are the frame's, the variable's and the counting function's."""


def renewed(lines: Sequence[Frame]) -> str | None:
    """The variable that the first of some lines makes out of itself, as in ``x = torch.cat([x, y])``; else `None`."""
    if not lines:
        return None
    found = _ASSIGNED.match(linecache.getline(*lines[0]))
    return found[1] if found and re.search(rf"(?<![\w.]){re.escape(found[1])}(?!\w)", found[2]) else None


def _spoken(lines: Sequence[Frame]) -> set[str]:
    """The names in some lines of the source."""
    return {name for path, line in lines for name in _NAME.findall(linecache.getline(path, line))}
