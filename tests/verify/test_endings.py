"""Scripts that hang, crash, run out of memory, or get in their own way: each is ended, and reported with what was seen.

They train first: the steps have to be counted whatever happens then. Those that need no torch are in `test_launch`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.warm_python import with_torch_xla
from xlaport.verify import Verdict, VerifyRequest, verify

from .recording import one

TRAIN = """\
import os, sys, threading, time
import torch, torch_xla
device = torch_xla.device()
model = torch.nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def step():
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()
for _ in range(6): step()
"""
"""Eleven lines, six steps: a script's own first line is line 12."""
SHORT_OF_MEMORY = """\
import re, resource
used = int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (used + 400_000_000,) * 2)
"""
LIMIT = 10
"""Seconds for a script that hangs: enough for its six steps on a busy machine, too."""


@dataclass(frozen=True)
class Ending:
    """How a script ends after its six steps, and what has to be said of it: verdict, kind, words, line."""

    script: str
    verdict: str
    kind: str
    words: str
    line: int | None
    steps: int = 6


ENDINGS = {
    "hangs": Ending(
        "def wait():\n    while True:\n        time.sleep(0.01)\nwait()", "error", "timeout", "still running here", 14
    ),
    "hangs with the interpreter locked": Ending(
        "import ctypes\nctypes.PyDLL(None).sleep(600)", "error", "timeout", "still running here", 13
    ),
    "hangs and does not heed": Ending(
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)",
        "error",
        "timeout",
        "last seen here",
        10,
    ),
    "compiles without end": Ending(
        "x = torch.randn(16, 16).to(device)\nfor _ in range(300):\n    x = torch.linalg.svd(x).U\ntorch_xla.sync()",
        "error",
        "timeout",
        "XLA had been compiling a graph",
        15,
    ),
    "crashes": Ending("import ctypes\nctypes.string_at(0)", "error", "script-failed", "SIGSEGV here", 13),
    "aborts": Ending("os.abort()", "error", "script-failed", "SIGABRT here", 12),
    "is killed": Ending("os.kill(os.getpid(), 9)", "error", "script-failed", "SIGKILL", 10),
    "out of memory in Python": Ending(
        SHORT_OF_MEMORY + "x = [bytearray(50_000_000) for _ in range(100)]",
        "error",
        "script-failed",
        "MemoryError",
        15,
    ),
    "out of memory on the device": Ending(
        SHORT_OF_MEMORY + "x = torch.zeros(20_000, 20_000, device=device) + torch.arange(20_000, device=device)\n"
        "print((x @ x)[0, 0].item())",
        "error",
        "script-failed",
        "RuntimeError: .*[Oo]ut of memory",
        16,
    ),
    "leaves": Ending("os._exit(0)", "pass", "no-end", "os._exit", 10),
    "prints binary data": Ending(
        "for _ in range(8):\n    os.write(1, os.urandom(6_000_000))\nraise ValueError('so')",
        "error",
        "script-failed",
        "ValueError: so",
        14,
    ),
    "prints without an end of line": Ending(
        "sys.stdout.write('x' * 10_000_000)\nraise ValueError('so')", "error", "script-failed", "ValueError: so", 13
    ),
    "exits in a thread": Ending(
        "threading.Thread(target=sys.exit, args=(3,)).start()\nos._exit(0)", "pass", "no-end", "", 10
    ),
    "removes what it does not know": Ending(
        "import shutil\nshutil.rmtree(os.environ['XLAPORT_EVENTS'])",
        "error",
        "events-lost",
        "the script has removed",
        None,
        0,
    ),
    "cannot be recorded for a while": Ending(
        "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, -1))\nstep()\nstep()\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))\nstep()",
        "error",
        "events-lost",
        "[1-9] events could not be written: File too large",
        None,
        7,
    ),
}
GOOD = {
    "closes its output": "sys.stdout.close()\nos.close(1)\nos.close(2)\nwhile True: step()",
    "has an output of its own": "class Mine:\n    def write(self, text): pass\n"
    "sys.stdout = sys.stderr = Mine()\nsys.excepthook = None\nwhile True: step()",
    "swallows the stop": "while True:\n    try: step()\n    except BaseException: pass",
    "changes the folder": "os.chdir('/')\nwhile True: step()",
    "forks, and both go on": "os.fork()\nwhile True: step()",
}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    nothing = tmp_path_factory.mktemp("nothing") / "nothing.py"
    nothing.touch()
    verify(VerifyRequest(nothing, python=with_torch_xla()))  # it takes its time to become warm
    return with_torch_xla()


Judged = Callable[[str, int | None, float], Verdict]


@pytest.fixture
def judged(python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Judged:
    """Runs a script, in a folder for temporary files in which nothing may be left."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))

    def run(script: str, steps: int | None, limit: float) -> Verdict:
        (tmp_path / "train.py").write_text(script)
        request = VerifyRequest("train.py", steps=steps, timeout=limit, python=python, directory=tmp_path)
        verdict = verify(request)
        assert not list(temporary.iterdir())
        return verdict

    return run


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_what_happened_is_said_in_one_line_with_what_was_seen(ending: Ending, judged: Judged, tmp_path: Path) -> None:
    verdict = judged(TRAIN + ending.script, None, LIMIT if ending.kind == "timeout" else 120)
    finding = one(verdict, ending.kind)
    assert (verdict.verdict, finding.line) == (ending.verdict, ending.line)
    assert re.search(ending.words, finding.reason)
    assert "\n" not in finding.reason
    assert verdict.steps == ending.steps


@pytest.mark.parametrize("script", GOOD.values(), ids=GOOD)
def test_a_script_that_gets_in_its_own_way_is_judged_and_stopped(script: str, judged: Judged) -> None:
    verdict = judged(TRAIN + script, 20, 120)
    assert (verdict.verdict, verdict.findings) == ("pass", ())
    assert verdict.steps >= 20


def test_a_script_may_clear_the_environment(tmp_path: Path) -> None:
    # Before it imports torch: that takes a Python of its own.
    script = f"import os; os.environ.clear()\n{TRAIN}while True: step()\n"
    (tmp_path / "train.py").write_text(script)
    verdict = verify(VerifyRequest("train.py", steps=20, timeout=120, directory=tmp_path))
    assert (verdict.verdict, verdict.steps) == ("pass", 20)
