"""XP956: starting processes with torch_xla."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Import, Replace, Rule, Trait
from xlaport.target import Symbol

from .._lib.arguments import given
from .._lib.parentheses import ATOMS
from .._lib.removal import is_effect_free
from .._lib.successor.answers import uses
from .._lib.successor.saying import say
from .._lib.uses import Use

_PARAMETERS = ("fn", "args", "nprocs", "join", "daemon", "start_method", "debug_single_process")
_OS = Import("os", "os")


class TorchXlaLaunch(Rule):
    """Let torchrun start the processes.

    ## What it does
    Turns `torch_xla.launch(function, args=(a,))` and `xmp.spawn(…)` into a call of the function, with the rank that
    torchrun gives for its first argument.

    ## Why
    torch_xla finds the chips and starts a process for each. For torch_tpu, torchrun does, or `torch.multiprocessing`,
    with the environment that `python -m torch.tpu.distributed` prints.

    ## Example
        import torch_xla
        torch_xla.launch(main, args=(flags,))

    becomes

        import os
        main(int(os.environ.get("RANK", "0")), flags)

    ## When it is wrong
    Without torchrun, the program runs in one process, on one chip.

    ## When it is left alone
    Arguments behind a `*`, a function that is computed, what uses the result: they are reported.

    ## Sources
    - Read from the modules of torch_xla 2.9, and of torch_tpu 0.2.0.

    ## Related
    XP904, XP951, XP955.
    """

    code = "XP956"
    name = "torch-xla-launch"
    summary = "torch_xla.launch(function) calls the function: torchrun starts the processes"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("torch_xla",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each start."""
        for use in uses(context):
            if use.entry.rule == self.code:
                yield self._finding(context, use)

    def _finding(self, context: Context, use: Use) -> Finding:
        call = use.call
        if call is None or not context.editable(call) or not isinstance(context.module.parents[call], ast.Expr):
            return self.finding(context.place(use.node), say("XP956.elsewhere", what=use.shown))
        passed = given(call, _PARAMETERS) or {}
        function, arguments = passed.pop("fn", None), passed.pop("args", None)
        if (
            not isinstance(function, ATOMS)
            or not isinstance(arguments, ast.Tuple | ast.List | None)
            or not is_effect_free(context, *passed.values())
        ):
            return self.finding(context.place(use.node), say("XP956.elsewhere", what=use.shown))
        environ, imports = context.spell(Symbol(_OS, "environ"), call)
        values = [context.module.segment(a) for a in (arguments.elts if arguments is not None else ())]
        text = ", ".join([f'int({environ}.get("RANK", "0"))', *values])
        name = context.module.segment(function)
        said = say("XP956.launch", function=f"{name}()")
        return self.finding(context.span(call), said, Replace(context.span(call), f"{name}({text})"), imports=imports)
