"""The files of the checkout, and which of them each Python file needs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

PACKAGES = ("xlaport", "rules", "tests", "tools", "benchmarks")
_LONGEST = 120
"""Longer strings are programs and prose, and name no file."""


@dataclass(frozen=True)
class Source:
    """What is to be known of a Python file."""

    tree: ast.Module
    imports: frozenset[str]
    """Full names of what it imports when it runs, modules and names in them alike, and of what it starts with -m."""
    words: frozenset[str]
    """Its short strings, and the parts of those that are paths."""


class Checkout:
    """The files under a folder, by their paths relative to it."""

    def __init__(self, root: Path, files: Sequence[str], data: Sequence[str] = ()) -> None:
        """`data`: the folders whose Python files are read by tests, not imported."""
        self.root = root
        self.files = frozenset(files)
        self.data = tuple(data)
        self._sources: dict[str, Source] = {}

    def data_folder(self, file: str) -> str | None:
        """The folder of data that a file lies in."""
        return next((folder for folder in self.data if file.startswith(f"{folder}/")), None)

    @cached_property
    def python(self) -> tuple[str, ...]:
        """The Python files that can be imported."""
        return tuple(
            file
            for file in sorted(self.files)
            if file.endswith(".py") and file.split("/")[0] in PACKAGES and self.data_folder(file) is None
        )

    @cached_property
    def modules(self) -> dict[str, str]:
        """The files by the names that they are imported by: those of the rules have two."""
        found = {}
        for file in self.python:
            name = module_name(file)
            found[name] = file
            if file.startswith("rules/"):
                found[f"xlaport.{name}"] = file
        return found

    def source(self, file: str) -> Source:
        """What is to be known of a Python file. Raises `SyntaxError`."""
        if file not in self._sources:
            tree = ast.parse((self.root / file).read_text(encoding="utf-8"), file)
            self._sources[file] = Source(tree, frozenset(_imports(tree, file)), frozenset(_words(tree)))
        return self._sources[file]

    @cached_property
    def needs(self) -> dict[str, frozenset[str]]:
        """For each Python file, those that it needs itself."""
        return {file: frozenset(self._needs(file)) - {file} for file in self.python}

    def _needs(self, file: str) -> Iterator[str]:
        for name in self.source(file).imports:
            parts = name.split(".")
            # `from package import module` needs the module; the bodies of the packages around it run, too.
            for end in range(1, len(parts) + 1):
                if (found := self.modules.get(".".join(parts[:end]))) is not None:
                    yield found
        if PurePosixPath(file).name.startswith("test_"):
            around = (f"{folder}/conftest.py" for folder in PurePosixPath(file).parents)
            yield from (conftest for conftest in around if conftest in self.files)

    @cached_property
    def needed_by(self) -> dict[str, frozenset[str]]:
        """For each Python file, those that need it themselves."""
        found: dict[str, set[str]] = {}
        for file, others in self.needs.items():
            for other in others:
                found.setdefault(other, set()).add(file)
        return {file: frozenset(others) for file, others in found.items()}

    def readers(self, file: str) -> list[str]:
        """The Python files that may read one that is none of theirs: they name it, or the folder of data it is in."""
        folder = self.data_folder(file)
        name = PurePosixPath(folder or file).name
        # Names such as `shapes` mean other things elsewhere: a folder inside a folder of tests is read there.
        place = f"{PurePosixPath(folder).parent}/" if folder is not None and folder.count("/") > 1 else ""
        return [other for other in self.python if other.startswith(place) and name in self.source(other).words]

    def distances(self, starts: dict[str, int]) -> dict[str, int]:
        """How far the Python files are that need one of some files, in imports; those themselves as they are given."""
        found = dict(starts)
        todo = sorted(found, key=found.__getitem__)
        for file in todo:  # grows
            for other in sorted(self.needed_by.get(file, ())):
                if other not in found or found[other] > found[file] + 1:
                    found[other] = found[file] + 1
                    todo.append(other)
        return found


def module_name(file: str) -> str:
    """The name by which a file is imported."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imports(tree: ast.Module, file: str) -> Iterator[str]:
    package = module_name(file) if file.endswith("/__init__.py") else module_name(file).rpartition(".")[0]
    for node in _run(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.List | ast.Tuple | ast.Call):
            yield from _started(node)


def _run(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes but those for type checkers alone."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            todo += node.orelse
        else:
            todo += ast.iter_child_nodes(node)


def _started(node: ast.List | ast.Tuple | ast.Call) -> Iterator[str]:
    """The modules that a command line starts, or a function that is told their names."""
    texts = [text_of(each) for each in (node.args if isinstance(node, ast.Call) else node.elts)]
    for before, text in zip([None, *texts], texts, strict=False):
        if text is None:
            continue
        if before == "-m" and re.fullmatch(r"\w+(\.\w+)*", text):
            yield f"{text}.__main__"
        if re.fullmatch(rf"({'|'.join(PACKAGES)})(\.\w+)+", text):
            yield text


def text_of(node: ast.expr) -> str | None:
    """The text of a string."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _words(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= _LONGEST:
            yield node.value
            yield from node.value.split("/")
