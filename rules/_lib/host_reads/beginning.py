"""The device on which a sum begins that a step loop adds to: that of what is added."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import FunctionNode
from xlaport.facts.roles import Role, dotted
from xlaport.rule import Import

from ..device import cuda, placing

_OPTION = re.compile(r"(^|_)(cuda|gpus?|cpu)(_|$)", re.IGNORECASE)
"""How the option is called that lets a program do without the accelerator."""
_WITH_WEIGHTS = frozenset({"parameters", "named_parameters", "state_dict", "load_state_dict", "train", "eval"})
"""What is asked of a model, and not of a loss or an activation."""


def device_at(context: Context, node: ast.AST, loop: StepLoop) -> tuple[str, tuple[Import, ...]]:
    """How to write the device at a node: as the loop itself does, where that means the same there.

    Where an option decides between the accelerator and the host, or a file leaves that to others, it is the model's.
    """
    given = _given(context, node, loop)
    if given is not None:
        return given, ()
    text, imports = placing.device(context, node)
    if text.endswith("()") and (_is_optional(context) or not _names_device(context)):
        model = next(_models(context, node, loop), None)
        if model is not None:
            return f"next({model}.parameters()).device", ()
    return text, imports


def is_undecided(context: Context, node: ast.AST, loop: StepLoop) -> bool:
    """Whether an option decides on the device, and nothing says at a node what it has decided."""
    if not _is_optional(context) or _given(context, node, loop) is not None:
        return False
    return placing.device(context, node)[0].endswith("()") and next(_models(context, node, loop), None) is None


def _given(context: Context, node: ast.AST, loop: StepLoop) -> str | None:
    """The device to which a loop moves something, where that means the same at a node."""
    for call in (n for n in ast.walk(loop.node) if isinstance(n, ast.Call)):
        given = _destination(context, call)
        path = dotted(given) if given is not None else None
        if given is not None and path is not None and _means_the_same(context, given, node):
            return path
    return None


def _is_optional(context: Context) -> bool:
    """Whether an option decides if something is moved: ``if args.cuda: x = x.cuda()``."""
    return any(
        _moves(context, call) and any(_is_option(context, call, parent) for parent in context.module.ancestors(call))
        for call in context.module.calls
    )


def _is_option(context: Context, node: ast.AST, parent: ast.AST) -> bool:
    if not isinstance(parent, ast.If | ast.IfExp) or node in ast.walk(parent.test):
        return False
    test = parent.test.operand if isinstance(parent.test, ast.UnaryOp) else parent.test
    return _OPTION.search((dotted(test) or "").rpartition(".")[2]) is not None


def _moves(context: Context, call: ast.Call) -> bool:
    """``x.cuda()``, ``x.to(device)``."""
    if not isinstance(call.func, ast.Attribute):
        return False
    return call.func.attr == "cuda" or _destination(context, call) is not None


def _names_device(context: Context) -> bool:
    """Whether a file says anywhere on which device something is."""
    module = context.module
    if module.attributes.get("cuda") or module.attributes.get("device") or module.named.get("device"):
        return True
    return any(
        (isinstance(n, ast.keyword | ast.arg) and n.arg == "device")
        or (isinstance(n, ast.Constant) and cuda.is_cuda_string(n))
        or (isinstance(n, ast.Call) and (context.resolve(n.func) or "") in {"torch.device", *context.target.devices})
        for n in module.nodes
    )  # fmt: skip


def _models(context: Context, node: ast.AST, loop: StepLoop) -> Iterator[str]:
    """The models with weights of a loop, that stand at a node for what they are in the loop."""
    here = context.module.function(node)
    if here is not context.module.function(loop.node):
        return
    for used in ast.walk(loop.node):
        if not isinstance(used, ast.Name | ast.Attribute) or not isinstance(used.ctx, ast.Load):
            continue
        path = dotted(used)
        if path is None or not context.roles.is_(used, Role.MODEL) or not _has_weights(context, path):
            continue
        if _means_the_same(context, used, node) and not _is_set_behind(context, path, node, here):
            yield path


def _has_weights(context: Context, path: str) -> bool:
    asked = (n for name in _WITH_WEIGHTS for n in context.module.attributes.get(name, ()))
    return any(dotted(attribute.value) == path for attribute in asked)


def _is_set_behind(context: Context, path: str, node: ast.AST, here: FunctionNode | None) -> bool:
    """Whether a model is made, or moved, in the same function behind a node."""
    line = getattr(node, "lineno", 0)
    for other in context.module.nodes:
        if getattr(other, "lineno", 0) <= line or context.module.function(other) is not here:
            continue
        if isinstance(other, ast.Call) and _moves(context, other):
            assert isinstance(other.func, ast.Attribute)
            if dotted(other.func.value) == path:
                return True
        elif isinstance(other, ast.Name | ast.Attribute) and isinstance(other.ctx, ast.Store) and dotted(other) == path:
            return True
    return False


def _destination(context: Context, call: ast.Call) -> ast.expr | None:
    """The device in ``x.to(device)`` and ``MpDeviceLoader(loader, device)``."""
    if context.resolve(call.func) in context.target.loaders:
        return call.args[1] if len(call.args) > 1 else None
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "to":
        return None
    given = next(iter([*call.args[:1], *(k.value for k in call.keywords if k.arg == "device")]), None)
    if given is None or context.roles.is_(given, Role.DEVICE):
        return given
    is_called_so = (dotted(given) or "").rpartition(".")[2] == "device" and context.roles.role(given) is None
    return given if is_called_so else None


def _means_the_same(context: Context, device: ast.expr, node: ast.AST) -> bool:
    """Whether the root of a device's path is bound before a node runs, and to nothing else than at its own place."""
    root = device
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    found = context.names.bindings(root)
    if tuple(context.names.visible(root.id, node)) != tuple(found) or not found:
        return False
    here = context.module.function(node)
    return all(
        context.module.function(b.node) is not here or getattr(b.node, "lineno", 0) < getattr(node, "lineno", 0)
        for b in found
    )
