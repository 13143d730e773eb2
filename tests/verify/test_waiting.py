"""Whether the main thread waits for a thread that reads from the device."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

import pytest

from xlaport.verify.probe.waiting import main_waits_for_this

IN_THREADING = "def held(timeout=None):\n    return done.wait(timeout)\n"


def asked(wait: Callable[[threading.Thread, queue.Queue[None]], object]) -> bool:
    """Whether a thread is told within two seconds that the main thread, which does this, waits for it."""
    found: queue.Queue[None] = queue.Queue()
    told = list[bool]()

    def work() -> None:
        end = time.monotonic() + 2
        while not (waits := main_waits_for_this()) and time.monotonic() < end:
            pass  # until the main thread has come to its wait
        told.append(waits)
        found.put(None)

    thread = threading.Thread(target=work)
    thread.start()
    wait(thread, found)
    thread.join()
    return told[0]


@pytest.mark.parametrize("wait", [lambda thread, found: thread.join(), lambda thread, found: found.get()])
def test_who_joins_a_thread_or_wants_its_result_waits_for_it(
    wait: Callable[[threading.Thread, queue.Queue[None]], object],
) -> None:
    assert asked(wait)


def test_who_has_started_a_thread_and_not_yet_heard_of_it_does_not_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    done, told = threading.Event(), list[bool]()

    def work() -> None:
        for _ in range(1000):
            told.append(main_waits_for_this())
        done.set()

    thread = threading.Thread(target=work)
    # What `start()` waits for comes late, as it does where two cores have much to do.
    names = {"done": done}
    exec(compile(IN_THREADING, threading.__file__, "exec"), names)
    monkeypatch.setattr(vars(thread)["_started"], "wait", names["held"])
    thread.start()
    thread.join()
    assert told == [False] * 1000
