"""The whole analysis: which functions run, in which order, until no cell grows any more."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator

from xlaport.analysis.definitions import Cell, Class, File, Function, FunctionNode
from xlaport.analysis.frame import Frame
from xlaport.analysis.scopes import Scopes
from xlaport.analysis.statements import Statements
from xlaport.analysis.value import PENDING, UNKNOWN, Site, Value
from xlaport.facts.program import Facts, Memo, Place, View

MOST_RUNS = 12
"""How often a function is run at most: values grow but a few times, and a bound is better than a hope."""


class Analysis(Memo):
    """What the expressions of a program may be: `values`, once it has run."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view = view
        self.values: dict[ast.AST, Value] = {}
        self.parts: dict[Site, frozenset[Site]] = {}
        self.modules: dict[str, File | None] = {}
        self.runs = 0
        """How many bodies have been run, all in all."""
        self._functions: dict[ast.AST, Function] = {}
        self._classes: dict[ast.ClassDef, Class] = {}
        self._scopes: dict[str, Scopes] = {}
        self._leads: dict[tuple[str, str], str | tuple[File, tuple[str, ...]]] = {}
        self._waiting: deque[Function] = deque()
        self._queued: set[Function] = set()
        self._ran: dict[Function, int] = {}
        self._called: set[Function] = set()
        self._missing: dict[Function, None] = {}
        """Those that have asked for what nobody had given."""
        self._is_over = False
        """Whether all has run that runs, so that what nobody has given by now will not come."""

    def facts_of(self, node: ast.AST) -> Facts:
        """The file that a node stands in, of those that have been analysed."""
        files = (self.view.facts(file) for file in self.modules)
        return next(facts for facts in files if facts is not None and node in facts.module.parents)

    def entrances(self) -> Iterator[Function]:
        """What runs by itself: modules, and the functions that nobody in sight calls."""
        yield from (module.body for module in self.modules.values() if module is not None)
        yield from (function for function in self._functions.values() if function not in self._called)

    @property
    def most_runs(self) -> int:
        """How often the body has been run that was run most."""
        return max(self._ran.values(), default=0)

    def run(self, files: Iterable[str]) -> None:
        """Analyse files together, with all that they lead to; a file that cannot be parsed is left out."""
        for file in files:
            self._module(file)
        self._settle()

    # -- what a frame asks -------------------------------------------------------------------------------

    def leads(self, file: str, qualified: str) -> str | tuple[File, tuple[str, ...]]:
        """Where a name leads that a file imports: a library's own, or a module of the program, and what is in it."""
        key = file, qualified
        if key not in self._leads:
            self._leads[key] = self._led(self.view.program.lead(file, qualified))
        return self._leads[key]

    def function(self, node: FunctionNode, owner: Class | None, enclosing: Function) -> Function:
        """The function of a definition, one for all runs."""
        if node not in self._functions:
            file = enclosing.file
            self._functions[node] = Function(node, file, self._scopes[file].of[node], owner, enclosing)
        return self._functions[node]

    def class_of(self, node: ast.ClassDef, file: str) -> Class:
        """The class of a definition, one for all runs."""
        if node not in self._classes:
            self._classes[node] = Class(node, file, self._scopes[file].of[node])
        return self._classes[node]

    def grown(self, cell: Cell) -> None:
        """Have those run again that read a cell."""
        for reader in cell.readers:
            self._queue(reader)

    def called(self, function: Function) -> None:
        """Have a function run, which a call has been found of."""
        if function not in self._called:
            self._called.add(function)
            self._queue(function)

    def is_called(self, function: Function) -> bool:
        """Whether a call of a function has been found."""
        return function in self._called

    def missed(self, reader: Function) -> Value:
        """What stands for a value that nobody has given yet: once all have run, it is not known."""
        self._missing[reader] = None
        return UNKNOWN if self._is_over else PENDING

    # -- the worklist ------------------------------------------------------------------------------------

    def _module(self, file: str) -> File | None:
        if file not in self.modules:
            self.modules[file] = None
            facts = self.view.facts(file)
            if facts is not None:
                tree = facts.module.tree
                scopes = self._scopes[file] = Scopes(tree, facts.module.children)
                module = self.modules[file] = File(Function(tree, file, scopes.of[tree]))
                self._queue(module.body)
        return self.modules[file]

    def _led(self, place: Place | str) -> str | tuple[File, tuple[str, ...]]:
        if isinstance(place, str):
            return place
        module = self._module(place.file)
        if module is None:
            return f"{place.file}.{place.name}"  # of no library that has a model
        return module, (place.name, *place.rest) if place.name is not None else ()

    def _queue(self, function: Function) -> None:
        if function not in self._queued and self._ran.get(function, 0) < MOST_RUNS:
            self._queued.add(function)
            self._waiting.append(function)

    def _settle(self) -> None:
        """Run what runs by itself, then what nobody calls, entrances first; and once more without what never came."""
        self._is_over = False
        self._work_off()
        while uncalled := [function for function in self._functions.values() if function not in self._ran]:
            for function in _entrances(uncalled):
                self._queue(function)
            self._work_off()
        self._is_over = True
        for function in list(self._missing):
            self._queue(function)
        self._work_off()

    def _work_off(self) -> None:
        while self._waiting:
            function = self._waiting.popleft()
            self._queued.discard(function)
            self._ran[function] = self._ran.get(function, 0) + 1
            self.runs += 1
            Statements(Frame(function, self)).run()


def _entrances(uncalled: list[Function]) -> list[Function]:
    """Those of some functions to run first: what others of them call by its name waits until these have run."""
    calling: dict[str, set[Function]] = {}
    for function in uncalled:
        for name in function.scope.called:
            calling.setdefault(name, set()).add(function)
    free = [function for function in uncalled if not calling.get(function.name, set()) - {function}]
    return free or [function for function in uncalled if function.name == "__init__"] or uncalled[:1]
