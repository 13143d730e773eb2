"""What is said of a text that this Python cannot parse."""

from __future__ import annotations

import sys

import pytest

from xlaport import engine


def said(text: str) -> str:
    """The message for `text`; empty where it can be parsed."""
    try:
        engine.parse(text)
    except engine.ConversionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('print "a"', "a print statement"),
        ("if x: print x", "a print statement"),
        ("exec 'a'", "an exec statement"),
        ("raise ValueError, 'a'", "`raise Error, text`"),
        ("x = 1 <> 2", "the operator <>"),
        ("x = `y`", "backticks"),
        ("mode = 0777", "an octal number that begins with 0"),
        ("x = 10L", "a long integer"),
        ("x = 0xFFL", "a long integer"),
        ("x = ur'a'", "a ur'' string"),
    ],
)
def test_python_2_is_called_by_its_name(line: str, what: str) -> None:
    message = said(f"import torch\n{line}\n")
    assert message.startswith(f"line 2: this is Python 2 ({what}): bring it to Python 3 first")
    assert "\n" not in message


@pytest.mark.parametrize("line", ["r'a' b''", "x = 'a' b'c' 'd'", "f(b'a' 'b'"])
def test_what_is_no_python_of_any_version(line: str) -> None:
    assert said(f"import torch\n{line}\n").startswith("line 2: this is not Python that can be parsed (")


def test_an_exception_with_a_name_behind_a_comma() -> None:
    found = said("try:\n    pass\nexcept IOError, e:\n    pass\n")
    # Since 3.14 it catches two exceptions.
    assert ("line 3: this is Python 2 (`except Error, name`)" in found) is (sys.version_info < (3, 14))


@pytest.mark.parametrize(
    ("text", "needed", "what"),
    [
        ("try:\n    pass\nexcept* ValueError:\n    pass\n", (3, 11), "except*"),
        ("x = a[*b]\n", (3, 11), "a * in an index"),
        ("class A[T]:\n    pass\n", (3, 12), "type parameters"),
        ("def f[T](x: T) -> T:\n    return x\n", (3, 12), "type parameters"),
        ("type X = int\n", (3, 12), "a type statement"),
        ("x = f'{a['b']}'\n", (3, 12), "quotes, comments or backslashes in the braces of an f-string"),
        ("class A[T = int]:\n    pass\n", (3, 13), "type parameters with defaults"),
        ("x = t'{a}'\n", (3, 14), "a t-string"),
        (
            "try:\n    pass\nexcept ValueError, TypeError:\n    pass\n",
            (3, 14),
            "several exceptions without parentheses",
        ),
        ("def f[T](\n    x: T,\n) -> T:\n    return x\n", (3, 12), "type parameters"),
        ("print(\n    a,\n    t'{b}')\n", (3, 14), "a t-string"),
        # What needs most in the line is what counts.
        ("type X = t'{a}'\n", (3, 14), "a t-string"),
    ],
)
def test_what_a_newer_python_reads_names_it(text: str, needed: tuple[int, int], what: str) -> None:
    message = said(text)
    if sys.version_info[:2] >= needed:
        assert message == ""
        return
    version = ".".join(map(str, needed))
    here = ".".join(map(str, sys.version_info[:2]))
    assert f"this needs Python {version} ({what}), and xlaport runs on {here}" in message
    assert f"run it with Python {version} or newer; file left as it is" in message


@pytest.mark.parametrize(
    "deep", ["(" * 100_000, "-" * 100_000 + "1)", "[" * 299, "(" * 299, "f(" * 149, "not " * 70 + ")"]
)
def test_a_deep_line_does_not_end_the_process(deep: str) -> None:
    assert said(deep + "\n").endswith("file left as it is")


@pytest.mark.parametrize(
    "text", ["x = (\n", "print(x\n", "def f(:\n", "x = 'a\n", "x = '<>' '`' y\n", "f'{'\n", "# 10L\n)\n"]
)
def test_what_no_python_reads_is_only_that(text: str) -> None:
    assert "this is not Python that can be parsed (" in said(text)
