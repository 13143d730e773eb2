"""Whether a file still means to other files what it meant: by its code, without comments and layout.

What is found in a file rests on the text of that file, and on the code of the others. Lines of theirs enter only into
what is said, which names the file then (`xlaport.caching.runs`). Some questions to other files are asked of their text
first, by words: a comment must hold none of them.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType

_ASKING = ("xlaport.facts", "xlaport.rules", "xlaport.project", "rules", "xlaport_pack_")
"""Beginnings of the names of modules that ask for words."""
_MARK = b"xlaport:"
"""A comment that asks to ignore findings may keep an edit of several files from being made: then any change counts."""
_PROSE = re.compile(rb"\s*(?:#[#\s]*(?:[A-Za-z][a-z']*[,;:!?.-]*\s+)*(?:[A-Za-z][a-z']*[,;:!?.]*)?)?\s*")
"""An empty line, or a comment of plain words: none that looks like a name, and no dot before a letter."""
_ESCAPE = re.compile(rb"\\[A-Za-z]")
_WORD = re.compile(rb"[A-Za-z_]{3,}")
_NO_CODE = re.compile(rb"\"\"\".*?\"\"\"|'''.*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*", re.DOTALL)
"""Texts and comments. What is named in a text, as for `getattr`, is defined in the code of some file."""
_NAME = re.compile(rb"[A-Za-z_]\w{2,}")
"""What is shorter is in every text as a part of some word."""


@dataclass(frozen=True)
class Asked:
    """What comments must not hold, since somebody looks for it in the texts of files. All in lower case."""

    parts: frozenset[bytes]
    """By rules and facts, wherever it stands."""
    names: frozenset[bytes]
    """The names of the project's code, as words."""

    def has_part_in(self, text: bytes) -> bool:
        """Whether a text holds any of it."""
        lower = text.lower()
        return any(part in lower for part in self.parts) or not self.names.isdisjoint(_NAME.findall(lower))


def is_same_code(before: bytes, after: bytes, asked: Asked) -> bool:
    """Whether two texts of a file are the same to other files: they differ in empty lines and comments of plain words.

    Where one cannot be parsed, they are not.
    """
    if before == after:
        return True
    if _MARK in before or _MARK in after:
        return False
    one, other = Counter(before.split(b"\n")), Counter(after.split(b"\n"))
    changed = (one - other) + (other - one)
    if not all(_PROSE.fullmatch(line) for line in changed) or any(map(asked.has_part_in, changed)):
        return False
    code = _code(before)
    return code is not None and code == _code(after)


def _code(data: bytes) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(data))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def asked_of(texts: Iterable[bytes]) -> Asked:
    """What is asked for: the bytes in the code of rules and facts that are loaded, and the names in some texts."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(_ASKING)]
    parts = {word.lower() for module in modules for data in _of_module(module) for word in _words(data)}
    names = {name.lower() for text in texts for name in _NAME.findall(_NO_CODE.sub(b" ", text))}
    return Asked(frozenset(parts), frozenset(names))


def _words(data: bytes) -> list[bytes]:
    return _WORD.findall(_ESCAPE.sub(b" ", data))


def _of_module(module: ModuleType) -> Iterator[bytes]:
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            for inner in vars(value).values():
                yield from _of_value(getattr(inner, "__func__", inner))
        elif not isinstance(value, FunctionType) or value.__module__ == module.__name__:
            yield from _of_value(value)


def _of_value(value: object) -> Iterator[bytes]:
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, re.Pattern) and isinstance(value.pattern, bytes):
        yield value.pattern
    elif isinstance(value, tuple | list | frozenset | set):
        yield from _of_values(value)
    elif isinstance(value, dict):
        yield from _of_values((*value.keys(), *value.values()))
    elif isinstance(value, CodeType):
        yield from _of_values(value.co_consts)
    elif (code := getattr(getattr(value, "fget", getattr(value, "func", value)), "__code__", None)) is not None:
        yield from _of_values(code.co_consts)


def _of_values(values: Iterable[object]) -> Iterator[bytes]:
    for value in values:
        yield from _of_value(value)
