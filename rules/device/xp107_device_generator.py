"""XP107: random number generators on the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.flow import SinkKind
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Harm, RemoveArgument, Rule

from .._lib.device import cuda, survey
from .._lib.device.saying import say


class DeviceGenerator(Rule):
    """Make random number generators on the CPU.

    ## What it does
    Takes the device out of `torch.Generator(device="cuda")`.

    ## Why
    XLA has no generators: `torch.Generator(device="xla")` raises (measured on torch_xla 2.9). The functions
    that take one accept a CPU generator.

    ## Example
        generator = torch.Generator(device="cuda").manual_seed(0)

    becomes

        generator = torch.Generator().manual_seed(0)

    ## When it is wrong
    The numbers are reproducible, but not those that CUDA draws.

    ## When it is left alone
    Generators for the CPU, and those of NumPy.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP106, XP101.
    """

    code = "XP107"
    name = "device-generator"
    summary = "torch.Generator() is made on the CPU"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("Generator",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each generator that is made on the accelerator."""
        for call in context.module.calls:
            if context.resolve(call.func) != "torch.Generator" or not context.editable(call):
                continue
            arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
            if len(arguments) != 1:
                continue
            argument = arguments[0]
            value = argument.value if isinstance(argument, ast.keyword) else argument
            if self._is_accelerator(context, value) or survey.is_reached(context, value, SinkKind.GENERATOR):
                yield self.finding(
                    context.span(call),
                    say("XP107.generator"),
                    RemoveArgument(context.span(call), context.span(argument)),
                )

    def _is_accelerator(self, context: Context, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return cuda.is_cuda_string(node) or node.value == context.target.device_type or type(node.value) is int
        if isinstance(node, ast.IfExp):
            return self._is_accelerator(context, node.body) or self._is_accelerator(context, node.orelse)
        if cuda.is_cpu_device(context, node):
            return False
        if isinstance(node, ast.Name):
            found = context.names.reaching(node)
            if found and all(b.value is not None and cuda.is_cpu_device(context, b.value) for b in found):
                return False
        return cuda.is_cuda_string(node) or context.roles.is_(node, Role.DEVICE)
