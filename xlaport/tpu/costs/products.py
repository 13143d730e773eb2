"""Costs of the matrix unit: padding, and products of float32."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.tpu.costs.measured import Measured, Part
from xlaport.tpu.matrix import Product


def padding(measured: Measured) -> Iterator[Part]:
    """Products whose sizes do not fill the unit, as far as that and not the memory is what they wait for."""
    for each in measured.products:
        pieces = measured.pieces(each.number)
        if each.padded <= each.flops or not pieces:
            continue
        per_cycle = measured.chip.flops * measured.chip.count / measured.chip.clock
        useful, unit = each.flops * each.passes / per_cycle, each.work / per_cycle
        waiting = sum(measured.moving(piece.traffic) for piece in pieces)
        yield Part(
            "matrix-padding.sizes", each.number, max(0.0, unit - max(useful, waiting)), 0, _names(measured, each)
        )


def float32(measured: Measured) -> Iterator[Part]:
    """Products of float32: several passes where their precision is raised, and twice the bytes in any case."""
    for each in measured.products:
        if not each.is_float32:
            continue
        pieces = measured.pieces(each.number)
        taken = sum(map(measured.time, pieces))
        operands = measured.module.operations[each.number].operands
        size = sum(measured.module.operations[number].bytes for number in operands)
        moved = min(size, sum(piece.traffic for piece in pieces))
        names = {**_names(measured, each), "passes": each.passes}
        if each.passes > 1:
            yield Part("float32-product.passes", each.number, taken * (1 - 1 / each.passes), moved / 2, names)
        else:
            yield Part("float32-product.traffic", each.number, min(taken, measured.moving(moved / 2)), moved / 2, names)


def _names(measured: Measured, each: Product) -> dict[str, object]:
    rows, columns, summed = each.sizes
    return {
        "sizes": f"[{rows},{summed}] @ [{summed},{columns}]",
        "padding": 1 - each.flops / each.padded if each.padded else 0.0,
        "side": measured.chip.side,
    }
