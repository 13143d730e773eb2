"""Small training and generating programs, what the rules should say of them, and, as a program, what they compile.

Each is a step that stands in a loop. Half of them bake a number in, or grow; each has a counterpart beside it, mostly
what the message recommends, that does the same with one graph.
"""

from __future__ import annotations

import json
import os
import sys
import textwrap
from dataclasses import dataclass
from typing import Any

STEPS = 7
WARM_UP = 4
"""Steps that may compile: the first ones of an optimizer, and those whose number is 0 or 1."""

TRAIN = """
optimizer.zero_grad()
loss.backward()
optimizer.step()
"""

SETUP = """
import random
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs = torch.randn(200, 8, device=device)
history = torch.zeros(200, device=device)
"""


@dataclass(frozen=True)
class Program:
    """One program: what stands before its loop, and in it."""

    name: str
    reported: str | None
    """The code of the rule that speaks of it, once."""
    step: str
    before: str = ""
    trains: bool = True

    def body(self) -> str:
        """One step."""
        return textwrap.dedent(self.step).strip("\n") + "\n" + (TRAIN.strip("\n") + "\n" if self.trains else "")

    def whole(self) -> str:
        """The program as its author would write it."""
        loop = f"for step in range(100):\n{textwrap.indent(self.body(), '    ')}"
        if not self.trains:
            loop = f"with torch.no_grad():\n{textwrap.indent(loop, '    ')}"
        return SETUP + textwrap.dedent(self.before) + loop


