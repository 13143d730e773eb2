"""XP955: what the device and its process group are called."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import TENSORS
from xlaport.facts.spot import Spot
from xlaport.rule import Applicability, Finding, Harm, RemoveArgument, Replace, Rule, Span, Trait

from .._lib.arguments import argument_span
from .._lib.distributed import group, names
from .._lib.successor.saying import say

_TYPE = re.compile(r"xla(:\d+)?")
_ADDRESSES = ("xla://", "pjrt://")
_ASKED = "is_xla"
_ATTRIBUTES = frozenset({"type", "device_type"})
_OTHERS = frozenset({"cpu", "cuda", "mps", "gpu"})
_COMPILERS = frozenset({"openxla", "openxla_eval"})


class XlaDeviceType(Rule):
    """Call the device by the name that the successor has for it.

    ## What it does
    Writes `"tpu"` for `"xla"` where a device is taken, or a device's type compared, and `"tpu_dist"` for the backend
    of a process group. `init_method="xla://"` goes, and `backend="openxla"` of `torch.compile()`. `x.is_xla` becomes
    `x.is_tpu`.

    ## Why
    PyTorch without torch_xla has no device, no backend and no compiler of these names: it raises.

    ## Example
        import torch.distributed as dist
        dist.init_process_group("xla", init_method="xla://")
        with torch.autocast("xla", dtype=torch.bfloat16):
            loss = model(x).sum()

    becomes

        import torch.distributed as dist
        dist.init_process_group("tpu_dist")
        with torch.autocast("tpu", dtype=torch.bfloat16):
            loss = model(x).sum()

    ## When it is wrong
    Where the same file also runs with torch_xla.

    ## When it is left alone
    Texts that reach no device: paths, labels, keys.

    ## Sources
    - Measured on PyTorch 2.13 and torch_tpu 0.2.0, on the CPU plugin of OpenXLA.

    ## Related
    XP951, XP103.
    """

    code = "XP955"
    name = "xla-device-type"
    summary = 'a device that is called "xla" is called "tpu"'
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("xla",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each text."""
        for call in context.module.calls:
            called = context.resolve(call.func) or ""
            if called == names.START:
                yield from self._address(context, call)
            elif called == "torch.compile":
                yield from self._compiler(context, call)
        for attribute in context.module.attributes.get(_ASKED, ()):
            yield from self._question(context, attribute)
        for node in context.module.of_type(ast.Constant, ast.JoinedStr):
            if not _is_type(node) or not context.editable(node):
                continue
            is_device, target = self._is_device(context, node), context.target
            if is_device or self._is_backend(context, node):
                new = target.device_type if is_device else target.group_backend
                said = say("XP955.type" if is_device else "XP955.backend", new=new)
                yield self.finding(context.span(node), said, Replace(context.span(node), f'"{new}"'))
            elif _is_by_type(context, node):
                yield self.finding(context.place(node), say("XP955.key", new=target.device_type))

    def _question(self, context: Context, node: ast.Attribute) -> Iterator[Finding]:
        """``x.is_xla``, where that is a tensor's, or may be."""
        role = context.roles.role(node.value)
        others = [n for n in context.module.attributes[_ASKED] if not isinstance(n.ctx, ast.Load)]
        functions = context.module.of_type(ast.FunctionDef, ast.AsyncFunctionDef)
        is_own = bool(others) or any(function.name == _ASKED for function in functions)
        if not context.editable(node) or (role not in TENSORS and (role is not None or is_own)):
            return
        span, new = context.span(node), f"is_{context.target.device_type}"
        applicability = Applicability.SAFE if role in TENSORS else Applicability.UNSAFE
        edit = Replace(Span(span.end - len(_ASKED), span.end), new)
        yield self.finding(span, say("XP955.asked", new=new), edit, applicability=applicability)

    def _is_device(self, context: Context, node: ast.expr) -> bool:
        flow = context.flow
        together = flow.together(Spot(context.view.own, node))  # with what it is compared with, and that in turn
        if flow.sink(node) is not None or any(flow.reach(spot.node, spot.facts).sinks for spot in together):
            return True
        parent = context.module.parents[node]
        if isinstance(parent, ast.keyword) and parent.arg == "type":
            call = context.module.parents[parent]
            return isinstance(call, ast.Call) and context.resolve(call.func) == "torch.device"
        if isinstance(parent, ast.Tuple | ast.List | ast.Set):
            parent = context.module.parents[parent]  # `device.type in ("xla", "cuda")`
        others = [parent.left, *parent.comparators] if isinstance(parent, ast.Compare) else []
        return any(isinstance(other, ast.Attribute) and other.attr in _ATTRIBUTES for other in others)

    def _is_backend(self, context: Context, node: ast.expr) -> bool:
        if not isinstance(node, ast.Constant):
            return False
        called = group.chooses(context, node) or ()
        return group.is_backend(context, node) or any("backend" in name for name in called)

    def _address(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        given = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "init_method")]
        for value in given:
            if isinstance(value, ast.Constant) and value.value in _ADDRESSES and context.editable(call):
                edit = RemoveArgument(context.span(call), argument_span(context, call, value))
                yield self.finding(context.span(value), say("XP955.address", address=value.value), edit)

    def _compiler(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        for keyword in call.keywords:
            value = keyword.value
            if keyword.arg == "backend" and isinstance(value, ast.Constant) and value.value in _COMPILERS:
                edit = RemoveArgument(context.span(call), context.span(keyword))
                yield self.finding(context.span(keyword), say("XP955.compiler", name=value.value), edit)


def _is_type(node: ast.Constant | ast.JoinedStr) -> bool:
    """``"xla"``, ``"xla:0"``, ``f"xla:{index}"``"""
    if isinstance(node, ast.JoinedStr):
        return len(node.values) == 2 and isinstance(node.values[0], ast.Constant) and node.values[0].value == "xla:"
    return isinstance(node.value, str) and _TYPE.fullmatch(node.value) is not None


def _is_by_type(context: Context, node: ast.expr) -> bool:
    """Whether a text is a key beside other types of devices: ``{"cpu": 1, "xla": 2}``."""
    parent = context.module.parents[node]
    keys = parent.keys if isinstance(parent, ast.Dict) and node in parent.keys else []
    return any(isinstance(key, ast.Constant) and key.value in _OTHERS for key in keys)
