"""What has changed in the working tree since it left the main branch."""

from __future__ import annotations

import subprocess
from pathlib import Path

_BRANCHES = ("main", "origin/main", "master", "origin/master")


def git(root: Path, *arguments: str) -> str:
    """What git prints; nothing where it fails."""
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def base(root: Path) -> str:
    """The commit that the work began at; the last one, where there is no main branch."""
    found = (git(root, "merge-base", "HEAD", branch).strip() for branch in _BRANCHES)
    return next(filter(None, found), "HEAD")


def changed(root: Path, since: str) -> list[str]:
    """The files that differ from a commit, in the working tree, whether they are committed or not."""
    tracked = git(root, "diff", "--name-only", "--no-renames", "-z", since).split("\0")
    new = git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    return sorted({*tracked, *new} - {""})


def files(root: Path) -> list[str]:
    """All files that there are, but those that git ignores."""
    listed = git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    return sorted(file for file in set(listed) - {""} if (root / file).is_file())


def before(root: Path, since: str, file: str) -> str:
    """The text of a file at a commit; nothing where it was not there."""
    return git(root, "show", f"{since}:{file}")
