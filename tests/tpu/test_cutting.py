"""The operation of a graph that the compiler breaks down over."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.tpu.tracing import traced
from xlaport.caching.store import Store
from xlaport.errors import UserError
from xlaport.tpu.chips import chip_of
from xlaport.tpu.compiler import Compiler
from xlaport.tpu.cutting import Cuts, first_breaking
from xlaport.tpu.labels import labelled
from xlaport.verify.graphs import read_graph
from xlaport.verify.wire import encoded

STEP = """
weight = torch.rand(256, 128).to(device).requires_grad_()
rows = torch.rand(64, 256).to(device)
hidden = torch.tanh(rows @ weight)
loss = hidden.square().sum()
loss.backward()
outputs = [loss, weight.grad]
"""
TANH = 6
"""The line of the script that has the hyperbolic tangent."""
VERSIONS = '{"jax": "0.7.1", "jaxlib": "0.7.1", "libtpu": "0.0.21"}'
BREAKS_OVER_TANH = """\
case "$2" in *importlib.metadata*) echo '{versions}'; exit 0;; esac
read question
graph=$(echo "$question" | sed 's/.*"graph": "\\([^"]*\\)".*/\\1/')
echo once >> {runs}
if grep -qa tanh "$graph"; then kill -SEGV $$; fi
echo '{{"error": "refused"}}' > "$(dirname "$graph")/result.json"
"""


@pytest.fixture(scope="module")
def step() -> bytes:
    return traced(STEP)


def test_a_part_of_a_graph_is_a_graph(step: bytes) -> None:
    """The compiler takes each: it checks what a module says of its arguments and of what it gives."""
    cuts = Cuts(labelled(step))
    for count in (1, cuts.count // 2, cuts.count):
        part = cuts.module(count)
        wrapped = encoded([(1, part)])
        compiled = Compiler(sys.executable, Store(None), 120).compiled(wrapped, chip_of("v5e"))
        assert not compiled.error


def test_the_first_operation_that_breaks_is_found_in_a_few_tries(step: bytes) -> None:
    module, tried = labelled(step), list[bytes]()

    def breaks(part: bytes) -> bool:
        tried.append(part)
        return b"tanh" in part

    found = first_breaking(module, breaks)
    node = next(node for node in read_graph(step).nodes if node.number == found)
    assert node.op == "tanh"
    assert len(tried) <= 3 + Cuts(module).count.bit_length()


def test_what_breaks_always_or_only_whole_is_laid_to_no_operation(step: bytes) -> None:
    module = labelled(step)
    assert first_breaking(module, lambda part: True) is None
    assert first_breaking(module, lambda part: False) is None


def test_an_abort_names_the_operation_and_its_line_and_is_looked_for_once(step: bytes, tmp_path: Path) -> None:
    program, runs, told = tmp_path / "python", tmp_path / "runs", list[str]()
    program.write_text("#!/bin/bash\n" + BREAKS_OVER_TANH.format(versions=VERSIONS, runs=runs))
    program.chmod(0o755)
    compiler = Compiler(str(program), Store(tmp_path / "cache"), 60, told.append)
    said = rf"broke down over aten::tanh of script.py:{TANH}, in the graph of train.py:3: SIGSEGV; .*write that line"
    with pytest.raises(UserError, match=said):
        compiler.compiled(step, chip_of("v6e"), "the graph of train.py:3")
    assert told == ["the compiler for TPU v6e broke down: looking for the operation, a few compiles more"]
    before = len(runs.read_text().splitlines())
    with pytest.raises(UserError, match=said):
        compiler.compiled(step, chip_of("v6e"), "the graph of train.py:3")
    assert len(runs.read_text().splitlines()) == before + 1
    assert sorted(os.listdir(tmp_path)) == ["cache", "python", "runs"]
