"""The text of a catalogue's target for one use: symbols spelled for the file, arguments put in."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from xlaport.context import Context
from xlaport.rule import Import
from xlaport.target import Symbol

from .arguments import by_parameter, hides_arguments
from .parentheses import factor
from .removal import is_effect_free

_PART = re.compile(r"\{(?P<symbol>[\w.:]+)\}|\$(?P<argument>\w+)|\$\*\*?")


class Unfit(Exception):
    """A target that cannot be written for this use; its text says why."""


def render(context: Context, target: str, parameters: Sequence[str], node: ast.expr) -> tuple[str, tuple[Import, ...]]:
    """The text of `target` at `node`, and the imports it needs. Raises `Unfit`.

    ``{meaning}`` is a symbol of the target, ``{module:attribute}`` any other; ``$name`` the argument for a
    parameter of the original, ``$*`` all of its arguments as they stand (those of `parameters`, where there are any),
    ``$**`` the same, where all stand by name.
    """
    imports: list[Import] = []
    _check_arguments(context, target, parameters, node)

    def part(match: re.Match[str]) -> str:
        if match["symbol"] is None:
            if match["argument"] is None:
                return _arguments(context, node)
            value = _argument(context, match["argument"], parameters, node)
            text, is_whole = context.module.segment(value), match[0] == target
            return factor(value, text) if is_whole or target[match.end() :].startswith((".", "(")) else text
        module, colon, attribute = match["symbol"].partition(":")
        if colon:
            text, wanted = context.spell(Symbol(Import(module, module), attribute), node)
        else:
            text, wanted = context.symbol(module, node)
        imports.extend(wanted)
        return text

    return _PART.sub(part, target), tuple(dict.fromkeys(imports))


def in_words(context: Context, target: str) -> str:
    """The text of `target` for a message: names in full, arguments as ``…``."""

    def part(match: re.Match[str]) -> str:
        if match["symbol"] is None:
            return "…"
        module, colon, attribute = match["symbol"].partition(":")
        return f"{module}.{attribute}" if colon else context.target.symbol(module).qualified

    return _PART.sub(part, target)


def on_one_line(text: str) -> str:
    """A text for a message; a call over several lines without its arguments."""
    return text if "\n" not in text and "\r" not in text else f"{text.partition('(')[0]}(…)"


def _check_arguments(context: Context, target: str, parameters: Sequence[str], node: ast.expr) -> None:
    """Raises `Unfit` where an argument would be lost that has an effect, or whose meaning is not known."""
    if not isinstance(node, ast.Call) or (not parameters and "$*" in target):
        return
    if "$**" in target and node.args:
        raise Unfit("it has an argument without its name")
    if "$" in target and hides_arguments(node):
        raise Unfit("its arguments are hidden behind a *")
    if len(node.args) > len(parameters) or any(k.arg not in parameters for k in node.keywords):
        raise Unfit("it has an argument that the catalogue does not know")
    if "$*" in target:
        return
    kept = {value for name, value in by_parameter(node, parameters).items() if f"${name}" in target}
    passed = (*node.args, *(keyword.value for keyword in node.keywords))
    if not is_effect_free(context, *(value for value in passed if value not in kept)):
        raise Unfit("an argument that goes has an effect")


def _arguments(context: Context, node: ast.expr) -> str:
    if not isinstance(node, ast.Call):
        raise Unfit("it is not called here")
    text = context.module.text
    return text[text.index("(", context.span(node.func).end) + 1 : context.span(node).end - 1]


def _argument(context: Context, name: str, parameters: Sequence[str], node: ast.expr) -> ast.expr:
    if not isinstance(node, ast.Call):
        raise Unfit("it is not called here")
    passed = by_parameter(node, parameters)
    if name not in passed:
        raise Unfit(f"it is called without {name}")
    return passed[name]
