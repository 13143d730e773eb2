"""XP708: an archive of TorchScript."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait

from .._lib import host_only
from .._lib.checkpoint import loads
from .._lib.checkpoint.saying import say
from .._lib.device import cuda

_MOVES = frozenset({"to", "cuda"})


class ScriptedArchive(Rule):
    """Report TorchScript archives that are loaded for the device.

    ## What it does
    Finds `torch.jit.load()` of what is loaded to, or moved to, the accelerator.

    ## Why
    Measured on torch_xla 2.9: `map_location` raises for XLA, and what was loaded to the CPU cannot be moved. Its
    `.to(device)` raises an AssertionError, since the parameters of an archive are plain tensors, which XLA would have
    to replace in a module that is not made of Python. `torch.jit.script()` and `torch.jit.trace()` of a module that
    is on the device work.

    ## Example
        model = torch.jit.load("scripted.pt").cuda()

    is reported: the module has to be built in Python, and takes the weights of the archive.

        model = Net()
        model.load_state_dict(torch.jit.load("scripted.pt", map_location="cpu").state_dict())
        model.to("xla")

    ## When it is wrong
    Where the module stays on the CPU.

    ## When it is left alone
    Modules that stay on the host, and programs for the CPU.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, TorchScript: https://docs.pytorch.org/docs/stable/jit.html

    ## Related
    XP827, XP704.
    """

    code = "XP708"
    name = "scripted-archive"
    summary = "what torch.jit.load gives cannot be moved to XLA"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    traits = (Trait.XLA_TENSOR,)
    words = ("jit",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each archive that would come to the device."""
        calls = [c for c in context.module.calls if context.resolve(c.func) == "torch.jit.load"]
        if not calls or host_only.stays_on_host(context) or not host_only.speaks_of_device(context):
            return
        for call in calls:
            if not _stays(context, call):
                yield self.finding(context.place(call), say("XP708.archive"))


def _stays(context: Context, call: ast.Call) -> bool:
    """Whether an archive is loaded to the CPU, and nobody is seen to move it."""
    places = loads.locations(context, call)
    if not places or not all(cuda.is_cpu_device(context, place) for place in places):
        return False
    parent = context.module.parents[call]
    used: list[ast.expr] = [call]
    if isinstance(parent, ast.Assign):
        used += [use for target in parent.targets for use in context.names.uses_of(target)]
    found = (context.module.parents[use] for use in used)
    return not any(isinstance(a, ast.Attribute) and a.attr in _MOVES for a in found)
