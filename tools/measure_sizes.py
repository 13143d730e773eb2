"""Measure what functions cost whose result has as many elements as the data says.

    python -m tools.measure_sizes [--write]

Runs the code of each entry of `rules/shapes/sizes.toml`, and that of its recipe, with one size after another, a barrier
behind each, and counts what torch_xla compiles, how often the host waits, and what runs on the host. Prints JSON; with
`--write`, writes what it found into the table.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("PJRT_DEVICE", "CPU")
# What is compiled does not depend on how well it is compiled.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")

import torch
import torch_xla
import torch_xla.debug.metrics as met
import torchvision

from rules._lib.shapes.constructs import EACH, ONCE
from rules.shapes.xp412_size_from_data.sized import FILE, Sized, functions

STEPS = 4
WARM_UP = 1


def inputs(size: int, step: int) -> dict[str, Any]:
    """The tensors of a step: what they hold has another size in each, they have not."""
    several = step + 2
    ids = torch.zeros(size, dtype=torch.long)
    ids[:several] = torch.arange(several)
    mask = torch.zeros(size, 8, dtype=torch.bool)
    mask[:several] = True
    boxes = torch.tensor([0.0, 0.0, 1.0, 1.0]).repeat(size, 1)
    boxes[:several] += 10.0 * torch.arange(several)[:, None]
    boxes[several:, 2:] -= 0.6
    return {
        "x": torch.arange(size)[:, None].clamp(max=several).repeat(1, 8).float(),
        "m": mask,
        "ids": ids,
        "boxes": boxes,
        "scores": torch.linspace(1, 0.1, size),
    }


def run(code: str, size: int) -> dict[str, Any]:
    """What the steps of one piece of code cost, on tensors of a size that no other code uses."""
    device = torch_xla.device()
    compiled = compile(code, code, "exec")
    graphs, waits = list[int](), list[int]()
    fallen = set[str]()
    for step in range(STEPS):
        scope = {name: tensor.to(device) for name, tensor in inputs(size, step).items()}
        torch_xla.sync(wait=True)
        met.clear_counters()
        before = _transfers()
        exec(compiled, {"torch": torch, "torchvision": torchvision, "d": device}, scope)
        # What is computed with it is of its size, too; the number makes a graph of it that no other code has.
        scope["s"] = torch.roll(scope["r"].flatten().float(), size)
        torch_xla.sync(wait=True)
        graphs.append(int(met.counter_value("UncachedCompile") or 0))
        waits.append(_transfers() - before)
        fallen |= {name for name in met.counter_names() if name.startswith("aten::")}
    outcome = EACH if all(graphs[WARM_UP:]) else "some" if any(graphs[WARM_UP:]) else ONCE
    return {"compiles": outcome, "waits": max(waits), "falls_back": sorted(fallen)}


def _transfers() -> int:
    return int((met.metric_data("TransferFromDeviceTime") or (0,))[0])


def measured() -> Iterator[dict[str, Any]]:
    """What was found of each entry, for each piece of its code and of its recipe's."""
    size = 40
    for function in functions():
        found: dict[str, Any] = {"name": function.name, "code": [], "instead": []}
        for kind, codes in (("code", function.code), ("instead", function.instead)):
            for code in codes:
                size += 1
                found[kind].append(run(code, size))
        yield found


def write(results: list[dict[str, Any]]) -> None:
    """Write the outcomes into the table."""
    head, *entries = re.split(r"(?=^\[\[function\]\]$)", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    head = re.sub(r"^torch_xla = .*$", f'torch_xla = "{torch_xla.__version__}"', head, flags=re.MULTILINE)
    for index, result in enumerate(results):
        for key, value in combined(result["code"]).items():
            entries[index] = re.sub(rf"^{key} = .*$", f"{key} = {json.dumps(value)}", entries[index], flags=re.M)
    FILE.write_text("".join([head, *entries]), encoding="utf-8")


def combined(results: list[dict[str, Any]]) -> dict[str, Any]:
    """What several pieces of code for the same function cost, as the table says it."""
    outcomes = {result["compiles"] for result in results}
    return {
        "compiles": outcomes.pop() if len(outcomes) == 1 else "some",
        "waits": max(result["waits"] for result in results),
        "falls_back": sorted({name for result in results for name in result["falls_back"]}),
    }


def as_written(function: Sized) -> dict[str, Any]:
    """What the table says of a function, in the same form."""
    return {"compiles": function.compiles, "waits": function.waits, "falls_back": list(function.falls_back)}


def main() -> None:
    """Measure, print, and write where that is asked for."""
    results = list(measured())
    if "--write" in sys.argv:
        write(results)
    for function, result in zip(functions(), results, strict=True):
        result["table"] = as_written(function)
        result["found"] = combined(result["code"])
    json.dump({"torch_xla": torch_xla.__version__, "functions": results}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
