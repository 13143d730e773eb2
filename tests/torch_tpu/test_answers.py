"""The answers for torch_tpu, tried on it: what is written runs there, and what is said to raise does."""

from __future__ import annotations

import json
import re

import pytest

from rules._lib.catalogue import FILE, Disposition, catalogue
from xlaport.tables import read_table
from xlaport.targets.known import target
from xlaport.verify import VerifyRequest
from xlaport.verify.launch import events_folder, run
from xlaport.verify.request import TORCH_TPU

TPU = target("torch_tpu")
OWN = sorted(read_table(FILE.with_suffix(f".{TPU.table}.toml")))
ENTRIES = catalogue(TPU.table).entries
ARGUMENTS = {"$msg": '"part"', "$new_state": "torch.tpu.default_generators[0].get_state()", "$**": "enable_timing=True"}

RUNS = {
    "options that are left": "torch.compile(layer, mode='default', dynamic=False)(x)",
    "a fused optimizer": "step(torch.optim.AdamW(layer.parameters(), fused=True))",
    "inference_mode": "torch.inference_mode()(layer)(x)",
    "a checkpoint": "torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False).sum().backward()",
    "an event without a device": "torch.Event(enable_timing=True).record()",
    "a generator of its own": "torch.randn(2, device=d, generator=torch.Generator(device=d))",
    "load to it": "(torch.save(x, 'x.pt'), torch.load('x.pt', map_location='tpu').is_tpu or 1 / 0)",
    "one seed for all": "same(lambda: torch.manual_seed(1))",
    "fork_rng": "forked()",
    "a sparse gradient": "torch.nn.Embedding(4, 2, sparse=True).to(d)(x.long()).sum().backward()",
    "attention by MATH": "attention('MATH')",
}
RAISES = {
    "mode": "torch.compile(layer, mode='max-autotune')(x)",
    "dynamic": "torch.compile(layer, dynamic=True)(x)",
    "backend": "torch.compile(layer, backend='inductor')(x)",
    "a module of a device": "torch.tpu.synchronize()",
    "record_stream": "x.record_stream(torch.accelerator.current_stream())",
    "a product of sparse tensors": "torch.sparse_coo_tensor(torch.zeros(2, 1).long(), torch.ones(1), (2, 2)).to(d) @ x",
    "a scaler that is on": "scaled()",
    "averages of a BatchNorm": "averaged()",
    "attention of another kind": "attention('EFFICIENT_ATTENTION')",
}
PREAMBLE = """
import json, torch, torch.distributed.checkpoint, torch.distributed.optim, torch.distributed.pipelining
import torch.profiler, torch.utils.checkpoint
d = torch.accelerator.current_accelerator()
layer, x = torch.nn.Linear(2, 2).to(d), torch.ones(2, 2, device=d)

def step(optimizer):
    layer(x).sum().backward()
    optimizer.step()

def same(seed):
    seed(); a = torch.randn(3, device=d).cpu(); seed(); b = torch.randn(3, device=d).cpu()
    assert torch.equal(a, b)

def forked():
    with torch.random.fork_rng():
        a = torch.randn(3, device=d).cpu()
    assert torch.equal(a, torch.randn(3, device=d).cpu())

def attention(kind):
    q = torch.ones(1, 1, 4, 8, device=d)
    with torch.nn.attention.sdpa_kernel(getattr(torch.nn.attention.SDPBackend, kind)):
        torch.nn.functional.scaled_dot_product_attention(q, q, q).cpu()

def averaged():
    norm = torch.nn.BatchNorm1d(2).to(d)
    norm(x)
    assert norm.running_mean.any(), "they stay as they began"

def scaled():
    scaler, optimizer = torch.amp.GradScaler("tpu"), torch.optim.SGD(layer.parameters(), lr=0.1)
    scaler.scale(layer(x).sum()).backward()
    scaler.step(optimizer)

found = {}
for name, code in CODE.items():
    try:
        eval(code)
        torch.accelerator.synchronize()
        found[name] = ""
    except BaseException as error:
        found[name] = f"{type(error).__name__}: {error}"
json.dump(found, open("found.json", "w"))
"""


def written(text: str) -> str:
    """What a target of the catalogue comes to."""
    for name, value in ARGUMENTS.items():
        text = text.replace(name, value)
    spelled = re.sub(r"\{([\w.]+):([\w.]+)\}", r"\1.\2", text)
    return re.sub(r"\{(\w+)\}", lambda m: TPU.symbol(m[1]).qualified, spelled)


def targets() -> dict[str, str]:
    """What is written for names of CUDA, and PyTorch's names that are kept."""
    found = {}
    for name in OWN:
        answer = ENTRIES[name].answer
        if answer.target is not None and not name.startswith("keyword:"):
            found[name] = written(answer.target)
        elif answer.disposition is Disposition.KEEP and name.startswith("torch.") and not name.endswith("*"):
            found[name] = name
    return found


@pytest.fixture(scope="module")
def outcome(python: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("answers")
    script = folder / "answers.py"
    script.write_text(f"CODE = { ({**targets(), **RUNS, **RAISES})!r}\n{PREAMBLE}", encoding="utf-8")
    with events_folder() as events:
        ran = run(VerifyRequest(script, timeout=300, python=python, directory=folder, target=TORCH_TPU), events)
    assert ran.exit_code == 0, ran.tail[-2000:]
    found: dict[str, str] = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    return found


def test_what_is_written_runs_there(outcome: dict[str, str]) -> None:
    assert {name: said for name, said in outcome.items() if name not in RAISES and said} == {}


def test_what_is_said_to_raise_does(outcome: dict[str, str]) -> None:
    assert [name for name in RAISES if not outcome[name]] == []
