"""Data loaders as objects: which ones an expression's batches come from, and what each of them is made with."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xlaport.analysis.batches import loader_site
from xlaport.analysis.definitions import Class, Function
from xlaport.analysis.events import objects_in
from xlaport.analysis.value import NONE, Bound, Partial, Site, Value, each_alternative
from xlaport.facts.module import FunctionNode
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.spot import Spot
from xlaport.facts.structure import Structure

POSITIONS = ("dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers", "collate_fn")

Code = tuple[Facts, FunctionNode | ast.Lambda]
"""A function, and the file that it is in."""


@dataclass(frozen=True)
class Loader:
    """A loader that the program makes."""

    site: Site
    facts: Facts
    node: ast.Call
    given: Mapping[str, Value]
    """What it gets, by parameter, also by ``**options``."""
    written: Mapping[str, Spot]
    """Of these, what is written in the call, or in the display of the options."""

    def spots(self, name: str) -> list[Spot]:
        """The expression of an argument, if one is known."""
        return [self.written[name]] if name in self.written else []

    def has(self, name: str) -> bool:
        """Whether it gets an argument, or may get it: not ``sampler=None``."""
        return name in self.given and self.given[name].type != NONE

    def is_known(self, name: str, *constants: object) -> bool:
        """Whether an argument is always one of some constants."""
        value = self.given.get(name)
        return value is not None and any(value.constant is constant for constant in constants)


def made_by(structure: Structure, facts: Facts, call: ast.Call) -> list[Loader]:
    """The loaders that a call makes: where its function is called several times, one for each of these calls."""
    here = Site.of(facts.file, call)
    sites = [site for site in structure.analysis(facts).all_given() if site._replace(turn="") == here]
    apart = [site for site in sites if ":" in site.turn]
    return [loader for site in apart or sites if (loader := _loader(structure, facts, site)) is not None]


def loaders_of(structure: Structure, facts: Facts, node: ast.expr) -> list[Loader]:
    """The loaders that an expression may be, or that what it holds may have come from: of a batch, of ``zip(a, b)``."""
    value = structure.value(facts, node)
    sites = sorted(set(map(loader_site, objects_in(value)))) if value is not None else []
    return [loader for site in sites if (loader := _loader(structure, facts, site)) is not None]


def _loader(structure: Structure, facts: Facts, site: Site) -> Loader | None:
    """The loader that is made at a place; None of other objects, and of one of which nobody knows what it gets."""
    given, made = structure.analysis(facts).given_to(site), structure.made_there(facts, site)
    if given is None or made is None or None in given.keywords:
        return None
    call = made.node
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    names = POSITIONS[len(given.arguments) - len(call.args) :]  # a partial has got those before
    expressions = [*zip(names, call.args, strict=False), *((k.arg, k.value) for k in call.keywords if k.arg)]
    values: dict[str | None, Value] = {**dict(zip(POSITIONS, given.arguments, strict=False)), **given.keywords}
    written = {name: Spot(made.facts, node) for name, node in expressions}
    for options in (k.value for k in call.keywords if k.arg is None):
        for name, spot in _displayed(structure, made.facts, options):
            if name in values and structure.value(spot.facts, spot.node) == values[name]:
                written.setdefault(name, spot)
    return Loader(site, made.facts, call, {str(name): value for name, value in values.items()}, written)


def _displayed(structure: Structure, facts: Facts, options: ast.expr) -> Iterator[tuple[str, Spot]]:
    """What a dict of options is displayed with."""
    for spot in Origins(structure).of(facts, options) or ():
        node = spot.node
        if isinstance(node, ast.Call) and spot.facts.names.resolve(node.func) == "builtins.dict":
            yield from ((k.arg, Spot(spot.facts, k.value)) for k in node.keywords if k.arg)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant):
                    yield str(key.value), Spot(spot.facts, value)


def code_of(structure: Structure, facts: Facts, value: Value, method: str = "__call__") -> list[Code]:
    """The functions of the program one of which a value stands for: of an object, a method of it."""
    analysis = structure.analysis(facts)
    found: list[Code] = []
    for one in each_alternative(value):
        refers = one.refers
        if isinstance(refers, Partial):
            found += code_of(structure, facts, refers.function, method)
            continue
        called = refers.definition if isinstance(refers, Bound) else refers
        if called is None and isinstance(one.type, Class):
            called = one.type.method(method)
        there = analysis.facts(called.file) if isinstance(called, Function) else None
        if isinstance(called, Function) and there is not None and isinstance(called.node, FunctionNode | ast.Lambda):
            found.append((there, called.node))
    return found
