"""What a result rests on: the settings of the run (`run_key`), and what it went on to read besides its files.

The latter is only known behind the run: it is kept with the result as `Evidence`, and the result counts while all of
it is as it was.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import xlaport
from xlaport.facts.program import Program

_PLACES = frozenset({".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg"})
"""What else in a folder than modules and other folders says how imports are found: see `facts.packages`."""


@dataclass(frozen=True)
class Seen:
    """What one process has read of a project for its part of the run."""

    files: Mapping[str, str | None]
    """Digests by true path; None for what could not be read."""
    folders: Mapping[str, str]

    @staticmethod
    def by(program: Program) -> Seen:
        """What was read of a project besides the files of the run, and the folders that imports were looked for in."""
        own = frozenset(program.files)
        files = {
            path: digest(data) if data is not None else None
            for path, data in program.texts.known().items()
            if path not in own
        }
        return Seen(files, {folder: _digest_of_names(names) for folder, names in program.packages.listed().items()})


@dataclass(frozen=True)
class Evidence:
    """All that a run has read besides its files."""

    files: tuple[tuple[str, str | None], ...]
    folders: tuple[tuple[str, str], ...]

    @staticmethod
    def of(parts: Iterable[Seen | Evidence]) -> Evidence:
        """What several processes have read, and runs before."""
        files: dict[str, str | None] = {}
        folders: dict[str, str] = {}
        for part in parts:
            files.update(dict(part.files))
            folders.update(dict(part.folders))
        return Evidence(tuple(sorted(files.items())), tuple(sorted(folders.items())))

    def holds(self) -> bool:
        """Whether all of it is as it was."""
        return all(_digest_of_file(path) == digest for path, digest in self.files) and all(
            _digest_of_folder(path) == digest for path, digest in self.folders
        )


def run_key(settings: str, packs: Iterable[Path]) -> str:
    """The name of a run: of its settings, with the names of its files, and the programs that find and rewrite.

    `packs`: the folders of the rules that look at the files.
    """
    found = hashlib.sha256()
    for text in (xlaport.__version__, sys.version, settings, _working_directory()):
        found.update(digest(text.encode("utf-8", "surrogatepass")).encode())
    for folder in (Path(xlaport.__file__).parent, *packs):
        found.update(_digest_of_program(folder).encode())
    return found.hexdigest()


def _working_directory() -> str:
    """Reports name files as seen from it. Empty where it was deleted: files are named in full then."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def digest(data: bytes) -> str:
    """A digest of some bytes."""
    return hashlib.sha256(data).hexdigest()


def _digest_of_file(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            return digest(file.read())
    except (OSError, ValueError):
        return None


def _digest_of_folder(path: str) -> str:
    try:
        return _digest_of_names(os.listdir(path))
    except (OSError, ValueError):
        return _digest_of_names(())


def _digest_of_names(names: Iterable[str]) -> str:
    """Of what a folder has, as far as imports go: not of data, results and caches that come and go in it."""
    wanted = sorted(name for name in names if _matters(name))
    return digest("\0".join(wanted).encode("utf-8", "surrogateescape"))


def _matters(name: str) -> bool:
    return name.endswith(".py") or name in _PLACES or ("." not in name and name != "__pycache__")


def _digest_of_program(folder: Path) -> str:
    """Of the sizes and times of a package's files: whoever works on xlaport changes them without a new version."""
    if folder.is_file():
        return digest(folder.read_bytes())
    found = hashlib.sha256()
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            try:
                status = os.stat(os.path.join(place, name))
            except OSError:
                continue
            found.update(f"{place}\0{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode("utf-8", "surrogatepass"))
    return found.hexdigest()
