"""The folders that a program puts on ``sys.path``, where its text spells them out."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import PurePath

from xlaport.facts.module import FunctionNode, last_name
from xlaport.facts.role import is_none

SAYING = (b"sys.path", b"addsitedir")
"""One of them stands in the text of each file that adds a folder."""
_PLAIN = frozenset({"abspath", "realpath", "normpath", "expanduser", "str", "Path", "PurePath", "resolve", "absolute"})
"""Functions and methods that give the path that they get."""
_ADDING = {"append": 0, "insert": 1, "addsitedir": 0}
"""The place of the folder among the arguments."""
_MAX_DEPTH = 12


def added_folders(file: str, tree: ast.Module) -> Iterator[str]:
    """The folders that the code of a file adds: absolute paths, and those that are relative to where it is run."""
    paths = _Paths(file, tree)
    adding = {
        f.name: position for f in tree.body if isinstance(f, FunctionNode) if (position := _adds_its(f)) is not None
    }
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        position = _position(call)
        if position is None and isinstance(call.func, ast.Name):
            position = adding.get(call.func.id)
        if position is not None and position < len(call.args):
            folder = paths.of(call.args[position])
            if folder:
                yield os.path.normpath(folder)


def _position(call: ast.Call) -> int | None:
    """The place of the folder in ``sys.path.insert(0, folder)``, ``site.addsitedir(folder)``."""
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr not in _ADDING:
        return None
    owner = ast.unparse(func.value)
    return _ADDING[func.attr] if owner == ("site" if func.attr == "addsitedir" else "sys.path") else None


def _adds_its(function: FunctionNode) -> int | None:
    """Which parameter a function of the file adds: ``def add_path(path): sys.path.insert(0, path)``."""
    names = [arg.arg for arg in function.args.args]
    for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
        position = _position(call)
        given = call.args[position] if position is not None and position < len(call.args) else None
        if isinstance(given, ast.Name) and given.id in names:
            return names.index(given.id)
    return None


class _Paths:
    """What the expressions of a file are as paths."""

    def __init__(self, file: str, tree: ast.Module) -> None:
        self.file = file
        self._assigned: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self._assigned.setdefault(node.targets[0].id, []).append(node.value)

    def of(self, node: ast.expr, depth: int = 0) -> str | None:
        """A path; None where it is not spelled out."""
        if depth > _MAX_DEPTH:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            if node.id == "__file__":
                return self.file
            values = [v for v in self._assigned.get(node.id, []) if not is_none(v)]
            return self.of(values[0], depth + 1) if len(values) == 1 else None
        if isinstance(node, ast.Attribute):
            base = self.of(node.value, depth + 1) if node.attr == "parent" else None
            return os.path.dirname(base) if base is not None else None
        if isinstance(node, ast.Subscript):
            return self._parents(node, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Div):
            parts = [self.of(node.left, depth + 1), self.of(node.right, depth + 1)]
            return _joined(parts, "" if isinstance(node.op, ast.Add) else os.sep)
        return self._call(node, depth) if isinstance(node, ast.Call) else None

    def _parents(self, node: ast.Subscript, depth: int) -> str | None:
        """``Path(__file__).parents[1]``."""
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(node.value, ast.Attribute) or node.value.attr != "parents" or not isinstance(index, int):
            return None
        base = self.of(node.value.value, depth + 1)
        above = PurePath(base).parents if base is not None else ()
        return str(above[index]) if 0 <= index < len(above) else None

    def _call(self, node: ast.Call, depth: int) -> str | None:
        name = last_name(node.func)
        if name == "getcwd":
            return "."
        given: list[ast.expr] = list(node.args)
        if isinstance(node.func, ast.Attribute) and name in ("resolve", "absolute", "joinpath", "as_posix"):
            given.insert(0, node.func.value)
        parts = [self.of(argument, depth + 1) for argument in given]
        if name in ("join", "joinpath") and parts:
            return _joined(parts, os.sep)
        if name == "dirname" and len(parts) == 1:
            return os.path.dirname(os.path.normpath(parts[0])) if parts[0] is not None else None
        return parts[0] if name in _PLAIN and len(parts) == 1 else None


def _joined(parts: list[str | None], between: str) -> str | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return os.path.join(*known) if between else "".join(known)
