"""Computations with what a mask selects, written over all places: `torch.where(mask, a - b, 0).abs()`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.literals import number
from xlaport.facts.role import Role
from xlaport.rule import Import, Span

from ..host_reads.device_values import torch_name
from ..one_line import in_one_line, one_line
from ..parentheses import ATOMS, factor
from . import elements
from .elements import Rest
from .operation import called
from .rowwise import works_on_rows
from .selection import Selection, rows_behind, selection
from .standing import is_repeatable, means_the_same, uses_behind

_MOST_NAMES = 3
"""The names by which a selection is followed to find its dimensions."""


@dataclass(frozen=True)
class Spread:
    """An expression of selected values as it is written over all places."""

    text: str
    rest: Rest
    is_atom: bool = True
    is_truth: bool = False
    is_proven: bool = False
    """Whether its dimensions are known to be those of the mask, and as many more as were asked for."""
    is_counted: bool = True
    """Whether there are as many values as the mask has true places: `masked_select` may have broadcast them."""

    @property
    def operand(self) -> str:
        """The text as a part of a larger expression."""
        return self.text if self.is_atom else f"({self.text})"


class Spreading:
    """Writes expressions of selected values over all places. All selections are through one mask."""

    def __init__(self, context: Context, mask: ast.expr) -> None:
        self.context = context
        self.mask = mask
        self.selections: dict[ast.expr, Selection] = {}
        self.named: dict[ast.expr, Spread] = {}
        """The values of the names that stand for selected values."""
        self.imports: tuple[Import, ...] = ()
        self.fills = False
        """Whether a number is put into places that the mask leaves out."""
        self._asked: set[tuple[ast.expr, int]] = set()

    # -- expressions -----------------------------------------------------------------------------------

    def of(self, node: ast.expr, rows: int = 0) -> Spread | None:
        """An expression over all places; None where it is not made of selected values, or cannot be written so.

        `rows`: the dimensions that its tensors have behind those of the mask, 0 or 1.
        """
        selected = selection(self.context, node)
        if selected is not None:
            return self._selected(selected, rows)
        if isinstance(node, ast.Name):
            return self._name(node, rows)
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node, rows)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            operand = self.of(node.operand, rows)
            return operand and replace(operand, text=self.rebuilt(node, {node.operand: operand}), is_atom=False)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            joined = self._joined(node, [node.left, *node.comparators], rows)
            return joined and replace(joined, rest=Rest.ANYTHING, is_truth=True)
        return self._call(node, rows) if isinstance(node, ast.Call) else None

    def _selected(self, found: Selection, rows: int) -> Spread | None:
        known = rows_behind(self.context, found.tensor, found.mask)
        if known not in (None, rows) or (rows and not found.is_index):  # `masked_select` gives no rows
            return None
        if not self.is_same_mask(found.mask) or not is_repeatable(self.context, found.mask):
            return None
        self.selections[found.node] = found
        is_truth = self.context.tensors.held(self.context.view.own, found.tensor).kind is Kind.BOOL
        is_atom = isinstance(found.tensor, ATOMS)
        is_known = known is not None
        is_proven, is_counted = is_known or (rows == 0 and not found.is_index), is_known or found.is_index
        return Spread(self.text(found.tensor), Rest.ANYTHING, is_atom, is_truth, is_proven, is_counted)

    def rows_in(self, node: ast.expr, depth: int = 0) -> int:
        """How many dimensions what is selected in an expression has behind those of the mask: 1, or taken to be 0."""
        for part in ast.walk(node):
            found = selection(self.context, part)
            if found is not None and found.is_index and self.is_same_mask(found.mask):
                return int(rows_behind(self.context, found.tensor, found.mask) == 1)
            value = self.context.names.assigned(part) if isinstance(part, ast.Name) and depth < _MOST_NAMES else None
            if value is not None and self.rows_in(value, depth + 1):
                return 1
        return 0

    def is_same_mask(self, node: ast.expr) -> bool:
        """Whether an expression is the mask, and has its value."""
        return ast.dump(node) == ast.dump(self.mask) and self._reached(node) == self._reached(self.mask)

    def is_mask_at(self, node: ast.expr) -> bool:
        """Whether the mask means at a place what it means where it selects."""
        return means_the_same(self.context, self.mask, node)

    def _reached(self, node: ast.expr) -> list[frozenset[int]]:
        return [
            frozenset(id(b) for b in self.context.names.reaching(n)) for n in ast.walk(node) if isinstance(n, ast.Name)
        ]

    def _name(self, node: ast.Name, rows: int) -> Spread | None:
        value, bound = self.context.names.assigned(node), self.context.names.reaching(node)
        if value is None or node not in uses_behind(self.context, bound[0].node):
            return None
        if (value, rows) not in self._asked:
            self._asked.add((value, rows))
            spread = self.filled(value, rows) if value not in self.named else None  # one text serves all uses
            if spread is None:
                return None
            self.named[value] = spread
        known = self.named.get(value)
        return replace(known, text=node.id, is_atom=True) if known is not None else None

    def _arithmetic(self, node: ast.BinOp, rows: int) -> Spread | None:
        sides, exponent = [node.left, node.right], number(node.right)
        match node.op:
            case ast.Add() | ast.Sub():
                return self._joined(node, sides, rows)
            case ast.Mult():
                return self._joined(node, sides, rows, is_linear=any(number(side) is not None for side in sides))
            case ast.Div() if exponent:
                return self._joined(node, sides, rows)
            case ast.Pow() if exponent is not None and exponent >= 1:
                return self._joined(node, sides, rows, is_linear=False)
        return None

    def _joined(self, node: ast.expr, operands: Sequence[ast.expr], rows: int, is_linear: bool = True) -> Spread | None:
        """Several operands, of which one at least is selected, element by element.

        Where the derivative is not constant, or one of the operands is filled already, all become zero.
        """
        parts = {operand: spread for operand in operands if (spread := self.of(operand, rows)) is not None}
        others = [operand for operand in operands if operand not in parts]
        if not parts or not all(self._is_plain(operand) for operand in others):
            return None
        if not is_linear or len({part.rest for part in parts.values()}) > 1:
            parts = {operand: self._filled(part, rows) for operand, part in parts.items()}
        (rest, *more) = {part.rest for part in parts.values()}
        if rest is not Rest.ANYTHING:
            adds = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
            is_known = not adds and all(number(operand) is not None for operand in others)  # zero times infinity
            rest = Rest.ZERO if rest is Rest.ZERO and not more and (is_known or not others) else Rest.FINITE
        is_proven = (all if rows else any)(p.is_proven for p in parts.values())  # a row may meet one value of each
        is_counted = any(p.is_counted for p in parts.values())
        text = self.rebuilt(node, parts)
        return Spread(text, rest, is_atom=isinstance(node, ast.Call), is_proven=is_proven, is_counted=is_counted)

    def filled(self, node: ast.expr, rows: int = 0) -> Spread | None:
        """A selected operand with zeros in the places that the mask leaves out, or what is finite there already."""
        found = self.of(node, rows)
        return self._filled(found, rows) if found is not None else None

    def _filled(self, found: Spread, rows: int, fill: str = "0") -> Spread:
        if found.rest is not Rest.ANYTHING:
            return found
        self.fills = True
        mask = self.mask_of_rows(rows)
        rest = Rest.ZERO if fill == "0" else Rest.FINITE
        return replace(found, text=self.where(mask, found.text, fill), rest=rest, is_atom=True, is_truth=False)

    def mask_of_rows(self, rows: int) -> str:
        """The mask of values that have so many dimensions behind those of the mask."""
        return f"{self.mask_text}.unsqueeze(-1)" if rows else self.text(self.mask)

    def where(self, mask: str, value: str, other: str) -> str:
        """``torch.where(mask, value, other)``."""
        spelled, imports = torch_name(self.context, "where", self.mask)
        self.imports += imports
        return f"{spelled}({mask}, {value}, {other})"

    # -- calls -----------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, rows: int) -> Spread | None:
        if works_on_rows(self.context, node):
            return self._row(node, node.args[0], rows)
        call = called(self.context, node)
        if call is None or not call.operands:
            return None
        operand, *others = call.operands
        others += call.keywords.values()
        name, full = call.name, self.context.resolve(node.func)
        if name in elements.ROWWISE_MODULES or full in elements.ROWWISE_FUNCTIONS:
            return self._row(node, operand, rows) if all(self.of(other) is None for other in others) else None
        is_raised = name == "pow" and len(others) == 1 and (number(others[0]) or 0) >= 1
        keeps_zero = name in elements.KEEPS_ZERO or is_raised
        if call.module is not None:
            return None
        if name in elements.LARGEST and len(call.operands) == 2 and not any(map(self._is_plain, call.operands)):
            return self._joined(node, call.operands, rows, is_linear=False)
        if name in elements.FINITE_AT_ONE and not others:
            found = self.of(operand, rows)
            if found is None or found.rest is not Rest.ANYTHING:
                return None
            found = self._filled(found, rows, "1")
            return replace(found, text=self.rebuilt(node, {operand: found}))
        if not (keeps_zero or name in elements.LINEAR | elements.FINITE_AT_ZERO):
            return None
        if name != "to" and not all(map(self._is_plain, others)):
            return None
        found = self.of(operand, rows) if name in elements.LINEAR else self.filled(operand, rows)
        if found is None:
            return None
        rest = Rest.FINITE if found.rest is Rest.ZERO and not keeps_zero else found.rest
        is_truth = name in elements.ASKING or (found.is_truth and name in elements.HANDING_ON)
        text = self.rebuilt(node, {operand: found})
        return replace(found, text=text, rest=rest, is_atom=True, is_truth=is_truth)

    def _row(self, node: ast.Call, operand: ast.expr, rows: int) -> Spread | None:
        """A module or function that works on each row by itself."""
        found = self.filled(operand, rows) if rows else None
        return found and replace(found, text=self.rebuilt(node, {operand: found}), rest=Rest.FINITE, is_atom=True)

    def _is_plain(self, node: ast.expr) -> bool:
        """One value, which every element meets."""
        if number(node) is not None or self.context.roles.is_(node, Role.NUMBER):
            return True
        return self.context.tensors.held(self.context.view.own, node).is_scalar

    # -- text ------------------------------------------------------------------------------------------

    @property
    def mask_text(self) -> str:
        """The mask, as what a method can be called on."""
        return factor(self.mask, self.text(self.mask))

    def text(self, node: ast.AST) -> str:
        """The text of a node in one line."""
        return one_line(self.context, node)

    def rebuilt(self, node: ast.expr, parts: dict[ast.expr, Spread]) -> str:
        """The text of a node with some of its parts written anew."""
        module = self.context.module
        whole = self.context.span(node)
        text, at = "", whole.start
        for part, written in sorted(parts.items(), key=lambda item: self.context.span(item[0]).start):
            span, has_parentheses = _with_parentheses(self.context, part)
            was_atom = isinstance(part, ATOMS) and not has_parentheses
            in_call = isinstance(module.parents[part], ast.Call) and not has_parentheses
            bare = in_call or not (was_atom or has_parentheses)
            text += module.text[at : span.start] + (written.text if bare else written.operand)
            at = span.end
        return in_one_line(text + module.text[at : whole.end])


def _with_parentheses(context: Context, node: ast.expr) -> tuple[Span, bool]:
    """The span of a node, with its own parentheses."""
    span, text = context.span(node), context.module.text
    before, after = text[: span.start].rstrip(), text[span.end :]
    behind = len(after) - len(after.lstrip())
    is_argument = isinstance(context.module.parents[node], ast.Call | ast.keyword)
    if is_argument or not before.endswith("(") or not after.lstrip().startswith(")"):
        return span, False
    return Span(len(before) - 1, span.end + behind + 1), True
