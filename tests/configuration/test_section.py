"""Where a project's settings are, and what is said of mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport.configuration.running import Asked, configured
from xlaport.configuration.section import nearest
from xlaport.errors import UserError


def wrong(folder: Path, text: str, name: str = "pyproject.toml") -> str:
    """The one line that is said of settings."""
    (folder / name).write_text(text)
    with pytest.raises(UserError) as error:
        configured([folder], Asked())
    told = str(error.value)
    assert str(folder / name) in told
    assert "\n" not in told
    return told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('slect = ["XP1"]', "[tool.xlaport] has no key slect: did you mean select?"),
        ('extend_exclude = ["a"]', "has no key extend_exclude: did you mean extend-exclude?"),
        ('per-file-ignore = { "a" = ["XP1"] }', "did you mean per-file-ignores?"),
        ("[tool.xlaport.verfy]", "has no key verfy: did you mean verify?"),
        ("colour = 1", "has no key colour: it may have select, ignore, extend-select,"),
        ('select = "XP1"', 'select is a list of codes of rules, or their beginnings, as in select = ["XP1"]'),
        ("ignore = [1]", "ignore is a list of codes of rules"),
        ("target = 2.4", 'target is a text, as in target = "2.9"'),
        ('target = "1.13"', "target: "),
        ("unsafe = 1", "unsafe is true or false, not 1"),
        ('multi = "yes"', "multi is true or false, not 'yes'"),
        (
            'per-file-ignores = ["XP1"]',
            "per-file-ignores is a table of patterns of files, each with codes of rules, as in",
        ),
        ('per-file-ignores = { "a.py" = "XP1" }', "per-file-ignores is a table of patterns of files"),
        (
            'select = ["XP1", "XP9999"]',
            "select: no rule has a code that begins with 'XP9999'; `xlaport rules` lists them",
        ),
        ('ignore = [""]', "ignore: no rule has a code that begins with ''"),
        (
            'per-file-ignores = { "a.py" = ["F401"] }',
            "per-file-ignores.\"a.py\": no rule has a code that begins with 'F401'",
        ),
        ('rules = ["no_such_pack"]', "there is no rule pack 'no_such_pack': no such folder, and no such package"),
        ('rules = ["tools/no_such"]', "there is no rule pack"),
        ("select = [", "cannot be read as TOML"),
    ],
)
def test_a_mistake_is_one_line_with_the_file_and_the_key(tmp_path: Path, text: str, told: str) -> None:
    assert told in wrong(tmp_path, f"[tool.xlaport]\n{text}\n")


def test_a_section_is_a_table(tmp_path: Path) -> None:
    assert "tool.xlaport is a table: write [tool.xlaport]" in wrong(tmp_path, "[tool]\nxlaport = 1\n")


def test_a_file_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"[tool.xlaport]\n# \xff\n")
    with pytest.raises(UserError, match="cannot be read as TOML"):
        nearest(tmp_path)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "xlaport.toml").write_bytes(b'\xef\xbb\xbfselect = ["XP1"]\r\n')
    assert configured([tmp_path], Asked()).select == ("XP1",)


def test_a_file_that_says_nothing_of_xlaport_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("this is no TOML")
    assert configured([tmp_path], Asked()).select == ()


def test_a_file_of_its_own_has_the_keys_at_its_top_and_comes_first(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.xlaport]\nselect = ["XP1"]\n')
    (tmp_path / "xlaport.toml").write_text('select = ["XP2"]\n[verify]\nsteps = 3\n')
    assert configured([tmp_path], Asked()).select == ("XP2",)
    assert f"{tmp_path / 'xlaport.toml'} has no key slect: did you mean select?" in wrong(
        tmp_path, "slect = []\n", "xlaport.toml"
    )


def test_the_project_is_that_of_the_folder_that_holds_all_paths(tmp_path: Path) -> None:
    for name, codes in ((".", "XP1"), ("a", "XP2"), ("b", "XP3")):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "pyproject.toml").write_text(f'[tool.xlaport]\nselect = ["{codes}"]\n')
    a, b = tmp_path / "a" / "x.py", tmp_path / "b" / "y.py"
    assert configured([a], Asked()).select == ("XP2",)
    assert configured([a, b], Asked()).select == configured([b, a], Asked()).select == ("XP1",)
    assert configured([tmp_path / "a"], Asked()).select == ("XP2",)
    assert configured([tmp_path / "a" / "no" / "such"], Asked()).select == ("XP2",)


def test_relative_paths_are_those_of_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.xlaport]\nselect = ["XP1"]\n')
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    assert configured([Path("x.py")], Asked()).select == ("XP1",)
    assert configured([Path(".."), Path("x.py")], Asked()).select == ("XP1",)


def test_isolated_reads_no_settings(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.xlaport]\nslect = 1\n")
    assert configured([tmp_path], Asked(isolated=True)).select == ()


def test_without_a_working_directory_there_are_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert configured([Path("a.py")], Asked()).select == ()
    (tmp_path / "xlaport.toml").write_text('select = ["XP1"]\n')
    assert configured([tmp_path / "a.py"], Asked()).select == ("XP1",)
