"""Values that are read from the device, as they are spelled without the read."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.held import Held, Kind
from xlaport.facts.module import last_name
from xlaport.facts.names import How
from xlaport.facts.reads import HostRead
from xlaport.facts.running import all_run
from xlaport.facts.tensors import Tensors
from xlaport.facts.vocabulary import GRAD_ON, GRAD_SWITCHES
from xlaport.rule import Import
from xlaport.target import Symbol

from ..parentheses import ATOMS

_CARRYING = frozenset({"detach", "cpu", "numpy", "clone"})
"""Methods that stand between a tensor and the number that is made of it."""
_NARROW = re.compile(r"half|float16|autocast|[fb]f?p?16|(?<![a-z])amp(?![a-z])", re.IGNORECASE)
_AMP = re.compile(r"(?<![a-z])amp(?![a-z])", re.IGNORECASE)
_NEWLINES = re.compile(r"\s*\n\s*")
_CUTTING = re.compile(r"\.\s*(detach|data|item|tolist|numpy)\b")
"""What ends the way of a gradient."""
_NO_READING = re.compile(r"^(\.(detach\(\)|clone\(\)|data\b))+")
_MAKING = frozenset(
    ["builtins.float", "builtins.int", "builtins.list", "builtins.tuple", "numpy.array", "numpy.asarray"]
)
_WIDE = frozenset({"float32", "float", "float64", "double"})
"""Names of dtypes in which a sum of Python's floats may go on."""
_SWITCHING = GRAD_ON | GRAD_SWITCHES
_MAX_DEPTH = 5
KIND_OF = {"builtins.float": Kind.FLOAT, "builtins.int": Kind.INT}
"""The kinds of numbers that these make of anything."""


@dataclass(frozen=True)
class Deferred(HostRead):
    """A use of something that was read, and could be left on the device: it takes the place of a read."""

    held: Held
    reading: tuple[str, ...] | None = None
    """What makes a dict of numbers of it, if it is a dict of values that were left on the device."""


@dataclass(frozen=True)
class DeviceValue:
    """A number that is read: `node` is all of the reading, ``float(loss.cpu())``; `text` is its value on the device."""

    node: ast.expr
    tensor: ast.expr
    """What is read, without ``.detach()`` and ``.cpu()``."""
    text: str
    held: Held
    reading: tuple[str, ...] | None = None
    """What stands before and behind a tensor that is fetched as a whole, for its use on the host; between its mentions,
    if it takes several."""
    deferred: bool = False
    """Whether it is a use of something that was left on the device."""


def device_value(context: Context, tensors: Tensors, read: HostRead) -> DeviceValue | None:
    """The number that a read is a part of; None where it is none, or more is done to it on the host."""
    node, is_number = _whole(context, read.node)
    if isinstance(read, Deferred) and read.reading is not None:
        return None
    if isinstance(read, Deferred):
        if _truncates(context, node) and read.held.kind is not Kind.INT:
            return None
        return DeviceValue(node, read.node, spelled(context, read.node), read.held, deferred=True)
    base = _base(read.tensor)
    held = tensors.held(context.view.own, base)
    text = spelled(context, base)
    if held.kind in (Kind.BOOL, Kind.INT) and held.rank != 0 and (sum_of := _sum_of(context, node)) is not None:
        counted, _ = _whole(context, sum_of)
        if counted is not sum_of:  # whole numbers have the same sum there
            return DeviceValue(counted, base, f"{text}.sum()", Held(Kind.INT, 0))
    if held.kind is not None and held.rank != 0 and is_one_element(context, node):
        # What gives one number has one element, in however many dimensions.
        text, held = f"{text}.squeeze()", held._replace(rank=0)
    if not is_number or held.kind is None or not held.is_scalar:
        return _unknown(context, node, base, held) if is_one_element(context, node) and not held.rank else None
    if _truncates(context, node) and held.kind is Kind.FLOAT:
        return None
    if held.kind is Kind.FLOAT and not is_without_gradient(context, base):
        text += ".detach()"
    return DeviceValue(node, base, text, held)


