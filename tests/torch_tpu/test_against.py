"""A port for torch_tpu beside its CUDA original: `verify --against`, and `port`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.verify.conftest import call
from tests.warm_python import with_xlaport
from xlaport import registry
from xlaport.engine import Settings, convert
from xlaport.rule import Applicability
from xlaport.targets.known import target

ORIGINAL = """\
import torch
from torch import nn

torch.manual_seed(1)
device = torch.device("cuda")
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2)).to(device)
net = torch.compile(net)
optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
noise = torch.Generator(device=device)
noise.manual_seed(7)
total = 0.0
for step in range(12):
    x = torch.randn(8, 6, device=device, generator=noise)
    y = torch.randint(0, 2, (8,), device=device)
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step == 11:
        print(f"loss {loss.item():.4f}")
torch.save({"net": net.state_dict(), "loss": loss.item()}, "net.pt")
"""


def verdict(folder: Path, python: str, port: str) -> dict[str, Any]:
    (folder / "cuda").mkdir()
    (folder / "cuda" / "train.py").write_text(ORIGINAL)
    (folder / "train.py").write_text(port)
    arguments = ("--target", "torch_tpu", "--python", python, "--output-format", "json", "--against", "cuda/train.py")
    done = call(folder, *arguments, "train.py")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def port() -> str:
    """What `convert` makes of the original."""
    settings = Settings(target("torch_tpu"), frozenset({Applicability.SAFE, Applicability.UNSAFE}))
    return convert(ORIGINAL, "train.py", registry.load(), settings).text


def test_it_trains_as_its_original_with_dropout_and_a_generator_of_the_device(
    port: str, python: str, tmp_path: Path
) -> None:
    result = verdict(tmp_path, python, port)
    assert result["verdict"] == "pass", result["findings"]
    assert result["parity"]["steps"] == 12
    assert max(figure["apart"] for figure in result["parity"]["figures"]) < 1e-4
    assert [item["reason"] for item in result["findings"] if "came from the CPU's generator" in item["reason"]]


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("lr=0.01", "lr=0.02", "differ in step"),
        ("nn.Dropout(0.3)", "nn.Dropout(0.5)", "differ in step"),
        ("    if step == 11:", "    if step == 10:", "prints"),
    ],
)
def test_a_port_that_does_something_else_is_found(
    before: str, after: str, says: str, port: str, python: str, tmp_path: Path
) -> None:
    assert before in port
    result = verdict(tmp_path, python, port.replace(before, after))
    assert result["verdict"] in ("fail", "error")
    (said, *_) = [item["reason"] for item in result["findings"] if item["severity"] == "fail"]
    assert says in said
    assert not [item for item in result["findings"] if "torch_xla" in item["reason"] + item.get("advice", "")]


def ported(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "train.py").write_text(ORIGINAL)
    command = [with_xlaport(), "-m", "xlaport", "port", "--target", "torch_tpu", *arguments, "train.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=400, check=False)


def test_port_converts_runs_and_compares(python: str, tmp_path: Path) -> None:
    done = ported(tmp_path, "--python", python)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "PASS after" in done.stdout
    assert "programs" in done.stdout
    text = (tmp_path / "train.py").read_text()
    assert "torch.accelerator" in text
    assert "torch_xla" not in text


def test_port_for_it_compiles_no_graphs_for_a_chip(python: str, tmp_path: Path) -> None:
    done = ported(tmp_path, "--tpu", "v5e")
    assert done.returncode == 2
    assert "leave out --tpu" in done.stderr
