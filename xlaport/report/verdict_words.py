"""What the reports of a verdict have in common: its headline, the questions with their answers, how places and steps
are written.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from xlaport.report.saying import say
from xlaport.verify.request import TORCH_XLA
from xlaport.verify.verdict import LISTED_STEPS, Loop, Original, Verdict, VerdictFinding

_LOST = ("samples-lost", "untied", "stale-averages")
_SEVERAL_GRAPHS = ("no-barrier", "extra-execution", "extra-barrier", "graph-break", "fallback")
"""What fails where a step is not one graph. Each but an execution says more of it than the figures do."""
_APART = ("replicas-differ", "replicas-apart", "not-distributed")


def head(verdict: Verdict) -> str:
    """The first line."""
    return say.phrase(verdict.verdict)


def stopped() -> str:
    """Where the number of steps is said of a run that was stopped after them."""
    return say.phrase("stopped")


def device_note(verdict: Verdict) -> Iterator[str]:
    """On what it ran, and what that means for the figures; nothing where torch_xla was never imported."""
    version = verdict.torch_tpu or verdict.torch_xla
    if version is not None:
        key = "on XLA:CPU" if verdict.device == "CPU" else "on a TPU"
        yield say.phrase(key, device=verdict.device, version=version)


def answers(verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    """The questions that the judge asks: ``yes``, ``no`` or ``-``, the question, and the figure behind it."""
    kinds = {item.kind for item in verdict.findings if item.severity == "fail"}
    ran = bool(verdict.executions.total)

    def row(question: str, failing: Iterable[str], figure: str, known: bool = True) -> tuple[str, str, str]:
        answer = "no" if kinds.intersection(failing) else "yes" if ran and known else "-"
        return answer, say.phrase(question), figure

    ops = ", ".join(f"{op} ({count}x)" for op, count in verdict.fallbacks) or say.phrase("every op")
    executed = say.phrase("graphs executed", count=verdict.executions.total)
    yield row("runs?", ("nothing-executed", "not-training"), executed)
    if verdict.target == TORCH_XLA:
        figures = _graphs_per_step(verdict)
        several = [kind for kind in _SEVERAL_GRAPHS if kind != "fallback" or any(figure > 1 for figure in figures)]
        yield row("one graph?", several, _several_graphs(figures, kinds.intersection(several)))
    compiles = verdict.compiles
    yield row(
        "compiles?",
        ("recompile", "guard-failed", *(("no-barrier",) if compiles.after_warmup else ())),
        say.phrase("compiles", total=compiles.total, steady=compiles.after_warmup, sketch=sketch(compiles.per_step)),
        known=not any(_still_compiles(loop, verdict) for loop in verdict.details.loops),
    )
    yield row("reads?", ("host-read",), transfers(verdict))
    yield row("lowered?", ("fallback",), textwrap.shorten(ops, 60))
    lost = [item for item in verdict.findings if item.kind in _LOST]
    whole = say.phrase("whole") if not lost else ", ".join(item.kind for item in lost)
    yield row("whole?", _LOST, whole)
    if verdict.replicas:
        yield row("replicas?", _APART, say.phrase("replicas", count=len(verdict.replicas)))


def transfers(verdict: Verdict) -> str:
    """How often the host has read from the device in the steady steps, and how often somebody waited for that."""
    count, waited = verdict.transfers.after_warmup, verdict.stalling.after_warmup
    figure = say.phrase("transfers", count=count, steady=verdict.steady)
    return figure + (say.phrase("waited for", count=waited or "none") if waited != count else "")


def _graphs_per_step(verdict: Verdict) -> list[float]:
    """How many graphs a steady step of each loop runs, to two digits: each figure once."""
    figures = set()
    for loop in verdict.details.loops:
        if steady := [verdict.executions.per_step[step - 1] for step in loop.steady]:
            figures.add(float(f"{sum(steady) / len(steady):.2g}"))
    return sorted(figures)


def _several_graphs(figures: list[float], failing: Collection[str]) -> str:
    """These figures, and what makes them more than one."""
    said = say.phrase("per step", figures=" or ".join(f"{figure:g}" for figure in figures) or "0")
    said += say.phrase("by loop") if len(figures) > 1 else ""
    why = " and ".join(say.phrase(kind) for kind in _SEVERAL_GRAPHS if kind in failing and kind in say.phrases())
    return f"{said}; {why}" if why else said


def _still_compiles(loop: Loop, verdict: Verdict) -> bool:
    """Whether each step of a loop compiled that is too short to say more of it."""
    return not loop.proven and len(loop.steps) > 1 and all(verdict.compiles.per_step[step - 1] for step in loop.steps)


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


def seen_at(item: VerdictFinding, directory: Path | None) -> str:
    """Where the run showed what a line has caused, in brackets; nothing where it is the same line."""
    site = item.seen_at
    return f" (seen at {relative(site.path, directory)}:{site.line})" if site else ""


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
