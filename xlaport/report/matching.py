"""Which lines of two texts are the same."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Literal

Opcode = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]
"""What `difflib` says of some lines: what became of them, and where they are in either text."""


class LineMatcher(difflib.SequenceMatcher[str]):
    """Matches the lines of two texts.

    In a file of 200 lines and more `difflib` passes over lines that often occur in it, such as ``return model``, and
    calls them changed where nothing beside them stays. What it calls changed is looked at again, with all lines.
    """

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        super().__init__(None, before, after)
        self._before, self._after = before, after

    def get_opcodes(self) -> list[Opcode]:
        """As of `difflib`, without lines that stay in what is replaced."""
        found: list[Opcode] = []
        for opcode in self._refined():
            if found and found[-1][0] == opcode[0]:
                tag, a, _, c, _ = found.pop()
                opcode = (tag, a, opcode[2], c, opcode[4])
            found.append(opcode)
        return found

    def _refined(self) -> Iterator[Opcode]:
        for opcode in super().get_opcodes():
            tag, a, b, c, d = opcode
            if tag != "replace":
                yield opcode
                continue
            inner = difflib.SequenceMatcher(None, self._before[a:b], self._after[c:d], autojunk=False)
            yield from ((kind, a + i, a + j, c + k, c + m) for kind, i, j, k, m in inner.get_opcodes())


def unified(before: Sequence[str], after: Sequence[str], name: str) -> Iterator[str]:
    """The rows of a unified diff of one file, as `difflib.unified_diff` writes them."""
    for number, group in enumerate(LineMatcher(before, after).get_grouped_opcodes()):
        if number == 0:
            yield f"--- {name}\n"
            yield f"+++ {name}\n"
        yield f"@@ -{_range(group[0][1], group[-1][2])} +{_range(group[0][3], group[-1][4])} @@\n"
        for tag, a, b, c, d in group:
            if tag == "equal":
                yield from (f" {line}" for line in before[a:b])
                continue
            yield from (f"-{line}" for line in before[a:b])
            yield from (f"+{line}" for line in after[c:d])


def _range(start: int, end: int) -> str:
    """Some lines as the head of a hunk names them."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"
