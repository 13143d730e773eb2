"""Files that reports are written to: asked about before the work that may take long."""

from __future__ import annotations

import os
from pathlib import Path

from xlaport.errors import UserError
from xlaport.source import write_atomically


def require(option: str, path: Path) -> None:
    """`UserError` where the file that an option names cannot be written."""
    if path.is_dir():
        raise UserError(f"{option} {path}: is a folder; name the file to write")
    if not path.absolute().parent.is_dir():
        raise UserError(f"{option} {path}: there is no folder {path.parent}; make it first")
    where = path if path.exists() else path.absolute().parent
    if not os.access(where, os.W_OK):
        raise UserError(f"{option} {path}: may not be written; name another file")


def write(option: str, path: Path, data: bytes) -> None:
    """Write a report: at every moment the file holds the old one or the new one. `UserError` where that fails."""
    try:
        write_atomically(path, data)
    except UserError as error:
        raise UserError(f"{option} {path}: {error}") from error
