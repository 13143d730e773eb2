"""What takes the place of torch_xla's trace_detached() writes one trace: of some time, or up to the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules._lib.shapes.helpers import helpers
from tests.child import output_of

SCRIPT = """\
import sys
import time  # the helper's

import torch

{helper}


trace_steps(sys.argv[1], float(sys.argv[2]))
weight = torch.nn.Parameter(torch.ones(2))
optimizer = torch.optim.SGD([weight], lr=0.1)
for step in range(3):
    weight.square().sum().backward()
    optimizer.step()
torch.ones(3).cosh()
"""


@pytest.mark.parametrize(("milliseconds", "to_the_end"), [("0", False), ("1e6", True)])
def test_a_trace_ends_with_a_step_or_with_the_program(tmp_path: Path, milliseconds: str, to_the_end: bool) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT.format(helper=helpers()["trace_steps"].replace("{torch}", "torch")), encoding="utf-8")
    output_of(str(script), str(tmp_path / "traces"), milliseconds)
    (trace,) = (tmp_path / "traces").iterdir()
    names = [event.get("name") for event in json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]]
    assert names.count("aten::square") == (3 if to_the_end else 1)
    assert ("aten::cosh" in names) is to_the_end
