"""Measure which of PyTorch's operations XLA has no kernel for, so that the host computes them.

    python -m tools.measure_lowerings [--write | --compare SEED]

Asks torch's dispatcher for every operator whose kernel for XLA is the fallback to the host, and runs every public
function and module on the samples that torch tests them with, forward and backward, to see which of them get there:
some minutes. The samples run in processes of their own, since some of them crash. Prints JSON; with `--write`, writes
the table `rules/shapes/lowerings.toml`. `--compare` prints what the table says otherwise: of all operators, and of some
functions that the seed draws. Needs torch, torch_xla and numpy, no device.
"""

from __future__ import annotations

import json
import os
import random
import select
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rules.shapes.xp411_missing_lowering.lowerings import FILE, HOST, MISSING, Function, functions, operators

ROOT = Path(__file__).parent.parent
LIMIT_S = 60.0
"""How long one sample may take."""
CRASHES = 3
"""How many samples of a function may end the process until the rest is left out."""
OF_CPU = "on the CPU"
"""The error of a sample that makes no sense."""
DRAWN = 24
"""How many functions a comparison runs."""

HEAD = """\
# What torch_xla computes on the host, since XLA has no kernel for it. All of it is measured, and written here by
# `python -m tools.measure_lowerings --write`; what to do about it stands in `recipes.toml`.
# `tests/shapes/test_lowerings.py` compares it with the installed torch_xla.
#
#   operators.host     every operator of torch's own list whose kernel for XLA is the fallback to the host
#   operators.missing  those that the host has no kernel for, either: they raise
#   function           a public function or module that got to the host, forward or backward, with one of the samples
#                      that torch tests it with
#   method             its name as a method of tensors, if it is one
#   also               other names that torch has for it
#   forward, backward  the operators that ran on the host; `_local_scalar_dense` is a value that the host waited for
#   samples            how many samples got to the host, forward, and how many there were
#   gradients          how many of those with a gradient got there, backward, and how many there were
#   differs            how many of those with a gradient got another one than on the CPU, and the same values
#   raises             what the first sample raised, where all of them did
"""


class Worker:
    """A process that runs samples, and is started again where one of them ends it."""

    def __init__(self) -> None:
        self._buffer = b""
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tools.lowering_samples"],
            cwd=ROOT,
            env={**os.environ, "PJRT_DEVICE": "CPU", "CUDA_VISIBLE_DEVICES": ""},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )

    def samples(self, kind: str, name: str) -> Iterator[dict[str, Any]]:
        """What became of each sample of a function."""
        done = 0
        for _ in range(CRASHES):
            self._write({"kind": kind, "name": name, "skip": done})
            while (line := self._line()) is not None:
                answer = json.loads(line)
                if answer == "end":
                    return
                done += 1
                yield answer
            self._process.kill()
            self._process.wait()
            self._start()
            done += 1
            yield {"error": "the process ends"}

    def names(self) -> list[tuple[str, str]]:
        """All that there are samples for: the kind, and the name."""
        self._write({"kind": "names"})
        return [(kind, name) for kind, name in json.loads(self._line() or "[]")]

    def operators(self) -> dict[str, list[str]]:
        """What the dispatcher says."""
        self._write({"kind": "operators"})
        found: dict[str, list[str]] = json.loads(self._line() or "{}")
        return found

    def versions(self) -> dict[str, str]:
        """Of torch, and of torch_xla."""
        self._write({"kind": "versions"})
        found: dict[str, str] = json.loads(self._line() or "{}")
        return found

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _write(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")

    def _line(self) -> str | None:
        """The next answer; None where the process ended, or takes too long."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        while b"\n" not in self._buffer:
            if not select.select([descriptor], [], [], LIMIT_S)[0]:
                self._buffer = b""
                return None
            part = os.read(descriptor, 1 << 20)
            if not part:
                self._buffer = b""
                return None
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode()


def summed(name: str, samples: list[dict[str, Any]]) -> Function | None:
    """What the samples of one function show; None where none of them got to the host, or raised."""
    ran = [sample for sample in samples if "error" not in sample]
    raised = "" if ran else next((s["error"] for s in samples if s.get("error", OF_CPU) != OF_CPU), "")
    forward = {op for sample in ran for op in sample["forward"]}
    backward = {op for sample in ran for op in sample["backward"] or ()}
    differs = sum(bool(s["differs"]) for s in ran)
    if not forward and not backward and not raised and not differs:
        return None
    return Function(
        name,
        next((s["method"] for s in samples if s.get("method")), ""),
        tuple(sorted({other for s in samples for other in s.get("also", ())})),
        tuple(sorted(forward)),
        tuple(sorted(backward)),
        (sum(bool(s["forward"]) for s in ran), len(ran)),
        (sum(bool(s["backward"]) for s in ran), sum(s["backward"] is not None for s in ran)),
        differs,
        raised,
    )


def measured(process: Worker, chosen: set[str] | None = None) -> Iterator[Function]:
    """The functions that got to the host, in the order of their names."""
    found: dict[str, list[dict[str, Any]]] = {}
    for kind, name in process.names():
        if chosen is None or name in chosen:
            found.setdefault(name, []).extend(process.samples(kind, name))
    for name, samples in sorted(found.items()):
        function = summed(name, samples)
        if function is not None:
            yield function


def compared(process: Worker, seed: int) -> list[str]:
    """What the table says otherwise than torch_xla does."""
    wrong = []
    for key, listed in process.operators().items():
        for operator in sorted(set(listed) ^ set(operators()[key])):
            wrong.append(f"operators.{key}: {operator}")
    chosen = set(random.Random(seed).sample(sorted({name for _, name in process.names()}), DRAWN))
    now = {function.name: function for function in measured(process, chosen)}
    table = functions()
    wrong += [f"{name}: {now.get(name)}" for name in sorted(chosen) if now.get(name) != table.get(name)]
    return wrong


def text(version: dict[str, str], listed: dict[str, list[str]], found: list[Function]) -> str:
    """The table."""
    lines = [HEAD, "[measured]", *(f'{key} = "{value}"' for key, value in version.items()), 'device = "CPU"', ""]
    lines.append("[operators]")
    for key in (HOST, MISSING):
        names = textwrap.wrap(" ".join(sorted(listed[key])), 118, break_long_words=False, break_on_hyphens=False)
        lines += [f'{key} = """', *names, '"""']
    for function in found:
        lines += ["", "[[function]]", f'name = "{function.name}"']
        if function.method:
            lines.append(f'method = "{function.method}"')
        for key in ("also", "forward", "backward"):
            if values := getattr(function, key):
                lines.append(f"{key} = {json.dumps(values)}")
        lines.append(f"samples = {list(function.samples)}")
        lines.append(f"gradients = {list(function.gradients)}")
        if function.differs:
            lines.append(f"differs = {function.differs}")
        if function.raises:
            lines.append(f"raises = {json.dumps(function.raises)}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, and write where that is asked for."""
    process = Worker()
    try:
        if "--compare" in sys.argv:
            json.dump(compared(process, int(sys.argv[sys.argv.index("--compare") + 1])), sys.stdout, indent=1)
            return
        version, listed, found = process.versions(), process.operators(), list(measured(process))
    finally:
        process.end()
    if "--write" in sys.argv:
        FILE.write_text(text(version, listed, found), encoding="utf-8")
    json.dump({**version, "operators": listed, "functions": [vars(f) for f in found]}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
