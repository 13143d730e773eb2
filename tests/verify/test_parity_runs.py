"""A CUDA script on the CPU beside its ports on XLA: the right one, and some with a fault each."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.warm_python import with_torch, with_torch_xla
from xlaport import run
from xlaport.config import Config
from xlaport.verify import Against, VerifyRequest, verify
from xlaport.verify.events import LineSeen, Trace
from xlaport.verify.parity import compare
from xlaport.verify.parity_figures import Recorded
from xlaport.verify.parity_run import record

from .recording import found

MODEL = """\
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 16)
        self.body = nn.Linear(16, 16)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(16, 20, bias=False)
        self.head.weight = self.embed.weight
    def forward(self, x):
        y = torch.tanh(self.body(self.embed(x)))  # transposed, it lies in memory otherwise than on XLA
        return self.head(self.drop(y.transpose(0, 1)).transpose(0, 1))
data = TensorDataset(torch.randint(20, (96, 4)))
loader = DataLoader(data, batch_size=8, shuffle=True, drop_last=True)
"""
ORIGINAL = (
    MODEL
    + """\
model = Tagger().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(2):
    for i, (x,) in enumerate(loader):
        x = x.cuda(non_blocking=True)
        noise = 0.01 * torch.randn(8, 4, 20, device="cuda")
        loss = F.cross_entropy((model(x) + noise).flatten(0, 1), x.flatten()) / 2
        loss.backward()
        if i % 2:
            optimizer.step()
            optimizer.zero_grad()
"""
)
PORT = (
    "import torch_xla\nimport torch_xla.distributed.parallel_loader as pl\n"
    + MODEL
    + """\
device = torch_xla.device()
model = Tagger()
model.to(device)
model.head.weight = model.embed.weight
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(2):
    for i, (x,) in enumerate(pl.MpDeviceLoader(loader, device)):
        noise = 0.01 * torch.randn(8, 4, 20, device=device)
        loss = F.cross_entropy((model(x) + noise).flatten(0, 1), x.flatten()) / 2
        loss.backward()
        if i % 2:
            optimizer.step()
            optimizer.zero_grad()
"""
)
OPTIMIZER = "optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)\n"
LOSS = "loss = F.cross_entropy((model(x) + noise).flatten(0, 1), x.flatten()) / 2"


def recorded(folder: Path, source: str, role: str, python: str) -> Trace:
    (folder / "script.py").write_text(source, encoding="utf-8")
    trace = record(VerifyRequest("script.py", timeout=300, python=python, directory=folder), role, role)
    assert isinstance(trace, Trace), trace
    return trace


@pytest.fixture
def ported(tmp_path: Path) -> Callable[[str], Trace]:
    """The run of a port."""
    return lambda source: recorded(tmp_path, source, "port", with_torch_xla())


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    """The CUDA script's own run."""
    return recorded(tmp_path_factory.mktemp("original"), ORIGINAL, "original", with_torch())


def test_the_right_port_is_the_same_with_dropout_and_noise_of_the_device(
    original: Trace, ported: Callable[[str], Trace]
) -> None:
    parity, findings = compare(original, ported(PORT), 1e-3, "cuda.py")
    assert (parity.verdict, parity.steps, len(parity.figures)) == ("pass", 12, 12 * 3)
    assert max(item.apart for item in parity.figures) < 1e-5
    (note,) = findings
    assert (note.severity, note.line) == ("note", 27)
    assert "Random numbers for the TPU" in note.reason


