"""Finding rule packs: every `Rule` subclass with a code, in every module of a package."""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Collection
from functools import cache
from types import ModuleType

from xlaport.errors import UserError
from xlaport.rule import Rule

BUILT_IN = "xlaport.rules"
_SHOWN = 4
"""So many rules are named where a code or a name is misspelled."""


@cache
def load(package: str = BUILT_IN) -> tuple[Rule, ...]:
    """One instance of each rule of a package, by code.

    Raises `UserError` where the package cannot be imported, or two rules share a code.
    """
    root = _import(package)
    found: dict[str, Rule] = {}
    for info in pkgutil.walk_packages(root.__path__, f"{package}.", onerror=_import):
        if info.ispkg:
            continue
        module = _import(info.name)
        for _, value in inspect.getmembers(module, inspect.isclass):
            if not issubclass(value, Rule) or value.__module__ != module.__name__ or not hasattr(value, "code"):
                continue
            other = found.get(value.code)
            if other is not None:
                raise UserError(f"rules {type(other).__name__} and {value.__name__} share the code {value.code}")
            found[value.code] = value()
    return tuple(found[code] for code in sorted(found))


def _import(name: str) -> ModuleType:
    """The module. What keeps it from being imported becomes a `UserError`."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise UserError(f"there is no rule pack '{name}'") from None
        raise UserError(f"rule pack '{name}' cannot be imported: {error}") from error
    except Exception as error:  # importing a pack runs its author's code
        raise UserError(f"rule pack '{name}' cannot be imported: {type(error).__name__}: {error}") from error


def choose(rules: Collection[Rule], select: Collection[str], ignore: Collection[str]) -> tuple[Rule, ...]:
    """The rules whose code starts with one of `select` (all, if empty) and with none of `ignore`.

    A rule on request is among them only if `select` has its whole code: ``XP,XP305`` is all rules and that one.

    Raises `UserError` for a prefix that no rule has.
    """
    for prefix in (*select, *ignore):
        if not any(rule.code.startswith(prefix) for rule in rules):
            known = ", ".join(sorted({rule.code for rule in rules}))
            raise UserError(f"no rule has a code that starts with '{prefix}': the codes are {known}")
    return tuple(
        rule for rule in rules if _is_selected(rule, select) and not rule.code.startswith(tuple(ignore) or ("\0",))
    )


def _is_selected(rule: Rule, select: Collection[str]) -> bool:
    if rule.on_request:
        return rule.code in select
    return not select or rule.code.startswith(tuple(select))


def find(rules: Collection[Rule], code: str) -> Rule:
    """The rule with a code or a name. Raises `UserError`, which names those that are spelled alike."""
    for rule in rules:
        if code.upper() == rule.code or code.lower() == rule.name:
            return rule
    near = _nearest(rules, code)
    meant = f": did you mean {', '.join(near)}?" if near else ":"
    raise UserError(f"no rule has the code or the name {code!r}{meant} `xlaport rules` lists all of them")


def _nearest(rules: Collection[Rule], code: str) -> list[str]:
    """The rules that a misspelled code or name may mean, the likeliest first."""
    word = code.lower().replace("_", "-").strip()
    begun = [rule for rule in rules if word and rule.code.lower().startswith(word)]
    holding = [rule for rule in rules if len(word) > 2 and word in rule.name]
    names = [name for rule in rules for name in (rule.code.lower(), rule.name)]
    alike = difflib.get_close_matches(word, names, n=_SHOWN)
    spelled = [rule for name in alike for rule in rules if name in (rule.code.lower(), rule.name)]
    told = [rule for rule in rules if len(word) > 2 and word.replace("-", " ") in rule.summary.lower()]
    return [f"{rule.code} ({rule.name})" for rule in dict.fromkeys([*begun, *holding, *spelled, *told])][:_SHOWN]
