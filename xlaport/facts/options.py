"""Command-line options: what an option is called, and which expressions hold the parsed ones."""

from __future__ import annotations

import ast

from xlaport.facts.held import Kind
from xlaport.facts.literals import number
from xlaport.facts.module import last_name
from xlaport.facts.program import Facts
from xlaport.facts.spot import Spot

PARSING = frozenset({"parse_args", "parse_known_args", "parse_intermixed_args"})

HOLDERS = frozenset(
    "args arg opt opts options option flags cfg config conf configs hparams hps hp params arguments namespace "
    "parsed_args cli_args cmd_args parser_args argv a p".split()
)
"""What a parameter is called that holds the parsed options."""
_PLAIN_TYPES = frozenset(f"builtins.{name}" for name in ("int", "float", "str", "bool", "complex"))
_KINDS = {"builtins.int": Kind.INT, "builtins.float": Kind.FLOAT}
_PLAIN_ACTIONS = frozenset({"store", "store_true", "store_false", "count"})


def option_name(call: ast.Call) -> str | None:
    """The attribute that an ``add_argument`` call fills, or the parameter that ``click.option`` does."""
    for keyword in call.keywords:
        if keyword.arg == "dest" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    flags = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    long = [f for f in flags if f.startswith("--")] or flags
    return long[0].split("/")[0].lstrip("-").replace("-", "_") if long else None


def choices(call: ast.Call) -> list[ast.expr]:
    """The expressions that hold what an option can be chosen from."""
    found: list[ast.expr] = []
    for keyword in call.keywords:
        value = keyword.value
        if keyword.arg == "type" and isinstance(value, ast.Call) and value.args and last_name(value.func) == "Choice":
            value = value.args[0]
        elif keyword.arg != "choices":
            continue
        found.append(value)
    return found


def defaults(facts: Facts, option: str) -> list[ast.expr]:
    """What the options of a file are by this name, where the command line says nothing."""
    return [k.value for call in _adding(facts, option) for k in call.keywords if k.arg == "default"]


def usual(facts: Facts) -> dict[str, str]:
    """The texts that options of a file are where the command line says nothing, by their names."""

    def found() -> dict[str, str]:
        adding = [call for call in facts.module.calls if last_name(call.func) == "add_argument"]
        given = [(call, {k.arg: k.value for k in call.keywords}.get("default")) for call in adding]
        texts = [(option_name(call), d.value) for call, d in given if isinstance(d, ast.Constant) and is_plain(call)]
        return {name: text for name, text in texts if name is not None and isinstance(text, str)}

    def is_plain(call: ast.Call) -> bool:
        return isinstance(call.func, ast.Attribute) and _gives_plain(facts, call)

    return facts.once("usual options", found)


def number_kind(facts: Facts, option: str) -> Kind | None:
    """Of which kind the numbers are that an option of a file is, whatever the command line says; None of others."""
    setting = (call for call in facts.module.calls if last_name(call.func) == "set_defaults")
    if any(keyword.arg in (option, None) for call in setting for keyword in call.keywords):
        return None
    kinds = {_number_kind(facts, call) for call in _adding(facts, option)}
    return kinds.pop() if len(kinds) == 1 else None


def _number_kind(facts: Facts, call: ast.Call) -> Kind | None:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    default = given.get("default")
    if not _gives_plain(facts, call) or "action" in given or (default is not None and number(default) is None):
        return None
    if default is None and "required" not in given:
        return None  # it may be None
    return _KINDS.get(facts.names.resolve(given["type"]) or "") if "type" in given else None


def is_of_no_type(facts: Facts, option: str) -> bool:
    """Whether a file has an option by this name that is a text wherever it is given, as argparse leaves it."""
    return any(not {"type", "action"} & {k.arg for k in call.keywords} for call in _adding(facts, option))


def holds_plain_value(made: list[Spot], option: str) -> bool:
    """Whether what parses the command line gives an option as a number or a text, which nothing changes in place."""
    return bool(made) and all(_parses(spot) and _is_plain(spot.facts, option) for spot in made)


def _parses(spot: Spot) -> bool:
    return isinstance(spot.node, ast.Call) and last_name(spot.node.func) in PARSING


def _is_plain(facts: Facts, option: str) -> bool:
    found = _adding(facts, option)
    return bool(found) and all(_gives_plain(facts, call) for call in found)


def _gives_plain(facts: Facts, call: ast.Call) -> bool:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    default, kind, action = given.get("default"), given.get("type"), given.get("action")
    if None in given or "nargs" in given or "const" in given or any(isinstance(a, ast.Starred) for a in call.args):
        return False
    if not (default is None or isinstance(default, ast.Constant) or number(default) is not None):
        return False
    if kind is not None and facts.names.resolve(kind) not in _PLAIN_TYPES:
        return False
    return action is None or (isinstance(action, ast.Constant) and action.value in _PLAIN_ACTIONS)


def _adding(facts: Facts, option: str) -> list[ast.Call]:
    """The ``add_argument`` calls of a file for an option."""
    calls = (call for call in facts.module.calls if last_name(call.func) == "add_argument")
    return [call for call in calls if option_name(call) == option]
