"""One name for the device where several sums of a function begin on that of the same model."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.rule import Import, InsertStatement

from ..._lib.host_reads.accumulation import Deferral
from ..._lib.host_reads.beginning import device_at
from ..._lib.host_reads.fillings import Form

_NAME = "device"


@dataclass(frozen=True)
class Device:
    """How the device is written where a sum begins, and what gives it its name."""

    text: str
    imports: tuple[Import, ...]
    edit: InsertStatement | None = None


def devices(context: Context, deferrals: Iterable[Deferral]) -> dict[ast.AST, Device]:
    """The device of each place where a sum begins: that of a model gets a name where it would be asked twice."""
    found: dict[ast.AST, Device] = {}
    asked: dict[tuple[int, str], list[ast.AST]] = {}
    for deferral in deferrals:
        for start in deferral.starts if deferral.form in (Form.SUM, Form.MEAN) else ():
            text, imports = device_at(context, start.node, deferral.fillings[0].loop)
            found[start.node] = Device(text, imports)
            if text.startswith("next("):
                block = context.module.block(context.module.statement(start.node))
                asked.setdefault((id(block), text), []).append(start.node)
    for (_, text), nodes in asked.items():
        first = min((context.module.statement(node) for node in nodes), key=lambda statement: statement.lineno)
        if _is_bound(context, text, first):
            found |= {node: Device(_NAME, ()) for node in nodes}
        elif len(nodes) > 1 and _is_free(context, first):
            edit = InsertStatement(context.span(first), f"{_NAME} = {text}", before=True)
            found |= {node: Device(_NAME, (), edit) for node in nodes}
    return found


def _is_bound(context: Context, text: str, statement: ast.stmt) -> bool:
    """Whether the name has been given to the device in front of a statement already, and to nothing else."""
    bindings = context.names.visible(_NAME, statement)
    value = bindings[0].value if len(bindings) == 1 else None
    if value is None or context.module.segment(value) != text:
        return False
    block = context.module.block(statement)
    made = context.module.statement(bindings[0].node)
    return made in block and block.index(made) < block.index(statement)


def _is_free(context: Context, statement: ast.stmt) -> bool:
    """Whether nothing in a file is called so: a function that had the name from elsewhere would lose it."""
    is_parameter = any(argument.arg == _NAME for argument in context.module.of_type(ast.arg))
    return not is_parameter and context.names.is_free(_NAME, statement)
