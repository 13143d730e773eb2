"""XP102: the `.cuda()` method."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import TENSORS, Role
from xlaport.rule import Applicability, Finding, Replace, Rule

from . import cuda

_NOT_MOVABLE = (Role.NUMBER, Role.TEXT, Role.OTHER, Role.OPTIMIZER, Role.SCHEDULER, Role.DEVICE, Role.DATASET)


class CudaMethod(Rule):
    """Move tensors and modules with `.to(device)`.

    ## What it does
    Replaces `x.cuda()`, `x.cuda(0)`, `x.cuda(non_blocking=True)` by `x.to(device)`, with the name that the
    code has for its device at that place, or with `torch_xla.device()`.

    ## Why
    `.cuda()` raises without a GPU. `non_blocking` has no effect on XLA: the copy is asynchronous anyway.

    ## Example
        model.cuda()
        x = x.cuda(non_blocking=True)

    becomes

        model.to(device)
        x = x.to(device)

    ## When it is wrong
    On XLA, `model.to(device)` puts new Parameter objects into the module, where `.cuda()` changed the old
    ones in place. An optimizer, or a list of parameters, made before the move keeps the old ones and trains
    nothing: XP203 looks for that. A `cuda` method of the user's own class is left alone.
    """

    code = "XP102"
    name = "cuda-method"
    summary = ".cuda() becomes .to(device)"
    applicability = Applicability.SAFE
    words = (".cuda",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call of a `.cuda` method."""
        foreign = self._own_cuda_methods(context)
        for call in context.module.calls:
            func = call.func
            if not isinstance(func, ast.Attribute) or func.attr != "cuda":
                continue
            if context.resolve(func) is not None or not context.editable(call):
                continue
            role = context.roles.role(func.value)
            if role in _NOT_MOVABLE or not self._arguments_fit(context, call):
                continue
            span = context.span(call)
            if role not in TENSORS and role is not Role.MODEL and foreign:
                yield self.finding(
                    span,
                    f".cuda() of something unknown, and class {foreign} of this file has a method of that name: "
                    "if this is a tensor or a module, write .to(torch_xla.device())",
                )
                continue
            device, imports = context.device(call)
            what = {Role.MODEL: "the module", Role.TENSOR: "the tensor", Role.HOST_TENSOR: "the tensor"}
            yield self.finding(
                span,
                f"{what.get(role, 'the object') if role else 'the object'} is moved to the XLA device with .to()",
                Replace(context.tail(call, func.value), f".to({device})"),
                imports=imports,
            )

    def _own_cuda_methods(self, context: Context) -> str | None:
        for node in context.module.nodes:
            if isinstance(node, ast.ClassDef) and not context.roles.is_module_class(node):
                if context.names.method(node, "cuda") is not None:
                    return node.name
        return None

    def _arguments_fit(self, context: Context, call: ast.Call) -> bool:
        """Nothing, a device, and ``non_blocking``: all that the method of a tensor or a module takes."""
        if len(call.args) > 2 or any(isinstance(a, ast.Starred) for a in call.args):
            return False
        if any(k.arg not in ("device", "non_blocking", "async", "memory_format") for k in call.keywords):
            return False
        for argument in call.args[:1]:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                return cuda.is_cuda_string(argument)
        return not any(k.arg == "memory_format" for k in call.keywords)
