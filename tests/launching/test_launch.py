"""`xlaport launch`: what it says of a script, and of what is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from xlaport.launching import prepare
from xlaport.launching.job import Start

SCRIPTS = {
    Start.LAUNCHES: "import torch_xla\ntorch_xla.launch(print)\n",
    Start.TORCHRUN: "import torch.distributed as dist\ndist.init_process_group('xla', init_method='xla://')\n",
    Start.SPMD: "import torch_xla.runtime as xr\nxr.use_spmd()\n",
    Start.LIGHTNING: "import lightning as L\nL.Trainer(accelerator='tpu')\n",
    Start.ACCELERATE: "from accelerate import Accelerator\nAccelerator()\n",
    Start.SINGLE: "import torch\nimport torch_xla\ntorch.ones(2, device=torch_xla.device())\n",
}


def launch(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "xlaport", "launch", *words],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("start", SCRIPTS)
def test_how_a_script_starts(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPTS[start])
    assert prepare(script, (), "v4-8").start is start


def test_another_file_starts_the_processes(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(
        "import torch_xla.distributed.xla_multiprocessing as xmp\n\n\ndef go():\n    xmp.spawn(print)\n"
    )
    (tmp_path / "train.py").write_text("import torch\nfrom work import go\n\ngo()\n")
    assert prepare(tmp_path / "train.py", (), "v4-8").start is Start.LAUNCHES


@pytest.mark.parametrize(
    ("start", "port"),
    [
        ("", "xlaport convert train.py"),
        ("import torch.distributed as dist\ndist.init_process_group('nccl')\n", "xlaport convert --multi train.py"),
        ("import torch.multiprocessing as mp\nmp.spawn(print, nprocs=2)\n", "xlaport convert --multi train.py"),
    ],
    ids=["one process", "torchrun", "spawn"],
)
def test_a_script_for_cuda_is_told_how_to_port_it(start: str, port: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(f'import torch\n{start}x = torch.ones(2).to("cuda")\n')
    run = launch(tmp_path, "train.py")
    assert run.returncode == 2
    assert run.stderr.endswith(f"port it first, with  {port}\n")


def test_a_script_for_torch_xla_is_none_for_its_successor(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch_xla.core.xla_model as xm\n\nxm.mark_step()\n")
    run = launch(tmp_path, "train.py", "--target", "torch_tpu")
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "still written for torch_xla (1 place, the first in line 3)" in run.stderr
    assert run.stderr.endswith("port it first, with  xlaport convert --target torch_tpu train.py\n")
    assert launch(tmp_path, "train.py").returncode == 0
    (tmp_path / "train.py").write_text("import torch_xla\n\ntorch_xla.launch(print)\n")
    run = launch(tmp_path, "train.py", "--target", "torch_tpu")
    assert run.stderr.endswith("port it first, with  xlaport convert --unsafe --target torch_tpu train.py\n")
    (tmp_path / "train.py").write_text('import torch\n\nsizes = {"cpu": 1, "xla": 2}\n')
    assert launch(tmp_path, "train.py", "--target", "torch_tpu").returncode == 0


def test_prints_notes_with_the_arguments(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPTS[Start.LAUNCHES])
    run = launch(tmp_path, "train.py", "--tpu", "v5litepod-8", "--", "--epochs", "3")
    assert run.returncode == 0, run.stderr
    assert "    PJRT_DEVICE=TPU python3 train.py --epochs 3\n" in run.stdout


def test_prints_notes_for_the_second_target(tmp_path: Path) -> None:
    text = 'import torch.distributed as dist\n\ndist.init_process_group("tpu_dist")\n'
    (tmp_path / "train.py").write_text(text)
    run = launch(tmp_path, "train.py", "--target", "torch_tpu", "--tpu", "v5litepod-8")
    assert run.returncode == 0, run.stderr
    assert "&& torchrun --nproc_per_node=8 train.py\n" in run.stdout
    assert "torch_xla" not in run.stdout
    (tmp_path / "train.py").write_text('import torch\nx = torch.ones(2).to("cuda")\n')
    run = launch(tmp_path, "train.py", "--target", "torch_tpu")
    assert run.stderr.endswith("port it first, with  xlaport convert --target torch_tpu train.py\n")


def test_the_target_of_the_project_holds_here_too(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.xlaport]\ntarget = "torch_tpu"\n')
    text = "import torch.multiprocessing as mp\nimport torch.distributed as dist\n\n\ndef main(rank):\n"
    text += '    dist.init_process_group("tpu_dist")\n\n\nif __name__ == "__main__":\n    mp.spawn(main, nprocs=4)\n'
    (tmp_path / "train.py").write_text(text)
    run = launch(tmp_path, "train.py")
    assert run.returncode == 0, run.stderr
    assert "train.py starts its processes itself" in run.stdout
    assert "'torch_tpu~=" in run.stdout
    assert "torchrun --" not in run.stdout


def test_writes_a_file(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPTS[Start.LAUNCHES])
    run = launch(tmp_path, "train.py", "--engine", "gke", "--tpu", "v6e-16", "--out", "job.yaml")
    assert run.returncode == 0, run.stderr
    assert "kind: Job" in (tmp_path / "job.yaml").read_text()
    assert run.stdout.startswith("job.yaml: ")


def test_a_script_is_called_as_its_path_is_in_the_folder_of_the_job(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "train.py").write_text(SCRIPTS[Start.LAUNCHES])
    for folder, path, called in (
        (".", "sub/../sub/train.py", "sub/train.py"),
        (".", str(tmp_path / "sub" / "train.py"), "sub/train.py"),
        ("sub", "train.py", "train.py"),
        ("other", "../sub/train.py", "train.py"),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        run = launch(tmp_path / folder, path)
        assert f"PJRT_DEVICE=TPU python3 {called}\n" in run.stdout, run.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["train.py", "--tpu", "v9-8"], "v9-8"),
        (["train.py", "--engine", "slurm"], "slurm"),
        (["none.py"], "none.py"),
        (["."], "is no Python script"),
        (["broken.py"], "broken.py"),
        (["cuda.py"], "xlaport convert cuda.py"),
        (["train.py", "--lr", "0.1"], "--lr"),
        (["train.py", "--out", "none/out.yaml"], "none/out.yaml"),
        (["train.py", "--", "a\nb"], "line break"),
    ],
)
def test_what_cannot_be_is_one_line(words: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPTS[Start.SINGLE])
    (tmp_path / "broken.py").write_text("import torch\ndef (:\n")
    (tmp_path / "cuda.py").write_text("import torch\ntorch.ones(2).cuda()\n")
    run = launch(tmp_path, *words)
    assert run.returncode == 2
    assert run.stdout == ""
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1
