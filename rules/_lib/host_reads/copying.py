"""Objects that log statements show, ``progress.display(i)`` and ``print(losses)``: a closure gets a copy of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xlaport.context import Context
from xlaport.rule import Import
from xlaport.target import Symbol

from .showing_functions import contents, held_and_shown, is_shown, only_looks

_COPY = Symbol(Import("copy", "copy"), "deepcopy")


def shown_object(context: Context, call: ast.Call) -> ast.expr | None:
    """The object whose contents a method shows, if a copy of it does as well."""
    found = held_and_shown(context, call)
    return call.func.value if found is not None and isinstance(call.func, ast.Attribute) else None


def shows_objects(context: Context, statements: Sequence[ast.stmt]) -> bool:
    """Whether statements show what objects of the project hold of the device."""
    calls = [call for call in (is_shown(context, statement) for statement in statements) if call is not None]
    shown = [node for call in calls if (node := shown_object(context, call)) is not None]
    return any(_is_of_device(context, node) for node in shown) or bool(given_objects(context, statements))


def given_objects(context: Context, statements: Sequence[ast.stmt]) -> set[ast.expr]:
    """The names of objects that hold something of the device, and are shown as they are: not ``losses`` of
    ``losses.value``.
    """
    calls = [call for call in (is_shown(context, statement) for statement in statements) if call is not None]
    return {name for call in calls for name in _given(context, call) if _is_of_device(context, name)}


def _is_of_device(context: Context, node: ast.expr) -> bool:
    found = contents(context, node)
    return found is not None and found.on_device


def is_copied(context: Context, name: ast.Name) -> bool:
    """Whether a copy of an object shows the same in its statement as the object does now."""
    statement = context.module.statement(name)
    return contents(context, name) is not None and only_looks(context, statement, name)


def copy_of(context: Context, node: ast.expr, text: str) -> tuple[str, tuple[Import, ...]]:
    """The text of a copy, and what it needs."""
    copy, imports = context.spell(_COPY, node)
    return f"{copy}({text})", imports


def _given(context: Context, call: ast.Call) -> Iterator[ast.Name]:
    """The names of objects of the project that a call shows as they are: not ``losses`` of ``losses.value``."""
    for node in (part for given in (*call.args, *call.keywords) for part in ast.walk(given)):
        if isinstance(node, ast.Name) and not isinstance(context.module.parents[node], ast.Attribute):
            if context.flow.structure.instance_of(context.view.own, node) is not None:
                yield node
