"""Writes into tensors that share memory, on the CPU and on XLA; as a program: what each write leaves in both.

`python -m tests.shapes.memory` prints as JSON, for each row of the table, what is in the written tensor and in the one
that it was made of, `b`: on the CPU, on XLA, and on XLA once it is converted. An error's name stands where it raises.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from xlaport import registry
from xlaport.engine import Conversion, Settings, convert
from xlaport.rule import Applicability
from xlaport.targets.known import target

SAME, WRONG, SILENT = "same", "wrong", "silent"
"""What XLA does: what the CPU does; something else; something where the CPU raises an error."""

ROW = "torch.ones(3, device=d)"
ROWS: dict[tuple[str, str], str] = {
    # What is expanded, and written as a whole, through a mask, in a part.
    (f"{ROW}.expand(2, 3)", "y.fill_(9)"): WRONG,
    (f"{ROW}.expand(2, 3)", "y.zero_()"): WRONG,
    (f"{ROW}.expand(2, 3)", "y[y > 0] = 9"): WRONG,
    (f"{ROW}.expand(2, 3)", "y.masked_fill_(y > 0, 9)"): WRONG,
    (f"{ROW}.expand(2, 3)", "y.mul_(3)"): SILENT,
    (f"{ROW}.expand(2, 3)", "y += 1"): SILENT,
    (f"{ROW}.expand(2, 3)", "y[:, 0] = 9"): SILENT,
    (f"{ROW}.expand(2, 3)", "y.copy_(torch.zeros_like(y))"): SILENT,
    (f"{ROW}.expand(2, 3)", "torch.add(torch.zeros_like(y), 9, out=y)"): SILENT,
    (f"{ROW}.expand(2, 3)", "torch.nn.functional.relu(y, inplace=True)"): SILENT,
    (f"{ROW}.expand_as(torch.zeros(2, 3, device=d))", "y.fill_(9)"): WRONG,
    (f"{ROW}.broadcast_to((2, 3))", "y.fill_(9)"): WRONG,
    (f"torch.broadcast_to({ROW}, (2, 3))", "y.fill_(9)"): WRONG,
    (f"torch.broadcast_tensors({ROW}, torch.zeros(2, 1, device=d))[0]", "y.fill_(9)"): WRONG,
    (f"torch.meshgrid({ROW}, {ROW}, indexing='ij')[0]", "y.fill_(9)"): WRONG,
    (f"{ROW}[None].expand(2, -1)", "y.fill_(9)"): WRONG,
    # Views of what is expanded.
    (f"{ROW}.expand(2, 3).t()", "y.fill_(9)"): WRONG,
    (f"{ROW}.expand(2, 3)[:, :2]", "y.fill_(9)"): WRONG,
    (f"{ROW}.expand(2, 3).unsqueeze(0)", "y.fill_(9)"): WRONG,
    (f"{ROW}.expand(2, 3).detach()", "y.fill_(9)"): WRONG,
    (f"{ROW}.expand(2, 3).to(d)", "y.fill_(9)"): WRONG,
    # What copies on the CPU and on a GPU, and not on XLA.
    (f"{ROW}.expand(2, 3).contiguous()", "y[:, 0] = 9"): WRONG,
    (f"{ROW}.expand(2, 3).contiguous()", "y += 1"): WRONG,
    (f"{ROW}.expand(2, 3).reshape(6)", "y += 1"): WRONG,
    (f"{ROW}.expand(2, 3).flatten()", "y += 1"): WRONG,
    # Each element that is written has a place of its own.
    (f"{ROW}.expand(2, -1)", "y[0] = 9"): SAME,
    (f"{ROW}.expand(2, -1)[1]", "y += 1"): SAME,
    ("torch.ones(2, 3, device=d).expand(-1, -1)", "y += 1"): SAME,
    ("torch.ones(1, 3, device=d).expand(1, -1)", "y += 1"): SAME,
    (f"{ROW}.expand(2, 3).clone()", "y += 1"): SAME,
    (f"{ROW}.expand(2, 3) * 1", "y += 1"): SAME,
    (f"{ROW}.repeat(2, 1)", "y += 1"): SAME,
    ("torch.ones(3).expand(2, 3).to(d)", "y.fill_(9)"): SAME,
    # Copies of a tensor in another order, or of a part of it.
    ("b.t().contiguous()", "y += 1"): WRONG,
    ("b.permute(1, 0).contiguous()", "y += 1"): WRONG,
    ("b.t().contiguous().view(-1)", "y += 1"): WRONG,
    ("b[:, 1:].contiguous()", "y += 1"): WRONG,
    ("b[:, 0].contiguous()", "y += 1"): WRONG,
    ("b.chunk(3, 1)[0].contiguous()", "y += 1"): WRONG,
    ("b.t().flatten()", "y += 1"): WRONG,
    ("b.t().ravel()", "y += 1"): WRONG,
    ("b.t().reshape(-1)", "y += 1"): WRONG,
    ("b[1:].contiguous()", "y += 1"): SAME,
    ("b.contiguous()", "y += 1"): SAME,
    ("b.t()", "y += 1"): SAME,
    ("b.t().t().contiguous()", "y += 1"): SAME,
    ("b.t().clone()", "y += 1"): SAME,
    ("b.t().clone(memory_format=torch.contiguous_format)", "y += 1"): SAME,
    ("b.t().flatten().clone()", "y += 1"): SAME,
}
"""How a tensor is made, and written; and what XLA does of it. `b` is 2 by 3 numbers on the device `d`."""


def program(made: str, write: str) -> str:
    """A program that makes a tensor on the device, and writes into it."""
    return f"""import torch

model = torch.nn.Linear(3, 3).to("cuda")
d = torch.device("cuda")
b = torch.arange(6.0, device=d).view(2, 3)
y = {made}
{write}
print(y, b)
"""


def converted(made: str, write: str) -> Conversion:
    """The program, converted by the rules for such writes."""
    rules = [rule for rule in registry.load() if rule.code in ("XP414", "XP418")]
    allowed = frozenset({Applicability.SAFE, Applicability.UNSAFE})
    return convert(program(made, write), "program.py", rules, Settings(target(), allowed), "\n")


def left(code: str, device: Any) -> list[Any]:
    """What is in `y` and in `b` after a piece of code."""
    import torch

    names: dict[str, Any] = {"torch": torch, "d": device, "b": torch.arange(6.0).view(2, 3).to(device)}
    try:
        exec(code, names)
        return [names["y"].cpu().tolist(), names["b"].cpu().tolist()]
    except RuntimeError as error:
        return [type(error).__name__]


def main() -> None:
    """Run each row on both, and on XLA as it is converted."""
    import torch
    import torch_xla

    xla, found = torch_xla.device(), []
    for row in ROWS:
        before = "y = {}\n{}".format(*row)
        after = converted(*row).text.partition("view(2, 3)\n")[2].replace("print(y, b)", "")
        found.append([left(before, torch.device("cpu")), left(before, xla), left(after, xla)])
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
