"""Each trap of a port is met by a snapshot, and has one in which nothing may be rewritten."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SNAPSHOTS = Path(__file__).parent / "snapshots"
TRAPS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("traps.toml").read_text(encoding="utf-8"))
ASKED_FOR = [4, 14, 15, *range(18, 74), *range(75, 87)]


def is_rewritten(case: str) -> bool:
    """Whether the case has a text after its conversion, which is there only where it is another one."""
    return any((SNAPSHOTS / case).glob("after*"))


def test_no_trap_is_left_out() -> None:
    assert sorted(int(number) for number in TRAPS) == ASKED_FOR


@pytest.mark.parametrize("number", TRAPS)
def test_the_trap_is_met(number: str) -> None:
    for case in TRAPS[number]["met"]:
        findings = (SNAPSHOTS / case / "findings.txt").read_text(encoding="utf-8")
        assert findings or is_rewritten(case), f"{case} says nothing"
    assert TRAPS[number]["met"]


@pytest.mark.parametrize("number", TRAPS)
def test_what_only_looks_like_it_stays(number: str) -> None:
    kept = TRAPS[number]["kept"]
    assert kept
    for case in kept:
        assert any((SNAPSHOTS / case).glob("before*")), f"no case {case}"
        if "/keep-" in f"/{case}":
            assert not is_rewritten(case), case
