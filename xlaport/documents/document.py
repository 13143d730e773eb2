"""A text file that is not Python: what kind it is, by its name, its text, and positions in it."""

from __future__ import annotations

import codecs
import enum
import re
from bisect import bisect_right
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path, PurePath

from xlaport.errors import UserError
from xlaport.source import Source

MAX_BYTES = 1_000_000
"""What people write by hand is smaller; a larger file holds data."""

NEWLINE = re.compile(r"\r\n|\r|\n")


class Kind(enum.Enum):
    """How a file is to be read."""

    YAML = "YAML"
    JSON = "JSON"
    TOML = "TOML"
    INI = "INI"
    SHELL = "shell"
    MAKE = "make"
    DOCKER = "Dockerfile"
    REQUIREMENTS = "requirements"
    NOTEBOOK = "notebook"


CONFIGURATIONS = (Kind.YAML, Kind.JSON, Kind.TOML, Kind.INI)
LAUNCHERS = (Kind.SHELL, Kind.MAKE, Kind.DOCKER)

_BY_NAME: tuple[tuple[str, Kind], ...] = (
    ("*requirement*.txt", Kind.REQUIREMENTS),
    ("*constraints*.txt", Kind.REQUIREMENTS),
    ("*.ipynb", Kind.NOTEBOOK),
    ("makefile", Kind.MAKE),
    ("gnumakefile", Kind.MAKE),
    ("*.mk", Kind.MAKE),
    ("dockerfile*", Kind.DOCKER),
    ("*.dockerfile", Kind.DOCKER),
    ("*.y*ml", Kind.YAML),
    ("*.json", Kind.JSON),
    ("*.toml", Kind.TOML),
    ("*.cfg", Kind.INI),
    ("*.ini", Kind.INI),
    ("*.sh", Kind.SHELL),
    ("*.bash", Kind.SHELL),
    ("*.slurm", Kind.SHELL),
    ("*.sbatch", Kind.SHELL),
)

_WRITTEN_BY_TOOLS = ("*-lock.*", "*.lock.*", "npm-shrinkwrap.json", "package.json", ".*")
"""Lock files, and what belongs to editors and hooks: nobody launches by them."""


def kind_of(path: PurePath) -> Kind | None:
    """The kind of a file, by its name alone; None for what is no configuration, launcher or requirements."""
    name = path.name.lower()
    if any(fnmatch(name, pattern) for pattern in _WRITTEN_BY_TOOLS):
        return None
    if path.parent.name.lower() == "requirements" and name.endswith(".txt"):
        return Kind.REQUIREMENTS
    return next((kind for pattern, kind in _BY_NAME if fnmatch(name, pattern)), None)


class Document:
    """The text of a file, its line endings as they are, and what kind it is of."""

    def __init__(self, text: str, kind: Kind) -> None:
        self.text = text
        self.kind = kind

    @cached_property
    def starts(self) -> list[int]:
        """The offsets at which lines begin."""
        return [0, *(match.end() for match in NEWLINE.finditer(self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, in characters."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def decode(path: Path, data: bytes) -> Source:
    """What `data`, the content of `path`, says; `UserError` if it is too large or no text.

    A file that is not UTF-8 is taken for Latin-1, in which every byte has a character and the way back: what
    the rules look for is ASCII.
    """
    if len(data) > MAX_BYTES:
        raise UserError(f"is larger than {MAX_BYTES // 1_000_000} MB: that is data, not a configuration")
    if b"\0" in data:
        raise UserError("contains null bytes, so it is no text: save it as UTF-8")
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    try:
        text, encoding = body.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = body.decode("latin-1"), "latin-1"
    return Source(path, text, encoding, bom, "\n")
