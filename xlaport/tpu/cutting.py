"""Which operation of a graph the compiler breaks down over: the graph is cut behind ever fewer operations.

A crash names no operation. But the first part of a graph is a graph as well, and the shortest one that still breaks the
compiler ends with what it does not bear.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xlaport.verify.wire import encoded, fields, message_of, numbers_of

_ENTRY, _COMPUTATION, _SHAPES, _ALIASES, _DONOR = 2, 3, 4, 8, 18
"""Fields of an ``HloModuleProto``."""
_NAME, _INSTRUCTION, _OWN_SHAPES, _ROOT = 1, 2, 4, 6
"""Those of an ``HloComputationProto``."""
_OPCODE, _SHAPE, _NUMBER, _OPERANDS = 2, 3, 35, 36
"""Those of an ``HloInstructionProto``."""
_ARGUMENTS, _RESULT, _ARGUMENT_NAMES = 1, 2, 3
"""Those of a ``ProgramShapeProto``."""
_TYPE, _TUPLE, _PARTS = 2, 13, 4
"""Those of a ``ShapeProto``; the type of a tuple."""


class Cuts:
    """The first parts of a module: `count` operations are there to be cut behind."""

    def __init__(self, module: bytes) -> None:
        self._module = module
        entry = message_of(module)[_ENTRY][0]
        self._entry = next(
            value for number, value in fields(module) if number == _COMPUTATION and message_of(value)[_NAME][0] == entry
        )
        self._root = message_of(self._entry)[_ROOT][0]
        whole = [(message_of(value), value) for number, value in fields(self._entry) if number == _INSTRUCTION]
        self._arguments = [each for each in whole if each[0][_OPCODE][0] == b"parameter"]
        self._others = [
            each for each in whole if each[0][_OPCODE][0] != b"parameter" and each[0][_NUMBER][0] != self._root
        ]
        self.count = len(self._others)

    def last(self, count: int) -> int:
        """The number of the operation that is the last of the first `count`."""
        return int(self._others[count - 1][0][_NUMBER][0])

    def module(self, count: int) -> bytes:
        """The module of the first `count` operations alone (one at least); it gives what none of them uses."""
        kept = self._others[:count]
        used = {number for item, _ in kept for number in numbers_of(item.get(_OPERANDS, []))}
        given = [item for item, _ in kept if item[_NUMBER][0] not in used]
        shape = encoded([(_TYPE, _TUPLE), *((_PARTS, item[_SHAPE][0]) for item in given)])
        root = encoded(
            [
                (_NAME, b"cut"),
                (_OPCODE, b"tuple"),
                (_SHAPE, shape),
                (_NUMBER, self._root),
                *((_OPERANDS, item[_NUMBER][0]) for item in given),
            ]
        )
        shapes = self._shapes(shape)
        inner: list[tuple[int, Any]] = [
            each for each in fields(self._entry) if each[0] not in (_INSTRUCTION, _OWN_SHAPES, _ROOT)
        ]
        inner += [(_INSTRUCTION, data) for _, data in (*self._arguments, *kept)]
        inner += [(_INSTRUCTION, root), (_OWN_SHAPES, shapes), (_ROOT, self._root)]
        changed = {(_COMPUTATION, self._entry): encoded(inner)}
        whole = ((number, shapes if number == _SHAPES else value) for number, value in fields(self._module))
        return encoded(
            (number, changed.get((number, value), value)) for number, value in whole if number not in (_ALIASES, _DONOR)
        )

    def _shapes(self, result: bytes) -> bytes:
        given = message_of(message_of(self._entry)[_OWN_SHAPES][0])
        return encoded(
            [
                *((_ARGUMENTS, shape) for shape in given.get(_ARGUMENTS, [])),
                (_RESULT, result),
                *((_ARGUMENT_NAMES, name) for name in given.get(_ARGUMENT_NAMES, [])),
            ]
        )


def first_breaking(module: bytes, breaks: Callable[[bytes], bool]) -> int | None:
    """The number of the first operation of a module that `breaks`; None where it does with any, or not without its
    last one, the tuple of what it gives.
    """
    cuts = Cuts(module)
    bears, not_borne = 0, cuts.count
    if not cuts.count or not breaks(cuts.module(cuts.count)) or breaks(cuts.module(1)):
        return None
    while not_borne - bears > 1:
        middle = (bears + not_borne) // 2
        if breaks(cuts.module(middle)):
            not_borne = middle
        else:
            bears = middle
    return cuts.last(not_borne)
