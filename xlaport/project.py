"""Which files a run looks at, and what they are called in its messages.

What the user names is taken; what a named folder holds is taken unless git ignores it, the user excludes it,
or it is not the user's own code (environments, caches, installed packages).
"""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from xlaport.documents.document import kind_of
from xlaport.errors import UserError
from xlaport.facts.packages import Packages
from xlaport.facts.program import Program
from xlaport.ignore import Ignored, Patterns
from xlaport.ignore import around as ignored_around
from xlaport.result import FileError

NEVER_ENTERED = frozenset(
    ".git .hg .venv node_modules __pycache__ .tox .nox .eggs site-packages .ipynb_checkpoints".split()
)
"""Folders that hold no code of the user's."""

_IN_ENVIRONMENTS = ("pyvenv.cfg", "conda-meta")
"""By what lies in it, a folder is known as an environment."""

_MAX_AROUND = 2500
"""In a larger project, files that are named alone are converted without those that import them."""

_LIBRARY = b"torch"
_SPEAKING = (_LIBRARY, b".cuda(")
"""What tells of torch by itself."""

_SOURCES = (".py", ".ipynb")
"""How the names of Python files and notebooks end."""


Exclude = Sequence[str | Patterns]
"""Patterns of files and folders to leave out; texts are relative to the working directory."""


@dataclass(frozen=True)
class Discovery:
    """The Python files and notebooks of a run, sorted, each once; and what was asked for but could not be found."""

    files: tuple[Path, ...]
    errors: tuple[FileError, ...]
    documents: tuple[Path, ...] = ()
    """Configurations, launchers and requirements, sorted, each once."""
    named: frozenset[Path] = frozenset()
    """The documents that were named themselves."""


def discover(paths: Sequence[Path], exclude: Exclude = (), *, force: bool = False) -> Discovery:
    """The files that `paths` (files and folders) stand for.

    `exclude` has patterns as in a ``.gitignore``, of the working directory where they name no other folder. They and
    the ignore files of git decide over what lies in a named folder, not over a file that is named itself; with
    `force`, the patterns of `exclude` do, and what xlaport does not read is passed over. Links are not followed: what
    they point to in the folder has a name of its own there, what lies outside was not asked for.
    """
    if not all(path.is_absolute() for path in paths) and not _has_working_directory():
        raise UserError("the working directory is gone: change to a folder that exists")
    # By the true path, so that a file named twice, or through a link, is converted once.
    found: dict[str, Path] = {}
    documents: dict[str, Path] = {}
    named: set[Path] = set()
    errors: list[FileError] = []
    for path in paths:
        real = _real_path(path)
        try:
            mode = os.stat(real).st_mode
        except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a null character
            errors.append(FileError(display_path(path), "no such file or folder"))
            continue
        except OSError as error:
            errors.append(FileError(display_path(path), f"cannot be read: {error.strerror}"))
            continue
        if force and _is_left_out(real, stat.S_ISDIR(mode), exclude):
            continue
        if stat.S_ISDIR(mode):
            walk = _Walk(path, real, exclude)
            errors += walk.errors
            if not walk.files and not walk.errors:
                errors.append(FileError(display_path(path), _NOTHING_THERE))
            for true_path, file in walk.files:
                found.setdefault(true_path, file)
            for true_path, file in walk.documents:
                documents.setdefault(true_path, file)
        elif stat.S_ISREG(mode) and path.name.endswith(_SOURCES):
            found.setdefault(real, path)
        elif stat.S_ISREG(mode) and kind_of(path) is not None:
            named.add(documents.setdefault(real, path))
        elif not force:  # a hook names whatever has changed
            errors.append(FileError(display_path(path), _NOT_READ))
    return Discovery(
        tuple(sorted(found.values())),
        tuple(dict.fromkeys(errors)),
        tuple(sorted(documents.values())),
        frozenset(named),
    )


def discover_typed(name: Path, exclude: Exclude, *, force: bool) -> Discovery:
    """A program on standard input, as if `discover` had found it under this name."""
    is_left_out = force and _is_left_out(_real_path(name), False, exclude)
    return Discovery(() if is_left_out else (name,), ())


def around(files: Collection[str], folders: Collection[str], exclude: Exclude, packages: Packages) -> list[str]:
    """The other Python files of the projects of `files` that do not lie in one of the named `folders`, sorted.

    Where nothing marks the top of a project, only those of a file's own folder, and of the folders of its package.
    """
    alone = [file for file in files if not any(Path(file).is_relative_to(folder) for folder in folders)]
    # One file for each folder is enough.
    tops = {packages.top(file): file for file in {os.path.dirname(file): file for file in alone}.values()}
    found: set[str] = set()
    for (top, is_project), file in tops.items():
        if is_project:
            walk = _Walk(Path(top), top, exclude, _MAX_AROUND)
            found.update(path for path, _ in walk.files if path.endswith(".py"))  # nobody imports a notebook
        else:
            inner = [str(folder) for folder in Path(file).parents if folder.is_relative_to(top)]
            found.update(os.path.join(f, name) for f in inner for name in _names(f) if name.endswith(".py"))
    return sorted(found) if len(found) <= _MAX_AROUND else []


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _patterns(exclude: Exclude, root: str) -> list[Patterns]:
    """By their folders; those without one are relative to the working directory, where that is around `root`."""
    here = _real_path(Path())
    base = here if Path(root).is_relative_to(here) else root
    lines = tuple(each for each in exclude if isinstance(each, str))
    return [Patterns(base, lines), *(each for each in exclude if isinstance(each, Patterns))]


