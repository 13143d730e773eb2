"""What is computed of selections through masks, as authors write it; as a program: what it and its conversion give.

`python -m tests.shapes.masked_values` runs each on the CPU and on XLA, before and after the conversion, and prints as
JSON what became of values, types and gradients, and how many graphs were compiled.
"""

from __future__ import annotations

import json
import sys
import textwrap
from typing import Any

STEPS = 7
WARM_UP = 2

VALUES = {
    "sum": "y = x[x > 0].sum()",
    "mean": "y = x[x > 0].mean()",
    "nothing is selected": "y = x[x > 1e9].sum()",
    "mean of nothing": "y = x[x > 1e9].mean()",
    "everything": "y = x[x == x].mean()",
    "masked_select": "y = x.masked_select(x < 0.5).abs().sum()",
    "torch.masked_select": "y = torch.sum(torch.masked_select(x, x < 0.5))",
    "broadcast masked_select": "keep = (x > 0).any(1, keepdim=True)\ny = x.masked_select(keep).square().sum()",
    "in a quotient": "y = 2 / x[x > 0].exp().mean()",
    "names": "pred = x[t > 0]\nreal = t[t > 0]\ny = (pred - real).abs().mean()",
    "rmse": "m = t > 0\ny = ((x[m] - t[m]) ** 2).mean().sqrt()",
    "l1_loss": "m = t > 0\ny = F.l1_loss(x[m], t[m])",
    "mse_loss": "m = t > 0\ny = F.mse_loss(x[m], t[m])",
    "smooth_l1_loss": 'm = t > 0\ny = F.smooth_l1_loss(x[m], t[m], reduction="sum")',
    "criterion of distances": "m = t > 0\ny = distance(x[m], t[m])",
    "log": "m = (t > 0) & (x > 0)\ny = (x[m].log() - t[m].log()).abs().mean()",
    "the smaller of two": "m = t > 0\ny = torch.min(x[m], t[m]).square().mean() + torch.maximum(x[m], t[m]).sum()",
    "nan that does not count": "z = x.log()\ny = z[x > 0].mean()",
    "infinity that does not count": "z = 1 / (x > 0).float()\ny = x.sum() + (z[x > 0] * 2).square().sum()",
    "nan that counts": "z = x.log()\ny = z[x < 9].sum()",
    "negative numbers": "y = (x[x > 0] / -2).mean() + (x[x < 0] * -3).sum() - x[x > 0].mean()",
    "scaled": "y = (x[x > 0] * 0.5 + 1).mean()",
    "with another mean": "low = x < 0\nhigh = x > 0\ny = (x[low] - x[high].mean()).square().mean()",
    "classes": "y = F.cross_entropy(logits[labels != 0], labels[labels != 0])",
    "classes that are nan": "z = torch.where((labels == 0).unsqueeze(-1), float('nan'), logits)\n"
    "kept = labels != 0\ny = F.cross_entropy(z[kept], labels[kept])",
    "no class": "kept = labels > 99\ny = F.cross_entropy(logits[kept], labels[kept])",
    "criterion": "kept = labels != 0\ny = criterion(logits[kept], labels[kept])",
    "label smoothing": "kept = labels > 1\ny = F.cross_entropy(logits[kept], labels[kept], label_smoothing=0.1)",
    "sum of classes": 'kept = labels > 1\ny = F.cross_entropy(logits[kept], labels[kept], reduction="sum")',
    "log_softmax and nll": "kept = labels > 1\nz = logits.log_softmax(-1)\ny = F.nll_loss(z[kept], labels[kept])",
    "head": "kept = labels > 1\nz = head(F.gelu(logits[kept]))\ny = F.cross_entropy(z, labels[kept])",
    "counted by masked_select": "y = x.sum() + logits.argmax(-1).eq(labels).masked_select(labels > 1).sum()",
    "half": "z = x.half()\ny = z[x > 0].mean()",
    "bfloat16": "z = x.bfloat16()\ny = z[x > 0].sum()",
    "integers": "z = (x * 10).long()\ny = x.sum() + z[z > 3].sum()",
    "mean of rows": "m = t.reshape(-1, 4).sum(1) > 0\ny = (x.reshape(-1, 4)[m] * 2).square().mean()",
    "sum of rows": "m = t.reshape(-1, 4).sum(1) > 0\ny = x.reshape(-1, 4)[m].abs().sum()",
    "no rows": "m = t.reshape(-1, 4).sum(1) > 1e9\ny = x.reshape(-1, 4)[m].mean()",
    "rows with nan": "m = t.reshape(-1, 4).sum(1) > 0\n"
    "z = torch.where(m.unsqueeze(-1), x.reshape(-1, 4), float('nan'))\n"
    "z = z.reshape(-1, 4)[m]\ny = F.smooth_l1_loss(z, t.reshape(-1, 4)[m])",
    "rows and their classes": "kept = labels.reshape(-1) > 1\n"
    "z = logits.reshape(-1, 5)[kept]\nc = labels.reshape(-1)[kept]\n"
    "y = F.cross_entropy(z, c) + (c * 0.5).mean() + z.square().mean()",
    "handed to a function": "m = t > 0\ny = squared(x[m], t[m])",
    "rows that are handed to a function": "m = t.reshape(-1, 4).sum(1) > 0\nz = x.reshape(-1, 4)[m]\n"
    "y = squared(z, real=t.reshape(-1, 4)[m]) + (z * 2).square().mean()",
    "handed to a function of one": "m = t > 0\ny = first(x[m], t[m])",
    "handed to a lambda": "m = t > 0\ny = total(None, x[m], 3, t[m])",
    "handed to a loss in a function": "m = t > 0\ny = smooth(x[m], t[m])",
    "a mask of another name": "valid = t > 0\nvalid = valid & (t < 1)\ny = F.l1_loss(x[valid], t[valid])",
}
"""Each makes `y` of `x`, 4 by 4 numbers that are others in each step and that require a gradient, of `t`, as many, of
`logits`, 4 by 3 by 5 computed from `x`, and of `labels`, 4 by 3 integers."""

