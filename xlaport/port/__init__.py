"""Ports a script until its run passes: converts, runs, and keeps what the runs show to hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from xlaport.caching.store import Store
from xlaport.port.answer import Answer, answer
from xlaport.port.attempt import Attempt
from xlaport.port.bench import FolderBench
from xlaport.port.remembering import Remembering
from xlaport.port.request import PortRequest
from xlaport.port.search import search
from xlaport.tpu.trying import Tpu
from xlaport.verify import Recordings

__all__ = ["Answer", "Attempt", "PortRequest", "port"]


def port(
    request: PortRequest,
    store: Store,
    tell: Callable[[Attempt], None] = lambda attempt: None,
    starting: Callable[[str], None] = lambda what: None,
    tpu: Tpu | None = None,
    *,
    resumed: bool = False,
) -> Answer:
    """Convert and run until the port passes, or nothing helps any more; nothing is written into the folder.

    `store` keeps what the runs came to; `resumed`: what an interrupted port has left there counts. `tell` gets each
    attempt once it is known, and `starting` is told what runs next. What passes is compiled for a `tpu`, too.
    Raises `UserError` for what cannot be read, copied or run, and `xlaport.verify.Stopped` where the user interrupts a
    run.
    """
    bench = Remembering(FolderBench(request, Recordings(), starting), store, resumed=resumed)
    outcome = search(bench, request.most_runs, tell)
    if tpu is not None and outcome.kept.passes:
        outcome = replace(outcome, kept=bench.on_tpus(outcome.kept, tpu))
    if outcome.kept.passes:
        bench.finished(outcome.kept.result)
    return replace(answer(outcome, bench.runs), observed=bench.observed)
