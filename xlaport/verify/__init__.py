"""Run a ported script on XLA and judge, from torch_xla's own metrics, whether it compiles once and stays
there.
"""

from __future__ import annotations

from xlaport.verify.joining import not_played
from xlaport.verify.judge import judge
from xlaport.verify.launch import Interrupted, events_folder, run
from xlaport.verify.originals import with_originals
from xlaport.verify.parity_run import not_compared, with_parity
from xlaport.verify.request import Against, Budgets, Sandbox, VerifyRequest
from xlaport.verify.verdict import Verdict

__all__ = ["Against", "Budgets", "Sandbox", "Stopped", "Verdict", "VerifyRequest", "verify"]


class Stopped(KeyboardInterrupt):
    """A verification that was interrupted, with the verdict on what ran until then."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self.verdict = verdict


def verify(request: VerifyRequest) -> Verdict:
    """Run the script and judge the run; `UserError` where it cannot even be started.

    What the script prints goes to standard error. An interrupt ends the script that runs, and passes on as `Stopped`.
    """
    with events_folder() as events:
        try:
            verdict = judge(run(request, events), request.budgets)
        except Interrupted as interrupt:
            raise Stopped(with_originals(judge(interrupt.run, request.budgets), request)) from None
    if request.replicas > 1 and verdict.steps and not verdict.replicas:
        verdict = not_played(verdict, request.replicas)
    if request.against:
        try:
            verdict = with_parity(verdict, request, request.against)
        except Interrupted:
            raise Stopped(with_originals(not_compared(verdict, request.against), request)) from None
    return with_originals(verdict, request)
