"""Run a ported script on XLA and judge, from torch_xla's own metrics, whether it compiles once and stays
there.
"""

from __future__ import annotations

from xlaport.verify.joining import not_played
from xlaport.verify.judge import judge
from xlaport.verify.launch import Interrupted, events_folder, run
from xlaport.verify.originals import with_originals
from xlaport.verify.parity_run import Recordings, not_compared, original_of, with_parity
from xlaport.verify.request import Against, Budgets, Sandbox, VerifyRequest
from xlaport.verify.verdict import Verdict

__all__ = [
    "Against",
    "Budgets",
    "Recordings",
    "Sandbox",
    "Stopped",
    "Verdict",
    "VerifyRequest",
    "compared",
    "judged",
    "verify",
    "with_originals",
]


class Stopped(KeyboardInterrupt):
    """A verification that was interrupted, with the verdict on what ran until then."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self.verdict = verdict


def verify(request: VerifyRequest) -> Verdict:
    """Run the script and judge the run; `UserError` where it cannot even be started.

    What the script prints goes to standard error. An interrupt ends the script that runs, and passes on as `Stopped`.
    """
    if request.against:
        original_of(request, request.against)  # what is wrong with it is said before the port runs for an hour
    verdict = judged(request)
    if request.against:
        verdict = compared(verdict, request, request.against, Recordings())
    return with_originals(verdict, request)


def judged(request: VerifyRequest) -> Verdict:
    """What one run of the script shows by itself. See `verify`."""
    with events_folder() as events:
        try:
            verdict = judge(run(request, events), request.budgets)
        except Interrupted as interrupt:
            raise Stopped(with_originals(judge(interrupt.run, request.budgets), request)) from None
    if request.replicas > 1 and verdict.steps and not verdict.replicas:
        verdict = not_played(verdict, request.replicas)
    return verdict


def compared(verdict: Verdict, request: VerifyRequest, against: Against, recordings: Recordings) -> Verdict:
    """The verdict on a run, with what the comparison with the original says. See `verify`."""
    try:
        return with_parity(verdict, request, against, recordings)
    except Interrupted:
        raise Stopped(with_originals(not_compared(verdict, against), request)) from None
