"""Kills ports at random moments: ``python benchmarks/port_kills.py [--kills N] [--seed S]``.

Each time a port of a small program of three files is started, killed by SIGTERM, SIGINT or SIGKILL at a random moment,
half of them while it writes, and looked at: is the folder as it was, or complete? Where a kill came between two
files, the next port has to put that right. Then ``--resume`` goes on, and has to come to what an undisturbed port comes
to, and to leave nothing behind.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

TRAIN = """\
import torch
from net import Net
from data import batch

torch.manual_seed(0)
model = Net().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for step in range(14):
    optimizer.zero_grad()
    loss = model(batch()).pow(2).mean()
    loss.backward()
    optimizer.step()
    total += loss.item()
print(f"mean {float(total) / 14:.4f}")
"""
NET = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 2)
        self.register_buffer("shift", torch.zeros(8).cuda())

    def forward(self, x):
        return self.layer(x + self.shift)
"""
DATA = """\
import torch


def batch():
    return torch.randn(4, 8).cuda()
"""
FILES = {"train.py": TRAIN, "net.py": NET, "data.py": DATA}
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
JOURNAL = ".xlaport-port.json"
_SAME = ("result", "runs", "unsafe", "rejected", "written", "edits", "left")
"""What two ports of the same program have to come to, of their answers."""


@dataclass
class Seen:
    """What the folders were after the kills, and what came of them."""

    before: int = 0
    complete: int = 0
    between: int = 0
    ended: int = 0
    """Ports that had ended before the kill."""
    faults: list[str] = field(default_factory=list)


class Trial:
    """A folder with a program, a cache and a temporary folder of its own."""

    def __init__(self, top: Path) -> None:
        self.here, self.scratch = top / "project", top / "scratch"
        self.environment = {**os.environ, "XLAPORT_CACHE_DIR": str(top / "cache"), "TMPDIR": str(self.scratch)}
        self.here.mkdir(parents=True)
        self.scratch.mkdir()
        self.reset()

    def reset(self) -> None:
        """The program as it was."""
        for name, text in FILES.items():
            (self.here / name).write_text(text)

    def texts(self) -> dict[str, str]:
        """All files of the folder."""
        return {path.name: path.read_text() for path in self.here.iterdir()}

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """A port."""
        command = [sys.executable, "-m", "xlaport", "port", "train.py", "--output-format", "json", *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=self.here, env=self.environment, stdout=pipe, stderr=pipe, text=True)

    def finish(self, *arguments: str) -> tuple[dict[str, object], str]:
        """A port that nothing disturbs: its answer, and what it said beside."""
        said, beside = self.start(*arguments).communicate(timeout=300)
        answer = json.loads(said.replace(str(self.here), "") or "{}")
        return {key: answer.get(key) for key in _SAME}, beside


def main() -> int:
    """Kill, look, resume; the figures are printed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        calm = Trial(Path(folder, "calm"))
        began = time.monotonic()
        answer, _ = calm.finish()
        seconds = time.monotonic() - began
        wanted = calm.texts()
        print(f"undisturbed: {answer['result']} after {answer['runs']} runs, {seconds:.0f} s", flush=True)
        trial, seen = Trial(Path(folder, "trial")), Seen()
        for number in range(options.kills):
            kill(trial, draw, number, seconds, seen, answer, wanted)
    print(
        f"{options.kills} kills: {seen.before} left the folder as it was, {seen.complete} complete, {seen.between} came"
    )
    print(f"between two files; {seen.ended} came too late; faults: {len(seen.faults)}")
    print("\n".join(seen.faults))
    return int(bool(seen.faults))


def kill(
    trial: Trial, draw: random.Random, number: int, seconds: float, seen: Seen, answer: object, wanted: dict[str, str]
) -> None:
    """One kill, and what comes after it."""
    trial.reset()
    sign, while_writing = SIGNALS[number % 3], draw.random() < 0.5
    # What is known of the port before makes the next one quick, so that the kill meets its writing.
    arguments = ("--resume",) if while_writing and number else ()
    running = trial.start(*arguments)
    if while_writing and number:
        wait_for(trial.here / JOURNAL, running, draw.uniform(0, 0.02))
    else:
        time.sleep(draw.uniform(0, seconds))
    is_over = running.poll() is not None
    running.send_signal(sign)
    running.communicate(timeout=60)
    texts = trial.texts()
    named = {name: texts[name] for name in FILES}
    seen.ended += is_over
    place = f"kill {number} ({sign.name})"
    if named == FILES:
        seen.before += 1
    elif named == wanted:
        seen.complete += 1
    elif JOURNAL in texts and all(text in (FILES[name], wanted[name]) for name, text in named.items()):
        seen.between += 1
    else:
        seen.faults.append(f"{place}: the folder is mixed, without a journal")
    found, beside = trial.finish("--resume")
    if sign is not signal.SIGKILL and (JOURNAL in texts or named not in (FILES, wanted)):
        seen.faults.append(f"{place}: a signal that can be caught left a part")
    if found != answer:
        seen.faults.append(f"{place}: --resume came to {found.get('result')}: {beside[-300:]}")
    if trial.texts() != wanted:
        seen.faults.append(f"{place}: after --resume the folder is another")
    # What a killed script itself has left there is not ours.
    if left := [path.name for path in trial.scratch.glob("xlaport*")]:
        seen.faults.append(f"{place}: left in the temporary folder: {left}")
    print(f"{place}{' too late' if is_over else ''}: {'as before' if named == FILES else 'changed'}", flush=True)


def wait_for(path: Path, running: subprocess.Popen[str], more: float) -> None:
    """Wait until a file is there, or the process has ended, and then a moment more."""
    while not path.exists() and running.poll() is None:
        time.sleep(0.0001)
    time.sleep(more)


if __name__ == "__main__":
    sys.exit(main())
