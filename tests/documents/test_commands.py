"""Launchers, as their shells read them."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlaport.documents.commands import Command, commands, options
from xlaport.documents.document import Document, Kind
from xlaport.documents.requirements import Requirement, requirements


def read(text: str, kind: Kind = Kind.SHELL) -> tuple[Command, ...]:
    found = commands(Document(text, kind))
    for command in found:
        for word in command.words:
            assert text[word.span.start : word.span.end] == word.text
            assert word.span.contains(word.inner)
    return found


def words(text: str, kind: Kind = Kind.SHELL) -> list[list[str | None]]:
    return [[word.value for word in command.words] for command in read(text, kind) if command.words]


def variables(text: str, kind: Kind = Kind.SHELL) -> list[tuple[str, str | None, bool]]:
    return [(a.name, a.value, a.exported) for command in read(text, kind) for a in command.assignments]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b  c\n", [["a", "b", "c"]]),
        ("a b \\\n  c\r\nd", [["a", "b", "c"], ["d"]]),
        ("a; b && c || d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
        ("a # b\n#c\nd#e", [["a"], ["d#e"]]),
        ("a 'b c' \"d e\" f\\ g", [["a", "b c", "d e", "f g"]]),
        ("a \"$b\" $c ${d} x$e 'f'g", [["a", None, None, None, None, "fg"]]),
        ("a $(b c) `d` \"$(e 'f)')\"", [["a", None, None, None], ["b", "c"], ["d"], ["e", "f)"]]),
        ("a <<E\nb\nE\nc", [["a"], ["c"]]),
        ("a <<-'E' >b\n\tc\n\tE\nd", [["a", "b"], ["d"]]),
        ("a <<E | b <<F\nx\nE\ny\nF\nc", [["a"], ["b"], ["c"]]),
        ("a <<E\nb", [["a"]]),
        ("a <<< b", [["a", "b"]]),
        ("a 2>&1 &>b", [["a", "2", "1", "b"]]),
        ("if a; then b; else c; fi", [["a"], ["b"], ["c"], ["fi"]]),
        ("a $((1 + 2)) b", [["a", None, "b"]]),
        ("a '", [["a", ""]]),
        ('a "b\n c" d', [["a", "b\n c", "d"]]),
        ("a $", [["a", "$"]]),
        ("( a b )", [["a", "b"]]),
    ],
)
def test_words(text: str, expected: list[list[str | None]]) -> None:
    assert words(text) == expected


def test_variables() -> None:
    text = "A=1 B='x y' c\nexport D=2 E\nenv F=3 g\nH=$i j\nk L=4\ndeclare -x M=5\n"
    assert variables(text) == [
        ("A", "1", False), ("B", "x y", False), ("D", "2", True), ("F", "3", False), ("H", None, False),
        ("M", "5", True),
    ]  # fmt: skip


def test_options() -> None:
    (command,) = read("a --b c -d --e=f \"--g=h\" --i 'j k' --l $m --n")
    assert [(o.name, o.value) for o in options(command)] == [
        ("b", "c"), ("d", ""), ("e", "f"), ("g", "h"), ("i", "j k"), ("l", None), ("n", ""),
    ]  # fmt: skip


def test_a_dockerfile() -> None:
    text = (
        'FROM a AS b\nRUN c d && \\\n  # e\n  f g\nENV h=i j="k l"\nENV m n\nCMD ["o", "p"]\nRUN <<E\nq\nE\nARG r=s\n'
    )
    assert words(text, Kind.DOCKER) == [["a", "AS", "b"], ["c", "d"], ["f", "g"], ["o", "p"]]
    assert variables(text, Kind.DOCKER) == [("h", "i", True), ("j", "k l", True), ("m", "n", True), ("r", "s", True)]


def test_a_makefile() -> None:
    text = "A ?= b\nexport C := d\ne: f\n\t@-g h \\\n\t  i\n\tJ=1 k # l\nm:\n# n\n"
    assert words(text, Kind.MAKE) == [["b"], ["d"], ["g", "h", "i"], ["k"]]
    assert variables(text, Kind.MAKE) == [("A", "b", False), ("C", "d", True), ("J", "1", False)]


@given(st.lists(st.text(alphabet="ab'\" \\$x", max_size=6), min_size=1, max_size=5))
@settings(deadline=None)
def test_quoted_words_are_read_as_the_shell_reads_them(said: list[str]) -> None:
    assert words(shlex.join(said)) == [said]


@given(
    st.text(alphabet="ab'\"\\$(){}`#<>&|;= \n\tE", max_size=40),
    st.sampled_from([kind for kind in Kind if kind is not Kind.NOTEBOOK]),
)
@settings(deadline=None)
def test_any_text_is_read(text: str, kind: Kind) -> None:
    read(text, kind)
    requirements(Document(text, kind))


@pytest.mark.parametrize(
    ("text", "name", "version", "minor"),
    [
        ("torch", "torch", "", None),
        ("Torch_XLA[tpu] ~= 2.9.0 ; python_version > '3'", "torch-xla", "~=2.9.0", "2.9"),
        ("torch==2.9.*", "torch", "==2.9.*", "2.9"),
        ("torch==2.9", "torch", "==2.9", "2.9"),
        ("torch~=2.9", "torch", "~=2.9", None),
        ("torch>=2.1,<3", "torch", ">=2.1,<3", None),
        ("torch (>=2.1)", "torch", ">=2.1", None),
        ("torch==2.1.0+cu121", "torch", "==2.1.0+cu121", "2.1"),
        ("torch @ file.whl", "torch", "", None),
    ],
)
def test_a_requirement(text: str, name: str, version: str, minor: str | None) -> None:
    (found,) = requirements(Document(f"# x\n  {text}  # y\n", Kind.REQUIREMENTS))
    assert (found.name, found.version, found.minor) == (name, version, minor)


@pytest.mark.parametrize(
    "text", ["-r torch", "--index-url x", "# torch", "", "git+ssh://a/torch", "./torch", "https://a"]
)
def test_no_requirement(text: str) -> None:
    assert [r for r in requirements(Document(text, Kind.REQUIREMENTS)) if r.name == "torch"] == []


def test_install_commands() -> None:
    text = 'pip install -r a "torch>=2" -i b numpy --upgrade scipy\n'
    text += "conda install -c c pytorch=2.1=d x::y=1\npip download torch\necho pip install torch\n"
    found = requirements(Document(text, Kind.SHELL))
    assert [(r.name, r.version) for r in found] == [
        ("torch", ">=2"), ("numpy", ""), ("scipy", ""), ("pytorch", "=2.1"), ("y", "=1"),
    ]  # fmt: skip
    assert isinstance(found[0], Requirement)
