"""Programs of torch_xla with scan(), scan_layers() and flash_attention(): ported, they train on a played TPU, too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from xlaport import run
from xlaport.config import Config
from xlaport.verify import VerifyRequest, verify
from xlaport.verify.request import TORCH_TPU

PROGRAMS = Path(__file__).parent / "from_torch_xla"
NEEDS_TPU = {"attention": ("--by-hand",)}
"""What a program is given to do the same without the kernel, which no CPU runs."""


def numbers(path: Path) -> list[float]:
    """What a program has written: its losses."""
    return [float(word) for word in path.read_text(encoding="utf-8").split()]


@pytest.mark.parametrize("name", sorted(path.stem for path in PROGRAMS.glob("*.py")))
def test_the_port_trains_as_the_program_of_torch_xla(name: str, python: str, tmp_path: Path) -> None:
    program, script, there, here = PROGRAMS / f"{name}.py", tmp_path / f"{name}.py", tmp_path / "xla", tmp_path / "tpu"
    words = [sys.executable, str(program), str(there), *NEEDS_TPU.get(name, ())]
    subprocess.run(words, env=os.environ | {"PJRT_DEVICE": "CPU"}, check=True, timeout=200, capture_output=True)

    result = run.convert([program], Config(target="torch_tpu", unsafe=True))
    (converted,) = result.files
    assert not [f.message for f in converted.findings if f.code.startswith("XP95") and not f.fixed]
    script.write_text(converted.after, encoding="utf-8")
    assert "torch_xla." not in converted.after
    verdict = verify(
        VerifyRequest(script, (str(here),), steps=0, timeout=200, python=python, directory=tmp_path, target=TORCH_TPU)
    )
    assert [item.kind for item in verdict.findings if item.severity == "fail"] == []
    assert numbers(here) == pytest.approx(numbers(there), rel=2e-3, abs=2e-4)
    assert len(numbers(here)) > 5
