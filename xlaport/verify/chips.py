"""Which TPU chips this machine has, without taking them from anybody."""

from __future__ import annotations

from pathlib import Path

_VENDOR = "0x1ae0"
_DEVICES = frozenset({"0x0027", "0x005e", "0x0063", "0x006f", "0x0056", "0x0062", "0x0076"})
"""PCI ids of TPU chips: torch_xla 2.9, `_internal/tpu.py`."""


def tpu_chips(bus: Path = Path("/sys/bus/pci/devices")) -> int:
    """TPU chips on this machine's PCI bus; asks neither libtpu nor the runtime, which would take the
    chips. None where there is no such bus (macOS).
    """
    chips = 0
    for vendor in bus.glob("*/vendor"):
        try:
            if vendor.read_text().strip() == _VENDOR:
                chips += (vendor.parent / "device").read_text().strip() in _DEVICES
        except OSError:  # the device went away, or is not ours to read
            continue
    return chips
