"""The samples whose weights or batches are sharded: their ports train as the originals do, on four devices, too."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import torch

from tests.samples.programs import ENVIRONMENT, SAMPLES
from tests.warm_python import with_torch, with_torch_xla, with_xlaport

ON_XLA = {**ENVIRONMENT, "PJRT_DEVICE": "CPU"}


def run(python: str, *command: str, cwd: Path, devices: int = 1, port: int = 0) -> str:
    """What a Python prints, which has to succeed."""
    environment = {**ON_XLA, "CPU_NUM_DEVICES": str(devices), "MASTER_PORT": str(port)}
    done = subprocess.run(
        [python, *command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=400, check=False
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def losses(text: str) -> list[float]:
    """The losses that a sample prints."""
    return [float(number) for number in re.findall(r"\| (?:loss|val) (\d+\.\d+)", text)]


def same_weights(one: Path, other: Path) -> bool:
    """Whether two files hold the same weights, under the same names, on the host."""
    first, second = (torch.load(path, weights_only=True) for path in (one, other))
    assert set(first) == set(second)
    assert all(value.device.type == "cpu" for value in second.values())
    return all(torch.allclose(first[name], second[name], atol=2e-3) for name in first)


@pytest.mark.parametrize(
    ("name", "options", "own", "devices"),
    [
        ("fsdp_vit", "--epochs 1 --train-size 512 --eval-size 128 --layers 2 --log-interval 2", "", 1),
        ("llama_spmd", "--epochs 2 --train-size 1024", "--batch-size 16", 4),
    ],
)
def test_the_port_trains_and_saves_as_the_original_does(
    name: str, options: str, own: str, devices: int, tmp_path: Path
) -> None:
    run(with_xlaport(), "-m", "xlaport", "convert", "--unsafe", str(SAMPLES / name), "--out", "port", cwd=tmp_path)
    command = [with_torch(), str(SAMPLES / name / "train.py"), *options.split(), "--output", "one.pt"]
    original = run(*command, cwd=tmp_path, port=29642)
    command = [with_torch_xla(), "port/train.py", *options.split(), *own.split(), "--output", "other.pt"]
    port = run(*command, cwd=tmp_path, devices=devices, port=29643)
    assert losses(port) == pytest.approx(losses(original), rel=2e-3, abs=2e-3)
    assert len(losses(port)) >= 4
    assert same_weights(tmp_path / "one.pt", tmp_path / "other.pt")


def test_a_script_for_one_device_trains_on_four_as_it_did_on_one(tmp_path: Path) -> None:
    options = "--epochs 1 --train-size 592 --test-size 90 --workers 0 --log-interval 2 --dropout 0 --save".split()
    convert = ("-m", "xlaport", "convert", "--select", "XP,XP606", "--unsafe")
    run(with_xlaport(), *convert, str(SAMPLES / "mnist"), "--out", "port", cwd=tmp_path)
    assert ".use_spmd()" in (tmp_path / "port" / "train.py").read_text()
    original = run(with_torch(), str(SAMPLES / "mnist" / "train.py"), *options, "one.pt", cwd=tmp_path)
    port = run(with_torch_xla(), "port/train.py", *options, "other.pt", cwd=tmp_path, devices=4)
    first, second = (re.findall(r"loss: (\d+\.\d+)", text, re.IGNORECASE) for text in (original, port))
    assert [float(x) for x in second] == pytest.approx([float(x) for x in first], rel=2e-3, abs=2e-3)
    assert len(first) >= 5
    assert same_weights(tmp_path / "one.pt", tmp_path / "other.pt")
