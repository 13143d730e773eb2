"""Pieces of source, changed with LibCST: commas, comments and blocks stay right."""

from __future__ import annotations

import pytest

from xlaport import islands


class TestArgument:
    @pytest.mark.parametrize(
        ("call", "index", "expected"),
        [
            ("f(a)", 0, "f()"),
            ("f(a,)", 0, "f()"),
            ("f( a )", 0, "f()"),
            ("f(x for x in y)", 0, "f()"),
            ("f(a, b)", 0, "f(b)"),
            ("f(a, b)", 1, "f(a)"),
            ("f(a, b, c)", 1, "f(a, c)"),
            ("f(a, b,)", 1, "f(a,)"),
            ("f( a, b )", 1, "f( a )"),
            ("f(a ,b)", 1, "f(a)"),
            ("f(*a, b=1)", 0, "f(b=1)"),
            ("f(*a, b=1, **c)", 1, "f(*a, **c)"),
            ("f((a), (b))", 0, "f((b))"),
            ("f(a)(b, c)", 0, "f(a)(c)"),
            ("f(\n    a,\n    b,\n)", 1, "f(\n    a,\n)"),
            ("f(\n    a,\n    b\n)", 1, "f(\n    a\n)"),
            ("f(\n    a,\n    b,\n)", 0, "f(\n    b,\n)"),
            ("f(a,\n  b)", 1, "f(a)"),
            ("f(a,\r\n  b,\r\n  c)", 1, "f(a,\r\n  c)"),
            ("f(a, é='ß', b=1)", 2, "f(a, é='ß')"),
            ("f(a, b,\n  c)", 1, "f(a,\n  c)"),
            ("f(a, b,\r\n  c, d)", 1, "f(a,\r\n  c, d)"),
            ("f(a,\n  b, c,\n  d)", 1, "f(a,\n  c,\n  d)"),
        ],
    )
    def test_goes(self, call: str, index: int, expected: str) -> None:
        assert islands.without_arguments(call, index, index) == expected

    @pytest.mark.parametrize(
        ("call", "index", "expected"),
        [
            ("f(\n    a,  # A\n    b,  # B\n    c,  # C\n)", 0, "f(\n    b,  # B\n    c,  # C\n)"),
            ("f(\n    a,  # A\n    b,  # B\n    c,  # C\n)", 1, "f(\n    a,  # A\n    c,  # C\n)"),
            ("f(\n    a,  # A\n    b,  # B\n)", 1, "f(\n    a,  # A\n)"),
            ("f(\n    a,  # A\n    b  # B\n)", 1, "f(\n    a  # A\n)"),
            ("f(\n    a,\n    b,  # B\n)", 1, "f(\n    a,\n)"),
            ("f(a,  # A\n  b)", 1, "f(a  # A\n  )"),
            ("f(a, b,  # B\n  c)", 1, "f(a,\n  c)"),
        ],
    )
    def test_takes_its_own_comment_and_no_other(self, call: str, index: int, expected: str) -> None:
        assert islands.without_arguments(call, index, index) == expected

    @pytest.mark.parametrize(
        ("call", "last", "expected"),
        [
            ("f(a, b=1, c=2)", 2, "f(a)"),
            ("f(a, b=1, c=2, d=3)", 2, "f(a, d=3)"),
            ("f(\n    a,  # A\n    b=1,\n    c=2,\n)", 2, "f(\n    a,  # A\n)"),
            ("f(\n    a,\n    b=1,\n    c=2,\n    d=3,\n)", 2, "f(\n    a,\n    d=3,\n)"),
        ],
    )
    def test_several_go(self, call: str, last: int, expected: str) -> None:
        assert islands.without_arguments(call, 1, last) == expected

    def test_of_what_is_no_call(self) -> None:
        with pytest.raises(islands.IslandError):
            islands.without_arguments("a + b", 0, 0)
        with pytest.raises(islands.IslandError):
            islands.without_arguments("f(", 0, 0)


