"""Writes through masks, as their authors write them; as a program: what they and their conversions do.

`python -m tests.shapes.masks` runs each on the CPU and on XLA, before and after the conversion, and prints as JSON what
became of values, types, gradients and of other names for the same tensor, and how many graphs were compiled.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from typing import Any

STEPS = 6
OTHER_INDICES = re.compile(r"\[:2\]|\*\[1\]|\[\(\.\.\.,\) \+ [^]]*\]")
"""Those of the programs themselves, and the dimensions that a mask is given."""
WARM_UP = 2

WRITES = {
    "relu": "y = x * 1\ny[y < 0] = 0.0",
    "minus infinity": 'y = x * 2\ny[y > 1] = float("-inf")',
    "nan": "y = x.log()\ny[torch.isnan(y)] = -1e4",
    "infinite": "y = 1 / x.round()\ny[y.isinf()] = 7",
    "square": "y = x @ x.t()\ny[y > y.mean()] = 1.5",
    "name for the mask": "y = x - 0.5\nsmall = y.abs() < 0.25\ny[~small] = 2",
    "two conditions": "y = x * 3\ny[(y > 0) & (x < 1)] = -3.0",
    "nothing true": "y = x * 1\ny[y > 1e9] = 5.0",
    "all true": "y = x * 1\ny[y == y] = 5.0",
    "integers": "y = (x * 10).long()\ny[y % 2 == 0] = -100",
    "a float for integers": "y = (x * 10).long()\ny[y > 3] = 2.7",
    "truth values": "y = x > 0\ny[~y & (x > -1)] = True\ny = y & (x < 2)",
    "half": "y = x.half()\ny[y < 0] = 0.1",
    "alias": "y = x * 1\nz = y[:2]\ny[y < 0] = 9.0\ny = y + z.sum()",
    "view": "w = x * 1\ny = w.view(-1)\ny[y < 0] = 4.0\ny = w",
    "data": "y = x * 1\ny.data[y.data < 0] = 0.0",
    "another tensor": "y = x * 1\nz = x * 2\ny[y > 0] = z[y > 0]",
    "a tensor that is nan elsewhere": "y = x * 1\nz = x.sqrt()\nm = y > 0\ny[m] = z[m]",
    "what it was": "y = x * 1\nm = y > 0\ny[m] = 1 - y[m]",
    "a logarithm": "y = x * 1\nm = y > 0.5\ny[m] = y[m].log() * 2",
    "a mean": "y = x * 1\ny[y < 0] = x.mean()",
    "a factor": "y = x * 1\ny[y < 0] *= 0.1\ny[y > 1] /= 3",
    "a term": "y = x * 1\ny[y < 0] += 2\ny[y > 1] -= x.sum()",
    "an added tensor": "y = x * 1\nz = x * 3\nm = y < 0.5\ny[m] += z[m]",
    "integers and others": "y = (x * 10).long()\nz = y * 2\ny[y > 3] = z[y > 3]\ny[y < 0] -= 1",
    "an alias of what is changed": "y = x * 1\nz = y[:2]\ny[y < 0] *= 3.0\ny = y + z.sum()",
    "the larger of two": "y = x * 1\nz = x * 2\nm = y > 0.5\ny[m] = torch.max(y[m], z[m])",
    "the smaller of two": "y = x * 1\nz = x * 2\nm = y > 0.5\ny[m] = torch.minimum(z[m], y[m])",
    "rows": "y = x * 1\nrows = x.detach().sum(1) > 0\ny[rows] = 7.0",
    "rows that are changed": "y = x * 1\nrows = x.detach().sum(1) > 0\ny[rows] *= 2\ny[rows] -= 1",
    "rows of another": "y = x * 1\nz = x * 2\nrows = x.detach().sum(1) > 0\ny[rows] = z[rows]",
    "rows by a condition": "y = x * 1\ny[x.detach().sum(1) > 0] = 7.0",
    "rows of a cube": "y = (x * 1).view(4, 2, 2)\nrows = x.detach().sum(1) > 0\ny[rows] = 7.0\ny = y.view(4, 4)",
    "half of another": "y = x.half()\nz = y * 2\ny[y < 0] = z[y < 0]",
    "places": "y = x * 2\ny[torch.where(y > 1)] = 3.0",
    "places that are infinite": "y = 1 / x.round()\ny[y.isinf().nonzero(as_tuple=True)] = 7",
    "places of a square": "y = x @ x.t()\ny[torch.where(y > y.mean())] = float('nan')",
    "name for places": "y = x - 0.5\nsmall = torch.where(y.abs() < 0.25)\ny[small] = 2\ny[small] = 3",
    "names for places and mask": "y = x.log()\nm = torch.isnan(y)\np = torch.nonzero(m, as_tuple=True)\ny[p] = 0",
    "places in one dimension": "y = (x * 1).flatten()\ny[(y < 0).nonzero()] = 9.0\ny = y.view(4, 4)",
    "places of integers": "y = (x * 10).long()\ny[torch.where(y % 2 == 0)] = 2.7",
    "no place": "y = x * 1\ny[torch.where(y > 1e9)] = 5.0",
    "places in an alias": "y = x * 1\nz = y[:2]\ny[torch.where(y < 0)] = 9.0\ny = y + z.sum()",
    "how many are true": "y = x * (len(torch.nonzero(x > 0)) + 2)",
    "how many in one dimension": "m = x.sum(1) > 0\ny = x / (torch.where(m)[0].numel() + 2)",
    "how many are not zero": "y = x.log().round()\ny = x * (y.nonzero().size(0) + 2)",
    "how many of none": "y = x * (2 + (x > 1e9).nonzero().shape[0])",
    "masked labels": ("y = x.argmax(1)\nkept = torch.rand(y.shape, device=device) < 2\ny[~kept] = -100"),
}
"""Each makes `y` of `x`, 4 by 4 numbers that are others in each step, and that require a gradient."""

HEAD = """
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""


