"""Questions whether there are enough GPUs: what they rest on, however long the way."""

from __future__ import annotations

import ast

import pytest

from rules._lib.distributed.gates import rests_on_count
from xlaport.context import Context
from xlaport.facts.module import Module
from xlaport.targets.known import target


def rests(source: str) -> bool:
    """Whether the test of the last statement rests on a count of GPUs."""
    context = Context(Module(f"import torch\n{source}"), target())
    last = context.module.tree.body[-1]
    assert isinstance(last, ast.Assert)
    return rests_on_count(context, last.test)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("assert torch.cuda.device_count() > 1", True),
        ("n = torch.cuda.device_count()\nassert n > 1", True),
        ("def f():\n    return torch.cuda.device_count()\nassert f() > 1", True),
        ("args.n = torch.cuda.device_count()\nassert args.n > 1", True),
        ("assert args.n > 1\nargs.n = torch.cuda.device_count()\nassert args.m > 1", False),
        ("n = 3\nassert n > 1", False),
        ("d = torch.cuda.device_count()\nc = d\nb = c\na = b\nassert a > 1", True),
        ("e = torch.cuda.device_count()\nd = e\nc = d\nb = c\na = b\nassert a > 1", True),
        ("n = torch.cuda.device_count()\nn = 2\nassert n > 1", False),
        ("n = n + m\nm = m + n\nassert n > m", False),
    ],
)
def test_what_a_gate_rests_on(source: str, wanted: bool) -> None:
    assert rests(source) is wanted
