"""Moved reads change no value: programs are run before and after the conversion, and must do the same."""

from __future__ import annotations

import contextlib
import io
import random
import sys
import textwrap
import types
from typing import Any

import pytest

from xlaport import registry
from xlaport.engine import Settings, convert
from xlaport.rule import Rule
from xlaport.targets.known import target

RULES: list[Rule] = [registry.find(registry.load(), code) for code in ("XP201", "XP302")]

HEAD = """\
import math
import torch
from torch import nn

device = torch.device("cpu")

class Meter:
    def __init__(self, name="m"):
        self.name = name
        self.sum = 0
        self.count = 0
        self.seen = []

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n
        self.seen.append(value)

    @property
    def avg(self):
        return self.sum / max(1, self.count)

class Show:
    def __init__(self, meters):
        self.meters = meters

    def display(self):
        print("show", [m.avg for m in self.meters])

class Trainer:
    def __init__(self):
        torch.manual_seed(0)
        self.model = nn.Linear(2, 2)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.3, momentum=0.9)
        self.total = 0.0
        self.n = 1
        self.hist = []

    def report(self):
        print("report", self.total, self.hist)

    def tick(self):
        self.n += 1

    def loss_of(self, x, y):
        return nn.functional.mse_loss(self.model(x), y)

def halve(t):
    t /= 2

def shown(t):
    print("shown")
    return t * 2

def train(self):
    model, optimizer = self.model, self.optimizer
    criterion = nn.MSELoss()
    meter = Meter()
    other = Meter("o")
    show = Show([other])
    acc = last = 0.0
    k, hist, lists = [], [], [[]]
    alias = lists[0]
    torch.manual_seed(1)
    for i in range(3):
        x, y = torch.randn(4, 2), torch.randn(4, 2)
        out = model(x)
        loss = criterion(out, y)
"""

TAIL = """\
    print(acc, last, k, hist, alias, meter.sum, meter.count, meter.seen, other.seen, self.total, self.hist, self.n)
    print(model.weight.tolist())

train(Trainer())
"""

READS = [
    "acc += loss.item()",
    "acc += loss.item() * len(k)",
    "acc += loss.item() * self.n",
    "acc += loss.item() * i",
    "acc += loss.detach().item() * optimizer.param_groups[0]['lr']",
    "acc += (out - y).abs().sum().item()",
    "acc += 2 * out.argmax(1).eq(0).sum().item()",
    "acc += 1.0 * model.weight.view(-1)[0].item()",
    "last = model.weight.data[0, 0].item()",
    "last = model.weight.detach()[0, 1].item()",
    "last = out.view(-1)[0].item()",
    "last = out[0, 0].item()",
    "last = float(loss)",
    "last = math.exp(-loss.item())",
    "last = out.mean().item()",
    "self.total += loss.item()",
    "self.total = self.total + loss.item() * self.n",
    "self.hist.append(loss.item())",
    "hist.append(loss.item())",
    "hist.append(out.sum().item())",
    "alias.append(loss.item())",
    "k.append(round(loss.item(), 4))",
    "meter.update(loss.item(), x.size(0))",
    "meter.update(out.mean().item())",
    "other.update(loss.item(), len(k))",
    "print(loss.item())",
    "print('a', i, f'{loss.item():.4f}')",
    "print(f'{out.sum()}')",
    "if i % 2 == 0:\n    print(i, loss.item())",
    "if i:\n    acc += loss.item()\nelse:\n    last = loss.item()",
    "if len(k) < 2:\n    hist.append(loss.item())",
]

OTHERS = [
    "k.append(1)",
    "lists[0].append(1)",
    "self.n += 1",
    "self.tick()",
    "self.report()",
    "print('b')",
    "print(acc, last)",
    "print(meter.avg)",
    "show.display()",
    "out = shown(out)",
    "y = shown(y)",
    "halve(y)",
    "optimizer.param_groups[0]['lr'] *= 0.5",
    "loss = loss * 2",
    "out = out * 2",
    "view = out.detach().view(-1)\nview += 1",
    "copy = out.data\ncopy.mul_(2)",
    "loss.data.mul_(2)",
    "acc = acc / 2",
    "i += 1",
    "x = x + 1",
    "meter = other",
    "hist = alias",
    "self.hist = hist",
    "last = len(alias)",
    "model.weight.data.clamp_(-1, 1)",
    "if loss.item() > 2:\n    print('large')",
    "if i == 1:\n    print('one', loss.item())\n    continue",
    "if i == 2:\n    hist.append(loss.item())\n    break",
    "with torch.no_grad():\n    acc += model(y).mean().item()",
    "try:\n    last = loss.item()\nexcept ValueError:\n    pass",
]

STEP = ["optimizer.zero_grad()", "loss.backward(retain_graph=True)", "optimizer.step()"]


def program(statements: list[str]) -> str:
    return HEAD + textwrap.indent("\n".join(statements), "        ") + "\n" + TAIL


def output(text: str) -> str:
    """What a program prints; the target's barrier does nothing here."""
    stub: Any = types.ModuleType("torch_xla")
    stub.sync = lambda: None
    before = sys.modules.get("torch_xla")
    sys.modules["torch_xla"] = stub
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(text, "<program>", "exec"), {"__name__": "program"})
    except Exception as error:  # an in-place change that autograd refuses: both must refuse it
        return f"{type(error).__name__}"
    finally:
        if before is None:
            del sys.modules["torch_xla"]
        else:
            sys.modules["torch_xla"] = before
    return printed.getvalue()


def converted(text: str) -> str:
    return convert(text, "program.py", RULES, Settings(target())).text


def check(statements: list[str]) -> None:
    before = program(statements)
    after = converted(before)
    assert "torch_xla.sync()" in after
    assert output(after) == output(before), after


@pytest.mark.parametrize("read", READS)
def test_a_read_before_the_step(read: str) -> None:
    check([read, *STEP])


@pytest.mark.parametrize(("position", "other"), list(enumerate(OTHERS)))
def test_reads_around_other_statements(position: int, other: str) -> None:
    for read in READS[position % 6 :: 6]:
        check([read, other, *STEP])


@pytest.mark.parametrize("seed", range(40))
def test_programs_at_random(seed: int) -> None:
    check(at_random(random.Random(seed)))


def at_random(chance: random.Random) -> list[str]:
    statements = list(STEP)
    for _ in range(chance.randint(2, 7)):
        statements.insert(chance.randint(0, len(statements)), chance.choice(READS + OTHERS))
    return statements
