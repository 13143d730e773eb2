"""Standard output and standard error, whatever they are: closed, full, for ASCII only, or with nobody to read them."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

STDIN = Path("-")
"""What standard input is called where a path is named."""


def prepare() -> None:
    """Make both streams such that any text can be written to them."""
    # In the order of their descriptors: a file that is opened later must not get the number of a standard stream.
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows ASCII only


def flush() -> None:
    """Write what is still to be written, now that an error can be told. Raises `OSError`."""
    sys.stdout.flush()


def complain(message: str) -> None:
    """Write one line to standard error, as far as anybody can read it."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"xlaport: {message}\n")
        sys.stderr.flush()


def give_up() -> None:
    """Let what is left to be written go nowhere: there is nobody to read it, or no room."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
