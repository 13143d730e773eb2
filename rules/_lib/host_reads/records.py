"""Dicts of what was read: ``{"loss": loss.item(), "accuracy": accuracy.item()}``, and what their uses do.

Such a dict may hold tensors wherever its uses are known: those of one of its values, those that put it as a whole into
a list that is read later, and those that need it now and then, where another dict, of numbers, takes its place.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Collection, Mapping, Sequence

from xlaport.context import Context
from xlaport.facts.held import Held, Kind
from xlaport.facts.roles import Role

from .outputs import shown
from .refused import Refused


class Others(enum.IntEnum):
    """What a dict has beside what was read; of two dicts that become one, the greater."""

    NONE = 0
    FLOATS = 1
    ANY = 2


_LOOKING = ("items", "values", "get", "copy")
_HARMLESS = frozenset({"json.dumps", "json.dump", "pprint.pprint", "pprint.pformat", "copy.copy", "copy.deepcopy"})


def parts(context: Context, value: ast.expr) -> dict[str, ast.expr] | None:
    """The values of a dict by their keys, if all keys are spelled out; None for anything else."""
    if isinstance(value, ast.Dict):
        pairs = [(_text(key), part) for key, part in zip(value.keys, value.values, strict=True)]
    elif isinstance(value, ast.Call) and context.resolve(value.func) == "builtins.dict" and not value.args:
        pairs = [(keyword.arg, keyword.value) for keyword in value.keywords]
    else:
        return None
    found = {key: part for key, part in pairs if key is not None}
    return found if len(found) == len(pairs) else None


def put_into(context: Context, target: ast.Name) -> dict[str, tuple[ast.Name, ast.expr]] | None:
    """What is put into a new dict by its keys, ``losses["d"] = loss.item()``, with the use of its name that does it.

    None where a key is no text, or has more than one value.
    """
    found: dict[str, tuple[ast.Name, ast.expr]] = {}
    for use in context.names.uses_of(target):
        place = context.module.parents[use]
        if not isinstance(place, ast.Subscript) or place.value is not use or not isinstance(place.ctx, ast.Store):
            continue
        if [binding.node for binding in context.names.reaching(use)] != [target]:
            continue
        key, statement = _text(place.slice), context.module.parents[place]
        is_plain = isinstance(statement, ast.Assign) and len(statement.targets) == 1
        if key is None or key in found or not isinstance(statement, ast.Assign) or not is_plain:
            return None
        found[key] = (use, statement.value)
    return found


def others(context: Context, values: Sequence[ast.expr]) -> Others:
    """What values are that were not read."""
    held = [context.tensors.held(context.view.own, value) for value in values if not isinstance(value, ast.Starred)]
    plain = all(context.roles.is_(value, Role.NUMBER) for value in values)
    if not held:
        return Others.NONE
    return Others.FLOATS if plain and all(each.kind is Kind.FLOAT for each in held) else Others.ANY


def put_beside(context: Context, node: ast.expr, keys: Collection[object]) -> ast.expr | None:
    """What a use puts into a dict under another key than those of what was read: ``metrics["time"] = seconds``."""
    place = context.module.parents[node]
    statement = context.module.parents[place]
    if not isinstance(place, ast.Subscript) or place.value is not node or not isinstance(place.ctx, ast.Store):
        return None
    is_plain = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    key = _text(place.slice)
    is_other = key is not None and key not in keys
    return statement.value if isinstance(statement, ast.Assign) and is_plain and is_other else None


def _text(key: ast.expr | None) -> str | None:
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def of_items(node: ast.expr) -> ast.expr | None:
    """The dict whose items an expression gives: ``metrics`` of ``metrics.items()``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "items":
        return node.func.value
    return None


def reading(keys: Collection[str], others: bool) -> tuple[str, ...]:
    """What stands before, between and behind the mentions of a dict where numbers are made of its values.

    `others`: it has values that were not read.
    """
    if not others:
        return "{name: value.item() for name, value in ", ".items()}"
    text = "{**\0"
    for key in keys:
        quoted = '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'
        text += f", {quoted}: \0[{quoted}].item()"
    return tuple(f"{text}}}".split("\0"))


def element(context: Context, node: ast.expr, held: Mapping[str, Held], others: bool) -> tuple[ast.expr, Held] | None:
    """What a use of a dict takes out of it, if it was read, and what that is on the device. Raises `Refused`."""
    parent = context.module.parents[node]
    if not isinstance(parent, ast.Subscript) or parent.value is not node:
        return None
    if not isinstance(parent.ctx, ast.Load):
        raise Refused("changes it as well", node)
    key = _text(parent.slice)
    if key is not None:
        return (parent, held[key]) if key in held else None
    if others or len(set(held.values())) > 1:
        raise Refused("takes a value of it that is not known", node)
    return parent, next(iter(held.values()))


def is_free(context: Context, node: ast.expr) -> bool:
    """Whether a use needs none of the values: ``for name in metrics``, ``"loss" in metrics``, another value of it."""
    parent = context.module.parents[node]
    match parent:
        case ast.Expr():
            return True
        case ast.Subscript():
            return parent.value is node and _text(parent.slice) is not None
        case ast.Attribute():
            return parent.attr == "keys"
        case ast.Compare():
            return node in parent.comparators and isinstance(parent.ops[0], ast.In | ast.NotIn)
        case ast.If() | ast.While():
            return True
        case ast.UnaryOp():
            return isinstance(parent.op, ast.Not)
        case ast.For() | ast.comprehension():
            return parent.iter is node
        case ast.Call():
            return node in parent.args and context.resolve(parent.func) == "builtins.len"
        case _:
            return False


def check_whole(context: Context, node: ast.expr, is_last: bool) -> None:
    """Raises `Refused` where another dict with the same values could not take a dict's place.

    `is_last`: nothing looks at the dict after that, so that it does not matter whether it is changed.
    """
    parent = context.module.parents[node]
    if isinstance(node, ast.Call):
        return  # nobody else has it
    match parent:
        case ast.Attribute():
            if parent.attr not in _LOOKING or not isinstance(context.module.parents[parent], ast.Call):
                raise Refused("may change it", node)
        case ast.keyword(arg=None) | ast.Dict() | ast.FormattedValue() | ast.Return():
            return
        case ast.Tuple() if isinstance(context.module.parents[parent], ast.Return):
            return
        case ast.Call() | ast.keyword():
            call = parent if isinstance(parent, ast.Call) else context.module.parents[parent]
            assert isinstance(call, ast.Call)
            called = context.resolve(call.func) or ""
            if called.startswith("builtins.") or called in _HARMLESS or _is_log(context, call) or is_last:
                return
            if _appends(call, node):
                return
            raise Refused("hands it on to code that may change it, and uses it elsewhere", node)
        case _:
            raise Refused("keeps it where it cannot be followed", node)


def _is_log(context: Context, call: ast.Call) -> bool:
    statement = context.module.parents[call]
    return isinstance(statement, ast.Expr) and shown(context, statement) is call


def _appends(call: ast.Call, node: ast.expr) -> bool:
    func = call.func
    return isinstance(func, ast.Attribute) and func.attr == "append" and call.args == [node]


def is_appended(context: Context, node: ast.expr) -> bool:
    """Whether a use puts a dict into a list, which has it from then on."""
    call = context.module.parents[node]
    return isinstance(call, ast.Call) and _appends(call, node)
