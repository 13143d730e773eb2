"""What SyncBatchNorm becomes does in two processes what BatchNorm does with the whole batch in one, and runs on XLA."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.child import output_of
from tests.distributed.two_processes import KINDS
from tests.test_rules import RULES, converted
from tests.verify.conftest import call

PROGRAM = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("nccl")
    torch.manual_seed(0)
    norm = torch.nn.BatchNorm2d(4)
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), norm, torch.nn.Flatten(), torch.nn.Linear(144, 2))
    model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(model).cuda()
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(12):
        loss = model(torch.randn(4, 3, 8, 8).cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, dict[str, float]]]:
    """By how much each of two processes differs from one."""
    folder = tmp_path_factory.mktemp("two")
    output_of("-m", "tests.distributed.two_processes", str(folder))
    return [json.loads((folder / f"{rank}.json").read_text(encoding="utf-8")) for rank in range(2)]


@pytest.mark.parametrize("kind", KINDS)
def test_two_processes_do_what_one_does_with_the_whole_batch(
    found: list[dict[str, dict[str, float]]], kind: str
) -> None:
    for process in found:
        assert max(process[kind].values()) < 1e-12, process[kind]


def test_replicas_on_xla_run_one_graph_with_the_collectives_of_both_ways(tmp_path: Path) -> None:
    text = converted(PROGRAM, list(RULES)).text
    assert "ReplicaSyncBatchNorm.convert_sync_batchnorm(model)" in text
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    run = call(tmp_path, "--replicas", "2", "--output-format", "json", "train.py")
    document = json.loads(run.stdout)
    assert (document["verdict"], document["compiles"]["after_warmup"]) == ("pass", 0), run.stderr[-2000:]
    assert [item["verdict"] for item in document["replicas"]] == ["pass", "pass"]
