"""A loop over a few names that reads a number in each pass: what follows the read goes into a second loop behind it.

``for split in ("train", "val"): …; found[split] = loss.item()`` waits once for each name. The first loop keeps what is
to be read in a list, which is read at once.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.module import names_in
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import Role
from xlaport.facts.running import is_begun_once
from xlaport.rule import Edit, Import, InsertStatement

from .device_values import is_one_element, is_without_gradient, torch_name
from .host_code import HostCode
from .parted_loops import Parted

_FEWEST, _MOST = 2, 6


@dataclass(frozen=True)
class SecondLoop:
    """What is read in each pass, and the edits that read it behind the loop."""

    read: HostRead
    name: str
    edits: tuple[Edit, ...]
    imports: tuple[Import, ...]


def second_loop(context: Context, loop: ast.For) -> SecondLoop | None:
    """How a loop reads once for all of its passes; None where it does not, or its passes need what is read."""
    if loop.orelse or not _is_of_few(context, loop.iter):
        return None
    if is_begun_once(context.flow.structure, context.view.own, loop):
        return None  # few waits, and somebody may look for what it prints
    reads = [read for read in context.reads.all_in(loop.body) if read.proven]
    places = [context.module.place_in(loop.body, read.node) for read in reads]
    first = min((place for place in places if place is not None), default=0)
    return _FewPasses(context, loop, first, reads).edits() if first else None


def _is_of_few(context: Context, node: ast.expr) -> bool:
    """``["train", "val"]``: names, numbers and texts that are written there."""
    shown = context.names.assigned(node) if isinstance(node, ast.Name) else node
    if not isinstance(shown, ast.Tuple | ast.List) or not _FEWEST <= len(shown.elts) <= _MOST:
        return False
    return not any(isinstance(part, ast.Call | ast.Starred) for part in ast.walk(shown))


class _FewPasses(Parted):
    def __init__(self, context: Context, loop: ast.For, first: int, reads: list[HostRead]) -> None:
        super().__init__(context, loop, first, len(loop.body))
        self.reads = reads

    def edits(self) -> SecondLoop | None:
        found = self.carried()
        carried = next(iter(found.values())) if len(found) == 1 else None
        if carried is None or not self._is_one_number(carried):
            return None
        if not self._goes_through_the_same() or not self.are_apart({carried.id}) or not self.keeps_order():
            return None
        if not HostCode(self.context, self.tail, {carried.id}).runs_on_host():
            return None
        name = f"kept_{carried.id}"
        if not self.context.names.is_free(name, self.loop):
            return None
        context, span = self.context, self.context.span
        stack, imports = torch_name(context, "stack", self.loop)
        value = carried.id if is_without_gradient(context, carried) else f"{carried.id}.detach()"
        target, around = context.module.segment(self.loop.target), context.module.segment(self.loop.iter)
        if not isinstance(self.loop.target, ast.Name) and target[0] != "(":
            target = f"({target})"
        header = f"for {target}, {carried.id} in zip({around}, {stack}({name}).cpu()):"
        parted = self.parted(f"{name}.append({value})", header)
        if parted is None:
            return None
        begun = InsertStatement(span(self.loop), f"{name} = []", before=True)
        return SecondLoop(self.reads[0], carried.id, (begun, parted), imports)

    def _is_one_number(self, carried: ast.Name) -> bool:
        """Whether each pass makes a tensor of one element, of which the second part asks for the number."""
        context = self.context
        if not context.roles.is_(carried, Role.TENSOR) or not self.is_given_here(carried):
            return False
        if not Freshness(context.module, context.names, context.roles).is_fresh(carried):
            return False
        is_scalar = context.tensors.held(context.view.own, carried).is_scalar
        return is_scalar or all(
            is_one_element(context, read.node) for read in self.reads if carried.id in names_in(read.tensor)
        )

    def _goes_through_the_same(self) -> bool:
        """Whether the second loop can go through the names once more: nothing in the first has to do with the row."""
        names = [*self.head_names, *self.tail_names]
        row = self.loop.iter.id if isinstance(self.loop.iter, ast.Name) else None
        kept = names_in(self.loop.target, self.loop.iter)
        return not any(n.id == row or (n.id in kept and not isinstance(n.ctx, ast.Load)) for n in names)
