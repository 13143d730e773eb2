"""Arguments that are called async."""

from __future__ import annotations

import pytest

from xlaport.facts.module import Module


@pytest.mark.parametrize(
    "text",
    [
        "x.cuda(async=True)",
        "x = y.to(d,\r\n  async = False)\r\n",
        "s = 'é'; x.cuda(0, async=\\\n True).type(t, async=s)\rz = 1",
    ],
)
def test_an_argument_of_pytorch_is_read_under_its_new_name(text: str) -> None:
    module = Module(text)
    assert module.text == text
    for keyword in module.old_keywords:
        assert keyword.arg == "non_blocking"
        assert module.segment(keyword).startswith("async")
    assert len(module.old_keywords) == text.count("async")


@pytest.mark.parametrize(
    "text",
    [
        "pool.apply(async=True)",
        "x.cuda(async=True); f(async=True)",
        "def cuda(self, async=True): pass",
        "async = 1",
        "x.cuda(async=True); print x",
        "x.cuda(async=True)\n  y",
        "x.cuda(async=True",
    ],
)
def test_anything_else_cannot_be_parsed(text: str) -> None:
    with pytest.raises(SyntaxError):
        Module(text)


def test_nothing_is_replaced_where_python_can_read_it() -> None:
    assert Module("async def f(): x.cuda(non_blocking=True)  # async=True").old_keywords == ()
