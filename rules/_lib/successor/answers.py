"""What becomes of the names of torch_xla (`answers.toml`), and where a file uses them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from xlaport.analysis.containers import is_keyed
from xlaport.analysis.value import A_LIST
from xlaport.context import Context
from xlaport.doctor.variables import is_of_torch_xla
from xlaport.tables import read_table

from ..arguments import by_parameter, may_give
from ..catalogue import Answer, Catalogue, Disposition, Entry, Kind
from ..device.repeated_seeds import has_same, seeds_of
from ..legacy.references import references
from ..uses import Use, named, use_of
from . import processes
from .hosts import picks_one
from .saying import say

_READ = "env:PJRT_DEVICE"
"""What becomes of a variable that torch_xla reads, and has no entry."""
_INTERNAL = "torch_xla._internal.*"
FILE = Path(__file__).parents[2] / "successor" / "answers.toml"


@cache
def answers() -> Catalogue:
    """The table, read once."""
    return Catalogue(read_table(FILE))


def variable(name: str) -> Answer | None:
    """The answer of an environment variable; None where it is not torch_xla's, or stays."""
    own, family = answers().entries.get(f"env:{name}"), answers().find(f"env:{name}")
    entry = answers().entries[_READ] if own is None and is_of_torch_xla(name) else family
    return entry.answer if entry is not None and entry.kind is Kind.VARIABLE and entry.answer.why else None


def told(answer: Answer) -> Mapping[str, str]:
    """Why a variable that is left means nothing any more, and what to do."""
    is_idle = answer.disposition is Disposition.REMOVE
    return {"why": say.phrase("idle") if is_idle else answer.why, "recipe": answer.recipe or say.phrase("remove")}


def uses(context: Context) -> tuple[Use, ...]:
    """The uses of names with an answer, in source order, each once: the longest name that stands there."""
    return context.view.own.once("uses of torch_xla", lambda: tuple(_uses(context)))


def unknown(context: Context) -> Iterator[tuple[ast.expr, str]]:
    """The uses of names of torch_xla that no version of it has."""
    for node, name in _names(context):
        if name.startswith("torch_xla.") and _named(node, name) is None:
            yield node, name


def _uses(context: Context) -> Iterator[Use]:
    for node, name in _names(context):
        found = _named(node, name)
        if found is not None:
            part, entry = found
            use = use_of(context, part, name if entry.name.endswith("*") else entry.name, entry)
            if entry.contexts:
                use = replace(use, places=use.places | processes.places(context) | {*_own_places(context, use)})
            yield use


def _named(node: ast.Name | ast.Attribute, name: str) -> tuple[ast.Name | ast.Attribute, Entry] | None:
    """What has the answer, and that; private names, which no table has, are internal to torch_xla."""
    is_private = name.startswith("torch_xla.") and name.rpartition(".")[2].startswith("_")
    return named(answers(), node, name) or ((node, answers().entries[_INTERNAL]) if is_private else None)


def _own_places(context: Context, use: Use) -> Iterator[str]:
    if _is_repeated(context, use):
        yield "repeated"
    if use.call is not None and use.places.isdisjoint({"statement", "with", "decorator"}):
        yield "used"
    if picks_one(context, use.whole):
        yield "picks"
    for place in {word for where, _ in use.entry.contexts for word in where.split()}:
        kind, _, parameter = place.partition(":")
        if use.call is None:
            continue
        if kind == "given" and _gives(use.call, use.entry.parameters, parameter):
            yield place
        if kind == "tuple" and _is_tuple(context, by_parameter(use.call, use.entry.parameters).get(parameter)):
            yield place


def _gives(call: ast.Call, parameters: Sequence[str], parameter: str) -> bool:
    """Whether a call gives an argument, or may give it: not ``wait=False``, nor ``optimizer_args={}``."""
    value = by_parameter(call, parameters).get(parameter)
    is_empty = isinstance(value, ast.Dict | ast.List) and ast.unparse(value) in ("{}", "[]")
    is_off = isinstance(value, ast.Constant) and (value.value is None or value.value is False)
    return may_give(call, parameters, parameter) and not is_empty and not is_off


def _is_tuple(context: Context, node: ast.expr | None) -> bool:
    """Whether an argument is known to be a tuple, and no list or dict."""
    value = context.flow.structure.value(context.view.own, node) if node is not None else None
    return value is not None and value.elements is not None and not is_keyed(value) and value.because != A_LIST


def _is_repeated(context: Context, use: Use) -> bool:
    """Whether a call seeds the device with what torch's own generators are seeded with beside it."""
    own = context.target.symbol("manual_seed").qualified
    seeds = [s for s in seeds_of(context) if s.call is use.call or context.resolve(s.call.func) == own]
    return any(seed.call is use.call and has_same(context, seed, seeds) for seed in seeds)


def _names(context: Context) -> Iterator[tuple[ast.Name | ast.Attribute, str]]:
    """The dotted names as a whole, with what they stand for."""
    of_torch_xla = {reference.node: reference.name for reference in references(context)}
    for node in context.module.of_type(ast.Name, ast.Attribute):
        parent = context.module.parents[node]
        if isinstance(parent, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        name = of_torch_xla.get(node) or context.resolve(node)
        if name is None or name.partition(".")[0] not in answers().roots or _is_alias(context, node, parent):
            continue
        yield node, name


def _is_alias(context: Context, node: ast.expr, parent: ast.AST) -> bool:
    """``m = xm``: what is used of the alias is used of the module."""
    return isinstance(parent, ast.Assign) and parent.value is node and context.resolve(node) in _modules()


@cache
def _modules() -> frozenset[str]:
    return frozenset(name for name, entry in answers().entries.items() if entry.kind is Kind.MODULE)
