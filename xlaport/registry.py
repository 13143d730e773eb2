"""Finding rule packs: every `Rule` subclass with a code, in every module of a package or of a folder."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import pkgutil
import re
import sys
import zlib
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from xlaport.errors import UserError
from xlaport.finding import Applicability
from xlaport.rule import Rule
from xlaport.target import Target

BUILT_IN = "xlaport.rules"
_SHOWN = 4
"""So many rules are named where a code or a name is misspelled."""

_FEW = 20
"""That many codes can be read in one line."""
_NOT_RULES = re.compile(r"tests?|test_.*|.*_test|conftest|setup")
"""Modules beside rules that test them: importing those would need what tests need."""
_WANTED = {"code": str, "name": str, "summary": str, "applicability": Applicability, "words": tuple}


@cache
def load(package: str = BUILT_IN) -> tuple[Rule, ...]:
    """One instance of each rule of a package that can be imported, or of a folder, by code.

    Modules named like tests are passed over. Raises `UserError` where something cannot be imported, where a rule
    lacks what it has to have, and where two rules share a code.
    """
    found: dict[str, Rule] = {}
    for module in _modules(package):
        for _, value in sorted(vars(module).items()):
            if not isinstance(value, type) or not issubclass(value, Rule):
                continue
            if value.__module__ != module.__name__ or not hasattr(value, "code"):
                continue
            rule = _instance(value, package)
            other = found.get(rule.code)
            if other is not None:
                raise UserError(f"rules {type(other).__name__} and {value.__name__} share the code {rule.code}")
            found[rule.code] = rule
    return tuple(found[code] for code in sorted(found))


def load_all(packs: Sequence[str]) -> tuple[Rule, ...]:
    """The built-in rules and those of further packs, by code. Raises `UserError` as `load` does."""
    found = {rule.code: rule for rule in load()}
    origins = dict.fromkeys(found, "the built-in rules")
    for pack in dict.fromkeys(os.path.realpath(pack) if os.path.isdir(pack) else pack for pack in packs):
        rules = load(pack)
        if not rules:
            raise UserError(f"rule pack '{_shown(pack)}' has no rules: a rule is a subclass of xlaport.rule.Rule")
        for rule in rules:
            other = found.get(rule.code)
            if other is not None:
                raise UserError(
                    f"rule {type(rule).__name__} of rule pack '{_shown(pack)}' has the code {rule.code}, which is that "
                    f"of {type(other).__name__} of {origins[rule.code]}: give it one of your own, such as ACME101"
                )
            found[rule.code] = rule
            origins[rule.code] = f"rule pack '{_shown(pack)}'"
    return tuple(found[code] for code in sorted(found))


def places(packs: Sequence[str]) -> list[Path]:
    """The folders and files that the built-in rules and those of further packs lie in."""
    found: list[Path] = []
    for pack in (BUILT_IN, *packs):
        if os.path.isdir(pack):
            found.append(Path(os.path.realpath(pack)))
            continue
        module = _import(pack, pack)
        found += map(Path, getattr(module, "__path__", None) or filter(None, [getattr(module, "__file__", None)]))
    return found


def _shown(pack: str) -> str:
    return os.path.relpath(pack) if os.path.isabs(pack) else pack


def _modules(package: str) -> Iterator[ModuleType]:
    root = _import_folder(package) if os.path.isdir(package) else _import(package, package)
    if not hasattr(root, "__path__"):  # one module
        yield root
        return
    yield from _below(root, package)


def _below(folder: ModuleType, package: str) -> Iterator[ModuleType]:
    for info in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        if package != BUILT_IN and _NOT_RULES.fullmatch(info.name.rpartition(".")[2]):
            continue
        module = _import(info.name, package)
        if info.ispkg:
            yield from _below(module, package)
        else:
            yield module


def _import_folder(folder: str) -> ModuleType:
    """The folder as a package, under a name that no other has; what lies in it is imported relative to it."""
    base = re.sub(r"\W", "_", os.path.basename(folder))
    name = f"xlaport_pack_{base}_{zlib.crc32(os.fsencode(folder)):08x}"
    if name in sys.modules:
        return sys.modules[name]
    start = os.path.join(folder, "__init__.py")
    if not os.path.isfile(start):
        spec: ModuleSpec | None = ModuleSpec(name, None, is_package=True)
        assert spec is not None
        spec.submodule_search_locations = [folder]
    else:
        spec = importlib.util.spec_from_file_location(name, start, submodule_search_locations=[folder])
    assert spec is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    if spec.loader is not None:
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:  # importing a pack runs its author's code
            del sys.modules[name]
            raise UserError(f"rule pack '{_shown(folder)}' cannot be imported: {_told(error)}") from error
    return module


def _import(name: str, pack: str) -> ModuleType:
    """The module. What keeps it from being imported becomes a `UserError`."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if name == pack and error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise UserError(f"there is no rule pack '{name}': no such folder, and no such package") from None
        raise UserError(f"rule pack '{_place(name, pack)}' cannot be imported: {error}") from error
    except (Exception, SystemExit) as error:  # importing a pack runs its author's code
        raise UserError(f"rule pack '{_place(name, pack)}' cannot be imported: {_told(error)}") from error


