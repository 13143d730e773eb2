"""Scripts with one planted fault each, and clean ones that look faulty: what verify has to name, and what not.

Each is run on XLA:CPU under the probe. A fault has to be found with its kind, its line and its function, and nothing
else may fail; a clean script has to pass.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.warm_python import with_torch_xla
from xlaport.verify import Verdict, VerifyRequest, verify

from .planting import CLEAN, FAULTS, PROJECT, expectation, invented, missed

KINDS = ("host-read", "extra-execution", "recompile", "no-barrier", "fallback", "nothing-executed", "not-training")
Judged = Callable[[Path], Verdict]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judged]:
    """Runs a planted script, once, and says what verify says."""
    verdicts: dict[Path, Verdict] = {}
    packages = PROJECT.parent / "site-packages"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(map(str, (PROJECT, packages))))
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")

        def run(script: Path) -> Verdict:
            if script not in verdicts:
                folder = tmp_path_factory.mktemp("run")
                python = with_torch_xla()
                request = VerifyRequest(script, steps=30, timeout=120, python=python, directory=folder)
                verdicts[script] = verify(request)
            return verdicts[script]

        yield run


def test_there_are_enough_of_each_kind() -> None:
    assert len(FAULTS) >= 60
    assert len(CLEAN) >= 20
    kinds = Counter(kind for script in FAULTS for kind in {item.kind for item in expectation(script).planted})
    assert min(kinds[kind] for kind in KINDS) >= 3
    assert {"extra-barrier", "samples-lost", "starved", "untied"} <= kinds.keys()


@pytest.mark.parametrize("script", FAULTS, ids=[path.stem for path in FAULTS])
def test_a_planted_fault_is_named_and_nothing_else_is(script: Path, judged: Judged) -> None:
    expected, verdict = expectation(script), judged(script)
    assert expected.planted
    assert [*missed(expected, verdict), *invented(expected, verdict)] == []


@pytest.mark.parametrize("script", CLEAN, ids=[path.stem for path in CLEAN])
def test_a_clean_script_passes(script: Path, judged: Judged) -> None:
    expected, verdict = expectation(script), judged(script)
    assert not expected.planted
    assert [*missed(expected, verdict), *invented(expected, verdict)] == []


def test_recall_and_precision(judged: Judged) -> None:
    planted = found = wrong = 0
    for script in (*FAULTS, *CLEAN):
        expected, verdict = expectation(script), judged(script)
        planted += len(expected.planted)
        found += len(expected.planted) - sum(text.startswith("missed") for text in missed(expected, verdict))
        wrong += len(invented(expected, verdict))
    summary = f"recall {found}/{planted}, precision {found}/{found + wrong}"
    assert (found, wrong) == (planted, 0), summary
