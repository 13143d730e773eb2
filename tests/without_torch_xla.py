"""Programs that run where torch_xla cannot be imported."""

from __future__ import annotations

import json
import os
from typing import Any

from tests.child import output_of
from tests.warm_python import with_torch

_ENVIRONMENT = {
    "CUDA_VISIBLE_DEVICES": "",
    "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",  # torch imports it by itself
}
_HIDING = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch_xla":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hidden())
"""


def output_without(program: str, *arguments: str) -> str:
    """What the text of a program prints where torch_xla is not installed."""
    environment = {**os.environ, **_ENVIRONMENT}
    return output_of("-c", _HIDING + program, *arguments, environment=environment, python=with_torch())


def printed_without(program: str, *arguments: str) -> Any:
    """The same, of a program that prints JSON."""
    return json.loads(output_without(program, *arguments))
