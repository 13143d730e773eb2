"""A scratch copy of the folder that a script runs in: what a trial run writes there is gone with it.

Each run has a copy of its own, so that none resumes from what another has saved. What is recorded of a run is told as
if it had happened in the folder itself.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from xlaport.errors import UserError
from xlaport.verify.leftovers import PREFIX, clear_left, in_use
from xlaport.verify.request import VerifyRequest

MOST = 4 * 10**9
"""Bytes that are copied at most: more would take minutes, and the room of the temporary folder."""
_NAMED = 3
"""So many of the largest folders are named where it is too much."""
_LEFT_OUT = frozenset(".git .hg .venv venv node_modules __pycache__ .tox .nox .mypy_cache .pytest_cache".split())
"""What no script reads of its own folder."""

_T = TypeVar("_T")


@contextlib.contextmanager
def copied(request: VerifyRequest) -> Iterator[tuple[VerifyRequest, Path]]:
    """The request, to be run in a copy of its folder, and that copy; it is deleted afterwards.

    Raises `UserError` where the folder is too large, a link is none of its paths, or there is no room.
    """
    assert request.sandbox is not None
    folder = copied_folder(request)
    with copy_of(folder, request.sandbox.links) as copy:
        moved = in_copy(request, folder, copy)
        yield dataclasses.replace(moved, script=_moved(request, folder, copy), sandbox=None), copy


def copied_folder(request: VerifyRequest) -> Path:
    """What is copied for a run in a sandbox: the folder that the script runs in, or one around it."""
    top = request.sandbox.top if request.sandbox is not None else None
    return top or (request.directory or Path.cwd()).resolve()


def in_copy(request: VerifyRequest, folder: Path, copy: Path) -> VerifyRequest:
    """The request in a copy of a folder: what PYTHONPATH names of the folder is there, too."""
    inner = (request.directory or folder).resolve().relative_to(folder)
    sandbox = request.sandbox
    if sandbox is not None and sandbox.top is not None:
        sandbox = dataclasses.replace(sandbox, top=copy)
    places = dict(request.environment).get("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    there = [_counterpart(Path(place), folder, copy) if place else "" for place in places.split(os.pathsep)]
    environment = dict(request.environment) | ({"PYTHONPATH": os.pathsep.join(there)} if places else {})
    return dataclasses.replace(request, directory=copy / inner, sandbox=sandbox, environment=tuple(environment.items()))


def _counterpart(path: Path, folder: Path, copy: Path) -> str:
    true = Path(os.path.realpath(path))
    return str(copy / true.relative_to(folder)) if true.is_relative_to(folder) else str(path)


@contextlib.contextmanager
def copy_of(directory: Path, paths: Sequence[Path]) -> Iterator[Path]:
    """A copy of a folder, in which some paths are links. See `copied`."""
    links = [_inside(directory, link) for link in paths]
    try:
        _refuse_large(directory, links)
    except OSError as error:
        raise UserError(f"--sandbox: {error.filename or directory} cannot be read: {error.strerror}") from error
    try:
        clear_left(Path(tempfile.gettempdir()))
        scratch = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
    except OSError as error:
        raise UserError(f"--sandbox: no temporary folder can be made: {error.strerror or error}") from error
    try:
        with in_use(scratch):
            copy = scratch / (directory.name or "root")
            try:
                _Copying(directory, copy, scratch, frozenset(links)).folder(directory, copy)
            except (OSError, shutil.Error) as error:
                raise UserError(f"--sandbox: {directory} cannot be copied: {error}") from error
            yield copy
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def make_own(copy: Path, path: Path) -> None:
    """Make a file of a copy one that can be written, and no other one by that: no link leads out of the copy to it."""
    for place in (*reversed(path.parents), path):
        if copy in place.parents and place.is_symlink():
            meant = place.resolve()
            place.unlink()
            if meant.is_dir():
                place.mkdir()
                for entry in (inner for inner in meant.iterdir() if not _is_left_out(inner)):
                    (place / entry.name).symlink_to(entry)
            else:
                shutil.copy2(meant, place)
    if path.exists():
        path.chmod(path.stat().st_mode | stat.S_IWUSR)


def restored(value: _T, copy: Path, directory: Path) -> _T:
    """What is known of a run, with the paths of the copy as those of the folder."""
    told: _T = _Restoring(re.compile(re.escape(str(copy))), str(directory)).of(value)
    return told


def restored_from_any(value: _T, directory: Path) -> _T:
    """The same, where it is known of a run in a copy that is gone."""
    copies = rf"{re.escape(tempfile.gettempdir())}/{PREFIX}[^/]+/{re.escape(directory.name or 'root')}(?=/|$)"
    told: _T = _Restoring(re.compile(copies), str(directory)).of(value)
    return told


class _Restoring:
    def __init__(self, copy: re.Pattern[str], directory: str) -> None:
        self.copy, self.directory = copy, directory

    def of(self, value: Any) -> Any:
        """The value, and whatever is in it."""
        if isinstance(value, str):
            return self.copy.sub(lambda match: self.directory, value)
        if isinstance(value, Path):
            return Path(self.of(str(value)))
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            return tuple(map(self.of, value))
        if isinstance(value, list):
            return list(map(self.of, value))
        if isinstance(value, dict):
            return {self.of(key): self.of(inner) for key, inner in value.items()}
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            old = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
            new = {name: self.of(inner) for name, inner in old.items()}
            return dataclasses.replace(value, **new) if any(new[name] is not old[name] for name in new) else value
        return value


def _moved(request: VerifyRequest, directory: Path, copy: Path) -> Path | str:
    """The script, as it is called in the copy; one that lies elsewhere stays there."""
    if request.module or not os.path.isabs(request.script):
        return request.script
    script = Path(request.script).resolve()
    return copy / script.relative_to(directory) if script.is_relative_to(directory) else request.script


def _inside(directory: Path, link: Path) -> Path:
    path = Path(os.path.abspath(directory / link))
    if not path.is_relative_to(directory) or path == directory or not path.exists():
        raise UserError(f"--sandbox-link {link}: name a file or folder in {directory}, where the script runs")
    if any(_is_left_out(folder) for folder in (path, *path.parents) if folder.is_relative_to(directory)):
        raise UserError(f"--sandbox-link {link}: is left out of the copy; name another")
    return path


@dataclasses.dataclass(frozen=True)
class _Copying:
    """One folder, its copy, and what is not copied."""

    directory: Path
    copy: Path
    scratch: Path
    """The temporary folder, which may lie in the folder itself."""
    links: frozenset[Path]

    def folder(self, source: Path, target: Path) -> None:
        """Copy what a folder holds."""
        target.mkdir(parents=True)
        for entry in os.scandir(source):
            path, new = Path(entry.path), target / entry.name
            if path in self.links:
                new.symlink_to(path)
            elif entry.is_symlink():
                new.symlink_to(self._leads_to(path))
            elif entry.is_dir(follow_symlinks=False):
                if not _is_left_out(path) and path != self.scratch:
                    self.folder(path, new)
            elif entry.is_file(follow_symlinks=False):
                shutil.copy2(path, new)

    def _leads_to(self, link: Path) -> Path:
        """Where a link leads from the copy: to the copy of what it means, or out of the folder as before."""
        meant = Path(os.path.realpath(link))
        if not meant.is_relative_to(self.directory) or any(meant.is_relative_to(each) for each in self.links):
            return meant
        return self.copy / meant.relative_to(self.directory)


def _is_left_out(folder: Path) -> bool:
    return folder.name in _LEFT_OUT or (folder / "pyvenv.cfg").exists()


def _refuse_large(directory: Path, links: Sequence[Path]) -> None:
    sizes = {Path(entry.path): _size(entry, links) for entry in os.scandir(directory)}
    total = sum(sizes.values())
    if total > MOST:
        large = sorted(sizes, key=lambda path: -sizes[path])[:_NAMED]
        named = ", ".join(f"{path.name} ({sizes[path] / 1e9:.1f} GB)" for path in large if sizes[path] > MOST / 10)
        raise UserError(
            f"--sandbox would copy {total / 1e9:.1f} GB of {directory}: {named}. Name what the script only reads with "
            "--sandbox-link, or a smaller folder to run in with --cwd"
        )


def _size(entry: os.DirEntry[str], links: Sequence[Path]) -> int:
    path = Path(entry.path)
    if path in links or entry.is_symlink():
        return 0
    if entry.is_dir(follow_symlinks=False):
        return 0 if _is_left_out(path) else sum(_size(inner, links) for inner in os.scandir(path))
    return entry.stat(follow_symlinks=False).st_size if entry.is_file(follow_symlinks=False) else 0
