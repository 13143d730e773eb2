from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from xlaport.verify import Verdict, VerifyRequest, verify
from xlaport.verify.request import TORCH_TPU

ROOT = Path(__file__).parents[2]
VARIABLE = "XLAPORT_TORCH_TPU_PYTHON"
Judged = Callable[[Path], Verdict]


@pytest.fixture(scope="session")
def python() -> str:
    """The Python that has torch_tpu: the other environment that ``make setup`` builds, or the one of a variable."""
    path = os.environ.get(VARIABLE) or ROOT / ".venv-torch-tpu" / "bin" / "python"
    if not Path(path).exists():
        pytest.fail(f"no Python with torch_tpu at {path}: run  make setup  , or let {VARIABLE} name one", pytrace=False)
    return str(path)


@pytest.fixture
def judged(python: str, tmp_path: Path) -> Judged:
    """Runs a script on a played TPU, under the probe, and says what verify says."""

    def run(script: Path) -> Verdict:
        request = VerifyRequest(script, steps=30, timeout=200, python=python, directory=tmp_path, target=TORCH_TPU)
        return verify(request)

    return run
