"""Graphs for the tests, as torch_xla dumps them: traced, and not run."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from tests.child import ON_XLA
from tests.warm_python import with_torch_xla
from xlaport.verify.wire import encoded

_BEFORE = """\
import torch, torch_xla, _XLAC
_XLAC._set_ir_debug(True)
device = torch_xla.device()
"""
_AFTER = """
with open("graph.pb", "wb") as file:
    file.write(_XLAC._get_xla_tensors_hlo_proto(outputs))
"""


def traced(source: str) -> bytes:
    """The dump of the graph that gives the `outputs` of a script with torch and a `device`; it begins in line 4."""
    with tempfile.TemporaryDirectory() as name:
        script = Path(name, "script.py")
        script.write_text(_BEFORE + source.strip("\n") + _AFTER, encoding="utf-8")
        subprocess.run([with_torch_xla(), "script.py"], cwd=name, env=ON_XLA, check=True, timeout=120)
        return encoded([(1, Path(name, "graph.pb").read_bytes())])
