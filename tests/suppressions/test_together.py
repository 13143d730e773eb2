"""What is rewritten together or not at all stays whole where a comment keeps a part of it."""

from __future__ import annotations

from pathlib import Path

from tests.commands.command_line import write
from xlaport import run
from xlaport.config import Config

SETTINGS = 'DEVICE = "cuda:0"\n'
TRAIN = (
    "import torch\nfrom settings import DEVICE\nx = torch.ones(1).to(DEVICE)\nif DEVICE == 'cuda:0':\n    print(x)\n"
)
HALF = "import torch\nmodel = torch.nn.Linear(2, 2).half().cuda()\nprint(model(torch.ones(1, 2).half().cuda()))\n"
MODEL = """\
import torch
from torch.nn.parallel import DistributedDataParallel


def wrapped(rank):
    return DistributedDataParallel(torch.nn.Linear(8, 1).to(rank), device_ids=[rank])
"""
JOB = """\
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from model import wrapped


def worker(rank, world_size):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    model = wrapped(rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(9):
        model(torch.ones(1, 8).to(rank)).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    world_size = torch.cuda.device_count()
    mp.spawn(worker, args=(world_size,), nprocs=world_size)
"""


def changed(folder: Path, code: str, **files: str) -> set[str]:
    """The files that a rule rewrites."""
    result = run.convert([write(folder, **files)], Config(select=(code,), unsafe=True))
    assert not result.errors
    return {file.path.stem for file in result.changed}


def test_device_strings_of_several_files(tmp_path: Path) -> None:
    assert changed(tmp_path / "a", "XP103", settings=SETTINGS, train=TRAIN) == {"settings", "train"}
    kept = SETTINGS.replace("\n", "  # xlaport: ignore[XP103]\n")
    assert changed(tmp_path / "b", "XP103", settings=kept, train=TRAIN) == set()
    skipped = f"# xlaport: skip-file\n{SETTINGS}"
    assert changed(tmp_path / "c", "XP103", settings=skipped, train=TRAIN) == set()
    compared = TRAIN.replace("'cuda:0':", "'cuda:0':  # xlaport: ignore")
    assert changed(tmp_path / "d", "XP103", settings=SETTINGS, train=compared) == set()


def test_float16(tmp_path: Path) -> None:
    assert changed(tmp_path / "a", "XP505", a=HALF) == {"a"}
    kept = HALF.replace("Linear(2, 2).half().cuda()", "Linear(2, 2).half().cuda()  # xlaport: ignore[XP505]")
    assert changed(tmp_path / "b", "XP505", a=kept) == set()


def test_a_job_of_several_files(tmp_path: Path) -> None:
    assert changed(tmp_path / "a", "XP603", job=JOB, model=MODEL) == {"job", "model"}
    kept = JOB.replace("nprocs=world_size)", "nprocs=world_size)  # xlaport: ignore[XP603]")
    assert changed(tmp_path / "b", "XP603", job=kept, model=MODEL) == set()
    assert changed(tmp_path / "c", "XP603", job=f"# xlaport: skip-file\n{JOB}", model=MODEL) == set()
    part = MODEL.replace("device_ids=[rank])", "device_ids=[rank])  # xlaport: ignore")
    assert changed(tmp_path / "d", "XP603", job=JOB, model=part) == set()
    assert changed(tmp_path / "e", "XP603", job=JOB, model=f"# xlaport: skip-file\n{MODEL}") == set()
