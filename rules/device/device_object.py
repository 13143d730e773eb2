"""XP101: the device object."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Replace, Rule

from . import cuda


class DeviceObject(Rule):
    """Make `torch.device("cuda")` the XLA device.

    ## What it does
    Replaces `torch.device("cuda")`, `torch.device("cuda:0")`, `torch.device(f"cuda:{rank}")`,
    `torch.accelerator.current_accelerator()` and the usual choice between CUDA and the CPU by
    `torch_xla.device()`.

    ## Why
    A TPU is reached through the XLA device. Each process sees its device as index 0 ("xla:1" raises), so
    an index is dropped. `torch.accelerator` does not know XLA: under torch_xla 2.9 it says that there is
    no accelerator, or names CUDA.

    ## Example
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    becomes

        device = torch_xla.device()

    ## When it is wrong
    A program that keeps several models on several devices of one process has to be split into processes
    (`torch_xla.launch`): here all of them land on the one device.
    """

    code = "XP101"
    name = "cuda-device-object"
    summary = 'torch.device("cuda") becomes torch_xla.device()'
    applicability = Applicability.SAFE
    words = ("device", "current_accelerator")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each CUDA device object or choice of one."""
        done: set[ast.AST] = set()
        for node in context.module.nodes:
            if isinstance(node, ast.IfExp) and self._is_choice(context, node):
                done |= set(ast.walk(node))
                yield self._replace(context, node)
        for call in context.module.calls:
            if call in done or not context.editable(call):
                continue
            if cuda.is_cuda_device(context, call):
                yield self._replace(context, call)
            elif context.resolve(call.func) == "torch.device" and len(call.args) == 1:
                choice = call.args[0]
                if isinstance(choice, ast.IfExp) and cuda.is_cuda_string(choice.body):
                    yield self._choice(context, call, choice)

    def _is_choice(self, context: Context, node: ast.IfExp) -> bool:
        """``torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")``."""
        return (
            cuda.is_available_call(context, node.test)
            and cuda.is_cuda_device(context, node.body)
            and cuda.is_cpu_device(context, node.orelse)
        )

    def _choice(self, context: Context, call: ast.Call, choice: ast.IfExp) -> Finding:
        if cuda.is_available_call(context, choice.test):
            return self._replace(context, call)
        device, imports = context.symbol("device", call)
        test, other = context.module.segment(choice.test), context.module.segment(choice.orelse)
        function = context.module.segment(call.func)
        text = f"{device}() if {test} else {function}({other})"
        if cuda.needs_parentheses(context, call):
            text = f"({text})"
        return self.finding(
            context.span(call),
            "the CUDA device becomes the XLA device; the other choice stays",
            Replace(context.span(call), text),
            imports=imports,
        )

    def _replace(self, context: Context, node: ast.expr) -> Finding:
        device, imports = context.symbol("device", node)
        return self.finding(
            context.span(node),
            f"the CUDA device becomes the XLA device, {device}(): the TPU, or the CPU where PJRT_DEVICE=CPU",
            Replace(context.span(node), f"{device}()"),
            imports=imports,
        )
