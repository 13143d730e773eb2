"""Whether a slice has the memory for a script, from what ``verify --tpu`` has said of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from xlaport.errors import UserError
from xlaport.launching.slices import Slice
from xlaport.tpu.chips import Chip, chip_of

_GIB = 2**30


def check(verdict: Path, script: str, slice_: Slice) -> None:
    """Raise `UserError` where a verdict in JSON says that a slice does not do for a script, or nothing of that."""
    wanted = chip_of(slice_.name)
    found = _read(verdict)
    chip = next((each for each in found["chips"] if chip_of(each["tpu"]) == wanted), None)
    if chip is None:
        named = ", ".join(each["tpu"] for each in found["chips"])
        raise UserError(f"{verdict}: says nothing of a {wanted.code}, only of {named}; {_how(wanted, script)}")
    for graph in chip["graphs"]:
        if graph["error"] and not graph["memory"]:
            raise UserError(f"{script}: the compiler of {wanted.name} does not take a graph of it: {graph['error']}")
    if chip["needed"] > chip["usable"]:
        needed, usable = chip["needed"] / _GIB, chip["usable"] / _GIB
        advice = next((item["advice"] for item in found["findings"] if _is_of(item, wanted)), "")
        raise UserError(
            f"{script} does not fit a {wanted.name}: {needed:.1f} GiB are needed on a chip, and {usable:.1f} are there"
            + (f": {advice.rstrip('.')}" if advice else "")
        )


def _read(verdict: Path) -> Any:
    try:
        found = json.loads(verdict.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{verdict}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if not isinstance(found, dict) or not found.get("chips"):
        raise UserError(f"{verdict} is no verdict of  xlaport verify --tpu SLICE --output-format json")
    return found


def _is_of(finding: dict[str, Any], chip: Chip) -> bool:
    return finding["kind"] == "tpu-memory" and str(finding["reason"]).startswith(f"{chip.name}:")


def _how(chip: Chip, script: str) -> str:
    return f"ask by  xlaport verify --tpu {chip.code} --output-format json {script}"