NAMES = """
import torch
import torch.nn.functional as F
from torch import nn

distance = nn.MSELoss()
criterion = nn.CrossEntropyLoss(ignore_index=3)
total = lambda a, b, c, d: torch.sum(3 * (b - d).abs())


def squared(found, real):
    "The mean of what they differ by."
    return torch.mean((found - real) ** 2)


def first(found, _):
    return found.square().mean()


def smooth(found, real):
    return F.smooth_l1_loss(found * 2, real, beta=0.5)
"""
HEAD = (
    NAMES
    + """
device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
head = nn.Linear(5, 5).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""
)
GIVEN = """
x = model(inputs)
t = (inputs * 2).to(device)
logits = wide(x)
labels = inputs.long().to(device)
"""


def program(value: str) -> str:
    """A loop of training steps that computes with selections."""
    step = f"{GIVEN}{value}\nloss = y * 2\nloss.backward()\noptimizer.step()\n"
    return f"{HEAD}\nwide = nn.Linear(4, 5).to(device)\nfor inputs in torch.randn(50, 4, 4, device=device):\n" + (
        textwrap.indent(step, "    ")
    )


def run(value: str, device: Any, count: Any, barrier: Any) -> dict[str, Any]:
    """What a computation gives in some steps: `count` says how many graphs were compiled, `barrier` ends a step."""
    import torch

    torch.manual_seed(0)
    batches = torch.randn(STEPS, 4, 4)
    others = torch.randn(STEPS, 4, 4)
    others[2] = others[2].abs()
    others[3] = -others[3].abs()
    wide = torch.randn(4, 15)
    classes = torch.randint(0, 5, (STEPS, 4, 3))
    classes[4] = 4
    names: dict[str, Any] = {"device": device}
    exec(NAMES, names)
    names["head"] = torch.nn.Linear(5, 5).to(device)
    with torch.no_grad():
        names["head"].weight.copy_(wide.flatten()[:25].view(5, 5))
        names["head"].bias.fill_(0.5)
    steps: list[Any] = []
    compiles = []
    code = compile(value, "<value>", "exec")
    for batch, other, labels in zip(batches, others, classes, strict=True):
        before = count()
        x = batch.to(device).requires_grad_()
        names |= {"x": x, "t": other.to(device), "labels": labels.to(device)}
        names["logits"] = (x @ wide.to(device)).view(4, 3, 5)
        exec(code, names)
        y = names["y"]
        y.backward()
        barrier()
        steps.append([str(y.dtype), y.tolist(), x.grad.cpu().tolist()])
        compiles.append(count() - before)
    return {"steps": steps, "compiles": compiles}


def main() -> None:
    """Convert each computation, and run both."""
    import torch
    import torch_xla
    import torch_xla.debug.metrics as metrics

    from xlaport import registry
    from xlaport.engine import Settings, convert
    from xlaport.rule import Applicability
    from xlaport.targets.known import target

    xla = torch_xla.device()  # before the first backward(), which counts the kinds of devices
    rules = [rule for rule in registry.load() if rule.code == "XP408"]
    settings = Settings(target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}))

    def compiled() -> int:
        return metrics.counter_value("UncachedCompile") or 0

    found: dict[str, Any] = {}
    for name, value in VALUES.items():
        conversion = convert(program(value), "program.py", rules, settings, "\n")
        lines = conversion.text.splitlines()
        first = next(i for i, line in enumerate(lines) if "labels = " in line)
        last = next(i for i, line in enumerate(lines) if "loss = " in line)
        after = textwrap.dedent("\n".join(lines[first + 1 : last]))
        found[name] = {
            "after": after,
            "rewritten": after != value and "masked_select" not in after and "[" not in after.replace("[dim]", ""),
            "cpu": [run(text, torch.device("cpu"), compiled, lambda: None) for text in (value, after)],
            "xla": [run(text, xla, compiled, torch_xla.sync) for text in (value, after)],
        }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
