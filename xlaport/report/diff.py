"""The conversion as a unified diff, for both ``git apply`` and ``patch -p0`` in the working directory."""

from __future__ import annotations

import io
import os
import re

from xlaport.project import display_path
from xlaport.report.matching import unified
from xlaport.result import FileResult, RunResult
from xlaport.source import Source, encode
from xlaport.streams import STDIN


def render(run: RunResult) -> str:
    """The diff of all changed files.

    Write it as UTF-8 with ``surrogateescape``: files in other encodings and odd file names are carried as
    surrogates, so that every byte of the patch is the byte in the file. (In a folder of a repository that has
    a folder of the same name in it, git guesses wrong how much of a path to strip, and needs ``-p1``.)
    """
    return "".join(_file_diff(file) for file in run.changed)


def colored(patch: str) -> str:
    """The diff for a terminal: its lines in the colors that git gives them."""
    return "".join(_colored(line) for line in io.StringIO(patch, newline="\n"))


def _colored(line: str) -> str:
    code = next((code for beginning, code in _COLORS if line.startswith(beginning)), None)
    text = line.rstrip("\r\n")
    return f"\x1b[{code}m{text}\x1b[0m{line[len(text) :]}" if code is not None else line


_COLORS = (("+++ ", 1), ("--- ", 1), ("@@", 36), ("+", 32), ("-", 31))


def _file_diff(file: FileResult) -> str:
    source = Source(file.path, "", file.encoding, file.bom, "\n")
    name = _header_name(file)
    before, after = (_lines(source, text) for text in (file.before, file.after))
    # No `diff --git` line: with one, git would take the paths from the root of the repository.
    rows = unified(before, after, name)
    return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


def _header_name(file: FileResult) -> str:
    name = display_path(file.path)
    if not os.path.isabs(name) and file.path != STDIN:
        # git strips the first component and patch -p0 strips none: this way both arrive at the same file.
        name = f"./{name}"
    if re.search(r'["\\\x00-\x1f\x7f]', name):
        # As git quotes. Only these names: older versions of patch do not know it.
        raw = name.encode("utf-8", "surrogateescape")
        return '"' + "".join(chr(b) if chr(b) in _PLAIN else f"\\{b:03o}" for b in raw) + '"'
    # Without the tab patch would end the name at its first space.
    return name + "\t" * (" " in name)


_PLAIN = {chr(code) for code in range(0x20, 0x7F)} - {'"', "\\"}


def _lines(source: Source, text: str) -> list[str]:
    """The lines of `text` as the file has them. Only a line feed ends a line in a patch."""
    raw = encode(source, text).decode("utf-8", "surrogateescape")
    return list(io.StringIO(raw, newline="\n"))
