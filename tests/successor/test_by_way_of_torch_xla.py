"""A program that was ported to torch_xla comes to torch_tpu as one that comes there from CUDA does.

What differs stands in `differences/`: the same moves and prints in other words, what only makes copies faster (pinned
memory), and what torch_xla needed and does no harm (a print in a function, sums in place of a kernel).
``XLAPORT_UPDATE=1`` writes it: whoever reads the diff
says that none of it has an effect.
"""

from __future__ import annotations

import difflib
import os
import shutil
from pathlib import Path

import pytest

from tests.samples.programs import NAMES, SAMPLES
from xlaport import run
from xlaport.config import Config

FOLDER = Path(__file__).parent / "differences"
SEVERAL = {"ddp", "ddp_toy", "fsdp_vit", "llama_spmd"}
"""Those that start a process for each GPU, or shard over all: the two targets do that in ways of their own."""


def converted(folder: Path, target: str) -> None:
    """Convert a folder in place."""
    result = run.convert([folder], Config(unsafe=True, target=target))
    assert not result.errors
    for file in result.files:
        file.path.write_text(file.after, encoding="utf-8")


@pytest.mark.parametrize("name", sorted(set(NAMES) - SEVERAL))
def test_the_way_over_torch_xla_leads_to_the_same(name: str, tmp_path: Path) -> None:
    at_once, by_way = (Path(shutil.copytree(SAMPLES / name, tmp_path / way)) for way in ("at_once", "by_way"))
    converted(at_once, "torch_tpu")
    converted(by_way, "2.9")
    assert any("torch_xla" in path.read_text(encoding="utf-8") for path in by_way.glob("*.py"))
    converted(by_way, "torch_tpu")
    assert not any("torch_xla" in path.read_text(encoding="utf-8") for path in by_way.glob("*.py"))
    found = "".join(differences(at_once, by_way))
    kept = FOLDER / f"{name}.diff"
    if os.environ.get("XLAPORT_UPDATE"):
        FOLDER.mkdir(exist_ok=True)
        kept.write_text(found, encoding="utf-8")
    assert found == kept.read_text(encoding="utf-8")


def differences(one: Path, other: Path) -> list[str]:
    """The lines that differ in the Python files of two folders."""
    lines: list[str] = []
    for path in sorted(one.glob("*.py")):
        texts = [(folder / path.name).read_text(encoding="utf-8").splitlines(keepends=True) for folder in (one, other)]
        diff = list(
            difflib.unified_diff(texts[0], texts[1], f"{path.name} from CUDA", f"{path.name} from torch_xla", n=0)
        )
        lines += [line for line in diff if not line.startswith("@@")]
    return lines
