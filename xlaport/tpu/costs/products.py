"""Costs of the matrix unit: padding, products of float32, and scores of attention that are written and read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from xlaport.tpu.costs.measured import Measured, Part
from xlaport.tpu.matrix import Product
from xlaport.tpu.module import Instruction
from xlaport.tpu.program import HBM

_MUCH = 2
"""By what a product is larger than both of its operands together where these are words, and it is all pairs of them."""


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
            each.number, "matrix-padding.sizes", max(0.0, unit - max(useful, waiting)), 0, _names(measured, each)
        )


def float32(measured: Measured) -> Iterator[Part]:
    """Products of float32: several passes where their precision is raised, and twice the bytes in any case."""
    for each in measured.products:
        if not each.is_float32:
            continue
        pieces = measured.pieces(each.number)
        ahead = sum(map(measured.fetched, pieces))
        taken = sum(map(measured.time, pieces)) + measured.moving(ahead)
        operands = measured.module.operations[each.number].operands
        size = sum(measured.module.operations[number].bytes for number in operands)
        moved = min(size, ahead + sum(piece.traffic for piece in pieces))
        names = {**_names(measured, each), "passes": each.passes}
        if each.passes > 1:
            yield Part(each.number, "float32-product.passes", taken * (1 - 1 / each.passes), moved / 2, names)
        else:
            yield Part(each.number, "float32-product.traffic", min(taken, measured.moving(moved / 2)), moved / 2, names)


def scores(measured: Measured) -> Iterator[Part]:
    """Products of words by words that become weights of another product: each piece that reads or writes them."""
    found = [
        each
        for each in measured.products
        if each.count > 1 and _is_score(measured, measured.module.operations[each.number])
    ]
    alike = Counter(measured.module.operations[each.number].arrays[0].elements for each in found)
    taken, moved = Counter[int](), Counter[int]()
    for piece in measured.traffic.pieces:
        given = [array for number in piece.operation.operands for array in measured.traffic.arrays(number)]
        sizes = {array.elements for array in (*piece.operation.arrays, *given) if array.space == HBM}
        for size in sizes & {*alike}:
            taken[size] += round(measured.time(piece))
            moved[size] += piece.traffic
    for each in found:
        array = measured.module.operations[each.number].arrays[0]
        size = array.elements
        names = {"array": str(array)}
        yield Part(each.number, "attention-scores.memory", taken[size] / alike[size], moved[size] / alike[size], names)


def _is_score(measured: Measured, each: Instruction) -> bool:
    size = each.arrays[0].elements
    if size < _MUCH * sum(source.arrays[0].elements for source in measured.module.sources(each)):
        return False
    level, seen, has_exponential = [each], {each.number}, False
    while level:
        for user in measured.module.users.get(level.pop().number, ()):
            if user.op == "dot" and has_exponential:
                return True
            if user.number not in seen and user.arrays and user.arrays[0].elements == size:
                has_exponential |= user.op == "exponential"
                seen.add(user.number)
                level.append(user)
    return False


def _names(measured: Measured, each: Product) -> dict[str, object]:
    rows, columns, summed = each.sizes
    return {
        "sizes": f"[{rows},{summed}] @ [{summed},{columns}]",
        "padding": 1 - each.flops / each.padded if each.padded else 0.0,
        "side": measured.chip.side,
    }
