"""Whether what counts as a tensor is one tensor, or a list of them."""

from __future__ import annotations

import ast
import textwrap

import pytest

from xlaport.facts.module import Module
from xlaport.facts.program import Program
from xlaport.facts.single import Singles
from xlaport.facts.structure import Structure

HEAD = """\
import torch
from torch import nn
import torch.nn.functional as F
net = nn.Linear(4, 4).to("cuda")
cell = nn.LSTM(4, 4).to("cuda")
"""


def single(source: str) -> bool | None:
    """Whether the argument of ``mark(…)`` is one tensor."""
    view = Program().seen_from(None, Module(HEAD + textwrap.dedent(source)))
    call = next(c for c in view.own.module.calls if isinstance(c.func, ast.Name) and c.func.id == "mark")
    return Singles(Structure(view)).is_one(view.own, call.args[0])


@pytest.mark.parametrize(
    "source",
    [
        "mark(torch.zeros(3))",
        "mark(net(x))",
        "x = net(y)\nmark(x[0])",
        "def f(x):\n    n = x.shape\n    mark(x)",
        "def f(x):\n    n = x[:, 0]\n    mark(x)",
        "def f(x):\n    n = F.relu(x)\n    mark(x)",
        "def f(x):\n    n = x / 2\n    mark(x)",
        "def f(x: torch.Tensor | None): mark(x)",
        "def f(x): mark(x)\nf(net(y))\nf(torch.zeros(3))",
        "def f(): return net(x), 1\na, b = f()\nmark(a)",
        "x = torch.zeros(3)\nfor i in y:\n    mark(x[i])\n    x += 1",
        "x = net(y).clone()\nwhile z:\n    mark(x[0])\n    x = x[z]",
        "x = y.new_zeros(3).to(z)\nmark(x - 1)",
        "class N(nn.Module):\n def __init__(self): self.register_buffer('x', y)\n def forward(self): mark(self.x)",
    ],
)
def test_one_tensor(source: str) -> None:
    assert single(source) is True


@pytest.mark.parametrize(
    "source",
    [
        "mark([torch.zeros(3)])",
        "x = net(y).chunk(2)\nmark(x)",
        "def f(x: list[torch.Tensor]): mark(x)",
        "def f(x): mark(x)\nf([net(y)])\nf(net(y))",
        "def f(x):\n    '''Draws.\n\n    Args:\n        x (list<tensor>): parts\n    '''\n    mark(x)",
    ],
)
def test_several(source: str) -> None:
    assert single(source) is False


@pytest.mark.parametrize(
    "source",
    [
        "mark(x)",
        "mark(cell(x))",
        "mark(unknown(x))",
        "def f(x): mark(x)",
        "def f(x):\n    n = len(x), x[0]\n    mark(x)",
        "def f(x): mark(x)\nf(net(y))\nf(unknown)",
        "def f(x):\n    y = torch.cat(x)\n    mark(x)",
        "x = a + b\nmark(x)",
        "x = f()\nwhile z:\n    mark(x)\n    x = x[z]",
        "x = f()\nwhile x:\n    x += g(x)\n    mark(x)",
    ],
)
def test_unknown(source: str) -> None:
    assert single(source) is None
