"""XP957: environment variables of torch_xla."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.context import Context
from xlaport.doctor.variables import is_of_torch_xla
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait

from .._lib.catalogue import Disposition
from .._lib.removal import removal
from .._lib.successor.answers import told, variable
from .._lib.successor.saying import say
from .._lib.variables import Where, mentions, needed


class TorchXlaEnvironment(Rule):
    """Drop or report environment variables that torch_xla reads.

    ## What it does
    Removes the statements that set `PJRT_DEVICE` and the like, where nothing of the project reads them. Those that
    changed what was computed (`XLA_USE_BF16`), and every place that reads one, are reported.

    ## Why
    torch_tpu does not read them: a program that computed in bfloat16 by `XLA_USE_BF16=1` computes in float32, with no
    word of it.

    ## Example
        import os
        os.environ["PJRT_DEVICE"] = "TPU"
        rank = os.environ["RANK"]

    becomes

        import os
        rank = os.environ["RANK"]

    ## When it is wrong
    Where the variable is set for another program that this one starts.

    ## When it is left alone
    `XLA_FLAGS` and `LIBTPU_INIT_ARGS`, which are read as before, and those of JAX. What is none of torch_xla's own is
    reported.

    ## Sources
    - Read from the modules of torch_xla 2.9, and of torch_tpu 0.2.0: the table `rules/successor/answers.toml`.

    ## Related
    XP906, XP958.
    """

    code = "XP957"
    name = "torch-xla-environment"
    summary = "PJRT_DEVICE goes, XLA_USE_BF16 is reported"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("PJRT_", "XLA_", "XRT_", "NUM_DEVICES")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that sets or reads such a variable."""
        mentioned = list(mentions(context))
        wanted = needed(context, mentioned)
        for mention in mentioned:
            is_key = mention.where is Where.KEY and is_of_torch_xla(mention.name)
            answer = variable(mention.name) if mention.where is Where.ENVIRONMENT or is_key else None
            if answer is None:
                continue
            is_idle = answer.disposition is Disposition.REMOVE and mention.name not in wanted
            if is_idle and mention.statement is not None:
                said = say("XP957.removed", name=mention.name, why=answer.why)
                yield self.finding(context.span(mention.statement), said, removal(context, mention.statement))
            else:
                yield self.finding(context.place(mention.node), say("XP957.left", name=mention.name, **told(answer)))
