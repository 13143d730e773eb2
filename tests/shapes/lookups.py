"""Places that are looked up in a schedule; as a program: what their conversion does on the CPU and on XLA.

`python -m tests.shapes.lookups` prints as JSON, for each type of the sample, what became of values and types before and
after the conversion, and how many graphs each step compiled.
"""

from __future__ import annotations

import json
import sys
from typing import Any

WARM_UP = 2

SCHEDULER = """
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)


class Scheduler:
    def __init__(self, device):
        self.timesteps = torch.tensor([7.0, 5.0, 3.5, 2.0, 1.0, 0.5]).to(device)
        self.sigmas = torch.tensor([3.0, 2.5, 2.0, 1.25, 0.75, 0.5, 0.0]).to(device)

    def step(self, output, timestep, sample):
        index = (self.timesteps == timestep).nonzero().item()
        sigma = self.sigmas[index]
        return sample + output * (self.sigmas[index + 1] - sigma)


scheduler = Scheduler(device)
x = torch.zeros(2, 4).to(device)
with torch.no_grad():
    for t in scheduler.timesteps:
        x = scheduler.step(model(x), t, x)
"""
"""A sampler; what is run of it is its class."""


def run(text: str, device: Any, dtype: Any, count: Any, barrier: Any) -> dict[str, Any]:
    """What the scheduler does with samples of a type."""
    import torch

    names: dict[str, Any] = {}
    exec(text[: text.index("scheduler = ")].replace('torch.device("cuda")', 'torch.device("cpu")'), names)
    scheduler = names["Scheduler"](device)
    torch.manual_seed(0)
    x = torch.randn(2, 4).to(dtype).to(device)
    steps, compiles = [], []
    for t in scheduler.timesteps:
        before = count()
        x = scheduler.step(x * 0.5, t, x)
        barrier()
        steps.append([str(x.dtype), list(x.shape), x.float().cpu().tolist()])
        compiles.append(count() - before)
    return {"steps": steps, "compiles": compiles}


def main() -> None:
    """Convert the scheduler, and run both."""
    import torch
    import torch_xla
    import torch_xla.debug.metrics as metrics

    from xlaport import registry
    from xlaport.engine import Settings, convert
    from xlaport.rule import Applicability
    from xlaport.targets.known import target

    rules = [rule for rule in registry.load() if rule.code == "XP407"]
    settings = Settings(target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}))
    after = convert(SCHEDULER, "program.py", rules, settings, "\n").text

    def compiled() -> int:
        return metrics.counter_value("UncachedCompile") or 0

    xla = torch_xla.device()
    found: dict[str, Any] = {}
    for dtype in (torch.float32, torch.bfloat16, torch.float64):
        found[str(dtype)] = {
            "rewritten": after != SCHEDULER,
            "cpu": [run(text, torch.device("cpu"), dtype, compiled, lambda: None) for text in (SCHEDULER, after)],
            "xla": [run(text, xla, dtype, compiled, torch_xla.sync) for text in (SCHEDULER, after)],
        }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
