"""How one graph differs from another, in one line and in the words of the source.

Used in the child: standard library only.
"""

from __future__ import annotations

import difflib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .graphs import Frame, Graph, Node, same

SHAPE, LAST_BATCH, GROWTH = "shape", "last-batch", "growth"
NUMBER, SPECIAL, BOUNDS, OPERATIONS = "number", "special", "bounds", "operations"
GUARD, DATA = "guard", "data"
"""What differs: the shape of an input, which may be that of a last batch, or grow each time; a number in the graph;
one that is in the graph because it is 0, 1 or -1; bounds, a place, or a shape inside; the operations. Or a guard of
torch.compile failed (see `dynamo`), or an operation gave as much as the data says.
"""

_PYTHON_NUMBER = "prim__Constant"
_POWER = "aten__pow"
_RANDOM = "aten__bernoulli"
_PLACES = ("dynamic-slice", "dynamic-update-slice", "gather", "scatter")
_AT_A_PLACE = ("xla__update_slice", "xla__select", "xla__generic_slice", "xla__unselect")
"""Operations whose numbers are places: XLA's, and torch_xla's."""
_NEAR = 5
"""Steps back from an operation without frames to one that has some, at most."""
_INLINED = (0.0, 1.0, -1.0)
"""Python numbers that torch_xla writes into a graph; others are inputs of it, so that their change costs nothing."""
_PLAIN = ("parameter", "constant", "broadcast", "reshape", "convert", "tuple")
"""What comes and goes with a number that is inlined."""


class Names:
    """What is known of the program beside its graphs: which files are the user's, and here nothing else."""

    def __init__(self, is_user: Callable[[str], bool]) -> None:
        self.is_user = is_user

    def tensor(self, shape: str, lines: Sequence[Frame]) -> str | None:
        """Which variable has a shape, as in ``f32[17,128]``; rather one that a line speaks of."""
        return None

    def renewed(self, lines: Sequence[Frame]) -> str | None:
        """Which variable the first of some lines makes out of itself, as in ``x = torch.cat([x, y])``."""
        return None

    def number(self, value: float, lines: Sequence[Frame]) -> str | None:
        """Which variable of which a line speaks is a number."""
        return None

    def batch(self, before: str, after: str) -> str | None:
        """What a batch of a shape is, where it had another."""
        return None

    def lines(self, node: Node) -> list[Frame]:
        """The user's lines that an instruction comes from, the innermost first."""
        return [frame for frame in node.frames if self.is_user(frame[0])]

    def line(self, node: Node) -> str:
        """The innermost of these, as ``train.py:12``; empty if there is none."""
        return shown(next(iter(self.lines(node)), None))


def shown(frame: Frame | None) -> str:
    """A line, as ``train.py:12``; empty if there is none."""
    return f"{os.path.basename(frame[0])}:{frame[1]}" if frame else ""


@dataclass(frozen=True)
class Difference:
    """The first thing in which a graph differs from an older one. `kind` is one of those above, or empty.

    For an input, `who` is what it is called, and `before` and `after` are its shapes. `place`: the user's line that
    makes the difference, or the nearest to it.
    """

    words: str
    kind: str = ""
    who: str = ""
    before: str = ""
    after: str = ""
    place: Frame | None = None


@dataclass(frozen=True)
class Wording:
    """How a difference is told: of a graph that came after another, or of two that ought to be the same."""

    became: str = "became"
    new: str = "is new"
    gone: str = "is gone"


LATER = Wording()


def difference(old: Graph, new: Graph, names: Names, wording: Wording = LATER) -> Difference:
    """The first thing in which a graph differs from an older one."""
    return _Comparison(old, new, names, wording).first()


@dataclass(frozen=True)
class _Apart:
    """One thing in which the operations of two graphs differ. `has_place`: it is known where it is, or what uses it;
    `is_plain`: it comes and goes with a number.
    """

    words: str
    has_place: bool
    is_plain: bool
    place: Frame | None


