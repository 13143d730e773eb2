"""Why Python cannot parse a text, in words that say what to do: it may be an older Python's, or a newer one's."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst

_LONGEST = 300
"""Characters of a line that LibCST is asked about: a deep one would overflow its stack, and end the process."""

_PYTHON_2: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"(?:^|[;:])\s*print\b\s*(?:>>|[^\s(=.,:;)\]>])"), "a print statement"),
    (re.compile(r"(?:^|[;:])\s*exec\b\s*[^\s(=.,:;)\]]"), "an exec statement"),
    (re.compile(r"^\s*except\b[^,:]*,\s*[a-z_]\w*\s*:|^\s*except\s*\(.*\)\s*,\s*\w+\s*:"), "`except Error, name`"),
    (re.compile(r"\braise\s+[\w.]+\s*,"), "`raise Error, text`"),
    (re.compile(r"<>"), "the operator <>"),
    (re.compile(r"`"), "backticks"),
    (re.compile(r"(?<![\w.])0[0-7]+(?![\w.])"), "an octal number that begins with 0"),
    (re.compile(r"(?<![\w.])\d+[lL]\b|(?<![\w.])0[xX][\da-fA-F]+[lL]\b"), "a long integer"),
    (re.compile(r"(?<!\w)[uU][rR]''"), "a ur'' string"),
)
"""What the line of the error holds, and what it is."""

_QUOTED = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")

_NEWER: dict[str, tuple[tuple[int, int], str]] = {
    "TryStar": ((3, 11), "except*"),
    "TypeAlias": ((3, 12), "a type statement"),
    "TypeParameters": ((3, 12), "type parameters"),
    "TemplatedString": ((3, 14), "a t-string"),
    "LazyImport": ((3, 15), "a lazy import"),
    "LazyImportFrom": ((3, 15), "a lazy import"),
    "StarredDictComp": ((3, 15), "a ** in a comprehension"),
}
"""The nodes of LibCST that a Python before this one does not know."""


ASYNC = "async is a keyword from Python 3.7 on, and no name: write non_blocking for the argument of PyTorch's"
_ASYNC = re.compile(r"(?<![\w.])async\s*[=,)]|\.async\b")


def fault(text: str) -> str | None:
    """Why Python cannot parse a text that no rule looks at; None where it can."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        where = f"line {error.lineno}: " if error.lineno else ""
        return f"{where}{reason(text, error)}"
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def reason(text: str, error: SyntaxError) -> str:
    """What is wrong with `text`, which Python refuses with `error`: one line, for behind its place."""
    lines = re.split(r"\r\n|\r|\n", text)
    line = lines[error.lineno - 1] if error.lineno is not None and 0 < error.lineno <= len(lines) else ""
    older = _older(line)
    if older is not None:
        return f"this is Python 2 ({older}): bring it to Python 3 first, for instance with 2to3"
    if _ASYNC.search(_QUOTED.sub("''", line).partition("#")[0]):
        return ASYNC
    newer = _newer(line, error)
    if newer is not None:
        (major, minor), what = newer
        here = f"{sys.version_info[0]}.{sys.version_info[1]}"
        needed = f"{major}.{minor}"
        return f"this needs Python {needed} ({what}), and xlaport runs on {here}: run it with Python {needed} or newer"
    return f"this is not Python that can be parsed ({error.msg})"


def _older(line: str) -> str | None:
    code = _QUOTED.sub("''", line).partition("#")[0]
    return next((what for pattern, what in _PYTHON_2 if pattern.search(code)), None)


def _newer(line: str, error: SyntaxError) -> tuple[tuple[int, int], str] | None:
    """What a newer Python than this can parse in the line of an error, and which one; None where it is not that."""
    code = line.strip()
    if len(code) > _LONGEST:
        return None
    import libcst

    code = _closed(code)
    for piece in (code, f"{code}\n    pass", f"{code}:\n    pass", f"try:\n    pass\n{code}\n    pass"):
        try:
            features = list(_features(libcst.parse_module(piece + "\n"), error))
        except (libcst.ParserSyntaxError, libcst.CSTValidationError):
            continue
        newest = max(features, default=((0, 0), ""))
        return newest if newest[0] > sys.version_info[:2] else None
    return None


def _closed(code: str) -> str:
    """A line that may be one of several, with the brackets that it leaves open, or closes for others."""
    opened, behind = "", ""
    for bracket in re.findall(r"[\[\](){}]", _QUOTED.sub("", code)):
        if bracket in "([{":
            behind = {"(": ")", "[": "]", "{": "}"}[bracket] + behind
        elif behind.startswith(bracket):
            behind = behind[1:]
        elif not behind:
            opened = {")": "(", "]": "[", "}": "{"}[bracket] + opened
    return opened + code + behind


def _features(module: libcst.Module, error: SyntaxError) -> Iterator[tuple[tuple[int, int], str]]:
    if "f-string" in error.msg:
        yield (3, 12), "quotes, comments or backslashes in the braces of an f-string"
    pending: list[libcst.CSTNode] = [module]
    while pending:
        node = pending.pop()
        pending += node.children
        kind = type(node).__name__
        if kind in _NEWER:
            yield _NEWER[kind]
        elif kind == "TypeParam" and getattr(node, "default", None) is not None:
            yield (3, 13), "type parameters with defaults"
        elif kind in ("ExceptHandler", "ExceptStarHandler"):
            caught = getattr(node, "type", None)
            if type(caught).__name__ == "Tuple" and not getattr(caught, "lpar", ()):
                yield (3, 14), "several exceptions without parentheses"
        elif kind == "Index" and getattr(node, "star", None) is not None:
            yield (3, 11), "a * in an index"
        elif kind in ("ListComp", "SetComp", "GeneratorExp"):
            if type(getattr(node, "elt", None)).__name__ == "StarredElement":
                yield (3, 15), "a * in a comprehension"
