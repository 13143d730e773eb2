"""Do the versions fit: Python, torch, torch_xla and what they ask for? A pure function of what is installed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from xlaport.doctor.diagnosis import Check, Status
from xlaport.doctor.installed import Installed
from xlaport.tpu.needed import INSTALL, LIBTPU, lacking

_TORCH = "2.9.0"
"""The pair that xlaport is tested with, and the last that torch_xla has released."""
_PYTHONS = ((3, 10), (3, 13))
"""The Pythons that torch_xla 2.9.0 has wheels for, on Linux, x86-64 (its README, and pip)."""
_JAX = (3, 11)
"""The first Python for which there is the jax that goes with torch_xla 2.9."""
_MACHINES = ("x86_64", "AMD64")
_RELEASE = re.compile(r"(\d+)\.(\d+)")
_PINNED = re.compile(r"([A-Za-z0-9._-]+)\s*==\s*([\w.+!-]+)")


def check_versions(installed: Installed, chips: int) -> list[Check]:
    """What is to be said of the versions; `chips`: the TPU chips of the machine."""
    return [
        *_system(installed),
        *_pair(installed, chips),
        *_companions(installed),
        *_libtpu(installed, chips),
        *_compiler(installed),
    ]


def has_both(installed: Installed) -> bool:
    """Whether there are torch and torch_xla, so that a graph can be tried."""
    return {"torch", "torch_xla"} <= set(installed.versions)


def install(installed: Installed, *packages: str) -> str:
    """The command that installs packages into that Python."""
    return shlex.join([installed.path, "-m", "pip", "install", *packages])


def _pair_command(installed: Installed, chips: int) -> str:
    extra = "[tpu]" if chips else ""
    return install(installed, f"torch=={_TORCH}", f"torch_xla{extra}=={_TORCH}")


def _system(installed: Installed) -> Iterator[Check]:
    version = ".".join(map(str, installed.python))
    oldest, newest = (".".join(map(str, python)) for python in _PYTHONS)
    here = f"Python {version} on {installed.platform}, {installed.machine} ({installed.path})"
    if "torch_xla" in installed.versions:
        fits = installed.python[:2] >= _PYTHONS[0]
        advice = "" if fits else f"make an environment with Python {oldest} to {newest}"
        yield Check("python", Status.OK if fits else Status.MEND, here, advice)
    elif installed.platform != "linux" or installed.machine not in _MACHINES:
        yield Check(
            "python",
            Status.MEND,
            f"{here}: torch_xla {_TORCH} has wheels for Linux on x86-64 only",
            "convert and check work here; verify on a Linux machine, or record a run there: xlaport recorder",
        )
    elif not _PYTHONS[0] <= installed.python[:2] <= _PYTHONS[1]:
        yield Check(
            "python",
            Status.MEND,
            f"{here}: torch_xla {_TORCH} has wheels for Python {oldest} to {newest}",
            f"python{newest} -m venv .venv, and install torch and torch_xla there",
        )
    else:
        yield Check("python", Status.OK, here)


def _pair(installed: Installed, chips: int) -> Iterator[Check]:
    torch, torch_xla = (installed.versions.get(name) for name in ("torch", "torch_xla"))
    command = _pair_command(installed, chips)
    if torch is None or torch_xla is None:
        missing = " and ".join(n for n, v in (("torch", torch), ("torch_xla", torch_xla)) if v is None)
        there = torch or torch_xla
        seen = f" ({'torch' if torch else 'torch_xla'} {there} is there)" if there else ""
        installable = installed.platform == "linux" and installed.machine in _MACHINES
        yield Check("pair", Status.MEND, f"{missing} cannot be found{seen}", command=command if installable else "")
        return
    if _release(torch) != _release(torch_xla):
        known = _release(torch_xla) == _release(_TORCH)
        yield Check(
            "pair",
            Status.MEND,
            f"torch {torch} and torch_xla {torch_xla} do not fit: torch_xla is built against the C++ library of the "
            "torch with the same first two numbers, and fails to load, or crashes, with another",
            command=install(installed, f"torch=={_TORCH}") if known else command,
        )
    elif _release(torch_xla) != _release(_TORCH):
        yield Check(
            "pair",
            Status.NOTE,
            f"torch {torch} and torch_xla {torch_xla} fit; xlaport verify is made for {_TORCH} and counts less with "
            "others, and  convert --target  writes for 2.1 to 2.9",
            command=command,
        )
    else:
        yield Check("pair", Status.OK, f"torch {torch} and torch_xla {torch_xla} fit")


def _companions(installed: Installed) -> Iterator[Check]:
    """Packages that go with torch, that torch_xla needs, or that it cannot stand."""
    needs = [_name(need) for need in installed.requirements.get("torch_xla", ()) if ";" not in need]
    missing = [need for need in needs if need not in installed.versions]
    if "torch_xla" in installed.versions and missing:
        yield Check(
            "requirements",
            Status.MEND,
            f"torch_xla needs {', '.join(missing)}, which cannot be found",
            command=install(installed, *missing),
        )
    torch = installed.versions.get("torch")
    for name in ("torchvision", "torchaudio"):
        wanted = _pin(installed, name, "torch")
        if torch and wanted and name in installed.versions and _release(wanted) != _release(torch):
            yield Check(
                name,
                Status.MEND,
                f"{name} {installed.versions[name]} is built for torch {wanted}, and torch is {torch}",
                command=install(installed, "--upgrade", name, f"torch=={_TORCH}"),
            )
    if "tensorflow" in installed.versions and "torch_xla" in installed.versions:
        yield Check(
            "tensorflow",
            Status.NOTE,
            f"tensorflow {installed.versions['tensorflow']} can conflict with torch_xla, which warns of it",
            "take it out, and install tensorflow-cpu in its place",
            shlex.join([installed.path, "-m", "pip", "uninstall", "tensorflow"]),
        )


def _libtpu(installed: Installed, chips: int) -> Iterator[Check]:
    torch_xla = installed.versions.get("torch_xla")
    if torch_xla is None:
        return
    there = next((installed.versions[n] for n in ("libtpu", "libtpu-nightly") if n in installed.versions), None)
    name = "libtpu-nightly" if _pin(installed, "torch_xla", "libtpu-nightly") else "libtpu"
    wanted = _pin(installed, "torch_xla", name)
    if there is None:
        if chips:
            message = "libtpu cannot be found: without it torch_xla cannot use the TPU of this machine"
            command = install(installed, f"torch_xla[tpu]=={torch_xla}")
            yield Check("libtpu", Status.MEND, message, command=command)
        else:
            yield Check("libtpu", Status.OK, "libtpu is not installed, and not needed: this machine has no TPU")
    elif wanted and there.split("+")[0] != wanted.split("+")[0]:
        yield Check(
            "libtpu",
            Status.MEND if chips else Status.NOTE,
            f"libtpu is {there}, and torch_xla {torch_xla} is released with {wanted}",
            command=install(installed, f"{name}=={wanted}"),
        )
    else:
        yield Check("libtpu", Status.OK, f"libtpu {there}" + (", as torch_xla asks for" if wanted else ""))


def _pin(installed: Installed, name: str, of: str) -> str | None:
    """The version of `of` that a package asks for, if it is one."""
    for need in installed.requirements.get(name, ()):
        pinned = _PINNED.match(need)
        if pinned and pinned[1].lower() == of:
            return pinned[2]
    return None


def _name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    return match[0] if match else requirement


def _release(version: str) -> str:
    match = _RELEASE.match(version)
    return match[0] if match else version


def _compiler(installed: Installed) -> Iterator[Check]:
    """What ``verify --tpu`` has compile for a TPU that is not there."""
    if not has_both(installed):
        return
    lacks = lacking(installed.versions)
    if not lacks:
        message = f"libtpu {LIBTPU} and jax are there: xlaport verify --tpu v5e compiles for a TPU that is not here"
        yield Check("compiler", Status.OK, message)
    elif installed.python[:2] < _JAX:
        yield Check("compiler", Status.OK, "xlaport verify --tpu needs Python 3.11 or later")
    else:
        yield Check("compiler", Status.OK, f"xlaport verify --tpu is not ready ({lacks}): {INSTALL}")
