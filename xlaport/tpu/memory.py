"""The memory of a chip while it runs a graph: by kind, and by the user's lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xlaport.tpu.compiler import Compiled
from xlaport.tpu.origins import Origins
from xlaport.tpu.program import HBM, Allocation, Array, Operation, Program, entry_of
from xlaport.verify.counts import Site
from xlaport.verify.device_events import BUFFER, GRADIENT, HELD, OTHER, PARAMETER, STATE, TensorsSeen
from xlaport.verify.on_chip import Held, Memory

PARAMETERS, STATES, GRADIENTS, BUFFERS, INPUTS = "parameters", "optimizer state", "gradients", "buffers", "inputs"
OUTPUTS, KEPT, TEMPORARIES = "outputs", "kept for the backward pass", "temporaries"
CONSTANTS, PROGRAM = "constants", "program"
_ROLES = {PARAMETER: PARAMETERS, STATE: STATES, GRADIENT: GRADIENTS, BUFFER: BUFFERS, HELD: INPUTS, OTHER: INPUTS}
_STAYING = (PARAMETER, STATE, BUFFER, HELD)
_LARGEST = 10

_Shape = tuple[str, tuple[int, ...]]


class Roles:
    """What the tensors of the program are, told by their shapes: of several with one, parameters come first."""

    def __init__(self, tensors: TensorsSeen | None) -> None:
        self._left: dict[_Shape, list[str]] = {}
        rows = tensors.tensors if tensors is not None else ()
        for role in _ROLES:
            for what, kind, sizes, count in rows:
                if what == role:
                    self._left.setdefault((kind, sizes), []).extend([_ROLES[role]] * count)

    def take(self, array: Array, otherwise: str) -> str:
        """The role of one of the tensors of this shape, each of which is given once."""
        left = self._left.get((array.kind, array.sizes))
        return left.pop(0) if left else otherwise


def beside(tensors: TensorsSeen | None, program: Program, *, trains: bool) -> int:
    """Bytes that lie on the device while a graph runs, and that it neither takes nor makes: tensors that stay from step
    to step without being one of its arguments. Gradients are those of a graph that trains.
    """
    there: Counter[_Shape] = Counter()
    for what, kind, sizes, count in tensors.tensors if tensors is not None else ():
        if what in _STAYING or (what == GRADIENT and not trains):
            there[kind, sizes] += count
    arguments = (each.arrays[0] for each in entry_of(program) if each.op == "parameter" and each.arrays)
    there.subtract((array.kind, array.sizes) for array in arguments)
    return sum(_bytes(shape) * count for shape, count in there.items() if count > 0)


def memory(compiled: Compiled, program: Program, origins: Origins, roles: Roles, backwards: Iterable[Site]) -> Memory:
    """The memory that a compiled graph takes, at the moment when it takes most.

    The compiler's own `peak` counts what is on the chip itself, too, so that it is not used here.
    """
    lines = {(site.path, site.line) for site in backwards}
    values = [*_values(program, origins, roles, lines)]
    kinds: Counter[str] = Counter()
    for value in values:
        kinds[value.kind] += value.bytes
    kinds[PROGRAM] += compiled.sizes.get("generated_code", 0)
    largest = sorted(values, key=lambda value: -value.bytes)[:_LARGEST]
    return Memory(
        sum(kinds.values()),
        tuple((kind, size) for kind, size in kinds.most_common() if size),
        sum(value.padding for value in values),
        tuple(largest),
    )


def _values(program: Program, origins: Origins, roles: Roles, backwards: set[tuple[str, int]]) -> Iterator[Held]:
    """What lies in the large memory at the peak."""
    operations = program.operations
    arguments = {each.parameter: each for each in entry_of(program) if each.op == "parameter"}
    # Arguments first: what of one shape is left then are outputs.
    for allocation in sorted(program.allocations, key=lambda each: each.parameter is None):
        if allocation.space != HBM or allocation.is_local:
            continue
        if allocation.parameter is not None:
            argument = arguments.get(allocation.parameter)
            if argument is not None and argument.arrays:
                yield _held(allocation.size, argument.arrays[0], roles.take(argument.arrays[0], INPUTS), None)
        elif allocation.is_constant:
            yield Held(allocation.size, 0, CONSTANTS, "", None)
        elif allocation.lives_on:
            maker = _Maker.of(allocation, operations)
            yield _held(allocation.size, maker.array, roles.take(maker.array, OUTPUTS), origins.site(maker.operation))
        else:
            yield from _at_peak(program, allocation, operations, origins, backwards)


@dataclass(frozen=True)
class _Maker:
    """The operation whose value takes most of an allocation, and that of its arrays that does."""

    operation: Operation
    array: Array

    @classmethod
    def of(cls, allocation: Allocation, operations: dict[int, Operation]) -> _Maker:
        buffer = max(allocation.buffers, key=lambda each: each.size)
        operation = operations[buffer.operation]
        return cls(operation, _array(operation, buffer.size))


def _array(operation: Operation, size: int) -> Array:
    """The one of the arrays of an operation that takes so many bytes, padded."""
    fitting = [array for array in operation.arrays if array.bytes <= size]
    return max(fitting, key=lambda array: array.bytes, default=Array("u8", 8, (size,)))


def _at_peak(
    program: Program,
    allocation: Allocation,
    operations: dict[int, Operation],
    origins: Origins,
    backwards: set[tuple[str, int]],
) -> Iterator[Held]:
    """The values within the memory for what comes and goes, at the moment when there is most."""
    buffers = {each.number: each for each in allocation.buffers}
    living: set[int] = set()
    most, size, peak = 0, 0, frozenset[int]()
    for number, begins in program.lives.get(allocation.number, ()):
        if number not in buffers:
            continue
        if begins and number not in living:
            living.add(number)
            size += buffers[number].size
            if size > most:
                most, peak = size, frozenset(living)
        elif not begins and number in living:
            living.remove(number)
            size -= buffers[number].size
    for number in peak:
        operation = operations.get(buffers[number].operation)
        if operation is None:
            continue
        site = origins.site(operation)
        is_kept = bool(backwards) and site is not None and (site.path, site.line) not in backwards
        kind = KEPT if is_kept and not origins.is_of_optimizer(operation) else TEMPORARIES
        yield _held(buffers[number].size, _array(operation, buffers[number].size), kind, site)
    if allocation.size > most:
        yield Held(allocation.size - most, 0, TEMPORARIES, "between the others", None)


def _held(size: int, array: Array, kind: str, site: Site | None) -> Held:
    return Held(size, max(0, size - array.bytes), kind, str(array), site)


def _bytes(shape: _Shape) -> int:
    kind, sizes = shape
    bits = {"pred": 8}.get(kind) or int("".join(filter(str.isdigit, kind)) or 32)
    return Array(kind, bits, sizes).bytes
