"""The search for garbage during a run: seldom, and not in what stays; afterwards as it was."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from xlaport import run
from xlaport.config import Config
from xlaport.garbage import Aside, left_behind, seldom_collected

OFTEN = 16


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_garbage_is_looked_for_seldom_and_then_as_before() -> None:
    before = gc.get_threshold()
    with seldom_collected():
        assert gc.get_threshold() > before
        gc.freeze()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


class _File:
    """Something that only the search for garbage can take apart."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize(("let_go", "is_found"), [(1, False), (1000, True)])
def test_what_stays_is_put_aside_until_much_is_let_go(let_go: int, is_found: bool) -> None:
    dropped = 0
    aside = Aside(lambda: dropped)
    file = _File()
    left = weakref.ref(file)
    for _ in range(OFTEN - 1):
        aside.after_file()
    assert gc.get_freeze_count() == 0
    aside.after_file()
    assert gc.get_freeze_count() > 0
    del file
    dropped = let_go
    for _ in range(OFTEN):
        aside.after_file()
    assert gc.get_freeze_count() > 0
    assert (left() is None) is is_found


def test_a_program_that_ends_soon_takes_nothing_apart() -> None:
    with left_behind():
        assert gc.get_freeze_count() == 0
    assert gc.get_freeze_count() > 0


def test_a_run_leaves_the_search_as_it_was(tmp_path: Path) -> None:
    before = gc.get_threshold()
    for number in range(OFTEN + 1):
        (tmp_path / f"m{number}.py").write_text("import torch\nx = torch.zeros(3).cuda()\n")
    assert len(run.convert([tmp_path], Config()).findings) == OFTEN + 1
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
