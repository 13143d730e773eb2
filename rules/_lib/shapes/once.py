"""What a module does once, in its first step, and remembers in a buffer: ``if not self.inited: …``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.roles import dotted

from ..series import series
from .saying import say

_SETTING = frozenset({"fill_", "copy_", "zero_"})
_MAKING = frozenset(
    f"torch.{n}" for n in "tensor as_tensor Tensor BoolTensor LongTensor FloatTensor ones zeros".split()
)


def flag_of_host(context: Context, branch: ast.If, tensor: ast.expr) -> str | None:
    """A recipe for a branch that runs until it sets the buffer that it asks; None where it asks something else."""
    path = _path(context, tensor)
    owner = context.module.class_of(branch)
    if path is None or owner is None:
        return None
    if not any(_sets(context, node, path) for node in _guarded(context, branch)):
        return None
    name = path.removeprefix("self.")
    flag = f"self.{name.strip('_')}_on_host"
    everywhere = [node for node in ast.walk(owner) if _sets(context, node, path) and not _is_made(context, node)]
    anew = "True" if all(_becomes_true(node) for node in everywhere) else "..."
    lines = series(dict.fromkeys(context.line(node) for node in everywhere))
    return say.phrase("flag_of_host", flag=flag, path=path, anew=anew, lines=lines)


def _path(context: Context, tensor: ast.expr) -> str | None:
    """``self.inited`` of ``self.inited.item()``, if it is a buffer of the module."""
    while isinstance(tensor, ast.Call) and isinstance(tensor.func, ast.Attribute) and not tensor.args:
        tensor = tensor.func.value
    if isinstance(tensor, ast.Compare) and len(tensor.comparators) == 1:
        tensor = tensor.left
    owner = context.module.class_of(tensor)
    if not isinstance(tensor, ast.Attribute) or owner is None or not context.roles.is_module_class(owner):
        return None
    path = dotted(tensor)
    is_own = path is not None and path.startswith("self.") and path.count(".") == 1
    return path if is_own and context.roles.classes.is_buffer(owner, tensor.attr) else None


def _guarded(context: Context, branch: ast.If) -> Iterator[ast.AST]:
    """What runs by the branch: its sides, and what follows one that leaves the function."""
    yield from walk_block([*branch.body, *branch.orelse])
    if branch.body and isinstance(branch.body[-1], ast.Return):
        block = context.module.block(branch)
        yield from walk_block(block[block.index(branch) + 1 :])


def _sets(context: Context, node: ast.AST, path: str) -> bool:
    """``self.inited.fill_(1)``, ``self.inited.data.copy_(torch.ones(1))``, ``self.inited = torch.tensor(True)``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SETTING:
        base = dotted(node.func.value) or ""
        return base.removesuffix(".data") == path and all(_is_fixed(context, a) for a in node.args)
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        base = dotted(target.value if isinstance(target, ast.Subscript) else target) or ""
        return base.removesuffix(".data") == path and _is_fixed(context, node.value)
    return False


def _is_made(context: Context, node: ast.AST) -> bool:
    """Whether a node stands where the module is made, with its buffer."""
    function = context.module.function(node)
    return isinstance(function, ast.FunctionDef) and function.name == "__init__"


def _is_fixed(context: Context, node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return context.resolve(node.func) in _MAKING and all(_is_fixed(context, a) for a in node.args)
    if isinstance(node, ast.List | ast.Tuple):
        return all(_is_fixed(context, e) for e in node.elts)
    return isinstance(node, ast.Constant)


def _becomes_true(node: ast.AST) -> bool:
    """Whether what is set is 1 or True."""
    values = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
    return bool(values) and all(bool(value) for value in values)
