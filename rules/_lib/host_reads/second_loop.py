"""A loop over a few names that reads a number in each pass: what follows the read goes into a second loop behind it.

``for split in ("train", "val"): …; found[split] = loss.item()`` waits once for each name. The first loop keeps what is
to be read in a list, which is read at once.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.module import FunctionNode, LoopNode, last_name, walk_block
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import Role
from xlaport.facts.running import all_run, is_begun_once
from xlaport.facts.stateless import draws
from xlaport.rule import Edit, Import, InsertStatement, Replace, Span

from ..blocks import comment_above, newline
from .device_values import is_one_element, is_without_gradient, torch_name
from .host_code import HostCode

_FEWEST, _MOST = 2, 6
_LEAVING = (
    ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal,
)  # fmt: skip
_PLAIN = (Role.NUMBER, Role.TEXT, Role.DEVICE)
_SHOWING = frozenset({"print", "info", "warning", "debug", "error", "write", "log", "add_scalar", "set_postfix"})


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
    return _Parted(context, loop, first, reads).edits() if first else None


def _is_of_few(context: Context, node: ast.expr) -> bool:
    """``["train", "val"]``: names, numbers and texts that are written there."""
    shown = context.names.assigned(node) if isinstance(node, ast.Name) else node
    if not isinstance(shown, ast.Tuple | ast.List) or not _FEWEST <= len(shown.elts) <= _MOST:
        return False
    return not any(isinstance(part, ast.Call | ast.Starred) for part in ast.walk(shown))


class _Parted:
    def __init__(self, context: Context, loop: ast.For, first: int, reads: list[HostRead]) -> None:
        self.context, self.loop, self.reads = context, loop, reads
        self.head, self.tail = loop.body[:first], loop.body[first:]
        self.head_names = [n for n in walk_block(self.head) if isinstance(n, ast.Name)]
        self.tail_names = [n for n in walk_block(self.tail) if isinstance(n, ast.Name)]

    def edits(self) -> SecondLoop | None:
        carried = self._carried()
        if carried is None or not self._is_one_number(carried) or not self._are_apart(carried.id):
            return None
        if not HostCode(self.context, self.tail, {carried.id}).runs_on_host() or not self._keeps_order():
            return None
        name = f"kept_{carried.id}"
        if not self.context.names.is_free(name, self.loop):
            return None
        context, span = self.context, self.context.span
        stack, imports = torch_name(context, "stack", self.loop)
        value = carried.id if is_without_gradient(context, carried) else f"{carried.id}.detach()"
        targets = context.module.segment(self.loop.target)
        around = context.module.segment(self.loop.iter)
        header = f"for {targets}, {carried.id} in zip({around}, {stack}({name}).cpu()):"
        parted = self._parted(f"{name}.append({value})", header)
        if parted is None:
            return None
        begun = InsertStatement(span(self.loop), f"{name} = []", before=True)
        return SecondLoop(self.reads[0], carried.id, (begun, parted), imports)

    def _parted(self, kept: str, header: str) -> Replace | None:
        """The end of the first loop, and the second one, whose body has the text and the indentation that it had."""
        module, start = self.context.module, self.context.span(self.tail[0]).start
        indent = module.text[module.line_start(self.tail[0].lineno) : start]
        around = module.text[module.line_start(self.loop.lineno) : self.context.span(self.loop).start]
        if indent.strip() or around.strip():
            return None
        above = comment_above(module, start)
        begin, end = start - len(indent) - len(above), self.context.span(self.tail[-1]).end
        line = newline(module, self.loop.lineno)
        text = f"{indent}{kept}{line}{around}{header}{line}{module.text[begin:end]}"
        return Replace(Span(begin, end), text)

    def _carried(self) -> ast.Name | None:
        """The one name beside those of the loop that the first part gives the second."""
        found = dict[str, ast.Name]()
        for name in self.tail_names:
            if isinstance(name.ctx, ast.Load) and any(map(self._is_of_head, self._given_at(name))):
                found.setdefault(name.id, name)
        return next(iter(found.values())) if len(found) == 1 else None

    def _given_at(self, name: ast.Name) -> list[ast.AST]:
        return [binding.node for binding in self.context.names.reaching(name)]

    def _is_of_head(self, node: ast.AST) -> bool:
        return self.context.module.place_in(self.head, node) is not None

    def _is_of_tail(self, node: ast.AST) -> bool:
        return self.context.module.place_in(self.tail, node) is not None

    def _is_one_number(self, carried: ast.Name) -> bool:
        """Whether each pass makes a tensor of one element, of which the second part asks for the number."""
        context = self.context
        if not context.roles.is_(carried, Role.TENSOR) or not all(map(self._is_of_head, self._given_at(carried))):
            return False
        if not Freshness(context.module, context.names, context.roles).is_fresh(carried):
            return False
        is_scalar = context.tensors.held(context.view.own, carried).is_scalar
        return is_scalar or all(
            is_one_element(context, read.node) for read in self.reads if carried.id in _names_in(read.tensor)
        )

    # -- whether the passes of the first part need the second ------------------------------------------

    def _are_apart(self, carried: str) -> bool:
        """Whether the two parts, and what is behind, have nothing to do with each other, but for what is carried."""
        names, module, here = self.context.names, self.context.module, self.context.module.function(self.loop)
        header = _names_in(self.loop.target)
        if any(n.id in header and not isinstance(n.ctx, ast.Load) for n in (*self.head_names, *self.tail_names)):
            return False
        in_head = _names_in(*self.head)
        for name in self.tail_names:
            if name.id in header or name.id == carried or names.resolve(name) is not None:
                continue
            if not self._is_changed(name):
                if name.id in in_head and not self.context.roles.is_(name, *_PLAIN):
                    return False
                continue
            home = names.home(name)
            if name.id in in_head or home is None or home.node is not (here or module.tree):
                return False
            if any(module.function(use) is not here for use in names.uses(home, name.id)):
                return False
        read = (
            n for n in self.head_names if isinstance(n.ctx, ast.Load) or isinstance(module.parents[n], ast.AugAssign)
        )
        if any(self._is_of_tail(node) for name in read for node in self._given_at(name)):
            return False
        behind = (use for use in self._uses(carried) if self.loop not in module.ancestors(use))
        return not any(self._is_of_head(node) for use in behind for node in self._given_at(use))

    def _uses(self, carried: str) -> list[ast.Name]:
        name = next(name for name in self.tail_names if name.id == carried)
        home = self.context.names.home(name)
        return [use for use in self.context.names.uses(home, carried) if isinstance(use.ctx, ast.Load)] if home else []

    def _is_changed(self, name: ast.Name) -> bool:
        """Whether the second part gives a name, or what it stands for, something else: it may change what it calls."""
        parent = self.context.module.parents[name]
        if not isinstance(name.ctx, ast.Load):
            return True
        if isinstance(parent, ast.Subscript | ast.Attribute) and parent.value is name:
            is_called = isinstance(call := self.context.module.parents[parent], ast.Call) and call.func is parent
            return is_called or not isinstance(parent.ctx, ast.Load)
        return False

    def _keeps_order(self) -> bool:
        """Whether nobody can tell that the second part runs later: both print, draw numbers or leave a pass."""
        if any(isinstance(node, _LEAVING) and self._is_of_loop(node) for node in walk_block(self.loop.body)):
            return False
        calls = [node for node in walk_block(self.tail) if isinstance(node, ast.Call)]
        if any(draws(last_name(call.func) or "") for call in calls):
            return False
        run = list(all_run(self.context.flow.structure, self.context.view.own, self.head))
        set_there = {n.attr for _, n in run if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)}
        asked = {n.attr for n in walk_block(self.tail) if isinstance(n, ast.Attribute)}
        if not set_there.isdisjoint(asked):
            return False
        shows = (last_name(node.func) in _SHOWING for node in calls)
        return not any(shows) or not any(isinstance(n, ast.Call) and last_name(n.func) in _SHOWING for _, n in run)

    def _is_of_loop(self, node: ast.AST) -> bool:
        """Whether what leaves something leaves a pass of the loop, and not of one within."""
        if not isinstance(node, ast.Break | ast.Continue):
            return True
        inner = (
            parent for parent in self.context.module.ancestors(node) if isinstance(parent, LoopNode | FunctionNode)
        )
        return next(inner, None) is self.loop


def _names_in(*nodes: ast.AST) -> set[str]:
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}
