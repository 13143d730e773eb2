"""Selections through one mask, with all that becomes of them: names, differences, means, losses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.names import Binding, How
from xlaport.facts.roles import dotted
from xlaport.facts.step_code import StepBody
from xlaport.rule import Edit, Import, InsertStatement, RemoveStatement, Replace, ReplaceStatement

from ..._lib.comments import has_comment
from ..._lib.shapes.ends import end
from ..._lib.shapes.masked_assignment import assigned, is_masked_write, is_written, name_for
from ..._lib.shapes.selection import Selection, mask_of, selection
from ..._lib.shapes.spreading import Spreading, bound_to
from ..._lib.shapes.standing import changed_in_place, is_after

_OFTEN = 3
"""How often a mask is spelled before it gets a name."""


@dataclass(frozen=True)
class Pack:
    """Selections that belong together, in the order of the source."""

    selections: tuple[Selection, ...]
    edits: tuple[Edit, ...] = ()
    """What writes everything over all places; none, if `stuck` says why not."""
    imports: tuple[Import, ...] = ()
    stuck: ast.AST | None = None
    """What needs the selected values packed together."""


def packs(context: Context, body: StepBody) -> Iterator[Pack]:
    """The selections of a step's body, grouped by what they have to do with each other."""
    found = [
        s
        for node in context.step_code.of_type(body, ast.Subscript, ast.Call)
        if (s := selection(context, node)) is not None and not is_written(context, context.module.statement(node))
    ]
    taken: set[ast.expr] = set()
    for first in sorted(found, key=lambda s: context.span(s.node)):
        if first.node in taken:
            continue
        pack = _Search(context, first, None).pack()
        if pack.stuck is not None:
            same = _Search(context, first, 0).pack()
            pack = same if same.stuck is None else pack
        taken.update(s.node for s in pack.selections)
        yield pack


