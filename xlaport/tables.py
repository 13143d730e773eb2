"""Tables in TOML, as they stand beside the code that reads them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_table(file: Path) -> dict[str, Any]:
    """What a file holds. Raises `ValueError` where it is no TOML."""
    return tomllib.loads(file.read_text(encoding="utf-8"))
