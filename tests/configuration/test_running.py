"""What a project's settings do to a run, and what comes before them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.command_line import CLEAN, CUDA, PORTED, one_line, write, xlaport_run
from xlaport import registry, run
from xlaport.configuration.running import Asked, configured
from xlaport.result import RunResult
from xlaport.rule import Rule


def project(folder: Path, settings: str, **files: str) -> Path:
    """A folder with files and settings."""
    write(folder, **files)
    (folder / "pyproject.toml").write_text(f"[tool.xlaport]\n{settings}\n")
    return folder


def ran(*paths: Path, asked: Asked | None = None) -> RunResult:
    return run.convert(paths, configured(paths, asked or Asked()))


def codes(result: RunResult) -> set[str]:
    return {finding.code for finding in result.findings}


def names(result: RunResult) -> set[str]:
    return {file.path.name for file in result.files}


def test_rules_are_selected_and_ignored(tmp_path: Path) -> None:
    project(tmp_path, 'select = ["xp1"]\nignore = ["XP102", "XP103"]', train=CUDA)
    assert codes(ran(tmp_path)) == {"XP104"}


@pytest.mark.parametrize(
    ("select", "ignore", "found"),
    [
        (None, None, {"XP102", "XP104"}),
        (("XP1",), None, {"XP102", "XP104"}),  # the project's `ignore` still counts
        (("XP103",), None, {"XP103"}),  # but not against what is named as exactly
        (("XP1", "XP103"), None, {"XP102", "XP103", "XP104"}),
        (None, (), {"XP102", "XP103", "XP104"}),
        (None, ("XP102",), {"XP103", "XP104"}),
        (("XP103",), ("XP103",), set()),
    ],
)
def test_the_command_line_comes_first(
    tmp_path: Path, select: tuple[str, ...] | None, ignore: tuple[str, ...] | None, found: set[str]
) -> None:
    project(tmp_path, 'ignore = ["XP103"]', train=CUDA)
    assert codes(ran(tmp_path, asked=Asked(select=select, ignore=ignore))) == found


@pytest.mark.parametrize(
    ("settings", "asked", "found"),
    [
        ('extend-ignore = ["XP103"]', Asked(), {"XP102", "XP104"}),
        ('ignore = ["XP103"]\nextend-ignore = ["XP104"]', Asked(ignore=("XP102",)), {"XP103"}),
        ('ignore = ["XP103"]', Asked(extend_ignore=("XP102",)), {"XP104"}),
        ('select = ["XP103"]\nextend-select = ["XP104"]', Asked(), {"XP103", "XP104"}),
        ('select = ["XP103"]', Asked(extend_select=("XP102",)), {"XP102", "XP103"}),
        ("", Asked(extend_select=("XP102",)), {"XP102", "XP103", "XP104"}),
    ],
)
def test_what_is_beside_the_selection(tmp_path: Path, settings: str, asked: Asked, found: set[str]) -> None:
    project(tmp_path, settings, train=CUDA)
    assert codes(ran(tmp_path, asked=asked)) == found


def test_a_rule_on_request_comes_beside_all_others() -> None:
    asked = registry.choose(registry.load(), (), (), beside=("XP606",))
    assert {rule.code for rule in asked} == {rule.code for rule in registry.load()}
    assert "XP606" not in {rule.code for rule in registry.choose(registry.load(), (), ())}


def test_switches_and_target(tmp_path: Path) -> None:
    project(tmp_path, 'unsafe = true\nmulti = true\ntarget = "2.4"', train=CUDA)
    config = configured([tmp_path], Asked())
    assert (config.unsafe, config.multi, config.target) == (True, True, "2.4")
    config = configured([tmp_path], Asked(unsafe=False, multi=False, target="2.9"))
    assert (config.unsafe, config.multi, config.target) == (False, False, "2.9")


def test_patterns_are_relative_to_the_file_that_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, 'extend-exclude = ["/a/old/", "gen_*.py"]', top=CUDA)
    for name in ("a/old", "a/new", "b/a/old"):
        write(tmp_path / name, **{name.replace("/", "_"): CUDA, "gen_x": CUDA})
    expected = {"top.py", "a_new.py", "b_a_old.py"}
    assert names(ran(tmp_path)) == expected
    monkeypatch.chdir(tmp_path / "a")
    assert names(ran(Path(".."))) == expected
    assert names(ran(Path())) == {"a_new.py"}
    # A folder that is named is meant, and so is a file.
    assert names(ran(Path("old"))) == {"a_old.py"}
    assert names(ran(Path("old/gen_x.py"))) == {"gen_x.py"}


def test_extend_exclude_stays_where_the_command_line_excludes(tmp_path: Path) -> None:
    project(tmp_path, 'exclude = ["a.py"]\nextend-exclude = ["b.py"]', a=CUDA, b=CUDA, c=CUDA, d=CUDA)
    assert names(ran(tmp_path)) == {"c.py", "d.py"}
    assert names(ran(tmp_path, asked=Asked(exclude=("c.py",)))) == {"a.py", "d.py"}


def test_force_exclude_leaves_out_what_is_named_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What pre-commit calls us with."""
    project(tmp_path, 'extend-exclude = ["old/"]', new=CUDA)
    write(tmp_path / "old", a=CUDA)
    monkeypatch.chdir(tmp_path)
    forced = Asked(force_exclude=True)
    assert names(ran(Path("new.py"), Path("old/a.py"), asked=forced)) == {"new.py"}
    for path in (Path("old"), Path("old/a.py")):
        result = ran(path, asked=forced)
        assert (result.files, result.errors, result.seen) == ((), (), 0)
    assert names(ran(Path("new.py"), asked=Asked(exclude=("new.py",), force_exclude=True))) == set()


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("tests/**", {"a.py": {"XP102", "XP103", "XP104"}, "tests/b.py": {"XP103"}, "tests/deep/c.py": {"XP103"}}),
        ("tests/", {"a.py": {"XP102", "XP103", "XP104"}, "tests/b.py": {"XP103"}, "tests/deep/c.py": {"XP103"}}),
        ("b.py", {"a.py": {"XP102", "XP103", "XP104"}, "tests/b.py": {"XP103"}, "tests/deep/c.py": None}),
        ("!tests/", {"a.py": {"XP103"}, "tests/b.py": {"XP102", "XP103", "XP104"}, "tests/deep/c.py": None}),
    ],
)
def test_rules_are_ignored_in_some_files(tmp_path: Path, pattern: str, found: dict[str, set[str] | None]) -> None:
    project(tmp_path, f'per-file-ignores = {{ "{pattern}" = ["XP102", "XP104"] }}', a=CUDA)
    write(tmp_path / "tests", b=CUDA)
    write(tmp_path / "tests" / "deep", c=CUDA)
    result = ran(tmp_path)
    by_name = {
        file.path.relative_to(tmp_path).as_posix(): {finding.code for finding in file.findings} for file in result.files
    }
    everywhere = {"XP102", "XP103", "XP104"}
    assert by_name == {name: everywhere if codes is None else codes for name, codes in found.items()}


