"""XP112: an argument of PyTorch's that is a keyword of Python by now."""

from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Span

from .._lib.device.saying import say


class AsyncArgument(Rule):
    """Write `non_blocking=` for `async=`.

    ## What it does
    Replaces the name of the argument in `.cuda(async=True)`, `.to(device, async=True)`, `.type(…)`, `.cpu(…)` and
    `.copy_(…)`. A file that is Python but for this is read, and ported, as if it said `non_blocking=`.

    ## Why
    PyTorch renamed the argument in 0.4.1, and since Python 3.7 `async` is a keyword: the file cannot be imported, let
    alone run, by any Python that torch_xla supports.

    ## Example
        target = target.cuda(async=True)

    becomes

        target = target.cuda(non_blocking=True)

    ## When it is wrong
    A class of the program's own whose `cuda()` or `to()` takes an argument `async`: rename it there, too.

    ## When it is left alone
    Any other `async`: an argument of another function, a parameter, a name. The file is then reported as one that
    cannot be parsed, as are files that hold other things of Python 2.

    ## Sources
    - PyTorch 0.4.1, release notes: https://github.com/pytorch/pytorch/releases/tag/v0.4.1
    - Python 3.7, what's new: https://docs.python.org/3/whatsnew/3.7.html

    ## Related
    XP102.
    """

    code = "XP112"
    name = "async-argument"
    summary = ".cuda(async=True) becomes .cuda(non_blocking=True)"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("async",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each argument."""
        for keyword in context.module.old_keywords:
            start = context.span(keyword).start
            name = Span(start, start + len("async"))
            yield self.finding(name, say("XP112.argument"), Replace(name, "non_blocking"))
