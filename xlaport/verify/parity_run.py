"""Runs the CUDA original, on the CPU or on a GPU, and the port on XLA, to be compared.

Runs of their own, beside the one whose graphs are judged: what is recorded here costs outputs of the graphs, and
random numbers come from the host. The original is run a second time, its weights changed by a rounding, only where
the two part otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from xlaport.errors import UserError
from xlaport.verify.events import LossSeen, Noticed, Trace, busiest
from xlaport.verify.failure import failure
from xlaport.verify.launch import events_folder, run
from xlaport.verify.parity import compare
from xlaport.verify.parity_figures import ENDED, Recorded
from xlaport.verify.request import CUDA, Against, VerifyRequest, table_of
from xlaport.verify.sandbox import copied_folder, in_copy
from xlaport.verify.saying import say
from xlaport.verify.verdict import Parity, Verdict, VerdictFinding, finding
from xlaport.verify.words import launched
from xlaport.wording import speaking_of

_SAME = (("PYTHONHASHSEED", "0"), ("XLAPORT_SEED", "0"))
_ROUNDING, _MOST_ROUNDING = 1e-6, 1e-4
"""By how much weights are changed, at least and at most: what the two are apart in step 1, where they still agree."""
_NOT_TRAINING = "not-training"
_ON_A_GPU = (
    ("XLAPORT_ORIGINAL_ON", "cuda"),
    ("NVIDIA_TF32_OVERRIDE", "0"),
    ("CUDA_VISIBLE_DEVICES", (os.environ.get("CUDA_VISIBLE_DEVICES") or "0").partition(",")[0]),
)
"""One GPU, and float32 as the CPU multiplies it."""
_WITHOUT_TPU = (("USE_TORCH_XLA", "0"), ("TORCH_DEVICE_BACKEND_AUTOLOAD", "0"))
"""Keeps accelerate and transformers from taking XLA wherever torch_xla is installed, as they do by default, and torch
from loading torch_tpu.
"""


class Recordings:
    """The records of an original, each made once, however many ports are compared with it."""

    def __init__(self) -> None:
        self.made: dict[tuple[tuple[str, str], ...], Trace | VerdictFinding] = {}
        """By what was added to the environment."""
        self.runs = 0
        """How often a script has run for comparisons, the ports among them."""

    def original(self, request: VerifyRequest, name: str, *more: tuple[str, str]) -> Trace | VerdictFinding:
        """The record of the original, or why there is none: see `record`."""
        if more not in self.made:
            self.runs += 1
            self.made[more] = record(request, "original", name, *more, may_fail=True)
        return self.made[more]

    def port(self, request: VerifyRequest, name: str, *more: tuple[str, str], may_fail: bool) -> Trace | VerdictFinding:
        """The record of a port, or why there is none. `may_fail`: once it has trained, the script may."""
        self.runs += 1
        return record(request, "port", name, *more, may_fail=may_fail)


def with_parity(verdict: Verdict, request: VerifyRequest, against: Against, recordings: Recordings) -> Verdict:
    """The verdict, with what the comparison says; unchanged where the port itself did not run."""
    if verdict.verdict == "error" and not verdict.steps:
        return verdict
    with speaking_of(table_of(request.target)):
        parity, findings = _parity(request, against, recordings)
    return _joined(verdict, replace(parity, device=against.device), findings)


def not_compared(verdict: Verdict, against: Against) -> Verdict:
    """The verdict on a run whose comparison was interrupted."""
    missing = finding(say("parity.interrupted", original=against.script), "fail")
    return _joined(verdict, Parity("error", str(against.script)), [missing])


def _joined(verdict: Verdict, parity: Parity, findings: Sequence[VerdictFinding]) -> Verdict:
    if parity.verdict == "pass":
        verdict = _as_the_original(verdict)
    worst = {verdict.verdict, parity.verdict}
    joined = next(level for level in ("error", "fail", "pass") if level in worst)
    if verdict.verdict == "fail":
        joined = "fail"
    ordered = sorted([*findings, *verdict.findings], key=lambda item: item.severity != "fail")
    return replace(verdict, verdict=joined, findings=tuple(ordered), parity=parity)


def _as_the_original(verdict: Verdict) -> Verdict:
    """The verdict where the port trains as its original: what trains in neither is no fault of the port."""
    said = [_both(item) if item.kind == _NOT_TRAINING else item for item in verdict.findings]
    fails = any(item.severity == "fail" for item in said)
    level = "pass" if verdict.verdict == "fail" and not fails else verdict.verdict
    return replace(verdict, verdict=level, findings=tuple(said))


def _both(item: VerdictFinding) -> VerdictFinding:
    return replace(item, severity="note", reason=item.reason + say.phrase("as in the original"))


def _parity(request: VerifyRequest, against: Against, recordings: Recordings) -> tuple[Parity, list[VerdictFinding]]:
    name = str(against.script)
    original = original_of(request, against)
    dropout = (("XLAPORT_NO_DROPOUT", "1"),) if against.no_dropout else ()
    place = _ON_A_GPU if against.device == CUDA else ()
    one = recordings.original(original, name, *dropout, *place)
    if isinstance(one, VerdictFinding):
        return Parity("error", name), [one]
    lower = any(isinstance(event, Noticed) and event.what == "autocast" for event in one.events)
    plain = (("XLAPORT_NO_AUTOCAST", "1"),) if lower else ()
    # Where the original fails behind its training, the port may, too.
    other = recordings.port(request, name, *dropout, *plain, may_fail=Recorded(one).failure is not None)
    if isinstance(other, VerdictFinding):
        return Parity("error", name), [other]
    parity, findings = compare(one, other, against.rtol, name)
    if parity.verdict == "fail" and parity.parted != 1:
        first = max((figure.apart for figure in parity.figures if figure.step == 1), default=0.0)
        amount = min(max(first, _ROUNDING), _MOST_ROUNDING)
        when = "XLAPORT_PERTURB_FIRST" if parity.is_idle else "XLAPORT_PERTURB"
        third = recordings.original(original, name, *dropout, *place, (when, f"{amount:.0e}"))
        if isinstance(third, Trace):
            return compare(one, other, against.rtol, name, third)
    return parity, findings


def original_of(request: VerifyRequest, against: Against) -> VerifyRequest:
    """The run of the original; `UserError` where it, or what it would stand for, is not found."""
    if against.directory is not None:
        return in_copy(request, copied_folder(request), against.directory)
    here = (request.directory or Path.cwd()).resolve()
    script = here / against.script
    if not script.exists():
        raise UserError(f"{against.script}: no such file; --against names the CUDA original of the script")
    found = launched(request.script, request.arguments, here) if request.module else None
    if found is not None:
        port = replace(request, script=Path(request.arguments[found.at]), module=found.flag is not None)
        words = found.replaced(request.arguments, str(script))
        return replace(request, arguments=words, directory=own_tree(port, script) or request.directory)
    directory = own_tree(request, script)
    original = replace(request, script=script if directory else against.script, module=False)
    return original if directory is None else replace(original, directory=directory)


def own_tree(request: VerifyRequest, original: Path) -> Path | None:
    """The folder in which the original runs; None: in that of the port.

    Where both lie in trees of the same layout, it is the folder of its own tree that corresponds to the port's, so that
    it reads the files beside it: a `config.yaml` that was rewritten for the port is not the original's.
    """
    directory = (request.directory or Path.cwd()).resolve()
    if request.module:
        return None
    port, original = (directory / request.script).resolve(), original.resolve()
    if port.parent == original.parent or port.name != original.name:
        return None
    # The longest way down that both have: pkg/train.py of ported/pkg/train.py and of cuda/pkg/train.py.
    common = 0
    for one, other in zip(reversed(port.parts), reversed(original.parts), strict=False):
        if one != other:
            break
        common += 1
    top, own_top = port.parents[common - 1], original.parents[common - 1]
    if not directory.is_relative_to(top):
        return None
    own = own_top / directory.relative_to(top)
    return own if own.is_dir() and own != directory else None


def record(
    request: VerifyRequest, role: str, name: str, *more: tuple[str, str], may_fail: bool = False
) -> Trace | VerdictFinding:
    """The record of a run, or why there is none. `role` is ``original`` or ``port``, `name` the original's file;
    `more` is added to its environment. `may_fail`: once it has trained, the script may.
    """
    plain = _WITHOUT_TPU if role == "original" else ()
    added = (*_SAME, *plain, ("XLAPORT_PARITY", role), *more)
    request = replace(request, environment=(*request.environment, *added))
    with events_folder() as events:
        recorded = run(request, events)
    broken = failure(recorded)
    trace = busiest(recorded.traces) or Trace(0, ())
    if broken is None:
        return trace
    # A script that fails behind its training, on what this torch does not load any more, has trained all the same.
    if may_fail and any(isinstance(event, LossSeen) for event in trace.events):
        return replace(trace, events=(*trace.events, Noticed(ENDED, broken.reason, None)))
    if role == "port":
        key = "parity.port_failed"
    else:
        key = "parity.original_failed_on_gpu" if set(_ON_A_GPU) <= set(more) else "parity.original_failed"
    said = say(key, name=name, why=broken.reason, recipe=broken.advice)
    return replace(broken, kind=said.code, reason=said.message, advice=said.recipe)
