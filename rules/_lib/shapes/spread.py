"""An expression of selected values as it is written over all places."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.rule import Span

from ..one_line import in_one_line
from ..parentheses import ATOMS
from .elements import Rest


@dataclass(frozen=True)
class Spread:
    """An expression over all places. `rest` is None for what is one value again, a sum or a loss."""

    text: str
    rest: Rest | None
    rows: int | None = None
    """The dimensions behind those of the mask; None: not known, and one at most if a classification ends it."""
    is_truth: bool = False
    is_atom: bool = True
    is_proven: bool = True
    """Whether `rows` is known, or has to be that of another operand."""
    is_counted: bool = True
    """Whether there are as many values as the mask has true places: it may be broadcast by `masked_select`."""

    @property
    def operand(self) -> str:
        """The text as a part of a larger expression."""
        return self.text if self.is_atom else f"({self.text})"


def rebuilt(context: Context, node: ast.expr, parts: dict[ast.expr, Spread]) -> str:
    """The text of a node with some of its parts written anew."""
    module = context.module
    whole = context.span(node)
    text, at = "", whole.start
    for part, written in sorted(parts.items(), key=lambda item: context.span(item[0]).start):
        span, has_parentheses = _with_parentheses(context, part)
        was_atom = isinstance(part, ATOMS) and not has_parentheses
        in_call = isinstance(module.parents[part], ast.Call) and not has_parentheses
        bare = written.is_atom or in_call or not (was_atom or has_parentheses)
        text += module.text[at : span.start] + (written.text if bare else f"({written.text})")
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
