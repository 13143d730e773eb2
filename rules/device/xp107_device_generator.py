"""XP107: random number generators on the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Harm, RemoveArgument, Rule, Trait

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
    traits = (Trait.OWN_GENERATOR,)
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
            if self._is_accelerator(context, value):
                yield self.finding(
                    context.span(call),
                    say("XP107.generator"),
                    RemoveArgument(context.span(call), context.span(argument)),
                )

    def _is_accelerator(self, context: Context, node: ast.expr) -> bool:
        if survey.may_be_accelerator(context, node) or (isinstance(node, ast.Constant) and type(node.value) is int):
            return True
        return context.roles.is_(node, Role.DEVICE) and not cuda.is_cpu(context, node)
