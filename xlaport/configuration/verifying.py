"""The budgets of a project: ``[tool.xlaport.verify]`` in its ``pyproject.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xlaport import registry
from xlaport.configuration import keys
from xlaport.configuration.section import VERIFY, nearest


def configured(directory: Path) -> dict[str, Any]:
    """What the project of a directory says of ``verify``, by the names of the options.

    Raises `UserError` for a file that is no TOML, and for anything in the section that makes no sense.
    """
    section = nearest(directory)
    if section is None:
        return {}
    keys.refuse_wrong(section)
    if not section.values.keys() <= {VERIFY}:
        keys.refuse_unknown_codes(section, registry.load_all(keys.packs(section)))
    target = {key: value for key, value in section.values.items() if key == "target"}
    return target | {key.replace("-", "_"): value for key, value in section.inner(VERIFY).values.items()}
