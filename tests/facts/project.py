"""Small projects in memory: a program of several files, by their paths."""

from __future__ import annotations

import textwrap

from xlaport.facts.module import Module
from xlaport.facts.program import KEPT, Program

TOP = "/nowhere/project"


def program(**sources: str) -> Program:
    """A project of the given files; ``pkg__mod`` is ``pkg/mod.py``, ``pkg__`` is ``pkg/__init__.py``."""
    return program_that_keeps(KEPT, **sources)


def program_that_keeps(kept: int, **sources: str) -> Program:
    """The same, where so many characters of parsed files are kept at a time."""
    files = {path(name): textwrap.dedent(source).strip("\n").encode() for name, source in sources.items()}
    return Program(files, (TOP,), parse=lambda _, data: _parsed(data), kept=kept)


def path(name: str) -> str:
    """The path of a file of `program`."""
    parts = name.split("__")
    return f"{TOP}/{'/'.join([*parts[:-1], parts[-1] or '__init__'])}.py"


def _parsed(data: bytes) -> Module | None:
    try:
        return Module(data.decode())
    except SyntaxError:
        return None
