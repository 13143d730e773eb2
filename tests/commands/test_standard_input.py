"""A file by standard input, as editors hand it over."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.command_line import CLEAN, CUDA, PORTED, one_line, write, xlaport_run


class TestStandardInput:
    def test_a_check(self, tmp_path: Path) -> None:
        run = xlaport_run("check", "-", cwd=tmp_path, input=CUDA)
        assert run.returncode == 1
        assert run.stdout.startswith("-\n  3:27  XP103  fixable")
        named = xlaport_run("check", "-", "--stdin-filename", "pkg/train.py", cwd=tmp_path, input=CUDA)
        assert named.stdout.startswith("pkg/train.py\n  3:27")

    def test_a_conversion_is_printed(self, tmp_path: Path) -> None:
        run = xlaport_run("convert", "-", cwd=tmp_path, input=CUDA)
        assert (run.returncode, run.stdout) == (0, PORTED)
        assert "Fixed 3 findings" in run.stderr
        again = xlaport_run("convert", "-", "-q", cwd=tmp_path, input=run.stdout)
        assert (again.returncode, again.stdout) == (0, PORTED)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize(
        "data", [b"print(1)\r\n", b"import numpy\nx = 1", b"", b"import torch\nx = (\n", b"x = '\xff'"]
    )
    def test_what_is_not_ported_comes_out_as_it_came(self, tmp_path: Path, data: bytes) -> None:
        run = subprocess.run(
            [sys.executable, "-m", "xlaport", "convert", "-"],
            cwd=tmp_path,
            input=data,
            capture_output=True,
            check=False,
        )
        assert run.stdout == data

    def test_it_belongs_to_a_project(self, tmp_path: Path) -> None:
        write(tmp_path / "pkg", settings='import torch\nDEVICE = torch.device("cpu")\n')
        (tmp_path / "pkg" / "xlaport.toml").write_text('ignore = ["XP104"]\n')
        text = CUDA + "from settings import DEVICE\n"
        run = xlaport_run("check", "-", "--stdin-filename", "pkg/train.py", cwd=tmp_path, input=text)
        assert "XP104" not in run.stdout
        assert "XP103" in run.stdout

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("-", "a.py"), "- is standard input, and cannot be named beside other paths"),
            (("a.py", "--stdin-filename", "b.py"), "--stdin-filename says what standard input is called: name - "),
            (("-", "--stdin-filename", "a.yaml"), "standard input is read as Python; name other files as paths"),
            (("-", "--add-ignores"), "--add-ignores writes into files: name them"),
            (("-", "-q", "-v"), "--quiet and --verbose: choose one"),
            (("-", "-q", "--output-format", "sarif"), "--quiet is for the text report: leave it out with --output-"),
            (("-", "-v", "--output-format", "json"), "--verbose is for the text report: leave it out with --output-"),
            (("-", "--statistics", "--output-format", "junit"), "--statistics is for the text report: leave it out"),
        ],
    )
    def test_bad_input_is_one_line(self, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
        run = xlaport_run("check", *arguments, cwd=tmp_path, input=CUDA)
        assert run.returncode == 2
        assert told in one_line(run.stderr)

    def test_a_file_of_that_name_is_another(self, tmp_path: Path) -> None:
        (tmp_path / "-").write_text(CLEAN)
        run = xlaport_run("check", "./-", cwd=tmp_path, input=CUDA)
        assert (run.returncode, run.stdout.partition(":")[0]) == (2, "error"), "it is no Python file by its name"
        (tmp_path / "-").unlink()
        (tmp_path / "-" / "a.py").parent.mkdir()
        (tmp_path / "-" / "a.py").write_text(CUDA)
        assert xlaport_run("check", "./-", cwd=tmp_path, input=CLEAN).stdout.startswith("-/a.py\n")

    def test_a_diff_has_its_name(self, tmp_path: Path) -> None:
        for name, options in (("-", ()), ("./pkg/train.py", ("--stdin-filename", "pkg/train.py"))):
            run = xlaport_run("convert", "--diff", "-", *options, cwd=tmp_path, input=CUDA)
            assert run.stdout.splitlines()[:2] == [f"--- {name}", f"+++ {name}"]

    def test_what_is_excluded_is_passed_over(self, tmp_path: Path) -> None:
        """As editors call it: with the name of the file that is open."""
        (tmp_path / "xlaport.toml").write_text('exclude = ["old/"]\n')
        for name, is_left_out in (("old/train.py", True), ("new/train.py", False)):
            arguments = ("-", "--force-exclude", "--stdin-filename", name)
            checked = xlaport_run("check", *arguments, cwd=tmp_path, input=CUDA)
            assert checked.returncode == int(not is_left_out)
            converted = xlaport_run("convert", *arguments, cwd=tmp_path, input=CUDA)
            assert converted.stdout == (CUDA if is_left_out else PORTED)

    def test_what_does_not_parse(self, tmp_path: Path) -> None:
        run = xlaport_run("check", "-", cwd=tmp_path, input="import torch\nx = (\n")
        assert run.returncode == 2
        assert run.stdout.startswith("error: -: line 2: ")
