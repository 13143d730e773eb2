"""XP705: a tensor or a model that is used as it was loaded."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Span

from .._lib import host_only
from .._lib.checkpoint import loads
from .._lib.checkpoint.saying import say
from .._lib.device import placing


class LoadedTensor(Rule):
    """Move what was loaded and meets the device.

    ## What it does
    Finds a name for what `torch.load(…, map_location="cpu")` gives that is used as it is: a tensor that is handed to a
    model, or computed with a tensor of the device, or a whole model that is called with one. It is moved where it is
    loaded.

    ## Why
    `torch.load` cannot load to a TPU, so that all it gives is on the CPU. `load_state_dict()` copies; what is
    used as it was loaded stays there, and the first operation with a tensor of the device raises.

    ## Example
        latents = torch.load("latents.pt", map_location="cpu")
        model = nn.Linear(4, 2).to("cuda")
        image = model(latents)

    becomes

        latents = torch.load("latents.pt", map_location="cpu").to(torch_xla.device())
        model = nn.Linear(4, 2).to("cuda")
        image = model(latents)

    ## When it is wrong
    Where the file holds no tensor but a list or a dict of them, which has no `.to()`: move its items. Where the model
    stays on the CPU.

    ## When it is left alone
    What goes through `load_state_dict()`, what is moved later, and what meets no tensor of the device.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, torch.load: https://docs.pytorch.org/docs/stable/generated/torch.load.html

    ## Related
    XP701, XP704.
    """

    code = "XP705"
    name = "loaded-tensor"
    summary = "what is used as it was loaded is moved to the device"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    words = ("load",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each load to the CPU whose value meets the device."""
        found = [(call, use) for call in context.module.calls if (use := _meeting(context, call)) is not None]
        if not found or host_only.stays_on_host(context):
            return
        for call, use in found:
            device, imports = placing.device(context, call)
            end = context.span(call).end
            yield self.finding(
                context.span(call),
                say("XP705.moved", name=use.id, line=context.line(use)),
                Replace(Span(end, end), f".to({device})"),
                imports=imports,
            )


def _meeting(context: Context, call: ast.Call) -> ast.Name | None:
    """Where a name for what a call loads to the CPU meets the device."""
    if context.resolve(call.func) != "torch.load" or not context.editable(call):
        return None
    places = loads.locations(context, call)
    if not places or not all(isinstance(p, ast.Constant) and p.value == "cpu" for p in places):
        return None
    statement = context.module.parents[call]
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    uses = context.names.uses_of(statement.targets[0])
    if any(_is_of_host(context, use) for use in uses):
        return None
    return next((use for use in uses if _meets(context, use)), None)


def _is_of_host(context: Context, use: ast.Name) -> bool:
    """Whether a use takes the value for a dict or a list, or for what is on the CPU, or moves it itself."""
    parent = context.module.parents[use]
    if isinstance(parent, ast.Attribute):
        return parent.attr in ("numpy", "items", "keys", "values", "get", "to", "cuda")
    return isinstance(parent, ast.Subscript | ast.For)


def _meets(context: Context, use: ast.Name) -> bool:
    """Whether a name is an input of a model, or is computed or called with a tensor of the device."""
    parent = context.module.parents[use]
    if isinstance(parent, ast.Call) and parent.func is use:
        return any(_is_on_device(context, argument) for argument in parent.args)
    if isinstance(parent, ast.Call) and use in parent.args:
        return context.roles.is_(parent.func, Role.MODEL)
    if isinstance(parent, ast.BinOp):
        return _is_on_device(context, parent.right if parent.left is use else parent.left)
    return False


def _is_on_device(context: Context, node: ast.expr) -> bool:
    fact = context.roles.of(node)
    return fact is not None and fact.role is Role.TENSOR and not fact.assumed
