"""Runs pairs of programs, before and after: the one on the CPU, the other on XLA. Prints what they give as JSON.

Started by `test_values.py` as a process of its own, once for all programs: torch_xla takes seconds to load.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import torch
import torch_xla
import torch_xla.debug.metrics as met


def transfers() -> int:
    data = met.metric_data("TransferFromDeviceTime")
    return data[0] if data else 0


def shown(value: Any) -> Any:
    """A value and its type, down to the elements of lists, tuples and dicts."""
    if isinstance(value, dict):
        return {key: shown(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [type(value).__name__, *(shown(inner) for inner in value)]
    return [type(value).__name__, float(value) if isinstance(value, int | float | bool) else str(value)]


class Batches(list[torch.Tensor]):
    """Counts the reads of the loops that go through it."""

    reads = 0

    def __iter__(self) -> Iterator[torch.Tensor]:
        start = transfers()
        yield from super().__iter__()
        self.reads += transfers() - start


def run(text: str, device: torch.device, batches: Batches) -> Any:
    namespace: dict[str, Any] = {}
    exec(compile(text, "<program>", "exec"), namespace)
    try:
        return shown(namespace["program"](device, batches))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def main() -> None:
    programs: dict[str, tuple[str, str]] = json.load(sys.stdin)
    results: dict[str, Any] = {}
    for name, (before, after) in programs.items():
        found: dict[str, Any] = {"before": [], "after": [], "reads": []}
        for steps in (0, 1, 6, 12):
            torch.manual_seed(0)
            batches = Batches(torch.randn(2, 4) for _ in range(steps))
            found["before"].append(run(before, torch.device("cpu"), batches))
            found["after"].append(run(after, torch_xla.device(), batches))
            found["reads"].append(batches.reads)
        results[name] = found
    print(json.dumps(results))


if __name__ == "__main__":
    main()
