"""The compiler of TPUs: what it makes of a graph, and what is said where it breaks."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.tpu.tracing import traced
from xlaport.caching.store import Store
from xlaport.errors import UserError
from xlaport.tpu.chips import chip_of
from xlaport.tpu.compiler import Compiler
from xlaport.tpu.labels import donors, labelled
from xlaport.tpu.program import entry_of, read_program
from xlaport.verify.graphs import read_graph, read_module

STEP = """
import torch_xla
weight = torch.rand(256, 128).to(device).requires_grad_()
rows = torch.rand(64, 256).to(device)
loss = (rows @ weight).relu().sum()
loss.backward()
outputs = [loss, weight.grad]
"""
VERSIONS = '{"jax": "0.7.1", "jaxlib": "0.7.1", "libtpu": "0.0.21"}'


@pytest.fixture(scope="module")
def step() -> bytes:
    return traced(STEP)


def python(folder: Path, then: str, versions: str = VERSIONS) -> str:
    """A program that stands for a Python with jax and libtpu: it tells versions, and does `then` where it compiles."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\ncase \"$2\" in *importlib.metadata*) echo '{versions}'; exit 0;; esac\n{then}\n")
    path.chmod(0o755)
    return str(path)


def test_operations_are_known_again_in_what_is_compiled(step: bytes) -> None:
    graph = read_graph(step)
    module = labelled(step)
    assert len(module) < len(step)
    assert [node.op for node in read_module(module).nodes] == [node.op for node in graph.nodes]
    compiled = Compiler(sys.executable, Store(None), 120).compiled(step, chip_of("v5e"))
    assert not compiled.error
    program = read_program(compiled.dump)
    numbers = {node.number for node in graph.nodes}
    labels = {each.label for each in program.operations.values() if each.label is not None}
    assert len(labels & numbers) > len(labels - numbers)  # the others are of computations within
    arguments = {str(each.arrays[0]) for each in entry_of(program) if each.op == "parameter"}
    assert arguments == {node.shape for node in graph.inputs}
    assert any(each.cycles for each in entry_of(program))


def test_what_was_compiled_is_remembered_by_its_content(step: bytes, tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    first = Compiler(sys.executable, store, 120).compiled(step, chip_of("v5e"))
    for name in os.listdir(tmp_path):
        assert name == "cache"
    again = Compiler(sys.executable, store, 0.001).compiled(step, chip_of("v5e"))  # no time to compile anything
    assert again == first


def test_an_abort_of_the_compiler_is_one_line(step: bytes, tmp_path: Path) -> None:
    fatal = "F1129 19:28:56.362820 statusor.cc:89] Attempting to fetch value instead of handling error NOT_FOUND"
    compiler = Compiler(python(tmp_path, f"echo '{fatal}' >&2; kill -ABRT $$"), Store(None), 60)
    with pytest.raises(UserError, match=r"^--tpu v5e: .*broke down over the graph of train.py:3: F1129 .*NOT_FOUND; "):
        compiler.compiled(step, chip_of("v5e"), "the graph of train.py:3")
    with pytest.raises(UserError, match=r"broke down over a graph: SIGSEGV; "):
        Compiler(python(tmp_path, "kill -SEGV $$"), Store(None), 60).compiled(step, chip_of("v5e"))


def test_a_compiler_that_hangs_is_ended_with_all_it_has_started(step: bytes, tmp_path: Path) -> None:
    there = tmp_path / "pid"
    compiler = Compiler(python(tmp_path, f"sleep 600 & echo $! > {there}; wait"), Store(None), 1)
    with pytest.raises(UserError, match=r"^--tpu v5e: .*more than 1 s for a graph; .*--tpu-timeout"):
        compiler.compiled(step, chip_of("v5e"))
    number = int(there.read_text())
    until = time.monotonic() + 10
    while Path(f"/proc/{number}").exists() and time.monotonic() < until:
        if Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            break
        time.sleep(0.05)
    assert time.monotonic() < until


def test_a_compiler_that_does_not_start_or_leaves_nothing_is_one_line(step: bytes, tmp_path: Path) -> None:
    answer = """folder=$(sed 's/.*"folder": "\\([^"]*\\)".*/\\1/'); echo '%s' > "$folder/result.json" """
    broken = Compiler(python(tmp_path, answer % '{"broken": "no  libtpu"}'), Store(None), 60)
    with pytest.raises(UserError, match=r"did not start: no libtpu$"):
        broken.compiled(step, chip_of("v6e"))
    empty = Compiler(python(tmp_path, answer % '{"seconds": 1, "peak": 1, "sizes": {}}'), Store(None), 60)
    with pytest.raises(UserError, match=r"left 0 files"):
        empty.compiled(step, chip_of("v6e"))


def test_nothing_is_left_in_the_temporary_folder(step: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    Compiler(sys.executable, Store(None), 120).compiled(step, chip_of("v5e"))
    with pytest.raises(UserError):
        Compiler(sys.executable, Store(None), 0.01).compiled(step, chip_of("v5e"))
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize(
    ("versions", "words"),
    [
        ("{}", r"has no jax and no jaxlib and no libtpu: .*pip install 'xlaport\[tpu\]'"),
        ('{"jax": "0.7.1", "jaxlib": "0.7.1", "libtpu": null}', r"has no libtpu: .*pip install"),
        (
            '{"jax": "0.10.2", "jaxlib": "0.7.1", "libtpu": "0.0.52"}',
            r"has jax 0\.10\.2, not 0\.7\.1; libtpu 0\.0\.52, not 0\.0\.21: .*pip install",
        ),
        ("broken", r"does not work as a Python interpreter"),
    ],
)
def test_a_python_without_the_compiler_is_one_line(tmp_path: Path, versions: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        Compiler(python(tmp_path, "exit 1", versions), Store(None), 60)


def test_arguments_that_hand_their_memory_on_stay_so() -> None:
    given = traced(
        """
import torch_xla
state = torch.rand(1024, 512).to(device)
torch_xla.sync()
state += 1
outputs = [state]
"""
    )
    assert donors(labelled(given)) == ()  # a graph that is only asked for hands on nothing
    whole = Compiler(sys.executable, Store(None), 120).compiled(given, chip_of("v5e"))
    assert whole.sizes["alias"] == 0
