"""Is there a device, and does a first graph run on it? Pure functions of what was seen."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Mapping

from xlaport.doctor.diagnosis import Check, Status
from xlaport.doctor.installed import Installed
from xlaport.doctor.trial import Outcome
from xlaport.doctor.versions import install

_GONE = ("CUDA", "GPU", "ROCM", "TPU_LEGACY")
_STAGES = {
    "torch": "while torch was imported",
    "torch_xla": "while torch_xla was imported",
    "device": "when the runtime was asked for the device",
    "graph": "while the graph was compiled and run",
}
_BY_HAND = "see what it prints:  python -c 'import torch_xla; print(torch_xla.device())'"
_ROUNDING = ("XLA_USE_BF16", "XLA_DOWNCAST_BF16")


def check_device(chips: int, environment: Mapping[str, str]) -> Check:
    """What there is, and what torch_xla will choose."""
    wanted = environment.get("PJRT_DEVICE")
    there = f"{chips} TPU chip{'s' * (chips != 1)}" if chips else "no TPU chip"
    seen = f"{there} on this machine's PCI bus; PJRT_DEVICE is {wanted or 'not set'}"
    if wanted in _GONE:
        advice = "set PJRT_DEVICE=TPU on a TPU machine, or PJRT_DEVICE=CPU"
        return Check("device", Status.MEND, f"{seen}, and torch_xla 2.9 has no such device", advice)
    if wanted == "TPU" and not chips:
        advice = "set PJRT_DEVICE=CPU here, or leave it out; start the program on the TPU's own host"
        return Check("device", Status.MEND, f"{seen}: torch_xla would wait for a TPU that is not here", advice)
    if wanted == "CPU" and chips:
        return Check("device", Status.NOTE, f"{seen}: programs do not use the TPU", "set PJRT_DEVICE=TPU")
    chosen = "" if wanted else f", so torch_xla chooses {'the TPU' if chips else 'the CPU'}"
    return Check("device", Status.OK, seen + chosen)


def check_graph(outcome: Outcome, installed: Installed, chips: int, environment: Mapping[str, str]) -> Check:
    """How a first graph went."""
    if outcome.stage == "done":
        return _ran(outcome, environment)
    where = _STAGES[outcome.stage]
    if outcome.timed_out:
        said = f"; the last that was printed: {outcome.error}" if outcome.error else ""
        message = f"a first graph did not run: nothing came back within {outcome.seconds:.0f} s {where}{said}"
    elif outcome.ended is not None:
        message = f"a first graph did not run: {_signal(outcome.ended)} ended it {where}: {outcome.error}"
    else:
        message = f"a first graph did not run: {outcome.error or 'it ended without a word'} ({where})"
    command = _command(outcome, installed, chips)
    advice = "" if command else next(_advices(outcome, chips, environment), _BY_HAND)
    return Check("graph", Status.MEND, message, advice, command)


def check_cpu(outcome: Outcome) -> Check:
    """How a first graph went on the CPU, after it had failed on the device."""
    if outcome.stage == "done" and not outcome.facts.get("difference"):
        return Check("cpu", Status.OK, "with PJRT_DEVICE=CPU it runs: torch and torch_xla are fine, the device is not")
    what = "nothing came back in time" if outcome.timed_out else outcome.error or "it ended without a word"
    return Check("cpu", Status.NOTE, f"with PJRT_DEVICE=CPU it does not run either: {what}")


def _ran(outcome: Outcome, environment: Mapping[str, str]) -> Check:
    facts = outcome.facts
    count, kind = facts.get("count", 1), facts.get("kind", "?")
    name = "XLA:CPU" if kind == "CPU" else f"the {kind}"
    took = f"compiled and run in {facts.get('seconds', 0.0):.1f} s"
    message = f"a first graph runs on {name} ({count} device{'s' * (count != 1)}), {took}"
    difference = facts.get("difference")
    if not difference:
        return Check("graph", Status.OK, f"{message}, with the right result")
    rounding = [variable for variable in _ROUNDING if variable in environment]
    advice = f"unset {rounding[0]}: it computes in bfloat16" if rounding else "reinstall torch_xla, then ask again"
    return Check("graph", Status.MEND, f"{message}, but its result is off by {difference:g}", advice)


def _command(outcome: Outcome, installed: Installed, chips: int) -> str:
    """What installs what is missing, if that is the matter."""
    versions = installed.versions
    if "libtpu not found" in outcome.output and chips:
        return install(installed, f"torch_xla[tpu]=={versions.get('torch_xla', '')}")
    if outcome.stage == "torch" and not outcome.timed_out:
        return install(installed, "--force-reinstall", f"torch=={versions.get('torch', '').partition('+')[0]}")
    return ""


def _advices(outcome: Outcome, chips: int, environment: Mapping[str, str]) -> Iterator[str]:
    """What to do, the surest first."""
    output, wanted = outcome.output, environment.get("PJRT_DEVICE")
    if unknown := re.search(r"Unknown flags? in (XLA_FLAGS|LIBTPU_INIT_ARGS)", output):
        yield f"XLA does not know a flag that it is given: mend {unknown[1]} ({environment.get(unknown[1], 'not set')})"
    if re.search(r"already in use|Device or resource busy", output):
        yield "another process has the TPU: end it, or wait for it; a chip serves one process at a time"
    if "No PjRtPlugin registered" in output or "Unknown PJRT_DEVICE" in output:
        yield f"PJRT_DEVICE={wanted} is nothing that this torch_xla has: set TPU or CPU"
    if wanted == "TPU" and not chips:
        yield "there is no TPU here: set PJRT_DEVICE=CPU, or start the program on the TPU's own host"
    if outcome.stage == "torch_xla" and chips and (outcome.timed_out or "TPU metadata" in output):
        yield (
            "on a machine with a TPU, torch_xla asks the metadata server of Google's cloud for its kind; where that "
            "does not answer, set TPU_SKIP_MDS_QUERY=1, TPU_ACCELERATOR_TYPE, TPU_WORKER_ID and TPU_WORKER_HOSTNAMES"
        )
    if outcome.stage == "torch_xla" and not outcome.timed_out:
        yield "torch and torch_xla have to fit: install both anew, best into a new environment"
    if outcome.timed_out and chips:
        yield (
            "a slice of several hosts starts when each of them runs the program (gcloud … ssh --worker=all); for one "
            "chip of this host alone, set TPU_PROCESS_BOUNDS=1,1,1 TPU_CHIPS_PER_PROCESS_BOUNDS=1,1,1 "
            "TPU_VISIBLE_CHIPS=0; --timeout gives it more time"
        )
    if outcome.timed_out:
        yield "give it more time with --timeout: a machine under load may need it"


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
