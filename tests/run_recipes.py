"""Runs pairs of programs: the one before on the CPU, the one by hand on XLA. Prints what they print as JSON.

Started by `test_recipes.py` as a process of its own, once for all programs: torch_xla takes seconds to load.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile

import torch
import torch_xla


def run(text: str) -> str:
    """What a program prints, in an empty folder; an error is printed, too."""
    torch.manual_seed(0)
    output = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(output):
        os.chdir(folder)
        try:
            exec(compile(text, "<program>", "exec"), {"__name__": "__main__"})
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
        torch_xla.sync()
        torch.set_default_device(None)  # what a program chose is no matter of the next one
    return output.getvalue()


def main() -> None:
    programs: dict[str, tuple[str, str]] = json.load(sys.stdin)
    torch_xla.device()  # before autograd counts the devices
    home = os.getcwd()
    results: dict[str, dict[str, str]] = {}
    for name, (before, by_hand) in programs.items():
        results[name] = {"before": run(before), "by_hand": run(by_hand)}
        os.chdir(home)
    print(json.dumps(results))


if __name__ == "__main__":
    main()
