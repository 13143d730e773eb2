"""Rules of the user's own, beside the built-in ones; the sample of such a pack; and its tests."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.command_line import one_line, write, xlaport_run
from xlaport import registry, testing
from xlaport.errors import UserError

SAMPLE = Path(__file__).parent.parent / "samples" / "rule_pack"

RULE = """
from xlaport.rule import Applicability, Rule
class {name}(Rule):
    code, name, summary = "{code}", "{name}", ""
    applicability, words = Applicability.SAFE, ("torch",)
    def check(self, context):
        yield self.finding(context.span(context.module.tree.body[0]), "seen")
"""
TORCH = "import torch\n"


def pack(folder: Path, **modules: str) -> Path:
    """A folder with rules."""
    return write(folder, **modules)


def rule(code: str, name: str = "Own") -> str:
    return RULE.format(code=code, name=name)


def codes(*packs: Path | str) -> set[str]:
    """The codes that come with some packs."""
    built_in = {rule.code for rule in registry.load()}
    return {rule.code for rule in registry.load_all([str(pack) for pack in packs])} - built_in


class TestFolders:
    def test_rules_lie_in_modules_and_folders_with_a_start(self, tmp_path: Path) -> None:
        pack(tmp_path / "own", a=rule("AB1"), _shared="X = 1\n")
        pack(tmp_path / "own" / "deep", __init__="", b="from .._shared import X\n" + rule("AB2"))
        assert codes(tmp_path / "own") == {"AB1", "AB2"}

    def test_a_start_of_its_own_is_run(self, tmp_path: Path) -> None:
        pack(tmp_path / "own", __init__="CODE = 'AB1'\n", a="from . import CODE\n" + rule("AB3"))
        assert codes(tmp_path / "own") == {"AB3"}

    def test_tests_beside_the_rules_are_not_imported(self, tmp_path: Path) -> None:
        broken = "raise RuntimeError\n"
        pack(tmp_path / "own", a=rule("AB1"), test_a=broken, a_test=broken, conftest=broken)
        pack(tmp_path / "own" / "tests", __init__=broken)
        assert codes(tmp_path / "own") == {"AB1"}

    def test_folders_of_one_name_are_two_packs_and_one_twice_is_one(self, tmp_path: Path) -> None:
        first, second = pack(tmp_path / "a" / "own", a=rule("AB1")), pack(tmp_path / "b" / "own", a=rule("AB2"))
        assert codes(first, second, first, tmp_path / "a" / ".." / "a" / "own") == {"AB1", "AB2"}

    def test_a_package_that_can_be_imported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.syspath_prepend(str(tmp_path))
        pack(tmp_path / "importable_pack", __init__="", a=rule("AB1"))
        (tmp_path / "single_module_pack.py").write_text(rule("AB2"))
        assert codes("importable_pack", "single_module_pack") == {"AB1", "AB2"}


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("import no_such_module\n", "own/a' cannot be imported: No module named 'no_such_module'"),
            ("def f(:\n", "own/a' cannot be imported: SyntaxError in line 1: "),
            ("raise ValueError('a\\nb')\n", "own/a' cannot be imported: ValueError: a b"),
            ("", "own' has no rules: a rule is a subclass of xlaport.rule.Rule"),
            (
                rule("XP102"),
                "rule Own of rule pack '{}' has the code XP102, which is that of CudaCall of the built-in rules",
            ),
            (rule("AB1") + rule("AB1", "Other"), "rules Other and Own share the code AB1"),
            (rule("ab-1"), "its code 'ab-1' is not capital letters and a number, such as ACME101"),
            (
                rule("AB1").replace('("torch",)', '"torch"'),
                "rule Own of rule pack '{}' cannot be used: its words is no tuple",
            ),
            (rule("AB1").replace('("torch",)', '("torch", 1)'), "its words are not all texts"),
            (rule("AB1") + "    def __init__(self): raise ValueError('a\\nb')\n", "cannot be used: ValueError: a b"),
            ("import sys\nsys.exit(3)\n", "own/a' cannot be imported: SystemExit: 3"),
            (rule("AB1").replace("Applicability.SAFE", '"safe"'), "its applicability is no Applicability"),
        ],
    )
    def test_is_one_line(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(UserError) as error:
            registry.load_all([str(pack(tmp_path / "own", a=text))])
        assert "\n" not in str(error.value)
        expected = told.format("own").replace("CudaCall", type(registry.find(registry.load(), "XP102")).__name__)
        assert expected in str(error.value)

    def test_a_start_that_fails_is_one_line(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="own' cannot be imported: ZeroDivisionError"):
            registry.load_all([str(pack(tmp_path / "own", __init__="1 / 0\n"))])

    def test_two_packs_with_one_code_are_both_named(self, tmp_path: Path) -> None:
        packs = [str(pack(tmp_path / name, a=rule("AB1", name.title()))) for name in ("first", "second")]
        with pytest.raises(
            UserError, match=r"rule Second of .*second' has the code AB1, .* First of rule pack .*first'"
        ):
            registry.load_all(packs)

    def test_on_the_command_line(self, tmp_path: Path) -> None:
        write(tmp_path, a=TORCH)
        pack(tmp_path / "own", a="import no_such_module\n")
        for wrong, told in (("own", "own/a"), ("nothing", "no rule pack 'nothing'"), ("a/b", "no rule pack 'a/b'")):
            for command in (("check", "a.py"), ("convert", "a.py"), ("rules",), ("explain", "XP102")):
                ended = xlaport_run(*command, "--rules", wrong, cwd=tmp_path)
                assert (ended.returncode, ended.stdout) == (2, "")
                assert told in one_line(ended.stderr)

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            ("yield", "1 / 0; yield", "ZeroDivisionError"),
            ("yield self", "return 1; yield self", ""),
            ("yield self", "return 1 or self", "TypeError: 'int' object is not iterable"),
            ("yield self", "yield 'seen' or self", "TypeError: it yields 'seen': wanted is self.finding(context.span("),
            (
                "context.span(context.module.tree.body[0])",
                "context.module.tree",
                "TypeError: it yields a finding at <ast.",
            ),
        ],
    )
    def test_a_rule_that_fails_costs_its_file(self, tmp_path: Path, old: str, new: str, told: str) -> None:
        text = rule("AB1")
        assert old in text
        pack(tmp_path / "own", a=text.replace(old, new))
        write(tmp_path, a=TORCH)
        ended = xlaport_run("check", "a.py", "--rules", "own", cwd=tmp_path)
        assert ended.returncode == (2 if told else 0)
        assert "Traceback" not in ended.stderr
        assert not told or f"rule AB1 (Own) failed: {told}" in ended.stdout


def test_a_pack_of_the_command_line_comes_beside_that_of_the_project(tmp_path: Path) -> None:
    write(tmp_path, a=TORCH)
    pack(tmp_path / "tools" / "first", a=rule("AB1"))
    pack(tmp_path / "second", a=rule("AB2"))
    (tmp_path / "pyproject.toml").write_text('[tool.xlaport]\nrules = ["tools/first"]\nselect = ["AB"]\n')

    def found(*options: str, cwd: Path = tmp_path) -> list[str]:
        ended = xlaport_run("check", *options, "--output-format", "json", cwd=cwd)
        assert ended.returncode in (0, 1), ended.stderr
        return [finding["code"] for finding in json.loads(ended.stdout)["findings"]]

    assert found("a.py") == ["AB1"]
    assert found("../../a.py", cwd=tmp_path / "tools" / "first") == ["AB1"]
    assert found("a.py", "--rules", "second") == ["AB1", "AB2"]
    assert found("a.py", "--rules", "second", "--select", "AB2") == ["AB2"]
    (tmp_path / "a.py").write_text("import torch  # xlaport: ignore[AB1]\n")
    assert found("a.py", "--rules", "second") == ["AB2"]
    listed = xlaport_run("rules", "--rules", "second", cwd=tmp_path).stdout
    assert "AB1  safe    Own" in listed
    assert "AB2  safe    Own" in listed
    assert "AB1: Own" in xlaport_run("explain", "ab1", cwd=tmp_path).stdout


class TestSample:
    def test_it_finds_what_its_program_has(self) -> None:
        ended = xlaport_run("check", "train.py", "--output-format", "json", cwd=SAMPLE)
        found = {(f["line"], f["code"], f["fixed"]) for f in json.loads(ended.stdout)["findings"]}
        assert {(5, "ACME101", False), (7, "ACME101", False), (9, "ACME201", False)} <= found
        assert "ACME101: acme-to-gpu" in xlaport_run("explain", "ACME101", cwd=SAMPLE).stdout

    def test_reports_explain_its_rules(self, tmp_path: Path) -> None:
        page = tmp_path / "page.html"
        ended = xlaport_run("check", "train.py", "--output-format", "sarif", "--html", page, cwd=SAMPLE)
        assert ended.returncode == 1, ended.stderr
        for text in (ended.stdout, page.read_text(encoding="utf-8")):
            assert "picks the GPU with the most free memory" in text

    def test_its_own_tests_pass_and_see_a_difference(self, tmp_path: Path) -> None:
        copied = tmp_path / "rule_pack"
        shutil.copytree(SAMPLE, copied, ignore=shutil.ignore_patterns("__pycache__"))

        def tested(**environment: str) -> str:
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
            ended = subprocess.run(
                command, cwd=copied, env={"PATH": "", **environment}, capture_output=True, text=True, check=False
            )
            return ended.stdout

        assert "5 passed" in tested()
        source = copied / "acme_rules" / "to_gpu.py"
        source.write_text(source.read_text().replace('f"{moved}.to({device}())"', 'f"{moved}.to(device={device}())"'))
        told = tested()
        assert "2 failed, 3 passed" in told
        assert "+batch = torch.zeros(3).to(device=torch_xla.device())" in told
        assert "set XLAPORT_UPDATE=1 to write it" in told
        assert "5 passed" in tested(XLAPORT_UPDATE="1")
        after = copied / "tests" / "snapshots" / "ACME101" / "alone" / "after.py"
        assert "to(device=" in after.read_text()
        assert "5 passed" in tested()


class TestCases:
    @pytest.fixture(name="own")
    def _own(self, tmp_path: Path) -> Path:
        text = rule("AB1").replace('"seen")', '"seen", Replace(Span(0, 6), "import  "))')
        return pack(tmp_path / "own", a=text.replace("import Applicability", "import Applicability, Replace, Span"))

    def test_a_rule_that_never_comes_to_rest_is_told(self, tmp_path: Path, own: Path) -> None:
        write(tmp_path / "snapshots" / "AB1" / "plain", before=TORCH)
        (case,) = testing.cases(tmp_path / "snapshots", [own])
        with pytest.raises(Exception, match="did not settle"):
            case.check()

    def test_a_text_to_keep_that_is_rewritten_is_told(self, tmp_path: Path) -> None:
        write(tmp_path / "snapshots" / "XP102" / "keep-it", before="import torch\ntorch.ones(1).cuda()\n")
        (case,) = testing.cases(tmp_path / "snapshots")
        with pytest.raises(AssertionError, match="XP102-keep-it: this must not be rewritten"):
            case.check()

    def test_a_folder_of_no_rule_and_a_case_without_a_program_are_told(self, tmp_path: Path) -> None:
        (tmp_path / "XP102" / "empty").mkdir(parents=True)
        with pytest.raises(ValueError, match=r"empty: one before\.py is wanted"):
            testing.cases(tmp_path)
        (tmp_path / "AB1" / "plain").mkdir(parents=True)
        with pytest.raises(ValueError, match="AB1: no rule has this code"):
            testing.cases(tmp_path)
