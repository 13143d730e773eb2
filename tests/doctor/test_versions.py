"""Which versions fit: what is said of what is installed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from xlaport.doctor import Check, Status
from xlaport.doctor.installed import Installed
from xlaport.doctor.versions import check_versions

NEEDS = ("absl-py>=1.0.0", "numpy", 'importlib_metadata>=4.6; python_version < "3.10"')
TPU = ('libtpu==0.0.21; extra == "tpu"', 'tpu-info; extra == "tpu"')
GOOD = Installed(
    "python",
    (3, 12, 1),
    "linux",
    "x86_64",
    {"torch": "2.9.0+cu128", "torch_xla": "2.9.0", "absl-py": "2.1", "numpy": "2.0", "torchvision": "0.24.0"},
    {"torch_xla": (*NEEDS, *TPU), "torchvision": ("numpy", "torch==2.9.0")},
)


def with_versions(**versions: str | None) -> Installed:
    """What is installed, but for these packages."""
    both = {**GOOD.versions, **{name.replace("__", "-"): version for name, version in versions.items()}}
    return replace(GOOD, versions={name: version for name, version in both.items() if version})


def only(installed: Installed, chips: int = 0) -> Check:
    """The one check that is not well."""
    (check,) = [check for check in check_versions(installed, chips) if check.status is not Status.OK]
    return check


def test_a_pair_that_fits_is_well() -> None:
    checks = check_versions(GOOD, 0)
    assert {check.status for check in checks} == {Status.OK}
    assert "torch 2.9.0+cu128 and torch_xla 2.9.0 fit" in [check.message for check in checks]


@pytest.mark.parametrize(
    ("versions", "chips", "message", "command"),
    [
        ({"torch": "2.10.0"}, 0, "do not fit", "python -m pip install torch==2.9.0"),
        ({"torch_xla": "2.8.1"}, 0, "do not fit", "python -m pip install torch==2.9.0 torch_xla==2.9.0"),
        ({"torch_xla": None}, 0, "torch_xla cannot be found (torch 2.9.0+cu128 is there)", "torch_xla==2.9.0"),
        ({"torch": None}, 1, "torch cannot be found", "python -m pip install torch==2.9.0 'torch_xla[tpu]==2.9.0'"),
        ({"numpy": None}, 0, "torch_xla needs numpy", "python -m pip install numpy"),
        ({"libtpu": None}, 4, "libtpu cannot be found", "python -m pip install 'torch_xla[tpu]==2.9.0'"),
        ({"libtpu": "0.0.17"}, 4, "libtpu is 0.0.17, and torch_xla 2.9.0 is released with 0.0.21", "libtpu==0.0.21"),
    ],
)
def test_what_does_not_fit_comes_with_the_command_that_mends_it(
    versions: dict[str, str | None], chips: int, message: str, command: str
) -> None:
    installed = with_versions(**{"libtpu": "0.0.21" if chips else None, **versions})
    faults = [check for check in check_versions(installed, chips) if check.status is Status.MEND]
    assert any(message in check.message and command in check.command for check in faults), faults


def test_torch_and_what_goes_with_it_belong_together() -> None:
    check = next(item for item in check_versions(with_versions(torch="2.8.0"), 0) if item.name == "torchvision")
    assert check.status is Status.MEND
    assert check.message == "torchvision 0.24.0 is built for torch 2.9.0, and torch is 2.8.0"


def test_an_older_pair_fits_and_is_a_note() -> None:
    installed = replace(with_versions(torch="2.8.0", torch_xla="2.8.1", torchvision=None), requirements={})
    check = only(installed)
    assert check.status is Status.NOTE
    assert "2.8.1 fit" in check.message


def test_libtpu_of_another_version_matters_only_where_a_tpu_is() -> None:
    assert only(with_versions(libtpu="0.0.17")).status is Status.NOTE
    assert only(with_versions(libtpu="0.0.17"), 1).status is Status.MEND


def test_tensorflow_is_a_note() -> None:
    check = only(with_versions(tensorflow="2.18.0"))
    assert (check.name, check.status) == ("tensorflow", Status.NOTE)


@pytest.mark.parametrize(
    ("platform", "machine", "python", "message", "advice"),
    [
        ("darwin", "arm64", (3, 12, 0), "wheels for Linux on x86-64 only", "xlaport recorder"),
        ("win32", "AMD64", (3, 12, 0), "wheels for Linux on x86-64 only", "verify on a Linux machine"),
        ("linux", "aarch64", (3, 12, 0), "wheels for Linux on x86-64 only", "verify on a Linux machine"),
        ("linux", "x86_64", (3, 14, 0), "wheels for Python 3.10 to 3.13", "python3.13 -m venv"),
        ("linux", "x86_64", (3, 9, 0), "wheels for Python 3.10 to 3.13", "python3.13 -m venv"),
    ],
)
def test_where_torch_xla_cannot_be_installed_that_is_said(
    platform: str, machine: str, python: tuple[int, int, int], message: str, advice: str
) -> None:
    checks = check_versions(Installed("python", python, platform, machine, {"torch": "2.9.0"}, {}), 0)
    assert checks[0].status is Status.MEND
    assert message in checks[0].message
    assert advice in checks[0].advice
    pair = next(check for check in checks if check.name == "pair")
    assert "torch_xla cannot be found" in pair.message
    assert bool(pair.command) == ((platform, machine) == ("linux", "x86_64"))


@pytest.mark.parametrize(
    ("versions", "python", "words"),
    [
        ({}, (3, 12, 1), "verify --tpu is not ready (no jax and no jaxlib and no libtpu): pip install 'xlaport[tpu]'"),
        ({"jax": "0.7.1", "jaxlib": "0.7.1"}, (3, 12, 1), "(no libtpu)"),
        ({"jax": "0.7.1", "jaxlib": "0.7.1", "libtpu": "0.0.21"}, (3, 12, 1), "libtpu 0.0.21 and jax are there"),
        ({}, (3, 10, 4), "needs Python 3.11"),
    ],
)
def test_it_says_whether_a_graph_can_be_compiled_for_a_tpu_that_is_not_there(
    versions: dict[str, str | None], python: tuple[int, int, int], words: str
) -> None:
    checks = check_versions(replace(with_versions(**versions), python=python), 0)
    (check,) = [check for check in checks if check.name == "compiler"]
    assert words in check.message
    assert check.status is Status.OK
