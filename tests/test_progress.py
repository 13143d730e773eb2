"""The progress line, on a real terminal and beside a pipe."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from xlaport.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("xlaport.progress.time.monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "xterm")
    return now


def test_a_short_run_shows_nothing(clock: list[float]) -> None:
    stream = Terminal()
    with Progress(stream) as progress:
        for done in range(10):
            clock[0] += 0.09
            progress(done, 10)
    assert stream.getvalue() == ""


def test_a_long_run_shows_one_line_that_is_gone_at_the_end(clock: list[float]) -> None:
    stream = Terminal()
    with Progress(stream) as progress:
        for done in range(10):
            clock[0] += 0.5
            progress(done, 10)
    states = stream.getvalue().split("\r\033[K")
    assert states[0] == ""
    assert states[-1] == ""
    assert states[1] == "[###...........................] 1 of 10 files"
    assert states[-2] == "[###########################...] 9 of 10 files"
    assert "\n" not in stream.getvalue()


def test_it_is_not_drawn_more_often_than_somebody_can_see(clock: list[float]) -> None:
    stream = Terminal()
    with Progress(stream) as progress:
        clock[0] += 2
        for done in range(1000):
            progress(done, 1000)
    assert stream.getvalue().count("files") == 1


def test_it_is_gone_where_a_run_breaks_off(clock: list[float]) -> None:
    stream = Terminal()

    def broken_off() -> None:
        with Progress(stream) as progress:
            clock[0] += 2
            progress(1, 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert stream.getvalue().endswith("files\r\033[K")


def test_a_narrow_terminal_does_not_wrap(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    with Progress(stream) as progress:
        clock[0] += 2
        progress(0, 0)
    assert max(map(len, stream.getvalue().split("\r\033[K"))) == 19


@pytest.mark.parametrize("term", ["dumb", None])
def test_nothing_is_drawn_for_a_pipe_or_a_terminal_that_cannot_erase(
    clock: list[float], monkeypatch: pytest.MonkeyPatch, term: str | None
) -> None:
    stream = io.StringIO() if term is None else Terminal()
    if term:
        monkeypatch.setenv("TERM", term)
    with Progress(stream) as progress:
        clock[0] += 2
        progress(1, 2)
    assert stream.getvalue() == ""


def test_a_real_terminal_sees_the_line_and_the_report_is_whole(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"f{number}.py").write_text("import torch\nx = torch.ones(2).cuda()\n", encoding="utf-8")
    # The program of the command line, in a process whose files each take a second.
    code = (
        "import time\nfrom xlaport import cli, run\n"
        "whole = run._convert_file\n"
        "run._convert_file = lambda *a: (time.sleep(0.7), whole(*a))[1]\n"
        "cli.main()\n"
    )
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code, "check", "."],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        text=True,
    )
    os.close(theirs)
    report, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    seen = b""
    while chunk := _read(ours):
        seen += chunk
    os.close(ours)
    assert b"of 4 files" in seen
    assert seen.endswith(b"\r\033[K")
    assert "files]" not in report
    assert "\033" not in report
    assert report.startswith("f0.py\n  2:5  XP102  fixable")
    assert "3 more like this: f1.py line 2; f2.py line 2; f3.py line 2" in " ".join(report.split())


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # the other end is closed
        return b""
