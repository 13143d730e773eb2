"""Where results are kept: a table of bytes by key in the user's cache folder, which several runs may use at once.

A cache may be lost at any time: what goes wrong here costs time and nothing else, so that no error leaves it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from pathlib import Path

_FILE = "results.sqlite3"
_MAX_BYTES = 300_000_000
"""What all results together may take; the ones that were not used for longest go first."""
_TABLE = "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, used REAL, value BLOB)"
_WAIT = 2.0
"""Seconds that a run waits for another one to write."""


def folder() -> Path | None:
    """The folder of the cache: ``XLAPORT_CACHE_DIR``, or a folder in the user's own for caches; None without a home."""
    given = os.environ.get("XLAPORT_CACHE_DIR")
    if given:
        return Path(given)
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "xlaport"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "xlaport" / "Cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "xlaport"


class Store:
    """Bytes by key. Without a folder that can be written, it keeps nothing."""

    def __init__(self, place: Path | None) -> None:
        self._connection: sqlite3.Connection | None = None
        if place is None:
            return
        with contextlib.suppress(OSError, sqlite3.Error, ValueError):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            if hasattr(os, "getuid") and place.stat().st_uid != os.getuid():
                return  # what is loaded from here is trusted
            self._connection = sqlite3.connect(place / _FILE, timeout=_WAIT)
            self._connection.execute(_TABLE)

    def get(self, key: str) -> bytes | None:
        """What is kept under a key."""
        if self._connection is None:
            return None
        try:
            found = self._connection.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error:
            return None
        return bytes(found[0]) if found is not None else None

    def put(self, key: str, value: bytes) -> None:
        """Keep `value` under a key, in the place of what is there."""
        if self._connection is None or len(value) > _MAX_BYTES // 4:
            return
        with contextlib.suppress(sqlite3.Error, OSError), self._connection as connection:
            connection.execute("REPLACE INTO results VALUES (?, ?, ?)", (key, time.time(), value))
            self._make_room(connection)

    def touch(self, key: str) -> None:
        """Note that a result was used."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error, OSError), self._connection as connection:
                connection.execute("UPDATE results SET used = ? WHERE key = ?", (time.time(), key))

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    @staticmethod
    def _make_room(connection: sqlite3.Connection) -> None:
        rows = connection.execute("SELECT key, length(value) FROM results ORDER BY used DESC").fetchall()
        total = 0
        for key, size in rows:
            total += size
            if total > _MAX_BYTES:
                connection.execute("DELETE FROM results WHERE key = ?", (key,))
