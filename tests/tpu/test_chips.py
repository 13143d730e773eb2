"""The chips that graphs are compiled for."""

from __future__ import annotations

import pytest

from xlaport.errors import UserError
from xlaport.launching import slices
from xlaport.tpu.chips import chip_of


def test_one_chip_and_a_slice() -> None:
    one, slice_ = chip_of("v5e"), chip_of("V5E-8")
    assert (one.name, one.count, one.topology, one.host) == ("TPU v5e", 1, "v5e:1x1", (1, 1, 1))
    assert (slice_.name, slice_.count, slice_.topology, slice_.host) == ("TPU v5e-8", 8, "v5e:2x4", (2, 2, 1))
    assert slice_.hbm == one.hbm == 16 * 2**30


@pytest.mark.parametrize("code", ["v4-8", "v5p-16", "v5e-8", "v5litepod-16", "v6e-32"])
def test_a_slice_is_that_of_the_same_name_that_a_script_is_launched_on(code: str) -> None:
    assert chip_of(code).count == slices.find(code).chips


@pytest.mark.parametrize("kind", ["v4", "v5e", "v5p", "v6e"])
def test_figures_of_a_chip_are_possible(kind: str) -> None:
    chip = chip_of(kind)
    assert chip.usable < chip.hbm
    assert chip.flops / chip.bandwidth > 100  # FLOPs for each byte: below that, memory bounds everything


@pytest.mark.parametrize("name", ["v7", "h100", "", "v5e-3", "v5e-x", "v5e-0", "8"])
def test_another_name_is_one_line_with_those_there_are(name: str) -> None:
    with pytest.raises(UserError, match=r"^--tpu .*take "):
        chip_of(name)
