"""Structural edits on a small piece of source, with LibCST, so that commas, comments and blocks stay right.

Each function takes the text of one expression or statement and gives back the new text. LibCST is imported
here and only here: a run that edits nothing never pays for it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

import libcst as cst
import libcst.metadata

_Element = TypeVar("_Element", cst.Arg, cst.BaseDictElement, cst.ImportAlias)

_Space = cst.BaseParenthesizableWhitespace


class IslandError(Exception):
    """LibCST does not understand the piece; its text says why."""


def without_arguments(text: str, first: int, last: int) -> str:
    """The call `text` without the arguments `first` to `last` (from 0, in source order). Raises `IslandError`."""
    module, call = _expression(text)
    if not isinstance(call, cst.Call):
        raise IslandError("not a call")
    args = list(call.args)
    for index in range(last, first - 1, -1):
        end = args[-1]
        args = _without(args, index)
        if args and index == len(args):
            comma, space = _end(args[-1], end, end.whitespace_after_arg)
            args[-1] = args[-1].with_changes(comma=comma, whitespace_after_arg=space)
    if not args:
        return module.code_for_node(call.with_changes(args=[], whitespace_before_args=cst.SimpleWhitespace("")))
    return module.code_for_node(call.with_changes(args=args))


def without_item(text: str, index: int) -> str:
    """The dict display `text` without its item number `index` (from 0). Raises `IslandError`."""
    module, display = _expression(text)
    if not isinstance(display, cst.Dict):
        raise IslandError("not a dict display")
    elements = _without(display.elements, index)
    if not elements:
        return "{}"
    brace = display.rbrace
    if index == len(elements):
        comma, space = _end(elements[-1], display.elements[-1], brace.whitespace_before)
        elements[-1] = elements[-1].with_changes(comma=comma)
        brace = brace.with_changes(whitespace_before=space)
    return module.code_for_node(display.with_changes(elements=elements, rbrace=brace))


def without_names(text: str, indices: Collection[int]) -> str:
    """The import statement `text` without some of its names (from 0; not all). Raises `IslandError`."""
    module, statement = _small_statement(text)
    if not isinstance(statement, cst.Import | cst.ImportFrom) or isinstance(statement.names, cst.ImportStar):
        raise IslandError("not an import of names")
    names = list(statement.names)
    bracket = statement.rpar if isinstance(statement, cst.ImportFrom) else None
    space: _Space = bracket.whitespace_before if bracket is not None else cst.SimpleWhitespace("")
    for index in sorted(indices, reverse=True):
        last = names[-1]
        names = _without(names, index)
        if index == len(names):
            comma, space = _end(names[-1], last, space)
            names[-1] = names[-1].with_changes(comma=comma)
    if bracket is not None:
        return module.code_for_node(
            statement.with_changes(names=names, rpar=bracket.with_changes(whitespace_before=space))
        )
    return module.code_for_node(statement.with_changes(names=names))


def _end(new_last: _Element, last: _Element, space: _Space) -> tuple[cst.Comma | cst.MaybeSentinel, _Space]:
    """Comma and space behind the new last element, where `space` stood between the old one and the bracket.

    LibCST gives what follows a last comma to the comma or to the bracket, as the node pleases.
    """
    if not isinstance(last.comma, cst.Comma):
        return cst.MaybeSentinel.DEFAULT, _closing(new_last, space)
    if isinstance(last.comma.whitespace_after, cst.ParenthesizedWhitespace):
        behind = _closing(new_last, last.comma.whitespace_after)
        return last.comma.with_changes(whitespace_after=behind), space
    return last.comma, _closing(new_last, space)


def _closing(new_last: _Element, space: _Space) -> _Space:
    """What stands between the new last element and the bracket: its own comment, and the end as it was.

    `space` followed the element that goes, whose comment goes with it.
    """
    assert isinstance(new_last.comma, cst.Comma)
    before = new_last.comma.whitespace_after
    comment = before.first_line if isinstance(before, cst.ParenthesizedWhitespace) else None
    if isinstance(space, cst.ParenthesizedWhitespace):
        first_line = comment or space.first_line.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
        return space.with_changes(first_line=first_line)
    if isinstance(before, cst.ParenthesizedWhitespace) and before.first_line.comment is not None:
        return before.with_changes(empty_lines=[])
    return space


def with_own_lines(text: str, line: int, newline: str, unit: str) -> str:
    """The statements on one line (``if a: b; c`` or ``a; b``) written on lines of their own.

    `text` holds whole lines; `line` counts in it from 1; `unit` is one level of indentation. Other lines stay
    as they are. Raises `IslandError`.
    """
    indented = text[:1] in (" ", "\t")
    source = f"if 1:{newline}{text}" if indented else text
    try:
        module = cst.parse_module(source)
    except _REFUSALS as error:
        raise IslandError(str(error)) from None
    wrapper = cst.MetadataWrapper(module, unsafe_skip_copy=True)
    positions = wrapper.resolve(cst.metadata.PositionProvider)
    wanted = line + 1 if indented else line
    suites: set[cst.CSTNode] = {
        node
        for node, place in positions.items()
        if place.start.line <= wanted <= place.end.line
        and isinstance(node, cst.SimpleStatementSuite | cst.SimpleStatementLine)
    }
    code = wrapper.module.visit(_OwnLines(suites, newline, unit)).code
    return code[len(f"if 1:{newline}") :] if indented else code


class _OwnLines(cst.CSTTransformer):
    def __init__(self, chosen: set[cst.CSTNode], newline: str, unit: str) -> None:
        self.chosen = chosen
        self.end = cst.TrailingWhitespace(newline=cst.Newline(newline))
        self.unit = unit

    def leave_SimpleStatementSuite(
        self, original_node: cst.SimpleStatementSuite, updated_node: cst.SimpleStatementSuite
    ) -> cst.BaseSuite:
        if original_node not in self.chosen:
            return updated_node
        lines = self._lines(updated_node.body, updated_node.trailing_whitespace)
        return cst.IndentedBlock(lines, header=self.end, indent=self.unit)

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        if original_node not in self.chosen:
            return updated_node
        lines = self._lines(updated_node.body, updated_node.trailing_whitespace)
        lines[0] = lines[0].with_changes(leading_lines=updated_node.leading_lines)
        return cst.FlattenSentinel(lines)

    def _lines(
        self, statements: Sequence[cst.BaseSmallStatement], trailing: cst.TrailingWhitespace
    ) -> list[cst.SimpleStatementLine]:
        lines = [
            cst.SimpleStatementLine(
                [statement.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)], trailing_whitespace=self.end
            )
            for statement in statements
        ]
        last = statements[-1].semicolon
        if isinstance(last, cst.Semicolon) and trailing.comment is not None:
            trailing = trailing.with_changes(whitespace=last.whitespace_after)
        lines[-1] = lines[-1].with_changes(trailing_whitespace=trailing)
        return lines


_REFUSALS = (cst.ParserSyntaxError, cst.CSTValidationError, UnicodeError, RecursionError)


def _expression(text: str) -> tuple[cst.Module, cst.BaseExpression]:
    module, statement = _small_statement(text)
    if not isinstance(statement, cst.Expr):
        raise IslandError("not an expression")
    return module, statement.value


def _small_statement(text: str) -> tuple[cst.Module, cst.BaseSmallStatement]:
    """The one statement of a text, and the module that knows its newlines."""
    try:
        module = cst.parse_module(text)
    except _REFUSALS as error:
        raise IslandError(str(error)) from None
    line = module.body[0] if len(module.body) == 1 else None
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise IslandError("not one simple statement")
    return module, line.body[0]


def _without(elements: Sequence[_Element], index: int) -> list[_Element]:
    """The elements without one; where a line ended behind it, that line still ends there."""
    kept = [element for position, element in enumerate(elements) if position != index]
    if 0 < index < len(kept):
        comma, gone = kept[index - 1].comma, elements[index].comma
        if isinstance(comma, cst.Comma) and isinstance(gone, cst.Comma):
            space, end = comma.whitespace_after, gone.whitespace_after
            if isinstance(space, cst.SimpleWhitespace) and isinstance(end, cst.ParenthesizedWhitespace):
                blank = cst.SimpleWhitespace("")
                end = end.with_changes(first_line=end.first_line.with_changes(comment=None, whitespace=blank))
                kept[index - 1] = kept[index - 1].with_changes(comma=comma.with_changes(whitespace_after=end))
    return kept
