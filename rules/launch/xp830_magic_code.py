"""XP830: code for CUDA in the magics of a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.notebook.placeholders import hidden_places
from xlaport.rule import Applicability, Finding, Harm, Rule

from .._lib.launch.saying import say

_CUDA = re.compile(r"\bcuda\b|\bis_cuda\b|\bnccl\b")
_TIMED = re.compile(r"%{1,2}(?P<name>time|timeit|prun|lprun|memit|mprun)\b")
_WRITTEN = re.compile(r"\s*%%(?:writefile|file)\s+(?:-a\s+)?(?P<file>\S+\.py)\b")
_RUN = re.compile(r"\s*%%(?P<name>python3?|pypy|script\s+\S*python\S*)\b")


class MagicCode(Rule):
    """Report code for CUDA in a magic, which is not converted.

    ## What it does
    In a notebook, reports lines such as `%timeit x.cuda()`, and cells that write a Python file (`%%writefile`) or run
    in another process (`%%python`), where they name CUDA.

    ## Why
    Magics and cells of other languages are not changed: IPython, not Python, decides what they mean.

    ## Example
        import torch
        %timeit torch.ones(2).cuda()

    becomes

        import torch
        import torch_xla
        %timeit torch.ones(2).to(torch_xla.device())

    ## When it is wrong
    Where the magic only mentions CUDA, in a text or a comment. Nothing is rewritten.

    ## When it is left alone
    Shell lines and `%%bash` cells, of which XP813 to XP817 speak, and magics that run no Python.

    ## Sources
    - IPython, input transformation and magics: https://ipython.readthedocs.io/en/stable/config/inputtransforms.html

    ## Related
    XP802, XP815.
    """

    code = "XP830"
    name = "magic-code"
    summary = "code for CUDA in a magic of a notebook, which is not converted"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    words = ("nb~text~", "%time", "%prun", "%lprun", "%memit", "%mprun", "%%writefile", "%%file", "%%python")
    of_notebooks = True

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each magic."""
        for span, hidden in hidden_places(context.module.text):
            if _CUDA.search(hidden) is None:
                continue
            if (timed := _TIMED.match(hidden)) is not None:
                yield self.finding(span, say("XP830.line", magic=timed["name"]))
            elif (written := _WRITTEN.match(hidden)) is not None:
                yield self.finding(span, say("XP830.file", file=written["file"]))
            elif _RUN.match(hidden) is not None:
                yield self.finding(span, say("XP830.process"))
