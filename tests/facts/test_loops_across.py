"""Step loops whose work is done in other files: their loaders, their optimizers, their functions and classes."""

from __future__ import annotations

import textwrap

import pytest

from xlaport.context import Context
from xlaport.targets.known import target

from .project import path, program

NET = "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def forward(self, x): return x\n"
MAKE = """
import torch
from torch.utils.data import DataLoader
from net import Net
from engine import train, evaluate
model = Net()
optimizer = torch.optim.SGD(model.parameters())
loader, test_loader = DataLoader(data), DataLoader(data)
"""


def loops(file: str, **sources: str) -> list[tuple[int, str]]:
    """Line and kind of each step loop of a file."""
    made = program(**{name: textwrap.dedent(source) for name, source in sources.items()})
    facts = made.facts(path(file))
    assert facts is not None
    context = Context(facts.module, target(), (), made.seen_from(path(file), facts.module))
    return [(loop.node.lineno, loop.kind.value) for loop in context.loops.all()]


ENGINE = """
def train(model, criterion, optimizer, loader):
    for x, y in loader:
        criterion(model(x), y).backward()
        optimizer.step()
def evaluate(model, loader):
    for i, (x, y) in enumerate(loader):
        out = model(x)
"""
# (the file that is asked, its loops, the files)
CASES: list[tuple[str, list[tuple[int, str]], dict[str, str]]] = [
    ("engine", [(2, "training"), (6, "evaluation")],
     {"main": MAKE + "train(model, None, optimizer, loader)\nevaluate(model, test_loader)", "engine": ENGINE,
      "net": NET}),
    # by keyword, through the module, with another name
    ("engine", [(2, "training"), (6, "evaluation")],
     {"main": MAKE + "import engine as e\ne.train(model, optimizer=optimizer, loader=loader, criterion=None)\n"
      "e.evaluate(loader=loader, model=model)", "engine": ENGINE, "net": NET}),
    # what is made by a function of a third file
    ("engine", [(2, "training"), (6, "evaluation")],
     {"main": "from make import make\nfrom engine import train, evaluate\nm, o, l = make()\ntrain(m, None, o, l)\n"
      "evaluate(m, l)", "make": MAKE.replace("from engine import train, evaluate\n", "")
      + "def make(): return model, optimizer, loader", "engine": ENGINE, "net": NET}),
    # the step is in a function of another file
    ("main", [(8, "training")],
     {"main": MAKE + "for x in loader: train(model, optimizer, x)",
      "engine": "def train(model, optimizer, x):\n    model(x).backward()\n    optimizer.step()\ndef evaluate(): pass",
      "net": NET}),
    # a class with its parts
    ("trainer", [(7, "training"), (10, "evaluation")],
     {"main": MAKE.replace("from engine import train, evaluate", "from trainer import Trainer")
      + "Trainer(model, optimizer, loader).fit()",
      "trainer": "class Trainer:\n    def __init__(self, model, optimizer, loader):\n        self.model = model\n"
      "        self.optimizer, self.loader = optimizer, loader\n    def fit(self):\n        x = 1\n"
      "        for x in self.loader:\n            self.model(x).backward()\n            self.optimizer.step()\n"
      "        for x in self.loader: self.model(x)", "net": NET}),
    # a base class whose parts the derived class makes
    ("base", [(3, "training")],
     {"base": "class Base:\n    def fit(self):\n        for x in self.loader:\n            self.step(x)\n"
      "    def step(self, x): raise NotImplementedError",
      "mine": "import torch\nfrom base import Base\nfrom net import Net\nclass Mine(Base):\n    def __init__(self):\n"
      "        self.model = Net()\n        self.optimizer = torch.optim.SGD(self.model.parameters())\n"
      "    def step(self, x):\n        self.model(x).backward()\n        self.optimizer.step()", "net": NET}),
    # a derived class that inherits the step
    ("mine", [(4, "training")],
     {"base": "import torch\nclass Base:\n    def step(self, x):\n        self.loss.backward()\n"
      "        self.opt.step()",
      "mine": "from base import Base\nclass Mine(Base):\n    def fit(self, loader):\n        for x in loader:\n"
      "            self.step(x)"}),
    # gradients are off in the function that runs the model
    ("main", [(9, "evaluation")],
     {"main": MAKE + "for x in unknown: predict(x)",
      "engine": "def train(): pass\ndef evaluate(): pass", "net": NET}
     | {"main": MAKE + "from p import predict\nfor x in unknown: predict(model, x)",
        "p": "import torch\n@torch.no_grad()\ndef predict(model, x): return model(x)"}),
    # an object that is called, and a library's that gets the loss and the optimizer
    ("main", [(10, "training")],
     {"main": MAKE + "from p import Scaler\nscaler = Scaler()\nfor x in loader: scaler(model(x), optimizer)",
      "engine": "def train(): pass\ndef evaluate(): pass", "net": NET,
      "p": "class Scaler:\n    def __call__(self, loss, optimizer):\n        loss.backward()\n"
      "        optimizer.step()"}),
    ("main", [(10, "training")],
     {"main": MAKE + "from timm.utils import NativeScaler\nscaler = NativeScaler()\n"
      "for x in loader: scaler(model(x), optimizer)",
      "engine": "def train(): pass\ndef evaluate(): pass", "net": NET}),
    # a generator of batches
    ("main", [(8, "training")],
     {"main": MAKE + "for x in batches(): optimizer.step()", "engine": "def train(): pass\ndef evaluate(): pass",
      "net": NET}),
    # a model by its annotation
    ("engine", [(3, "evaluation")],
     {"engine": "from net import Net\ndef evaluate(model: Net, loader: 'torch.utils.data.DataLoader'):\n"
      "    for x in unknown:\n        with torch.no_grad(): model(x)\nimport torch", "net": NET}),
]  # fmt: skip


@pytest.mark.parametrize(("file", "expected", "sources"), CASES)
def test_loops_of_several_files(file: str, expected: list[tuple[int, str]], sources: dict[str, str]) -> None:
    assert loops(file, **sources) == expected


# What must stay unknown: nobody calls it, the calls do not agree, a function that only looks like the step.
NONE: list[tuple[str, dict[str, str]]] = [
    ("engine", {"engine": "def evaluate(model, loader):\n    for x in loader: model(x)", "main": "x = 1"}),
    ("engine",
     {"main": "from net import Net\nfrom engine import run\nrun(Net())\nrun(print)",
      "engine": "def run(model):\n    for x in y:\n        model(x)", "net": NET}),
    ("main", {"main": MAKE + "for x in loader: train(x)", "engine": "def train(x): pass\ndef evaluate(): pass",
              "net": NET}),
    ("main",
     {"main": MAKE + "for x in y: evaluate(model)", "engine": "def train(): pass\ndef evaluate(model): model.eval()",
      "net": NET}),
    # a circle
    ("a", {"a": "from b import g\ndef f(x):\n    for y in x: g(x)", "b": "from a import f\ndef g(x): f(x)"}),
]  # fmt: skip


@pytest.mark.parametrize(("file", "sources"), NONE)
def test_what_is_no_step_loop(file: str, sources: dict[str, str]) -> None:
    assert loops(file, **sources) == []
