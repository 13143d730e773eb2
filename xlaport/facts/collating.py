"""What makes the batches of data loaders: the functions that reach the ``collate_fn`` of one, and what they call."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.settled import is_never_taken
from xlaport.facts.structure import CallSite, Class, Function, Structure
from xlaport.facts.vocabulary import LOADERS

COLLATING = frozenset({"collate_fn", "data_collator"})
"""The parameters that take what makes batches: of a DataLoader, and of a Trainer."""
_PARTIAL = "functools.partial"
_MAX_DEPTH = 8


class Collating:
    """Finds the loaders that a function makes batches for."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._known: dict[ast.AST, CallSite | None] = {}

    def loader_of(self, function: Function) -> CallSite | None:
        """The call that takes a function as its ``collate_fn``, also through what calls it; None where none does."""
        if function.node not in self._known:
            self._known[function.node] = None
            self._known[function.node] = self._loader(function)
        return self._known[function.node]

    def all_taking(self, facts: Facts, made: ast.expr) -> list[CallSite]:
        """The calls that take a value as their ``collate_fn``: one for each use of the name that it is assigned to."""
        parent = facts.module.parents[made]
        target = parent.targets[0] if isinstance(parent, ast.Assign) and parent.value is made else None
        uses = facts.names.uses_of(target) if isinstance(target, ast.Name) else [made]
        return [site for use in uses if (site := self.taken_by(facts, use)) is not None]

    def taken_by(self, facts: Facts, node: ast.expr, depth: int = 0) -> CallSite | None:
        """The call that takes the value of an expression as its ``collate_fn``."""
        if depth > _MAX_DEPTH or is_never_taken(facts, self.structure, node):
            return None
        parent = facts.module.parents[node]
        if isinstance(parent, ast.keyword):
            call = facts.module.parents[parent]
            if not isinstance(call, ast.Call):
                return None
            if parent.arg not in COLLATING:
                return self._handed_on(facts, call, node, depth)
            return (
                self._spread(facts, call)
                if facts.names.resolve(call.func) == "builtins.dict"
                else CallSite(facts, call)
            )
        if isinstance(parent, ast.Call):
            if parent.func is node:
                return self._around(facts, parent, depth)
            if facts.names.resolve(parent.func) == _PARTIAL:
                return self.taken_by(facts, parent, depth + 1)
            return self._handed_on(facts, parent, node, depth)
        if isinstance(parent, ast.IfExp | ast.Lambda):
            return self.taken_by(facts, parent, depth + 1)
        if isinstance(parent, ast.Assign) and parent.value is node:
            return self._bound(facts, parent.targets[0], depth)
        if isinstance(parent, ast.Return):
            maker = facts.module.function(parent)
            sites = self.structure.calls_to(Function(facts, maker)) if isinstance(maker, FunctionNode) else []
            return self._first([(site.facts, site.node) for site in sites], depth)
        if isinstance(parent, ast.Dict):
            keys = [key for key, value in zip(parent.keys, parent.values, strict=True) if value is node]
            named = any(isinstance(key, ast.Constant) and key.value in COLLATING for key in keys)
            return self._spread(facts, parent) if named else None
        return None

    # -- where a value goes ----------------------------------------------------------------------------

    def _bound(self, facts: Facts, target: ast.expr, depth: int) -> CallSite | None:
        if isinstance(target, ast.Name):
            return self._first([(facts, use) for use in facts.names.uses_of(target)], depth)
        if isinstance(target, ast.Attribute):
            owner = facts.module.class_of(target)
            if target.attr in COLLATING and owner is not None:
                return self._own(facts, owner)
            return self._first([(facts, use) for use in facts.loads.get(target.attr, [])], depth)
        return None

    def _spread(self, facts: Facts, options: ast.expr) -> CallSite | None:
        """The call that gets a dict of options: ``DataLoader(data, **options)``."""
        parent = facts.module.parents[options]
        uses: list[ast.expr] = [options]
        if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
            uses = [*facts.names.uses_of(parent.targets[0])]
        for use in uses:
            keyword = facts.module.parents[use]
            call = facts.module.parents[keyword]
            if isinstance(keyword, ast.keyword) and keyword.arg is None and isinstance(call, ast.Call):
                return CallSite(facts, call)
        return None

    def _own(self, facts: Facts, owner: ast.ClassDef) -> CallSite | None:
        """The call that makes a loader of a derived class, which sets its own ``collate_fn``."""
        loader = Class(facts, owner)
        if not self.structure.derives(loader, LOADERS):
            return None
        return next(iter(self.structure.made(loader)), None)

    def _around(self, facts: Facts, call: ast.Call, depth: int) -> CallSite | None:
        """What the function makes batches for that a call stands in, which it is a part of."""
        for parent in facts.module.ancestors(call):
            if isinstance(parent, ast.Lambda):
                return self.taken_by(facts, parent, depth + 1)
            if isinstance(parent, FunctionNode):
                return self.loader_of(Function(facts, parent)) if depth < _MAX_DEPTH else None
        return None

    def _handed_on(self, facts: Facts, call: ast.Call, node: ast.expr, depth: int) -> CallSite | None:
        """What a function of the project does with it that gets it as an argument."""
        function = self.structure.run_by(facts, call)
        if function is None:
            return None
        parameter = next((k.arg for k in call.keywords if k.value is node), None)
        parameter = parameter or self.structure.parameter_of(call, function, node)
        there = function.facts
        scope = there.names.scope_of(function.node)
        if parameter is None or scope is None:
            return None
        return self._first([(there, use) for use in there.names.uses(scope, parameter)], depth)

    # -- functions -------------------------------------------------------------------------------------

    def _loader(self, function: Function) -> CallSite | None:
        facts, node = function.facts, function.node
        parent = facts.module.parents[node]
        if isinstance(parent, ast.ClassDef):
            owner = Class(facts, parent)
            if node.name == "__call__":
                # The object is what a loader takes.
                return self._first([(site.facts, site.node) for site in self.structure.made(owner)], 0)
            # A relative of another branch has a method of its own by this name.
            of_relatives = self.structure.uses_of_method(owner, node.name)
            return self._first([(where, use) for where, use in of_relatives if self._is_it(where, use, function)], 0)
        home = facts.names.scope(node).lookup(node.name)
        uses = [(facts, use) for use in facts.names.uses(home, node.name)] if home is not None else []
        others = self.structure.references(facts, node.name) if parent is facts.module.tree else []
        return self._first([*uses, *others], 0)

    def _is_it(self, facts: Facts, node: ast.expr, function: Function) -> bool:
        """Whether a method of an object is this one: its class has it, or gets it from its bases."""
        found = self.structure.instances_of(facts, node.value) if isinstance(node, ast.Attribute) else ()
        methods = [self.structure.method(one, function.node.name) for one in found]
        return any(method is not None and method.node is function.node for method in methods)

    def _first(self, uses: Sequence[tuple[Facts, ast.expr]], depth: int) -> CallSite | None:
        """The first that is found; one whose loop leaves after a batch only where there is no other."""
        found = (self.taken_by(facts, use, depth + 1) for facts, use in uses)
        left: CallSite | None = None
        for site in found:
            if site is None:
                continue
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
