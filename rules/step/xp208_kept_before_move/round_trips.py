"""Models that go to the CPU and come back while an optimizer holds their parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.roles import dotted

from ..._lib.device import cuda
from ..._lib.step import optimizers
from ..._lib.step.moves import destination, is_move
from ..._lib.step.saying import say

_OF_MODELS = frozenset({"state_dict", "parameters", "named_parameters"})


@dataclass(frozen=True)
class RoundTrip:
    """A model that leaves the device and comes back."""

    model: str
    leaves: ast.Call
    returns: ast.Call
    optimizer: str
    """The one that holds its parameters, for a message."""


def round_trips(context: Context) -> Iterator[RoundTrip]:
    """The round trips of a file, in source order."""
    away = [call for call in context.module.calls if _leaves(context, call)]
    if not away:
        return
    held = [
        (optimizer, model)
        for optimizer in optimizers.built(context)
        for model in optimizers.sources(context, optimizer)
    ]
    for call in away:
        assert isinstance(call.func, ast.Attribute)
        model = dotted(call.func.value)
        for optimizer, taken in held:
            if model is None or not (taken == model or taken.startswith(f"{model}.")):
                continue
            if not _knows(context, optimizer, call, model):
                continue
            back = _back(context, call, model, optimizer)
            if back is not None:
                yield RoundTrip(model, call, back, f"`{optimizers.name_of(optimizer)}`")
                break
        else:
            if not any(taken == model or taken.startswith(f"{model}.") for _, taken in held):
                yield from _of_any_model(context, call)


def _of_any_model(context: Context, call: ast.Call) -> Iterator[RoundTrip]:
    """``torch.save(net.cpu().state_dict(), path); net.cuda()`` of a model that nobody sees an optimizer of.

    So is ``state["model"].cpu()``, which does nothing to a tensor.
    """
    used = context.module.parents[call]
    function = context.module.function(call)
    is_model = isinstance(used, ast.Expr) or (isinstance(used, ast.Attribute) and used.attr in _OF_MODELS)
    if not is_model or function is None or not optimizers.trains(context):
        return
    model = _unwrapped(call)
    for other in context.module.calls:
        if context.module.function(other) is function and is_move(context, other) and not _leaves(context, other):
            if other.lineno > call.lineno and _unwrapped(other) == model:
                yield RoundTrip(model, call, other, say.phrase("XP208.optimizer"))
                return


def _unwrapped(call: ast.Call) -> str:
    """``net`` of ``net.module.cpu()``."""
    assert isinstance(call.func, ast.Attribute)
    return ast.unparse(call.func.value).removesuffix(".module")


def _leaves(context: Context, call: ast.Call) -> bool:
    """``model.cpu()`` and ``model.to("cpu")``, for the model itself and not for a copy of it."""
    if not isinstance(call.func, ast.Attribute) or not _is_named(call.func.value):
        return False
    if call.func.attr == "cpu":
        return not call.args
    where = destination(call) if call.func.attr == "to" else None
    return where is not None and cuda.is_cpu_device(context, where)


def _is_named(node: ast.expr) -> bool:
    """``net``, ``self.net`` and ``state["net"]``."""
    return dotted(node.value if isinstance(node, ast.Subscript) else node) is not None


def _knows(context: Context, optimizer: ast.stmt, call: ast.Call, model: str) -> bool:
    """Whether the optimizer and the call speak of the same object: in one function, or of the same ``self``."""
    if "." in model and context.names.self_class(_root(call)) is not None:
        return context.module.class_of(optimizer) is context.module.class_of(call)
    return context.module.function(optimizer) is context.module.function(call)


def _root(call: ast.Call) -> ast.Name:
    node: ast.AST = call.func
    while not isinstance(node, ast.Name):
        assert isinstance(node, ast.Attribute)
        node = node.value
    return node


def _back(context: Context, call: ast.Call, model: str, optimizer: ast.stmt) -> ast.Call | None:
    """The move back, behind the call or in a loop around both; None where the optimizer is built again afterwards."""
    function = context.module.function(call)
    loops = [p for p in context.module.ancestors(call) if isinstance(p, ast.For | ast.While)]
    own = "." in model and context.names.self_class(_root(call)) is not None
    for other in context.module.calls:
        if not is_move(context, other) or other is call or _leaves(context, other):
            continue
        assert isinstance(other.func, ast.Attribute)
        if dotted(other.func.value) != model:
            continue
        same = context.module.function(other) is function
        if same:
            around = any(loop in context.module.ancestors(other) for loop in loops)
            if other.lineno <= call.lineno and not around:
                continue
            if optimizer.lineno > other.lineno or any(p in loops for p in context.module.ancestors(optimizer)):
                continue
            return other
        if own and context.module.class_of(other) is context.module.class_of(call):
            where = context.module.function(other)
            if where is not None and where.name != "__init__" and context.module.function(optimizer) is not where:
                return other
    return None
