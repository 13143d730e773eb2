"""Carry a known truth value outwards through the source, as far as it decides something."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.rule import Edit, Replace, Span

from ..parentheses import OPERANDS, with_own_lines
from ..removal import is_effect_free, removal
from . import branches

_GAP = r"(?:\s|\\|{paren}|#[^\n]*\n)*"
_KEYWORDS = frozenset("and or not if elif else in is return yield assert while await lambda".split())


class Fold:
    """What becomes of the code around an expression whose truth is known."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.module = context.module
        self.text = context.module.text

    def edits(self, node: ast.expr, truth: bool = True) -> tuple[Edit, ...]:
        """The edits that put in the place of `node` what follows from its being true, or false."""
        node, truth = self.decided(node, truth)
        return self.folded(node, truth) or (self._constant(node, truth),)

    def careful_edits(self, node: ast.expr, truth: bool) -> tuple[Edit, ...]:
        """As `edits`; where the side of an ``if`` that never runs does work of its own, both sides stay."""
        node, truth = self.decided(node, truth)
        if branches.missed(self.context, node, truth) is not None:
            return (self._constant(node, truth),)
        return self.edits(node, truth)

    def decided(self, node: ast.expr, truth: bool) -> tuple[ast.expr, bool]:
        """The outermost expression that the truth of `node` decides, and its truth."""
        while True:
            parent = self.module.parents[node]
            if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
                node, truth = parent, not truth
            elif isinstance(parent, ast.Compare) and (told := _compared(parent, node)) is not None:
                node, truth = parent, told is truth
            elif isinstance(parent, ast.Call) and self.context.resolve(parent.func) == "builtins.bool":
                node = parent
            elif isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.And) is not truth:
                if not self._decides(parent, node):
                    return node, truth
                node = parent
            else:
                return node, truth

    def folded(self, node: ast.expr, truth: bool) -> tuple[Edit, ...] | None:
        """The edits that do without a condition whose truth is known; None where a constant has to stand for it."""
        parent = self.module.parents[node]
        if isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.And) is truth:
            dropped = self._dropped(parent, node)
            return (dropped,) if dropped is not None else None
        if isinstance(parent, ast.IfExp) and node is parent.test:
            return (self._branch(parent, parent.body if truth else parent.orelse),)
        if isinstance(parent, ast.If) and node is parent.test:
            return branches.taken(self.context, parent, truth)
        if isinstance(parent, ast.Assert) and node is parent.test and truth:
            return (removal(self.context, parent),)
        if isinstance(parent, ast.While) and node is parent.test and not truth and not parent.orelse:
            return None if branches.shapes_function(parent.body) else (removal(self.context, parent),)
        if isinstance(parent, ast.comprehension) and truth:
            return self._unfiltered(node)
        return None

    def _unfiltered(self, node: ast.expr) -> tuple[Edit, ...] | None:
        """A comprehension without one of its conditions."""
        span = self.context.span(node)
        before = re.search(r"[ \t]+if[ \t]+$", self.text[: span.start])
        return (Replace(Span(before.start(), span.end), ""),) if before is not None else None

    def _constant(self, node: ast.expr, truth: bool) -> Edit:
        return Replace(with_own_lines(self.context, node), str(truth))

    # -- and, or ---------------------------------------------------------------------------------------

    def _decides(self, parent: ast.BoolOp, node: ast.expr) -> bool:
        """Whether an operand decides the whole, and nothing that is evaluated before it would be missed."""
        earlier = parent.values[: next(i for i, value in enumerate(parent.values) if value is node)]
        if not earlier:
            return True
        return all(is_effect_free(self.context, v) for v in earlier) and self._only_truth_counts(parent)

    def _only_truth_counts(self, node: ast.expr) -> bool:
        parent = self.module.parents[node]
        if isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert):
            return node is parent.test
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            return True
        return isinstance(parent, ast.BoolOp) and self._only_truth_counts(parent)

    def _dropped(self, parent: ast.BoolOp, node: ast.expr) -> Edit | None:
        """The edit that takes one operand out, with its ``and``/``or`` and its own parentheses."""
        extents = self._extents(parent)
        if extents is None:
            return None
        index = next(i for i, value in enumerate(parent.values) if value is node)
        own_lines = self._own_lines(extents, index)
        if own_lines is not None:
            return Replace(own_lines, "")
        whole = self.context.span(parent)
        if len(extents) == 2 and "\n" not in self.text[whole.start : whole.end]:
            rest = extents[1 - index]
            edit = self._replaced(whole, self.text[rest.start : rest.end], parent.values[1 - index])
            if edit.span != whole:
                return edit  # with the parentheses around it
            return Replace(Span(whole.start, rest.start) if index == 0 else Span(rest.end, whole.end), "")
        if index == 0:
            return Replace(Span(extents[0].start, extents[1].start), "")
        gap = Span(extents[index - 1].end, extents[index].end)
        return Replace(gap, "") if "#" not in self.text[gap.start : extents[index].start] else None

    def _extents(self, parent: ast.BoolOp) -> list[Span] | None:
        """The operands with the parentheses around them."""
        word = "and" if isinstance(parent.op, ast.And) else "or"
        pattern = re.compile(rf"({_GAP.format(paren='[)]')})\b{word}\b({_GAP.format(paren='[(]')})")
        whole = self.context.span(parent)
        starts, ends = [whole.start], []
        for left, right in zip(parent.values, parent.values[1:], strict=False):
            end, start = self.context.span(left).end, self.context.span(right).start
            match = pattern.fullmatch(self.text, end, start)
            if match is None:
                return None
            closing = match[1].rfind(")") if "#" not in match[1] else match[1].split("#")[0].rfind(")")
            opening = match[2].find("(") if "#" not in match[2] else -1
            ends.append(end + closing + 1)
            starts.append(match.start(2) + opening if opening >= 0 else start)
        return [Span(start, end) for start, end in zip(starts, [*ends, whole.end], strict=True)]

    def _own_lines(self, extents: list[Span], index: int) -> Span | None:
        """The lines of an operand that stands on them alone, its ``and`` before it, its comment behind it."""
        if index == 0:
            return None
        line = self.module.position(extents[index].start)[0]
        last = self.module.position(extents[index].end)[0]
        start, end = self.module.line_start(line), self.module.line_end(last)
        head = self.text[start : extents[index].start]
        tail = self.text[extents[index].end : end]
        alone = re.fullmatch(r"\s*(and|or)\s+", head) and re.fullmatch(r"\s*(#.*)?\s*", tail)
        behind = self.text[extents[index - 1].end : start]
        return Span(start, end) if alone and "\\" not in behind else None

    # -- conditional expressions -----------------------------------------------------------------------

    def _branch(self, parent: ast.IfExp, branch: ast.expr) -> Edit:
        text = self.module.segment(branch)
        outer = self.module.parents[parent]
        if isinstance(outer, ast.Assign) and [ast.unparse(t) for t in outer.targets] == [ast.unparse(branch)]:
            return removal(self.context, outer)  # `model = model`
        lines = "\n" in text or "\r" in text
        weak = isinstance(
            branch, ast.IfExp | ast.BoolOp | ast.Lambda | ast.Compare | ast.BinOp | ast.UnaryOp | ast.NamedExpr
        )
        if weak or lines:
            simple = isinstance(outer, ast.Assign | ast.AnnAssign | ast.Return | ast.keyword | ast.For)
            enclosed = isinstance(branch, ast.Call | ast.Dict | ast.List | ast.Tuple)
            if not simple or (lines and not enclosed) or isinstance(branch, ast.NamedExpr):
                return Replace(self.context.span(parent), f"({text})")
        own_lines = with_own_lines(self.context, parent)
        if own_lines != self.context.span(parent) and not lines:
            return Replace(own_lines, text)
        return self._replaced(self.context.span(parent), text, branch)

    def _replaced(self, span: Span, text: str, node: ast.expr) -> Replace:
        """`text`, the source of `node`, in the place of `span`, without parentheses that it does not need."""
        before, after = self.text[: span.start].rstrip(" \t"), self.text[span.end :]
        is_atom = isinstance(node, OPERANDS) or text.startswith("(")
        if is_atom and before.endswith("(") and (closing := re.match(r"[ \t]*\)", after)):
            head = before[:-1].rstrip(" \t")
            word = re.search(r"\w*$", head)
            assert word is not None
            if word[0] in _KEYWORDS or not head.endswith((")", "]", "}", '"', "'", *word[0][-1:])):
                space = " " if word[0] and head == before[:-1] else ""
                rest = " " if re.match(r"\w", after[closing.end() :]) else ""
                return Replace(Span(len(before) - 1, span.end + closing.end()), f"{space}{text}{rest}")
        return Replace(span, text)


def _compared(parent: ast.Compare, node: ast.expr) -> bool | None:
    """Whether a comparison of `node` with True or False asks for its being true; None for other comparisons."""
    if len(parent.ops) != 1:
        return None
    other = parent.comparators[0] if parent.left is node else parent.left
    if not isinstance(other, ast.Constant) or not isinstance(other.value, bool):
        return None
    if isinstance(parent.ops[0], ast.Eq | ast.Is):
        return other.value
    return not other.value if isinstance(parent.ops[0], ast.NotEq | ast.IsNot) else None
