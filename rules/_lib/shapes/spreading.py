"""Computations with what a mask selects, written over all places: `torch.where(mask, a - b, 0).abs()`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.literals import number
from xlaport.facts.names import Binding, How
from xlaport.facts.role import Role
from xlaport.rule import Import

from ..host_reads.device_values import torch_name
from ..one_line import one_line
from ..parentheses import ATOMS
from . import elements
from .elements import Rest
from .operation import Call, called
from .rowwise import works_on_rows
from .selection import Selection, rows_behind, selection
from .spread import Spread, rebuilt
from .standing import is_repeatable, means_the_same

_LAST = ("dim=-1", "axis=-1", "-1")
_MAX_DEPTH = 30


End = Callable[["Spreading", ast.Call, Call], Spread | None]


class Spreading:
    """Writes expressions of selected values over all places. All selections are through one mask."""

    def __init__(self, context: Context, mask: ast.expr, end: End, assumed: int | None) -> None:
        """`end` writes what makes one value of selected ones.

        `assumed`: the dimensions behind the mask of tensors of which they are not known; what ends such a computation
        has to show that they are right.
        """
        self.context = context
        self.mask = mask
        self.end = end
        self.assumed = assumed
        self.selections: dict[ast.expr, Selection] = {}
        self.bindings: dict[Binding, Spread] = {}
        """The names that stand for selected values."""
        self.imports: tuple[Import, ...] = ()
        self.fills = False
        """Whether a number is put into places that the mask leaves out."""
        self._tensors = context.tensors
        self._known: dict[ast.expr, Spread | None] = {}
        self._open: set[object] = set()

    # -- expressions -----------------------------------------------------------------------------------

    def of(self, node: ast.expr) -> Spread | None:
        """An expression over all places; None where it is not made of selected values, or cannot be written so."""
        if node in self._known:
            return self._known[node]
        if node in self._open or len(self._open) > _MAX_DEPTH:
            return None
        self._open.add(node)
        try:
            found = self._find(node)
        finally:
            self._open.discard(node)
        self._known[node] = found
        return found

    def _find(self, node: ast.expr) -> Spread | None:
        selected = selection(self.context, node)
        if selected is not None:
            return self._selected(selected)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            joined = self._joined(node, [node.left, node.comparators[0]])
            return replace(joined, rest=Rest.ANYTHING, is_truth=True, is_atom=False) if joined is not None else None
        return self._call(node) if isinstance(node, ast.Call) else None

    def _selected(self, found: Selection) -> Spread | None:
        if not self.is_same_mask(found.mask) or not is_repeatable(self.context, found.mask):
            return None
        known = rows_behind(self.context, found.tensor, found.mask) if found.is_index else 0
        rows = self.assumed if known is None else known
        self.selections[found.node] = found
        held = self._tensors.held(self.context.view.own, found.tensor)
        return Spread(
            self.text(found.tensor),
            Rest.ANYTHING,
            rows,
            held.kind is Kind.BOOL,
            isinstance(found.tensor, ATOMS),
            known is not None,
            found.is_index or rows_behind(self.context, found.tensor, found.mask) == 0,
        )

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

    def _name(self, node: ast.Name) -> Spread | None:
        found = self.context.names.reaching(node)
        if len(found) != 1:
            return None
        value = bound_to(found[0])
        spread = self.of(value) if value is not None else None
        if spread is None or spread.rest is None:
            return None
        spread = replace(spread, text=node.id, is_atom=True)
        self.bindings[found[0]] = spread
        return spread

    def _unary(self, node: ast.UnaryOp) -> Spread | None:
        operand = self.of(node.operand)
        if operand is None or operand.rest is None or isinstance(node.op, ast.Not):
            return None
        text = rebuilt(self.context, node, {node.operand: operand})
        return replace(operand, text=text, is_atom=False)

    # -- operators -------------------------------------------------------------------------------------

    def _arithmetic(self, node: ast.BinOp) -> Spread | None:
        sides = [node.left, node.right]
        match node.op:
            case ast.Add() | ast.Sub():
                return self._joined(node, sides)
            case ast.BitAnd() | ast.BitOr() | ast.BitXor():
                joined = self._joined(node, sides)
                return joined if joined is not None and joined.is_truth else None
            case ast.Mult():
                if any(number(side) is not None for side in sides):
                    return self._joined(node, sides)
                return self._joined(node, sides, zeroed=True)
            case ast.Div():
                return self._quotient(node)
            case ast.Pow():
                base = self.filled(node.left, "0") if (number(node.right) or 0) >= 1 else None
                if base is None:
                    return None
                return replace(base, text=rebuilt(self.context, node, {node.left: base}), is_atom=False)
        return None

    def _quotient(self, node: ast.BinOp) -> Spread | None:
        if number(node.right) not in (None, 0):
            return self._joined(node, [node.left, node.right])
        above, below = self.of(node.left), self.of(node.right)
        if below is None or below.rest is None:
            filled = self.filled(node.left, "0") if self.is_plain(node.right) else None
            if filled is None:
                return None
            # Zero over zero is none: a number of places may be zero.
            text = rebuilt(self.context, node, {node.left: filled})
            return replace(filled, text=text, rest=Rest.FINITE, is_atom=False)
        if below.rest is not Rest.ANYTHING:
            return None
        one = self.filled(node.right, "1")
        if above is None and not self.is_plain(node.left):
            return None
        if one is None or above is None or above.rest is None:
            return one and replace(one, text=rebuilt(self.context, node, {node.right: one}), is_atom=False)
        zero = self.filled(node.left, "0", below.rows)
        one = self.filled(node.right, "1", above.rows)
        if zero is None or one is None:
            return None
        text = rebuilt(self.context, node, {node.left: zero, node.right: one})
        return replace(zero, text=text, is_atom=False, is_proven=above.is_proven or below.is_proven)

    def _joined(self, node: ast.expr, operands: Sequence[ast.expr], zeroed: bool = False) -> Spread | None:
        """Several operands, of which one at least is selected, element by element.

        `zeroed`: the derivative of the operation is that of the other operand, so that anything has to become zero.
        """
        parts = [self.of(operand) for operand in operands]
        spreads = [part for part in parts if part is not None and part.rest is not None]
        plain = [o for o, part in zip(operands, parts, strict=True) if part is None or part.rest is None]
        if not spreads or not all(self.is_plain(o) for o in plain):
            return None
        rests = {part.rest for part in spreads}
        known = {part.rows for part in spreads if part.rows is not None}
        if len(known) > 1:
            return None
        rows = known.pop() if known else None
        if zeroed or (Rest.ANYTHING in rests and len(rests) > 1):
            filled = [
                self.filled(o, "0", rows) if part is not None and part.rest is not None else part
                for o, part in zip(operands, parts, strict=True)
            ]
            if any(part is None and self.of(o) is not None for o, part in zip(operands, filled, strict=True)):
                return None
            parts = filled
            rests = {part.rest for part in parts if part is not None and part.rest is not None}
        rest = Rest.ANYTHING if Rest.ANYTHING in rests else Rest.FINITE
        if Rest.ANYTHING not in rests and (rests == {Rest.ZERO} or zeroed):
            adds = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and plain
            is_known = all(number(o) is not None for o in plain)  # zero times infinity is no zero
            rest = Rest.ZERO if is_known and not adds else Rest.FINITE
        text = rebuilt(
            self.context, node, {o: part for o, part in zip(operands, parts, strict=True) if part is not None}
        )
        truth = all(part is not None and part.is_truth for part in parts)
        proven = any(part.is_proven for part in spreads)
        return Spread(text, rest, rows, truth, isinstance(node, ast.Call), proven, any(p.is_counted for p in spreads))

    def filled(self, node: ast.expr, fill: str = "0", rows: int | None = None) -> Spread | None:
        """A selected operand with a number in the places that the mask leaves out; what is zero there stays as it is.

        `rows`: the dimensions behind the mask, where another operand tells them.
        """
        found = self.of(node)
        if found is None or found.rest is None:
            return None
        if found.rest is not Rest.ANYTHING:
            return found if fill == "0" else None
        rows = found.rows if found.rows is not None else rows
        if rows not in (0, 1, None):
            return None
        where, imports = torch_name(self.context, "where", node)
        self.imports += imports
        self.fills = True
        mask = self.mask_text(rows)
        rest = Rest.ZERO if fill == "0" else Rest.FINITE
        text = f"{where}({mask}, {found.text}, {fill})"
        return Spread(text, rest, 1 if rows is None else rows, is_proven=found.is_proven, is_counted=found.is_counted)

    def mask_text(self, rows: int | None = 0) -> str:
        """The mask, with a dimension for rows where the tensor has one more."""
        mask = Spread(self.text(self.mask), None, is_atom=isinstance(self.mask, ATOMS))
        return mask.text if rows == 0 else f"{mask.operand}.unsqueeze(-1)"

    # -- calls -----------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Spread | None:
        if works_on_rows(self.context, node):
            return self._row(node, node.args[0])
        call = called(self.context, node)
        if call is None or not call.operands:
            return None
        found = self.end(self, node, call)
        if found is not None:
            return found
        if call.name in elements.ROWWISE_MODULES or self.context.resolve(node.func) in elements.ROWWISE_FUNCTIONS:
            if any(self.of(o) is not None for o in [*call.operands[1:], *call.keywords.values()]):
                return None
            return self._row(node, call.operands[0])
        if call.module is not None:
            return None
        first = self.of(call.operands[0])
        if first is None or first.rest is None:
            return self._joined_call(node, call) if self._is_of_two(call) else None
        if call.name in ("view", "reshape"):
            return self._viewed(node, call, first)
        others = [*call.operands[1:], *call.keywords.values()]
        if self._is_of_two(call):
            return self._joined_call(node, call)
        if any(self.of(o) is not None for o in others):
            return None
        if call.name in elements.OF_LAST_DIMENSION:
            return self._along_last(node, call, first)
        truth = first.is_truth and call.name in ("detach", "clone", "contiguous", "logical_not", "bitwise_not")
        return self._elementwise(node, call, first, truth or call.name in ("isnan", "isinf", "isfinite", "bool"))

    def _elementwise(self, node: ast.Call, call: Call, first: Spread, truth: bool) -> Spread | None:
        operand, name = call.operands[0], call.name
        others = [*call.operands[1:], *call.keywords.values()]
        if name != "to" and any(self.context.roles.is_(o, Role.TENSOR) and not self.is_plain(o) for o in others):
            return None  # one for each of the selected, perhaps
        if first.rest is Rest.ANYTHING and name not in elements.LINEAR:
            if name in elements.KEEPS_ZERO | elements.FINITE_AT_ZERO or self._is_raised(call):
                filled = self.filled(operand, "0")
            else:
                filled = self.filled(operand, "1") if name in elements.FINITE_AT_ONE else None
            if filled is None:
                return None
            first = filled
        elif not (name in elements.LINEAR | elements.KEEPS_ZERO | elements.FINITE_AT_ZERO or self._is_raised(call)):
            return None
        rest = first.rest
        if rest is Rest.ZERO and not (name in elements.KEEPS_ZERO or self._is_raised(call)):
            rest = Rest.FINITE
        return Spread(
            rebuilt(self.context, node, {operand: first}),
            rest,
            first.rows,
            truth,
            is_proven=first.is_proven,
            is_counted=first.is_counted,
        )

    def _is_raised(self, call: Call) -> bool:
        """``x.pow(2)``."""
        return call.name == "pow" and len(call.operands) == 2 and (number(call.operands[1]) or 0) >= 1

    def _is_of_two(self, call: Call) -> bool:
        """``torch.add(x, y)``, and ``torch.max(x, y)``, whose second operand is no dimension."""
        if call.name in ("max", "min"):
            return len(call.operands) == 2 and all(self.of(o) is not None for o in call.operands)
        return call.name in elements.PAIRWISE

    def _joined_call(self, node: ast.Call, call: Call) -> Spread | None:
        if len(call.operands) != 2 or call.keywords:
            return None
        # Those that remember their operands must not remember a tensor that is written to.
        zeroed = call.name in elements.LARGEST | {"mul", "multiply"}
        joined = self._joined(node, call.operands, zeroed)
        if joined is not None and call.name in elements.COMPARING:
            return replace(joined, rest=Rest.ANYTHING, is_truth=True)
        if joined is not None and joined.rest is Rest.ZERO and call.name in elements.LARGEST:
            return joined if all(self.of(o) is not None for o in call.operands) else replace(joined, rest=Rest.FINITE)
        return joined

    def _along_last(self, node: ast.Call, call: Call, first: Spread) -> Spread | None:
        """``argmax(-1)`` and ``softmax(dim=-1)`` of rows."""
        given = [self.text(a) for a in call.operands[1:]]
        given += [f"{name}={self.text(value)}" for name, value in call.keywords.items()]
        if len(given) != 1 or given[0] not in _LAST or first.rows == 0:
            return None
        text = rebuilt(self.context, node, {call.operands[0]: first})
        if call.name.startswith("arg"):
            rows = None if first.rows is None else first.rows - 1
            return Spread(text, Rest.ANYTHING, rows, is_proven=first.is_proven, is_counted=first.is_counted)
        if first.rows is None:
            return None
        if first.rest is Rest.ANYTHING:
            filled = self.filled(call.operands[0], "0")
            if filled is None:
                return None
            text = rebuilt(self.context, node, {call.operands[0]: filled})
        return Spread(text, Rest.FINITE, first.rows, is_proven=first.is_proven, is_counted=first.is_counted)

    def _row(self, node: ast.Call, operand: ast.expr) -> Spread | None:
        """A module or function that works on each row by itself."""
        first = self.filled(operand, "0")
        if first is None or first.rows == 0:
            return None
        text = rebuilt(self.context, node, {operand: first})
        return Spread(text, Rest.FINITE, first.rows, is_proven=first.is_proven, is_counted=first.is_counted)

    def _viewed(self, node: ast.Call, call: Call, first: Spread) -> Spread | None:
        """``x[mask].view(-1, n)``, which leaves rows as they are: over all places, nothing is left to do."""
        shape = [self.text(o) for o in call.operands[1:]]
        if shape == ["-1"] and first.rows == 0:
            return first
        if len(shape) == 2 and shape[0] == "-1" and first.rows in (None, 1):
            return first
        return None

    # -- text ------------------------------------------------------------------------------------------

    def is_plain(self, node: ast.expr) -> bool:
        """One value, which every element meets."""
        found = self.of(node)
        if found is not None:
            return found.rest is None
        if number(node) is not None or self.context.roles.is_(node, Role.NUMBER):
            return True
        return self._tensors.held(self.context.view.own, node).is_scalar

    def text(self, node: ast.AST) -> str:
        """The text of a node in one line."""
        return one_line(self.context, node)


def bound_to(binding: Binding) -> ast.expr | None:
    """The expression of an assignment that gives a name its value: also its part of ``a, b = x, y``."""
    if binding.how is How.ASSIGN:
        return binding.value
    if binding.how is How.UNPACK and isinstance(binding.value, ast.Tuple) and binding.index is not None:
        elements_of = binding.value.elts
        return elements_of[binding.index] if binding.index < len(elements_of) else None
    return None
