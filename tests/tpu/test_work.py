"""The work of a program: FLOPs against those counted by hand, padding, and what goes through the memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tpu.planting import graph_of, program_of
from xlaport.tables import read_table
from xlaport.tpu.chips import chip_of
from xlaport.tpu.loops import trips_in
from xlaport.tpu.matrix import Product, products
from xlaport.tpu.module import read_module
from xlaport.tpu.program import Array, Operation, Program
from xlaport.tpu.traffic import Traffic
from xlaport.tpu.work import work_of
from xlaport.verify.on_chip import MATRIX, MEMORY

MODELS = read_table(Path(__file__).with_name("models.toml"))
TOKENS = 2 * 512
BY_HAND = {
    # Forward and backward: 6 for each weight of a product and each word, and 12 for each pair of words in attention.
    "gpt2": 6 * (12 * 12 * 768**2 + 768 * 50304) * TOKENS + 12 * 12 * 512 * 768 * TOKENS,
    "llama": 6 * (4 * (2 * 512**2 + 2 * 512 * 128 + 3 * 512 * 1376) + 512 * 32000) * TOKENS
    + 12 * 4 * 512 * 512 * TOKENS,
    # 4.09e9 multiplications for an image; there is no gradient of the image itself (0.118e9).
    "resnet50": 2 * (3 * 4.09e9 - 0.118e9) * 4,
    "mlp": 2 * 64 * (2 * 100 * 300 + 3 * 300 * 10),
}


def counted(text: str, side: int = 128) -> list[Product]:
    return products(read_module(graph_of(text)), side, {})


@pytest.mark.parametrize("name", BY_HAND)
def test_the_work_of_a_model_is_what_one_counts_by_hand(name: str) -> None:
    assert sum(each.flops for each in counted(MODELS[name]["trace"])) == pytest.approx(BY_HAND[name], rel=0.05)


def test_convolutions_count_what_meets_a_value() -> None:
    same, strided, dilated, grouped, transposed, line, volume = (
        each.flops / 2 for each in counted(MODELS["convolutions"]["trace"])
    )
    assert same == 4 * 16 * 32 * (30 * 3 - 2) ** 2  # at the rim, a row and a column of the kernel lie outside
    assert strided == 4 * 16 * 32 * 14**2 * 9
    assert dilated == 4 * 16 * 32 * 26**2 * 9
    assert grouped == 4 * 2 * 32 * 28**2 * 9
    assert transposed == 4 * 16 * 32 * 30**2 * 4
    assert line == 4 * 16 * 8 * 26 * 5
    assert volume == 4 * 16 * 8 * 28**2 * 9


@pytest.mark.parametrize(
    ("sizes", "side", "padded"),
    [
        ((1024, 1024, 1024), 128, 1024**3),
        ((1024, 1024, 1024), 256, 1024**3),
        ((1030, 128, 128), 128, 1032 * 128 * 128),  # rows are eight at a time
        ((128, 130, 1024), 128, 128 * 136 * 1024),  # either operand may stay in the unit
        ((130, 130, 1024), 128, 136 * 256 * 1024),
        ((512, 512, 64), 128, 512 * 512 * 128),
        ((512, 512, 64), 256, 512 * 512 * 256),
        ((512, 512, 1), 128, 512 * 512),  # no product of the matrix unit
    ],
)
def test_sizes_that_do_not_fill_the_matrix_unit(sizes: tuple[int, int, int], side: int, padded: int) -> None:
    rows, columns, summed = sizes
    text = f"""
x = torch.zeros({rows}, {summed}).to(dev).bfloat16()
y = torch.zeros({summed}, {columns}).to(dev).bfloat16()
shapes(x @ y)
"""
    (product,) = counted(text, side)
    assert product.sizes in ((rows, columns, summed), (columns, rows, summed))
    assert product.flops == 2 * rows * columns * summed
    assert product.padded == pytest.approx(2 * padded)


def test_what_a_step_takes_at_least() -> None:
    text = """
x = torch.zeros(4096, 4096).to(dev).bfloat16()
for _ in range(6):
    x = x @ x
shapes(x)
"""
    work = work_of(graph_of(text), program_of(text), chip_of("v5e"))
    assert work.flops == work.padded == 6 * 2 * 4096**3
    assert work.padding == 0
    assert work.matrix_seconds == pytest.approx(work.flops / 197e12)
    assert (work.seconds, work.bound) == (work.matrix_seconds, MATRIX)
    assert 1 < work.estimate / work.seconds < 2
    assert work.utilization == pytest.approx(1)


def test_a_step_that_waits_for_the_memory() -> None:
    text = """
x = torch.zeros(4096, 4096).to(dev)
y = torch.zeros(4096, 4096).to(dev)
shapes((x * y).exp())
"""
    work = work_of(graph_of(text), program_of(text), chip_of("v5e"))
    assert work.bytes == pytest.approx(3 * 4096**2 * 4, rel=0.01)
    assert (work.seconds, work.bound) == (work.memory_seconds, MEMORY)
    assert work.memory_seconds == pytest.approx(work.bytes / 8.19e11)
    assert (work.flops, work.padding, work.utilization) == (0, 0, 0)


LOOP = """
from torch_xla.experimental.scan import scan
w, h = (torch.zeros(512, 512).to(dev) for _ in range(2))
rows = torch.zeros(16, 512, 512).to(dev)
def step(carried, row):
    h, w = carried
    h = torch.tanh(h @ w + row)
    return (h, w.clone()), h.clone()