class _Comparison:
    def __init__(self, old: Graph, new: Graph, names: Names, wording: Wording) -> None:
        self.old, self.new, self.names, self.wording = old, new, names, wording
        self.became = wording.became
        self.numbered = {node.number: node for node in new.nodes}

    def first(self) -> Difference:
        if shapes := _new_shapes(self.old, self.new):
            return self._input(shapes)
        if [node.op for node in self.old.nodes] != [node.op for node in self.new.nodes]:
            return self._operations()
        pairs = [(a, b) for a, b in zip(self.old.nodes, self.new.nodes, strict=True) if not same(a, b)]
        for a, b in sorted(pairs, key=lambda pair: self._cause(pair[1])):
            if b.op == "constant" and a.shape == b.shape:
                return self._number(a, b)
            if a.shape != b.shape:
                words = f"{_op(b)}: {a.shape} {self.became} {b.shape}{self._place(b)}"
            else:
                bounds = f"bounds {list(a.attributes)} {self.became} {list(b.attributes)}"
                words = f"{_op(b)}: {bounds}{self._place(b)}"
            return Difference(words, BOUNDS, place=self._stands_on(b))
        return Difference("the same operations in another order, or aliased differently")

    def _cause(self, node: Node) -> int:
        """How soon a node that changed is named: a Python number, then a line, is the cause of what changes with it.

        Shapes make constants of their own, such as the number of elements in a mean.
        """
        line = bool(self.names.line(node))
        number = node.op == "constant" and (node.source_op in ("", _PYTHON_NUMBER) or line)
        return 0 if number else 1 if line else 2

    # -- shapes --------------------------------------------------------------------------------------------

    def _input(self, shapes: Sequence[tuple[int, str, Node]]) -> Difference:
        number, before, node = shapes[0]
        found = [self._name(item) for _, _, item in shapes]
        others = dict.fromkeys(name for name in found[1:] if name and name != found[0])
        who = found[0] or f"input {number}"
        words = f"{who}: {before} {self.became} {node.shape}{self._used(node)}"
        last = self.names.batch(before, node.shape)
        words += f", {last}" if last else ""
        if others and found[0]:
            words += f"; {' and '.join(list(others)[:2])} too"
        return Difference(words, LAST_BATCH if last else SHAPE, who, before, node.shape, self._stands_on(node))

    def _name(self, node: Node) -> str | None:
        return self.names.tensor(node.shape, self._spoken_of(node)) or self.names.renewed(self.names.lines(node))

    def _spoken_of(self, node: Node) -> list[Frame]:
        """The lines that made an input, and those that use it first."""
        user = self.new.users.get(node.number)
        return [*self.names.lines(node), *(self.names.lines(user) if user else ())]

    def _place(self, node: Node) -> str:
        return f" at {where}" if (where := self.names.line(node)) else ""

    def _used(self, node: Node) -> str:
        """Where an input was made, or else what uses it first."""
        user = self.new.users.get(node.number)
        made = self._place(node)
        if made or user is None:
            return made
        said = f", used by {_op(user)}"
        if self.names.line(user):
            return said + self._place(user)
        near = shown(self._near(user))
        return said + (f" on the result of {near}" if near else "")

    def _near(self, user: Node) -> Frame | None:
        """The operations of the backward pass have no frames, but compute on what the forward pass has computed."""
        sources = _sources(user, self.numbered, self.new.users)
        return next((lines[0] for other in sources if (lines := self.names.lines(other))), None)

    def _stands_on(self, node: Node) -> Frame | None:
        """The line that made what differs, or else uses it first, or is near to that."""
        user = self.new.users.get(node.number)
        return next(iter(self._spoken_of(node)), None) or (self._near(user) if user else None)

    # -- numbers -------------------------------------------------------------------------------------------

    def _number(self, a: Node, b: Node) -> Difference:
        user = self.new.users.get(b.number)
        now = float(b.literal[0]) if len(b.literal) == 1 else None
        lines = self._spoken_of(b)
        if now is not None and not lines and user is not None and user.source_op == _POWER:
            # x ** p is differentiated as p * x ** (p - 1)
            was = float(a.literal[0])
            near = self._near(user)
            where = f" at {shown(near)}" if near else ""
            words = f"{was + 1:g} {self.became} {now + 1:g}: an exponent, a Python number{where}"
            return Difference(words, NUMBER, place=near)
        who = self.names.number(now, lines) if now is not None and lines else None
        said = f"{who}, a Python number" if who else "a Python number" if lines else "a number in the graph"
        is_place = user is not None and (user.op in _PLACES or user.source_op in _AT_A_PLACE)
        words = f"{_value(a)} {self.became} {_value(b)}: {said}{self._used(b)}"
        return Difference(words, BOUNDS if is_place else NUMBER, who or "", place=self._stands_on(b))

    # -- operations ----------------------------------------------------------------------------------------

    def _operations(self) -> Difference:
        size = f"{len(self.old.nodes)} operations {self.became} {len(self.new.nodes)}"
        if self.wording == LATER and (told := self._special() or self._random(size)):
            return told
        # Rather one with a place; and what was done to a number or an input says more than that it is there.
        best = min(self._apart(), key=lambda found: (not found.has_place, found.is_plain), default=None)
        return Difference(f"{size}: {best.words}" if best else size, OPERATIONS, place=best.place if best else None)

    def _apart(self) -> Iterator[_Apart]:
        """What one graph has and the other has not, and the numbers that are others in what both have."""
        before, after = ([_op(node) for node in graph.nodes] for graph in self._both)
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=len(after) > 2000)
        for tag, start_old, end_old, start_new, end_new in matcher.get_opcodes():
            old, new = self.old.nodes[start_old:end_old], self.new.nodes[start_new:end_new]
            if tag == "equal":
                for a, b in zip(old, new, strict=True):
                    used = self._used(b) if b.op == "constant" and a.shape == b.shape and a.literal != b.literal else ""
                    if used:
                        words = f"constant {_value(a)} {self.became} {_value(b)}{used}"
                        yield _Apart(words, True, True, self._stands_on(b))
                continue
            nodes, said = (old, self.wording.gone) if tag == "delete" else (new, self.wording.new)
            for node in nodes:
                place = self._place(node)
                line = next(iter(self.names.lines(node)), None)
                yield _Apart(f"{_op(node)}{place} {said}", bool(place), node.op in _PLAIN, line)

    def _random(self, size: str) -> Difference | None:
        """Dropout that is off, or on, where it was not."""
        drawn = [next((node for node in graph.nodes if node.source_op == _RANDOM), None) for graph in self._both]
        if (drawn[0] is None) == (drawn[1] is None):
            return None
        node = next(filter(None, drawn))
        said = "no random mask is drawn (dropout is off)" if drawn[0] else "a random mask is drawn (dropout is on)"
        line = next(iter(self.names.lines(node)), None)
        return Difference(f"{size}: {said}{self._place(node)}", OPERATIONS, place=line)

    def _special(self) -> Difference | None:
        """A Python number that became 0, 1 or -1, or is no longer: then it is a part of the graph, else an input."""
        before, after = (Counter((n.op, n.literal if n.op == "constant" else ()) for n in g.nodes) for g in self._both)
        gone, came = before - after, after - before
        if any(op not in _PLAIN for op, _ in (*gone, *came)):
            return None
        scalars = [sum(node.shape.endswith("[]") for node in graph.inputs) for graph in self._both]
        inlined = [Counter(filter(None, map(self._inlined, graph.nodes))) for graph in self._both]
        fewer = scalars[1] < scalars[0]
        more = inlined[1] - inlined[0] if fewer else inlined[0] - inlined[1]
        if not more or scalars[0] == scalars[1]:
            return None
        value, line = min(more, key=lambda number: number[1] is None)  # rather one whose line is known
        now = "is" if fewer else "is no longer"
        where = f" at {shown(line)}" if line else ""
        words = f"a Python number {now} {value:g}{where} (0, 1 and -1 are parts of a graph, others its inputs)"
        return Difference(words, SPECIAL, place=line)

    def _inlined(self, node: Node) -> tuple[float, Frame | None] | None:
        """A Python number that torch_xla has written into the graph, and its line."""
        if node.op != "constant" or len(node.literal) != 1 or float(node.literal[0]) not in _INLINED:
            return None
        return float(node.literal[0]), next(iter(self.names.lines(node)), None)

    @property
    def _both(self) -> tuple[Graph, Graph]:
        return self.old, self.new


