"""What the rules say of closures, of barriers in a step and of traces, on the device: all in one process."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.child import output_of
from xlaport import registry
from xlaport.engine import Settings, convert
from xlaport.rule import Applicability
from xlaport.targets.known import target

SETUP = """
import torch
import torch_xla
import torch_xla.debug.profiler as xp
torch.manual_seed(0)
device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.arange(40.0).view(10, 4) / 40)
"""
LOGGED = """
for epoch in range(2):
    for step, x in enumerate(loader):
        out = model(x.to(device))
        loss = out.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        print(f"{epoch} {step} {loss.item():.4f}")
        if step % 3 == 0:
            print("twice", step, (loss * 2).item(), optimizer.param_groups[0]["lr"])
        optimizer.param_groups[0]["lr"] *= 0.9
"""
CUT_TWICE = """
for x in loader:
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    torch_xla.sync()
    optimizer.step()
    torch_xla.sync()
"""
IN_A_TRACE = """
for x in loader:
    with xp.Trace("step"):
        optimizer.zero_grad()
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
"""
NO_BARRIER_IN_A_TRACE = IN_A_TRACE.replace("        torch_xla.sync()\n", "")
CHECKED = """
def checked(x):
    out = model(x)
    if out.max() > MOST or out.min() < -9:
        raise RuntimeError("large")
    if out.mean() < 9:
        print("mean", round(out.mean().item(), 4))
    return out

for epoch in range(20):
    for x in loader:
        optimizer.zero_grad()
        loss = checked(x.to(device)).square().mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
"""
"""What `MOST` is decides whether it raises."""
PROGRAMS = {
    "logged": (LOGGED, "XP305"),
    "cut twice": (CUT_TWICE, "XP207"),
    "in a trace": (IN_A_TRACE, "XP207"),
    "no barrier in a trace": (NO_BARRIER_IN_A_TRACE, "XP201"),
    "checked": (CHECKED.replace("MOST", "9"), "XP415"),
    "checked in vain": (CHECKED.replace("MOST", "-9"), "XP415"),
}
RUNNER = """
import contextlib, io, json, sys, time
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.debug.metrics as met

def executed():
    xm.wait_device_ops()
    return (met.metric_data("ExecuteTime") or [0])[0]

def run(text, lines):
    before = executed()
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            exec(compile(text, "program", "exec"), {"__name__": "program"})
        except RuntimeError as error:
            return {"error": str(error).splitlines()[0]}
        finally:
            # Closures run in a thread of their own.
            while out.getvalue().count("\\n") < lines:
                time.sleep(0.01)
    return {"lines": out.getvalue().splitlines(), "executions": executed() - before}

found = {}
for name, (before, after) in json.load(sys.stdin).items():
    torch_xla.sync()
    first = run(before, 0)
    found[name] = [first, run(after, len(first.get("lines", [])))]
print(json.dumps(found))
"""


def ported(text: str, code: str) -> str:
    settings = Settings(target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}))
    return convert(text, "program.py", [registry.find(registry.load(), code)], settings).text


@pytest.fixture(scope="module")
def results() -> Any:
    pairs = {name: (SETUP + text, ported(SETUP + text, code)) for name, (text, code) in PROGRAMS.items()}
    assert all(before != after for before, after in pairs.values())
    printed = output_of("-c", RUNNER, given=json.dumps(pairs))
    return json.loads(printed.splitlines()[-1])


def test_closures_log_the_same_lines(results: Any) -> None:
    before, after = results["logged"]
    assert len(before["lines"]) == 28
    assert after["lines"] == before["lines"]


def test_a_barrier_in_the_middle_of_a_step_runs_a_graph_of_its_own(results: Any) -> None:
    before, after = results["cut twice"]
    assert before["executions"] >= 20
    assert after["executions"] <= 11


def test_a_barrier_in_a_trace_raises_and_behind_it_does_not(results: Any) -> None:
    before, after = results["in a trace"]
    assert "Expecting scope to be empty" in before["error"]
    assert after["executions"] >= 10
    assert results["no barrier in a trace"][1]["executions"] >= 10


def test_checks_beside_the_steps_tell_the_same_and_run_no_graphs_of_their_own(results: Any) -> None:
    before, after = results["checked"]
    assert len(before["lines"]) == 200
    assert after["lines"] == before["lines"]
    assert before["executions"] >= 600
    assert after["executions"] <= 210


def test_a_check_beside_the_steps_raises_at_a_later_barrier(results: Any) -> None:
    before, after = results["checked in vain"]
    assert before["error"] == "large"
    assert "previously raised exception" in after["error"]
