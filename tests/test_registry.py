"""Rule packs are found, not listed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from xlaport import registry
from xlaport.errors import UserError
from xlaport.rule import Rule

RULE = """
from xlaport.rule import Applicability, Rule
class {name}(Rule):
    code, name, summary = "{code}", "{code}-name", ""
    applicability, words = Applicability.SAFE, ()
"""


@pytest.fixture(name="pack")
def _pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty package ``toy_pack`` that can be imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "toy_pack"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    importlib.invalidate_caches()
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "toy_pack"]:
        del sys.modules[name]
    registry.load.cache_clear()


def codes(rules: tuple[Rule, ...]) -> list[str]:
    return [rule.code for rule in rules]


class TestLoad:
    def test_an_empty_pack(self, pack: Path) -> None:
        assert registry.load("toy_pack") == ()

    def test_finds_rules_in_every_module_by_code(self, pack: Path) -> None:
        (pack / "b.py").write_text(RULE.format(name="B", code="XY2"))
        (pack / "deep").mkdir()
        (pack / "deep" / "__init__.py").write_text("")
        (pack / "deep" / "a.py").write_text(RULE.format(name="A", code="XY1"))
        assert codes(registry.load("toy_pack")) == ["XY1", "XY2"]

    def test_leaves_out_imported_rules_and_bases_without_a_code(self, pack: Path) -> None:
        (pack / "a.py").write_text(RULE.format(name="A", code="XY1") + "class Base(Rule): pass\n")
        (pack / "b.py").write_text("from toy_pack.a import A\nfrom xlaport.rule import Rule\n")
        assert codes(registry.load("toy_pack")) == ["XY1"]

    def test_refuses_a_code_that_is_used_twice(self, pack: Path) -> None:
        (pack / "a.py").write_text(RULE.format(name="A", code="XY1"))
        (pack / "b.py").write_text(RULE.format(name="B", code="XY1"))
        with pytest.raises(UserError, match="rules A and B share the code XY1"):
            registry.load("toy_pack")

    def test_says_what_is_wrong_with_a_pack(self, pack: Path) -> None:
        with pytest.raises(UserError, match="no rule pack 'no_such_pack'"):
            registry.load("no_such_pack")
        (pack / "a.py").write_text("import no_such_module\n")
        with pytest.raises(UserError, match=r"toy_pack.*no_such_module"):
            registry.load("toy_pack")

    def test_a_folder_that_cannot_be_imported_is_not_passed_over(self, pack: Path) -> None:
        (pack / "deep").mkdir()
        (pack / "deep" / "__init__.py").write_text("import no_such_module\n")
        with pytest.raises(UserError, match=r"toy_pack.deep.*no_such_module"):
            registry.load("toy_pack")

    def test_the_built_in_pack(self) -> None:
        found = codes(registry.load())
        assert found == sorted(found)
        assert all(len(code) == 5 and code.startswith("XP") and code[2:].isdigit() for code in found)


class TestChoose:
    @pytest.fixture(name="rules")
    def _rules(self, pack: Path) -> tuple[Rule, ...]:
        for code in ("XY11", "XY12", "XY21"):
            (pack / f"{code}.py").write_text(RULE.format(name=code, code=code))
        return registry.load("toy_pack")

    @pytest.mark.parametrize(
        ("select", "ignore", "expected"),
        [
            ([], [], ["XY11", "XY12", "XY21"]),
            (["XY1"], [], ["XY11", "XY12"]),
            (["XY12", "XY2"], [], ["XY12", "XY21"]),
            ([], ["XY1"], ["XY21"]),
            (["XY1"], ["XY11"], ["XY12"]),
            (["XY11"], ["XY1"], []),
        ],
    )
    def test_by_prefix(
        self, rules: tuple[Rule, ...], select: list[str], ignore: list[str], expected: list[str]
    ) -> None:
        assert codes(registry.choose(rules, select, ignore)) == expected

    @pytest.mark.parametrize(
        ("select", "ignore", "expected"),
        [
            ([], [], ["XY11", "XY12", "XY21"]),
            (["XY"], [], ["XY11", "XY12", "XY21"]),
            (["XY2"], [], ["XY21"]),
            (["XY22"], [], ["XY22"]),
            (["XY", "XY22"], [], ["XY11", "XY12", "XY21", "XY22"]),
            (["XY22"], ["XY2"], []),
        ],
    )
    def test_a_rule_on_request_needs_its_whole_code(
        self, pack: Path, rules: tuple[Rule, ...], select: list[str], ignore: list[str], expected: list[str]
    ) -> None:
        (pack / "XY22.py").write_text(RULE.format(name="XY22", code="XY22") + "    on_request = True\n")
        registry.load.cache_clear()
        assert codes(registry.choose(registry.load("toy_pack"), select, ignore)) == expected

    def test_refuses_a_prefix_that_no_rule_has(self, rules: tuple[Rule, ...]) -> None:
        for select, ignore in ((["XZ"], []), ([], ["XZ"])):
            with pytest.raises(UserError, match="'XZ': the codes are XY11, XY12, XY21"):
                registry.choose(rules, select, ignore)

    def test_finds_one_by_code_or_name(self, rules: tuple[Rule, ...]) -> None:
        assert registry.find(rules, "xy11").code == "XY11"
        with pytest.raises(UserError, match="'nothing'"):
            registry.find(rules, "nothing")
