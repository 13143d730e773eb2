"""Copies that a killed run has left behind are removed by the next one, and no others."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

import pytest

from xlaport.verify.leftovers import clear_left
from xlaport.verify.sandbox import copy_of


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temporary folder."""
    place = tmp_path / "scratch"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "train.py").write_text("1\n")
    return place


def left_by_a_killed_run(project: Path) -> None:
    child = os.fork()
    if not child:
        with copy_of(project, []):
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)


def test_what_a_killed_run_has_left_is_removed_by_the_next(tmp_path: Path, scratch: Path) -> None:
    left_by_a_killed_run(tmp_path / "project")
    (left,) = scratch.iterdir()
    with copy_of(tmp_path / "project", []) as copy:
        assert not left.exists()
        assert (copy / "train.py").read_text() == "1\n"
    assert list(scratch.iterdir()) == []


def test_a_copy_in_use_stays_and_so_does_what_is_not_ours(tmp_path: Path, scratch: Path) -> None:
    (scratch / "xlaport-sandbox-file").write_text("")
    (scratch / "other").mkdir()
    with copy_of(tmp_path / "project", []) as one, copy_of(tmp_path / "project", []) as two:
        clear_left(scratch)
        assert one.exists()
        assert two.exists()
    assert {path.name for path in scratch.iterdir()} == {"xlaport-sandbox-file", "other"}


def test_a_folder_that_is_being_made_stays_and_an_old_one_goes(scratch: Path) -> None:
    young, old = scratch / "xlaport-sandbox-young", scratch / "xlaport-sandbox-old"
    young.mkdir()
    old.mkdir()
    os.utime(old, (0, 0))
    clear_left(scratch)
    assert (young.exists(), old.exists()) == (True, False)


def test_a_link_is_not_followed(tmp_path: Path, scratch: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    os.utime(kept, (0, 0))
    (scratch / "xlaport-sandbox-link").symlink_to(kept)
    left_by_a_killed_run(tmp_path / "project")
    clear_left(scratch)
    assert kept.exists()
    assert [path.name for path in scratch.iterdir()] == ["xlaport-sandbox-link"]
