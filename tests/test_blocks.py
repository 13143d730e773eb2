"""Blocks that are lifted out of the statement around them."""

from __future__ import annotations

import pytest

from xlaport import engine, registry
from xlaport.config import Config


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("last", [True, False], ids=["ended", "open"])
def test_statements_of_one_line_end_as_the_lines_around(end: str, last: bool) -> None:
    lines = ["import torch", "if torch.cuda.is_available(): print(1); print(2)"]
    text = end.join(lines) + end * last
    rules = registry.choose(registry.load(), ("XP104",), ())
    found = engine.convert(text, "a.py", rules, Config(select=("XP104",)).settings(), end).text
    assert found == end.join(["print(1)", "print(2)"]) + end * last


def test_each_line_keeps_its_end() -> None:
    text = "import torch\r\nx = 1\nif torch.cuda.is_available(): print(1); print(2)\nprint(torch)\r\n"
    rules = registry.choose(registry.load(), ("XP104",), ())
    found = engine.convert(text, "a.py", rules, Config(select=("XP104",)).settings(), "\r\n").text
    assert found == "import torch\r\nx = 1\nprint(1)\nprint(2)\nprint(torch)\r\n"
