"""What makes the batches of data loaders: the functions that are the ``collate_fn`` of one, and what they call."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from xlaport.analysis.value import Value
from xlaport.facts.loaders import code_of, made_by
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.settled import is_never_taken
from xlaport.facts.structure import CallSite, Class, Structure
from xlaport.facts.vocabulary import LOADERS

COLLATING = frozenset({"collate_fn", "data_collator"})
"""The parameters that take what makes batches: of a DataLoader, and of a Trainer."""

_Takers = Mapping[object, list[CallSite]]


class Collating:
    """Finds the loaders that a function makes batches for."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._known: dict[ast.AST, CallSite | None] = {}

    def loader_of(self, facts: Facts, code: FunctionNode | ast.Lambda) -> CallSite | None:
        """The call that takes a function as its ``collate_fn``, also through what calls it; None where none does."""
        if code not in self._known:
            self._known[code] = None  # what calls itself is called by nobody else
            self._known[code] = _best([*self._takers(facts).get(code, ()), *self._around(facts, code)])
        return self._known[code]

    def all_taking(self, facts: Facts, made: ast.Call) -> list[CallSite]:
        """The calls that take an object as their ``collate_fn``, by the call that makes it."""
        value = self.structure.value(facts, made)
        objects = sorted(value.objects) if value is not None else ()
        return [site for made_there in objects for site in self._takers(facts).get(made_there, ())]

    def all_of(self, facts: Facts, code: FunctionNode) -> list[CallSite]:
        """All calls that take a function as their ``collate_fn``."""
        return self._takers(facts).get(code, [])

    def _around(self, facts: Facts, code: FunctionNode | ast.Lambda) -> Iterator[CallSite]:
        """What the functions make batches for that call one."""
        analysis = self.structure.analysis(facts)
        function = analysis.function_at(code)
        callers = analysis.sites(function).values() if function is not None else ()
        for caller in dict.fromkeys(callers):
            there, node = analysis.facts(caller.file), caller.node
            if there is not None and not isinstance(node, ast.Module) and (found := self.loader_of(there, node)):
                yield found

    def _takers(self, facts: Facts) -> _Takers:
        """The calls that take functions, by these; and objects, by where they are made."""
        analysis = self.structure.analysis(facts)
        return analysis.once("collating", lambda: self._all_takers(facts))

    def _all_takers(self, facts: Facts) -> _Takers:
        found: dict[object, list[CallSite]] = {}
        for there in self.structure.analysis(facts).files():
            if any(word in there.module.text for word in COLLATING):
                for site, value in self._taken(there):
                    for taken in (*(code for _, code in code_of(self.structure, there, value)), *value.objects):
                        found.setdefault(taken, []).append(site)
        return found

    def _taken(self, facts: Facts) -> Iterator[tuple[CallSite, Value]]:
        """What the calls of a file take, and what a derived class of a loader sets."""
        for call in facts.module.calls:
            site, name = CallSite(facts, call), facts.names.resolve(call.func)
            if is_never_taken(facts, self.structure, call) or name == "builtins.dict":
                continue
            if name in LOADERS:
                loaders = made_by(self.structure, facts, call)
                yield from ((site, made.given["collate_fn"]) for made in loaders if "collate_fn" in made.given)
            elif not self.structure.runs(facts, call):
                for keyword in call.keywords:
                    value = self.structure.value(facts, keyword.value) if keyword.arg in COLLATING else None
                    if value is not None:
                        yield site, value
        for node in facts.module.of_type(ast.ClassDef):
            owner = Class(facts, node)
            made = self.structure.made(owner) if self.structure.derives(owner, LOADERS) else []
            for there, assigned in self.structure.assigned([owner], "collate_fn") if made else ():
                value = self.structure.value(there, assigned) if assigned is not None else None
                if value is not None:
                    yield made[0], value


def _best(sites: Iterable[CallSite]) -> CallSite | None:
    """The first of some calls that make loaders; one whose loop leaves after a batch only where there is no other."""
    left: CallSite | None = None
    for site in sites:
        if not _is_left_at_once(site):
            return site
        left = left or site
    return left


def _is_left_at_once(site: CallSite) -> bool:
    """Whether each loop over a loader ends in a ``break``: it takes one batch."""
    statement = site.facts.module.statement(site.node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    loops = [
        around
        for use in site.facts.names.uses_of(target)
        for around in site.facts.module.ancestors(use)
        if isinstance(around, ast.For) and any(node is use for node in ast.walk(around.iter))
    ]
    return bool(loops) and all(isinstance(loop.body[-1], ast.Break) for loop in loops)
