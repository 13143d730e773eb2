"""What methods of PyTorch's tensors and modules give."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from xlaport.analysis import value as types
from xlaport.analysis.value import PENDING, Device, Value
from xlaport.facts import vocabulary


def device_of(value: Value) -> Device:
    """Where a tensor lies that is put on what a value stands for."""
    if value.type == types.TENSOR:
        return value.device
    if value.constant == "cpu":
        return Device.HOST
    return Device.ACCELERATOR if value.constant is not None else Device.UNKNOWN


def of_tensor(
    base: Value, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
) -> Value:
    """What a method of a tensor gives; most give a tensor that lies where it does."""
    plain = base._replace(objects=frozenset(), constant=None)
    if name == "cpu":
        return plain._replace(device=Device.HOST, because="fetched", line=node.lineno)
    if name in vocabulary.MOVING_METHODS:
        return _moved(plain, name, node, arguments, keywords)
    if name == "size" and not node.args and not node.keywords:
        return Value(types.NUMBER, element=Value(types.NUMBER, because="a size"), because="a tensor's .size()")
    if name in vocabulary.NUMBER_METHODS:
        return Value(types.NUMBER, because=f"a tensor's .{name}()", line=node.lineno)
    if name == "type" and not node.args and not node.keywords:
        return Value(types.TEXT, because="a tensor's .type()", line=node.lineno)
    if name in vocabulary.METHODS_OF_TEXTS or name in vocabulary.HOST_METHODS:
        return Value(types.OBJECT, because=f"a tensor's .{name}()", line=node.lineno)
    return plain


def _moved(
    base: Value, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
) -> Value:
    """What ``x.to(…)`` gives: a change of the type of its elements moves nothing."""
    device = keywords.get("device", arguments[0] if arguments else None)
    if name != "to":
        return base._replace(device=Device.ACCELERATOR, because=f"moved by .{name}()", line=node.lineno)
    if device is None or is_dtype(device, node):
        return base
    if device is PENDING:
        return PENDING
    return base._replace(device=device_of(device), because="moved by .to()", line=node.lineno)


def is_dtype(value: Value, node: ast.Call) -> bool:
    """Whether the first argument of ``.to()`` is a type of elements."""
    first = node.args[0] if node.args else None
    return value.refers in vocabulary.DTYPES or (isinstance(first, ast.Attribute) and first.attr == "dtype")


def of_module(base: Value, name: str, node: ast.Call) -> Value | None:
    """What a method of a module gives; None for one of its own."""
    if name in vocabulary.MODULE_KEEPING_METHODS:
        return base
    of_parts = {"parameters": types.TENSOR, "buffers": types.TENSOR, "modules": types.MODULE, "children": types.MODULE}
    part = f"one of a module's .{name}()"
    if name in of_parts:
        each_part = Value(of_parts[name], objects=base.objects, because=part, line=node.lineno)
        return Value(types.OBJECT, element=each_part, because=part)
    if name in ("named_parameters", "named_buffers"):
        pair = (Value(types.TEXT), Value(types.TENSOR, objects=base.objects, because=part, line=node.lineno))
        return Value(types.OBJECT, element=Value(elements=pair), because=part)
    if name in vocabulary.MODULE_HOST_METHODS:
        return Value(types.OBJECT, because=f"a module's .{name}()", line=node.lineno)
    return None
