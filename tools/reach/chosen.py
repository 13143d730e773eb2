"""A plugin for pytest that runs what a plan has chosen, the nearest first, until the time is up."""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tools.reach.plan import DEADLINE, PLAN

_LATE = pytest.StashKey[int]()
_OUTPUT = "xlaport_late"
_CODE = re.compile(r"XP\d{3}(?!\d)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the chosen tests, in the order of their distance; of each rule one case, then another of each."""
    plan = json.loads(Path(os.environ[PLAN]).read_text(encoding="utf-8"))
    places: dict[str, tuple[int, int]] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for item in items:
        file, _, name = item.nodeid.partition("::")
        chosen = plan[file]
        test = name.partition("[")[0]
        codes = set(_CODE.findall(name))
        if test in chosen["left"] or (chosen["codes"] is not None and codes and codes.isdisjoint(chosen["codes"])):
            continue
        kind = (file, min(codes, default=""))
        places[item.nodeid] = (chosen["distance"], seen[kind] if codes else 0)
        seen[kind] += 1
    kept = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in places])
    items[:] = kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """What has not begun in time is not begun."""
    if time.time() < float(os.environ[DEADLINE]):
        return None
    item.config.stash[_LATE] = item.config.stash.get(_LATE, 0) + 1
    return True


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that shares the tests."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_OUTPUT] = session.config.stash.get(_LATE, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear what a process that ran some of them tells."""
    stash = node.config.stash
    stash[_LATE] = stash.get(_LATE, 0) + getattr(node, "workeroutput", {}).get(_OUTPUT, 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how many tests there was no time for."""
    late = config.stash.get(_LATE, 0)
    if late:
        terminalreporter.write_line(f"{late} tests, the farthest from the change, were not begun: the time was up.")
