"""Programs that use no accelerator, which have nothing to port."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import get_args

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import Names
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role

from .main_guard import is_main_guard

_ACCELERATOR = re.compile(
    r"cuda|gpu|device|accelerat|(?<![a-z])xla(?!be)|(?<![a-z])(mps|hpu|xpu)(?![a-z])|distributed|DataParallel",
    re.IGNORECASE,
)

_PLACING_PACKAGES = frozenset(
    "accelerate lightning lightning_fabric pytorch_lightning transformers diffusers ignite fastai deepspeed "
    "composer catalyst mmengine mmcv detectron2 ray horovod torch_xla".split()
)
"""Packages that put models and batches on a device by themselves."""

_LONGEST_WORD = 60
_DEFINING = (*get_args(FunctionNode), ast.ClassDef)


def stays_on_host(context: Context) -> bool:
    """Whether the file builds and runs its own model, or tests, and never speaks of a device: it runs on the CPU.

    A file that gets its model from elsewhere, or hands it on, may well run on an accelerator; but not a script that
    takes no more than a class from another file, and functions, all of which speak of none. A test makes its own
    inputs.
    """
    return context.view.own.once("stays on the host", lambda: _stays(context))


def _stays(context: Context) -> bool:
    if is_test(context):
        return not any(_ACCELERATOR.search(word) for node in context.module.nodes for word in _words(node))
    if speaks_of_device(context):
        return False
    if _converts_files(context):
        return True
    return bool(context.loops.all()) and (_builds_model(context) or _builds_imported_model(context))


def speaks_of_device(context: Context) -> bool:
    """Whether the file mentions an accelerator, or a library that chooses one."""
    return any(_mentions_accelerator(context, node) for node in context.module.nodes)


def is_test(context: Context) -> bool:
    """Whether a file holds tests."""
    modules = (
        module
        for node in context.module.tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for module in ([a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""])
    )
    return any(module in ("pytest", "unittest") for module in modules)


def _converts_files(context: Context) -> bool:
    """Whether a script that nobody imports gets all that it loads with ``torch.load(…, map_location="cpu")``."""
    own = context.view.own
    if context.view.is_alone or own.program.graph.imported_by.get(own.file) or context.loops.all():
        return False
    loads = [call for call in context.module.calls if context.resolve(call.func) == "torch.load"]
    places = [next((k.value for k in call.keywords if k.arg == "map_location"), None) for call in loads]
    return bool(places) and all(isinstance(place, ast.Constant) and place.value == "cpu" for place in places)


def _builds_model(context: Context) -> bool:
    return any(_is_model(context, call) and not _is_part(context, call) for call in context.module.calls)


def _is_model(context: Context, call: ast.Call) -> bool:
    owner = context.names.class_named(call.func)
    if owner is not None:
        return context.roles.is_module_class(owner)
    name = context.resolve(call.func) or ""
    return name.startswith(("torch.nn.", "torchvision.models.")) and context.roles.is_(call, Role.MODEL)


def _is_part(context: Context, call: ast.Call) -> bool:
    """A layer of a module, or a loss: no model of its own."""
    owner = context.module.class_of(call)
    if owner is not None and context.roles.is_module_class(owner):
        return True
    return isinstance(call.func, ast.Name | ast.Attribute) and (context.resolve(call.func) or "").endswith("Loss")


def _builds_imported_model(context: Context) -> bool:
    """Whether a script that nobody imports builds a model of another file, and uses nothing that speaks of a device."""
    own = context.view.own
    if context.view.is_alone or own.program.graph.imported_by.get(own.file):
        return False
    lineage = context.flow.structure
    classes = (lineage.class_named(own, call.func) for call in context.module.calls)
    if not any(c is not None and c.facts is not own and lineage.is_module(c) for c in classes):
        return False
    return not any(_mentions(facts.names, n) for facts, node in _used(context) for n in ast.walk(node))


def _used(context: Context) -> Iterator[tuple[Facts, ast.AST]]:
    """What a script runs in other files: the definitions that it uses, at any distance, and what runs at the import.

    What stands under ``if __name__ == "__main__"`` there does not run.
    """
    seen: set[ast.AST] = set()
    files: dict[str, Facts] = {}
    todo: list[tuple[Facts, ast.AST]] = [(context.view.own, context.module.tree)]
    while todo:
        facts, node = todo.pop()
        for name in ast.walk(node):
            for there, definition in _definitions(context, facts, name):
                if definition not in seen:
                    seen.add(definition)
                    todo.append((there, definition))
                    yield there, definition
        if facts.file not in files:
            files[facts.file] = facts
            imported = (context.view.facts(file) for file in facts.program.graph.imported(facts.file))
            for other in imported:
                if other is not None and other.file not in files:
                    todo += [(other, s) for s in other.module.tree.body if _runs_at_import(s)]
                    yield from ((other, s) for s in other.module.tree.body if _runs_at_import(s))


def _definitions(context: Context, facts: Facts, name: ast.AST) -> Iterator[tuple[Facts, ast.AST]]:
    """What defines a name that code of the project uses: a function, a class or a global of one of its files."""
    if not isinstance(name, ast.Name | ast.Attribute) or not isinstance(name.ctx, ast.Load):
        return
    place = context.flow.structure.place(facts, name)
    other = context.view.facts(place.file) if place is not None else None
    if place is not None and other is not None:
        yield from ((other, binding.node) for binding in other.names.root.bindings.get(place.name or "", []))
    elif isinstance(name, ast.Name) and facts is not context.view.own:
        yield from ((facts, b.node) for b in facts.names.bindings(name) if isinstance(b.node, _DEFINING))


def _runs_at_import(statement: ast.stmt) -> bool:
    return not isinstance(statement, _DEFINING) and not (is_main_guard(statement) and not statement.orelse)


def _mentions_accelerator(context: Context, node: ast.AST) -> bool:
    return _mentions(context.names, node)


def _mentions(names: Names, node: ast.AST) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        return any(module.split(".")[0] in _PLACING_PACKAGES for module in modules)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        given = node.args[0] if node.args else None
        return not (given is not None and (names.resolve(given) or "").startswith("torch."))
    return any(_ACCELERATOR.search(word) for word in _words(node))


def _words(node: ast.AST) -> list[str]:
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