def _place(name: str, pack: str) -> str:
    """What a module is called: one of a folder, by its path."""
    return os.path.join(_shown(pack), *name.split(".")[1:]) if os.path.isabs(pack) else name


def _told(error: BaseException) -> str:
    where = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}{where}: {' '.join(said.split())}"


def _instance(kind: type[Rule], pack: str) -> Rule:
    reason = _unfit(kind)
    if reason is None:
        try:
            return kind()
        except Exception as error:  # its author's code, too
            reason = _told(error)
    raise UserError(f"rule {kind.__name__} of rule pack '{_shown(pack)}' cannot be used: {reason}")


def _unfit(kind: type[Rule]) -> str | None:
    """What keeps a class from being a rule."""
    for name, wanted in _WANTED.items():
        if not isinstance(getattr(kind, name, None), wanted):
            return f"its {name} is no {wanted.__name__}"
    if not all(isinstance(word, str) for word in kind.words):
        return "its words are not all texts"
    if not re.fullmatch(r"[A-Z]+[0-9]+", kind.code):
        return f"its code '{kind.code}' is not capital letters and a number, such as ACME101"
    return None


def choose(
    rules: Collection[Rule],
    select: Collection[str],
    ignore: Collection[str],
    insisted: Collection[str] = (),
    beside: Collection[str] = (),
) -> tuple[Rule, ...]:
    """The rules whose code starts with one of `select` (all, if empty), or of `beside`, and with none of `ignore`.

    A rule on request is among them only if `select` or `beside` has its whole code: ``XP,XP305`` is all rules and that
    one. Those of `insisted` come before those of `ignore` that are not longer.

    Raises `UserError` for a prefix that no rule has.
    """
    for prefix in (*select, *beside, *ignore):
        if not any(rule.code.startswith(prefix) for rule in rules):
            known = sorted({rule.code for rule in rules})
            told = f"the codes are {', '.join(known)}" if len(known) < _FEW else "`xlaport rules` lists them"
            raise UserError(f"no rule has a code that starts with '{prefix}': {told}")
    return tuple(
        rule for rule in rules if _is_selected(rule, select, beside) and _reach(rule, ignore) <= _reach(rule, insisted)
    )


def about(rules: Collection[Rule], target: Target) -> tuple[Rule, ...]:
    """Those of the rules that have something to say of a target."""
    return tuple(rule for rule in rules if target.is_a(*rule.traits))


def _reach(rule: Rule, prefixes: Collection[str]) -> int:
    """How much of a rule's code the longest of the prefixes has that begin it."""
    return max((len(prefix) for prefix in prefixes if rule.code.startswith(prefix)), default=0)


def _is_selected(rule: Rule, select: Collection[str], beside: Collection[str]) -> bool:
    if rule.on_request:
        return rule.code in {*select, *beside}
    return not select or rule.code.startswith((*select, *beside))


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
