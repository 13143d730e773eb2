"""XP829: processes that are started from a notebook."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Span, Trait

from .._lib.launch.saying import say


class NotebookLaunch(Rule):
    """Start processes from a notebook by fork, before its kernel uses the device.

    ## What it does
    In a notebook, passes `start_method="fork"` to `torch_xla.launch` and `xmp.spawn`. Reports where a cell above opens
    the device.

    ## Why
    By default a new process begins with an empty `__main__`, and does not find a function of a cell there: the launch
    ends with `BrokenProcessPool`. A forked process has all that the cells have made. It cannot share a device that the
    kernel has opened: the launch then raises `RuntimeError: Runtime is already initialized`.
    (Measured with torch_xla 2.9 in an IPython kernel.)

    ## Example
        import torch_xla
        def train(index):
            print(index)
        torch_xla.launch(train)

    becomes

        import torch_xla
        def train(index):
            print(index)
        torch_xla.launch(train, start_method="fork")

    ## When it is wrong
    Where the function comes from a module, which a new process can import: either way works there.

    ## When it is left alone
    Launches in scripts, those with `start_method="fork"`, and those of a single process in the notebook's own.

    ## Sources
    - Measured with torch_xla 2.9 in an IPython kernel: a spawned launch ends with `BrokenProcessPool`; a forked one
      runs, and raises `RuntimeError` where the kernel has used the device.

    ## Related
    XP603, XP904.
    """

    code = "XP829"
    name = "notebook-launch"
    summary = "processes are started from a notebook by fork"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.OWN_PROCESSES,)
    words = ("launch", "spawn")
    of_notebooks = True

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each launch that would fail, and for each use of the device before one."""
        launch = context.target.symbol("launch").qualified
        known = {launch, *context.target.other_spellings("launch")}
        calls = [call for call in context.module.calls if context.resolve(call.func) in known]
        several = [call for call in calls if not _is_single(call)]
        for call in several:
            position = 2 if context.resolve(call.func) == launch else 5
            yield from self._method(context, call, position)
        if several:
            yield from self._too_early(context, several[-1])

    def _method(self, context: Context, call: ast.Call, position: int) -> Iterator[Finding]:
        if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
            return
        if not call.args and not call.keywords:
            return
        given = next((k.value for k in call.keywords if k.arg == "start_method"), None)
        if given is None and len(call.args) > position:
            given = call.args[position]
        if given is not None and not (isinstance(given, ast.Constant) and given.value in ("spawn", "forkserver")):
            return
        if given is not None:
            edit = Replace(context.span(given), '"fork"')
        else:
            end = max(context.span(argument).end for argument in (*call.args, *call.keywords))
            edit = Replace(Span(end, end), ', start_method="fork"')
        yield self.finding(context.span(call), say("XP829.fork"), edit)

    def _too_early(self, context: Context, launch: ast.Call) -> Iterator[Finding]:
        """The first call at the top level, before the last launch, that opens the device."""
        devices = {context.target.symbol("device").qualified, *context.target.other_spellings("device")}
        for call in context.module.calls:
            if call is launch:
                return
            outer = [*context.module.ancestors(call)]
            inside = any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) for node in outer)
            if not inside and context.resolve(call.func) in devices:
                yield self.finding(context.span(call), say("XP829.early", launch=context.line(launch)))
                return


def _is_single(call: ast.Call) -> bool:
    """Whether the function runs in the notebook's own process."""
    return any(
        (k.arg == "debug_single_process" and isinstance(k.value, ast.Constant) and k.value.value is True)
        or (k.arg == "nprocs" and isinstance(k.value, ast.Constant) and k.value.value == 1)
        for k in call.keywords
    )
