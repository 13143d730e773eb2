"""XP904: starting one process for each device."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, Harm, RemoveArgument, Replace, Rule, Trait

from .._lib.arguments import argument_span, given
from .._lib.legacy.references import Reference, references, spelled
from .._lib.legacy.saying import say
from .._lib.parentheses import factor
from .._lib.removal import is_effect_free

_PARAMETERS = ("fn", "args", "nprocs", "join", "daemon", "start_method")


class Spawn(Rule):
    """Start the processes with torch_xla.launch.

    ## What it does
    Rewrites the statement `xmp.spawn(fn, args=(…), nprocs=…)` to `torch_xla.launch(fn, args=(…))`. `nprocs=1` becomes
    `debug_single_process=True`, another number is removed, and an expression such as `flags.cores` becomes
    `debug_single_process=flags.cores == 1`. `join` and `daemon`, which nothing reads any more, are removed.

    ## Why
    The runtime decides how many processes run: one for each chip of the TPU. Up to torch_xla 2.5, `nprocs=8` was
    ignored with a warning; since 2.6 it stops the program with a ValueError. `torch_xla.launch` does the same as
    `xmp.spawn`, and works under `torchrun`, too.

    ## Example
        import torch_xla.distributed.xla_multiprocessing as xmp
        xmp.spawn(train, args=(flags,), nprocs=8, start_method="fork")

    becomes

        torch_xla.launch(train, args=(flags,), start_method="fork")

    ## When it is wrong
    Under SPMD, which needs no processes: `torch_xla.launch` raises NotImplementedError there, and such files are
    left alone.

    ## When it is left alone
    Versions without `torch_xla.launch()`, programs for SPMD, and functions of other libraries called spawn.

    ## Sources
    - Read from the modules of torch_xla 2.1 to 2.9: the table `rules/legacy/lifetimes.txt`.
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html

    ## Related
    XP901, XP603, XP905.
    """

    code = "XP904"
    name = "xmp-spawn"
    summary = "xmp.spawn() becomes torch_xla.launch()"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.OLDER_NAMES,)
    words = ("spawn",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each start of processes."""
        if not context.target.is_at_least("2.5"):
            return
        for reference in references(context):
            if reference.name in context.target.other_spellings("launch"):
                yield self._finding(context, reference)

    def _finding(self, context: Context, reference: Reference) -> Finding:
        node = reference.node
        text, imports, beside = spelled(context, context.target.symbol("launch"), reference)
        said = say("XP904.spawn", new=text)
        recipe, edits = self._arguments(context, node, text)
        if recipe:
            return self.finding(context.place(node), replace(said, recipe=recipe))
        call = context.module.parents[node]
        return self.finding(
            context.span(call),
            said,
            Replace(context.span(node), text),
            *edits,
            *beside,
            imports=imports,
            applicability=reference.applicability(self.applicability),
        )

    def _arguments(self, context: Context, node: ast.expr, new: str) -> tuple[str, list[Edit]]:
        """What to do by hand, where something speaks against the rewrite, and the edits of the arguments."""
        call = context.module.parents[node]
        if not isinstance(call, ast.Call) or call.func is not node or not context.editable(node):
            return say.phrase("elsewhere", new=new), []
        passed = given(call, _PARAMETERS)
        if passed is None or "fn" not in passed:
            return say.phrase("arguments"), []
        if not isinstance(context.module.parents[call], ast.Expr):
            return say.phrase("returns", new=new), []
        if self._uses_spmd(context):
            return say.phrase("one-process"), []
        join = passed.get("join")
        if join is not None and not (isinstance(join, ast.Constant) and join.value):
            return say.phrase("waits", new=new), []
        edits: list[Edit] = []
        for name in ("nprocs", "join", "daemon", "start_method"):
            value = passed.get(name)
            if value is None:
                continue
            written = self._written(context, call, name, value)
            if written is None and not is_effect_free(context, value):
                return say.phrase("computed", argument=name), []
            span = argument_span(context, call, value)
            if written is None:
                edits.append(RemoveArgument(context.span(call), span))
                continue
            if written != context.module.text[span.start : span.end]:
                edits.append(Replace(span, written))
        return "", edits

    def _written(self, context: Context, call: ast.Call, name: str, value: ast.expr) -> str | None:
        """The argument in the new call; None where it goes."""
        text = context.module.segment(value)
        if name == "start_method":
            return f"start_method={text}"
        if name != "nprocs":
            return None
        if isinstance(value, ast.Constant):
            return "debug_single_process=True" if value.value == 1 else None
        return f"debug_single_process={factor(value, text)} == 1"

    def _uses_spmd(self, context: Context) -> bool:
        use = context.target.symbol("use_spmd").qualified
        return any(context.resolve(call.func) == use for call in context.module.calls)
