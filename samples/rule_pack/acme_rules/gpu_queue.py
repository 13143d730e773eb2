"""ACME201: jobs that go to a queue of GPU machines."""

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Rule


class GpuQueue(Rule):
    """Name jobs that are sent to a queue of GPU machines.

    ## What it does
    Reports `acme_jobs.submit(..., queue="gpu-...")`.

    ## Why
    The machines behind these queues have no TPU. Which of the TPU queues is the right one depends on who pays, so
    that nothing is rewritten.

    ## Example
        import acme_jobs
        acme_jobs.submit("train.py", queue="gpu-a100")

    ## When it is wrong
    Where the job is one that stays on GPUs.
    """

    code = "ACME201"
    name = "acme-gpu-queue"
    summary = "a job for a queue of GPU machines"
    applicability = Applicability.MANUAL
    words = ("acme_jobs",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each job."""
        for call in context.module.calls:
            if context.resolve(call.func) != "acme_jobs.submit":
                continue
            for keyword in call.keywords:
                value = keyword.value
                if keyword.arg == "queue" and isinstance(value, ast.Constant) and str(value.value).startswith("gpu-"):
                    yield self.finding(
                        context.span(value), f"{value.value} has no TPU: choose tpu-v5e or tpu-v6e, by your cost centre"
                    )