class _Search:
    def __init__(self, context: Context, first: Selection, assumed: int | None) -> None:
        self.context = context
        self.first = first
        self.spreading = Spreading(context, first.mask, end, assumed)
        self.roots: dict[ast.expr, str] = {}
        self.statements: dict[ast.stmt, str] = {}
        self.stuck: ast.AST | None = None

    def pack(self) -> Pack:
        seen: set[ast.expr] = set()
        names: set[Binding] = set()
        todo = [self.first.node]
        while todo and self.stuck is None:
            node = todo.pop(0)
            if node in seen:
                continue
            seen.add(node)
            self._climb(node)
            todo += list(self.spreading.selections)
            for binding in [b for b in self.spreading.bindings if b not in names]:
                names.add(binding)
                todo += self._uses(binding)
        selections = tuple(sorted(
            {self.first.node: self.first, **self.spreading.selections}.values(),
            key=lambda s: self.context.span(s.node),
        ))  # fmt: skip
        if self.stuck is None and names:
            parts = [part for s in selections for part in (s.tensor, s.mask)]
            self.stuck = changed_in_place(self.context, parts)
        if self.stuck is not None:
            return Pack((self.first,), stuck=self.stuck)
        edits = self._edits(names)
        if edits is None:
            return Pack((self.first,), stuck=self.first.node)
        edits = self._with_names(selections[0], edits)
        return Pack(selections, tuple(edits), tuple(dict.fromkeys(self.spreading.imports)))

    def _with_names(self, first: Selection, edits: list[Edit]) -> list[Edit]:
        """The edits with a name for the mask, and for how many places it chooses, if they spell it several times."""
        context, lines = self.context, list[str]()
        if any(isinstance(parent, ast.Lambda) for parent in context.module.ancestors(first.node)):
            return edits  # no statement goes there
        mask, name = self.spreading.mask_text(), dotted(first.mask)
        if name is None and _times(edits, re.escape(mask)) >= _OFTEN and (new := name_for(context, first.node)):
            edits = _respelled(edits, rf"(?<![\w)\]])\({re.escape(mask)}\)|{re.escape(mask)}", new)
            lines.append(f"{new} = {mask}")
            name = new
        if name is not None:
            count = rf"(?<![\w.]){re.escape(name)}\.sum\(\)"
            new = name_for(context, first.node, [f"{name.rpartition('.')[2]}_count"])
            if new is not None and _times(edits, count) > 1:
                edits = _respelled(edits, count, new)
                lines.append(f"{new} = {name}.sum()")
        if not lines:
            return edits
        place, given = context.span(context.module.statement(first.node)), "\n".join(lines)
        removed = RemoveStatement(place)
        if removed in edits:
            return [ReplaceStatement(place, given) if edit == removed else edit for edit in edits]
        return [InsertStatement(place, given, before=True), *edits]

    def _climb(self, node: ast.expr) -> None:
        """Find the largest expression around a selected value that can be written over all places."""
        outer = node
        found = self.spreading.of(node)
        if found is None:
            self.stuck = node
            return
        for parent in self.context.module.ancestors(node):
            if isinstance(parent, ast.keyword | ast.Attribute) and not self._is_part(parent):
                continue
            if not isinstance(parent, ast.expr):
                break
            larger = self.spreading.of(parent)
            if larger is None:
                break
            outer, found = parent, larger
        statement = self.context.module.statement(outer)
        if not self.context.editable(outer) or not self.spreading.is_mask_at(outer) or has_comment(self.context, outer):
            self.stuck = outer
        elif isinstance(statement, ast.Assign) and is_masked_write(self.context, statement) and found.rest is not None:
            self._write(statement, outer)
        elif found.rest is None:
            self.roots[outer] = self._fitting(outer, found.text, found.is_atom)
        else:
            target = self._target(outer)
            if target is None:
                self.stuck = self.context.module.parents[outer]
                return
            self.roots[outer] = found.text
            bound = [b for b in self.context.names.bindings(target) if b.node is target]
            if len(bound) != 1:
                self.stuck = target
            else:
                self.spreading.bindings[bound[0]] = found

    def _write(self, statement: ast.Assign, value: ast.expr) -> None:
        """``y[mask] = selected``: the last thing that can become of a selected value."""
        written = self.spreading.of(value)
        target = statement.targets[0]
        assert isinstance(target, ast.Subscript)
        if value is not statement.value or written is None or not self.spreading.is_same_mask(mask_of(target)):
            self.stuck = statement
            return
        text = assigned(self.context, target, written.text)
        fits = written.rows == 0 and written.is_proven
        if text is None or text.before or (self.spreading.fills and not fits):
            self.stuck = statement
            return
        self.statements[statement] = text.text
        self.spreading.imports += text.imports

    def _is_part(self, node: ast.AST) -> bool:
        """``x[mask].shape``: an attribute that is not called."""
        parent = self.context.module.parents[node]
        return isinstance(node, ast.Attribute) and not (isinstance(parent, ast.Call) and parent.func is node)

    def _fitting(self, node: ast.expr, text: str, is_atom: bool) -> str:
        """The text with parentheses where the expression around a node binds more tightly than a quotient."""
        parent = self.context.module.parents[node]
        adds = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Sub)
        binds = isinstance(parent, ast.BinOp | ast.UnaryOp | ast.Attribute | ast.Subscript) and not adds
        return f"({text})" if binds and not is_atom else text

    def _target(self, value: ast.expr) -> ast.Name | None:
        """The name that an assignment gives a value to."""
        parent = self.context.module.parents[value]
        statement = self.context.module.statement(value)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target = statement.targets[0]
        if parent is statement:
            return target if isinstance(target, ast.Name) else None
        if isinstance(parent, ast.Tuple) and parent is statement.value and isinstance(target, ast.Tuple):
            if len(parent.elts) == len(target.elts):
                named = target.elts[parent.elts.index(value)]
                return named if isinstance(named, ast.Name) else None
        return None

    def _uses(self, binding: Binding) -> list[ast.expr]:
        """The uses of a name that stands for selected values."""
        assert isinstance(binding.node, ast.Name)
        names = self.context.names
        home = names.home(binding.node)
        found: list[ast.expr] = []
        if home is None or (home is names.root and self.context.module.function(binding.node) is not None):
            self.stuck = binding.node
            return []
        for use in names.uses(home, binding.node.id):
            reaching = names.reaching(use)
            if binding not in reaching:
                continue
            function = self.context.module.function
            is_here = function(use) is function(binding.node) and is_after(self.context, binding, use)
            if len(reaching) != 1 or not is_here:
                self.stuck = use
            found.append(use)
        if not found or any(b.how is How.AUGMENT for b in names.bindings(binding.node)):
            self.stuck = binding.node
        return found

    def _edits(self, names: set[Binding]) -> list[Edit] | None:
        """The edits of all expressions; an assignment of a name to itself goes."""
        for binding in names:
            value = bound_to(binding)
            assert value is not None
            written = self.spreading.of(value)
            if written is None:
                return None
            self.roots[value] = written.text
        edits: list[Edit] = [Replace(self.context.span(s), text) for s, text in self.statements.items()]
        outer = [n for n in self.roots if not any(p in self.roots for p in self.context.module.ancestors(n))]
        idle: dict[ast.stmt, int] = {}
        for node in outer:
            if self.roots[node] == self.spreading.text(node):
                continue
            target = self._target(node)
            if target is not None and target.id == self.roots[node]:
                statement = self.context.module.statement(node)
                idle[statement] = idle.get(statement, 0) + 1
            edits.append(Replace(self.context.span(node), self.roots[node]))
        for statement, count in idle.items():
            assert isinstance(statement, ast.Assign)
            value = statement.value
            if count == (len(value.elts) if isinstance(value, ast.Tuple) else 1):
                span = self.context.span(statement)
                edits = [e for e in edits if not (isinstance(e, Replace) and span.contains(e.span))]
                edits.append(RemoveStatement(span))
        return edits or None


def _times(edits: list[Edit], spelled: str) -> int:
    """How often a text is in what is written."""
    return sum(len(re.findall(spelled, edit.code)) for edit in edits if isinstance(edit, Replace))


def _respelled(edits: list[Edit], spelled: str, name: str) -> list[Edit]:
    return [Replace(e.span, re.sub(spelled, name, e.code)) if isinstance(e, Replace) else e for e in edits]
