"""Two counts of the same run, which share no code: this table's, and that of `xlaport verify`."""

from __future__ import annotations

from pathlib import Path

from xlaport.verify import VerifyRequest, verify

from . import conversion, running, session

PROGRAMS = ("gan", "zip_loaders", "denoise", "fstring_tensors", "nan_check", "ema")
"""Good ones, and ones that compile late, run twice in a step, and read in each.

The first begins by a device loader, which would run what another one had left over.
"""

MAIN = """\
import runpy
import time
import torch_xla.core.xla_model as xm

put = xm.xc.AsyncClosureHandler.run


def run_whole(handler, closure):
    # What a thread has read, another one need not read again: with several at a time, how often is chance.
    put(handler, closure)
    while handler._closure_event_loop.is_alive() and handler._closure_queue.unfinished_tasks:
        time.sleep(0.001)


xm.xc.AsyncClosureHandler.run = run_whole
"""


def test_verify_counts_the_same(tmp_path: Path) -> None:
    for name in PROGRAMS:
        conversion.port(session.SHAPES, name, tmp_path)
    one_after_the_other = tmp_path / "unsafe"
    (one_after_the_other / "main.py").write_text(
        f"{MAIN}for name in {PROGRAMS}:\n    runpy.run_path(f'{{name}}/main.py', run_name='__main__')\n",
        encoding="utf-8",
    )
    batch = running.start("xla", {"all": one_after_the_other}, tmp_path / "seen")
    verdict = verify(VerifyRequest("main.py", steps=0, directory=one_after_the_other))
    counts = batch.observations()["all"]["counts"]
    for what in ("compiles", "executions"):
        assert tuple(interval[what] for interval in counts["intervals"]) == getattr(verdict, what).per_step
    # A read behind a barrier belongs to the step before for the one, to the next interval for the other.
    transfers = sum(interval["transfers"] for interval in [*counts["intervals"], counts["after"]])
    assert transfers == verdict.transfers.total > len(counts["intervals"]) / 2
