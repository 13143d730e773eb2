"""The budgets of a project: ``[tool.xlaport.verify]`` in its ``pyproject.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xlaport.configuration.section import VERIFY, names, nearest, number

_KEYS = {
    "steps": number(int, 0),
    "timeout": number(float, 1),
    "max-compiles": number(int, 0),
    "max-transfers": number(float, 0),
    "max-executions": number(int, 1),
    "allow-fallback": names("names", "aten::median"),
}


def configured(directory: Path) -> dict[str, Any]:
    """What the project of a directory says of ``verify``, by the names of the options.

    Raises `UserError` for a file that is no TOML, for a key that `verify` does not know, and for a value that it
    cannot take.
    """
    section = nearest(directory)
    if section is None:
        return {}
    table = section.inner(VERIFY)
    table.refuse_others(_KEYS)
    table.refuse_wrong(_KEYS)
    return {key.replace("-", "_"): value for key, value in table.values.items()}
