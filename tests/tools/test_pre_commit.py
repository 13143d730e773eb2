"""The hooks, run by the real pre-commit in a real repository: it builds their environment from this one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.commands.command_line import CLEAN, CUDA, PORTED, write

ROOT = Path(__file__).parents[2]
NOBODY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "nobody"), ("EMAIL", "nobody@example.com"))
}


def run(*command: str, cwd: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command; one that fails does so for a reason that is shown."""
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=600)


def done(*command: str, cwd: Path, env: Mapping[str, str]) -> str:
    """The output of a command that has to succeed."""
    ended = run(*command, cwd=cwd, env=env)
    assert ended.returncode == 0, f"{command}\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout.strip()


@pytest.fixture(name="env")
def _env(tmp_path: Path) -> dict[str, str]:
    """Git and pre-commit as on a machine that has no settings of theirs."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return {**inherited, **NOBODY, **alone, "PRE_COMMIT_HOME": str(tmp_path / "environments")}


def repository(folder: Path, env: Mapping[str, str]) -> str:
    """Commit all that lies in a folder; the commit."""
    done("git", "init", "-q", "-b", "main", cwd=folder, env=env)
    done("git", "add", "-A", cwd=folder, env=env)
    done("git", "commit", "-q", "--no-verify", "-m", "as it is", cwd=folder, env=env)
    return done("git", "rev-parse", "HEAD", cwd=folder, env=env)


def test_the_hooks_in_a_repository(tmp_path: Path, env: dict[str, str]) -> None:
    ours = tmp_path / "xlaport"
    for name in ("xlaport", "rules"):
        shutil.copytree(ROOT / name, ours / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, ours)
    revision = repository(ours, env)

    theirs = write(tmp_path / "theirs", train=CUDA, clean=CLEAN)
    write(theirs / "old", train=CUDA)
    (theirs / "pyproject.toml").write_text('[tool.xlaport]\nextend-exclude = ["old/"]\n')
    hooks = "".join(f"      - id: {name}\n" for name in ("xlaport-check", "xlaport-convert"))
    (theirs / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {ours}\n    rev: {revision}\n    hooks:\n{hooks}"
    )
    repository(theirs, env)
    done(sys.executable, "-m", "pre_commit", "install", cwd=theirs, env=env)

    checked = run(sys.executable, "-m", "pre_commit", "run", "-a", "xlaport-check", cwd=theirs, env=env)
    assert checked.returncode == 1, checked.stdout + checked.stderr
    assert "train.py\n  3:27  XP103  fixable" in checked.stdout
    assert "old/" not in checked.stdout
    assert (theirs / "train.py").read_text() == CUDA

    # A commit of what the check finds is refused, and what has been rewritten waits to be added.
    (theirs / "train.py").write_text(CUDA + "\n")
    done("git", "add", "-A", cwd=theirs, env=env)
    refused = run("git", "commit", "-m", "change", cwd=theirs, env=env)
    assert refused.returncode == 1
    assert "files were modified by this hook" in refused.stderr
    assert (theirs / "train.py").read_text() == PORTED + "\n"
    assert (theirs / "old" / "train.py").read_text() == CUDA

    done("git", "add", "-A", cwd=theirs, env=env)
    accepted = run("git", "commit", "-m", "change", cwd=theirs, env=env)
    assert accepted.returncode == 0, accepted.stderr
    assert accepted.stderr.count("Passed") == 2

    # A mistake in the settings is told, and ends the commit.
    (theirs / "pyproject.toml").write_text("[tool.xlaport]\nexclud = []\n")
    write(theirs, train=PORTED)
    done("git", "add", "-A", cwd=theirs, env=env)
    refused = run("git", "commit", "-m", "change", cwd=theirs, env=env)
    assert refused.returncode == 1
    assert "has no key exclud: did you mean exclude?" in refused.stderr

    built = {path.name for path in (tmp_path / "environments").glob("repo*/py_env*/lib/python*/site-packages/*")}
    assert "libcst" in built
    assert not built & {"torch", "torch_xla", "numpy"}, "the hooks are light"
