"""Names that a rule gets to write: the file's own import where it can be used, else a new one under a free name."""

from __future__ import annotations

import ast

import pytest

from xlaport.context import Context
from xlaport.facts.module import Module
from xlaport.rule import Import
from xlaport.targets.known import target

ROOT = Import("torch_xla", "torch_xla")


def spelled(text: str) -> tuple[str, tuple[Import, ...]]:
    """What is written for the barrier in the place of the name ``here``."""
    context = Context(Module(text), target())
    here = next(n for n in context.module.nodes if isinstance(n, ast.Name) and n.id == "here")
    return context.symbol("sync", here)


@pytest.mark.parametrize(
    ("text", "name", "imports"),
    [
        ("here\n", "torch_xla.sync", (ROOT,)),
        ("import torch_xla\nhere\n", "torch_xla.sync", ()),
        ("import torch_xla as tx\ndef f():\n    here\n", "tx.sync", ()),
        ("def f():\n    import torch_xla\nhere\n", "torch_xla.sync", (ROOT,)),
        # An import below is there by the time that a function runs, not before.
        ("def f():\n    here\nimport torch_xla\n", "torch_xla.sync", ()),
        ("here\nimport torch_xla\n", "torch_xla.sync", (ROOT,)),
        # One that may not have happened cannot be used.
        ("try:\n    import torch_xla\nexcept ImportError:\n    pass\nhere\n", "torch_xla.sync", (ROOT,)),
        # The name stands for something else, here or anywhere.
        ("torch_xla = 1\nhere\n", "torch_xla_.sync", (Import("torch_xla", "torch_xla_"),)),
        ("import torch_xla\ndef f(torch_xla):\n    here\n", "torch_xla_.sync", (Import("torch_xla", "torch_xla_"),)),
    ],
)
def test_the_name_of_a_symbol(text: str, name: str, imports: tuple[Import, ...]) -> None:
    assert spelled(text) == (name, imports)
