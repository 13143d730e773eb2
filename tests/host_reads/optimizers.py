"""What XP310 does to optimizers; as a program: their steps before and after on the CPU and on XLA.

`python -m tests.host_reads.optimizers` prints as JSON, for each optimizer, the weights after some steps (plain on the
CPU, plain and converted on XLA), and what each step on XLA compiled and fetched.
"""

from __future__ import annotations

import json
from typing import Any

from xlaport import registry
from xlaport.engine import Settings, convert
from xlaport.rule import Applicability
from xlaport.targets.known import target

STEPS, WARM_UP = 8, 2
NAMES = ("ASGD", "Rprop")
SOURCE = """\
import torch

model = torch.nn.Linear(4, 2).to("cuda")
optimizer = torch.optim.{name}(model.parameters(), lr=0.01)
"""


def options(name: str) -> dict[str, Any]:
    """The options that the optimizer has after the conversion."""
    rules = [registry.find(registry.load(), "XP310")]
    allowed = frozenset({Applicability.SAFE, Applicability.UNSAFE})
    text = convert(SOURCE.format(name=name), "train.py", rules, Settings(target(), allowed)).text
    found: dict[str, Any] = eval("dict(" + text.rpartition("(model.parameters(), ")[2].strip())
    return found


def run(name: str, device: Any, **given: Any) -> dict[str, Any]:
    """The weights after the steps, and what each of them compiled and fetched."""
    import torch
    import torch_xla.core.xla_model as xm
    from torch_xla.debug import metrics

    def counts() -> list[int]:
        data = [metrics.metric_data(name) for name in ("CompileTime", "TransferFromDeviceTime")]
        return [found[0] if found else 0 for found in data]

    torch.manual_seed(0)
    batches = torch.randn(STEPS, 8, 4)
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2)).to(device)
    optimizer = getattr(torch.optim, name)(model.parameters(), **given)
    steps = []
    for batch in batches:
        before = counts()
        optimizer.zero_grad()
        (model(batch.to(device)) - 1).pow(2).mean().backward()
        optimizer.step()
        xm.mark_step()
        steps.append([now - then for now, then in zip(counts(), before, strict=True)])
    weights = [value for parameter in model.parameters() for value in parameter.detach().cpu().flatten().tolist()]
    return {"weights": weights, "steps": steps}


def main() -> None:
    """Print what became of each."""
    import torch
    import torch_xla

    device = torch_xla.device()
    found = {
        name: {
            "cpu": run(name, torch.device("cpu"), lr=0.01),
            "plain": run(name, device, lr=0.01),
            "converted": run(name, device, **options(name)),
        }
        for name in NAMES
    }
    found["Adafactor"] = {"plain": run("Adafactor", device, lr=0.01)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
