"""What constructs cost in a step: what was known, what verify measures, and what check says of the line agree.

The rows are in ``constructs.toml``. Each is run on XLA:CPU under the probe; where verify fails the step, check has a
rule for the line, or for that of the optimizer, and where verify passes it, none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.warm_python import with_torch_xla
from xlaport import run
from xlaport.config import Config
from xlaport.verify import Verdict, VerifyRequest, verify

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "constructs.toml").read_text(encoding="utf-8"))
ROWS: list[dict[str, Any]] = TABLE["row"]
STEPS, STEADY = 14, 5
SGD = "SGD(model.parameters(), lr=0.1)"
SCRIPT = """\
import torch
import torch_xla
from torch import nn
from torch.nn import functional as F

device = torch_xla.device()
torch.manual_seed(0)
torch_xla.manual_seed(0)
model = nn.Linear(16, 16).to(device)
lstm = nn.LSTM(16, 4, batch_first=True).to(device)
image = torch.randn(1, 2, 8, 8).to(device)
optimizer = torch.optim.{optimizer}
for step in range({steps}):
    x = torch.randn(32, 16).to(device)
    n = torch.randint(0, 5, (32,)).to(device)
    m = x > 1
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    with torch.no_grad():
{code}
    optimizer.step()
    torch_xla.sync()
"""
FIRST = SCRIPT[: SCRIPT.index("{code}")].count("\n") + 1
OPTIMIZER = SCRIPT[: SCRIPT.index("{optimizer}")].count("\n") + 1
Costs = Callable[..., Verdict]


def script(*constructs: str, optimizer: str = SGD) -> str:
    lines = []
    for number, code in enumerate(constructs):
        is_statement = code.startswith(("x[m] =", "y =", "assert ", "print(", "pass"))
        lines.append(f"        {code}" if is_statement else f"        kept{number} = {code}")
    return SCRIPT.format(code="\n".join(lines), optimizer=optimizer, steps=STEPS)


@pytest.fixture(scope="module")
def costs(tmp_path_factory: pytest.TempPathFactory) -> Costs:
    """Runs constructs and says what verify says."""

    def measure(*constructs: str, optimizer: str = SGD) -> Verdict:
        folder = tmp_path_factory.mktemp("run")
        (folder / "train.py").write_text(script(*constructs, optimizer=optimizer))
        return verify(VerifyRequest("train.py", timeout=120, python=with_torch_xla(), directory=folder))

    return measure


def name(row: dict[str, Any]) -> str:
    return str(row.get("optimizer", row["code"]))


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_a_row_costs_what_it_says(row: dict[str, Any], costs: Costs) -> None:
    verdict = costs(row["code"], optimizer=row.get("optimizer", SGD))
    if "error" in row:
        assert verdict.verdict == "error"
        assert row["error"] in verdict.findings[0].reason
        return
    steady = slice(STEADY, STEPS)
    assert len(verdict.compiles.per_step) == STEPS
    assert max(verdict.transfers.per_step[steady]) == row.get("transfers", 0)
    assert max(verdict.executions.per_step[steady]) == row.get("executions", 1)
    assert [op for op, _ in verdict.fallbacks] == row.get("fallbacks", [])
    if "compiles" in row:
        assert list(verdict.compiles.per_step[: len(row["compiles"])]) == row["compiles"]
    else:
        # Counts that come again have been compiled: some steps may pass without.
        assert (sum(verdict.compiles.per_step[steady]) > 3) == row.get("grows", False)
    costly = bool(row.get("transfers") or row.get("grows"))
    assert verdict.verdict == ("fail" if costly else "pass")
    at = {finding.line for finding in verdict.findings if finding.severity == "fail"}
    after = FIRST + (1 if "optimizer" in row else 0)
    assert at <= {FIRST, after, FIRST + 2}
    assert (not row.get("transfers")) or after in at


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_check_speaks_of_what_costs_and_of_nothing_else(row: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(script(row["code"], optimizer=row.get("optimizer", SGD)))
    said = {finding.code for finding in findings(tmp_path, FIRST, OPTIMIZER)}
    assert said == set(row["check"])
    assert bool(said) == bool(row.get("transfers") or row.get("grows") or "error" in row)


def findings(folder: Path, *lines: int) -> list[Any]:
    found = [finding for file in run.convert([folder], Config()).files for finding in file.findings]
    return [finding for finding in found if finding.line in lines]


def test_what_is_free_is_free_and_check_is_silent_of_it(costs: Costs, tmp_path: Path) -> None:
    verdict = costs(*TABLE["free"])
    assert (verdict.verdict, verdict.findings) == ("pass", ())
    assert verdict.compiles.per_step == (1, *[0] * (STEPS - 1))
    (tmp_path / "train.py").write_text(script(*TABLE["free"]))
    assert findings(tmp_path, *range(FIRST, FIRST + len(TABLE["free"]))) == []


@pytest.mark.parametrize("code", TABLE["numbers"])
def test_a_number_that_is_no_shape_is_compiled_for_a_few_values_only(code: str, costs: Costs, tmp_path: Path) -> None:
    verdict = costs(code)
    assert (verdict.verdict, sum(verdict.compiles.per_step[STEADY:])) == ("pass", 0)
    (tmp_path / "train.py").write_text(script(code))
    assert findings(tmp_path, FIRST) == []


@pytest.mark.parametrize(
    ("count", "optimizer"), [(int(count), code) for count, codes in TABLE["warm_up"].items() for code in codes]
)
def test_the_warm_up_of_an_optimizer(count: int, optimizer: str, costs: Costs) -> None:
    verdict = costs("pass", optimizer=optimizer)
    assert (verdict.verdict, verdict.findings) == ("pass", ())
    assert verdict.compiles.per_step == (*[1] * count, *[0] * (STEPS - count))
