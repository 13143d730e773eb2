"""Is torch_tpu installed, with what it takes, and apart from torch_xla? A pure function of what is installed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from xlaport.doctor.diagnosis import Check, Status
from xlaport.doctor.installed import Installed
from xlaport.verify.eager.names import PACKAGE, PLAYER, WANTED

_TORCH = ((2, 11), (2, 15))
"""The first and the last torch that torch_tpu 0.2.0 goes with (its requirements)."""


def has_torch_tpu_alone(installed: Installed) -> bool:
    """Whether this is an environment for torch_tpu: what is said of torch_xla does not matter there."""
    return PACKAGE in installed.versions and "torch_xla" not in installed.versions


def check_torch_tpu(installed: Installed, chips: int) -> Iterator[Check]:
    """What is to be said of torch_tpu, and of the device; nothing where it is not there."""
    versions = installed.versions
    if PACKAGE not in versions:
        return
    if "torch_xla" in versions:
        yield Check(
            PACKAGE,
            Status.MEND,
            f"torch_xla {versions['torch_xla']} and torch_tpu {versions[PACKAGE]} are in one environment, and need "
            "different versions of torch: one of them cannot work",
            f"keep to one here, and install the other into an environment of its own ({WANTED})",
        )
        return
    torch = versions.get("torch")
    release = tuple(map(int, re.findall(r"\d+", torch)[:2])) if torch else ()
    if not _TORCH[0] <= release <= _TORCH[1]:
        there = f"torch is {torch}" if torch else "torch cannot be found"
        command = shlex.join([installed.path, "-m", "pip", "install", *WANTED.split()])
        first, last = (".".join(map(str, version)) for version in _TORCH)
        yield Check(PACKAGE, Status.MEND, f"{there}, and torch_tpu goes with torch {first} to {last}", command=command)
        return
    message = f"torch {torch} and torch_tpu {versions[PACKAGE]} fit: xlaport verify --target torch_tpu uses them"
    yield Check(PACKAGE, Status.OK, message)
    if chips:
        yield Check("device", Status.OK, f"{chips} TPU chip{'s' * (chips != 1)} on this machine's PCI bus")
    elif PLAYER in versions:
        message = f"no TPU chip here; {PLAYER} {versions[PLAYER]} lets xlaport verify play one on the CPU"
        yield Check("device", Status.OK, message)
    else:
        command = shlex.join([installed.path, "-m", "pip", "install", WANTED.split()[-1]])
        message = f"no TPU chip here, and {PLAYER}, which xlaport verify plays one with, cannot be found"
        yield Check("device", Status.NOTE, message, command=command)
