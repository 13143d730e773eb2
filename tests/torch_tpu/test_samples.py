"""The samples, ported to torch_tpu: they run on a played TPU, and train, print and save as their originals do."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.samples.programs import NAMES, SAMPLES, entry
from tests.samples.test_end_to_end import ARGUMENTS
from tests.verify.conftest import call
from xlaport import run
from xlaport.config import Config

PROCESSES = {"ddp", "ddp_toy", "fsdp_vit", "llama_spmd"}
"""Those that start a process for each GPU: one alone can be played."""
READING = {"detection_head", "dlrm", "generate", "resnet"}
"""Those that read in each step what they log, what they measure, or what decides whether they go on."""
SHORT = {
    # A threshold that each box is above: torch_tpu 0.2.0 ends the process where it indexes a tensor of no elements.
    "detection_head": "--epochs 1 --train-size 96 --test-size 4 --width 8 --log-interval 2 --threshold 0.0001",
    "fsdp_vit": "--epochs 2 --train-size 1024 --eval-size 128 --layers 1",
    "diffusion_sampling": "--train-steps 6 --log-interval 3 --steps 2 --batch-size 8 --num-images 2",
    "mnist": "--epochs 1 --train-size 640 --test-size 128 --dropout 0 --log-interval 4",
    "vae_gan": "--niter 1 --train-size 192 --lr 3e-4",
}


def ported(name: str, folder: Path) -> Path:
    """The entry of a sample's port, with the original beside it in `cuda`."""
    sample = shutil.copytree(SAMPLES / name, folder / "cuda")
    converted = run.convert([sample], Config(target="torch_tpu", unsafe=True, multi=name in PROCESSES))
    run.write_to(converted, [sample], folder / "port")
    return folder / "port" / entry(name)


def ported_by_way(name: str, folder: Path) -> Path:
    """The entry of a sample's port that has been one for torch_xla before."""
    sample, over = shutil.copytree(SAMPLES / name, folder / "cuda"), folder / "over"
    for target, source, into in (("2.9", sample, over), ("torch_tpu", over, folder / "port")):
        run.write_to(run.convert([source], Config(target=target, unsafe=True, multi=True)), [source], into)
    return folder / "port" / entry(name)


def judged(
    name: str, python: str, folder: Path, launcher: tuple[str, ...] = (), port: Path | None = None
) -> dict[str, Any]:
    """What `verify` says of a sample's port, beside its original."""
    port = port or ported(name, folder)
    arguments = ("--target", "torch_tpu", "--python", python, "--steps", "0", "--output-format", "json")
    compared = ("--against", str(folder / "cuda" / entry(name)))
    words = SHORT.get(name, ARGUMENTS[name]).split()
    started = ("--", *launcher, port.name) if launcher else (port.name, "--")
    done = call(port.parent, *arguments, *compared, *started, *words, timeout=600)
    assert done.stdout, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", sorted(set(NAMES) - PROCESSES))
def test_it_trains_as_its_original(name: str, python: str, tmp_path: Path) -> None:
    result = judged(name, python, tmp_path)
    assert result["parity"]["verdict"] == "pass", result["findings"]
    assert result["parity"]["lines"] > 0
    failed = {item["kind"] for item in result["findings"] if item["severity"] == "fail"}
    assert failed == ({"host-read"} if name in READING else set())


@pytest.fixture
def port_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A free port, where the processes meet."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        monkeypatch.setenv("MASTER_PORT", str(free.getsockname()[1]))


@pytest.mark.usefixtures("port_of_processes")
@pytest.mark.parametrize("name", sorted(PROCESSES))
def test_one_process_of_several_trains_as_its_original(name: str, python: str, tmp_path: Path) -> None:
    """It joins its group; `ddp_toy` starts it itself."""
    launcher = () if name == "ddp_toy" else ("torchrun", "--nproc_per_node=1")
    result = judged(name, python, tmp_path, launcher)
    assert (result["verdict"], result["parity"]["verdict"]) == ("pass", "pass"), result["findings"]
    assert result["parity"]["lines"] > 0


@pytest.mark.usefixtures("port_of_processes")
@pytest.mark.parametrize("name", ["ddp", "fsdp_vit", "llama_spmd"])
def test_it_does_so_by_way_of_torch_xla(name: str, python: str, tmp_path: Path) -> None:
    """A port of several processes for torch_xla is moved on, and one of one process for all chips (SPMD)."""
    port = ported_by_way(name, tmp_path)
    assert "import torch_xla" not in port.read_text(encoding="utf-8")
    result = judged(name, python, tmp_path, ("torchrun", "--nproc_per_node=1"), port)
    assert (result["verdict"], result["parity"]["verdict"]) == ("pass", "pass"), result["findings"]


@pytest.mark.usefixtures("port_of_processes")
def test_what_starts_processes_twice_does_both_in_one(python: str, tmp_path: Path) -> None:
    """The original of `ddp_toy` starts processes for each of its parts: one optimizer in each, two in the port."""
    port = ported_by_way("ddp_toy", tmp_path)
    result = judged("ddp_toy", python, tmp_path, ("torchrun", "--nproc_per_node=1"), port)
    figures = result["parity"]["figures"]
    assert len(figures) == 2 * result["parity"]["steps"] == 80
    assert all(figure["apart"] <= figure["allowed"] for figure in figures)
    failed = [item["reason"] for item in result["findings"] if item["kind"] == "parity"]
    assert len(failed) == 1
    assert failed[0].startswith("The port's optimizers hold 8 parameters, the original's 4")


@pytest.mark.parametrize("name", sorted(PROCESSES))
def test_what_starts_processes_leaves_torch_xla_and_cuda_behind(name: str, tmp_path: Path) -> None:
    text = ported(name, tmp_path).read_text(encoding="utf-8")
    compile(text, name, "exec")
    assert "torch_xla" not in text
    assert "nccl" not in text
