"""What names a device in the source: where it goes is told by `xlaport.facts.flow`."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.flow import Sink, SinkKind
from xlaport.target import Trait

from . import cuda

_UNLESS = {SinkKind.GENERATOR: Trait.OWN_GENERATOR, SinkKind.MAP_LOCATION: Trait.SPLIT_LOADS}
"""What takes no device of a target with a trait: XP107 and XP701 speak of it then."""


def takes_no_device(context: Context, sink: Sink) -> bool:
    """Whether what takes the name of a device does not take the target's."""
    trait = _UNLESS.get(sink.kind)
    return trait is not None and context.target.is_a(trait)


def is_source(context: Context, node: ast.AST) -> bool:
    """A device string that goes somewhere; not one that `torch.device`, or only CUDA, takes right there."""
    if not isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp | ast.Call) or not cuda.is_cuda_string(node):
        return False
    parent = context.module.parents[node]
    if isinstance(parent, ast.JoinedStr | ast.Expr) or not context.editable(node):
        return False
    return not (is_device_object(context, node) or cuda.asks_cuda(context, node))


def is_device_object(context: Context, node: ast.AST) -> bool:
    """Inside ``torch.device(…)``: XP101 speaks of it."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.IfExp) and parent.test is not node:
        parent = context.module.parents[parent]
    return isinstance(parent, ast.Call) and context.resolve(parent.func) == "torch.device"


def is_accelerator(context: Context, node: ast.AST) -> bool:
    """A string or a call that names the accelerator, before the conversion or after it."""
    if isinstance(node, ast.Constant) and node.value == context.target.device_type:
        return True
    if isinstance(node, ast.Call):
        called = context.resolve(node.func)
        if called in ("torch.device", cuda.CURRENT) or called in context.target.devices:
            return not cuda.is_cpu_device(context, node)
    return cuda.is_cuda_string(node)


def may_be_accelerator(context: Context, value: ast.expr) -> bool:
    """Whether a value may be an accelerator that is named, or made, somewhere in the program."""
    flow = context.flow
    spots = map(flow.spot, sorted(flow.places(value, context.view.own)))
    return any(spot is not None and is_accelerator(context.of(spot.facts), spot.node) for spot in spots)
