"""Replicas that are played on XLA:CPU, each in a process of its own: real runs of ``launch`` and of torchrun."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from xlaport.verify.events import Boundary, ReplicaSeen
from xlaport.verify.judge import judge
from xlaport.verify.launch import run
from xlaport.verify.request import Budgets, VerifyRequest

from .conftest import call
from .recording import found, one

LAUNCHED = """\
import sys
import torch
import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr

def train(index, rows):
    device = torch_xla.device()
    torch.manual_seed(0)
    model = torch.nn.Linear(8, 2).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    xm.broadcast_master_param(model)
    for step in range(8):
        loss = model(torch.randn(rows - (index if step > 3 else 0), 8).to(device)).pow(2).mean()
        loss.backward()
        xm.optimizer_step(optimizer)
        optimizer.zero_grad()
        torch_xla.sync()
"""
WHO = """\
    seen = xr.global_ordinal(), xr.local_ordinal(), xr.world_size(), xr.global_device_count(), xr.process_count()
    ones, mine = torch.ones(2, device=device), torch.full((2,), 1.0 + index).to(device)
    met = [
        xm.all_reduce(xm.REDUCE_SUM, ones).tolist(),
        xm.all_gather(mine).tolist(),
        xm.all_to_all(ones, 0, 0, 2).tolist(),
        xm.collective_permute(ones, [[0, 1], [1, 0]]).tolist(),
        xm.mesh_reduce("sum", 1.0 + index, sum),
        model.weight.abs().sum().item() > 0,
    ]
    print("REPLICA", index, seen, met, flush=True)
"""


def test_each_is_told_who_it_is_and_a_smaller_batch_of_one_is_named(tmp_path: Path) -> None:
    source = LAUNCHED + WHO + 'if __name__ == "__main__":\n    torch_xla.launch(train, args=(4,))\n'
    (tmp_path / "train.py").write_text(source, encoding="utf-8")
    run = call(tmp_path, "--replicas", "2", "--output-format", "json", "train.py")
    told = sorted(line for line in run.stderr.splitlines() if line.startswith("REPLICA"))
    assert told == [
        f"REPLICA {index} ({index}, {index}, 2, 2, 2) "
        f"[[2.0, 2.0], {[1.0 + index] * 4}, [1.0, 1.0], [1.0, 1.0], {2.0 * (1 + index)}, True]"
        for index in (0, 1)
    ]
    document = json.loads(run.stdout)
    assert (run.returncode, document["verdict"]) == (1, "fail")
    assert [(item["ordinal"], item["verdict"]) for item in document["replicas"]] == [(0, "pass"), (1, "pass")]
    (finding,) = [item for item in document["findings"] if item["severity"] == "fail"]
    assert (finding["kind"], finding["line"], finding["replicas"]) == ("replicas-differ", 16, [0, 1])
    assert "Replica 1 runs another graph than replica 0 from step 6 on" in finding["reason"]
    assert "f32[4,8] in replica 0, here f32[3,8] at train.py:16" in finding["reason"]


def test_torchrun_starts_replicas_and_one_that_fails_is_an_error(tmp_path: Path) -> None:
    group = '    dist.init_process_group("xla", init_method="xla://")\n    index = dist.get_rank()\n'
    source = LAUNCHED.replace("    device =", group + "    device =", 1)
    source += '    if index == 1:\n        raise ValueError("boom")\ntrain(None, 4)\n'
    (tmp_path / "train.py").write_text(source, encoding="utf-8")
    events = tmp_path / "events"
    events.mkdir()
    arguments = ("--nproc_per_node=2", "train.py")
    ended = run(VerifyRequest("torch.distributed.run", arguments, module=True, directory=tmp_path), events)
    seen = {
        tuple(event for event in trace.events if isinstance(event, ReplicaSeen))
        for trace in ended.traces
        if any(isinstance(event, Boundary) for event in trace.events)
    }
    assert seen == {
        (ReplicaSeen(ordinal, 2, told=False), ReplicaSeen(ordinal, 2, told=True, played=True)) for ordinal in (0, 1)
    }
    verdict = judge(ended, Budgets())
    assert [item.ordinal for item in verdict.replicas] == [0, 1]
    assert (verdict.verdict, found(verdict)) == ("error", {("script-failed", 24), ("replicas-differ", 18)})
    assert "ValueError: boom" in one(verdict, "script-failed").reason


def test_they_are_played_on_the_cpu_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PJRT_DEVICE", "TPU")
    (tmp_path / "train.py").touch()
    run = call(tmp_path, "--replicas", "2", "train.py")
    assert (run.returncode, run.stdout) == (2, "")
    assert "--replicas plays replicas on XLA:CPU, and this run is on TPU" in run.stderr
