"""How much of the machine's memory parsed files may take."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport import memory
from xlaport.facts.program import KEPT


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for what Linux says of the memory, with a machine of 24 GB free and a group without a limit."""
    (tmp_path / "meminfo").write_text("MemTotal: 32000000 kB\nMemAvailable:   24000000 kB\n")
    (tmp_path / "max").write_text("max\n")
    (tmp_path / "current").write_text("1000000\n")
    monkeypatch.setattr(memory, "_MACHINE", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUPS", ((tmp_path / "max", tmp_path / "current"),))
    return tmp_path


def test_half_of_what_is_free_is_shared_by_the_processes(machine: Path) -> None:
    assert memory.kept_characters(1) == 24_000_000 * 1024 // 2 // 75
    assert memory.kept_characters(4) == 24_000_000 * 1024 // 2 // 75 // 4


def test_a_container_has_no_more_than_its_limit(machine: Path) -> None:
    (machine / "max").write_text("4000000000\n")
    (machine / "current").write_text("1000000000\n")
    assert memory.kept_characters(2) == 3_000_000_000 // 2 // 75 // 2


def test_each_process_may_keep_a_few_files_however_little_there_is(machine: Path) -> None:
    (machine / "meminfo").write_text("MemAvailable: 1000 kB\n")
    assert memory.kept_characters(16) == 6_000_000


def test_a_system_that_says_nothing_gets_what_is_usual(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine / "meminfo").unlink()
    monkeypatch.setattr("os.sysconf_names", {})
    assert memory.kept_characters(8) == KEPT


def test_another_unix_is_asked_for_its_pages(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine / "meminfo").unlink()
    monkeypatch.setattr("os.sysconf", {"SC_PHYS_PAGES": 4_000_000, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert memory.kept_characters(1) == 4_000_000 * 4096 // 2 // 2 // 75
