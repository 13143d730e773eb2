"""The slices of TPUs: chips, hosts, and names that there are not."""

from __future__ import annotations

import pytest

from xlaport.errors import UserError
from xlaport.launching import slices


@pytest.mark.parametrize(
    ("name", "chips", "hosts"),
    [
        ("v2-8", 4, 1),
        ("v3-32", 16, 4),
        ("v4-8", 4, 1),
        ("v4-16", 8, 2),
        ("v5litepod-1", 1, 1),
        ("v5litepod-8", 8, 1),
        ("v5e-16", 16, 4),
        ("v5p-8", 4, 1),
        ("v6e-8", 8, 1),
        ("tpu-v6e-256", 256, 64),
    ],
)
def test_chips_and_hosts(name: str, chips: int, hosts: int) -> None:
    found = slices.find(name)
    assert (found.chips, found.hosts) == (chips, hosts)


@pytest.mark.parametrize("name", ["", "8", "v4", "v4-7", "v4-12", "v5litepod-2", "v6e-24", "v7x-8", "gpu-8", "v6e-0"])
def test_names_that_there_are_not(name: str) -> None:
    with pytest.raises(UserError) as raised:
        slices.find(name)
    assert "\n" not in str(raised.value)


def test_every_topology_has_as_many_chips_as_its_slice() -> None:
    for name in slices.names():
        found = slices.find(name)
        product = 1
        for side in (found.topology or "").split("x"):
            product *= int(side)
        assert product == found.chips == found.hosts * found.chips_per_host, name
