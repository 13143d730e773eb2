"""``xlaport port --tpu``: what passes is compiled for a TPU, too."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tests.warm_python import with_torch_xla, with_xlaport

TRAIN = """\
import torch

torch.manual_seed(0)
model = torch.nn.Linear(256, 256).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(12):
    rows = torch.randn(64, 256).cuda()
    loss = model(rows).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")
"""


def call(here: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [with_xlaport(), "-m", "xlaport", *arguments],
        cwd=here,
        capture_output=True,
        text=True,
        timeout=400,
        env={**os.environ, "XLAPORT_CACHE_DIR": str(here.parent / "cache")},
        check=False,
    )


def test_what_passes_is_compiled_for_a_tpu_with_the_lines_of_the_folder(tmp_path: Path) -> None:
    here = tmp_path / "project"
    here.mkdir()
    (here / "train.py").write_text(TRAIN, encoding="utf-8")
    done = call(here, "port", "--tpu", "v5e", "--python", with_torch_xla(), "--output-format", "json", "train.py")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert (found["result"], found["runs"]) == ("pass", 3)
    (chip,) = found["verdict"]["chips"]
    assert (chip["tpu"], chip["fits"]) == ("v5e", True)
    (graph,) = chip["graphs"]
    assert graph["path"] == "train.py"
    places = {line["path"] for line in graph["lines"]}
    assert places == {"train.py"}
    assert "torch_xla" in (here / "train.py").read_text(encoding="utf-8")
    assert "run 4: the port once more, for the graphs that a TPU is to run" in done.stderr


def test_a_run_in_a_sandbox_names_the_lines_of_the_folder(tmp_path: Path) -> None:
    here = tmp_path / "project"
    here.mkdir()
    (here / "train.py").write_text(TRAIN, encoding="utf-8")
    assert call(here, "convert", "train.py").returncode == 0
    arguments = ("verify", "--sandbox", "--tpu", "v5e", "--python", with_torch_xla(), "--output-format", "json")
    done = call(here, *arguments, "train.py")
    assert done.returncode == 0, done.stdout + done.stderr
    (graph,) = json.loads(done.stdout)["chips"][0]["graphs"]
    assert {line["path"] for line in graph["lines"]} == {"train.py"}
