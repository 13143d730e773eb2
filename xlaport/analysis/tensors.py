"""What PyTorch's functions give that make tensors, or compute some from others: above all, where these lie."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.analysis.operators import FETCHED, TO_HOST, foremost
from xlaport.analysis.value import NONE, PENDING, TENSOR, Certainty, Device, Value
from xlaport.facts import vocabulary

JOINING = frozenset(f"torch.{name}" for name in "cat concat concatenate stack hstack vstack".split())
"""Functions that take several tensors as one argument, all of which lie on one device."""
_TAKING_HOST = frozenset({"ctc_loss", "tensor_split", "index_put"})
"""Functions that take lengths or places of the host beside tensors of the device."""
_OF_A_ROW = frozenset(f"{name}(…)" for name in vocabulary.OF_A_ROW)
_EMPTY = " of nothing"


def device_of(value: Value) -> Device:
    """Where a tensor lies that is put on what a value stands for: on the accelerator, where nothing says otherwise.

    Of a device, `Value.device` says it: the host's; or either, where the program chooses by something else than what
    accelerators there are.
    """
    if value.type == TENSOR:
        return value.device
    if value.constant == "cpu" or value.device is Device.HOST:
        return Device.HOST
    return Device.UNKNOWN if value.device is Device.EITHER else Device.ACCELERATOR


def device_of_tensor(tensor: Value) -> Device:
    """The same of ``x.device``."""
    unsure = tensor.type != TENSOR or tensor.device is Device.UNKNOWN
    return Device.EITHER if unsure else Device.HOST if tensor.device is Device.HOST else Device.UNKNOWN


def made(name: str, node: ast.Call, device: Value | None, is_default: bool, out: Value | None) -> Value:
    """What a function gives that makes a tensor; `is_default`: those that name no device lie on one that is chosen."""
    if device is PENDING:
        return PENDING
    if device is not None and device.type != NONE:
        return Value(TENSOR, device_of(device), because=f"{name}(…, device=…)", line=node.lineno)
    if is_default:
        return Value(TENSOR, Device.ACCELERATOR, because=f"{name}(…) on the default device", line=node.lineno)
    if out is not None and out.device is Device.ACCELERATOR:
        return Value(TENSOR, Device.ACCELERATOR, because=f"{name}(…, out=…)", line=node.lineno)
    is_open = any(keyword.arg is None for keyword in node.keywords)
    nothing = _EMPTY if name not in vocabulary.OF_A_ROW and _is_nothing(node) else " by options" if is_open else ""
    return Value(TENSOR, Device.HOST, because=f"{name}(…){nothing}", line=node.lineno)


def _is_nothing(node: ast.Call) -> bool:
    """``torch.tensor([])``, ``torch.empty(0)``, ``torch.Tensor()``."""
    given = node.args[0] if node.args else None
    if isinstance(given, ast.List | ast.Tuple) and given.elts:
        given = given.elts[0]
    is_zero = isinstance(given, ast.Constant) and given.value == 0
    return given is None or is_zero or isinstance(given, ast.List | ast.Tuple)


def computed(
    name: str,
    node: ast.Call,
    given: Sequence[Value],
    others: Sequence[Value],
    device: Value | None,
    in_model: bool,
) -> Value:
    """What a function of tensors gives. `others`: by keyword; `in_model`: it stands where a model computes."""
    is_joining = name in JOINING
    operands = operands_of([*given, *others], is_joining)
    if PENDING in operands:
        return PENDING
    last = name.rpartition(".")[2]
    parts = [operand for operand in operands if operand.type in (None, TENSOR) and not _is_container(operand)]
    holds = last not in _TAKING_HOST and any(v.device is Device.HOST and v.because in _OF_A_ROW for v in parts)
    begins_on_host = bool(given) and is_of_host(given[0])
    if holds or begins_on_host:
        parts = [part for part in parts if part.type is not None or part.device is Device.HOST]
    if is_joining and any(map(shows_host, parts)):
        parts = [
            part for part in parts if (part.type == TENSOR and part.device is not Device.UNKNOWN) or is_of_host(part)
        ]
    moved = device is not None and device_of(device) is not Device.HOST
    found = foremost(parts) if parts and not moved else None
    if found is not None:
        return Value(TENSOR, found.device, because=f"{last}() of {found.because}", line=node.lineno)
    is_placed = moved or in_model or name.startswith("torch.nn.utils.")
    place, certainty = (Device.ACCELERATOR, Certainty.ASSUMED) if is_placed else (Device.UNKNOWN, Certainty.PROVEN)
    return Value(TENSOR, place, certainty=certainty, because=f"{name}(…)", line=node.lineno)


def operands_of(given: Sequence[Value], is_joining: bool) -> list[Value]:
    """What a function computes with: what it is given, and what displays of that hold; where it joins, lists, too."""
    operands = list(given)
    for operand in given:
        operands += operand.elements or ()
        if operand.element is not None and is_joining:
            operands.append(operand.element)
    return operands


def shows_host(value: Value) -> bool:
    """Whether what is joined to a tensor shows that both lie on the host: what is empty may lie anywhere."""
    return is_of_host(value) and not value.because.endswith(_EMPTY)


def is_of_host(value: Value) -> bool:
    """Whether a value is a tensor of the host, or would be one if it is a tensor."""
    return value.type in (None, TENSOR) and value.device is Device.HOST


def _is_container(value: Value) -> bool:
    return value.type is None and (value.elements is not None or value.element is not None)


def fetched(base: Value, node: ast.Call) -> Value:
    """What ``x.cpu()`` gives; of something unknown, something unknown that lies on the host."""
    kind = base.type if base.type == TENSOR else None
    return Value(kind, Device.HOST, wide=base.wide, because=FETCHED, line=node.lineno)


def is_fetched(value: Value) -> bool:
    """Whether a value is what ``.cpu()`` gave of something unknown: what is taken of it lies on the host, too."""
    return value.type is None and value.device is Device.HOST and value.because == FETCHED


def moved(base: Value, name: str, node: ast.Call, device: Value | None, is_dtype: bool) -> Value:
    """What ``x.to(…)`` gives: a change of the type of its elements moves nothing."""
    plain = base._replace(objects=frozenset(), constant=None, certainty=Certainty.PROVEN)
    if name != "to":
        return plain._replace(device=Device.ACCELERATOR, because=f"moved by .{name}()", line=node.lineno)
    if device is None or is_dtype:
        return plain
    if device is PENDING:
        return PENDING
    place = device_of(device)
    because = TO_HOST if place is Device.HOST and device.type != TENSOR else "moved by .to()"
    return plain._replace(device=place, because=because, line=node.lineno)
