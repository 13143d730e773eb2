"""Whether a port's failure is that of its original: it comes from a line that no conversion touches."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable
from pathlib import Path

from xlaport import source
from xlaport.errors import UserError
from xlaport.port import notebooks
from xlaport.result import RunResult
from xlaport.verify import Verdict
from xlaport.verify.originals import align
from xlaport.verify.verdict import VerdictFinding

_MISSING = re.compile(r"\b(ModuleNotFoundError: No module named|ImportError: cannot import name)\b")
_SYNTAX = re.compile(r"\b(SyntaxError|IndentationError|TabError): ")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def original_stops(verdict: Verdict, result: RunResult, with_all: Callable[[], RunResult]) -> bool:
    """Whether the run of a conversion shows that the original cannot run either: a module is missing that it imports
    whatever the device is, or a file of it is no Python. `with_all`: the conversion with all unsafe fixes.
    """
    items = () if verdict.steps else verdict.findings
    return any(_is_original_s(item, result) and _stays(item, with_all()) for item in items)


def _is_original_s(item: VerdictFinding, result: RunResult) -> bool:
    if item.kind != "script-failed" or item.path is None or item.line is None:
        return False
    tree = _parsed(texts_of(item.path, result)[0])
    if tree is None:
        return _SYNTAX.search(item.reason) is not None
    # What an edit has taken out of another file is missing in the port alone.
    is_of_port = any(os.path.basename(file.path) in item.reason for file in result.changed)
    is_missing = not is_of_port and _MISSING.search(item.reason) is not None
    return is_missing and _stays(item, result) and _imports(tree.body, _line(item))


def _line(item: VerdictFinding) -> int:
    """Where it stands in the original."""
    return (item.original.line if item.original is not None else item.line) or 0


def _stays(item: VerdictFinding, result: RunResult) -> bool:
    """Whether a conversion leaves the line as it is."""
    if item.original is not None and item.original.new:
        return False
    before, after = (text.splitlines() for text in texts_of(item.path or "", result))
    line = _line(item)
    kept = (text for text, place in zip(after, align(before, after), strict=True) if place == (line, False))
    return 0 < line <= len(before) and before[line - 1] in kept


def texts_of(path: str, result: RunResult) -> tuple[str, str]:
    """What a file says in the original and in the port; the same, where it was not looked at."""
    file = next((file for file in result.files if os.path.realpath(file.path) == os.path.realpath(path)), None)
    if file is not None:
        return notebooks.texts(file)
    try:
        text = source.decode(Path(path), source.read_bytes(Path(path))).text
    except UserError:
        return "", ""
    return text, text


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _imports(body: list[ast.stmt], line: int) -> bool:
    """Whether a line is an import that hangs on no condition, which could tell a GPU from a TPU."""
    found = next((statement for statement in body if statement.lineno <= line <= (statement.end_lineno or 0)), None)
    if isinstance(found, _FUNCTIONS) or (isinstance(found, ast.If) and "__name__" in ast.unparse(found.test)):
        return _imports(found.body, line)
    return isinstance(found, ast.Import | ast.ImportFrom)
