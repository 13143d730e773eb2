"""A journal of what is being written, so that of several files all are written, or none, even where we are killed.

Before the first file changes, what all of them hold and will hold is in a file beside them. It is removed when all are
written. A later port that finds it puts back what was there, and ports anew.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xlaport.errors import UserError
from xlaport.source import write_atomically
from xlaport.verify.holding import held, is_held

NAME = ".xlaport-port.json"
"""The journal, in the folder that is ported."""
_TEMPORARY = re.compile(r"\..{1,40}\.xlaport-[0-9a-f]{8}\.tmp")
"""What `write_atomically` leaves behind where it is killed."""


@dataclass(frozen=True)
class Change:
    """A file, what it holds, and what it is to hold."""

    path: Path
    before: bytes
    after: bytes


@dataclass(frozen=True)
class Undone:
    """What was found of a port that was killed: the files that were put back, and those that somebody has changed."""

    restored: tuple[Path, ...]
    changed: tuple[Path, ...]


def write_all(changes: Sequence[Change], folder: Path) -> None:
    """Write the files. Where one cannot be written, or something stops it, all are as before.

    Raises `UserError` for a file that somebody has changed meanwhile, or that cannot be written.
    """
    if not changes:
        return
    journal = folder / NAME
    try:
        _write(Change(journal, b"", _encoded(changes)), is_new=True)
        with held(journal):
            for change in changes:
                _write(change)
        journal.unlink()
    except BaseException:
        _put_back_recorded(changes, journal)
        raise


def _put_back_recorded(changes: Sequence[Change], journal: Path) -> None:
    """Where this is stopped, too, the journal is there."""
    if any(_now(change.path) == change.after for change in changes) and not journal.exists():
        write_atomically(journal, _encoded(changes))
    _put_back(changes)
    journal.unlink(missing_ok=True)


def _write(change: Change, *, is_new: bool = False) -> None:
    try:
        write_atomically(change.path, change.after, None if is_new else change.before)
    except UserError as error:
        raise UserError(f"{change.path}: {error}; nothing was written") from error


def undo(folder: Path) -> Undone | None:
    """Put back what a port that was killed has written in part; None where there is nothing of the kind."""
    journal = folder / NAME
    if is_held(journal):
        raise UserError(f"another xlaport port writes into {folder}: wait for its end")
    try:
        changes = _decoded(journal.read_bytes())
    except FileNotFoundError:
        _clear(folder, {NAME})
        return None
    except OSError as error:
        raise UserError(f"{journal}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{journal} is no journal of xlaport: look at what it holds, then remove it") from error
    restored, changed = _put_back(changes)
    written = [Path(os.path.realpath(change.path)) for change in changes]
    for place in {path.parent for path in written} | {folder}:
        _clear(place, {NAME, *(path.name for path in written)})
    journal.unlink(missing_ok=True)
    return Undone(tuple(restored), tuple(changed))


def _put_back(changes: Sequence[Change]) -> tuple[list[Path], list[Path]]:
    """Which files were written, and hold again what they did; and which hold something else by now, and keep it."""
    restored: list[Path] = []
    changed: list[Path] = []
    for change in changes:
        now = _now(change.path)
        if now == change.after:
            write_atomically(change.path, change.before, change.after)
            restored.append(change.path)
        elif now != change.before:
            changed.append(change.path)
    return restored, changed


def _now(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _clear(folder: Path, names: set[str]) -> None:
    """Remove what was being written when we were killed."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if _TEMPORARY.fullmatch(entry.name) and any(entry.name.startswith(f".{name[:40]}.") for name in names):
                Path(entry.path).unlink(missing_ok=True)


def _encoded(changes: Sequence[Change]) -> bytes:
    files = [
        {"path": str(change.path), "before": _text(change.before), "after": _text(change.after)} for change in changes
    ]
    told = "xlaport port was writing these files: the next `xlaport port` in this folder puts back what they held"
    return json.dumps({"about": told, "files": files}, indent=1).encode("ascii")


def _decoded(data: bytes) -> list[Change]:
    files = json.loads(data)["files"]
    return [Change(Path(item["path"]), *(base64.b64decode(item[key]) for key in ("before", "after"))) for item in files]


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
