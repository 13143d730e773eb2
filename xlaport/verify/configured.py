"""The budgets of a project: ``[tool.xlaport.verify]`` in its ``pyproject.toml``."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import Any

from xlaport.errors import UserError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_NUMBERS: dict[str, tuple[type, float]] = {
    "steps": (int, 0),
    "timeout": (float, 1),
    "max-compiles": (int, 0),
    "max-transfers": (float, 0),
    "max-executions": (int, 1),
}
"""What each number is, and the least that it may be."""
_LISTS = ("allow-fallback",)


def configured(directory: Path) -> dict[str, Any]:
    """What the nearest ``pyproject.toml`` above a directory says of ``verify``, by the names of the options.

    Raises `UserError` for a file that is no TOML, for a key that `verify` does not know, and for a value that it
    cannot take.
    """
    file = next((path for at in (directory, *directory.parents) if (path := at / "pyproject.toml").is_file()), None)
    if file is None:
        return {}
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("xlaport", {}).get("verify", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, AttributeError) as error:
        raise UserError(f"{file} cannot be read as TOML: {error}") from error
    if not isinstance(table, dict):
        raise UserError(f"{file}: tool.xlaport.verify is a table: write [tool.xlaport.verify], and its keys below it")
    return {key.replace("-", "_"): _value(file, key, value) for key, value in table.items()}


def _value(file: Path, key: str, value: object) -> object:
    where = f"{file}, [tool.xlaport.verify]"
    if key in _LISTS:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise UserError(f'{where}: {key} is a list of names, as in {key} = ["aten::median"]')
        return value
    if key not in _NUMBERS:
        near = difflib.get_close_matches(key, [*_NUMBERS, *_LISTS], 1)
        hint = f"did you mean {near[0]}?" if near else f"it may have {', '.join([*_NUMBERS, *_LISTS])}"
        raise UserError(f"{where} has no key {key}: {hint}")
    kind, least = _NUMBERS[key]
    kinds = (int,) if kind is int else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or value < least:
        whole = "whole " if kind is int else ""
        raise UserError(f"{where}: {key} is a {whole}number of {least:g} or more, not {value!r}")
    return value
