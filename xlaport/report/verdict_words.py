"""What the reports of a verdict have in common: its headline, the questions with their answers, how places and steps
are written.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from xlaport.verify.verdict import LISTED_STEPS, Original, Verdict

HEADS = {
    "error": "ERROR: this run cannot be judged",
    "pass": "PASS: it compiles, and stays compiled",
    "fail": "FAIL: it runs, but not yet as a TPU program should",
}
"""The first line, by the verdict."""
STOPPED = "stopped after these, as --steps says: what comes behind them, maybe an evaluation, was not seen"
"""Where the number of steps is said of a run that was stopped after them."""
_LOST = ("samples-lost", "untied")
_APART = ("replicas-differ", "replicas-apart", "not-distributed")


def device_note(verdict: Verdict) -> Iterator[str]:
    """On what it ran, and what that means for the figures; nothing where torch_xla was never imported."""
    if verdict.torch_xla is None:
        return
    if verdict.device == "CPU":
        yield (
            f"Ran on XLA:CPU (torch_xla {verdict.torch_xla}): counts of compiles and transfers carry over "
            "to a TPU, speed does not."
        )
    else:
        yield f"Ran on {verdict.device} (torch_xla {verdict.torch_xla})."


def answers(verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    """The questions that the judge asks: ``yes``, ``no`` or ``-``, the question, and the figure behind it."""
    kinds = {item.kind for item in verdict.findings if item.severity == "fail"}
    steady = max(0, verdict.steps - verdict.warmup)
    ran = any(verdict.executions.per_step)

    def row(question: str, failing: Iterable[str], figure: str) -> tuple[str, str, str]:
        return "no" if kinds.intersection(failing) else "yes" if ran else "-", question, figure

    executions = verdict.executions.per_step[verdict.warmup :]
    per_step = f"{sum(executions) / len(executions):.2g}" if executions else "0"
    ops = ", ".join(f"{op} ({count}x)" for op, count in verdict.fallbacks) or "every op is lowered"
    yield row(
        "does it run on the device, and train?",
        ("nothing-executed", "not-training"),
        f"{sum(verdict.executions.per_step)} graphs executed",
    )
    yield row(
        "one graph per step?",
        ("no-barrier", "extra-execution", "graph-break"),
        f"{per_step} executed per steady step",
    )
    yield row(
        "does it stop compiling?",
        ("recompile", "guard-failed", *(("no-barrier",) if verdict.compiles.after_warmup else ())),
        f"{verdict.compiles.total} compiles, {verdict.compiles.after_warmup} after warm-up"
        f"  {sketch(verdict.compiles.per_step)}",
    )
    yield row(
        "are host reads rare?",
        ("host-read",),
        f"{verdict.transfers.after_warmup} device-to-host transfers in {steady} steady steps",
    )
    yield row("is every op compiled for the device?", ("fallback",), textwrap.shorten(ops, 60))
    lost = [item for item in verdict.findings if item.kind in _LOST]
    whole = "no error in a loader's thread, no tie undone" if not lost else ", ".join(item.kind for item in lost)
    yield row("are data and weights still whole?", _LOST, whole)
    if verdict.replicas:
        yield row("do all replicas run the same graphs?", _APART, f"{len(verdict.replicas)} replicas compared")


def sketch(per_step: tuple[int, ...]) -> str:
    """The first compiles per step, as figures: ``1 1 0 0 0 …``."""
    shown = per_step[:16]
    return "[" + " ".join(str(count) for count in shown) + (" …" if len(per_step) > len(shown) else "") + "]"


def origin(original: Original | None, directory: Path | None) -> str:
    """Where a line was before it was ported, in brackets, for behind its place; nothing where that is not known."""
    if original is None:
        return ""
    where = f"of {relative(original.file, directory)}" if original.commit is None else f"in commit {original.commit}"
    return f" ({'new, behind' if original.new else 'was'} line {original.line} {where})"


def steps_in_words(steps: tuple[int, ...]) -> str:
    """Step numbers with runs shortened: ``3-8, 10``; a finding lists the first few."""
    parts: list[list[int]] = []
    for step in steps:
        if parts and step == parts[-1][-1] + 1:
            parts[-1][1:] = [step]
        else:
            parts.append([step])
    more = ", …" if len(steps) >= LISTED_STEPS else ""
    return ", ".join("-".join(str(step) for step in part) for part in parts) + more


def relative(path: str | None, directory: Path | None) -> str | None:
    """Relative where the file lies under the directory; a path that climbs out of it helps nobody."""
    if path is None:
        return None
    inside = os.path.relpath(path, directory or Path.cwd())
    return path if inside.startswith(os.pardir) else Path(inside).as_posix()
