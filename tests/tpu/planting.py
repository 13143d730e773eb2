"""Programs with known costs and known work: traced by torch_xla in a process of its own, and compiled for a chip."""

from __future__ import annotations

import functools
import sys
import tempfile
from pathlib import Path

from tests.child import ON_XLA, output_of
from xlaport.caching.store import Store
from xlaport.tpu.chips import chip_of
from xlaport.tpu.compiler import Compiler
from xlaport.tpu.program import Program, read_program
from xlaport.verify.graphs import DUMP

SCRIPT = "train.py"
_RUN = f"""
import runpy, sys
import torch, torch_xla, torch_xla.backends, _XLAC
from xlaport.verify.wire import encoded

_XLAC._set_ir_debug(True)

def shapes(*tensors):
    with open("shown.pb", "wb") as file:
        file.write(encoded([(1, _XLAC._get_xla_tensors_hlo_proto(list(tensors)))]))

torch.manual_seed(0)
given = dict(torch=torch, nn=torch.nn, F=torch.nn.functional, torch_xla=torch_xla, shapes=shapes, times=3)
runpy.run_path("{SCRIPT}", dict(given, dev=torch_xla.device()))
"""


@functools.cache
def graph_of(text: str) -> bytes:
    """The dump of the graph that a program runs last, or of that of the tensors that it gives to `shapes`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / SCRIPT).write_text(text, encoding="utf-8")
        (folder / "run.py").write_text(_RUN, encoding="utf-8")
        flags = f"--xla_dump_to={folder / 'dumps'} --xla_dump_hlo_as_proto"
        environment = {
            **ON_XLA,
            "XLA_FLAGS": flags,
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        output_of("run.py", environment=environment, cwd=folder)
        shown = folder / "shown.pb"
        return (shown if shown.exists() else max((folder / "dumps").glob(f"*{DUMP}"))).read_bytes()


@functools.cache
def program_of(text: str, chip: str = "v5e") -> Program:
    """What the compiler makes of that graph."""
    compiled = Compiler(sys.executable, Store(None), 240).compiled(graph_of(text), chip_of(chip))
    assert not compiled.error
    return read_program(compiled.dump)
