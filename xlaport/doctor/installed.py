"""What a Python has installed: asked of it in a child process that imports none of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field

from xlaport.errors import UserError

_ASK = """
import importlib.metadata as metadata, json, platform, re, sys

def version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None

def requires(name):
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []

asked = ["torch", "torch_xla", "libtpu", "libtpu-nightly", "jax", "jaxlib", "torchvision", "torchaudio", "tensorflow"]
asked += ["torch_tpu", "xla-cpu-pjrt"]
needs = {name: requires(name) for name in ("torch_xla", "torchvision", "torchaudio")}
asked += [re.match("[A-Za-z0-9._-]+", need).group() for need in needs["torch_xla"] if ";" not in need]
found = {name: version(name) for name in asked}
print(json.dumps({
    "python": list(sys.version_info[:3]), "platform": sys.platform, "machine": platform.machine(),
    "versions": {name: v for name, v in found.items() if v}, "requirements": needs,
}))
"""


@dataclass(frozen=True)
class Installed:
    """A Python (`path`), its version, the system (`platform` as in ``sys.platform``, `machine` as ``x86_64``), the
    versions of the packages that matter here, and what torch_xla, torchvision and torchaudio ask for.
    """

    path: str
    python: tuple[int, int, int]
    platform: str
    machine: str
    versions: Mapping[str, str] = field(default_factory=dict)
    requirements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def ask(python: str) -> Installed:
    """Ask a Python; `UserError` if it is none."""
    try:
        answer = subprocess.run([python, "-c", _ASK], capture_output=True, text=True, timeout=60, check=True)
        data = json.loads(answer.stdout.splitlines()[-1])
    except OSError as error:
        raise UserError(f"cannot run {python}: {error.strerror or error}; name a Python with --python") from error
    except (subprocess.SubprocessError, ValueError, IndexError) as error:
        reason = str(error).splitlines()[0] if not isinstance(error, subprocess.CalledProcessError) else "it fails"
        raise UserError(f"{python} does not work as a Python interpreter: {reason}; 3.8 or later is needed") from error
    major, minor, micro = data["python"]
    return Installed(
        python,
        (major, minor, micro),
        data["platform"],
        data["machine"],
        data["versions"],
        {name: tuple(needs) for name, needs in data["requirements"].items()},
    )
