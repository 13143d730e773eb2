from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.child import QUICK
from xlaport.verify import Verdict, VerifyRequest, verify

from .warm_python import WarmPython

Check = Callable[..., Verdict]

MODEL = """\
import torch, torch_xla
device = torch_xla.device()
torch.manual_seed(0)
model = torch.nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def train(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss
def batch(n=4):
    return torch.randn(n, 8).to(device)

"""
"""What most scripts below start with: 14 lines, so that their own first line is line 15."""


def call(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``xlaport verify`` as a command, in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "xlaport", "verify", *arguments], cwd=folder, capture_output=True, text=True, timeout=240
    )


@pytest.fixture(scope="package", autouse=True)
def quick() -> Iterator[None]:
    """XLA compiles without optimizing in what is run here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XLA_FLAGS", QUICK)
        yield


@pytest.fixture(scope="package")
def warm_python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmPython]:
    """A Python that has imported torch and torch_xla: one for all tests here."""
    with WarmPython(tmp_path_factory.mktemp("python")) as python:
        yield python


@pytest.fixture
def check(tmp_path: Path, warm_python: WarmPython) -> Check:
    """Runs a script on XLA:CPU under the probe and returns the verdict.

    In a Python of its own where `warm` is false: for what it imports, or what a spawned process imports again.
    """

    def run(source: str, *arguments: str, steps: int | None = None, timeout: float = 120, warm: bool = True) -> Verdict:
        script = tmp_path / "script.py"
        script.write_text(textwrap.dedent(source).replace("MODEL\n", MODEL), encoding="utf-8")
        python = str(warm_python.executable) if warm else sys.executable
        return verify(
            VerifyRequest("script.py", arguments, steps=steps, timeout=timeout, python=python, directory=tmp_path)
        )

    return run
