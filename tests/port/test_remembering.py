"""A port that is stopped, at whatever moment, goes on from there, and comes to what it would have come to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from xlaport.caching.store import Store
from xlaport.port.attempt import Attempt, Codes, Offer
from xlaport.port.bench import FolderBench
from xlaport.port.remembering import Remembering
from xlaport.port.request import PortRequest
from xlaport.port.search import Outcome, search
from xlaport.port.writing import write_together
from xlaport.result import FileResult, RunResult
from xlaport.verify import Recordings
from xlaport.verify.events import Trace

from .test_search import Played

TEXT, PORTED = "import torch\n", "import torch_xla\n"


class Killed(BaseException):
    """Something ends the process."""


class Bench(FolderBench):
    """One whose runs are played. At the `at`-th moment (from 0), before a run or after it, it is stopped."""

    def __init__(self, folder: Path, at: int = -1) -> None:
        super().__init__(PortRequest(folder.resolve(), Path("train.py")), Recordings())
        self.played = Played(lambda codes: 3 - len(codes), frozenset("ABC"), wrong=frozenset("B"))
        self.at, self.moments, self.ran = at, 0, 0

    @property
    def runs(self) -> int:
        return self.ran

    def offered(self) -> Offer:
        assert self.request.folder.joinpath("train.py").read_text() == TEXT
        return self.played.offered()

    def attempt(self, unsafe: Codes) -> Attempt:
        return self._once(lambda: self.played.attempt(unsafe), 1)

    def compared(self, attempt: Attempt) -> Attempt:
        runs = 1 if self.recordings.made else 2
        self.recordings.made[()] = Trace(0, ())
        return self._once(lambda: self.played.compared(attempt), runs)

    def _once(self, run: Callable[[], Attempt], times: int) -> Attempt:
        self._passes()
        self.ran += times
        found = run()
        self._passes()
        return found

    def _passes(self) -> None:
        self.moments += 1
        if self.moments == self.at + 1:
            raise Killed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What is ported."""
    here = tmp_path / "project"
    here.mkdir()
    (here / "train.py").write_text(TEXT)
    return here


def came_to(bench: Bench, store: Store, *, resumed: bool) -> tuple[Outcome, int]:
    remembering = Remembering(bench, store, resumed=resumed)
    return search(remembering, 30), remembering.runs


def test_stopped_at_any_moment_it_comes_to_the_same_and_runs_nothing_twice_that_was_known(folder: Path) -> None:
    undisturbed = Bench(folder)
    outcome, runs = came_to(undisturbed, Store(folder.parent / "cache"), resumed=False)
    assert outcome.kept.unsafe == frozenset("AC")
    assert outcome.rejected == frozenset("B")
    for at in range(undisturbed.moments):
        store = Store(folder.parent / f"cache{at}")
        stopped, resumed = Bench(folder, at), Bench(folder)
        with pytest.raises(Killed):
            came_to(stopped, store, resumed=False)
        assert came_to(resumed, store, resumed=True) == (outcome, runs)
        # What was running is run again, and nothing else.
        lost = stopped.ran + resumed.ran - runs
        assert 0 <= lost <= 2, at
    assert at > 10


def test_stopped_again_and_again(folder: Path) -> None:
    store = Store(folder.parent / "cache")
    outcome, runs = came_to(Bench(folder), Store(folder.parent / "other"), resumed=False)
    stops = 0
    found = None
    while found is None and stops < 30:
        try:
            found = came_to(Bench(folder, 2), store, resumed=True)
        except Killed:
            stops += 1
    assert found == (outcome, runs)
    assert stops > 3


def test_without_resume_it_begins_anew(folder: Path) -> None:
    store = Store(folder.parent / "cache")
    _, runs = came_to(Bench(folder), store, resumed=False)
    again = Bench(folder)
    came_to(again, store, resumed=False)
    assert again.ran == runs


def test_killed_when_all_is_written_it_is_known_and_runs_nothing(folder: Path) -> None:
    store = Store(folder.parent / "cache")
    result = RunResult("2.9", 1, 1, (FileResult((folder / "train.py").resolve(), TEXT, PORTED),))
    first = Remembering(Bench(folder), store, resumed=False)
    outcome = search(first, 30)
    first.finished(result)
    write_together(result, folder)
    bench = Bench(folder)
    assert came_to(bench, store, resumed=True) == (outcome, first.runs)
    assert bench.ran == 0
    # What is written then is there already.
    assert write_together(result, folder) == result
    assert (folder / "train.py").read_text() == PORTED
