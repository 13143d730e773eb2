"""Work that is shared among processes: its results are those of one process, whatever becomes of the others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from xlaport.workers import Sharing, is_forked

MANY = 60


def told(done: int, total: int) -> None:
    assert 0 <= done <= total


def flat(results: list[list[int]]) -> list[int]:
    return [number for piece in results for number in piece]


@pytest.mark.parametrize("jobs", [1, 2, 7, 500])
def test_results_come_in_order(jobs: int) -> None:
    sharing = Sharing(lambda numbers: [number * number for number in numbers], MANY, jobs)
    assert flat(sharing.results(told)) == [number * number for number in range(MANY)]


def test_several_processes_do_it() -> None:
    def task(numbers: range) -> int:
        time.sleep(0.05)
        return os.getpid()

    assert len(set(Sharing(task, MANY, 2).results(told)) - {os.getpid()}) == 2


@pytest.mark.parametrize("count", [0, 1, 5])
def test_few_are_done_by_this_process(count: int) -> None:
    assert set(Sharing(lambda numbers: os.getpid(), count, 4).results(told)) <= {os.getpid()}


def test_what_a_killed_process_had_to_do_is_done_by_this_one() -> None:
    def task(numbers: range) -> list[int]:
        if is_forked() and 30 in numbers:
            os.kill(os.getpid(), signal.SIGKILL)
        return list(numbers)

    assert flat(Sharing(task, MANY, 2).results(told)) == list(range(MANY))
    assert not is_forked()


def test_an_error_in_a_process_is_the_run_s() -> None:
    def task(numbers: range) -> None:
        raise LookupError("of a rule")

    with pytest.raises(LookupError, match="of a rule"):
        Sharing(task, MANY, 2).results(told)


def test_a_process_that_begins_when_the_run_has_been_killed_ends() -> None:
    program = "import os, time\nfrom xlaport import workers\nworkers._begin(os.getppid() + 1)\ntime.sleep(60)\n"
    assert subprocess.run([sys.executable, "-c", program], timeout=30, check=False).returncode == 1


def test_an_interrupted_run_does_not_wait_for_the_others(tmp_path: Path) -> None:
    program = (
        "import time\n"
        "from xlaport import interrupts\n"
        "from xlaport.workers import Sharing\n"
        "interrupts.listen()\n"
        "print('begun', flush=True)\n"
        "Sharing(lambda numbers: time.sleep(60), 60, 2).results(lambda done, total: None)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=30)
    assert process.returncode != 0
    assert "Interrupted" in said
