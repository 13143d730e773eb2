"""Scripts for torch_tpu with one planted fault each, and clean ones; `tests/verify/test_planted.py` has torch_xla's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.planting import expectation, invented, missed

from .conftest import Judged

PLANTED = Path(__file__).parent / "planted"
FAULTS, CLEAN, ERRORS = (sorted((PLANTED / name).glob("*.py")) for name in ("faults", "clean", "errors"))


def _names(scripts: list[Path]) -> list[str]:
    return [script.stem for script in scripts]


def test_there_are_enough_of_each_kind() -> None:
    kinds = {item.kind for script in FAULTS for item in expectation(script).planted}
    assert kinds >= {"recompile", "host-read", "nothing-executed", "not-training"}
    assert len(FAULTS) >= 12
    assert len(CLEAN) >= 12


@pytest.mark.parametrize("script", FAULTS, ids=_names(FAULTS))
def test_a_planted_fault_is_named_and_nothing_else_is(script: Path, judged: Judged) -> None:
    expected, verdict = expectation(script), judged(script)
    assert expected.planted
    assert [*missed(expected, verdict), *invented(expected, verdict)] == []


@pytest.mark.parametrize("script", CLEAN, ids=_names(CLEAN))
def test_a_clean_script_passes(script: Path, judged: Judged) -> None:
    expected, verdict = expectation(script), judged(script)
    assert [*missed(expected, verdict), *invented(expected, verdict)] == []
    assert (verdict.target, verdict.device) == ("torch_tpu", "CPU")


@pytest.mark.parametrize("script", ERRORS, ids=_names(ERRORS))
def test_what_breaks_off_is_an_error_with_its_line(script: Path, judged: Judged) -> None:
    expected, verdict = expectation(script), judged(script)
    assert verdict.verdict == "error"
    assert missed(expected, verdict) == ["error in place of fail"]
