"""Which line of the user's an operation of a traced graph belongs to.

torch_xla writes the Python frames of an operation into the graph. Those of the backward pass have none: each is laid
to the forward operation whose derivative it is, which computes on the same value, or else to the nearest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from xlaport.tpu.module import Instruction, Module
from xlaport.verify.counts import Site
from xlaport.verify.graphs import Frame

_LIBRARY = re.compile(
    r"[/\\](site|dist)-packages[/\\]|[/\\]lib[/\\]python3\.\d+[/\\]|^<|[/\\]xlaport[/\\]verify[/\\]probe[/\\]"
)
"""What is in the path of a file that is not the user's."""
_FAMILIES = {
    "dot": "product", "convolution": "product", "gather": "places", "scatter": "places", "dynamic-slice": "places",
    "dynamic-update-slice": "places", "reduce-window": "window", "select-and-scatter": "window",
}  # fmt: skip
"""An operation and its derivative."""
_PLAIN = ("convert", "reshape", "transpose", "broadcast", "get-tuple-element", "copy", "bitcast")
"""What gives a value in another form."""
_FAR = 12
"""Operations between one without a line and one with, at most."""


def users_frame(frames: Sequence[Frame]) -> Frame | None:
    """The innermost of some frames that is in a file of the user's."""
    return next((frame for frame in frames if not _LIBRARY.search(frame[0])), None)


class Lines:
    """The lines of a graph."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._callers = {
            number: each for each in module.operations.values() if each.op != "reduce" for number in each.called
        }
        self._computations = {each.number: number for number, inner in module.computations.items() for each in inner}
        self._known: dict[int, Site | None] = {}

    def site(self, number: int | None) -> Site | None:
        """The place of an operation in the user's source, by its number; None if there is none."""
        if number is None or number not in self._module.operations:
            return None
        if number not in self._known:
            each = self._module.operations[number]
            ways = [self._own, self._twin, self._behind, self._around]
            if each.op == "parameter":  # its own line made it, once
                ways = [self._behind, self._own]
            frame = next((frame for way in ways if (frame := way(each)) is not None), None)
            self._known[number] = Site(*frame, self._module.functions.get(frame, "")) if frame is not None else None
        return self._known[number]

    @staticmethod
    def _own(each: Instruction) -> Frame | None:
        return users_frame(each.frames)

    def _twin(self, each: Instruction) -> Frame | None:
        """The line of what computes on the same value, rather of the same family, and of what is nearest."""
        family, nearest = _FAMILIES.get(each.op, each.op), None
        for value in self._values(each):
            for user in self._users(value):
                frame = self._own(user)
                if frame is not None and _FAMILIES.get(user.op, user.op) == family:
                    return frame
            if value.op not in ("parameter", "constant"):
                nearest = nearest or self._own(value)
        return nearest

    def _values(self, each: Instruction) -> Iterator[Instruction]:
        """The values of the forward pass, and the arguments, that an operation computes on: the nearest first."""
        level, seen = [each], {each.number}
        for _ in range(_FAR):
            following = []
            for item in level:
                for source in self._module.sources(item):
                    if source.number in seen:
                        continue
                    seen.add(source.number)
                    if source.op == "parameter" or self._own(source) is not None:
                        yield source
                        if source.op not in _PLAIN:
                            continue
                    following.append(source)
            level = following

    def _users(self, value: Instruction) -> Iterator[Instruction]:
        """What uses a value, as it is or in another form: of the forward pass."""
        level, seen = [value], {value.number}
        while level:
            following = []
            for item in level:
                for user in self._module.users.get(item.number, ()):
                    if user.number not in seen and self._own(user) is not None:
                        seen.add(user.number)
                        yield user
                        if user.op in _PLAIN:
                            following.append(user)
            level = following

    def _behind(self, each: Instruction) -> Frame | None:
        """The line of what uses it first."""
        level, seen = [each], {each.number}
        for _ in range(_FAR):
            level = [
                user for item in level for user in self._module.users.get(item.number, ()) if user.number not in seen
            ]
            seen.update(user.number for user in level)
            for user in level:
                if (frame := self._own(user)) is not None:
                    return frame
        return None

    def _around(self, each: Instruction) -> Frame | None:
        """The line of what runs the computation that it is in."""
        caller = self._callers.get(self._computations[each.number])
        return (self._own(caller) or self._around(caller)) if caller is not None else None
