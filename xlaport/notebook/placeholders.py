"""What stands in the joined cells of a notebook for what is not Python, and where one cell meets the next.

Both are strings that are statements of their own, so that Python parses the text and no rule acts on them. A hidden
text is in its placeholder as hexadecimal digits: no trigger word and no name can be found in it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from xlaport.facts.module import Module
from xlaport.finding import Span

_HIDDEN = "nb~text~"
_FENCE = "nb~cell~"
_NEWLINES = re.compile(r"\r\n|\r|\n")
_PLACEHOLDER = re.compile(
    rf'__nb_value__\("""{_HIDDEN}(?P<value>[0-9a-f]*)[\r\n]*"""\)|"""{_HIDDEN}(?P<statement>[0-9a-f]*)[\r\n]*"""'
)
_FENCE_LINE = re.compile(rf'^"""{_FENCE}(\d+)"""\n', re.MULTILINE)


def is_taken(text: str) -> bool:
    """Whether a text that was not hidden looks like a placeholder."""
    return _HIDDEN in text or _FENCE in text or "__nb_value__" in text


def statement(hidden: str) -> str:
    """A statement in the place of a text, with as many lines."""
    return f'"""{_HIDDEN}{hidden.encode("utf-8", "surrogatepass").hex()}{"".join(_NEWLINES.findall(hidden))}"""'


def value(hidden: str) -> str:
    """An expression in the place of a text, of which nothing is known."""
    return f"__nb_value__({statement(hidden)})"


def restored(text: str) -> str:
    """The text with what was hidden in it."""
    return _PLACEHOLDER.sub(lambda match: _shown(match["value"] or match["statement"] or ""), text)


def hidden_in(text: str) -> list[str]:
    """What is hidden in a text, in its order."""
    return [hidden for _, hidden in hidden_places(text)]


def hidden_places(text: str) -> list[tuple[Span, str]]:
    """The same, with where its placeholder stands."""
    return [
        (Span(match.start(), match.end()), _shown(match["value"] or match["statement"] or ""))
        for match in _PLACEHOLDER.finditer(text)
    ]


def hidden_words(text: str) -> set[str]:
    """The words in what is hidden: names that a magic may use."""
    return {word for hidden in hidden_in(text) for word in re.findall(r"\w+", hidden)}


def _shown(digits: str) -> str:
    return bytes.fromhex(digits).decode("utf-8", "surrogatepass")


def lose(text: str, ranges: Iterable[tuple[int, int, str]]) -> bool:
    """Whether new texts in the place of some ranges (start, end, new text) take away what is hidden, or a fence."""
    if _HIDDEN not in text and _FENCE not in text:
        return False
    pairs = [(text[start:end], new) for start, end, new in ranges]
    if any(_FENCE in old for old, _ in pairs):
        return True
    before = sorted(hidden for old, _ in pairs for hidden in hidden_in(old))
    return before != sorted(hidden for _, new in pairs for hidden in hidden_in(new))


def fence(number: int) -> str:
    """The line between two cells, of which the second has the number."""
    return f'"""{_FENCE}{number}"""\n'


def split(text: str) -> list[tuple[int | None, str]]:
    """The texts between the fences, with the number of the fence above each; None above the first."""
    parts = _FENCE_LINE.split(text)
    numbers = [None, *map(int, parts[1::2])]
    return list(zip(numbers, parts[::2], strict=True))


def is_fenced(module: Module) -> bool:
    """Whether the text is made of the cells of a notebook."""
    return _FENCE in module.text and any(_is_fence(node) for node in module.tree.body)


def are_apart(module: Module, first: ast.stmt, second: ast.stmt) -> bool:
    """Whether two statements of one block stand in different cells."""
    if _FENCE not in module.text:
        return False
    block = module.block(first)
    start, end = sorted((block.index(first), block.index(second)))
    return any(_is_fence(node) for node in block[start:end])


def _is_fence(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and node.value.value.startswith(_FENCE)
    )


def is_placeholder(node: ast.stmt) -> bool:
    """Whether a statement stands for what is hidden, or between two cells."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and node.value.value.startswith((_HIDDEN, _FENCE))
    )
