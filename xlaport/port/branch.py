"""Commits a port to a new branch of git: the work tree and the index stay as they are."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from xlaport.errors import UserError
from xlaport.port.writing import changes_of
from xlaport.result import RunResult


def check(name: str, folder: Path, files: Sequence[Path]) -> None:
    """Raises `UserError` where there can be no such branch here, or files to port are not as they are committed."""
    _git(folder, "rev-parse", "--verify", "HEAD", what=f"--branch {name}: no commit to start from in {folder}")
    _git(folder, "check-ref-format", "--branch", name, what=f"--branch {name}: git takes no such name")
    if _runs(folder, "rev-parse", "--verify", "--quiet", f"refs/heads/{name}"):
        raise UserError(f"--branch {name}: there is one already; name another, or delete it: git branch -D {name}")
    named = [str(file) for file in files]
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no", "--", *named)
    if changed:
        first = changed.splitlines()[0][3:]
        raise UserError(f"--branch {name}: {first} has changes that are not committed; commit them first")


def commit(result: RunResult, folder: Path, name: str) -> None:
    """Commit what a conversion changes to a new branch, on top of what is checked out. Raises `UserError`."""
    top = Path(_git(folder, "rev-parse", "--show-toplevel"))
    with tempfile.TemporaryDirectory(prefix="xlaport-index-") as scratch:
        index = str(Path(scratch) / "index")
        _git(top, "read-tree", "HEAD", index=index)
        for change in changes_of(result):
            path = os.path.relpath(os.path.realpath(change.path), os.path.realpath(top))
            blob = _git(top, "hash-object", "-w", "--stdin", f"--path={path}", data=change.after)
            mode = "100755" if os.access(change.path, os.X_OK) else "100644"
            _git(top, "update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}", index=index)
        tree = _git(top, "write-tree", index=index)
    made = _git(top, "commit-tree", tree, "-p", "HEAD", "-m", "Port to PyTorch/XLA, by xlaport port")
    _git(top, "branch", name, made)


def _runs(folder: Path, *words: str) -> bool:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)
    return done.returncode == 0


def _git(folder: Path, *words: str, what: str = "--branch", index: str | None = None, data: bytes | None = None) -> str:
    """What git prints. Raises `UserError` where it is not there, or fails: `what`, and what it says itself."""
    environment = {**os.environ, **({"GIT_INDEX_FILE": index} if index is not None else {})}
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, input=data, check=False, env=environment
        )
    except OSError as error:
        raise UserError(f"{what} (git: {error.strerror or error})") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UserError(f"{what} (git: {said[-1] if said else 'failed'})")
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")
