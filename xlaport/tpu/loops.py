"""How often the loops of a traced graph run: a compiler of TPUs does not say it.

Read from loops that count: a number that starts at a constant, has a constant added, and is below a constant.
"""

from __future__ import annotations

from xlaport.tpu.module import Instruction, Module
from xlaport.verify.wire import message_of, numbers_of

_LITERAL, _INDEX, _DIRECTION = 8, 13, 63
"""Fields of an ``HloInstructionProto``."""
_INTEGERS = (4, 5, 6, 7)
"""Fields of a ``LiteralProto`` with integers of 32 and 64 bits."""
_PLAIN = ("reshape", "convert", "copy", "broadcast", "bitcast")


def trips_in(module: Module) -> dict[int, int]:
    """The runs of each loop, by its number; those that do not count, or to an unknown end, are left out."""
    callers = {number: each for each in module.operations.values() if each.op == "call" for number in each.called}
    homes = {each.number: number for number, inner in module.computations.items() for each in inner}
    found = {}
    for each in module.operations.values():
        if each.op == "while" and (trips := _Loop(module, each, callers, homes).trips):
            found[each.number] = trips
    return found


class _Loop:
    def __init__(
        self, module: Module, loop: Instruction, callers: dict[int, Instruction], homes: dict[int, int]
    ) -> None:
        self._module, self._loop, self._callers, self._homes = module, loop, callers, homes

    @property
    def trips(self) -> int:
        """0 where it is not known."""
        body, condition = (self._module.computations[number][-1] for number in self._loop.called[:2])
        if condition.op != "compare" or condition.fields.get(_DIRECTION) != [b"LT"]:
            return 0
        counter, end = self._module.sources(condition)
        place = self._place(counter)
        last = self._value(end)
        start = self._value(self._part(next(self._module.sources(self._loop)), place))
        step = self._step(self._part(body, place), place)
        if last is None or start is None or not step or step < 0:
            return 0
        return max(0, -(-(last - start) // step))

    def _place(self, each: Instruction | None) -> int | None:
        """Which of the values of the loop it is."""
        if each is None or each.op != "get-tuple-element":
            return None
        return int(each.fields.get(_INDEX, [0])[0])

    def _part(self, each: Instruction, place: int | None) -> Instruction | None:
        if each.op != "tuple" or place is None:
            return None
        return self._module.operations[each.operands[place]]

    def _step(self, each: Instruction | None, place: int | None) -> int | None:
        if each is None or each.op != "add":
            return None
        one, other = self._module.sources(each)
        if self._place(one) == place:
            return self._value(other)
        return self._value(one) if self._place(other) == place else None

    def _value(self, each: Instruction | None) -> int | None:
        """A number that is known, also as an argument of what is called."""
        while each is not None:
            if each.op == "constant":
                literal = message_of(each.fields[_LITERAL][0])
                values = [value for field in _INTEGERS for value in numbers_of(literal.get(field, []))]
                return values[0] if len(values) == 1 else None
            if each.op == "parameter" and (caller := self._callers.get(self._homes[each.number])) is not None:
                each = self._module.operations[caller.operands[self._module.place_of(each)]]
            elif each.op in _PLAIN:
                each = next(self._module.sources(each))
            else:
                return None
        return None
