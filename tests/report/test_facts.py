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
