"""Is this machine fit to run PyTorch/XLA: do the versions fit, is there a device, does a first graph run?"""

from __future__ import annotations

import os
from collections.abc import Mapping

from xlaport.doctor.device import check_cpu, check_device, check_graph
from xlaport.doctor.diagnosis import Check, Diagnosis, State, Status, Variable
from xlaport.doctor.installed import ask
from xlaport.doctor.trial import try_first_graph
from xlaport.doctor.variables import look_at
from xlaport.doctor.versions import check_versions, has_both
from xlaport.verify.chips import tpu_chips

__all__ = ["Check", "Diagnosis", "State", "Status", "Variable", "examine"]

_HOPELESS = 30.0
"""Seconds that a TPU is waited for where no chip is: libtpu asks the cloud's metadata for minutes (measured)."""


def examine(python: str, timeout: float, environment: Mapping[str, str] | None = None) -> Diagnosis:
    """Look at everything; the first graph has `timeout` seconds. `UserError` if `python` is no Python."""
    environment = os.environ if environment is None else environment
    installed, chips = ask(python), tpu_chips()
    checks = [*check_versions(installed, chips), check_device(chips, environment)]
    if has_both(installed):
        on_tpu = environment.get("PJRT_DEVICE") == "TPU"
        limit = min(timeout, _HOPELESS) if on_tpu and not chips else timeout
        outcome = try_first_graph(python, limit, environment)
        checks.append(check_graph(outcome, installed, chips, environment))
        reached = outcome.stage in ("device", "graph")
        if reached and environment.get("PJRT_DEVICE") != "CPU":
            checks.append(check_cpu(try_first_graph(python, timeout, {**environment, "PJRT_DEVICE": "CPU"})))
    return Diagnosis(python, tuple(checks), look_at(environment))
