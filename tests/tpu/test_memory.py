"""The memory of a chip while it runs a graph."""

from __future__ import annotations

import sys

import pytest

from tests.tpu.tracing import traced
from xlaport.caching.store import Store
from xlaport.tpu.chips import chip_of
from xlaport.tpu.compiler import Compiled, Compiler
from xlaport.tpu.memory import GRADIENTS, INPUTS, KEPT, OUTPUTS, PARAMETERS, STATES, Roles, beside, memory
from xlaport.tpu.origins import Origins
from xlaport.tpu.program import Program, read_program
from xlaport.tpu.refusal import read_refusal
from xlaport.verify.counts import Site
from xlaport.verify.device_events import GRADIENT, HELD, OTHER, PARAMETER, STATE, TensorsSeen
from xlaport.verify.on_chip import Memory

MLP = """
weights = [torch.rand(2048, 2048).to(device).requires_grad_() for _ in range(4)]
velocities = [torch.rand(2048, 2048).to(device) for _ in weights]
rows = torch.rand(4096, 2048).to(device)
hidden = rows
for weight in weights:
    hidden = torch.sigmoid(hidden @ weight)
loss = hidden.sum()
loss.backward()
with torch.no_grad():
    for weight, velocity in zip(weights, velocities):
        velocity.mul_(0.9).add_(weight.grad)
        weight.sub_(velocity)
outputs = [loss, *weights, *velocities]
"""
FORWARD, BACKWARD = 9, 11
"""The lines of the loop over the layers, and of the backward pass."""
SQUARE = (2048, 2048)
LYING = TensorsSeen(
    3,
    (
        (PARAMETER, "f32", SQUARE, 4),
        (STATE, "f32", SQUARE, 4),
        (OTHER, "f32", (4096, 2048), 1),
        (OTHER, "f32", (), 1),
    ),
)


@pytest.fixture(scope="module")
def graph() -> bytes:
    return traced(MLP)


@pytest.fixture(scope="module")
def compiled(graph: bytes) -> Compiled:
    return Compiler(sys.executable, Store(None), 240).compiled(graph, chip_of("v5e"))


@pytest.fixture(scope="module")
def program(compiled: Compiled) -> Program:
    return read_program(compiled.dump)


def taken(graph: bytes, compiled: Compiled, program: Program, tensors: TensorsSeen | None = LYING) -> Memory:
    origins = Origins(graph)
    path = next(frame[0] for node in origins.graph.nodes for frame in node.frames)
    return memory(compiled, program, origins, Roles(tensors), [Site(path, BACKWARD, "<module>")])


def test_the_memory_is_that_of_the_compilers_own_statistics(graph: bytes, compiled: Compiled, program: Program) -> None:
    found, sizes = taken(graph, compiled, program), compiled.sizes
    own = sizes["argument"] + sizes["output"] - sizes["alias"] + sizes["temp"] + sizes["generated_code"]
    assert found.peak == pytest.approx(own, rel=0.05)
    assert sum(size for _, size in found.kinds) == found.peak


def test_arguments_are_told_by_what_lies_on_the_device(graph: bytes, compiled: Compiled, program: Program) -> None:
    kinds = dict(taken(graph, compiled, program).kinds)
    assert (kinds[PARAMETERS], kinds[STATES]) == (4 * 2**24, 4 * 2**24)
    assert kinds[INPUTS] == pytest.approx(2**25, rel=0.001)
    unknown = dict(taken(graph, compiled, program, None).kinds)
    assert unknown[INPUTS] == kinds[PARAMETERS] + kinds[STATES] + kinds[INPUTS]


def test_what_the_backward_pass_needs_has_the_line_that_made_it(
    graph: bytes, compiled: Compiled, program: Program
) -> None:
    found = taken(graph, compiled, program)
    kept = [item for item in found.largest if item.kind == KEPT]
    assert kept
    assert {item.site.line for item in kept if item.site} <= {FORWARD, FORWARD - 1, FORWARD + 1}


def test_what_lies_beside_the_graph_stays_and_is_none_of_its_arguments(program: Program) -> None:
    assert beside(None, program, trains=True) == 0
    assert beside(LYING, program, trains=True) == 0
    more = TensorsSeen(
        3, (*LYING.tensors, (HELD, "bf16", SQUARE, 4), (OTHER, "f32", SQUARE, 7), (GRADIENT, "f32", SQUARE, 1))
    )
    assert beside(more, program, trains=True) == 4 * 2048 * 2048 * 2
    assert beside(more, program, trains=False) == 4 * 2048 * 2048 * 2 + 2**24


def test_gradients_that_live_on_are_told_from_other_outputs(graph: bytes, compiled: Compiled, program: Program) -> None:
    more = TensorsSeen(3, (*LYING.tensors, (GRADIENT, "f32", SQUARE, 8)))
    kinds = dict(taken(graph, compiled, program, more).kinds)
    assert kinds.get(GRADIENTS, 0) > 0
    assert kinds.get(OUTPUTS, 0) < kinds[GRADIENTS]


LARGE = """
weight = torch.rand(4096, 4096).to(device).requires_grad_()
hidden = torch.rand(300000, 4096, device=device)
for _ in range(6):
    hidden = torch.relu(hidden @ weight)
loss = hidden.sum()
loss.backward()
outputs = [loss, weight.grad]
"""


def test_a_graph_that_is_too_large_is_told_with_its_largest_values_and_their_lines() -> None:
    graph = traced(LARGE)
    refused = Compiler(sys.executable, Store(None), 240).compiled(graph, chip_of("v5e"))
    assert refused.error.startswith("RESOURCE_EXHAUSTED")
    why = read_refusal(refused.error, Origins(graph))
    assert 16 * 2**30 < why.wanted < 40 * 2**30
    assert why.site is not None
    assert why.site.line in (5, 7)
    assert why.largest[0].shape == "f32[300000,4096]"
    assert why.largest[0].bytes == pytest.approx(300000 * 4096 * 4, rel=0.01)
    assert "\n" not in why.why


def test_other_words_of_the_compiler_are_one_line_with_the_operation_they_name(graph: bytes) -> None:
    origins = Origins(graph)
    node = next(node for node in origins.graph.nodes if node.source_op == "aten__sigmoid")
    why = read_refusal(f'INTERNAL: Mosaic failed:\n  op_name="{node.number}" is odd', origins)
    assert why.why == "INTERNAL: Mosaic failed: aten__sigmoid is odd"
    assert (why.wanted, why.largest) == (0, ())
    assert why.site is not None
    assert why.site.line == FORWARD
    nothing = read_refusal("UNIMPLEMENTED: no such thing", origins)
    assert (nothing.site, nothing.why) == (None, "UNIMPLEMENTED: no such thing")
