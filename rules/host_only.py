"""Programs that use no accelerator, which have nothing to port."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.roles import Role

_ACCELERATOR = re.compile(
    r"cuda|gpu|device|accelerat|(?<![a-z])xla(?!be)|mps|hpu|xpu|distributed|DataParallel", re.IGNORECASE
)

_PLACING_PACKAGES = frozenset(
    "accelerate lightning lightning_fabric pytorch_lightning transformers diffusers ignite fastai deepspeed "
    "composer catalyst mmengine mmcv detectron2 ray horovod torch_xla".split()
)
"""Packages that put models and batches on a device by themselves."""

_LONGEST_WORD = 60


def stays_on_host(context: Context) -> bool:
    """Whether the file builds and runs its own model, or tests, and never speaks of a device: it runs on the CPU.

    A file that gets its model from elsewhere, or hands it on, may well run on an accelerator. A test makes its own
    inputs.
    """
    return not speaks_of_device(context) and (
        _is_test(context) or (_builds_model(context) and bool(context.loops.all()))
    )


def speaks_of_device(context: Context) -> bool:
    """Whether the file mentions an accelerator, or a library that chooses one."""
    return any(_mentions_accelerator(context, node) for node in context.module.nodes)


def _is_test(context: Context) -> bool:
    modules = (
        module
        for node in context.module.tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for module in ([a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""])
    )
    return any(module in ("pytest", "unittest") for module in modules)


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


def _mentions_accelerator(context: Context, node: ast.AST) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        return any(module.split(".")[0] in _PLACING_PACKAGES for module in modules)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        given = node.args[0] if node.args else None
        return not (given is not None and (context.resolve(given) or "").startswith("torch."))
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
