"""Measure what torch_xla makes of a Python number that changes from step to step: a graph for each value, or one.

    python -m tools.measure_numbers [--write | --compare]

Runs the code of each entry of `rules/shapes/numbers.toml` with one number after another, a barrier behind each, and
counts what torch_xla compiles. Prints JSON; with `--write`, writes what it found into the table. `--compare` prints
the entries that have become wrong, as far as a quick look can tell.
"""

from __future__ import annotations

import json
import os
import random
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

from rules._lib.shapes.constructs import EACH, FILE, ONCE, Construct, constructs

INTEGERS = [2, 3, 4, 5, 6, 7]
SPECIAL = [0, 1, -1]
WARM_UP = {"program": 3, "call": 1, "syntax": 1}
"""How many steps may compile before it counts."""


class Bench:
    """Steps of one piece of code, on tensors of a size that no other code uses: it finds no graph of another's."""

    def __init__(self, code: str, setup: str, size: int) -> None:
        device = torch_xla.device()
        self.scope: dict[str, Any] = {
            "torch": torch,
            "F": torch.nn.functional,
            "random": random,
            "d": device,
            "n": size,
            "x": torch.rand(size, 32).to(device) + 0.5,
            "y": torch.rand(size, 32).to(device),
            "z": torch.zeros(size, 32).to(device),
            "m": torch.rand(size, 32).to(device) > 0.5,
            "ids": torch.arange(size).to(device),
            "image": torch.rand(1, 1, size, 16).to(device),
        }
        exec(setup, self.scope)
        torch_xla.sync()
        self.code = compile(code, code, "exec")

    def run(self, number: float) -> None:
        """Trace one step with this number."""
        self.scope["i"] = number
        exec(self.code, self.scope)


def compiles(benches: list[Bench], number: float) -> int:
    """How many graphs one step of all the benches together compiles."""
    before = met.counter_value("UncachedCompile") or 0
    for bench in benches:
        bench.run(number)
    torch_xla.sync()
    return int((met.counter_value("UncachedCompile") or 0) - before)


def outcome(construct: Construct, bench: Bench, numbers: list[int]) -> str:
    """Whether each of the numbers compiles a graph, or none does after the first ones."""
    counts: list[int] = []
    for kind in sorted(construct.numbers, reverse=True):
        again = [compiles([bench], number if kind == "int" else number + 0.5) for number in numbers]
        counts += again[WARM_UP[construct.kind] :]
    return EACH if all(counts) else "some" if any(counts) else ONCE


def special(construct: Construct, bench: Bench) -> Iterator[int]:
    """The special numbers that compile where the others don't."""
    for number in SPECIAL:
        for kind in sorted(construct.numbers):
            try:
                if compiles([bench], number if kind == "int" else float(number)):
                    yield number
            except (RuntimeError, ValueError, IndexError, ZeroDivisionError):
                continue  # a number that makes no sense here


def measured() -> Iterator[dict[str, Any]]:
    """What was found of each entry; `outcomes` has one outcome for each piece of its code."""
    size = 24
    for construct in constructs():
        outcomes, found = list[str](), set[int]()
        for code in construct.code:
            size += 1
            bench = Bench(code, construct.setup, size)
            outcomes.append(outcome(construct, bench, INTEGERS))
            if outcomes[-1] == ONCE:
                found |= set(special(construct, bench))
        yield {"name": construct.name, "place": construct.place, "outcomes": outcomes, "special": sorted(found)}


def compared() -> Iterator[dict[str, Any]]:
    """The entries that are not as the table says, as far as two numbers can tell: most go into one graph together."""
    size = 24
    steady: list[tuple[Construct, Bench]] = []
    for construct in constructs():
        for code in construct.code:
            size += 1
            bench = Bench(code, construct.setup, size)
            if construct.compiles == ONCE:
                steady.append((construct, bench))
            elif construct.is_baked_in and code == construct.code[0]:
                found = outcome(construct, bench, INTEGERS[: WARM_UP[construct.kind] + 1])
                if found != EACH:
                    yield {"name": construct.name, "place": construct.place, "outcomes": [found]}
    # Numbers that happen to be equal would share an input of the graph, in some steps and not in others.
    torch_xla._XLAC._set_xla_enable_device_data_cache(False)
    counts = [compiles([bench for _, bench in steady], number) for number in INTEGERS[:4]]
    for construct, bench in steady if any(counts[3:]) else ():
        if (found := outcome(construct, bench, INTEGERS)) != ONCE:
            yield {"name": construct.name, "place": construct.place, "outcomes": [found]}


def write(results: list[dict[str, Any]]) -> None:
    """Write the outcomes into the table."""
    head, *entries = re.split(r"(?=^\[\[construct\]\]$)", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    head = re.sub(r"^torch_xla = .*$", f'torch_xla = "{torch_xla.__version__}"', head, flags=re.MULTILINE)
    for index, result in enumerate(results):
        (outcome,) = set(result["outcomes"]) if len(set(result["outcomes"])) == 1 else ("some",)
        entry = re.sub(r"^compiles = .*$", f'compiles = "{outcome}"', entries[index], flags=re.MULTILINE)
        entries[index] = re.sub(r"^special = .*$", f"special = {result['special']}", entry, flags=re.MULTILINE)
    FILE.write_text("".join([head, *entries]), encoding="utf-8")


def main() -> None:
    """Measure, print, and write where that is asked for."""
    results = list(compared() if "--compare" in sys.argv else measured())
    if "--write" in sys.argv:
        write(results)
    json.dump({"torch_xla": torch_xla.__version__, "constructs": results}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
