"""XP907: the address of torch_xla's process group."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib.legacy.addresses import OLD_ADDRESS, init_methods, old_addresses
from .._lib.legacy.saying import say


class ProcessGroup(Rule):
    """Initialize the process group under its new address.

    ## What it does
    Replaces `init_method="pjrt://"` by `init_method="xla://"`.

    ## Why
    `pjrt://` works only where `torch_xla.experimental.pjrt_backend` is imported, an old name;
    `torch_xla.distributed.xla_backend` registers `xla://`, which finds the other processes in the same way.

    ## Example
        import torch.distributed as dist
        dist.init_process_group("xla", init_method="pjrt://")

    becomes

        import torch.distributed as dist
        dist.init_process_group("xla", init_method="xla://")

    ## When it is wrong
    Where `torch_xla.distributed.xla_backend` is never imported: `xla://` does not work then. XP902 rewrites the import.

    ## When it is left alone
    Texts that only mention the address, and `--target 2.1` without the new one.

    ## Sources
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html

    ## Related
    XP902, XP603.
    """

    code = "XP907"
    name = "pjrt-address"
    summary = 'init_method="pjrt://" becomes "xla://"'
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.OLDER_NAMES,)
    words = (OLD_ADDRESS,)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each old address."""
        if not context.target.is_at_least("2.2"):
            return
        arguments = init_methods(context)
        for node in old_addresses(context):
            if node not in arguments or not context.editable(node):
                yield self.finding(context.span(node), say("XP907.elsewhere"))
                continue
            text = context.module.segment(node).replace("pjrt", "xla")
            yield self.finding(context.span(node), say("XP907.address"), Replace(context.span(node), text))