def _unknown(context: Context, node: ast.expr, base: ast.expr, held: Held) -> DeviceValue:
    """A number of a tensor of which it is not known that it has no dimensions, or what it holds."""
    text = spelled(context, base)
    return DeviceValue(node, base, text if is_without_gradient(context, base) else f"{text}.detach()", held)


def is_one_element(context: Context, node: ast.expr) -> bool:
    """Whether a reading asks for one element: ``.item()``, ``float()``."""
    if not isinstance(node, ast.Call) or context.resolve(node.func) == "builtins.int":
        return False
    is_item = isinstance(node.func, ast.Attribute) and node.func.attr == "item"
    return is_item or context.resolve(node.func) == "builtins.float"


def fetched(context: Context, tensors: Tensors, node: ast.expr, read: HostRead) -> DeviceValue | None:
    """A tensor that is fetched as a whole, if `node` is that, and nothing but it: ``x.detach().cpu().numpy()``."""
    if isinstance(read, Deferred) and read.reading is not None:
        record = DeviceValue(node, node, spelled(context, node), read.held, read.reading, deferred=True)
        return record if node is read.node else None
    base = _base(read.tensor)
    if not _is_fetching(context, node, base):
        return None
    whole, inner = context.span(node), context.span(base)
    before, after = context.module.text[whole.start : inner.start], context.module.text[inner.end : whole.end]
    if isinstance(context.module.parents[base], ast.Attribute | ast.Subscript) and not isinstance(base, ATOMS):
        before, after = before.rstrip()[:-1], after.lstrip()[1:]  # `(a == b).cpu()`
    if "#" in before + after:
        return None
    before, after = (_NEWLINES.sub("", part) for part in (before, after))
    held = tensors.held(context.view.own, base)
    text = spelled(context, base)
    cuts = _CUTTING.search(after) is not None or before != ""
    if cuts and held.kind in (None, Kind.FLOAT) and not is_without_gradient(context, base):
        text += ".detach()"
    return DeviceValue(node, base, text, held, (before, _NO_READING.sub("", after)))


def _is_fetching(context: Context, node: ast.expr, base: ast.expr) -> bool:
    """Whether an expression does no more to a tensor than to fetch it, and to give it another form on the host."""
    here: ast.expr = node
    fetched = False
    while here is not base:
        if isinstance(here, ast.Subscript):
            if any(isinstance(n, ast.Name) for n in ast.walk(here.slice)):
                return False
            here = here.value
            continue
        if isinstance(here, ast.Attribute) and here.attr == "data":
            here = here.value
            continue
        if not isinstance(here, ast.Call):
            return False
        given = [*here.args, *(keyword.value for keyword in here.keywords)]
        called = context.resolve(here.func) or ""
        if called in _MAKING and len(given) == 1:
            fetched = True
            here = given[0]
        elif isinstance(here.func, ast.Attribute) and not any(
            isinstance(n, ast.Name) for a in given for n in ast.walk(a)
        ):
            fetched = fetched or here.func.attr in ("cpu", "item", "tolist", "numpy", "to")
            here = here.func.value
        else:
            return False
    return fetched


def spelled(context: Context, node: ast.expr) -> str:
    """An expression's text, so that a method can be called on it."""
    text = context.module.segment(node)
    if not isinstance(node, ATOMS):
        return f"({text})"
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return f"({text})"  # its parentheses allow it several lines
    return text


def _whole(context: Context, node: ast.expr) -> tuple[ast.expr, bool]:
    """All of the reading that a read is a part of, and whether it makes a number of one element."""
    is_number = False
    while True:
        if _is_number(context, node):
            is_number = True
        parent = context.module.parents[node]
        if isinstance(parent, ast.Attribute):
            call = context.module.parents[parent]
            if parent.attr == "data":
                node = parent
                continue
            is_call = isinstance(call, ast.Call) and call.func is parent and not call.args and not call.keywords
            if is_call and parent.attr in (*_CARRYING, "item", "tolist"):
                assert isinstance(call, ast.Call)
                node = call
                continue
        elif isinstance(parent, ast.Call) and parent.args == [node] and not parent.keywords:
            if context.resolve(parent.func) in ("builtins.float", "builtins.int"):
                node = parent
                continue
        return node, is_number


