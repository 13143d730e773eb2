"""The command line in a process of its own, and what it is tried on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.warm_python import with_xlaport

CUDA = """\
import torch

x = torch.zeros(3, device="cuda")
if torch.cuda.is_available():
    x = x.cuda()
"""
PORTED = """\
import torch
import torch_xla

x = torch.zeros(3, device=torch_xla.device())
x = x.to(torch_xla.device())
"""
CLEAN = "import torch\n\nprint(torch.ones(3))\n"


def xlaport_run(*arguments: str | Path, cwd: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder; with an environment of its own, in an interpreter of its own."""
    python = sys.executable if "env" in options else with_xlaport()
    return subprocess.run(
        [python, "-m", "xlaport", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        **options,
    )


def write(folder: Path, **files: str) -> Path:
    """Write Python files by name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def one_line(text: str) -> str:
    """The text, which has to be one line and no traceback."""
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text
