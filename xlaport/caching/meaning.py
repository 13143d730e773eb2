"""Whether a file still means to other files what it meant: by its code, without comments, docstrings and layout.

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
from collections.abc import Collection, Iterable, Iterator
from types import CodeType, FunctionType, ModuleType

_ASKING = ("xlaport.facts", "xlaport.rules", "xlaport.project", "rules", "xlaport_pack_")
"""Beginnings of the names of modules that ask for words."""
_ALWAYS = (b"xlaport:", b"type:")
"""What a comment says to tools: one that asks to ignore findings may keep an edit of several files from being made."""
_OF_CODE = re.compile(rb"[=(\[{\"'@]")
"""What patterns for code have in them, and prose has not."""
_ESCAPE = re.compile(rb"\\[A-Za-z]")
_WORD = re.compile(rb"[A-Za-z_]{3,}")


def is_same_code(before: bytes, after: bytes, asked: Collection[bytes]) -> bool:
    """Whether two texts of a file are the same to other files. Where one cannot be parsed, it is not.

    `asked`: the words that comments must not hold.
    """
    if before == after:
        return True
    one, other = Counter(before.split(b"\n")), Counter(after.split(b"\n"))
    lines = b"\n".join(((one - other) + (other - one)).keys())
    if not lines.isascii() or any(word in lines for word in asked):
        return False
    if any(_OF_CODE.search(line.partition(b"#")[2] or line) for line in lines.split(b"\n")):
        return False
    code = _code(before)
    return code is not None and code == _code(after)


def _code(data: bytes) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
        for node in ast.walk(tree):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list):
                    setattr(node, name, [statement for statement in block if not _is_text(statement)])
        return ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is a text alone, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def asked_words() -> frozenset[bytes]:
    """The words that rules and facts look for in the texts of files: the bytes in the code that is loaded."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(_ASKING)]
    found = {word for module in modules for data in _of_module(module) for word in _words(data)}
    return frozenset((*found, *_ALWAYS))


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
