"""Writing what an engine reads into a file."""

from __future__ import annotations

from pathlib import Path

from xlaport.errors import UserError


def write(out: Path, text: str) -> None:
    """Write a file. Raises `UserError` where that cannot be."""
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{out}: cannot be written: {error.strerror or error}") from error
