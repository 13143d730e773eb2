"""Old torch_xla as input: what is written exists in the installed torch_xla, and a converted program runs."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import subprocess
from pathlib import Path

import pytest

from rules._lib.legacy import lifetimes, upgrades
from rules._lib.legacy.upgrades import Arguments
from tests.warm_python import with_torch_xla, with_xlaport
from xlaport.targets.known import TARGETS, target
from xlaport.targets.torch_xla import VERSIONS

NEWEST = TARGETS["2.9"]
TABLE = lifetimes.FILE.read_text(encoding="utf-8").splitlines()
MODULES = [line.split()[0] for line in TABLE if line and not line.startswith(("#", " "))]

OLD = """\
import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.xla_multiprocessing as xmp
import torch_xla.experimental.pjrt_backend
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch_xla.amp import GradScaler, autocast
from torch_xla.core.xla_model import get_ordinal
from torch_xla.experimental.pjrt import using_pjrt, world_size


def train_loop(loader, model, optimizer, scaler, device):
    for x, y in loader:
        optimizer.zero_grad()
        with autocast(device):
            loss = nn.functional.mse_loss(model(x).float(), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return loss


def main(index, data):
    torch.distributed.init_process_group("xla", init_method="pjrt://")
    torch.manual_seed(0)
    device = xm.xla_device()
    model = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = GradScaler()
    for epoch in range(3):
        para_loader = pl.ParallelLoader(DataLoader(data, batch_size=8), [device])
        loss = train_loop(para_loader.per_device_loader(device), model, optimizer, scaler, device)
        xm.mark_step()
        print(f"rank {get_ordinal()} of {xm.xrt_world_size()}: {loss.item():.3f}", using_pjrt(), world_size())


if __name__ == "__main__":
    x = torch.ones(32, 4)
    xmp.spawn(main, args=(TensorDataset(x, x.sum(1, keepdim=True)),), nprocs=8, start_method="fork")
"""


@pytest.mark.parametrize("module", MODULES)
def test_the_table_knows_what_is_installed(module: str) -> None:
    is_there = lifetimes.module_absence(module, NEWEST) is None
    try:
        found = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        found = False
    assert found == is_there


@pytest.mark.parametrize(
    "module",
    [
        "torch_xla",
        "torch_xla.amp",
        "torch_xla.core.functions",
        "torch_xla.core.xla_model",
        "torch_xla.debug.metrics",
        "torch_xla.debug.profiler",
        "torch_xla.distributed.parallel_loader",
        "torch_xla.distributed.spmd",
        "torch_xla.distributed.spmd.xla_sharding",
        "torch_xla.distributed.xla_multiprocessing",
        "torch_xla.experimental",
        "torch_xla.runtime",
        "torch_xla.utils.utils",
    ],
)
def test_the_table_knows_the_names_that_are_installed(module: str) -> None:
    installed = importlib.import_module(module)
    block = TABLE[TABLE.index(next(line for line in TABLE if line.split()[0] == module)) + 1 :]
    end = next((index for index, line in enumerate(block) if not line.startswith(" ")), len(block))
    names = [word for line in block[:end] for word in line.split() if not word[0].isdigit()]
    assert names
    for name in names:
        absent = lifetimes.absence(f"{module}.{name}", NEWEST)
        assert hasattr(installed, name) == (absent is None), name


def test_a_name_that_no_version_has_is_reported_where_all_names_are_known() -> None:
    missing = lifetimes.absence("torch_xla.core.xla_model.not_a_name", NEWEST)
    assert missing is not None
    assert missing.message == "`torch_xla.core.xla_model.not_a_name` is in no torch_xla from 2.1 to 2.9"
    assert lifetimes.absence("torch_xla.core.xla_model._private", NEWEST) is None
    assert lifetimes.absence("torch_xla.core.xla_model.xenv.WORLD_SIZE", NEWEST) is None
    assert lifetimes.absence("torch_xla.stablehlo.anything", NEWEST) is None
    assert lifetimes.absence("torch.cuda.empty_cache", NEWEST) is None


@pytest.mark.parametrize("version", VERSIONS)
def test_every_upgrade_is_to_something_that_the_version_has(version: str) -> None:
    chosen = target(version)
    for name in upgrades.upgrades():
        found = upgrades.upgrade(name, chosen)
        if found is None or found.arguments is Arguments.CONSTANT:
            continue
        assert chosen.has(found.becomes), name
        assert lifetimes.absence(chosen.symbol(found.becomes).qualified, chosen) is None, name
        assert chosen.symbol(found.becomes).qualified != name


@pytest.mark.parametrize("version", VERSIONS)
def test_what_has_gone_is_upgraded_before(version: str) -> None:
    """No name of the table of upgrades is missing in a version that does not upgrade it."""
    for name in upgrades.upgrades():
        if lifetimes.absence(name, target(version)) is None:
            continue
        came_later = version in ("2.1", "2.2", "2.3") and "experimental" in name
        assert upgrades.upgrade(name, target(version)) is not None or came_later, name


def test_every_module_has_moved_to_one_that_is_there() -> None:
    for version in VERSIONS:
        for name in upgrades.moves():
            found = upgrades.move(name, target(version))
            if found is not None:
                assert all(lifetimes.module_absence(place, target(version)) is None for place in found.places)


def test_the_new_functions_take_what_is_written() -> None:
    torch_xla = importlib.import_module("torch_xla")
    xm = importlib.import_module("torch_xla.core.xla_model")
    inspect.signature(torch_xla.launch).bind(print, args=(), start_method="fork", debug_single_process=True)
    assert inspect.signature(torch_xla.sync) == inspect.signature(xm.mark_step)
    inspect.signature(torch_xla.compile).bind(print, max_different_graphs=2)
    for name in ("global_ordinal", "local_ordinal", "world_size"):
        assert not inspect.signature(importlib.import_module("torch_xla.runtime").__dict__[name]).parameters


def test_an_old_program_runs_once_it_is_converted(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(OLD, encoding="utf-8")
    environment = {**os.environ, "PJRT_DEVICE": "CPU"}

    def run(*command: str, python: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [python or with_torch_xla(), *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )

    assert run("train.py").returncode != 0
    assert run("-m", "xlaport", "convert", "--unsafe", "train.py", python=with_xlaport()).returncode == 0
    result = run("train.py")
    lines = result.stdout.splitlines()
    assert len(lines) == 3, result.stderr
    losses = [float(line.split()[4]) for line in lines]
    assert all(line.startswith("rank 0 of 1: ") and line.endswith(" True 1") for line in lines)
    assert losses == sorted(losses, reverse=True)
    again = run("-m", "xlaport", "check", "--select", "XP9", "--unsafe", "train.py", python=with_xlaport())
    assert again.returncode == 0, again.stdout
