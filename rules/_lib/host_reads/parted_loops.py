"""A loop in two parts: each pass of the first keeps what the second, which may run later, goes on with.

The second computes and shows numbers of the host alone, and no pass of the first needs it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set
from types import MappingProxyType

from xlaport.context import Context
from xlaport.facts.in_place import shared_root
from xlaport.facts.module import FunctionNode, LoopNode, last_name, names_in, walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import Role
from xlaport.facts.running import all_run
from xlaport.facts.stateless import draws
from xlaport.rule import Replace, Span

from ..blocks import comment_above, newline

_LEAVING = (
    ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal,
)  # fmt: skip
NOTHING_NEW: Mapping[Span, str] = MappingProxyType({})
_PLAIN = (Role.NUMBER, Role.TEXT, Role.DEVICE)
_SHOWING = frozenset({"print", "info", "warning", "debug", "error", "write", "log", "add_scalar", "set_postfix"})


class Parted:
    """A loop whose statements from `first` up to `last` are the second part; what follows stays with the first."""

    def __init__(self, context: Context, loop: ast.For, first: int, last: int) -> None:
        self.context, self.loop = context, loop
        self.head, self.tail, self.rest = loop.body[:first], loop.body[first:last], loop.body[last:]
        self.head_names = [n for n in walk_block([*self.head, *self.rest]) if isinstance(n, ast.Name)]
        self.tail_names = [n for n in walk_block(self.tail) if isinstance(n, ast.Name)]

    def carried(self) -> dict[str, ast.Name]:
        """The names that the first part gives the second, each with its first use there."""
        found = dict[str, ast.Name]()
        for name in self.tail_names:
            if isinstance(name.ctx, ast.Load) and any(map(self.is_of_head, self._given_at(name))):
                found.setdefault(name.id, name)
        return found

    def parted(self, kept: str, header: str, *begin: str, new: Mapping[Span, str] = NOTHING_NEW) -> Replace | None:
        """The end of the first loop, and the second one, whose body has the text and the indentation that it had.

        `begin`: how that body begins; `new`: what takes the place of some of it.
        """
        module, start = self.context.module, self.context.span(self.tail[0]).start
        indent = module.text[module.line_start(self.tail[0].lineno) : start]
        around = module.text[module.line_start(self.loop.lineno) : self.context.span(self.loop).start]
        if indent.strip() or around.strip():
            return None
        line = newline(module, self.loop.lineno)
        above = comment_above(module, start)
        whole = Span(start - len(indent) - len(above), self.context.span(self.loop.body[-1]).end)
        end = self.context.span(self.tail[-1]).end
        rest = module.text[end : whole.end].rstrip()
        text = module.text[whole.start : end]
        for span, other in sorted(new.items(), reverse=True):
            text = text[: span.start - whole.start] + other + text[span.end - whole.start :]
        second = [f"{around}{header}", *(f"{indent}{first}" for first in begin), text]
        return Replace(whole, f"{indent}{kept}{rest}{line}{line.join(second)}")

    def is_given_here(self, name: ast.Name) -> bool:
        """Whether each pass makes anew what a name stands for: a sum that goes through the passes is one for all."""
        return self._is_given_here(name, set())

    def _is_given_here(self, name: ast.Name, met: set[ast.AST]) -> bool:
        for binding in self.context.names.reaching(name):
            if not self.is_of_head(binding.node):
                return False
            if binding.node in met:
                continue
            met.add(binding.node)
            if binding.how is How.AUGMENT and isinstance(binding.node, ast.Name):
                roots = [binding.node]
            else:
                root = shared_root(self.context.names, binding.value) if binding.value is not None else None
                inside = ast.walk(binding.value) if binding.value is not None and root is not None else ()
                roots = [node for node in inside if isinstance(node, ast.Name) and node.id == root]
            if not all(self._is_given_here(one, met) for one in roots):
                return False
        return True

    def _given_at(self, name: ast.Name) -> list[ast.AST]:
        return [binding.node for binding in self.context.names.reaching(name)]

    def is_of_head(self, node: ast.AST) -> bool:
        """Whether a node stands in what comes before the second part."""
        return self.context.module.place_in(self.head, node) is not None

    def _is_of_tail(self, node: ast.AST) -> bool:
        return self.context.module.place_in(self.tail, node) is not None

    # -- whether the passes of the first part need the second ------------------------------------------

    def are_apart(self, carried: Set[str]) -> bool:
        """Whether the two parts, and what is behind, have nothing to do with each other, but for what is carried."""
        names, module, here = self.context.names, self.context.module, self.context.module.function(self.loop)
        in_head, header = {name.id for name in self.head_names}, names_in(self.loop.target)
        for name in self.tail_names:
            if name.id in carried or name.id in header or names.resolve(name) is not None:
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
        given = [(home, name.id) for name in self.tail_names if name.id in carried and (home := names.home(name))]
        uses = (use for home, name in dict.fromkeys(given) for use in names.uses(home, name))
        behind = (use for use in uses if isinstance(use.ctx, ast.Load) and self.loop not in module.ancestors(use))
        return not any(self.is_of_head(node) for use in behind for node in self._given_at(use))

    def _is_changed(self, name: ast.Name) -> bool:
        """Whether the second part gives a name, or what it stands for, something else: it may change what it calls."""
        parent = self.context.module.parents[name]
        if not isinstance(name.ctx, ast.Load):
            return True
        if isinstance(parent, ast.Subscript | ast.Attribute) and parent.value is name:
            is_called = isinstance(call := self.context.module.parents[parent], ast.Call) and call.func is parent
            return is_called or not isinstance(parent.ctx, ast.Load)
        return False

    def keeps_order(self) -> bool:
        """Whether nobody can tell that the second part runs later: both print, draw numbers or leave a pass."""
        if any(isinstance(node, _LEAVING) and self._is_of_loop(node) for node in walk_block([*self.head, *self.tail])):
            return False
        calls = [node for node in walk_block(self.tail) if isinstance(node, ast.Call)]
        if any(draws(last_name(call.func) or "") for call in calls):
            return False
        run = list(all_run(self.context.flow.structure, self.context.view.own, [*self.head, *self.rest]))
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
