"""A port is written as a whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport.errors import UserError
from xlaport.port.writing import write_together
from xlaport.result import FileResult, RunResult


def conversion(folder: Path, **files: tuple[str, str]) -> RunResult:
    """The conversion of some files, by their names, from the texts that they had."""
    results = []
    for name, (before, after) in files.items():
        path = folder / f"{name}.py"
        path.write_text(before)
        results.append(FileResult(path, before, after))
    return RunResult("2.9", len(files), len(files), tuple(results))


def test_all_files_are_written(tmp_path: Path) -> None:
    write_together(conversion(tmp_path, a=("1\n", "2\n"), b=("3\n", "3\n"), c=("4\n", "5\n")))
    assert [(tmp_path / f"{name}.py").read_text() for name in "abc"] == ["2\n", "3\n", "5\n"]


def test_where_one_has_changed_meanwhile_none_is_written(tmp_path: Path) -> None:
    result = conversion(tmp_path, a=("1\n", "2\n"), b=("3\n", "4\n"), c=("5\n", "6\n"))
    (tmp_path / "b.py").write_text("mine\n")
    with pytest.raises(UserError, match=r"b\.py: .*; nothing was written"):
        write_together(result)
    assert [(tmp_path / f"{name}.py").read_text() for name in "abc"] == ["1\n", "mine\n", "5\n"]


def test_an_interruption_undoes_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from xlaport import run

    result = conversion(tmp_path, a=("1\n", "2\n"), b=("3\n", "4\n"), c=("5\n", "6\n"))
    write, calls = run.write, []

    def interrupted(part: RunResult) -> RunResult:
        calls.append(part)
        done = write(part)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr(run, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_together(result)
    assert [(tmp_path / f"{name}.py").read_text() for name in "abc"] == ["1\n", "3\n", "5\n"]
