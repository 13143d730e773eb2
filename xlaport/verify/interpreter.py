"""What the Python has that runs a script: it says so itself, and torch is not imported for that."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass

from xlaport.errors import UserError
from xlaport.verify.eager import names
from xlaport.verify.request import VerifyRequest

_ASK = f"""
import importlib.metadata as metadata, importlib.util as util, json, os, sys
there = [name for name in ("torch", "torch_xla", "libtpu", "{names.PACKAGE}") if util.find_spec(name) is not None]
version = metadata.version("{names.PACKAGE}") if "{names.PACKAGE}" in there else None
try:
    found = util.find_spec("{names.PLUGIN}")
except ImportError:
    found = None
library = os.path.join(os.path.dirname(found.origin), "{names.LIBRARY}") if found and found.origin else None
print(json.dumps([sys.version_info[:2], there, version, library]))
"""


@dataclass(frozen=True)
class Interpreter:
    """A Python: its version, which of the modules that matter it has, the version of its torch_tpu, and where its
    plugin for the CPU is.
    """

    version: tuple[int, int]
    modules: frozenset[str]
    torch_tpu: str | None = None
    plugin: str | None = None


def ask(request: VerifyRequest) -> Interpreter:
    """What the Python of a request has; `UserError` if it is none."""
    try:
        answer = subprocess.run(
            [request.python, "-c", _ASK],
            cwd=request.directory,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        version, modules, torch_tpu, plugin = json.loads(answer.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        raise UserError(f"{request.python} does not work as a Python interpreter: {error}") from error
    return Interpreter((version[0], version[1]), frozenset(modules), torch_tpu, plugin)