def program(write: str) -> str:
    """A loop of training steps that writes through a mask."""
    step = f"x = model(inputs)\n{write}\nloss = y.float().sum() + x.sum()\nloss.backward()\noptimizer.step()\n"
    return f"{HEAD}\nfor inputs in torch.randn(50, 4, 4, device=device):\n{textwrap.indent(step, '    ')}"


def run(write: str, device: Any, count: Any, barrier: Any) -> dict[str, Any]:
    """What a write does in some steps: `count` says how many graphs were compiled so far, `barrier` ends a step."""
    import torch

    torch.manual_seed(0)
    batches = torch.randn(STEPS, 4, 4)
    batches[2] = -batches[2].abs()
    steps: list[Any] = []
    compiles = []
    code = compile(write, "<write>", "exec")
    for batch in batches:
        before = count()
        x = batch.to(device).requires_grad_()
        names: dict[str, Any] = {"torch": torch, "x": x, "device": device}
        exec(code, names)
        y = names["y"]
        if y.is_floating_point():
            weights = torch.arange(16.0).reshape(4, 4).to(device)
            finite = torch.where(y.isfinite(), y, torch.zeros_like(y)).float()
            (finite * weights).sum().backward()
        barrier()
        steps.append([str(y.dtype), y.detach().cpu().tolist(), None if x.grad is None else x.grad.cpu().tolist()])
        compiles.append(count() - before)
    return {"steps": repr(steps), "compiles": compiles}


def main() -> None:
    """Convert each write, and run both."""
    import torch
    import torch_xla
    import torch_xla.debug.metrics as metrics

    from xlaport import registry
    from xlaport.engine import Settings, convert
    from xlaport.targets.known import target

    xla = torch_xla.device()  # before the first backward(), which counts the kinds of devices
    rules = [rule for rule in registry.load() if rule.code in ("XP406", "XP412")]

    def compiled() -> int:
        return metrics.counter_value("UncachedCompile") or 0

    found: dict[str, Any] = {}
    for name, write in WRITES.items():
        conversion = convert(program(write), "program.py", rules, Settings(target()), "\n")
        lines = conversion.text.splitlines()
        first = next(i for i, line in enumerate(lines) if "model(inputs)" in line)
        last = next(i for i, line in enumerate(lines) if "loss = " in line)
        after = textwrap.dedent("\n".join(lines[first + 1 : last]))
        found[name] = {
            "rewritten": after != write and "[" not in OTHER_INDICES.sub("", after),
            "cpu": [run(text, torch.device("cpu"), compiled, lambda: None) for text in (write, after)],
            "xla": [run(text, xla, compiled, torch_xla.sync) for text in (write, after)],
        }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
