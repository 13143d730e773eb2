"""The comparison of a port with its original, as a part of the verdict's JSON and text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from xlaport.report.saying import say
from xlaport.verify.verdict import Figure, Parity

_FIRST = 2
"""Steps that the table begins with."""
_PLACES = {"cpu": "CPU", "cuda": "GPU"}
_ANSWERS = {"pass": "yes", "fail": "no ", "error": " - "}


def as_dict(parity: Parity) -> dict[str, Any]:
    """An object: the verdict, and all figures in the order of the program; what is no number is null."""
    return {
        "verdict": parity.verdict,
        "original": parity.original,
        "original_device": parity.device,
        "steps": parity.steps,
        "parted": parity.parted,
        "lines": parity.lines,
        "files": parity.files,
        "figures": [
            {
                "step": item.step,
                "what": item.what,
                "original": _number(item.original),
                "port": _number(item.port),
                "apart": _number(item.apart),
                "allowed": item.allowed,
            }
            for item in parity.figures
        ],
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def as_lines(parity: Parity) -> Iterator[str]:
    """The question with its answer, then the first steps and those around the one in which they part."""
    if parity.is_idle and parity.verdict != "error":
        alike = outputs(parity)
        said = say.phrase("idle", outputs=alike) if alike else say.phrase("idle differs")
    elif not parity.figures:
        said = say.phrase("not compared")
    elif parity.parted is not None:
        said = say.phrase("differ", step=parity.parted, steps=max(parity.steps, parity.parted))
    else:
        far = max((item.apart for item in parity.figures), default=0.0)
        said = say.phrase("apart", steps=parity.steps, apart=far)
        if parity.verdict != "pass":
            said += say.phrase("but not all")
        elif alike := outputs(parity):
            said += say.phrase("alike", outputs=alike)
    yield f"  {_ANSWERS[parity.verdict]}  {say.phrase('parity?'):<43}{said}"
    if parity.figures:
        yield ""
        head = (
            f"{f'original, on the {_PLACES[parity.device]}':>22}{say.phrase('port on'):>16}{'apart':>9}{'allowed':>9}"
        )
        yield f"    step  {'':<16}{head}"
        before = 0
        for step in _shown(parity):
            if step > before + 1:
                yield "       …"
            before = step
            for item in _of(parity, step):
                mark = "" if item.agrees else "  <- here" if step == parity.parted else "  <-"
                yield (
                    f"    {step:>4}  {item.what:<22}{item.original:>16.8g}{item.port:>16.8g}{item.apart:>9.0e}"
                    f"{item.allowed:>9.0e}{mark}"
                )


def outputs(parity: Parity) -> str:
    """What was compared beside the figures, in words."""
    counts = ((parity.lines, "line"), (parity.files, "file"))
    return " and ".join(f"{count} {what}{'s' * (count != 1)}" for count, what in counts if count)


def _shown(parity: Parity) -> list[int]:
    steps = {*range(1, _FIRST + 1), parity.steps}
    if parity.parted:
        steps |= {parity.parted - 1, parity.parted, parity.parted + 1}
    return sorted(step for step in steps if 1 <= step <= parity.steps)


def _of(parity: Parity, step: int) -> list[Figure]:
    """The figures of a step: the worst loss, and the gradients."""
    found: dict[str, Figure] = {}
    for item in parity.figures:
        known = found.get(item.what)
        if item.step == step and (known is None or item.apart > known.apart):
            found[item.what] = item
    return list(found.values())
