"""How much a run may write into its copy of the folder: what a script saves again and again must not fill the disk."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

SECONDS = 2.0
"""How often it is looked at."""


class Room:
    """The room of one run. A folder is walked through only when as much has gone from its disk."""

    def __init__(self, folder: Path, most: int) -> None:
        """`most`: bytes that may come into the folder."""
        self.folder, self.most = folder, most
        self._before = _size(folder)
        self._free = shutil.disk_usage(folder).free
        self._looked = 0.0

    def is_used_up(self) -> bool:
        """Whether the folder has grown by more. Each look at all of it may take as long again before the next one."""
        if self._free - shutil.disk_usage(self.folder).free <= self.most or time.monotonic() < self._looked:
            return False
        start = time.monotonic()
        grown = _size(self.folder) - self._before
        self._looked = 2 * time.monotonic() - start
        return grown > self.most


def _size(folder: Path) -> int:
    """Bytes that a folder takes of the disk."""
    total = 0
    for top, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(top, name)).st_blocks * 512
            except OSError:  # it is gone again
                continue
    return total
