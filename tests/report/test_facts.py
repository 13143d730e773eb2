"""`check --explain-facts`: what is known of the files, and what shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from xlaport.cli import app

MAIN = """\
import torch
from torch.utils.data import DataLoader
from engine import train

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(data)
train(model, optimizer, loader)
"""
ENGINE = """\
def train(model, optimizer, loader):
    for x in loader:
        model(x).sum().backward()
        optimizer.step()
"""
TEXT = """\
engine.py
  line 2: a training loop, since line 4 steps an optimizer; its barrier belongs beside line 4
  line 1: loader in train is a loader: passed to train() in main.py:8: a DataLoader
  line 1: model in train is a model: passed to train() in main.py:8: torch.nn.Linear(…)
  line 1: optimizer in train is an optimizer: passed to train() in main.py:8: SGD(…)
  line 2: x in train is a host tensor: part of a loader's batch

main.py
  line 5: model is a model: torch.nn.Linear(…)
  line 6: optimizer is an optimizer: SGD(…)
  line 7: loader is a loader: a DataLoader
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.py").write_text(MAIN, encoding="utf-8")
    Path("engine.py").write_text(ENGINE, encoding="utf-8")


def check(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["check", *arguments, "--explain-facts"])
    return result.exit_code, result.stdout


def test_every_fact_carries_its_evidence() -> None:
    assert check(".") == (0, TEXT)


def test_the_same_for_a_file_that_is_named_alone() -> None:
    assert check("engine.py") == (0, TEXT.partition("\n\n")[0] + "\n")


def test_the_json_has_the_same_facts() -> None:
    code, text = check(".", "--output-format", "json")
    found = json.loads(text)
    assert (code, found["version"], found["errors"]) == (0, 1, [])
    engine, main = found["files"]
    assert (engine["path"], main["path"]) == ("engine.py", "main.py")
    assert engine["loops"] == [
        {"line": 2, "kind": "training", "because": "steps an optimizer", "evidence": 4, "barriers": [], "cuts": [4],
         "elsewhere": False}
    ]  # fmt: skip
    assert {"line": 7, "name": "loader", "where": "", "role": "loader", "because": "a DataLoader", "evidence": 7} in (
        main["roles"]
    )


def test_what_cannot_be_parsed_is_an_error_and_the_others_go_on() -> None:
    Path("broken.py").write_text("import torch\noptimizer.step(\n", encoding="utf-8")
    code, text = check(".")
    assert code == 2
    assert text.startswith(TEXT)
    assert "broken.py: line 2" in text


def test_nothing_known() -> None:
    Path("plain.py").write_text("import torch\nloader = 1\nprint(model)\n", encoding="utf-8")
    assert check("plain.py") == (0, "nothing is known of these files: no model, loader, optimizer or step loop\n")


LINES = """\
engine.py:3
  runs in each step of the training loop in line 2
  9: model(x).sum().backward() is of another kind: a tensor's .backward()
  9: model(x).sum() is a tensor on the TPU: output of a model
  9: model(x) is a tensor on the TPU: output of a model
     only assumed
     runs a module
  9: model is a model: passed to train() in main.py:8: torch.nn.Linear(…) (line 1)
     its object is made in main.py:5
  15: x is a tensor on the host: part of a loader's batch (line 2)
     only assumed
     its object is made in main.py:7
"""
EVERYTHING = """\
import functools, random, time
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x.detach()


class Other(nn.Module):
    def forward(self, y):
        return y + 1


def size():
    return random.random()


def kept(net):
    return torch.optim.SGD(net.parameters(), lr=0.1)


net, step = Net().cuda(), functools.partial(size)
rows, name = [net, 1], "a"
other = unknown(net)
for epoch in range(2):
    began = time.time()
    for _ in range(9):
        kept(net).step()
        net(torch.randn(2, device="cuda")).sum()
        length = size() + step() + len(rows) + ord(name)
    print(other, began)
"""


def test_a_line_is_explained_expression_by_expression() -> None:
    assert check("engine.py:3") == (0, LINES)
    code, text = check("engine.py:2")
    assert (code, text.splitlines()[1]) == (0, "  begins a loop of steps (training), since line 4 steps an optimizer")
    code, text = check("engine.py:4", "--output-format", "json")
    found = json.loads(text)
    assert (code, found["path"], found["line"]) == (0, "engine.py", 4)
    assert found["steps"] == "runs in each step of the training loop in line 2"
    stepped = found["expressions"][0]
    assert (stepped["text"], stepped["details"]) == ("optimizer.step()", ["is a barrier, or steps an optimizer"])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return x.detach()", ["runs in each step of the training loop in line", "no gradient comes to what"]),
        ("return y", ["runs in each step of a loop of another file, or of a library"]),
        ("return random.random()", ["runs in each step", "changes in line"]),
        ("return torch.optim.SGD", ["gives parameters to an optimizer", "an optimizer: SGD(…)"]),
        ("net, step =", ["runs in no step", "an instance of Net", "moves a module to the TPU", "a partial of size"]),
        ("rows, name =", ["always 'a'", "of another kind"]),
        ("other =", ["unknown is not known"]),
        ("began =", ["runs between steps, in the loop in line", "a number: the clock"]),
        ("length =", ["runs size() in line", "size is size of line"]),
    ],
)
def test_what_is_known_of_lines(line: str, expected: list[str]) -> None:
    Path("all.py").write_text(EVERYTHING, encoding="utf-8")
    number = next(n for n, text in enumerate(EVERYTHING.splitlines(), 1) if text.strip().startswith(line))
    code, text = check(f"all.py:{number}")
    assert code == 0
    for words in expected:
        assert words in text


def test_a_line_without_expressions_and_more_than_one_line() -> None:
    for arguments in (["main.py:99"], ["missing.py:1"], ["main.py:5", "engine.py:2"]):
        result = CliRunner().invoke(app, ["check", *arguments, "--explain-facts"])
        assert result.exit_code != 0
        assert result.stdout == ""