(last, _), all_of_them = scan(step, (h, w), rows)
shapes(last, all_of_them)
"""


def test_a_loop_of_the_graph_counts_as_often_as_it_runs() -> None:
    module = read_module(graph_of(LOOP))
    assert list(trips_in(module).values()) == [16]
    work = work_of(graph_of(LOOP), program_of(LOOP), chip_of("v5e"))
    assert work.flops == 16 * 2 * 512**3
    assert work.bytes >= 2 * 16 * 512**2 * 4  # each row is read, and each result written
    assert work.estimate > work.matrix_seconds


def test_a_graph_without_loops_has_none_that_count() -> None:
    assert not trips_in(read_module(graph_of(MODELS["mlp"]["trace"])))


def test_what_nothing_uses_is_no_work() -> None:
    """torch_xla traces the gradient of the data together with that of the weights."""
    text = """
x = torch.zeros(8, 3, 32, 32).to(dev)
w = torch.zeros(16, 3, 3, 3).to(dev).requires_grad_()
F.conv2d(x, w).sum().backward()
shapes(w.grad)
"""
    assert [each.flops for each in counted(text)] == [2 * 8 * 3 * 16 * 30**2 * 9]


# --- what goes through the memory


LARGE, ROW = Array("f32", 32, (1024, 1024)), Array("f32", 32, (1, 1024))
ON_CHIP = Array("f32", 32, (1024, 1024), space=1)
PLACE = Array("s32", 32, ())


def operation(number: int, op: str, *arrays: Array, of: tuple[int, ...] = (), **more: int) -> Operation:
    called = (more["called"],) if "called" in more else ()
    return Operation(
        number, f"{op}.{number}", op, arrays, of, called, None, 0, more.get("parameter", 0), more.get("trips", 1)
    )


def moved(*entry: Operation, **computations: tuple[Operation, ...]) -> int:
    others = {int(name[1:]): inner for name, inner in computations.items()}
    return sum(piece.traffic for piece in Traffic(Program(1, {1: entry, **others}, (), {})).pieces)


def test_operands_are_read_and_results_written_where_they_lie_in_the_large_memory() -> None:
    given = operation(10, "parameter", LARGE)
    assert moved(given, operation(11, "negate", LARGE, of=(10,))) == 2 * LARGE.bytes
    assert moved(given, operation(11, "negate", ON_CHIP, of=(10,))) == LARGE.bytes
    assert moved(given, operation(11, "bitcast", LARGE, of=(10,)), operation(12, "tuple", LARGE, of=(11,))) == 0
    start = operation(11, "copy-start", ON_CHIP, LARGE, Array("u32", 32, (), space=2), of=(10,))
    assert moved(given, start, operation(12, "copy-done", ON_CHIP, of=(11,))) == LARGE.bytes


def test_padding_is_moved_too() -> None:
    narrow = Array("f32", 32, (1024, 2), order=(1, 0), tile=(8, 128))
    assert narrow.room == 1024 * 128 * 4
    assert moved(operation(10, "parameter", narrow), operation(11, "negate", narrow, of=(10,))) == 2 * narrow.room


def test_of_what_is_sliced_the_slice_is_read() -> None:
    given, place = operation(10, "parameter", LARGE), operation(11, "parameter", PLACE, parameter=1)
    inside = operation(20, "parameter", LARGE), operation(21, "parameter", PLACE, parameter=1)
    assert moved(given, operation(12, "slice", ROW, of=(10,))) == 2 * ROW.bytes
    fused = operation(12, "fusion", ROW, of=(10, 11), called=2)
    look = operation(22, "dynamic-slice", ROW, of=(20, 21))
    assert moved(given, place, fused, c2=(*inside, look)) == 2 * ROW.bytes + PLACE.bytes
    again = operation(12, "fusion", ROW, LARGE, of=(10, 11), called=2)
    both = operation(23, "negate", LARGE, of=(20,)), operation(24, "tuple", ROW, LARGE, of=(22, 23))
    assert moved(given, place, again, c2=(*inside, look, *both)) == 2 * LARGE.bytes + ROW.bytes + PLACE.bytes


def test_what_is_updated_in_place_is_not_moved_as_a_whole() -> None:
    given, row = operation(10, "parameter", LARGE), operation(11, "parameter", ROW, parameter=1)
    place = operation(12, "parameter", PLACE, parameter=2)
    update = operation(13, "dynamic-update-slice", LARGE, of=(10, 11, 12))
    assert moved(given, row, place, update) == 2 * ROW.bytes + PLACE.bytes
    inside = (
        operation(20, "parameter", LARGE),
        operation(21, "parameter", ROW, parameter=1),
        operation(22, "parameter", PLACE, parameter=2),
        operation(23, "negate", ROW, of=(21,)),
        operation(24, "dynamic-update-slice", LARGE, of=(20, 23, 22)),
    )
    fused = operation(13, "fusion", LARGE, of=(10, 11, 12), called=2)
    # The row is computed within, so its size is not among the results of other operations: that of the update itself.
    assert moved(given, row, place, fused, c2=inside) == 2 * ROW.bytes + PLACE.bytes


def test_a_loop_moves_as_often_as_it_runs_and_a_branch_once() -> None:
    given = operation(10, "parameter", LARGE)
    body = operation(20, "parameter", LARGE), operation(21, "negate", LARGE, of=(20,))
    small = operation(30, "parameter", ROW), operation(31, "negate", ROW, of=(30,))
    loop = operation(11, "while", LARGE, of=(10,), called=2, trips=7)
    assert moved(given, loop, c2=body) == 7 * 2 * LARGE.bytes
    branches = Operation(11, "conditional", "conditional", (LARGE,), (10, 10), (2, 3), None, 0, 0, 1)
    assert moved(given, branches, c2=body, c3=small) == 2 * ROW.bytes  # at best
