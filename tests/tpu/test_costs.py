"""Costly operations by the user's lines: ten and more that are planted are each named, and their twins are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tpu.planting import graph_of, program_of
from xlaport.tables import read_table
from xlaport.tpu.chips import chip_of
from xlaport.tpu.costs import costs_of, lines_of
from xlaport.verify.on_chip import Cost

PLANTED = read_table(Path(__file__).with_name("costs.toml"))
KINDS = {
    "attention": "attention-scores",
    "padding": "matrix-padding",
    "raised": "float32-product",
    "float32": "float32-product",
    "gather": "gather",
    "rows": "gather",
    "scatter": "scatter",
    "upcast": "upcast-table",
    "donation": "missing-donation",
    "sort": "sort",
    "layout": "layout-copy",
    "wide": "wide-numbers",
    "integers": "wide-numbers",
    "host": "host-transfer",
    "constant": "large-constant",
    "updates": "updates-in-loop",
    "again": "recomputed",
}
CHIP = chip_of("v5e")


def costs(text: str) -> tuple[Cost, ...]:
    return costs_of(graph_of(text), program_of(text), CHIP)


def test_each_kind_is_planted() -> None:
    assert list(KINDS) == list(PLANTED)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_cost_is_named_with_its_line(name: str) -> None:
    text = PLANTED[name]["planted"]
    line = next(number for number, row in enumerate(text.splitlines(), 1) if row.endswith("# cost"))
    found = costs(text)
    own = [cost for cost in found if cost.kind == KINDS[name]]
    assert [cost.site.line for cost in own if cost.site is not None] == [line], found
    assert own[0].advice
    assert 0 < own[0].share <= 1
    assert own[0].bytes or own[0].cycles
    assert own[0].of_memory == (name in ("donation", "constant"))


@pytest.mark.parametrize("name", PLANTED)
def test_its_twin_has_none_of_that_kind(name: str) -> None:
    assert KINDS[name] not in [cost.kind for cost in costs(PLANTED[name]["clean"])]


def test_what_matters_little_is_not_said() -> None:
    """The same lookup beside much more work."""
    text = """
x = torch.zeros(4096, 4096).to(dev).bfloat16()
table = torch.zeros(1000, 128).to(dev)
places = torch.zeros(16, dtype=torch.long).to(dev)
for _ in range(4):
    x = x @ x
shapes(x, table[places])
"""
    assert not costs(text)


def test_what_a_host_takes_longer_to_start_is_not_said() -> None:
    assert not costs("x = torch.zeros(100).to(dev)\nshapes(torch.sort(x)[0])\n")


def test_the_time_of_a_step_is_laid_to_lines() -> None:
    text = """
x = torch.zeros(2048, 2048).to(dev).bfloat16()
w = torch.zeros(2048, 2048).to(dev).bfloat16().requires_grad_()
y = x @ w
z = y.float().sum()
z.backward()
shapes(z, w.grad)
"""
    lines = lines_of(graph_of(text), program_of(text), CHIP)
    assert lines[0].site.line == 4  # the backward pass of a product belongs to it
    assert sum(line.share for line in lines) <= 1
    assert lines[0].share > 0.5
