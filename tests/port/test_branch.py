"""A port on a branch of its own: the work tree and the index stay as they are."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.port.test_writing import conversion
from xlaport.errors import UserError
from xlaport.port.branch import check, commit


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two committed files, a staged one and one that git does not know."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Somebody")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "somebody@example.org")
    folder = tmp_path / "repository"
    (folder / "sub").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "a.py").write_text("1\n")
    (folder / "sub" / "b.py").write_text("3\n")
    (folder / "sub" / "b.py").chmod(0o755)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "begin")
    (folder / "staged.txt").write_text("staged")
    git(folder, "add", "staged.txt")
    (folder / "other.txt").write_text("other")
    return folder


def test_a_port_is_a_commit_on_a_new_branch_and_nothing_else_changes(repository: Path) -> None:
    result = conversion(repository, a=("1\n", "2\n"), new=("5\n", "6\n"))
    inner = conversion(repository / "sub", b=("3\n", "4\n"))
    (repository / "sub" / "b.py").chmod(0o755)
    before = git(repository, "status", "--porcelain"), git(repository, "rev-parse", "HEAD")
    check("port", repository / "sub", [repository / "a.py"])
    commit(type(result)("2.9", 3, 3, (*result.files, *inner.files)), repository / "sub", "port")
    assert (git(repository, "status", "--porcelain"), git(repository, "rev-parse", "HEAD")) == before
    assert (repository / "a.py").read_text() == "1\n"
    assert git(repository, "diff", "--name-status", "HEAD", "port").split() == [
        "M",
        "a.py",
        "A",
        "new.py",
        "M",
        "sub/b.py",
    ]
    assert git(repository, "show", "port:sub/b.py") == "4\n"
    assert git(repository, "ls-tree", "port", "sub/b.py").startswith("100755")
    assert git(repository, "rev-parse", "port^") == before[1]


def test_what_cannot_be_a_branch_is_said_before_the_runs(repository: Path, tmp_path: Path) -> None:
    files = [repository / "a.py"]
    for name, words in (("main", "there is one already"), ("a..b", "git takes no such name")):
        with pytest.raises(UserError, match=words):
            check(name, repository, files)
    (repository / "a.py").write_text("changed\n")
    with pytest.raises(UserError, match=r"a\.py has changes that are not committed"):
        check("port", repository, files)
    check("port", repository, [repository / "sub" / "b.py"])
    with pytest.raises(UserError, match="no commit to start from"):
        check("port", tmp_path, [])
