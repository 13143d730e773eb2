"""XP906: environment variables of old torch_xla."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait
from xlaport.wording import Text

from .._lib.legacy import old_variables
from .._lib.removal import removal
from .._lib.variables import Mention, Where, mentions, needed


class LegacyEnvironment(Rule):
    """Drop or report environment variables that old torch_xla read.

    ## What it does
    Removes the statements that set variables that nothing reads any more (`XRT_TPU_CONFIG`, `XRT_WORKERS`,
    `XLA_USE_FP16` …) and that no file of the project reads. Those that still work but are deprecated (`XLA_USE_BF16`,
    `XLA_USE_SPMD`), and every place that reads one, are reported with what to do.

    ## Why
    The XRT runtime and its configuration are removed, and a program no longer uses a TPU over the network.
    `XLA_USE_BF16` changes the type of every tensor, and the code does not show it.

    ## Example
        import os
        os.environ["XRT_TPU_CONFIG"] = "localservice;0;localhost:51011"
        rank = os.environ["RANK"]

    becomes

        import os
        rank = os.environ["RANK"]

    ## When it is wrong
    Where the variable is set for another program that this one starts, with an older torch_xla.

    ## When it is left alone
    Variables that torch_xla still reads without a warning, and those of other programs.

    ## Sources
    - Read from the modules of torch_xla 2.1 to 2.9: the table `rules/legacy/lifetimes.txt`.
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html

    ## Related
    XP805, XP910.
    """

    code = "XP906"
    name = "old-torch-xla-environment"
    summary = "XRT_TPU_CONFIG and its like go, XLA_USE_BF16 is reported"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    traits = (Trait.OLDER_NAMES,)
    words = ("XRT_", "XLA_USE", "XLA_DOWNCAST", "XLA_TENSOR", "NUM_DEVICES", "PJRT_", "COLAB_TPU", "TPU_")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that sets or reads such a variable."""
        mentioned = list(mentions(context))
        wanted = needed(context, mentioned)
        for mention in mentioned:
            if mention.where not in (Where.ENVIRONMENT, Where.KEY):
                continue
            found = old_variables.find(mention.name, context.target)
            if found is not None:
                is_idle = found.is_dead and mention.name not in wanted
                yield self._finding(context, mention, found.text(mention.name, context.target), is_idle)
            elif mention.name == "PJRT_DEVICE":
                yield from self._device(context, mention)

    def _finding(self, context: Context, mention: Mention, text: Text, is_idle: bool) -> Finding:
        if is_idle and mention.statement is not None:
            return self.finding(context.span(mention.statement), text.message, removal(context, mention.statement))
        return self.finding(context.place(mention.node), text)

    def _device(self, context: Context, mention: Mention) -> Iterator[Finding]:
        value = mention.value.value if isinstance(mention.value, ast.Constant) else None
        gone = old_variables.gone_kind(value, context.target) if isinstance(value, str) else None
        if gone is not None:
            yield self.finding(context.span(context.module.statement(mention.node)), gone)
