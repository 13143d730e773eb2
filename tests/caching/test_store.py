"""Results on disk: what was put is there, and whatever is wrong with the place costs time only."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest

from xlaport.caching import store
from xlaport.caching.store import Store


def test_what_was_put_is_there_for_another(tmp_path: Path) -> None:
    first = Store(tmp_path / "a" / "b")
    first.put("key", b"value")
    first.put("key", b"newer")
    first.close()
    second = Store(tmp_path / "a" / "b")
    assert second.get("key") == b"newer"
    assert second.get("other") is None


def test_a_place_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = Store(tmp_path / "file" / "cache")
    nowhere.put("key", b"value")
    nowhere.touch("key")
    assert nowhere.get("key") is None
    assert Store(None).get("key") is None


def test_a_broken_file(tmp_path: Path) -> None:
    (tmp_path / "results.sqlite3").write_bytes(b"no table at all" * 400)
    broken = Store(tmp_path)
    broken.put("key", b"value")
    assert broken.get("key") is None


def test_one_that_is_being_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_WAIT", 0.05)
    kept = Store(tmp_path)
    kept.put("key", b"value")
    other = sqlite3.connect(tmp_path / "results.sqlite3")
    other.execute("BEGIN EXCLUSIVE")
    waiting = Store(tmp_path)
    waiting.put("key", b"newer")
    assert waiting.get("key") is None
    other.rollback()
    assert kept.get("key") == b"value"


def test_the_oldest_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_MAX_BYTES", 100)
    kept = Store(tmp_path)
    for name in "abcd":
        kept.put(name, b"x" * 25)
    kept.touch("a")
    kept.put("e", b"x" * 25)
    assert [name for name in "abcde" if kept.get(name) is not None] == ["a", "c", "d", "e"]
    kept.put("large", b"x" * 26)
    assert kept.get("large") is None


def test_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XLAPORT_CACHE_DIR", str(tmp_path))
    assert store.folder() == tmp_path
    monkeypatch.delenv("XLAPORT_CACHE_DIR")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert store.folder() == tmp_path / "caches" / "xlaport"