def _is_left_out(real: str, is_folder: bool, exclude: Exclude) -> bool:
    return any(patterns.match(real, is_folder) for patterns in _patterns(exclude, os.path.dirname(real)))


_NOT_READ = "not a Python file or notebook, nor a configuration, launcher or requirements file"


_NOTHING_THERE = "no Python file or notebook in this folder (what .gitignore or exclude matches does not count)"


def passes_prefilter(data: bytes, words: Collection[bytes]) -> bool:
    """Whether a file can interest any rule: it speaks of torch and has one of the trigger `words`."""
    return _speaks(data) and any(word in data for word in words)


def _speaks(data: bytes) -> bool:
    return any(word in data for word in _SPEAKING)


def admitted(program: Program, words: Collection[bytes], across: Collection[bytes]) -> frozenset[str]:
    """The files of a run that may interest a rule.

    A file that does not speak of torch itself does so where it gets something of torch's from another file, or
    where it has one of the words of `across` and imports, or is imported by, files that speak of torch.
    """
    speaking = {file for file in program.files if _speaks(program.data(file))}
    silent = [f for f in program.files if f not in speaking and any(word in program.data(f) for word in words)]
    found = {file for file in speaking if passes_prefilter(program.data(file), words)}
    if not silent:
        return frozenset(found)
    connected = program.graph.connected(sorted(file for file in program.graph.imports if _speaks(program.data(file))))
    for file in silent:
        content = program.data(file)
        if file in connected and (any(w in content for w in across) or program.reexports(file, _LIBRARY.decode())):
            found.add(file)
    return frozenset(found)


def display_path(path: Path) -> str:
    """How reports call `path`: relative to the working directory, with forward slashes.

    A path outside it stays as it was given. A name that is not valid text keeps its bytes as surrogates.
    """
    try:
        here = os.getcwd()
    except OSError:  # The working directory was deleted.
        return path.as_posix()
    if not path.is_absolute() and ".." not in path.parts:
        return path.as_posix()
    # The second attempt sees through links in the folders; a link that is the file itself keeps its name.
    for candidate in (path, Path(_real_path(path.parent), path.name)):
        if candidate.is_relative_to(here) and ".." not in candidate.parts:
            return candidate.relative_to(here).as_posix()
    return path.as_posix()


class _Walk:
    """The files below one folder (with their true paths), and the folders that could not be read."""

    def __init__(self, folder: Path, real: str, exclude: Exclude, limit: float = math.inf) -> None:
        self.files: list[tuple[str, Path]] = []
        self.documents: list[tuple[str, Path]] = []
        """Not those in hidden folders: such files run a project's checks, not the project."""
        self.errors: list[FileError] = []
        self._root = real
        self._excluded = Ignored()
        for patterns in _patterns(exclude, real):
            if Path(real).is_relative_to(patterns.folder):
                self._excluded = self._excluded.with_lines(patterns.folder, patterns.lines)
        # A stack rather than recursion: folders may be nested deeper than Python's call stack.
        self._pending = [(real, folder, ignored_around(real))]
        while self._pending and len(self.files) <= limit:
            self._enter(*self._pending.pop())

    def _enter(self, real: str, folder: Path, ignored: Ignored) -> None:
        try:
            with os.scandir(real) as entries:
                children = {entry.name: entry for entry in entries}
        except OSError as error:
            self.errors.append(FileError(display_path(folder), f"cannot be read: {error.strerror}"))
            return
        if ".gitignore" in children:
            ignored = ignored.with_file(real, os.path.join(real, ".gitignore"))
        hidden = "/." in real[len(self._root) :].replace(os.sep, "/")
        for name, child in sorted(children.items()):
            is_folder = child.is_dir(follow_symlinks=False)
            is_source = name.endswith(_SOURCES)
            is_document = not is_folder and not is_source and not hidden and kind_of(folder / name) is not None
            if is_folder:
                if name in NEVER_ENTERED or any(os.path.exists(os.path.join(child.path, n)) for n in _IN_ENVIRONMENTS):
                    continue
            elif not (is_source or is_document) or not child.is_file(follow_symlinks=False):
                continue
            if self._excluded.match(child.path, is_folder) or ignored.match(child.path, is_folder):
                continue
            if is_folder:
                self._pending.append((child.path, folder / name, ignored))
            elif is_document:
                self.documents.append((child.path, folder / name))
            else:
                self.files.append((child.path, folder / name))


def _has_working_directory() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _real_path(path: Path) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # a circle of links, a null character
        return str(path)
