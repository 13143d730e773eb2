"""What is said of torch_tpu, which needs another torch than torch_xla: one of the two in an environment."""

from __future__ import annotations

import pytest

from xlaport.doctor import Check, Status
from xlaport.doctor.installed import Installed
from xlaport.doctor.torch_tpu import check_torch_tpu, has_torch_tpu_alone

GOOD = {"torch": "2.13.0+cpu", "torch_tpu": "0.2.0", "xla-cpu-pjrt": "0.0.1"}


def checked(versions: dict[str, str], chips: int = 0) -> list[Check]:
    return list(check_torch_tpu(Installed("python", (3, 11, 7), "linux", "x86_64", versions), chips))


def test_where_it_is_not_there_nothing_is_said() -> None:
    assert checked({"torch": "2.9.0", "torch_xla": "2.9.0"}) == []


def test_an_environment_that_fits_is_well() -> None:
    checks = checked(GOOD)
    assert {check.status for check in checks} == {Status.OK}
    assert "torch 2.13.0+cpu and torch_tpu 0.2.0 fit" in checks[0].message
    assert "no TPU chip here" in checks[1].message
    assert checked(GOOD, 4)[1].message == "4 TPU chips on this machine's PCI bus"


def test_both_in_one_environment_do_not_go_together() -> None:
    installed = Installed("python", (3, 11, 7), "linux", "x86_64", {**GOOD, "torch_xla": "2.9.0"})
    assert not has_torch_tpu_alone(installed)
    (check,) = check_torch_tpu(installed, 0)
    assert check.status is Status.MEND
    assert "torch_xla 2.9.0 and torch_tpu 0.2.0 are in one environment" in check.message


@pytest.mark.parametrize(
    ("versions", "status", "message", "command"),
    [
        (
            {"torch": "2.9.0"},
            Status.MEND,
            "torch is 2.9.0, and torch_tpu goes with torch 2.11",
            "torch==2.13.0",
        ),
        ({"torch": ""}, Status.MEND, "torch cannot be found", "torch_tpu==0.2.0"),
        ({"xla-cpu-pjrt": ""}, Status.NOTE, "xla-cpu-pjrt, which xlaport verify plays one with", "xla-cpu-pjrt==0.0.1"),
    ],
)
def test_what_does_not_fit_comes_with_the_command_that_mends_it(
    versions: dict[str, str], status: Status, message: str, command: str
) -> None:
    check = checked({name: version for name, version in {**GOOD, **versions}.items() if version})[-1]
    assert check.status is status
    assert message in check.message
    assert command in check.command