FAULTS = {
    "optimizer before the move": (
        "model.to(device)\nmodel.head.weight = model.embed.weight\n" + OPTIMIZER,
        OPTIMIZER + "model.to(device)\nmodel.head.weight = model.embed.weight\n",
        1,
        "none of the port's 3 parameters has a gradient",
    ),
    "lost tie": (
        "model.head.weight = model.embed.weight\noptimizer",
        "optimizer",
        1,
        "embed.weight and head.weight start alike",
    ),
    "missing reduction": (
        "x.flatten()) / 2",
        'x.flatten(), reduction="sum") / 2',
        1,
        "the port's loss is 32 times the original's",
    ),
    "changed loss scaling": (LOSS, LOSS.removesuffix(" / 2"), 1, "the port's loss is 2 times the original's"),
    "wrong sum of the loss": (
        ".flatten(0, 1), x.flatten())",
        "[:, 1:].flatten(0, 1), x[:, 1:].flatten())",
        1,
        "the batch or the forward pass differs",
    ),
    "bf16": (
        LOSS,
        f'with torch.autocast("xla", dtype=torch.bfloat16):\n            {LOSS}',
        1,
        "under autocast (bfloat16)",
    ),
    "gradients kept": (
        "            optimizer.zero_grad()\n",
        "",
        2,
        "the losses agree, so the gradients change",
    ),
    "another learning rate": ("lr=0.1", "lr=0.2", 2, "the gradients of step 1 still agree"),
    "no accumulation": (
        "        if i % 2:\n",
        "        if True:\n",
        1,
        "has 1 backward pass, that of the original 2",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named_with_its_step(
    fault: str, original: Trace, ported: Callable[[str], Trace], tmp_path: Path
) -> None:
    right, wrong, step, reason = FAULTS[fault]
    assert PORT.count(right) == 1
    port = ported(PORT.replace(right, wrong))
    parity, findings = compare(original, port, 1e-3, "cuda.py")
    fails = [item for item in findings if item.severity == "fail"]
    assert (parity.verdict, parity.parted) == ("fail", step), fails
    (finding,) = fails
    assert reason in finding.reason
    assert finding.path == str(tmp_path / "script.py")


TRANSPOSED = """\
import torch
torch.manual_seed(1)
model = torch.nn.Linear(8, 24).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    y = model(torch.randn(6, 8, device="cuda")).t()
    like = lambda: torch.empty_like(y)
    noise = torch.randn_like(y) + torch.rand_like(y) + like().exponential_() + like().bernoulli_(0.4)
    loss = (torch.nn.functional.dropout(y, 0.3) + noise + like().random_(4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_what_is_drawn_for_a_transposed_tensor_is_the_same_on_both(tmp_path: Path) -> None:
    """The host would fill it in the order of its memory, which on XLA is another."""
    original = recorded(tmp_path, TRANSPOSED, "original", with_torch())
    port = (
        TRANSPOSED.replace(".cuda()", '.to("xla")')
        .replace('"cuda"', '"xla"')
        .replace("torch\n", "torch, torch_xla\n", 1)
    )
    parity, findings = compare(original, recorded(tmp_path, port, "port", with_torch_xla()), 1e-5, "cuda.py")
    assert parity.verdict == "pass", findings
    assert len(Recorded(original).steps) == 3


def test_another_order_of_the_data_is_a_matter_of_random_numbers(
    original: Trace, ported: Callable[[str], Trace]
) -> None:
    port = ported(PORT.replace("shuffle=True, ", ""))
    parity, findings = compare(original, port, 1e-3, "cuda.py")
    assert (parity.verdict, parity.parted) == ("error", 1)
    assert "the port drew other random masks" in findings[0].reason
    assert findings[0].advice == "Compare without dropout: `--no-dropout`. Padded batches, for one, draw other masks."


ROUNDED = """\
import torch
rows = torch.nn.Embedding(6, 16)
body = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.BatchNorm1d(16))
optimizer = torch.optim.Adam([*rows.parameters(), *body.parameters()], lr=0.1)
for step in range(1):
    loss = body(rows(torch.randint(4, (64,)))).pow(3).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_rounding_moves_what_adam_makes_of_a_gradient_near_zero_and_nothing_that_has_none(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(ROUNDED, encoding="utf-8")
    request = VerifyRequest("script.py", timeout=300, python=with_torch(), directory=tmp_path)
    plain, rounded = (record(request, "original", "script.py", *more) for more in ((), (("XLAPORT_PERTURB", "1e-5"),)))
    assert isinstance(plain, Trace)
    assert isinstance(rounded, Trace)
    rows, _, bias = (
        [abs(a - b) for a, b in zip(one.values, other.values, strict=True)]
        for one, other in list(
            zip(Recorded(plain).parameters(end=True), Recorded(rounded).parameters(end=True), strict=True)
        )[:3]
    )
    # BatchNorm takes its bias out again: what its gradient sums up to is a rounding, and Adam goes by the sign.
    assert max(bias) > 0.05
    # Two rows of the six are never looked up.
    assert max(rows[-16:]) < 1e-4


TIMED = """\
from time import time
begin = time()
import torch
import time as clocks
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(2):
    began = time()
    clocks.sleep(0.2)
    loss = model(torch.ones(2, 4)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"X {time() - began:.3f} loss {loss.item():.4f}")
"""


def test_a_clock_runs_fast_beside_other_rounding_so_that_it_shows(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(TIMED, encoding="utf-8")
    request = VerifyRequest("script.py", timeout=300, python=with_torch(), directory=tmp_path)
    plain, rounded = (record(request, "original", "script.py", *more) for more in ((), (("XLAPORT_PERTURB", "1e-6"),)))
    assert isinstance(plain, Trace)
    assert isinstance(rounded, Trace)
    times = [
        [float(event.text.split()[1]) for event in run.events if isinstance(event, LineSeen)]
        for run in (plain, rounded)
    ]
    assert all(0.2 <= seconds < 0.5 for seconds in times[0])
    assert all(0.8 <= seconds < 2 for seconds in times[1])
    # What a clock tells may be anything in the port; a loss may not.
    events = [
        replace(event, text=event.text.replace("X 0.2", "X 0.3")) if isinstance(event, LineSeen) else event
        for event in plain.events
    ]
    port = replace(plain, events=tuple(events))
    assert compare(plain, port, 1e-3, "script.py")[0].verdict == "fail"
    assert compare(plain, port, 1e-3, "script.py", rounded)[0].verdict == "pass"
    worse = [
        replace(event, text=event.text.replace("loss ", "loss 1")) if isinstance(event, LineSeen) else event
        for event in events
    ]
    assert compare(plain, replace(plain, events=tuple(worse)), 1e-3, "script.py", rounded)[0].verdict == "fail"


CUDA = """\
import torch
torch.backends.cudnn.benchmark = True
assert torch.cuda.is_available() and torch.cuda.device_count() == 1
device = torch.device("cuda:0")
torch.manual_seed(1)
torch.cuda.manual_seed_all(1)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Dropout(0.5), torch.nn.Linear(16, 2)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cuda")
for step in range(8):
    x = torch.randn(4, 8, device=device)
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    torch.cuda.synchronize()
"""


def test_verify_compares_a_converted_script_with_what_it_was(tmp_path: Path) -> None:
    (tmp_path / "cuda.py").write_text(CUDA, encoding="utf-8")
    result = run.convert([tmp_path / "cuda.py"], Config(unsafe=True))
    run.write_to(result, [tmp_path / "cuda.py"], tmp_path / "port")
    (ported,) = (tmp_path / "port").rglob("*.py")
    request = VerifyRequest(ported, against=Against(Path("cuda.py")), python=with_torch_xla(), directory=tmp_path)
    verdict = verify(request)
    assert verdict.parity is not None
    assert (verdict.parity.verdict, verdict.parity.steps) == ("pass", 8), verdict.findings
    assert "parity" not in {kind for kind, _ in found(verdict)}


SPAWNED = """\
import os, torch, torch.distributed as dist, torch.multiprocessing as mp
from torch import nn
def main(rank, world):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", "0"
    dist.init_process_group("nccl", rank=rank, world_size=world)
    torch.manual_seed(0)
    model = nn.parallel.DistributedDataParallel(nn.Linear(8, 2).to(rank), device_ids=[rank])
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(5):
        optimizer.zero_grad()
        model(torch.randn(4, 8).to(rank)).pow(2).mean().backward()
        optimizer.step()
if __name__ == "__main__":
    mp.spawn(main, args=(torch.cuda.device_count(),), nprocs=torch.cuda.device_count())
"""
LAUNCHED = """\
import torch, torch_xla, torch_xla.core.xla_model as xm
from torch import nn
def main(rank):
    device = torch_xla.device()
    torch.manual_seed(0)
    model = nn.Linear(8, 2).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(5):
        optimizer.zero_grad()
        model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
        xm.optimizer_step(optimizer)
        torch_xla.sync()
if __name__ == "__main__":
    torch_xla.launch(main)
"""


def test_a_spawned_original_with_nccl_beside_a_launched_port(tmp_path: Path) -> None:
    one = recorded(tmp_path, SPAWNED, "original", with_torch())
    other = recorded(tmp_path, LAUNCHED, "port", with_torch_xla())
    parity, findings = compare(one, other, 1e-3, "cuda.py")
    assert (parity.verdict, parity.steps) == ("pass", 5), findings


def test_an_original_that_needs_a_gpu_is_told_from_a_port_that_differs(tmp_path: Path) -> None:
    script = "import torch\nprint(torch.cuda.current_blas_handle())\n"
    (tmp_path / "cuda.py").write_text(textwrap.dedent(script), encoding="utf-8")
    finding = record(
        VerifyRequest("cuda.py", python=with_torch(), directory=tmp_path), "original", "the original, cuda.py,"
    )
    assert not isinstance(finding, Trace)
    assert (finding.kind, finding.line) == ("parity", 2)
    assert "could not be compared" in finding.reason
    assert "runs on the CPU here" in finding.reason


def test_libraries_that_take_xla_wherever_it_is_installed_leave_the_original_alone(tmp_path: Path) -> None:
    taking = """\
        import os
        if os.environ.get("USE_TORCH_XLA", "1") == "1":
            raise SystemExit("as accelerate does")
        import torch
        model = torch.nn.Linear(2, 1).cuda()
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        for step in range(3):
            model(torch.ones(4, 2).cuda()).mean().backward()
            optimizer.step()
    """
    assert len(recorded(tmp_path, textwrap.dedent(taking), "original", sys.executable).events) > 0
    assert not isinstance(record(VerifyRequest("script.py", directory=tmp_path), "port", "the port"), Trace)
