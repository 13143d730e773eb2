"""XP308: a value that every step fetches, and that few use."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.late_reads import Form
from xlaport.rule import Applicability, Edit, Finding, Harm, InsertStatement, RemoveStatement, Rule

from .._lib import host_only
from .._lib.host_reads.putting_off import put_off
from .._lib.host_reads.saying import code_of, say
from .._lib.host_reads.seldom_used import SeldomUsed, seldom_used


class ReadWhereUsed(Rule):
    """Read a value in the steps that use it.

    ## What it does
    In a step loop, finds host reads of every step whose value is used under conditions only that are true in some
    steps, such as `if step % 100 == 0`. The read moves there. The TPU's part of it, `out.mean()` of
    `out.mean().item()`, stays in the step.

    ## Why
    The host traces the next step while the TPU runs this one. A read makes the host wait for the TPU, here for a value
    that most steps do not use.

    ## Example
        model = nn.Linear(4, 1).to("xla")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
            out = model(x.to("xla"))
            score = out.abs().mean().item()
            out.mean().backward()
            optimizer.step()
            if step % 100 == 0:
                print(score)

    becomes

        model = nn.Linear(4, 1).to("xla")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
            out = model(x.to("xla"))
            score = out.abs().mean().detach()
            out.mean().backward()
            optimizer.step()
            if step % 100 == 0:
                score = score.item()
                print(score)

    ## When it is wrong
    A read moves if nothing in between could tell (see XP302), and if nothing else uses the value: not the next step,
    not the code after the loop, no other function. An error in the read, of a tensor with more than one element, shows
    in the steps that still read.

    ## When it is left alone
    A value that every step needs, that the condition itself, the next step, the code after the loop or another function
    uses, or whose tensor changes before it would be read.

    ## Sources
    - PyTorch/XLA, Troubleshoot: https://docs.pytorch.org/xla/release/r2.7/learn/troubleshoot.html
    - PyTorch/XLA, PyTorch on XLA devices: https://docs.pytorch.org/xla/release/r2.8/learn/pytorch-on-xla-devices.html

    ## Related
    XP301, XP302, XP303.
    """

    code = "XP308"
    name = "read-where-used"
    summary = "a host read moves to where its value is used"
    applicability = Applicability.SAFE
    harm = Harm.WAITS
    words = ("item", "float", "int", "cpu", "tolist", "numpy")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each statement that reads in vain in most steps."""
        if not host_only.stays_on_host(context):
            for found in seldom_used(context):
                yield self._moved(context, found)

    def _moved(self, context: Context, found: SeldomUsed) -> Finding:
        late = found.late
        statement, span = context.span(late.statement), context.span(late.read.node)
        lines = " or ".join(context.line(context.module.parents[branch[0]]) for branch in found.branches)
        text = say("XP308.branch", read=code_of(context, late.read), name=late.target, lines=lines)
        stays: Edit
        if late.form is Form.WHOLE:
            stays, later = RemoveStatement(statement), context.module.segment(late.statement)
        else:
            stays, later = put_off(context, late, detached=found.keeps_graph)
        reads = (InsertStatement(context.span(branch[0]), later, before=True, origin=span) for branch in found.branches)
        return self.finding(span, text, stays, *reads)
