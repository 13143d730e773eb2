"""Whether an original can run on a GPU here: asked before anything runs."""

from __future__ import annotations

import subprocess
from pathlib import Path

from xlaport.errors import UserError

_ASK = "import torch; print(torch.cuda.is_available())"


def check_gpu(python: str, directory: Path | None = None) -> None:
    """`UserError` where the torch of an interpreter sees no CUDA GPU."""
    try:
        asked = subprocess.run([python, "-c", _ASK], cwd=directory, capture_output=True, text=True, timeout=120)
        answer = asked.stdout.split()[-1:]
    except (OSError, subprocess.SubprocessError) as error:
        raise UserError(f"{python} does not work as a Python interpreter: {error}") from error
    if answer != ["True"]:
        raise UserError(
            f"--original-device cuda: the torch of {python} sees no CUDA GPU; without the option the original runs on "
            "the CPU, its CUDA calls redirected"
        )
