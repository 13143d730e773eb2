"""The catalogue of CUDA-facing names (``cuda_api.toml``): what becomes of each, as data.

An entry is a table under the name's full spelling. Its keys:

    kind           module, function, class, value, method, package, variable or keyword
    disposition    rewrite, constant, remove, keep or manual
    applicability  safe or unsafe, for a rewrite, a constant or a removal
    target         what is written: ``{meaning}`` is a symbol of `xlaport.target`, ``$name`` an argument of the call
    parameters     the parameters of the original, in their order, for ``$name``
    why            what happens to the name under torch_xla if nothing is done: a predicate ("raises …"), 12 words
    recipe         what to do by hand, in the imperative, 40 words; needed where the disposition is manual
    rule           the rule that knows more than this table and speaks of the name first
    when           the only uses that concern us, for what is not CUDA's own (``torch.randn`` with a device)
    without        parameters: a call that gives one of them does not concern us
    unless         arguments as source (``enabled=False``): a call that has one of them is as it should be
    anywhere       a method whose name alone tells it (``record_stream``): found on objects of unknown kind, too
    of             a keyword: the beginnings of the names of the calls that take it
    values         a keyword: the values that concern us, as source; all, if there are none
    check          an expression that shows the target at work on XLA, where the target alone cannot
    same           another entry, whose keys this one takes over
    attributes     targets for what is read of the result, where nothing else becomes of it
    contexts       answers that differ by the place of use: ``where`` (all of its words), and any of the keys above

A name ending in ``.*`` (or ``*``, of an environment variable) stands for all that begins so and has no entry, a
package for all that is in it. Environment variables are listed as ``env:NAME``, arguments as ``keyword:name``,
literals as ``value:text``, tensors' methods under ``torch.Tensor``.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from xlaport.rule import Applicability
from xlaport.tables import read_table

FILE = Path(__file__).parents[1] / "cuda_api.toml"

PLACES = frozenset(
    "statement condition comparison text factor modulus device with decorator store".split()
    + "single grouped spmd picks repeated used".split()
)
"""Places of use that an answer may depend on: see `uses.py`, and `successor/`."""
_NAMING = ("argument:", "given:", "tuple:")
"""Those with a name: the keyword that the use stands under; a parameter that it gives, or gives a tuple for."""


class Kind(enum.Enum):
    """What a name is in the program."""

    MODULE = "module"
    FUNCTION = "function"
    CLASS = "class"
    VALUE = "value"
    METHOD = "method"
    PACKAGE = "package"
    VARIABLE = "variable"
    KEYWORD = "keyword"


class Disposition(enum.Enum):
    """What becomes of a name."""

    REWRITE = "rewrite"
    CONSTANT = "constant"
    REMOVE = "remove"
    KEEP = "keep"
    MANUAL = "manual"


@dataclass(frozen=True)
class Answer:
    """What becomes of one use of a name."""

    disposition: Disposition
    applicability: Applicability
    target: str | None
    why: str
    recipe: str


@dataclass(frozen=True)
class Entry:
    """One name of the catalogue."""

    name: str
    kind: Kind
    answer: Answer
    parameters: tuple[str, ...]
    rule: str | None
    when: str | None
    check: str | None
    without: tuple[str, ...]
    unless: tuple[str, ...]
    anywhere: bool
    of: tuple[str, ...]
    values: tuple[str, ...]
    contexts: tuple[tuple[str, Answer], ...]
    attributes: Mapping[str, str]

    def answer_for(self, places: Collection[str]) -> Answer:
        """The answer for a use that stands in `places`; the first context that applies decides."""
        return next((answer for where, answer in self.contexts if {*where.split()} <= {*places}), self.answer)


class Catalogue:
    """All entries. Raises `ValueError` for a table that says something impossible."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self.entries = {name: _entry(name, _complete(name, tables)) for name in tables}
        self.roots = frozenset(name.partition(".")[0] for name in tables if ":" not in name)
        """The packages that the names belong to: ``torch``, ``apex`` …"""
        self.methods: dict[str, list[Entry]] = {}
        """The methods and attributes of tensors and modules, by their last name."""
        for entry in self.entries.values():
            if entry.kind is Kind.METHOD and entry.rule is None and entry.when is None:
                self.methods.setdefault(entry.name.rpartition(".")[2], []).append(entry)
        self._families = sorted((name for name in tables if name.endswith("*")), key=len, reverse=True)

    def find(self, name: str) -> Entry | None:
        """The entry of a qualified name: its own, or that of the package or the family it belongs to."""
        found = self.entries.get(name)
        if found is not None:
            return found
        above = name.rpartition(".")[0]
        while above:
            package = self.entries.get(above)
            if package is not None and package.kind is Kind.PACKAGE:
                return package
            above = above.rpartition(".")[0]
        family = next((f for f in self._families if name.startswith(f[:-1])), None)
        return self.entries[family] if family is not None else None

    def package(self, name: str) -> Entry | None:
        """The entry of the CUDA package that a dotted name belongs to, the nearest one."""
        while name:
            entry = self.entries.get(name)
            if entry is not None and not entry.when and not name.startswith("torch."):
                is_there = entry.answer.disposition is not Disposition.KEEP and entry.rule is None
                return entry if is_there else None
            name = name.rpartition(".")[0]
        return None