class TestItem:
    @pytest.mark.parametrize(
        ("display", "index", "expected"),
        [
            ("{'a': 1}", 0, "{}"),
            ("{'a': 1, 'b': 2}", 0, "{'b': 2}"),
            ("{'a': 1, 'b': 2}", 1, "{'a': 1}"),
            ("{'a': 1, 'b': 2,}", 1, "{'a': 1,}"),
            ("{**a, 'b': 2, **c}", 1, "{**a, **c}"),
            ("{\n    'a': 1,  # A\n    'b': 2,  # B\n}", 1, "{\n    'a': 1,  # A\n}"),
            ("{\n    'a': 1,  # A\n    'b': 2  # B\n}", 1, "{\n    'a': 1  # A\n}"),
            ("{\n    'a': 1,  # A\n    'b': 2,  # B\n}", 0, "{\n    'b': 2,  # B\n}"),
        ],
    )
    def test_goes(self, display: str, index: int, expected: str) -> None:
        assert islands.without_item(display, index) == expected

    def test_of_what_is_no_display(self) -> None:
        with pytest.raises(islands.IslandError):
            islands.without_item("{a}", 0)


class TestOwnLines:
    @pytest.mark.parametrize(
        ("text", "line", "expected"),
        [
            ("a; b\n", 1, "a\nb\n"),
            ("a;\n", 1, "a\n"),
            ("a; b;  # c\n", 1, "a\nb  # c\n"),
            ("    a; b\n", 1, "    a\n    b\n"),
            ("if a: b; c\n", 1, "if a:\n  b\n  c\n"),
            ("if a: b  # c\nelse: d\n", 1, "if a:\n  b  # c\nelse: d\n"),
            ("if a: b\nelse: c; d\n", 2, "if a: b\nelse:\n  c\n  d\n"),
            ("f(\n); g\n", 2, "f(\n)\ng\n"),
            ("class A: x = 1; y = 2\n", 1, "class A:\n  x = 1\n  y = 2\n"),
            ("    for i in x: a\n", 1, "    for i in x:\n      a\n"),
            ("\tfor i in x: a\n", 1, "\tfor i in x:\n\t  a\n"),
        ],
    )
    def test_are_given(self, text: str, line: int, expected: str) -> None:
        assert islands.with_own_lines(text, line, "\n", "  ") == expected

    def test_with_the_newline_of_the_file(self) -> None:
        assert islands.with_own_lines("if a: b; c\r\n", 1, "\r\n", "    ") == "if a:\r\n    b\r\n    c\r\n"
        assert islands.with_own_lines("a; b", 1, "\r\n", "    ") == "a\r\nb"

    def test_of_what_cannot_be_parsed(self) -> None:
        with pytest.raises(islands.IslandError):
            islands.with_own_lines("else: a; b\n", 1, "\n", "    ")


@pytest.mark.parametrize(
    ("statement", "gone", "expected"),
    [
        ("import a, b", [0], "import b"),
        ("import a, b", [1], "import a"),
        ("from x import a, b, c", [1], "from x import a, c"),
        ("from x import a as z, b, c", [1, 2], "from x import a as z"),
        ("from x import (a, b)", [1], "from x import (a)"),
        ("from x import (a, b,)", [1], "from x import (a,)"),
        (
            "from x import (\n    a,  # A\n    b,  # B\n    c,  # C\n)",
            [1],
            "from x import (\n    a,  # A\n    c,  # C\n)",
        ),
        ("from x import (\n    a,  # A\n    b,  # B\n)", [1], "from x import (\n    a,  # A\n)"),
        ("from x import (\n    a,  # A\n    b  # B\n)", [1], "from x import (\n    a  # A\n)"),
        ("from x import (\n    a,\n    b,\n    c,\n)", [1, 2], "from x import (\n    a,\n)"),
        ("from x import a, \\\n    b", [1], "from x import a"),
        ("from x import (\r\n    a,\r\n    b,\r\n)", [0], "from x import (\r\n    b,\r\n)"),
    ],
)
def test_names_of_an_import_go(statement: str, gone: list[int], expected: str) -> None:
    assert islands.without_names(statement, gone) == expected
