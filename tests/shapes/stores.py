"""Stores by a changing number, and what XP401 advises; as a program: what each leaves in the tensor.

`python -m tests.shapes.stores` prints as JSON, for each row of the table, what is in `x` after the code as it was, on
the CPU, and after the advised one on the CPU and on XLA. An error's name stands where it raises.
"""

from __future__ import annotations

import json
import sys
from typing import Any

ONE = "torch.tensor([i], device=x.device)"
TWO = "torch.arange(2, device=x.device) + i"

ROWS: list[tuple[str, str]] = [
    ("x[i] = ids", f"x[{ONE}] = ids.to(x.dtype)"),
    ("x[i] = ids * 2 + 1", f"x[{ONE}] = (ids * 2 + 1).to(x.dtype)"),
    ("x[i] = double", f"x[{ONE}] = double.to(x.dtype)"),
    ("x[i] = ids.sum()", f"x[{ONE}] = ids.sum().to(x.dtype)"),
    ("x[i] = ids > 1", f"x[{ONE}] = (ids > 1).to(x.dtype)"),
    ("x[i] = 1", f"x[{ONE}] = 1"),
    ("x[i] += ids", f"x[{ONE}] += ids"),
    ("x[:, i] = column", f"x[:, {ONE}] = column.unsqueeze(1).to(x.dtype)"),
    ("x[..., i] = column", f"x[..., {ONE}] = column.unsqueeze(-1).to(x.dtype)"),
    ("x[:, i] = column.sum()", f"x[:, {ONE}] = column.sum().to(x.dtype)"),
    ("x[:, i] += column", f"x[:, {ONE}] += column.unsqueeze(1)"),
    ("x[0, i] = ids[0]", f"x[0, {ONE}] = ids[0].to(x.dtype)"),
    ("x[i], column[0] = ids, 1", f"x[{ONE}] = ids.to(x.dtype)"),
    ("x[i : i + 2] = rows", f"x[{TWO}] = rows.to(x.dtype)"),
    ("x[i : i + 2] = 3", f"x[{TWO}] = 3"),
    ("x[:, i : i + 2] = rows[:, :2].sum()", f"x[:, {TWO}] = rows[:, :2].sum().to(x.dtype)"),
    ("x[i].copy_(ids)", f"x[{ONE}] = ids.to(x.dtype)"),
    ("x[i].zero_()", f"x[{ONE}] = 0"),
    ("x[i].fill_(7)", f"x[{ONE}] = 7"),
    ("x[i : i + 2].copy_(rows)", f"x[{TWO}] = rows.to(x.dtype)"),
]
"""What stands in the step, and what the finding advises, word for word; `x` is 6 by 4, and `i` the number of a step."""

WRITTEN: list[tuple[str, str]] = [
    ("x[i] = ids", "x[torch.tensor([i])] = ids.to(x)"),
    ("x[i] = ids * 2 + 1", "x[torch.tensor([i])] = (ids * 2 + 1).to(x)"),
    ("x[i] = double", "x[torch.tensor([i])] = double.to(x)"),
    ("x[i] = ids.sum()", "x[torch.tensor([i])] = ids.sum().to(x)"),
    ("x[i] = ids > 1", "x[torch.tensor([i])] = (ids > 1).to(x)"),
    ("x[i] = 1", "x[torch.tensor([i])] = 1"),
    ("x[i].copy_(ids)", "x[torch.tensor([i])] = ids.to(x)"),
]
"""The same of what XP404 writes."""

SETUP = """
import torch

x = torch.arange(24.0, device=d).view(6, 4)
ids = torch.arange(4, device=d)
double = torch.ones(4, dtype=torch.float64, device=d)
column = torch.arange(6, device=d)
rows = torch.ones(2, 4, dtype=torch.int64, device=d)
"""


def program(row: tuple[str, str]) -> str:
    """A program with the code as it was in its step."""
    setup = SETUP.replace("device=d", 'device="cuda"')
    return f"""{setup}
model = torch.nn.Linear(4, 1).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(1, 64):
    {row[0]}
    model(x).sum().backward()
    optimizer.step()
"""


def left(code: str, device: Any, number: int) -> Any:
    """What is in `x` after a piece of code."""
    names: dict[str, Any] = {"d": device, "i": number}
    try:
        exec(SETUP, names)
        exec(f"places = torch.arange(x.size({int('index_select(1' in code)}), device=x.device)", names)
        exec(code, names)
        return names["x"].cpu().tolist()
    except (RuntimeError, IndexError) as error:
        return type(error).__name__


def main() -> None:
    """Run each row on both."""
    import torch
    import torch_xla

    cpu, xla = torch.device("cpu"), torch_xla.device()
    found = [[left(b, cpu, n), left(a, cpu, n), left(a, xla, n)] for b, a in ROWS + WRITTEN for n in (1, 2)]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
