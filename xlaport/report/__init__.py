"""Views of a `RunResult`. Each returns the whole text with its last newline; the caller prints it."""

from __future__ import annotations

from xlaport.result import FileError, RunResult


def all_errors(run: RunResult) -> tuple[FileError, ...]:
    """The errors of the run and of its files, each once, by path."""
    of_files = (file.error for file in run.files if file.error is not None)
    return tuple(sorted({*run.errors, *of_files}, key=lambda error: (error.path, error.message)))
