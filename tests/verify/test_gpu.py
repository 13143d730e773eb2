"""An original that is to run on a GPU: what is asked before, and what is put in place, as far as a CPU shows it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.verify.test_redirect import played
from xlaport.verify import Against, VerifyRequest
from xlaport.verify.events import Noticed, Trace
from xlaport.verify.parity import compare
from xlaport.verify.parity_run import Recordings, record, with_parity
from xlaport.verify.probe import same_draws
from xlaport.verify.verdict import Verdict

SCRIPT = """\
import torch
from torch import nn
from torch.nn import functional as F

assert torch.cuda.is_available() == {available}
device = torch.device("cpu")
generator = torch.Generator("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
lstm = nn.LSTM(8, 8, num_layers=2, dropout=0.5).to(device)
optimizer = torch.optim.Adam(lstm.parameters(), lr=0.1, fused=True)
for step in range(6):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        x = torch.randn(4, 3, 8, device=device)
        y, _ = lstm(x)
        y = F.scaled_dot_product_attention(y, y, y, dropout_p=0.2)
        loss = (y - torch.rand(4, 3, 8, generator=generator)).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""
ON_A_GPU = (("XLAPORT_ORIGINAL_ON", "cuda"), ("NVIDIA_TF32_OVERRIDE", "0"))


@pytest.mark.parametrize("command", [("verify", "train.py", "--against", "train.py"), ("port", "train.py")])
def test_without_a_gpu_one_line_says_what_to_do(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "train.py").write_text("import torch\n", encoding="utf-8")
    words = [sys.executable, "-m", "xlaport", *command, "--original-device", "cuda"]
    environment = {"PATH": "", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        f"xlaport: --original-device cuda: the torch of {sys.executable} sees no CUDA GPU; without the option the "
        "original runs on the CPU, its CUDA calls redirected\n"
    )


def test_without_against_there_is_no_original(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "xlaport", "verify", "train.py", "--original-device", "cuda"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "xlaport: nothing is compared without --against: leave out --original-device\n",
    )


def test_what_never_touches_the_gpu_trains_there_as_it_does_redirected(tmp_path: Path) -> None:
    redirected = played(tmp_path, SCRIPT.format(available=True))
    (tmp_path / "script.py").write_text(SCRIPT.format(available=False), encoding="utf-8")
    there = record(VerifyRequest("script.py", timeout=300, directory=tmp_path), "original", "it", *ON_A_GPU)
    assert isinstance(there, Trace), there
    parity, _ = compare(redirected, there, 1e-9, "script.py")
    assert (parity.verdict, parity.steps) == ("pass", 6)
    assert any(isinstance(event, Noticed) and event.what == "autocast" for event in there.events)


def test_the_environment_of_the_original_says_where_it_runs_and_the_verdict_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[tuple[str, str], ...]] = []

    class Asked(Recordings):
        def original(self, request: VerifyRequest, name: str, *more: tuple[str, str]) -> Trace:
            asked.append(more)
            return Trace(0, ())

        def port(self, request: VerifyRequest, name: str, *more: tuple[str, str], may_fail: bool) -> Trace:
            return Trace(0, ())

    (tmp_path / "train.py").write_text("", encoding="utf-8")
    request = VerifyRequest("train.py", directory=tmp_path)
    against = Against(Path("train.py"), device="cuda")
    ran = Verdict("pass", "CPU", "2.9", 3, 1)
    there = with_parity(ran, request, against, Asked()).parity
    assert there is not None
    assert there.device == "cuda"
    assert {name for name, _ in asked[0]} == {"XLAPORT_ORIGINAL_ON", "NVIDIA_TF32_OVERRIDE", "CUDA_VISIBLE_DEVICES"}
    redirected = with_parity(ran, request, replace(against, device="cpu"), Asked()).parity
    assert redirected is not None
    assert redirected.device == "cpu"
    assert asked[1] == ()


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("uniform_", lambda: (torch.empty(3), 0.0, 1.0)),
        ("log_normal_", lambda: (torch.empty(3), 0.0, 1.0)),
        ("geometric_", lambda: (torch.empty(3), 0.5)),
        ("poisson", lambda: (torch.full((3,), 4.0),)),
        ("binomial", lambda: (torch.full((3,), 4.0), torch.full((3,), 0.5))),
        ("_standard_gamma", lambda: (torch.full((3,), 2.0),)),
    ],
)
def test_what_draws_on_a_device_draws_what_the_host_would(
    name: str, make: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(same_draws, "guarded", lambda *call: None)  # nothing is recorded here
    operator = getattr(torch.ops.aten, name).default
    torch.manual_seed(3)
    expected = operator(*make())
    torch.manual_seed(3)
    drawn = same_draws._on_host(operator, name.endswith("_"), "cpu")(None, *make())
    assert torch.equal(drawn, expected)
