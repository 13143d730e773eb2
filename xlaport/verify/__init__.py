"""Run a ported script on XLA and judge, from torch_xla's own metrics, whether it compiles once and stays
there.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from xlaport.verify.judge import judge
from xlaport.verify.launch import run
from xlaport.verify.originals import with_originals
from xlaport.verify.parity_run import with_parity
from xlaport.verify.request import Against, Budgets, VerifyRequest
from xlaport.verify.verdict import Verdict

__all__ = ["Against", "Budgets", "Verdict", "VerifyRequest", "verify"]


def verify(request: VerifyRequest) -> Verdict:
    """Run the script and judge the run; `UserError` where it cannot even be started.

    What the script prints goes to standard error. On ``KeyboardInterrupt`` the script is ended before it
    passes on.
    """
    with tempfile.TemporaryDirectory(prefix="xlaport-") as events:
        verdict = judge(run(request, Path(events)), request.budgets)
    if request.against:
        verdict = with_parity(verdict, request, request.against)
    return with_originals(verdict, request)
