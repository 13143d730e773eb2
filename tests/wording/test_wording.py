"""What the rules and `verify` say: short, in the field's English, and all of it from the files `texts.toml`."""

from __future__ import annotations

import ast
import re
import statistics
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from string import Formatter

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from tools.wording import LONGEST_MESSAGE, LONGEST_RECIPE, LONGEST_SNIPPET, ROOT, Said, faults, said, style, words
from xlaport import registry
from xlaport.rule import Harm
from xlaport.wording import FILE, Wording

OF_VERIFY = [ROOT / "xlaport" / folder / FILE for folder in ("verify", "report", "tpu/costs")]
FILES = [*sorted((ROOT / "rules").rglob(FILE)), *OF_VERIFY]
FOLDERS = [path.parent.relative_to(ROOT).as_posix() for path in FILES]
SAID = list(said())
PARTS = {"break", "why"}
"""Tables of `verify` for a part of a sentence; the others are kinds of findings."""


def codes_of(wording: Wording) -> set[str]:
    """The codes of all rules, or the kinds of findings that `verify` has texts for."""
    if wording.path not in OF_VERIFY:
        return {rule.code for rule in registry.load()}
    return {key.partition(".")[0] for path in OF_VERIFY for key in Wording(path.parent).entries()}


def modules(wording: Wording) -> list[Path]:
    """The modules that say the texts of a folder: a family's rules, what they share, or a part of `verify`."""
    folder = wording.path.parent
    shared = ROOT / "rules" / "_lib"
    if folder == shared.parent:
        return [*shared.glob("*.py")]
    if folder.parent != shared.parent:
        return [*folder.glob("*.py")]
    return [*folder.rglob("*.py"), *(shared / folder.name).glob("*.py")]


def names_in(parts: Mapping[str, str]) -> set[str]:
    """The names that are filled in."""
    return {name for text in parts.values() for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.fixture(params=FILES, ids=FOLDERS)
def wording(request: pytest.FixtureRequest) -> Wording:
    path: Path = request.param
    return Wording(path.parent)


def test_texts_have_the_parts_of_a_text(wording: Wording) -> None:
    codes = codes_of(wording)
    for key, parts in wording.entries().items():
        assert key.partition(".")[0] in codes, key
        assert "message" in parts, key
        assert set(parts) <= {"message", "recipe", "snippet", "harm"}, key
        assert parts.get("harm", "SLOWER") in Harm.__members__, key


def test_what_is_said_of_one_target_has_the_keys_and_names_of_what_is_said_of_all(wording: Wording) -> None:
    for path in wording.path.parent.glob("texts.*.toml"):
        with path.open("rb") as file:
            tables = tomllib.load(file)
        phrases = tables.pop("phrases", {})
        assert phrases.keys() <= wording.phrases().keys()
        for code, cases in tables.items():
            for case, parts in cases.items():
                assert names_in(parts) <= names_in(wording.entries()[f"{code}.{case}"]), f"{code}.{case}"
                assert words(parts["message"]) <= LONGEST_MESSAGE
                assert words(parts.get("recipe", "")) <= LONGEST_RECIPE
        assert all(names_in({"": text}) <= names_in({"": wording.phrases()[key]}) for key, text in phrases.items())


def test_texts_are_short_where_nothing_is_filled_in(wording: Wording) -> None:
    for key, parts in wording.entries().items():
        assert words(parts["message"]) <= LONGEST_MESSAGE, key
        assert words(parts.get("recipe", "")) <= LONGEST_RECIPE, key
        assert len(parts.get("snippet", "").splitlines()) <= LONGEST_SNIPPET, key


def test_each_text_is_said_and_each_key_is_there(wording: Wording) -> None:
    """A key stands in the code as a whole, so that whoever looks for a text finds its rule."""
    strings = {
        node.value
        for path in modules(wording)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    keys = {*wording.entries(), *wording.phrases()}
    assert keys <= strings
    codes = tuple(f"{code}." for code in codes_of(wording))
    assert {text for text in strings if text.startswith(codes) and " " not in text} <= keys


def test_names_are_filled_in_as_the_code_gives_them(wording: Wording) -> None:
    wanted = {
        key: {name for text in parts.values() for _, name, _, _ in Formatter().parse(text) if name is not None}
        for key, parts in wording.entries().items()
    }
    for path in modules(wording):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)):
                continue
            key = node.args[0].value
            if key in wanted and all(keyword.arg for keyword in node.keywords):
                given = {keyword.arg for keyword in node.keywords}
                assert given == wanted[key], f"{path.name}:{node.lineno}: {key}"


@pytest.mark.parametrize("path", OF_VERIFY, ids=lambda path: path.parent.name)
def test_what_verify_says_is_in_style(path: Path) -> None:
    """As the file has it: what is filled in is of the user's own code, or a phrase."""
    wording = Wording(path.parent)
    for key, parts in wording.entries().items():
        message, recipe = parts["message"], parts.get("recipe", "")
        assert list(faults(Said("", key, message, recipe))) == [], key
        # What begins with code, or with what is filled in, has no letter of its own to begin with.
        assert message[0] in "`{" or message[0].isupper() != (key.partition(".")[0] in PARTS), key
        assert not recipe or recipe.endswith((".", "}")), key
        assert not recipe or recipe[0] in "`{" or recipe[0].isupper() or recipe.startswith(LOWER), key
    for key, phrase in wording.phrases().items():
        assert list(faults(Said("", key, "", phrase))) == [], key
    for text in (
        *wording.phrases().values(),
        *(part for parts in wording.entries().values() for part in parts.values()),
    ):
        assert not re.search(r"\bbarriers?\b", text), f"write `torch_xla.sync()`: {text}"


LOWER = ("torch_xla", "xlaport")
"""Names that keep their spelling at the beginning of a sentence."""


def test_what_makes_the_host_wait_is_not_called_wrong(wording: Wording) -> None:
    """`Look first at …` would name it among what trains nothing."""
    harms = {rule.code: rule.harm for rule in registry.load()}
    for key, parts in wording.entries().items():
        harm = Harm[parts["harm"]] if "harm" in parts else harms.get(key.partition(".")[0])
        assert not (re.search("host waits?", parts["message"], re.IGNORECASE) and harm is Harm.WRONG), key


def test_what_is_said_of_the_snapshots_is_short_and_in_style() -> None:
    wrong: dict[str, list[str]] = defaultdict(list)
    for each in SAID:
        for fault in faults(each):
            wrong[each.code].append(f"{each.case}: {fault}")
    assert not wrong, "\n".join(line for code in sorted(wrong) for line in wrong[code])


def test_messages_are_short_on_the_whole() -> None:
    lengths = [words(each.message) for each in SAID]
    assert statistics.median(lengths) <= MEDIAN


MEDIAN = 18
"""Words."""


class TestStyle:
    def test_finds_what_it_is_for(self) -> None:
        found = [instead for pattern, instead in style() if pattern.search("The host asks the device for a number")]
        assert found == ["reads … from the TPU"]

    def test_code_counts_as_one_word(self) -> None:
        assert words("`a if b else c` is read") == 3