def _sum_of(context: Context, node: ast.expr) -> ast.Call | None:
    """``hits.cpu().sum()``, of which ``hits.cpu()`` is the reading."""
    method = context.module.parents[node]
    call = context.module.parents[method]
    is_sum = isinstance(method, ast.Attribute) and method.attr == "sum" and isinstance(call, ast.Call)
    return call if is_sum and isinstance(call, ast.Call) and not call.args and not call.keywords else None


def _is_number(context: Context, node: ast.expr) -> bool:
    """``….item()``, ``float(…)``, or the array without dimensions that ``.numpy()`` gives."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("item", "tolist", "numpy"):
        return True
    return context.resolve(node.func) in ("builtins.float", "builtins.int")


def _truncates(context: Context, node: ast.expr) -> bool:
    return any(isinstance(n, ast.Call) and context.resolve(n.func) == "builtins.int" for n in ast.walk(node))


def _base(tensor: ast.expr) -> ast.expr:
    while True:
        if isinstance(tensor, ast.Attribute) and tensor.attr == "data":
            tensor = tensor.value
        elif (
            isinstance(tensor, ast.Call)
            and isinstance(tensor.func, ast.Attribute)
            and tensor.func.attr in _CARRYING
            and not tensor.args
        ):
            tensor = tensor.func.value
        else:
            return tensor


def is_without_gradient(context: Context, tensor: ast.expr, depth: int = 0) -> bool:
    """Whether a tensor is detached, or computed under ``torch.no_grad()``: what is only looked at there is not."""
    if context.roles.is_detached(tensor):
        return True
    if isinstance(tensor, ast.Attribute) or depth > _MAX_DEPTH:
        return False
    if not isinstance(tensor, ast.Name):
        return context.loops.stepping.gradients_are_off(tensor) and not _switches_on(context, tensor)
    found = context.names.reaching(tensor)
    if any(binding.how is How.AUGMENT for binding in found):
        found = context.names.bindings(tensor)  # a sum in place has the history of what it began with
    return bool(found) and all(
        binding.how is not How.PARAMETER
        and context.loops.stepping.gradients_are_off(binding.node)
        and (
            is_without_gradient(context, binding.value, depth + 1)
            if isinstance(binding.value, ast.Name | ast.Attribute)
            else binding.value is None or not _switches_on(context, binding.value)
        )
        for binding in found
    )


def _switches_on(context: Context, node: ast.expr) -> bool:
    """Whether what an expression runs may keep gradients all the same: a closure under ``torch.enable_grad()``."""
    own = context.view.own
    return any(
        isinstance(part, ast.Name | ast.Attribute) and facts.names.resolve(part) in _SWITCHING
        for facts, part in all_run(context.flow.structure, own, [node])
    )


def may_be_narrow(context: Context) -> bool:
    """Whether the file speaks of half precision, so that a loss may have no more than eight bits.

    An option by itself, ``args.amp``, makes nothing narrow: what it turns on has a name of its own.
    """
    return any(
        _NARROW.search(word) is not None
        for node in context.module.nodes
        for word in (
            [node.id] if isinstance(node, ast.Name)
            else [node.attr] if isinstance(node, ast.Attribute) and not _is_option(context, node)
            else [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 20
            and not _AMP.search(node.value)
            else []
        )
    )  # fmt: skip


def _is_option(context: Context, node: ast.Attribute) -> bool:
    """``args.amp``, not ``torch.cuda.amp`` or ``apex.amp``."""
    return node.attr == "amp" and context.resolve(node) is None


def is_cast(tensor: ast.expr) -> bool:
    """``loss.float()``, ``torch.norm(grad, dtype=torch.float32)``: float32 at the least."""
    if not isinstance(tensor, ast.Call):
        return False
    asked = next((last_name(k.value) for k in tensor.keywords if k.arg == "dtype"), None)
    return asked in _WIDE or (isinstance(tensor.func, ast.Attribute) and tensor.func.attr in ("float", "double"))


def torch_name(context: Context, attribute: str, node: ast.AST) -> tuple[str, tuple[Import, ...]]:
    """How to write a function of torch at a node."""
    return context.spell(Symbol(Import("torch", "torch"), attribute), node)
