"""Structural edits on a small piece of source, with LibCST, so that commas, comments and blocks stay right.

Each function takes the text of one expression or statement and gives back the new text. LibCST is imported
here and only here: a run that edits nothing never pays for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import libcst as cst
import libcst.metadata

_Element = TypeVar("_Element", cst.Arg, cst.BaseDictElement)


def without_argument(text: str, index: int) -> str:
    """The call `text` without its argument number `index` (from 0, in source order)."""
    call = cst.parse_expression(text)
    if not isinstance(call, cst.Call):
        raise ValueError("not a call")
    args = _without(call.args, index)
    if len(call.args) == 1:
        return _code(call.with_changes(args=[], whitespace_before_args=cst.SimpleWhitespace("")))
    if index == len(call.args) - 1:
        last = call.args[-1]
        args[-1] = args[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    return _code(call.with_changes(args=args))


def without_item(text: str, index: int) -> str:
    """The dict display `text` without its item number `index` (from 0)."""
    display = cst.parse_expression(text)
    if not isinstance(display, cst.Dict):
        raise ValueError("not a dict display")
    elements = _without(display.elements, index)
    if not elements:
        return "{}"
    if index == len(display.elements) - 1:
        elements[-1] = elements[-1].with_changes(comma=display.elements[-1].comma)
    return _code(display.with_changes(elements=elements))


def with_own_lines(text: str, line: int, newline: str) -> str:
    """The statements on one line (``if a: b; c`` or ``a; b``) written on lines of their own.

    `text` holds whole lines; `line` counts in it from 1. Other lines stay as they are.
    """
    indented = text[:1] in (" ", "\t")
    source = f"if 1:{newline}{text}" if indented else text
    module = cst.parse_module(source)
    wrapper = cst.MetadataWrapper(module, unsafe_skip_copy=True)
    positions = wrapper.resolve(cst.metadata.PositionProvider)
    wanted = line + 1 if indented else line
    suites: set[cst.CSTNode] = {
        node
        for node, place in positions.items()
        if place.start.line == wanted and isinstance(node, cst.SimpleStatementSuite | cst.SimpleStatementLine)
    }
    code = wrapper.module.visit(_OwnLines(suites)).code
    return code[len(f"if 1:{newline}") :] if indented else code


class _OwnLines(cst.CSTTransformer):
    def __init__(self, chosen: set[cst.CSTNode]) -> None:
        self.chosen = chosen

    def leave_SimpleStatementSuite(
        self, original_node: cst.SimpleStatementSuite, updated_node: cst.SimpleStatementSuite
    ) -> cst.BaseSuite:
        if original_node not in self.chosen:
            return updated_node
        return cst.IndentedBlock(_lines(updated_node.body, updated_node.trailing_whitespace))

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        if original_node not in self.chosen or len(updated_node.body) == 1:
            return updated_node
        lines = _lines(updated_node.body, updated_node.trailing_whitespace)
        lines[0] = lines[0].with_changes(leading_lines=updated_node.leading_lines)
        return cst.FlattenSentinel(lines)


def _lines(
    statements: Sequence[cst.BaseSmallStatement], trailing: cst.TrailingWhitespace
) -> list[cst.SimpleStatementLine]:
    lines = [
        cst.SimpleStatementLine([statement.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])
        for statement in statements
    ]
    lines[-1] = lines[-1].with_changes(trailing_whitespace=trailing)
    return lines


def _without(elements: Sequence[_Element], index: int) -> list[_Element]:
    return [element for position, element in enumerate(elements) if position != index]


def _code(node: cst.BaseExpression) -> str:
    return cst.Module([]).code_for_node(node)
