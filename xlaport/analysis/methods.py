"""What methods of PyTorch's tensors and modules give."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from xlaport.analysis import value as types
from xlaport.analysis.arrays import is_wide
from xlaport.analysis.batches import moved_on
from xlaport.analysis.tensors import fetched, moved
from xlaport.analysis.value import PENDING, UNKNOWN, UNSEEN, Certainty, Value, held
from xlaport.facts import vocabulary
from xlaport.facts.role import OF_STATE

_KEEPING = frozenset({"clone", "pin_memory"}) | vocabulary.VIEW_METHODS - frozenset(
    "float double half bfloat16 int long short bool type type_as real imag".split()
)
"""Methods of a tensor that give one whose elements are of the same type."""
OF_MODULES = frozenset(
    "parameters named_parameters buffers named_buffers modules named_modules children named_children register_buffer "
    "register_parameter register_forward_hook register_forward_pre_hook register_full_backward_hook add_module "
    "get_submodule get_parameter "
    "state_dict load_state_dict zero_grad".split()
) | (vocabulary.MODULE_KEEPING_METHODS | vocabulary.MODULE_HOST_METHODS | vocabulary.MOVING_METHODS)
"""Methods that every module has."""


def of_tensor(
    base: Value, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
) -> Value:
    """What a method of a tensor gives; most give a tensor that lies where it does."""
    if name == "cpu":
        return fetched(base, node)
    if name in vocabulary.MOVING_METHODS:
        device = place(arguments, keywords)
        found = moved(base, name, node, device, device is not None and is_dtype(device, node))
        found = found if found is PENDING else moved_on(base, found)
        types_given = [v for v in (*arguments, *keywords.values()) if v.refers in vocabulary.DTYPES or v.alternatives]
        is_cast = bool(types_given) or "dtype" in keywords
        return found._replace(wide=any(is_wide(v, of_torch=True) for v in types_given)) if is_cast else found
    if name == "size" and not node.args and not node.keywords:
        return Value(types.NUMBER, element=Value(types.NUMBER, because="a size"), because="a tensor's .size()")
    if name in vocabulary.NUMBER_METHODS:
        return Value(types.NUMBER, because=f"a tensor's .{name}()", line=node.lineno)
    if name == "type" and not node.args and not node.keywords:
        return Value(types.TEXT, because="a tensor's .type()", line=node.lineno)
    if name in vocabulary.METHODS_OF_TEXTS or name in vocabulary.HOST_METHODS:
        return Value(types.OBJECT, because=f"a tensor's .{name}()", line=node.lineno)
    if name == "get" and len(arguments) == 2 and arguments[1].type not in (None, types.NONE, types.TENSOR):
        return UNKNOWN  # of a dict: what it gives if it has none is no tensor
    wide = name == "double" or (base.wide and name in _KEEPING)
    found = base._replace(objects=frozenset(), constant=None, wide=wide, certainty=Certainty.PROVEN)
    if name in ("keys", "items"):  # a batch that is a dict of tensors
        key = Value(types.TEXT, because="a name of a part of a batch", line=node.lineno)
        return Value(types.OBJECT, element=key if name == "keys" else Value(elements=(key, found)))
    return found


def same_values(node: ast.expr) -> ast.expr:
    """What has the values of an expression: ``p`` of ``p.detach().clone()``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("detach", "clone"):
        node = node.func.value
    return node


def place(arguments: Sequence[Value], keywords: Mapping[str | None, Value]) -> Value | None:
    """Where ``.to(…)`` moves, or the type that it gives."""
    given = keywords.get("device", keywords.get("other", keywords.get("dtype")))
    return arguments[0] if arguments else given


def is_dtype(value: Value, node: ast.Call) -> bool:
    """Whether the argument of ``.to()`` is a type of elements."""
    first = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "dtype"), None)
    by_name = not node.args and not any(k.arg in ("device", "other") for k in node.keywords) and first is not None
    return by_name or value.refers in vocabulary.DTYPES or (isinstance(first, ast.Attribute) and first.attr == "dtype")


def of_module(base: Value, name: str, node: ast.Call) -> Value | None:
    """What a method of a module gives; None for one of its own."""
    if name in vocabulary.MODULE_KEEPING_METHODS:
        return base
    of_parts = {"parameters": types.TENSOR, "buffers": types.TENSOR, "modules": types.MODULE, "children": types.MODULE}
    part = f"one of a module's .{name}()"
    unseen = frozenset({UNSEEN}) if name.endswith("parameters") else frozenset()
    place = types.Device.ACCELERATOR
    if name in of_parts:
        device = place if of_parts[name] == types.TENSOR else types.Device.UNKNOWN
        each_part = Value(of_parts[name], device, objects=base.objects or unseen, because=part, line=node.lineno)
        return Value(types.OBJECT, element=each_part, because=part)
    if name.removeprefix("named_") in of_parts:
        kind = of_parts[name.removeprefix("named_")]
        device = place if kind == types.TENSOR else types.Device.UNKNOWN
        of_pair = Value(kind, device, objects=base.objects or unseen, because=part, line=node.lineno)
        pair = (Value(types.TEXT, because=f"the name of {part}"), of_pair)
        return Value(types.OBJECT, element=Value(elements=pair), because=part)
    if name == "state_dict":
        state = Value(types.TENSOR, place, objects=base.objects, because=OF_STATE, line=node.lineno)
        return Value(types.OBJECT, element=state, because="a module's .state_dict()", line=node.lineno)
    if name in ("values", "items") and base.because.endswith("ModuleDict(…)"):
        row = held(base) or Value(types.MODULE, because="a part of a module", line=node.lineno)
        named = Value(elements=(Value(types.TEXT, because="a name of a part of a module"), row))
        return Value(types.OBJECT, element=row if name == "values" else named)
    if name in vocabulary.MODULE_HOST_METHODS:
        return Value(types.OBJECT, because=f"a module's .{name}()", line=node.lineno)
    return None
