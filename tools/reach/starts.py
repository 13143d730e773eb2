"""Which tests start what takes long: torch, a browser, or pip. Read from their text, and that of their helpers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from tools.reach.checkout import Checkout, text_of

_SLOW_MODULES = ("torch", "torch_xla", "torchvision", "transformers", "nbclient")
_STARTERS = (
    "xlaport.verify.verify", "xlaport.verify.launch.run", "xlaport.doctor.installed.ask", "xlaport.doctor.trial",
    "tests.browser", "tools.fuzz",
)  # fmt: skip
"""What starts a process with torch, a browser, or programs by the hundreds."""
_COMMANDS = frozenset("verify doctor pip venv".split())
"""Words on a command line that do."""

_RUNNERS = ("exec", "runpy.run_path", "importlib.import_module")
"""What runs a program in the process of the test: one of torch's, as a rule."""

Place = tuple[str, str]
"""A name at the top level of a file; the empty one is what runs when it is imported."""


class Starts:
    """Answers by file and name."""

    def __init__(self, checkout: Checkout) -> None:
        self._checkout = checkout
        self._top: dict[str, dict[str, list[ast.stmt]]] = {}
        self._seen: dict[Place, bool] = {}

    def tests(self, file: str) -> tuple[list[str], list[str]]:
        """The tests of a file, those of a class as ``Class::test``: such as start nothing, and the others."""
        names = [
            name if not isinstance(statement, ast.ClassDef) else f"{name}::{inner.name}"
            for name, statements in self._names(file).items()
            for statement in statements
            for inner in (statement.body if isinstance(statement, ast.ClassDef) else [statement])
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and inner.name.startswith("test_")
        ]
        slow = [name for name in names if self.slow((file, name)) or self.slow((file, ""))]
        return [name for name in names if name not in slow], slow

    def slow(self, place: Place) -> bool:
        """Whether what stands at a place starts something, itself or by what it uses."""
        if place not in self._seen:
            self._seen[place] = False  # of two that use each other, until it is known
            self._seen[place] = self._slow(place)
        return self._seen[place]

    def _slow(self, place: Place) -> bool:
        file, name = place
        outer, _, inner = name.partition("::")
        for statement in self._names(file).get(outer, ()):
            parts: list[ast.AST] = [statement]
            if inner and isinstance(statement, ast.ClassDef):
                methods = [each for each in statement.body if getattr(each, "name", None) == inner]
                helpers = [each for each in statement.body if not getattr(each, "name", "").startswith("test_")]
                parts = [*statement.decorator_list, *methods, *helpers]
            for part in parts:
                nodes = list(ast.walk(part))
                if any(map(self._starts, nodes)) or _starts_on_xla(nodes):
                    return True
                if any(self.slow(used) for node in nodes for used in self._used(file, node)):
                    return True
        return False

    def _starts(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Import):
            return any(alias.name.split(".")[0] in _SLOW_MODULES for alias in node.names)
        if isinstance(node, ast.ImportFrom) and not node.level:
            module = node.module or ""
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]
            return module.split(".")[0] in _SLOW_MODULES or any(name.startswith(_STARTERS) for name in names)
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).endswith("importorskip"):
            return (text_of(node.args[0]) or "").split(".")[0] in _SLOW_MODULES
        if isinstance(node, ast.Call) and ast.unparse(node.func) in _RUNNERS:
            return True
        return isinstance(node, ast.Constant) and node.value in _COMMANDS

    def _used(self, file: str, node: ast.AST) -> Iterator[Place]:
        """What a node names: of its own file, of a helper beside the tests, a fixture, or a module that is started."""
        if isinstance(node, ast.Name | ast.arg):
            name = node.id if isinstance(node, ast.Name) else node.arg
            yield file, name
            for folder in PurePosixPath(file).parents:
                conftest = f"{folder}/conftest.py"
                if conftest in self._checkout.files and isinstance(node, ast.arg):
                    yield conftest, name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield from self._beside(f"{node.module}", alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from self._beside(alias.name, "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # A module by its name, or a file beside this one.
            module = node.value if "." in node.value else ""
            yield from self._beside(module, "")
            path = f"{PurePosixPath(file).parent}/{node.value}"
            if node.value.endswith(".py") and path in self._checkout.python:
                yield from ((path, name) for name in self._names(path))

    def _beside(self, module: str, name: str) -> Iterator[Place]:
        found = self._checkout.modules.get(f"{module}.{name}") or self._checkout.modules.get(module)
        if found is None or not found.startswith(("tests/", "tools/", "benchmarks/")):
            return
        if name in self._names(found):
            yield found, name
            yield found, ""
        else:  # the module as a whole
            yield from ((found, each) for each in self._names(found))

    def _names(self, file: str) -> dict[str, list[ast.stmt]]:
        """The statements at the top level of a file, by the names that they bind."""
        if file not in self._top:
            found: dict[str, list[ast.stmt]] = {"": []}
            for statement in self._checkout.source(file).tree.body:
                for name in _bound(statement):
                    found.setdefault(name, []).append(statement)
            self._top[file] = found
        return self._top[file]


def _starts_on_xla(nodes: list[ast.AST]) -> bool:
    """Whether a Python is started, and told its device."""
    told = any(isinstance(node, ast.Constant) and node.value == "PJRT_DEVICE" for node in nodes)
    return told and any(isinstance(node, ast.Attribute) and node.attr == "executable" for node in nodes)


def _bound(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.ImportFrom | ast.Import):
        names = [alias.asname or alias.name.split(".")[0] for alias in statement.names]
        slow = isinstance(statement, ast.Import) and any(name in _SLOW_MODULES for name in names)
        return [*names, *([""] if slow else [])]
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
        return []
    return [""]
