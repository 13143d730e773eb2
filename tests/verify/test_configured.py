"""The budgets of a project, in its pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport.configuration.verifying import configured
from xlaport.errors import UserError
from xlaport.verify.recording import Recording as Saved
from xlaport.verify.recording import save

from .conftest import call
from .recording import Recording

WHOLE = """
[tool.xlaport.verify]
steps = 30
timeout = 90
max-compiles = 2
max-transfers = 0.25
max-executions = 2
allow-fallback = ["aten::median"]
"""


def written(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(text)
    return folder


def test_each_option_is_a_key(tmp_path: Path) -> None:
    assert configured(written(tmp_path, WHOLE)) == {
        "steps": 30, "timeout": 90, "max_compiles": 2, "max_transfers": 0.25, "max_executions": 2,
        "allow_fallback": ["aten::median"],
    }  # fmt: skip


def test_the_nearest_file_above_counts(tmp_path: Path) -> None:
    written(tmp_path, WHOLE)
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert configured(inner)["steps"] == 30
    # That of a package which says nothing of xlaport does not hide that of the repository.
    assert configured(written(inner, "[project]\nname = 'x'\n"))["steps"] == 30
    assert configured(written(inner, "[tool.xlaport]\n")) == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("max-compile = 2", "has no key max-compile: did you mean max-compiles?"),
        ("colour = 2", "has no key colour: it may have steps, timeout,"),
        ("max-compiles = -1", "max-compiles is a whole number of 0 or more, not -1"),
        ("max-compiles = 1.5", "max-compiles is a whole number of 0 or more, not 1.5"),
        ("max-transfers = true", "max-transfers is a number of 0 or more, not True"),
        ('steps = "ten"', "steps is a whole number of 0 or more, not 'ten'"),
        ('allow-fallback = "aten::median"', 'is a list of names, as in allow-fallback = ["aten::median"]'),
        ("steps = ", "cannot be read as TOML"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UserError) as error:
        configured(written(tmp_path, f"[tool.xlaport.verify]\n{text}\n"))
    assert told in str(error.value)
    assert str(tmp_path) in str(error.value)


def test_a_file_of_its_own_has_them_without_the_heading(tmp_path: Path) -> None:
    (tmp_path / "xlaport.toml").write_text("[verify]\nsteps = 7\n")
    assert configured(written(tmp_path, WHOLE)) == {"steps": 7}
    (tmp_path / "xlaport.toml").write_text("[verify]\nstep = 7\n")
    with pytest.raises(UserError, match=r"xlaport\.toml, \[verify\] has no key step: did you mean steps\?"):
        configured(tmp_path)


def test_a_table_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"is a table: write \[tool\.xlaport\.verify\]"):
        configured(written(tmp_path, "[tool.xlaport]\nverify = true\n"))


def test_the_command_line_comes_first(tmp_path: Path) -> None:
    """A limit that the script cannot keep tells which of the two was taken."""
    written(tmp_path, "[tool.xlaport.verify]\ntimeout = 1\n")
    (tmp_path / "wait.py").write_text("import time\ntime.sleep(3)\n")
    assert "1 s" in call(tmp_path, "wait.py").stdout
    assert "1 s" not in call(tmp_path, "wait.py", "--timeout", "60").stdout


def test_what_a_recorded_run_does_not_ask_for_is_no_mistake(tmp_path: Path) -> None:
    written(tmp_path, WHOLE)
    save(Saved(Recording().train([1, 0, 0, 0, 0, 0]).run()), tmp_path / "run.xlaport")
    ended = call(tmp_path, "--metrics", "run.xlaport")
    assert (ended.returncode, ended.stdout.partition(":")[0]) == (0, "PASS")
    assert "leave out --steps" in call(tmp_path, "--metrics", "run.xlaport", "--steps", "30").stderr


def test_a_mistake_ends_the_command(tmp_path: Path) -> None:
    written(tmp_path, "[tool.xlaport.verify]\nstep = 1\n")
    ended = call(tmp_path, "wait.py")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    assert "did you mean steps?" in ended.stderr
