"""Loops over the elements of tensors of the TPU that do nothing but to read: they run on the host, by one copy.

All that such a loop computes of the elements has to end in it, as numbers of the host. Then nobody can tell where it
was computed, and sizes that depend on the data, ``row[row > 0]``, cost nothing there. A tensor whose elements it writes
is copied, too, and the copy goes back behind the loop.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.in_place import sharing
from xlaport.facts.module import FunctionNode, LoopNode, walk_block
from xlaport.facts.roles import Role
from xlaport.rule import Edit, InsertStatement, Replace

from ..parentheses import factor
from .device_values import is_without_gradient
from .host_code import HostCode

_ENDING = (ast.Return, ast.Raise, ast.Assert)


@dataclass
class HostLoop:
    """The tensors that are copied, as the program spells them, and the edits."""

    names: tuple[str, ...]
    written: tuple[str, ...]
    """Those whose copies go back."""
    edits: tuple[Edit, ...]


def host_loop(context: Context, inner: LoopNode, *, whole: bool = False) -> HostLoop | None:
    """How a loop, or the outermost one around it that can, could run on the host; None where it does more than reading.

    One within a step: what goes through the steps has to run on the TPU. `whole`: it may compute with whole tensors.
    """
    found: HostLoop | None = None
    for node in (inner, *context.module.ancestors(inner)):
        if isinstance(node, FunctionNode | ast.Lambda) or (node is not inner and _is_of_steps(context, node)):
            break
        if isinstance(node, ast.For):
            found = _Loop(context, node, whole=whole).on_host() or found
    return found


def _is_of_steps(context: Context, node: ast.AST) -> bool:
    return isinstance(node, LoopNode) and context.step_code.counts_steps(node)


class _Loop(HostCode):
    def __init__(self, context: Context, loop: ast.For, *, whole: bool) -> None:
        super().__init__(context, loop.body, whole=whole)
        self.loop = loop

    def is_within(self, node: ast.AST) -> bool:
        """What the loop goes through is of its passes, too."""
        return self.loop in self.context.module.ancestors(node)

    def on_host(self) -> HostLoop | None:
        through = [leaf for leaf in self._through(self.loop.iter) if self.context.roles.is_(leaf, Role.TENSOR)]
        if any(not self.is_one(leaf) for leaf in through):
            return None
        if self.loop.orelse or not self.runs_on_host():
            return None
        if self.written and not self._may_write([*through, *self.indexed]):
            return None
        edits: list[Edit] = [
            Replace(self.context.span(leaf), f"{factor(leaf, self.text(leaf))}.cpu()") for leaf in through
        ]
        copied = self._copied()
        if copied is None or not (through or copied):
            return None
        if copied:
            pairs = ", ".join(copied.values()), ", ".join(f"{text}.cpu()" for text in copied)
            edits.append(InsertStatement(self.context.span(self.loop), " = ".join(pairs), before=True))
            edits += [Replace(self.context.span(node), copied[self.text(node)]) for node in self.indexed]
        written = tuple(dict.fromkeys(map(self.text, self.written)))
        if written:
            back = "\n".join(f"{text}.copy_({copied[text]})" for text in written)
            edits.append(InsertStatement(self.context.span(self.loop), back))
        return HostLoop(tuple(dict.fromkeys([*map(self.text, through), *copied])), written, tuple(edits))

    def _may_write(self, others: list[ast.expr]) -> bool:
        """Whether nobody can tell that elements are written behind the loop: it ends there, and reads them by no other
        name.
        """
        context, facts = self.context, self.context.view.own
        calls = (node for node in walk_block(self.loop.body) if isinstance(node, ast.Call))
        if any(isinstance(statement, _ENDING) for statement in self.statements):
            return False
        if any(context.flow.structure.runs(facts, call) for call in calls):
            return False
        freshness = Freshness(context.module, context.names, context.roles)
        names = [node for node in self.written if isinstance(node, ast.Name) and freshness.is_fresh(node)]
        if len(names) < len(self.written) or not all(is_without_gradient(context, name) for name in names):
            return False
        own = {name.id for name in names}
        shared = sharing(facts, own, context.module.function(self.loop)) - own
        return all(shared.isdisjoint(n.id for n in ast.walk(other) if isinstance(n, ast.Name)) for other in others)

    def _copied(self) -> dict[str, str] | None:
        """The names of the copies of what is indexed, by its text; None where one is taken."""
        found: dict[str, str] = {}
        for node in self.indexed:
            name = f"host_{node.attr if isinstance(node, ast.Attribute) else self.text(node)}"
            if not self.context.names.is_free(name, self.loop) or not self.context.editable(node):
                return None
            found[self.text(node)] = name
        return found if len(set(found.values())) == len(found) else None

    def _through(self, node: ast.expr) -> Iterator[ast.expr]:
        """What the loop goes through, under ``enumerate()`` and ``zip()``."""
        called = self.context.resolve(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and called in ("builtins.enumerate", "builtins.zip"):
            for given in node.args[: 1 if called == "builtins.enumerate" else None]:
                yield from self._through(given)
        else:
            yield node
