"""What the file of a save holds, and what a file of XLA is where torch_xla is not: run as a program of its own."""

from __future__ import annotations

import collections
import copy
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

from tests.without_torch_xla import printed_without

_LOAD = """
import json, sys, torch
found = {}
for path in sys.argv[1:]:
    for name, options in (("plain", {}), ("cpu", {"map_location": "cpu"})):
        try:
            loaded = torch.load(path, **options)
            found[f"{path.rpartition('/')[2]} {name}"] = sorted({str(v.device) for v in loaded.values()})
        except NotImplementedError as error:  # (torch's answer for a device without a backend: what is measured)
            found[f"{path.rpartition('/')[2]} {name}"] = type(error).__name__
print(json.dumps(found))
"""


def raised_by(call: Callable[[], object]) -> str | None:
    """The name of the error that a call raises."""
    try:
        call()
    except (AssertionError, TypeError, RuntimeError) as error:
        return type(error).__name__
    return None


def measured(folder: Path) -> dict[str, Any]:
    """What the docstrings of the rules say, measured."""
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).to(torch_xla.device())
    path = folder / "value.pt"

    def saved(value: object) -> Any:
        xm.save(value, path)
        return torch.load(path, weights_only=False)

    torch.save(model.state_dict(), folder / "torch.pt")
    xm.save(model.state_dict(), folder / "xm.pt")
    values = saved({"pair": (1, 2), "ordered": collections.OrderedDict(a=1), "random": random.getstate()})
    parameters = saved({"weight": model[0].weight, "data": model[0].weight.data})
    tied = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4)).to(torch_xla.device())
    tied[1].weight = tied[0].weight
    copied = copy.deepcopy(tied).cpu()
    torch.jit.save(torch.jit.script(nn.Linear(2, 2)), folder / "scripted.pt")
    scripted = torch.jit.load(folder / "scripted.pt", map_location="cpu")
    built = nn.Linear(2, 2).to(torch_xla.device())
    built.load_state_dict(scripted.state_dict())
    disabled = torch.amp.GradScaler("cpu", enabled=False)
    enabled = torch.amp.GradScaler("cpu")
    return {
        "elsewhere": printed_without(_LOAD, str(folder / "torch.pt"), str(folder / "xm.pt")),
        "types": {name: type(value).__name__ for name, value in values.items()},
        "setstate": raised_by(lambda: random.setstate(values["random"])),
        "parameters": {name: value.device.type for name, value in parameters.items()},
        "generator": raised_by(lambda: torch.save(model.parameters(), path)),
        "module": next(saved(model).parameters()).device.type,
        "state_dict": str(model.cpu().load_state_dict(torch.load(folder / "xm.pt"))),
        "untied by a copy": copied[1].weight is not copied[0].weight,
        "scripted": [
            raised_by(lambda: torch.jit.load(folder / "scripted.pt", map_location="xla")),
            raised_by(lambda: scripted.to("xla")),
            bool(torch.equal(built.weight.cpu(), scripted.weight)),
        ],
        "options": raised_by(lambda: xm.save({}, path, pickle_protocol=4)),
        "disabled scaler": [disabled.state_dict(), raised_by(lambda: disabled.load_state_dict(enabled.state_dict()))],
    }


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        json.dump(measured(Path(name)), sys.stdout)
