"""XP311: numbers that a module keeps in a buffer, and reads in every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, Harm, Replace, Rule

from .._lib import host_only
from .._lib.host_reads.kept_buffers import KeptBuffer, kept_buffers
from .._lib.host_reads.saying import say
from .._lib.one_line import one_line
from .._lib.shapes.helpers import helper
from .._lib.shapes.shared_helpers import Adding

_HELPER = "read_if_changed"


class BufferReads(Rule):
    """Read what a module keeps in a buffer again only where it has changed.

    ## What it does
    Where a step reads a buffer (`register_buffer`) that is written now and then, such as a flag that is set in the
    first step, or numbers that are set once, reads `read_if_changed(self.flag)`, which is added to the file: a copy on
    the host, made again where the tensor has been written. Writes by `.data`, which PyTorch does not count, lose it.

    ## Why
    The host waits for the TPU in each step, in the middle of it, for a number that it has read before: the step becomes
    two graphs. PyTorch counts the writes into a tensor (`_version`), also those by `load_state_dict()`; a tensor that
    has not been written since the last read needs no other one.

    ## Example
        import torch.nn.functional as F

        class Norm(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(4))
                self.register_buffer("ready", torch.tensor(0))

            def forward(self, x):
                if self.ready.item() == 0:
                    self.scale.data.copy_(1 / x.std(0))
                    self.ready.fill_(1)
                return F.relu(x * self.scale)

        model = Norm().to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4), batch_size=4):
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()

    becomes

        import torch.nn.functional as F


        def read_if_changed(tensor):
            \"\"\"A copy on the host, made again only where the tensor has been written to.\"\"\"
            known = id(tensor), tensor._version
            kept = getattr(tensor, "_kept_on_host", None)
            if kept is None or kept[0] != known:
                kept = tensor._kept_on_host = known, tensor.detach().cpu()
            return kept[1]


        class Norm(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(4))
                self.register_buffer("ready", torch.tensor(0))

            def forward(self, x):
                if read_if_changed(self.ready).item() == 0:
                    self.scale.data.copy_(1 / x.std(0))
                    self.ready.fill_(1)
                return F.relu(x * self.scale)

        model = Norm().to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4), batch_size=4):
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()

    ## When it is wrong
    Where something that is not in the project writes into the buffer by `.data`, or by a kernel of its own. Where
    `torch.jit.script` makes a graph of the module, it refuses the helper.

    ## When it is left alone
    Buffers that each step writes to; those that another function or name gets, which may write by `.data`; reads under
    a condition; tensors that are no buffers.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA: which writes count.
    - PyTorch, Autograd mechanics, in-place correctness checks: https://docs.pytorch.org/docs/stable/notes/autograd.html

    ## Related
    XP301, XP415, XP422.
    """

    code = "XP311"
    name = "buffer-reads"
    summary = "a buffer that seldom changes is read in every step"
    applicability = Applicability.UNSAFE
    harm = Harm.WAITS
    words = ("register_buffer",)
    after = ("XP201",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each read of such a buffer."""
        if host_only.stays_on_host(context):
            return
        for buffer in kept_buffers(context):
            uncounted = [self._counted(context, write) for write in buffer.uncounted]
            for read in buffer.reads:
                found = self._found(context, buffer, read, uncounted)
                if found is not None:
                    yield found

    def _found(self, context: Context, buffer: KeptBuffer, read: ast.Attribute, more: list[Edit]) -> Finding | None:
        defined = helper(context, _HELPER, read, Adding(self.check, self.code, self.applicability))
        if defined is None:
            return None
        text = context.module.segment(read)
        return self.finding(
            context.span(read),
            say("XP311.buffer", what=one_line(context, read), helper=_HELPER, source=defined.source),
            *defined.edits,
            *more,
            Replace(context.span(read), f"{_HELPER}({text})"),
            imports=defined.imports,
        )

    def _counted(self, context: Context, write: ast.Attribute) -> Edit:
        """``self.flag.data.fill_(1)`` without its ``.data``."""
        return Replace(context.tail(write, write.value), "")
