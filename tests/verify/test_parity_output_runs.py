"""What the probe records of outputs, in a CUDA script on the CPU and in its port on XLA; and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.warm_python import with_torch, with_torch_xla
from xlaport.verify import VerifyRequest
from xlaport.verify.events import FileSeen, LineSeen, Trace, ValueSeen
from xlaport.verify.parity import compare
from xlaport.verify.parity_run import record

SCRIPT = """\
import csv, io, json, logging, os, sys, tempfile, time, warnings
from pathlib import Path
import numpy as np
import torch
{head}
print("begins", 0.5)
net = [torch.nn.Linear(8, 6, bias=False), torch.nn.BatchNorm1d(6), torch.nn.Linear(6, 3)]
model = torch.nn.Sequential(*net).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
log = open("log.csv", "w")
writer = csv.writer(log)
started = time.time()
for step in range(6):
    x = torch.randn(16, 8).to(device)
    y = torch.randint(3, (16,)).to(device)
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    {barrier}
    print(f"step {{step}} loss {{loss.item():.5f}} {{time.time() - started:.4f}} s", end="\\n")
    writer.writerow([step, loss.item()])
    torch.save({{"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}}, "last.pt")
warnings.warn("versions 1.5")
logging.info("accuracy %.4f", 0.75)
sys.stdout.write("torn ")
sys.stdout.write("line 0.25\\n")
print("\\r10%\\r20% 0.5")
print(loss)
model.eval()
with torch.no_grad():
    print("evaluated", float(model(torch.ones(4, 8, device=device)).sum()))
buffer = io.BytesIO()
torch.save(model.state_dict(), buffer)
os.makedirs("out", exist_ok=True)
torch.save(model, Path("out") / "whole.pt")
with open("out/new.json.tmp", "w") as file:
    json.dump({{"loss": [0.5, loss.item()], "seconds": time.time() - started}}, file)
os.replace("out/new.json.tmp", "out/new.json")
np.save("array.npy", np.arange(4.0))
np.savez("arrays.npz", a=np.ones((2, 2)), b=np.zeros(3, dtype=np.int64))
Path("picture.pgm").write_bytes(b"P5 1 1 255 0")
Path(tempfile.mkdtemp(), "elsewhere.txt").write_text("0.5")
"""
ORIGINAL = SCRIPT.format(head='device = torch.device("cuda")', barrier="pass")
PORT = SCRIPT.format(head="import torch_xla\ndevice = torch_xla.device()", barrier="torch_xla.sync()")


def recorded(folder: Path, source: str, role: str) -> Trace:
    folder.mkdir()
    (folder / "script.py").write_text(source, encoding="utf-8")
    python = with_torch() if role == "original" else with_torch_xla()
    trace = record(VerifyRequest("script.py", steps=None, timeout=300, python=python, directory=folder), role, role)
    assert isinstance(trace, Trace), trace
    return trace


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trace, Trace]:
    """The original and its port."""
    top = tmp_path_factory.mktemp("runs")
    return recorded(top / "original", ORIGINAL, "original"), recorded(top / "port", PORT, "port")


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(ORIGINAL.splitlines(), 1) if text in line)


def test_lines_are_recorded_with_their_place_and_step(runs: tuple[Trace, Trace]) -> None:
    lines = [event for event in runs[0].events if isinstance(event, LineSeen) and not event.path]
    texts = [event.text for event in lines]
    assert texts[0] == "begins 0.5"
    assert [text.split()[:3] for text in texts[1:7]] == [["step", str(step), "loss"] for step in range(6)]
    assert [event.step for event in lines[:8]] == [0, 1, 2, 3, 4, 5, 6, 6]
    assert {event.site.line for event in lines[1:7] if event.site} == {line_of('print(f"step')}
    assert texts[7].endswith("accuracy 0.7500")
    assert texts[8:10] == ["torn line 0.25", "20% 0.5"]
    assert not any("1.5" in text for text in texts)  # a warning is none of the script's own lines


def test_files_are_recorded_by_their_kind(runs: tuple[Trace, Trace]) -> None:
    for run in runs:
        files = {event.path: event.how for event in run.events if isinstance(event, FileSeen)}
        assert files == {
            "last.pt": "values", "out/whole.pt": "values", "out/new.json": "lines", "log.csv": "lines",
            "array.npy": "values", "arrays.npz": "values", "picture.pgm": "unknown",
        }  # fmt: skip
        values = [event for event in run.events if isinstance(event, ValueSeen)]
        assert {event.number for event in values if event.path == "last.pt"} == set(range(1, 7))
        keys = {event.key for event in values if event.path == "last.pt"}
        assert {"step", "model/0.weight", "model/1.running_var", "optimizer/state/0/exp_avg"} <= keys
        (array,) = (event for event in values if event.path == "array.npy")
        assert (array.shape, array.values) == ((4,), (0.0, 1.0, 2.0, 3.0))
        rows = [event.text for event in run.events if isinstance(event, LineSeen) and event.path == "log.csv"]
        assert len(rows) == 6  # of a file that is still open


def test_the_right_port_prints_and_saves_the_same(runs: tuple[Trace, Trace]) -> None:
    parity, findings = compare(*runs, 1e-3, "cuda.py")
    assert parity.verdict == "pass", findings
    assert [item.reason for item in findings] == [
        "Not compared, since their format is not known: picture.pgm",
        "BatchNorm in torch_xla keeps the biased variance for evaluations, smaller by 1/n; so did the original here",
    ]


WRONG = {
    "what is printed": ("model(torch.ones(4, 8, device=device)).sum()", "model(torch.ones(5, 8, device=device)).sum()"),
    "what is written": ('"loss": [0.5, loss.item()]', '"loss": [0.5, 2 * loss.item()]'),
    "an array": ("np.ones((2, 2))", "np.ones((2, 3))"),
    "what is saved": ('"step": step}', '"step": step + 1}'),
    "a file less": ('np.save("array.npy", np.arange(4.0))', "pass"),
}


def test_each_output_that_is_wrong_is_named_with_its_line(runs: tuple[Trace, Trace], tmp_path: Path) -> None:
    port = PORT
    for right, wrong in WRONG.values():
        assert port.count(right) == 1
        port = port.replace(right, wrong)
    wrong_port = recorded(tmp_path / "wrong", port, "port")
    parity, findings = compare(runs[0], wrong_port, 1e-3, "cuda.py")
    assert parity.verdict == "fail"
    fails = [item for item in findings if item.severity == "fail"]
    lines = port.splitlines()
    assert len(fails) == len(WRONG), fails
    said = "\n".join(f"{lines[item.line - 1].strip() if item.line else ''}: {item.reason}" for item in fails)
    assert 'print("evaluated"' in said
    assert "writes" in said
    assert "into `out/new.json`" in said
    assert "`last.pt` holds another `step`" in said
    assert "`arrays.npz` holds `a` of shape [2, 3]" in said
    assert "The original saves `array.npy`, and the port does not" in said
