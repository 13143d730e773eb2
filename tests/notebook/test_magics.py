"""What of a cell is hidden, and that it comes back as it was."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlaport.notebook import placeholders
from xlaport.notebook.magics import mask

HIDDEN = [
    ("x = 1\n%matplotlib inline\n", ["%matplotlib inline"]),
    ("!pip install a \\\n  b\nimport torch", ["!pip install a \\\n  b"]),
    ("if x:\n    !ls\n    %time f(x)\nelse:\n\ty = !cat {x}\n", ["!ls", "%time f(x)", "!cat {x}"]),
    ("obj?\n", ["obj?"]),
    ("?obj\nx = 1", ["?obj"]),
    ("%timeit?", ["%timeit?"]),
    ("torch.nn.Linear??  \nx", ["torch.nn.Linear??  "]),
    ("%%time\nx = 1\n%ls", ["%%time", "%ls"]),
    ("\n\n%%bash\nls 'x\n", ["\n\n%%bash\nls 'x\n"]),
    ("%%html\n<b>", ["%%html\n<b>"]),
    ("%%writefile a.py\nimport torch\n", ["%%writefile a.py\nimport torch\n"]),
    ("%%!\nls", ["%%!\nls"]),
    ("#@title Set-up\n%%capture\n!pip x\ny = 1", ["%%capture", "!pip x"]),
    ("%%timeit -n 3 x = 1\nx + 1", ["%%timeit -n 3 x = 1"]),
    ("s = '''\n!no\n%no\n'''\n%ls\n", ["%ls"]),
    ("x = [1,\n  2] # why?\n%ls", ["%ls"]),
    ("!echo don't\nx = 'a'\n", ["!echo don't"]),
    ("a.b = %magic x = 3\n", ["%magic x = 3"]),
    ("x = 5 \\\n  + 3\n!!ls", ["!!ls"]),
    ("f'''{a}\n?'''\n!ls\r\nx\r\n", ["!ls"]),
    ("/f x\n,f a b\n;f c\nx", ["/f x", ",f a b", ";f c"]),
    ("for a in b:\n    pass\n    !x\n", ["!x"]),
]
PYTHON = [
    "plt.plot(x);\nawait f()\n",
    "x = y % z\nx %= 2\nx != y\nprint('?')  # ?\n",
    "async with a as b:\n    pass",
    "x = (1\n% y)\nb = '!'\\\n'%'\n",
    "",
    "   \n# only a remark",
    "\x0c\nx = 1",
    "s = '%%bash'",
    "a == b\nc: int = 3",
]


@pytest.mark.parametrize(("source", "hidden"), HIDDEN)
def test_what_is_not_python_is_hidden(source: str, hidden: list[str]) -> None:
    masked = mask(source)
    assert masked.problem is None
    ast.parse(masked.text)
    assert placeholders.hidden_in(masked.text) == hidden
    assert placeholders.restored(masked.text) == source
    assert masked.text.count("\n") == source.count("\n"), "lines have moved"


@pytest.mark.parametrize("source", PYTHON)
def test_python_is_not_touched(source: str) -> None:
    assert mask(source).text == source


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = 1\nprint 2", 2),
        ("%ls\nx = 1\nprint 2", 3),
        ("a = b ? c", 1),
        ("f(x=!ls)", 1),
        ("if x: !ls", 1),
        ("    x = 1", 1),
        ("x = '\0'", 1),
        ("x = '\ud800'", 1),
        ('"""nb~cell~2"""', 1),
        ("(" * 5000, 1),
    ],
)
def test_what_cannot_be_parsed_is_hidden_as_a_whole_and_named(source: str, line: int) -> None:
    masked = mask(source)
    assert masked.problem is not None
    assert masked.problem[0] == line
    assert placeholders.restored(masked.text) == source


PIECES = st.sampled_from(
    ["x", "=", "==", " ", "!", "%", "%%", "?", "\n", "\r\n", "\n    ", "'", '"', '"""', "(", ")", "#", "\\", "\\\n",
     "ls", "if x:", "%%bash\n", "%%time\n", "é", "\ud800", ";", ",", "/", "[", "]", "{", "}", "f'", "\0", "\x0c", "\t"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25).map("".join))
def test_any_text_comes_back_and_leaves_python(source: str) -> None:
    masked = mask(source)
    ast.parse(masked.text)
    assert placeholders.restored(masked.text) == source


@given(st.text(max_size=40))
def test_any_characters_come_back(source: str) -> None:
    assert placeholders.restored(mask(source).text) == source
