from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.warm_python import with_torch_xla, with_xlaport
from xlaport.verify import Verdict, VerifyRequest, verify

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


def call(folder: Path, *arguments: str, timeout: float = 240) -> subprocess.CompletedProcess[str]:
    """``xlaport verify`` as a command, in a folder."""
    return subprocess.run(
        [with_xlaport(), "-m", "xlaport", "verify", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=timeout,
    )


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Runs a script on XLA:CPU under the probe and returns the verdict.

    In a Python of its own where `warm` is false: for what it imports, or what a spawned process imports again.
    """

    def run(source: str, *arguments: str, steps: int | None = None, timeout: float = 120, warm: bool = True) -> Verdict:
        script = tmp_path / "script.py"
        script.write_text(textwrap.dedent(source).replace("MODEL\n", MODEL), encoding="utf-8")
        python = with_torch_xla() if warm else sys.executable
        return verify(
            VerifyRequest("script.py", arguments, steps=steps, timeout=timeout, python=python, directory=tmp_path)
        )

    return run
