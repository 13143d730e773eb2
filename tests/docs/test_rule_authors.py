"""The rule that docs/rule-authors.md shows is a rule that works."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

from xlaport import engine, registry
from xlaport.report.rule_page import SECTIONS, parts
from xlaport.rule import Applicability
from xlaport.targets.known import target

GUIDE = Path(__file__).parent.parent.parent / "docs" / "rule-authors.md"


def test_the_example_rule_is_found_and_applied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = re.search(r"<!-- rule -->\n```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert match is not None
    pack = tmp_path / "example_pack"
    pack.mkdir()
    (pack / "__init__.py").write_text("")
    (pack / "memory_statistics.py").write_text(match[1], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        rules = registry.load("example_pack")
        assert [rule.code for rule in rules] == ["XP899"]
        assert tuple(parts(rules[0])[1]) == SECTIONS
        settings = engine.Settings(target(), frozenset({Applicability.UNSAFE}))
        text = "from torch import cuda as c\n\npeak = c.memory_allocated()\n"
        assert engine.convert(text, "a.py", rules, settings).text == "peak = 0\n"
        assert engine.convert(text, "a.py", rules, engine.Settings(target())).text == text
    finally:
        for name in [name for name in sys.modules if name.startswith("example_pack")]:
            del sys.modules[name]
        importlib.invalidate_caches()


def test_the_example_of_tests_is_that_of_the_sample() -> None:
    match = re.search(r"<!-- tests of a pack -->\n```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    sample = GUIDE.parent.parent / "samples" / "rule_pack" / "tests" / "test_rules.py"
    assert match is not None
    assert sample.read_text(encoding="utf-8").endswith(match[1])
