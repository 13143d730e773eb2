"""A port is written as a whole, or not at all: whatever stops it, at whatever moment."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xlaport.errors import UserError
from xlaport.port.journal import NAME, undo
from xlaport.port.writing import write_together
from xlaport.result import FileResult, RunResult
from xlaport.verify.holding import held

BEFORE, AFTER = ["1\n", "3\n", "5\n"], ["2\n", "4\n", "6\n"]
CALLS = ("open", "replace", "unlink", "fsync", "chmod")
"""Calls to the system that writing makes."""


def conversion(folder: Path, **files: tuple[str, str]) -> RunResult:
    """The conversion of some files, by their names, from the texts that they had."""
    results = []
    for name, (before, after) in files.items():
        path = folder / f"{name}.py"
        path.write_text(before)
        results.append(FileResult(path, before, after))
    return RunResult("2.9", len(files), len(files), tuple(results))


def three(folder: Path) -> RunResult:
    return conversion(folder, **{name: (old, new) for name, old, new in zip("abc", BEFORE, AFTER, strict=True)})


def held_texts(folder: Path) -> list[str]:
    return [(folder / f"{name}.py").read_text() for name in "abc"]


def test_all_files_are_written(tmp_path: Path) -> None:
    write_together(conversion(tmp_path, a=("1\n", "2\n"), b=("3\n", "3\n"), c=("4\n", "5\n")), tmp_path)
    assert held_texts(tmp_path) == ["2\n", "3\n", "5\n"]
    assert {path.name for path in tmp_path.iterdir()} == {"a.py", "b.py", "c.py"}


def test_where_one_has_changed_meanwhile_none_is_written(tmp_path: Path) -> None:
    result = three(tmp_path)
    (tmp_path / "b.py").write_text("mine\n")
    with pytest.raises(UserError, match=r"b\.py: .*; nothing was written"):
        write_together(result, tmp_path)
    assert held_texts(tmp_path) == ["1\n", "mine\n", "5\n"]
    assert undo(tmp_path) is None


class Moments:
    """Stops what runs at the `at`-th moment (from 0): before or after one of the calls to the system."""

    def __init__(self, at: int, stop: Callable[[], Any]) -> None:
        self.at, self.stop, self.seen = at, stop, 0

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        for name in CALLS:
            patch.setattr(os, name, self.around(getattr(os, name)))

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **named: Any) -> Any:
            self.passes()
            result = call(*arguments, **named)
            self.passes()
            return result

        return watched

    def passes(self) -> None:
        self.seen += 1
        if self.seen == self.at + 1:
            self.stop()


def killed_at(moment: int, result: RunResult, folder: Path) -> bool:
    """Write in a process that is killed at a moment; whether it came to that."""
    child = os.fork()
    if not child:
        with pytest.MonkeyPatch.context() as patch:
            Moments(moment, lambda: os.kill(os.getpid(), signal.SIGKILL)).watch(patch)
            write_together(result, folder)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def test_killed_at_any_moment_the_next_port_finds_all_as_it_was_or_all_written(tmp_path: Path) -> None:
    mixed = undone = 0
    for moment in itertools.count():
        result = three(tmp_path)
        is_killed = killed_at(moment, result, tmp_path)
        found = held_texts(tmp_path)
        mixed += found not in (BEFORE, AFTER)
        undone += (told := undo(tmp_path)) is not None
        if told is not None:
            assert held_texts(tmp_path) == BEFORE
            assert told.changed == ()
            assert [path.read_text() for path in told.restored] == [
                old for old, new, now in zip(BEFORE, AFTER, found, strict=True) if now == new
            ]
        else:
            assert held_texts(tmp_path) == found
            assert found in (BEFORE, AFTER)
        assert {path.name for path in tmp_path.iterdir()} == {"a.py", "b.py", "c.py"}
        write_together(result, tmp_path)
        assert held_texts(tmp_path) == AFTER
        if not is_killed:
            break
    # It was killed between two files, too.
    assert mixed > 5
    assert undone > 20


def test_interrupted_at_any_moment_all_is_as_it_was_or_all_written(tmp_path: Path) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    for moment in itertools.count():
        result = three(tmp_path)
        moments = Moments(moment, interrupt)
        with pytest.MonkeyPatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
            moments.watch(patch)
            write_together(result, tmp_path)
        assert held_texts(tmp_path) == (AFTER if moments.seen <= moment else BEFORE), moment
        assert {path.name for path in tmp_path.iterdir()} == {"a.py", "b.py", "c.py"}, moment
        if moments.seen <= moment:
            break
    assert moment > 30


def test_killed_while_it_puts_back_it_puts_back_the_next_time(tmp_path: Path) -> None:
    for moment in itertools.count(step=3):
        left_in_the_middle(tmp_path)
        child = os.fork()
        if not child:
            with pytest.MonkeyPatch.context() as patch:
                Moments(moment, lambda: os.kill(os.getpid(), signal.SIGKILL)).watch(patch)
                undo(tmp_path)
            os._exit(0)
        is_killed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        undo(tmp_path)
        assert held_texts(tmp_path) == BEFORE
        if not is_killed:
            break
    assert moment > 6


def left_in_the_middle(folder: Path) -> None:
    """A folder in which a port was killed between two files."""
    for moment in itertools.count():
        assert killed_at(moment, three(folder), folder)
        if held_texts(folder) not in (BEFORE, AFTER):
            return
        undo(folder)


def test_what_somebody_has_changed_since_is_left_to_them(tmp_path: Path) -> None:
    left_in_the_middle(tmp_path)
    (tmp_path / "c.py").write_text("mine\n")
    told = undo(tmp_path)
    assert told is not None
    assert [path.name for path in told.changed] == ["c.py"]
    assert held_texts(tmp_path) == ["1\n", "3\n", "mine\n"]


def test_a_port_that_is_writing_is_let_alone(tmp_path: Path) -> None:
    left_in_the_middle(tmp_path)
    with held(tmp_path / NAME), pytest.raises(UserError, match="another xlaport port writes into"):
        undo(tmp_path)


def test_a_journal_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("mine")
    with pytest.raises(UserError, match="is no journal of xlaport"):
        undo(tmp_path)
    assert (tmp_path / NAME).read_text() == "mine"
