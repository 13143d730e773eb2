"""The copy that a conversion with ``--out`` writes into: whatever the port needs to run where it lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from xlaport.copying import copy


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    here = tmp_path / "repo"
    (here / "pkg" / "sub").mkdir(parents=True)
    (here / "pkg" / "a.py").write_text("A = 1\n")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "b.py").write_text("B = 2\n")
    return here


def test_links_to_folders_lead_to_what_was_copied(repo: Path, tmp_path: Path) -> None:
    (repo / "src").symlink_to("pkg")
    (repo / "pkg" / "sub" / "up").symlink_to("../../pkg")
    copy([repo], tmp_path / "port")
    for link in ("src", "pkg/sub/up"):
        assert (tmp_path / "port" / link).resolve() == tmp_path / "port" / "pkg"
        assert (tmp_path / "port" / link / "a.py").read_text() == "A = 1\n"


@pytest.mark.parametrize("absolute", [True, False])
def test_links_that_leave_the_folder_lead_there_still(repo: Path, tmp_path: Path, absolute: bool) -> None:
    (repo / "shared").symlink_to(tmp_path / "shared" if absolute else "../shared")
    copy([repo], tmp_path / "elsewhere" / "port")
    link = tmp_path / "elsewhere" / "port" / "shared"
    assert os.readlink(link) == str(tmp_path / "shared")
    assert (link / "b.py").read_text() == "B = 2\n"


def test_a_second_copy_writes_links_again(repo: Path, tmp_path: Path) -> None:
    (repo / "src").symlink_to("pkg")
    copy([repo], tmp_path / "port")
    (repo / "src").unlink()
    (repo / "src").symlink_to("pkg/sub")
    copy([repo], tmp_path / "port")
    assert os.readlink(tmp_path / "port" / "src") == "pkg/sub"


def test_what_stands_in_the_place_of_a_link_stays(repo: Path, tmp_path: Path) -> None:
    (repo / "src").symlink_to("pkg")
    (tmp_path / "port" / "src").mkdir(parents=True)
    copy([repo], tmp_path / "port")
    assert not (tmp_path / "port" / "src").is_symlink()


def test_links_in_circles_and_to_nowhere(repo: Path, tmp_path: Path) -> None:
    (repo / "pkg" / "circle").symlink_to("..")
    (repo / "gone").symlink_to("nowhere")
    copy([repo], tmp_path / "port")
    assert (tmp_path / "port" / "pkg" / "circle").resolve() == tmp_path / "port"
    assert not (tmp_path / "port" / "gone").exists()
