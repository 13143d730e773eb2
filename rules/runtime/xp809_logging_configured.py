"""XP809: a logging configuration that would come too late."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib import host_only
from .._lib.one_line import one_line
from .._lib.runtime.saying import say

_BASIC_CONFIG = "logging.basicConfig"


class LoggingConfigured(Rule):
    """Let the program's own logging configuration win.

    ## What it does
    Gives `logging.basicConfig(...)` the argument `force=True`, and reports calls of `logger.hasHandlers()`.

    ## Why
    Importing torch_xla adds a handler to the root logger (measured on torch_xla 2.9). `logging.basicConfig()` does
    nothing if there is one: the program's level, format and file are not set, and its log is not seen, without a
    warning. `force=True` removes that handler first.

    ## Example
        import logging
        logging.basicConfig(level=logging.INFO)
        model = nn.Linear(4, 1).cuda()

    becomes

        import logging
        logging.basicConfig(level=logging.INFO, force=True)
        model = nn.Linear(4, 1).cuda()

    ## When it is wrong
    Where the program adds a handler to the root logger before, or configures it more than once and relies on the first
    time: such handlers would be removed, too. The fix is unsafe where handlers are added, or where the file configures
    logging several times.

    ## When it is left alone
    A call with `force=` already, handlers of the program's own, and files that do not use torch_xla.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - Python, logging.basicConfig: https://docs.python.org/3/library/logging.html#logging.basicConfig

    ## Related
    XP201.
    """

    code = "XP809"
    name = "logging-configured"
    summary = "logging.basicConfig() gets force=True: torch_xla has configured logging"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    traits = (Trait.XLA_TENSOR,)
    words = ("basicConfig", "hasHandlers")
    across = ("basicConfig", "hasHandlers")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each configuration."""
        if host_only.stays_on_host(context):
            return
        calls = [call for call in context.module.calls if context.resolve(call.func) == _BASIC_CONFIG]
        handled = len(calls) > 1 or any(
            isinstance(call.func, ast.Attribute) and call.func.attr == "addHandler" for call in context.module.calls
        )
        for call in context.module.calls:
            if isinstance(call.func, ast.Attribute) and call.func.attr == "hasHandlers" and not call.args:
                yield self.finding(
                    context.place(call),
                    say("XP809.asked", logger=one_line(context, call.func.value)),
                    applicability=Applicability.MANUAL,
                )
        for call in calls:
            if any(keyword.arg in ("force", None) for keyword in call.keywords):
                continue
            yield self.finding(
                context.span(call),
                say("XP809.handled" if handled else "XP809.forced"),
                self._edit(context, call),
                applicability=Applicability.UNSAFE if handled else Applicability.SAFE,
            )

    def _edit(self, context: Context, call: ast.Call) -> Replace:
        given = [context.span(node) for node in (*call.args, *call.keywords)]
        if not given:
            return Replace(context.span(call), f"{context.module.segment(call.func)}(force=True)")
        last = max(given)
        text = context.module.text[last.start : last.end]
        return Replace(last, f"{text}, force=True")
