"""Which line is blamed: the user's own, also where a thread, a library or a comprehension is in between."""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType

import pytest

from xlaport.verify.events import Site
from xlaport.verify.probe import frames

LIBRARY = """
import threading

def call(function):
    return function()

def in_thread(function):
    seen = []
    thread = threading.Thread(target=lambda: seen.append(function()))
    thread.start()
    thread.join()
    return seen[0]
"""


def here() -> int:
    """The line of the caller."""
    frame: FrameType | None = sys._getframe().f_back
    assert frame is not None
    return frame.f_lineno


@pytest.fixture
def library(tmp_path: Path) -> ModuleType:
    path = tmp_path / "site-packages" / "library.py"
    path.parent.mkdir()
    path.write_text(LIBRARY)
    spec = importlib.util.spec_from_file_location("library", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", threading.Thread.start)  # put back after the test
    frames.watch_threads()


def test_a_library_is_looked_through(library: ModuleType) -> None:
    assert library.call(frames.site) == Site(__file__, here(), "test_a_library_is_looked_through")


def test_a_comprehension_belongs_to_its_function() -> None:
    (site,) = [frames.site() for _ in range(1)]
    assert site == Site(__file__, here() - 1, "test_a_comprehension_belongs_to_its_function")
    site = next(frames.site() for _ in range(1))
    assert site == Site(__file__, here() - 1, "test_a_comprehension_belongs_to_its_function")


@pytest.mark.usefixtures("watched")
def test_a_thread_of_a_library_is_laid_to_the_line_that_started_it(library: ModuleType) -> None:
    site = library.in_thread(frames.site)
    assert site == Site(__file__, here() - 1, "test_a_thread_of_a_library_is_laid_to_the_line_that_started_it")


@pytest.mark.usefixtures("watched")
def test_a_line_of_the_users_own_in_a_thread_comes_first(library: ModuleType) -> None:
    def own() -> Site | None:
        return frames.site()

    assert library.in_thread(own) == Site(__file__, here() - 2, "own")


@pytest.mark.usefixtures("watched")
def test_a_thread_that_a_thread_started_is_laid_to_the_first(library: ModuleType) -> None:
    site = library.in_thread(lambda: library.in_thread(frames.site))
    assert site is not None
    assert site.line == here() - 2


@pytest.mark.usefixtures("watched")
def test_threads_have_numbers_and_the_main_one_has_none(library: ModuleType) -> None:
    numbers: Callable[[], int] = frames.thread
    assert numbers() == 0
    assert library.in_thread(numbers) != 0
