"""Notebooks for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from xlaport import run
from xlaport.config import Config
from xlaport.result import FileResult

PYTHON: Mapping[str, Any] = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def notebook(*cells: str, metadata: Mapping[str, Any] = PYTHON, indent: int | None = 1) -> str:
    """A notebook with code cells; a text that begins with ``#md`` is a cell of Markdown."""
    whole = {
        "cells": [_cell(cell) for cell in cells],
        "metadata": dict(metadata),
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    return json.dumps(whole, indent=indent) + "\n"


def _cell(text: str) -> dict[str, Any]:
    lines = text.splitlines(keepends=True)
    if text.startswith("#md"):
        return {"cell_type": "markdown", "metadata": {}, "source": lines}
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": lines}


def converted(text: str | bytes, folder: Path, config: Config | None = None, name: str = "n.ipynb") -> FileResult:
    """The result of converting the text of a notebook."""
    place = folder / name
    place.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    result = run.convert([place], config or Config())
    assert not result.errors, result.errors
    (file,) = result.files
    assert file.error is None, file.error
    return file


def sources(text: str) -> Sequence[str]:
    """The sources of all cells."""
    return ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
