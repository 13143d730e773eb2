"""The text of a catalogue's target for one use: symbols spelled for the file, arguments put in."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from xlaport.context import Context
from xlaport.rule import Import
from xlaport.target import Symbol

_PART = re.compile(r"\{(?P<symbol>[\w.:]+)\}|\$(?P<argument>\w+)|\$\*")


class Unfit(Exception):
    """A target that cannot be written for this use; its text says why."""


def render(context: Context, target: str, parameters: Sequence[str], node: ast.expr) -> tuple[str, tuple[Import, ...]]:
    """The text of `target` at `node`, and the imports it needs. Raises `Unfit`.

    ``{meaning}`` is a symbol of the target, ``{module:attribute}`` any other; ``$name`` the argument for a
    parameter of the original, ``$*`` all of its arguments as they stand.
    """
    imports: list[Import] = []

    def part(match: re.Match[str]) -> str:
        if match["symbol"] is None:
            return (
                _arguments(context, node)
                if match["argument"] is None
                else _argument(context, match["argument"], parameters, node)
            )
        module, colon, attribute = match["symbol"].partition(":")
        if colon:
            text, wanted = context.spell(Symbol(Import(module, module), attribute), node)
        else:
            text, wanted = context.symbol(module, node)
        imports.extend(wanted)
        return text

    return _PART.sub(part, target), tuple(dict.fromkeys(imports))


def _arguments(context: Context, node: ast.expr) -> str:
    if not isinstance(node, ast.Call):
        raise Unfit("it is not called here")
    given = [*node.args, *node.keywords]
    if not given:
        return ""
    return context.module.text[context.span(given[0]).start : max(context.span(a).end for a in given)]


def _argument(context: Context, name: str, parameters: Sequence[str], node: ast.expr) -> str:
    if not isinstance(node, ast.Call):
        raise Unfit("it is not called here")
    if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        raise Unfit("its arguments are hidden behind a *")
    keyword = next((k.value for k in node.keywords if k.arg == name), None)
    position = parameters.index(name)
    value = keyword if keyword is not None else node.args[position] if position < len(node.args) else None
    if value is None:
        raise Unfit(f"it is called without {name}")
    return context.module.segment(value)