PROGRAMS = (
    Program("slice with a moving start", "XP401", "loss = model(inputs[step * 4 : (step + 1) * 4]).mean()"),
    Program(
        "the same places by a tensor",
        None,
        "loss = model(inputs.index_select(0, torch.arange(4, device=inputs.device) + (step * 4))).mean()",
    ),
    Program("index", "XP401", "loss = model(inputs[step]).mean()"),
    Program(
        "index by a tensor",
        None,
        "loss = model(inputs[torch.tensor([step], device=inputs.device)].squeeze(0)).mean()",
    ),
    Program("index that is written", "XP401", "loss = model(inputs).mean()\nhistory[step] = loss.detach()"),
    Program(
        "place of a tensor that is written",
        None,
        "loss = model(inputs).mean()\nhistory[torch.tensor([step], device=history.device)] = loss.detach()",
    ),
    Program("slice of another length", "XP401", "loss = model(inputs[: step + 2]).mean()"),
    Program(
        "mask in place of the slice",
        None,
        """
        mask = torch.arange(inputs.size(0), device=inputs.device) < step + 2
        loss = torch.where(mask[:, None], model(inputs), 0.0).sum() / (step + 2)
        """,
    ),
    Program("power", "XP401", "loss = ((model(inputs) ** 2 + 1) ** (1 + step / 10)).mean()"),
    Program(
        "power by a tensor",
        None,
        "loss = ((model(inputs) ** 2 + 1) ** torch.tensor([1 + step / 10], device=device)).mean()",
    ),
    Program("roll", "XP401", "loss = (model(inputs) * torch.roll(inputs, step, 0)).mean()"),
    Program(
        "roll by a tensor",
        None,
        """
        places = (torch.arange(200, device=inputs.device) - step) % 200
        loss = (model(inputs) * inputs.index_select(0, places)).mean()
        """,
    ),
    Program("size", "XP401", "loss = model(inputs).mean() + torch.rand(step + 3, device=device).mean()"),
    Program(
        "inputs of the graph",
        None,
        """
        x = torch.dropout(inputs * (step + 2) - step / 3, 1 / (step + 3), True)
        x = x.clamp(-step - 2, step + 2).masked_fill(x > step + 2, step + 2)
        x = torch.lerp(x, inputs, 1 / (step + 3)) + torch.full((8,), step + 2.5, device=device)
        loss = model(x).mean() * 0.9 ** (step + 1) + min(1.0, (step + 1) / 50) * x.mean() * (1.5 + random.random())
        """,
    ),
    Program(
        "learning rate",
        None,
        """
        for group in optimizer.param_groups:
            group["lr"] = 0.1 * 0.97 ** (step + 1)
        loss = model(inputs).mean() * (1024.0 + step)
        """,
    ),
    Program(
        "loop of another length",
        "XP401",
        """
        x = inputs
        for _ in range(step + 1):
            x = torch.tanh(x)
        loss = model(x).mean()
        """,
    ),
    Program(
        "loop of a fixed length",
        None,
        """
        x = inputs
        for t in range(5):
            x = torch.tanh(x) + inputs[t] * inputs[:, t : t + 1]
        loss = model(x).mean()
        """,
    ),
    Program(
        "length that is read",
        "XP422",
        """
        length = (torch.arange(200, device=device) < step + 3).sum()
        loss = model(inputs[: length.item()]).mean()
        """,
    ),
    Program(
        "mask by a length of the device",
        None,
        """
        length = (torch.arange(200, device=device) < step + 3).sum()
        mask = torch.arange(inputs.size(0), device=inputs.device) < length
        loss = torch.where(mask[:, None], model(inputs), 0.0).sum() / length
        """,
    ),
    Program(
        "place that is found",
        "XP422",
        """
        place = (torch.arange(200, device=device) == step + 3).long().argmax()
        loss = model(inputs[place]).mean()
        """,
    ),
    Program(
        "place that is found, as a tensor of one element",
        None,
        """
        place = (torch.arange(200, device=device) == step + 3).long().argmax()
        loss = model(inputs[place.view(1)].squeeze(0)).mean()
        """,
    ),
    Program(
        "tokens joined",
        "XP402",
        """
        out = model(rows)
        rows = torch.cat([rows, out[-1:]])
        """,
        "rows = torch.randn(1, 8, device=device)\n",
        trains=False,
    ),
    Program(
        "tokens written into a buffer",
        None,
        """
        out = model(rows)
        rows.index_copy_(0, position + 1, out.index_select(0, position))
        position += 1
        """,
        "rows = torch.zeros(200, 8, device=device)\nposition = torch.tensor([0], device=device)\n",
        trains=False,
    ),
    Program(
        "results joined in the loop",
        "XP402",
        """
        out = model(inputs)
        found = torch.cat([found, out.argmax(1)])
        """,
        "found = torch.zeros(0, device=device)\n",
        trains=False,
    ),
    Program(
        "results joined after the loop",
        None,
        """
        out = model(inputs + step)
        found.append(out.argmax(1))
        """,
        "found = []\n",
        trains=False,
    ),
    Program(
        "list joined in the loop",
        "XP402",
        """
        found.append(model(inputs))
        mean = torch.stack(found).mean(0)
        """,
        "found = []\n",
        trains=False,
    ),
)


def compiled(program: Program) -> list[int]:
    """How many graphs each step of a program compiles, with a barrier behind each."""
    import torch
    import torch_xla
    import torch_xla.debug.metrics as met

    scope: dict[str, Any] = {}
    setup = (SETUP + textwrap.dedent(program.before)).replace('torch.device("cuda")', "torch_xla.device()")
    exec(setup, {**scope, "torch_xla": torch_xla}, scope)
    torch_xla.sync()
    counts = []
    with torch.set_grad_enabled(program.trains):
        for step in range(STEPS):
            before = met.counter_value("UncachedCompile") or 0
            scope["step"] = step
            exec(program.body(), scope)
            torch_xla.sync()
            counts.append(int((met.counter_value("UncachedCompile") or 0) - before))
    return counts


def main() -> None:
    """Print the counts of all programs as one JSON object."""
    os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")
    json.dump({program.name: compiled(program) for program in PROGRAMS}, sys.stdout)


if __name__ == "__main__":
    main()
