"""Texts that name a device, and devices: where those stand that a value may be, and what hands them on."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from xlaport.analysis.definitions import Cell, Options
from xlaport.analysis.frame import Frame
from xlaport.analysis.value import DEVICE, NUMBER, PLACE, TEXT, UNKNOWN, Site, Value, held, joined
from xlaport.facts.module import last_name
from xlaport.facts.options import HOLDERS, choices, option_name

_SAME = frozenset({"builtins.str", "builtins.int", "copy.copy", "copy.deepcopy"})
"""Functions whose result has the value of their argument."""
_ONE_OF = frozenset({"builtins.max", "builtins.min"})
_SAME_METHODS = frozenset({"lower", "upper", "strip", "casefold"})
SPLITTING = frozenset({"split", "rsplit", "partition", "rpartition"})
DEFAULTING = frozenset({"get", "pop", "setdefault", "getenv"})
_DEFAULTS = frozenset({"field", "Field", "Option", "Argument"})
"""What stands for the default of a field or an option."""
_ADDING = frozenset({"add_argument", "add_option"})
_SETTING = "set_defaults"
_DECLARING = frozenset({"option", "argument"})
GROUPING = frozenset({"add_argument_group", "add_mutually_exclusive_group", "add_subparsers", "add_parser"})
_FLAG = "DEFINE_string"
_NOTED = frozenset({*_ADDING, _SETTING, _FLAG})
_SHARED = "flags of absl, and parts of settings: all files share them"
_NUMBERS = frozenset({"device_count", "current_device"})
_OF_DEVICES = ("torch.cuda.", "torch.accelerator.")
LITERALS = frozenset({"typing.Literal", "typing_extensions.Literal"})

Places = frozenset[Site]
_NOWHERE = Places()


def of_text(node: ast.expr, frame: Frame) -> Places:
    """Where a text stands, if it begins like the name of a device: ``"cuda"``, ``f"cuda:{rank}"``, ``"cuda:" + n``.

    What such a name is put an index to, is that: ``f"{kind}:{rank}"``.
    """
    parts = node.values if isinstance(node, ast.JoinedStr) else []
    if parts and isinstance(parts[0], ast.FormattedValue) and all(map(_is_index, parts[1:2])):
        return frame.around.values[parts[0].value].places
    first = node
    while not isinstance(first, ast.Constant):
        if isinstance(first, ast.BinOp):
            first = first.left
        elif isinstance(first, ast.JoinedStr) and first.values:
            first = first.values[0]
        elif isinstance(first, ast.Call) and isinstance(first.func, ast.Attribute):
            first = first.func.value
        else:
            return _NOWHERE
    is_place = isinstance(first.value, str) and PLACE.match(first.value) is not None
    return frozenset({Site.of(frame.function.file, node)}) if is_place else _NOWHERE


def of_operation(node: ast.BinOp, frame: Frame, found: Value, sides: Sequence[Value]) -> Places:
    """The same of what an operator gives: a text; or a number that is computed from the number of a device."""
    if found.type == TEXT:
        return of_text(node, frame)
    numbers = sides if found.type in (None, NUMBER) else ()
    return _NOWHERE.union(*(side.places for side in numbers if side.type == NUMBER))


def of_numbers(node: ast.Compare, frame: Frame) -> Places:
    """The same of what tells two numbers apart."""
    sides = [frame.around.values[side] for side in (node.left, *node.comparators)]
    return _NOWHERE.union(*(side.places for side in sides if side.type == NUMBER))


def _is_index(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and str(node.value).startswith(":")


def of_call(
    node: ast.Call,
    frame: Frame,
    function: Value,
    receiver: Value | None,
    given: tuple[Sequence[Value], Mapping[str | None, Value]],
    found: Value,
) -> Value:
    """What a call gives, where it hands on the name of a device, or makes a device."""
    arguments, keywords = given
    name, last = function.refers if isinstance(function.refers, str) else "", last_name(node.func)
    if last in _NUMBERS and found.is_unknown:
        found = Value(NUMBER, because=f"{last}()", line=node.lineno)
    if found.type == DEVICE or last == "get_device" or name.startswith(_OF_DEVICES):
        return found.or_at(frozenset({Site.of(frame.function.file, node)}))
    if last in _DEFAULTS:
        return found.or_at((joined([*arguments[:1], keywords.get("default")]) or UNKNOWN).places)
    if function.refers is not None and not name:
        return found
    if name in _ONE_OF:
        return found.or_at(_NOWHERE.union(*(value.places for value in arguments)))
    if name in _SAME and arguments:
        return found.or_at(arguments[0].places)
    if last in DEFAULTING and len(arguments) == 2:
        return found.or_at(arguments[1].places)
    if receiver is None:
        return found
    if last in _SAME_METHODS:
        return found.or_at(receiver.places)
    if last in SPLITTING and receiver.places:
        return found._replace(element=Value(TEXT, because="a part of a string", places=receiver.places))
    return found.or_at(of_text(node, frame)) if last == "format" and receiver.type == TEXT else found


# -- options of the command line ------------------------------------------------------------------------


def note_options(node: ast.Call, frame: Frame, base: Value, keywords: Mapping[str | None, Value]) -> None:
    """Note what the options are that a call adds: ``parser.add_argument("--device", default="cuda")``."""
    last, given = last_name(node.func), dict[str, Places]()
    if last not in _NOTED:
        return
    file = base.refers.file if isinstance(base.refers, Options) else frame.function.file
    if last in _ADDING and (name := option_name(node)) is not None:
        given[name] = _NOWHERE.union(*(in_display(frame.around.values[part]) for part in defaults_of(node)))
    elif last == _SETTING:
        given = {keyword or "": value.places for keyword, value in keywords.items()}
    elif last == _FLAG and len(node.args) > 1 and isinstance(node.args[0], ast.Constant):
        file, given[str(node.args[0].value)] = _SHARED, frame.around.values[node.args[1]].places
    for name, places in given.items():
        _note([_cell(frame, file, name)], frame, places)


def note_setting(frame: Frame, base: Value, node: ast.expr, name: str, places: Places) -> None:
    """Note what an attribute is given of what holds options, or settings."""
    if places:
        _note(_settings(frame, base, node, name)[:1], frame, places)


def setting(frame: Frame, base: Value, node: ast.AST, name: str) -> Places:
    """What an attribute may be that is read of what holds options, or settings."""
    return so_far(frame, _settings(frame, base, node, name))


def _settings(frame: Frame, base: Value, node: ast.AST, name: str) -> list[Cell]:
    """The cells of an attribute of what the command line was parsed into, or is called so where nothing is known of it.

    Also of a part of settings of which nothing is known: ``cfg.MODEL.DEVICE``.
    """
    own = frame.function.file
    if isinstance(base.refers, Options):
        return [_cell(frame, file, name) for file in (base.refers.file, own)]
    if not base.is_unknown or not isinstance(node, ast.expr):
        return []
    if (last_name(node) or "").lower().strip("_") in HOLDERS:
        return [_cell(frame, file, name) for file in (own, _SHARED)]
    is_part = isinstance(node, ast.Attribute) and "device" in name.lower()
    return [_cell(frame, _SHARED, f"{last_name(node)}.{name}")] if is_part else []


def _note(cells: Sequence[Cell], frame: Frame, places: Places) -> None:
    for cell in cells if places else ():
        frame.write(cell, UNKNOWN.or_at(places))


def so_far(frame: Frame, cells: Sequence[Cell]) -> Places:
    """Those in some cells, as of now; once there are more, the function is run again."""
    for cell in cells:
        cell.readers[frame.function] = None
    return _NOWHERE.union(*(frame.around.translated(cell.value).places for cell in cells))


def _cell(frame: Frame, file: str, option: str) -> Cell:
    return frame.around.contents(Site(file, 0, 0, 0, 0, option))


def defaults_of(node: ast.Call) -> list[ast.expr]:
    """The expressions of the default of an option, and of what it may be chosen from."""
    return [*(k.value for k in node.keywords if k.arg == "default"), *choices(node)]


def is_option(decorator: ast.expr, parameter: str) -> bool:
    """``@click.option("--device", default="cuda")`` of a parameter."""
    is_declared = isinstance(decorator, ast.Call) and last_name(decorator.func) in _DECLARING
    return isinstance(decorator, ast.Call) and is_declared and option_name(decorator) == parameter


def in_display(value: Value) -> Places:
    """Those of a value, and of its elements."""
    return value.places | (joined([held(value)]) or UNKNOWN).places