def test_rules_are_ignored_in_some_documents(tmp_path: Path) -> None:
    project(tmp_path, 'per-file-ignores = { "conf/*.yaml" = ["XP811"] }', a=CUDA)
    (tmp_path / "conf").mkdir()
    for name in ("conf/a.yaml", "b.yaml"):
        (tmp_path / name).write_text("device: cuda\n")
    documents = {file.path.name: bool(file.findings) for file in ran(tmp_path).files if file.path.suffix == ".yaml"}
    assert documents == {"a.yaml": False, "b.yaml": True}


def test_a_suppression_is_not_idle_where_its_rule_does_not_look(tmp_path: Path) -> None:
    line = "import torch\nx = torch.ones(1)  # xlaport: ignore[XP102]\n"
    project(tmp_path, 'per-file-ignores = { "a.py" = ["XP102"] }', a=line, b=line)
    assert [(file.path.name, [f.code for f in file.findings]) for file in ran(tmp_path).files] == [
        ("a.py", []),
        ("b.py", ["XP001"]),
    ]


def test_on_the_command_line(tmp_path: Path) -> None:
    project(tmp_path, 'select = ["XP103"]\nunsafe = true', train=CUDA, clean=CLEAN)

    def found(*options: str) -> set[str]:
        ended = xlaport_run("check", ".", "--output-format", "json", *options, cwd=tmp_path)
        assert ended.returncode == 1, ended.stderr
        return {finding["code"] for finding in json.loads(ended.stdout)["findings"]}

    assert found() == {"XP103"}
    assert found("--select", "XP104") == {"XP104"}
    assert found("--isolated") == {"XP102", "XP103", "XP104"}
    ended = xlaport_run("convert", "--isolated", "--no-unsafe", "train.py", cwd=tmp_path)
    assert ended.returncode == 0
    assert (tmp_path / "train.py").read_text() == PORTED


@pytest.mark.parametrize("command", [("check", "."), ("convert", "."), ("rules",), ("explain", "XP102")])
def test_a_mistake_ends_the_command(tmp_path: Path, command: tuple[str, ...]) -> None:
    project(tmp_path, "slect = []", train=CUDA)
    ended = xlaport_run(*command, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "pyproject.toml, [tool.xlaport] has no key slect: did you mean select?" in one_line(ended.stderr)
    assert (tmp_path / "train.py").read_text() == CUDA


def test_choosing_with_what_is_insisted_on() -> None:
    def chosen(ignore: str, insisted: str) -> set[str]:
        rules: list[Rule] = list(registry.load())
        return {rule.code for rule in registry.choose(rules, ["XP1"], [ignore], [insisted]) if rule.code == "XP102"}

    assert chosen("XP1", "XP102") == chosen("XP102", "XP102") == {"XP102"}
    assert chosen("XP102", "XP1") == set()
