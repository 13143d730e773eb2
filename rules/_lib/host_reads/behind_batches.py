"""What the host does with each batch of an evaluation, element by element: a second loop does it behind the first.

The first keeps what the second needs of each batch, and waits for nothing. Only vectors are kept: whole outputs of all
batches might not fit.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.module import last_name
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import Role
from xlaport.facts.running import all_run, is_begun_once
from xlaport.facts.vocabulary import LOOP_WRAPPERS
from xlaport.rule import Edit, InsertStatement

from .device_values import is_without_gradient
from .host_code import HostCode
from .parted_loops import Parted

_SIZES = ("size", "shape")
_NUMBERS = (".item()", "float()", "int()", "% formatting")
_KEPT = "kept"


@dataclass(frozen=True)
class _Size:
    """How large something is, as the program asks, and where it does."""

    text: str
    places: tuple[ast.expr, ...]


def behind_batches(context: Context, inner: ast.For) -> Sequence[Edit]:
    """How a loop over the elements of a batch runs behind that over the batches; nothing where it has to be there."""
    outer = context.module.parents[inner]
    if not isinstance(outer, ast.For) or outer.orelse or not _is_over_batches(context, outer.iter):
        return ()
    structure, own = context.flow.structure, context.view.own
    if is_begun_once(structure, own, outer):
        return ()
    run = all_run(structure, own, outer.body)
    if any(isinstance(node, ast.Call) and last_name(node.func) == "backward" for _, node in run):
        return ()  # who trains looks at each batch
    reads = [read for read in context.reads.all_in(outer.body) if read.proven]
    places = [place for read in reads if (place := context.module.place_in(outer.body, read.node)) is not None]
    first, last = min(places, default=0), outer.body.index(inner) + 1
    if not first or max(places) >= last:
        return ()
    return _Batches(context, outer, first, last).edits()


def _is_over_batches(context: Context, node: ast.expr) -> bool:
    while isinstance(node, ast.Call) and node.args and context.resolve(node.func) in LOOP_WRAPPERS:
        node = node.args[0]
    return context.roles.is_(node, Role.LOADER, Role.DEVICE_LOADER)


class _Batches(Parted):
    def __init__(self, context: Context, loop: ast.For, first: int, last: int) -> None:
        super().__init__(context, loop, first, last)
        self.reads = [read for read in context.reads.all_in(self.tail) if read.proven]

    def is_of_head(self, node: ast.AST) -> bool:
        """What the loop goes through is another one in each pass, too."""
        return super().is_of_head(node) or node in ast.walk(self.loop.target)

    def edits(self) -> Sequence[Edit]:
        context, carried = self.context, self.carried()
        sizes = {name: size for name in carried if (size := self._size(name))}
        fetched = [name for name, use in carried.items() if name not in sizes and self._is_vector(use)]
        plain = [name for name, use in carried.items() if context.roles.is_(use, Role.NUMBER, Role.TEXT)]
        if not fetched or len({*fetched, *sizes, *plain}) < len(carried):
            return ()
        if not all(map(self.is_given_here, carried.values())) or not self.are_apart(set(carried)):
            return ()
        if not HostCode(context, self.tail, set(fetched)).runs_on_host() or not self.keeps_order():
            return ()
        names = {name: f"{name}_size" for name in sizes}
        if not all(context.names.is_free(name, self.loop) for name in (_KEPT, *names.values())):
            return ()
        row = _row([*(size.text for size in sizes.values()), *plain, *fetched])
        taken = _row([*names.values(), *plain, *fetched])
        read = f"{', '.join(fetched)} = {', '.join(f'{name}.cpu()' for name in fetched)}"
        new = {context.span(place): names[name] for name, size in sizes.items() for place in size.places}
        parted = self.parted(f"{_KEPT}.append({row})", f"for {taken.strip('()')} in {_KEPT}:", read, new=new)
        begun = InsertStatement(context.span(self.loop), f"{_KEPT} = []", before=True)
        return (begun, parted) if parted is not None else ()

    def _size(self, name: str) -> _Size | None:
        """What the second part asks of something of which it wants to know only how large it is: ``len(x)``."""
        places = [self._asked(use) for use in self.tail_names if use.id == name]
        texts = {self.context.module.segment(place) for place in places if place is not None}
        asked = tuple(place for place in places if place is not None)
        return _Size(texts.pop(), asked) if len(texts) == 1 and len(asked) == len(places) else None

    def _asked(self, use: ast.Name) -> ast.expr | None:
        """``len(x)``, ``x.size(0)``, ``x.shape[0]``."""
        parents = self.context.module.parents
        above = parents[use]
        if isinstance(above, ast.Call) and self.context.resolve(above.func) == "builtins.len":
            return above
        around = parents[above] if isinstance(above, ast.Attribute) and above.attr in _SIZES else None
        if not isinstance(around, ast.Call | ast.Subscript):
            return None
        given = around.args if isinstance(around, ast.Call) else [around.slice]
        return around if all(isinstance(part, ast.Constant) for part in given) and given else None

    def _is_vector(self, use: ast.Name) -> bool:
        """Whether a pass makes a vector, or one number, of the TPU, which nothing changes later."""
        context = self.context
        if not context.roles.is_(use, Role.TENSOR):
            return False
        rank = context.tensors.held(context.view.own, use).rank
        is_small = rank <= 1 if rank is not None else any(_is_element(read, use.id) for read in self.reads)
        is_fresh = Freshness(context.module, context.names, context.roles).is_fresh(use)
        return is_small and is_fresh and is_without_gradient(context, use)


def _is_element(read: HostRead, name: str) -> bool:
    """``"%d" % found[i]``: what has numbers for its elements, is a vector."""
    node = read.tensor
    if read.how not in _NUMBERS or not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return False
    return node.value.id == name and not isinstance(node.slice, ast.Tuple | ast.Slice)


def _row(names: list[str]) -> str:
    return f"({', '.join(names)})" if len(names) > 1 else f"({names[0]},)"
