"""Files that try a program out, and are no part of it."""

from __future__ import annotations

import ast
from pathlib import PurePath

from xlaport.facts.module import Module, imported_modules
from xlaport.facts.program import Facts

_RUNNERS = frozenset({"pytest", "unittest"})


def is_test_file(file: str) -> bool:
    """Whether a file may be one of tests: by its name, as pytest and unittest find them, or its folder ``tests``."""
    return _is_of_tests(file) or _is_named_so(file)


def is_test(facts: Facts) -> bool:
    """The same, for a file that defines tests: a program called ``char_cnn_test.py`` or ``test_net.py`` has none."""
    if _is_of_tests(facts.file):
        return True
    return _is_named_so(facts.file) and facts.once("defines tests", lambda: _defines_tests(facts.module))


def _is_of_tests(file: str) -> bool:
    path = PurePath(file)
    return path.parent.name == "tests" or path.stem == "conftest"


def _is_named_so(file: str) -> bool:
    stem = PurePath(file).stem
    return stem.startswith("test_") or stem.endswith("_test")


def _defines_tests(module: Module) -> bool:
    """``def test_loss():``, ``class TestLoss:``, ``import pytest``; a mere ``def test():`` evaluates."""
    if any(
        name.partition(".")[0] in _RUNNERS
        for node in module.of_type(ast.Import, ast.ImportFrom)
        for name in imported_modules(node)
    ):
        return True
    functions = module.of_type(ast.FunctionDef, ast.AsyncFunctionDef)
    return any(f.name.startswith("test_") for f in functions) or any(
        c.name.startswith("Test") for c in module.of_type(ast.ClassDef)
    )
