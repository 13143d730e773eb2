"""Writes a port into the user's folder: all of its files, or none."""

from __future__ import annotations

from dataclasses import replace

from xlaport import run
from xlaport.errors import UserError
from xlaport.result import RunResult


def write_together(result: RunResult) -> RunResult:
    """Write the changed files in their places. Where one cannot be written, or something stops it, all are as before.

    Raises `UserError` for a file that somebody has changed meanwhile, or that cannot be written.
    """
    done: list[int] = []
    try:
        for number, file in enumerate(result.files):
            if not file.changed:
                continue
            done.append(number)
            written = run.write(replace(result, files=(file,))).files[0]
            if written.error is not None:
                done.pop()
                raise UserError(f"{written.error.path}: {written.error.message}; nothing was written")
    except BaseException:
        undone = (replace(file, before=file.after, after=file.before) for file in map(result.files.__getitem__, done))
        run.write(replace(result, files=tuple(undone)))
        raise
    return result
