"""Copies that runs have left in the temporary folder since xlaport was killed: the next run removes them."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from xlaport.verify.holding import held, is_held

PREFIX = "xlaport-sandbox-"
_MARK = ".held"
"""A file beside the copy, which its process holds."""
_YOUNG = 60.0
"""Seconds in which a folder without the mark may be one that is being made."""


@contextlib.contextmanager
def in_use(scratch: Path) -> Iterator[None]:
    """Hold the folder of a copy, so that no other run takes it for one that was left behind."""
    with held(scratch / _MARK):
        yield


def clear_left(temporary: Path) -> None:
    """Remove the copies of this user that no process holds any more."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(temporary)):
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False) and _is_left(entry):
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_left(entry: os.DirEntry[str]) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        return False
    mark = Path(entry.path, _MARK)
    return not is_held(mark) if mark.exists() else time.time() - status.st_mtime > _YOUNG
