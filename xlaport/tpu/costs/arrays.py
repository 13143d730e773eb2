"""Costs of how arrays are kept: their layout, type and memory, and where they are."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.tpu.costs.measured import Measured, Part
from xlaport.tpu.module import Instruction
from xlaport.tpu.program import Operation
from xlaport.tpu.traffic import Piece

_MOVES = {"copy", "transpose"}
_PLAIN = {"parameter", "constant", "bitcast", "reshape", "fusion", "tuple", "broadcast"}
_WIDE = {"f64": "float64", "c128": "complex128", "s64": "int64", "u64": "uint64"}
_HOST = ("infeed", "outfeed", "send", "recv")
_HOST_CALLS = ("annotate_device_placement", "xla_python_cpu_callback", "xla_ffi_python_cpu_callback")
_HOST_BANDWIDTH = 16e9
"""Bytes per second between a host and a chip: PCIe 3 of 16 lanes."""
_INTEGERS = 0.1
"""The share from which on arithmetic of int64 is told: PyTorch has it for every index, and there is little to do."""
_LARGE = 1 << 20
"""Bytes from which on an array is large."""
_TARGET, _HOST_TRANSFER = 28, 55
"""Fields of an ``HloInstructionProto``."""
_OTHER_PLACES = {
    "dot", "convolution", "gather", "sort", "reverse", "transpose", "reduce", "reduce-window", "concatenate", "pad",
    "custom-call", "while", "dynamic-slice", "slice", "rng-bit-generator", "broadcast",
}  # fmt: skip
"""What gives values at other places than those that they are computed from."""


def layouts(measured: Measured) -> Iterator[Part]:
    """Arrays that are written once more in another order."""
    for piece in measured.traffic.pieces:
        moves = [item for item in (piece.inner or (piece.operation,)) if item.op not in _PLAIN]
        each = measured.own(piece)
        if each is None or piece.operation.op == "async-start" or not moves:
            continue
        if any(item.op not in _MOVES for item in moves) or not any(_turns(measured, item) for item in moves):
            continue
        made = piece.operation.arrays[0]
        array = each.arrays[0] if each.arrays[0].elements == made.elements else made
        names = {"array": str(array)}
        yield Part(each.number, "layout-copy.large", measured.time(piece), piece.traffic, names)


def upcasts(measured: Measured) -> Iterator[Part]:
    """Arguments that each run writes once more in a wider type."""
    for each in measured.module.operations.values():
        source = next(measured.module.sources(each), None) if each.op == "convert" else None
        if source is None or source.arrays[0].bits >= each.arrays[0].bits or not _is_given(measured, source):
            continue
        pieces = [piece for piece in measured.pieces(each.number) if _gives(measured, piece, each)]
        if pieces:
            size = source.bytes + each.bytes
            names = {"array": str(source.arrays[0]), "kind": each.arrays[0].kind}
            yield Part(each.number, "upcast-table.each_step", measured.moving(size), size, names)


def donations(measured: Measured) -> Iterator[Part]:
    """Outputs that are computed place by place from an argument of their shape, which keeps its memory, and from what
    was computed otherwise, such as its gradient: what is made of the argument alone may be wanted beside it.
    """
    module = measured.module
    for each in module.outputs:
        if each.op == "parameter" or each.bytes < _LARGE:
            continue
        sources = list(_ancestors(measured, each))
        given = [item for item in sources if item.op == "parameter"]
        is_new = any(item.op in _OTHER_PLACES and item.op != "broadcast" for item in sources)
        if given and is_new and not any(module.place_of(item) in module.donors for item in given):
            names = {"array": str(each.arrays[0])}
            yield Part(each.number, "missing-donation.output", 0, each.bytes, names, of_memory=True)


def constants(measured: Measured) -> Iterator[Part]:
    """Tables that the graph itself holds."""
    for each in measured.module.operations.values():
        if each.op == "constant" and each.bytes >= _LARGE:
            names = {"array": str(each.arrays[0])}
            yield Part(each.number, "large-constant.table", 0, each.bytes, names, of_memory=True, least=0)


def wide_numbers(measured: Measured) -> Iterator[Part]:
    """Arithmetic of 64 bits."""
    for piece in measured.traffic.pieces:
        each = measured.own(piece)
        if each is None or each.op in ("parameter", "gather", "scatter", "sort"):
            continue
        kinds = [array.kind for item in (each, *measured.module.sources(each)) for array in item.arrays]
        wide = next((_WIDE[kind] for kind in kinds if kind in _WIDE), None)
        if wide is None:
            continue
        took, names = (measured.time(piece), piece.traffic), {"kind": wide}
        if wide in ("float64", "complex128"):
            yield Part(each.number, "wide-numbers.float", *took, names)
        else:
            yield Part(each.number, "wide-numbers.integer", *took, names, least=_INTEGERS)


def transfers(measured: Measured) -> Iterator[Part]:
    """Values that go to the host, or come from there, within the graph."""
    for each in measured.module.operations.values():
        target = bytes(each.fields.get(_TARGET, [b""])[0]).decode(errors="replace")
        if each.op in _HOST or target in _HOST_CALLS or each.fields.get(_HOST_TRANSFER, [0])[0]:
            size = max(each.bytes, sum(item.bytes for item in measured.module.sources(each)))
            cycles = size / _HOST_BANDWIDTH * measured.chip.clock
            yield Part(each.number, "host-transfer.values", cycles, size, {"what": target or each.op})


def recomputed(measured: Measured) -> Iterator[Part]:
    """What the compiler computes again, so that it need not be kept."""
    for piece in measured.traffic.pieces:
        each = measured.own(piece)
        if each is not None and ".remat" in piece.operation.name:
            yield Part(each.number, "recomputed.values", measured.time(piece), piece.traffic)


def _turns(measured: Measured, each: Operation) -> bool:
    """Whether it changes the order in which an array lies there; a copy may be one for its own sake."""
    given = measured.traffic.arrays(each.operands[0])
    return each.op == "transpose" or [array.order for array in given] != [array.order for array in each.arrays]


def _is_given(measured: Measured, each: Instruction) -> bool:
    """Whether it is an argument or a constant, in whatever form."""
    while each.op in ("reshape", "transpose", "bitcast", "copy"):
        each = next(measured.module.sources(each))
    return each.op in ("parameter", "constant")


def _gives(measured: Measured, piece: Piece, each: Instruction) -> bool:
    """Whether a piece writes what an operation gives, and not only computes with it."""
    made = measured.traffic.results(piece.operation)
    return any(item.op == "convert" and item.label == each.number for item in made)


def _ancestors(measured: Measured, each: Instruction) -> Iterator[Instruction]:
    """What an output is computed from, place by place."""
    kind, sizes = each.arrays[0].kind, each.arrays[0].sizes
    level, seen = [each], {each.number}
    while level:
        item = level.pop()
        if item.op != "parameter" or item.arrays[0].kind == kind:
            yield item
        if item.op in _OTHER_PLACES:
            continue
        sources = list(measured.module.sources(item))
        if item.op in ("dynamic-update-slice", "scatter"):
            sources = sources[:1]
        for source in sources:
            if source.number not in seen and [array.sizes for array in source.arrays] == [sizes]:
                seen.add(source.number)
                level.append(source)
