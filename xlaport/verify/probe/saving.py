"""What a run for parity saves below the folder that it started in: the values by samples of them, and the texts."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..events import FileSeen, LineSeen, Site, ValueSeen
from . import frames
from .session import current, guarded
from .wrapping import wrap

_TEXTS = frozenset(".json .jsonl .csv .tsv .txt .log .yaml .yml .md".split())
_ARRAYS = frozenset((".npy", ".npz"))
_LARGEST = 2**20
"""Bytes of a text that are read."""
_MOST_VALUES = 20_000
"""Values that are recorded of all saves together."""
_MOST_FILES = 200
_VALUES = 64
"""Elements of a tensor that are recorded."""
_DEEPEST = 8
_LONGEST = 64
"""Elements of a list that are recorded; in a history of losses, each is a value of its own."""
_TRACKERS = frozenset(("wandb", "mlruns", "__pycache__"))
"""Folders in which libraries write files with names and contents of their own, that differ from run to run."""

_START = os.getcwd()


def install(step: Callable[[], int]) -> None:
    """Watch `torch.save` and the files that are opened to be written; `step` tells the optimizer steps made."""
    import torch

    saving = _Saving(step)
    wrap(torch, "save", saving.save)
    # `xm.save` and others have it from there.
    torch.serialization.save = torch.save
    sys.addaudithook(saving.hear)
    current().at_end.append(saving.finish)


class _Saving:
    def __init__(self, step: Callable[[], int]) -> None:
        self.step = step
        self.saves: dict[str, int] = {}
        self.written: dict[str, tuple[Site | None, int]] = {}
        """By path: the line that has opened it first, and how long the file was before."""
        self.values = 0
        self._hearing = False

    # -- torch.save

    def save(self, original: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Save as torch does, and record the values."""
        result = original(*args, **named)
        given = {**dict(zip(("obj", "f"), args, strict=False)), **named}
        guarded(self._saved, given["obj"], given["f"])
        return result

    def _saved(self, value: Any, target: Any) -> None:
        path = _name(target)
        if path is None:
            return
        self.written.pop(path, None)
        number = self.saves[path] = self.saves.get(path, 0) + 1
        self._record(path, number, value, frames.site())

    def _record(self, path: str, number: int, value: Any, site: Site | None) -> None:
        if number == 1:
            current().emit(FileSeen(path, "values", site))
        step = self.step()
        for key, shape, norm, values in _digests(value):
            if self.values == _MOST_VALUES:
                return
            self.values += 1
            current().emit(ValueSeen(path, number, key, shape, norm, values, step, site))

    # -- other files

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """What the interpreter is about to do; a failure would keep it from it."""
        if event not in ("open", "os.rename") or self._hearing:
            return
        self._hearing = True  # what is opened meanwhile is ours
        if event == "open":
            guarded(self._opened, *arguments[:3])
        else:
            guarded(self._renamed, *arguments[:2])
        self._hearing = False

    def _opened(self, target: Any, mode: Any, flags: Any) -> None:
        writes = (
            any(letter in mode for letter in "wax+") if isinstance(mode, str) else flags & (os.O_WRONLY | os.O_RDWR)
        )
        path = _name(target) if writes else None
        if path is None or path in self.written or len(self.written) >= _MOST_FILES:
            return
        there = os.path.join(_START, path)
        before = os.path.getsize(there) if isinstance(mode, str) and "a" in mode and os.path.exists(there) else 0
        self.written[path] = frames.site(), before

    def _renamed(self, source: Any, target: Any) -> None:
        old, new = _name(source), _name(target)
        if old in self.written:
            known = self.written.pop(old)
            if new is not None:
                self.written[new] = known

    def finish(self) -> None:
        """Record the files as they are now."""
        _flush()
        for path, (site, before) in sorted(self.written.items()):
            there = Path(_START, path)
            if site is None or path in self.saves or not there.is_file():
                continue
            if there.suffix in _ARRAYS and "numpy" in sys.modules:
                guarded(self._arrays, path, there, site)
            elif there.suffix in _TEXTS:
                guarded(self._lines, path, there, site, before)
            else:
                current().emit(FileSeen(path, "unknown", site))

    def _arrays(self, path: str, there: Path, site: Site | None) -> None:
        loaded = sys.modules["numpy"].load(there, allow_pickle=False)
        self._record(path, 1, dict(loaded) if there.suffix == ".npz" else loaded, site)

    def _lines(self, path: str, there: Path, site: Site | None, before: int) -> None:
        with there.open("rb") as file:
            file.seek(before)
            text = file.read(_LARGEST).decode("utf-8", "replace")
        current().emit(FileSeen(path, "lines", site))
        whole = text if there.stat().st_size - before <= _LARGEST else text.rpartition("\n")[0]
        for line in whole.splitlines():
            if line.strip():
                current().emit(LineSeen(line, self.step(), site, path))


def _name(target: Any) -> str | None:
    """A path relative to where the script started; None for what lies elsewhere, and for what is no path."""
    path = target if isinstance(target, str | os.PathLike) else getattr(target, "name", None)
    if not isinstance(path, str | os.PathLike):
        return None
    whole = os.path.abspath(os.fspath(path))
    if not isinstance(whole, str) or not whole.startswith(_START + os.sep):
        return None
    relative = os.path.relpath(whole, _START)
    return None if _TRACKERS & set(relative.split(os.sep)) else relative


def _flush() -> None:
    """What the script has written into files that are still open is in them."""
    for item in gc.get_objects():
        if type(item) is io.TextIOWrapper and not item.closed and item.writable():
            guarded(item.flush)


_Digest = tuple[str, tuple[int, ...], float, tuple[float, ...]]


def _digests(value: Any, key: str = "", depth: int = 0) -> Iterator[_Digest]:
    """The tensors and numbers in what is saved, by their names there."""
    import torch

    if isinstance(value, torch.nn.Module):
        value = value.state_dict()
    if isinstance(value, torch.Tensor):
        yield from _tensor(value, key)
    elif isinstance(value, bool | int | float):
        yield key, (), abs(float(value)), (float(value),)
    elif depth < _DEEPEST and isinstance(value, dict):
        for name, inner in value.items():
            yield from _digests(inner, f"{key}/{name}" if key else str(name), depth + 1)
    elif depth < _DEEPEST and isinstance(value, list | tuple):
        for place, inner in enumerate(value[:_LONGEST]):
            yield from _digests(inner, f"{key}/{place}", depth + 1)
    elif "numpy" in sys.modules and isinstance(value, sys.modules["numpy"].ndarray | sys.modules["numpy"].generic):
        if value.dtype.kind in "biuf":
            yield from _tensor(torch.from_numpy(sys.modules["numpy"].array(value)), key)


def _tensor(tensor: Any, key: str) -> Iterator[_Digest]:
    import torch

    tensor = tensor.detach()
    if tensor.layout is not torch.strided or tensor.is_complex() or tensor.is_quantized or tensor.is_meta:
        return
    flat = tensor.cpu().reshape(-1)
    values = flat[:: max(1, -(-flat.numel() // _VALUES))].double()
    yield key, tuple(tensor.shape), float(torch.linalg.vector_norm(flat.double())), tuple(values.tolist())
