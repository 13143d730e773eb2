"""The facts of a piece of source, ready to be asked."""

from __future__ import annotations

import textwrap

from xlaport.context import Context
from xlaport.facts.module import Module
from xlaport.targets.known import target

HEAD = """\
import torch, math, numpy as np
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
import torch_xla
model = nn.Linear(1, 1).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters())
scaler = torch.amp.GradScaler()
loader = DataLoader(data)
"""


def facts(source: str) -> Context:
    """The facts of `source`, behind a preamble that makes model, criterion, optimizer, scaler and loader."""
    return Context(Module(HEAD + textwrap.dedent(source).strip("\n") + "\n"), target())