@cache
def catalogue(table: str = "") -> Catalogue:
    """The built-in catalogue, read once; the answers of a target's own `table` come before it (`Target.table`)."""
    entries = read_table(FILE)
    own = _tables().get(table, {})
    return Catalogue({**entries, **{name: _own(entries.get(name, {}), entry) for name, entry in own.items()}})


def names_of_all() -> frozenset[str]:
    """The names that have an entry for one target or another."""
    return frozenset(catalogue().entries).union(*_tables().values())


@cache
def _tables() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """The answers for one target alone, by its table: the files ``cuda_api.<table>.toml``."""
    pattern = f"{FILE.stem}.*{FILE.suffix}"
    return {path.name.split(".")[1]: read_table(path) for path in sorted(FILE.parent.glob(pattern))}


def _own(general: Mapping[str, Any], entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """A target's entry: an answer of its own, or the general one in which some parts are others."""
    return entry if "disposition" in entry or "same" in entry else {**general, **entry}


def _complete(name: str, tables: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    table = tables[name]
    same = table.get("same")
    return {**_complete(same, tables), **table} if same is not None else table


def _entry(name: str, table: Mapping[str, Any]) -> Entry:
    unknown = set(table) - _KEYS
    if unknown:
        raise ValueError(f"{name}: unknown keys {sorted(unknown)}")
    base = {key: table.get(key) for key in _ANSWER_KEYS}
    contexts = tuple(
        (_where(name, context), _answer(name, {**base, **context})) for context in table.get("contexts", ())
    )
    return Entry(
        name=name,
        kind=Kind(table["kind"]),
        answer=_answer(name, base),
        parameters=tuple(table.get("parameters", ())),
        rule=table.get("rule"),
        when=table.get("when"),
        check=table.get("check"),
        without=tuple(table.get("without", ())),
        unless=tuple(table.get("unless", ())),
        anywhere=bool(table.get("anywhere")),
        of=tuple(table.get("of", ())),
        values=tuple(table.get("values", ())),
        contexts=contexts,
        attributes=dict(table.get("attributes", {})),
    )


def _where(name: str, context: Mapping[str, Any]) -> str:
    where = str(context["where"])
    if any(word not in PLACES and not word.startswith(_NAMING) for word in where.split()):
        raise ValueError(f"{name}: unknown place '{where}'")
    return where


def _answer(name: str, table: Mapping[str, Any]) -> Answer:
    disposition = Disposition(table["disposition"])
    fixed = disposition in (Disposition.REWRITE, Disposition.CONSTANT, Disposition.REMOVE)
    target = table.get("target")
    if target is None and disposition in (Disposition.REWRITE, Disposition.CONSTANT) and not table.get("rule"):
        raise ValueError(f"{name}: a {disposition.value} needs a target")
    applicability = Applicability(table.get("applicability") or "unsafe") if fixed else Applicability.MANUAL
    return Answer(disposition, applicability, target, table.get("why") or "", table.get("recipe") or "")


_ANSWER_KEYS = ("disposition", "applicability", "target", "why", "recipe", "rule")
_KEYS = {
    *_ANSWER_KEYS,
    "kind",
    "parameters",
    "when",
    "check",
    "without",
    "unless",
    "anywhere",
    "of",
    "values",
    "same",
    "contexts",
    "attributes",
}
