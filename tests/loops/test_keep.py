"""Loops that are no step loops: nothing but the device may change."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport.config import Config

from . import conversion

KEEP = Path(__file__).parent / "keep"


@pytest.mark.parametrize("name", conversion.names(KEEP))
def test_only_the_device_changes(name: str, tmp_path: Path) -> None:
    port = conversion.port(KEEP, name, tmp_path)
    conversion.convert(port.original, tmp_path / "device", Config(select=("XP1",), unsafe=True))
    only_device = conversion.texts(tmp_path / "device")
    assert conversion.texts(port.unsafe) == only_device
    assert only_device != conversion.texts(port.original)
