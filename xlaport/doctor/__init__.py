"""Is this machine fit to run PyTorch/XLA: do the versions fit, is there a device, does a first graph run?"""

from __future__ import annotations

import os
from collections.abc import Mapping

from xlaport.doctor.device import check_cpu, check_device, check_graph
from xlaport.doctor.diagnosis import Check, Diagnosis, State, Status, Variable
from xlaport.doctor.installed import Installed, ask
from xlaport.doctor.torch_tpu import check_torch_tpu, has_torch_tpu_alone
from xlaport.doctor.trial import try_first_graph
from xlaport.doctor.variables import look_at
from xlaport.doctor.versions import check_versions, has_both
from xlaport.verify.chips import tpu_chips
from xlaport.verify.eager.names import PACKAGE

__all__ = ["Check", "Diagnosis", "State", "Status", "Variable", "examine"]

_HOPELESS = 20.0
"""Seconds that a TPU is waited for where no chip is: libtpu asks the cloud's metadata for minutes (measured)."""


def examine(python: str, timeout: float, environment: Mapping[str, str] | None = None) -> Diagnosis:
    """Look at everything; the first graph has `timeout` seconds. `UserError` if `python` is no Python."""
    environment = os.environ if environment is None else environment
    installed, chips = ask(python), tpu_chips()
    if has_torch_tpu_alone(installed):
        return Diagnosis(python, tuple(check_torch_tpu(installed, chips)), look_at(environment), PACKAGE)
    checks = [
        *check_versions(installed, chips),
        *check_torch_tpu(installed, chips),
        check_device(chips, environment),
    ]
    if has_both(installed):
        checks += _first_graphs(installed, chips, timeout, environment)
    return Diagnosis(python, tuple(checks), look_at(environment))


def _first_graphs(installed: Installed, chips: int, timeout: float, environment: Mapping[str, str]) -> list[Check]:
    """A first graph on the device, and on the CPU where the device is to blame."""
    python, wanted, on_cpu = installed.path, environment.get("PJRT_DEVICE"), {**environment, "PJRT_DEVICE": "CPU"}
    if wanted == "TPU" and not chips:
        # The CPU first: it shows how long the imports take here, and the TPU gets little more than that.
        cpu = try_first_graph(python, timeout, on_cpu)
        outcome = try_first_graph(python, min(timeout, cpu.seconds + _HOPELESS), environment)
        return [check_graph(outcome, installed, chips, environment), check_cpu(cpu)]
    outcome = try_first_graph(python, timeout, environment)
    checks = [check_graph(outcome, installed, chips, environment)]
    if wanted != "CPU" and outcome.stage in ("device", "graph"):
        checks.append(check_cpu(try_first_graph(python, timeout, on_cpu)))
    return checks
