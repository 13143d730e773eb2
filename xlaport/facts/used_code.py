"""What a program runs: the definitions of its file and of others that it uses, and the words of their code."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import get_args

from xlaport.facts.main_guards import is_main_guard
from xlaport.facts.module import FunctionNode, imported_modules
from xlaport.facts.program import Facts
from xlaport.facts.structure import structure_of

ACCELERATOR = r"cuda|gpu|device|accelerat|(?<![a-z])xla(?!be)|(?<![a-z])(mps|hpu|xpu)(?![a-z])|DataParallel"
"""A pattern for the words that speak of an accelerator, in any case; each question adds its own."""
_PLACING_PACKAGES = frozenset(
    "accelerate lightning lightning_fabric pytorch_lightning transformers diffusers ignite fastai deepspeed "
    "composer catalyst mmengine mmcv detectron2 ray horovod torch_xla".split()
)
"""Packages that put models and batches on a device by themselves."""

_LONGEST_WORD = 60
DEFINING = (*get_args(FunctionNode), ast.ClassDef)


def used(own: Facts, roots: Iterable[ast.stmt] | None = None) -> Iterator[tuple[Facts, ast.AST]]:
    """What a script runs in other files: the definitions that it uses, at any distance, and what runs at the import.

    What stands under ``if __name__ == "__main__"`` there does not run. With `roots`, only these statements of the
    script run, and the definitions of its own file that they use are among the answers.
    """
    seen: set[ast.AST] = set()
    files: dict[str, Facts] = {}
    todo: list[tuple[Facts, ast.AST]] = [(own, own.module.tree)] if roots is None else [(own, s) for s in roots]
    while todo:
        facts, node = todo.pop()
        for name in ast.walk(node):
            for there, definition in _definitions(own, facts, name, roots is not None):
                if definition not in seen:
                    seen.add(definition)
                    todo.append((there, definition))
                    yield there, definition
        if facts.file not in files:
            files[facts.file] = facts
            imported = (own.view.facts(file) for file in facts.program.graph.imported(facts.file))
            for other in imported:
                if other is not None and other.file not in files:
                    todo += [(other, s) for s in other.module.tree.body if runs_at_import(s)]
                    yield from ((other, s) for s in other.module.tree.body if runs_at_import(s))


def _definitions(own: Facts, facts: Facts, name: ast.AST, with_own: bool) -> Iterator[tuple[Facts, ast.AST]]:
    """What defines a name that code of the project uses: a function, a class or a global of one of its files."""
    if not isinstance(name, ast.Name | ast.Attribute) or not isinstance(name.ctx, ast.Load):
        return
    place = structure_of(own.view).place(facts, name)
    other = own.view.facts(place.file) if place is not None else None
    if place is not None and other is not None:
        yield from ((other, binding.node) for binding in other.names.root.bindings.get(place.name or "", []))
    elif isinstance(name, ast.Name) and (with_own or facts is not own):
        yield from ((facts, b.node) for b in facts.names.bindings(name) if isinstance(b.node, DEFINING))


def runs_at_import(statement: ast.stmt) -> bool:
    """Whether a statement at the top of a file does something when another file imports it."""
    return not isinstance(statement, DEFINING) and not (is_main_guard(statement) and not statement.orelse)


def imports_placing_package(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether an import is that of a package that puts models on a device."""
    return any(module.split(".")[0] in _PLACING_PACKAGES for module in imported_modules(node))


def words(node: ast.AST) -> list[str]:
    """The names and the short texts of a node itself."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.arg | ast.keyword):
        return [node.arg or ""]
    if isinstance(node, ast.alias):
        return [node.name]
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < _LONGEST_WORD:
        return [node.value]
    return []