def _op(node: Node) -> str:
    return node.source_op.replace("__", "::", 1) or node.op


def _value(node: Node) -> str:
    values = [f"{float(value):g}" for value in node.literal]
    return values[0] if len(values) == 1 else "[" + ", ".join(values) + "]"


def _sources(node: Node, numbered: dict[int, Node], users: dict[int, Node]) -> Iterator[Node]:
    """What a node, and the first that uses it, are computed from, the nearest first."""
    level = [node, *([users[node.number]] if node.number in users else [])]
    seen = {item.number for item in level}
    for _ in range(_NEAR):
        level = [numbered[n] for item in level for n in item.operands if n in numbered and n not in seen]
        seen.update(item.number for item in level)
        yield from level


def _new_shapes(old: Graph, new: Graph) -> list[tuple[int, str, Node]]:
    """The inputs of another shape: their numbers, what they were, and what they are.

    Inputs of graphs with other operations are in another order: only shapes that come and go tell of a change.
    """
    if len(old.inputs) != len(new.inputs):
        return []
    before, after = ([node.shape for node in graph.inputs] for graph in (old, new))
    gone, came = Counter(before) - Counter(after), Counter(after) - Counter(before)
    found = [
        (number, shape, node)
        for number, (shape, node) in enumerate(zip(before, new.inputs, strict=True))
        if shape != node.shape and shape in gone and node.shape in came
    ]
    if not found and gone and came:
        number = next(number for number, node in enumerate(new.inputs) if node.shape in came)
        return [(number, next(iter(gone)), new.inputs[number])]
    return found
