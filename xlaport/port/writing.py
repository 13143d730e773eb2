"""Writes a port into the user's folder: all of its files, or none."""

from __future__ import annotations

from pathlib import Path

from xlaport import source
from xlaport.port.journal import Change, write_all
from xlaport.result import FileResult, RunResult


def write_together(result: RunResult, folder: Path) -> RunResult:
    """Write the changed files in their places. Where one cannot be written, or something stops it, all are as before.

    `folder` is the one that is ported, in which the journal is kept meanwhile. Raises `UserError` for a file that
    somebody has changed meanwhile, or that cannot be written.
    """
    write_all(changes_of(result), folder)
    return result


def changes_of(result: RunResult) -> list[Change]:
    """What a conversion changes, in bytes."""
    return [_change(file) for file in result.files if file.changed]


def _change(file: FileResult) -> Change:
    spelled = source.Source(file.path, file.before, file.encoding, file.bom, "\n")
    return Change(file.path, source.encode(spelled, file.before), source.encode(spelled, file.after))
