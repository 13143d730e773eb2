"""Checkpoints of a port: they open where torch_xla is not installed, and training goes on from them as if uncut."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.child import output_of, printed_by
from tests.samples import programs as samples
from tests.without_torch_xla import output_without, printed_without

ENVIRONMENT = {**samples.ENVIRONMENT, "PJRT_DEVICE": "CPU"}

PROGRAM = """
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int)
parser.add_argument("--save")
parser.add_argument("--resume")
args = parser.parse_args()

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = torch.randn(6, 16, 4)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [1, 3])
start = 0
if args.resume:
    checkpoint = torch.load(args.resume)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    start = checkpoint["step"]
for step in range(start, args.steps):
    x = data[step].to(device)
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(f"step {step} loss {loss.item():.5f}")
if args.save:
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": args.steps}
    state["scheduler"] = scheduler.state_dict()
    torch.save(state, args.save)
"""

PROCESSES = """
import sys

import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn


def main(index, path):
    model = nn.Linear(4, 2).to(torch_xla.device())
    if xm.is_master_ordinal():
        xm.save(model.state_dict(), path + "/first.pt")
    model.weight.data.mul_(2)
    if xm.is_master_ordinal(local=False):
        print("saved")
        xm.save(model.state_dict(), path + "/second.pt")


if __name__ == "__main__":
    torch_xla.launch(main, args=(sys.argv[1],))
"""

DATA_PARALLEL = """
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    model = DistributedDataParallel(nn.Linear(4, 2).cuda(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for step in range(3):
            loss = model(torch.ones(8, 4).cuda(rank)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            torch.save({"model": model.module.state_dict(), "epoch": epoch}, f"epoch-{epoch}.pt")
    if dist.get_rank() == 0:
        print("done")
        torch.save(model.module.state_dict(), "last.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""

DEVICES = """
import json, sys, torch
found = torch.load(sys.argv[1])
tensors = [*found["model"].values(), *(v for s in found["optimizer"]["state"].values() for v in s.values())]
print(json.dumps(sorted({str(tensor.device) for tensor in tensors})))
"""


def run(*command: str, cwd: Path, **environment: str) -> str:
    """What Python prints with some arguments on XLA:CPU, which has to succeed."""
    return output_of(*command, environment=ENVIRONMENT | environment, cwd=cwd)


def losses(output: str) -> list[float]:
    """The loss of each step."""
    return [float(value) for value in re.findall(r"loss (\S+)", output)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program, its port, and what the port saved after two steps."""
    folder = tmp_path_factory.mktemp("checkpoints")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    run("-m", "xlaport", "convert", "program.py", "--out", "port", cwd=folder)
    run("port/program.py", "--steps", "2", "--save", "two.pt", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def uninterrupted(folder: Path) -> list[float]:
    """The losses of four steps of the port."""
    return losses(run("port/program.py", "--steps", "4", cwd=folder))


def test_the_file_opens_where_torch_xla_is_not_installed(folder: Path) -> None:
    assert printed_without(DEVICES, str(folder / "two.pt")) == ["cpu"]


def test_training_goes_on_as_if_it_had_not_been_cut(folder: Path, uninterrupted: list[float]) -> None:
    resumed = losses(run("port/program.py", "--steps", "4", "--resume", "two.pt", cwd=folder))
    assert resumed == pytest.approx(uninterrupted[2:], rel=1e-4)


def test_the_program_goes_on_from_it_on_the_cpu(folder: Path, uninterrupted: list[float]) -> None:
    options = ["program.py", "--steps", "4", "--resume", str(folder / "two.pt")]
    resumed = losses(output_without(f"sys.argv[:] = {options}\n{PROGRAM}"))
    assert resumed == pytest.approx(uninterrupted[2:], rel=1e-3)


def test_the_port_goes_on_from_a_checkpoint_of_a_gpu(
    folder: Path, uninterrupted: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = torch.load(folder / "two.pt")
    with monkeypatch.context() as patched:
        patched.setattr(torch.serialization, "location_tag", lambda storage: "cuda:0")
        torch.save(state, folder / "gpu.pt")
    with pytest.raises(RuntimeError, match="deserialize object on a CUDA device"):
        torch.load(folder / "gpu.pt")
    resumed = losses(run("port/program.py", "--steps", "4", "--resume", "gpu.pt", cwd=folder))
    assert resumed == pytest.approx(uninterrupted[2:], rel=1e-4)


def test_processes_of_which_one_alone_saved_do_it_together(tmp_path: Path) -> None:
    (tmp_path / "processes.py").write_text(PROCESSES, encoding="utf-8")
    run("-m", "xlaport", "convert", "processes.py", cwd=tmp_path)
    run("processes.py", str(tmp_path), cwd=tmp_path)
    first, second = (torch.load(tmp_path / f"{name}.pt")["weight"] for name in ("first", "second"))
    assert first.device.type == "cpu"
    assert torch.equal(second, first * 2)


def test_a_program_of_several_gpus_saves_what_opens_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "parallel.py").write_text(DATA_PARALLEL, encoding="utf-8")
    run("-m", "xlaport", "convert", "--unsafe", "parallel.py", cwd=tmp_path)
    assert "torch.save" not in (tmp_path / "parallel.py").read_text(encoding="utf-8")
    with socket.create_server(("localhost", 0)) as server:
        port = server.getsockname()[1]
    assert run("parallel.py", cwd=tmp_path, MASTER_PORT=str(port)).endswith("done\n")
    last, epoch = torch.load(tmp_path / "last.pt"), torch.load(tmp_path / "epoch-1.pt")
    assert epoch["epoch"] == 1
    assert {tensor.device.type for tensor in [*last.values(), *epoch["model"].values()]} == {"cpu"}
    assert torch.equal(last["weight"], epoch["model"]["weight"])


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    """What the rules claim."""
    found: dict[str, Any] = printed_by("tools.measure_saves")
    return found


def test_a_file_of_xla_needs_torch_xla_or_a_place(measured: dict[str, Any]) -> None:
    assert measured["elsewhere"] == {
        "torch.pt plain": "NotImplementedError",
        "torch.pt cpu": ["cpu"],
        "xm.pt plain": ["cpu"],
        "xm.pt cpu": ["cpu"],
    }


def test_what_the_save_of_xla_changes_and_leaves(measured: dict[str, Any]) -> None:
    assert measured["types"] == {"pair": "list", "ordered": "dict", "random": "list"}
    assert measured["setstate"] == "TypeError"
    assert measured["parameters"] == {"weight": "xla", "data": "cpu"}
    assert measured["module"] == "xla"
    assert measured["untied by a copy"]
    assert measured["state_dict"] == "<All keys matched successfully>"


def test_what_cannot_be_saved(measured: dict[str, Any]) -> None:
    assert measured["generator"] == "TypeError"
    assert measured["options"] == "TypeError"


def test_an_archive_of_torchscript_does_not_come_to_the_device_but_its_values_do(measured: dict[str, Any]) -> None:
    assert measured["scripted"] == ["RuntimeError", "AssertionError", True]


def test_a_scaler_that_is_off_takes_the_state_of_one_that_was_on(measured: dict[str, Any]) -> None:
    assert measured["disabled scaler"] == [{}, None]
