"""The whole analysis: which functions run, in which order, until no cell grows any more."""

from __future__ import annotations

import ast
import contextlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Set
from functools import cached_property
from typing import TypeVar

from xlaport.analysis.call_graph import CallGraph, Passed, Sites
from xlaport.analysis.definitions import Cell, Class, File, Function, FunctionNode, Imported
from xlaport.analysis.events import Event, Given, Kind
from xlaport.analysis.frame import Apart, Frame
from xlaport.analysis.observing import qualified
from xlaport.analysis.order import done_by
from xlaport.analysis.scopes import Scopes
from xlaport.analysis.statements import Statements
from xlaport.analysis.staying import related
from xlaport.analysis.uncalled import callers_first
from xlaport.analysis.value import PENDING, UNKNOWN, Site, Value
from xlaport.facts.program import Facts, Memo, Place, Program
from xlaport.facts.trials import is_test

_D = TypeVar("_D", Function, Class)
_DEEPEST = 8
"""How many calls within each other are run at once."""
_MOST_APART = 3
"""How many functions within each other are run for one call."""
MOST_RUNS = 12
"""How often a function is run at most: values grow but a few times, and a bound is better than a hope."""


class Analysis(Memo):
    """What the expressions of a program may be: `values`, once it has run."""

    def __init__(self, program: Program, own: Facts | None = None) -> None:
        """`own` is a file as it is in this round; the others are as they are on disk."""
        super().__init__()
        self.program = program
        self.further = program.further
        self._facts: dict[str, Facts | None] = {} if own is None else {own.file: own}
        self._facts_by_node: dict[ast.AST, Facts] = {}
        self.values: dict[ast.AST, Value] = {}
        self.parts: MutableMapping[Site, frozenset[Site]] = {}
        self.given: dict[Site, Given] = {}
        self._contents: dict[Site, Cell] = {}
        self.of_host: set[Site] = set()
        self.compared: dict[ast.AST, Value] = {}
        self.handed: dict[ast.AST, dict[str, Given]] = {}
        self.moved: set[Class] = set()
        self.graph = CallGraph()
        self.losses: set[ast.expr] = set()
        self.whole: set[str] = set()
        """The files all of whose functions are run; of others, those that are called, and what is derived from."""
        self.modules: dict[str, File | None] = {}
        self.runs = 0
        """How many bodies have been run, all in all."""
        self._tests: dict[str, bool] = {}
        self.defined: dict[str, list[Function | Class]] = {}
        """The functions and classes of each file, its body among them, in the order in which they were met."""
        self._functions: dict[ast.AST, Function] = {}
        self._classes: dict[ast.ClassDef, Class] = {}
        self._scopes: dict[str, Scopes] = {}
        self._leads: dict[tuple[str, str], str | tuple[File, tuple[str, ...]]] = {}
        self._waiting: deque[Function] = deque()
        self._queued: set[Function] = set()
        self._depth = 0
        self._ran: dict[Function, int] = {}
        self._called: set[Function] = set()
        self._apart: list[Function] = []
        """Those that are run for one call alone, each by the one before."""
        self._missing: dict[Function, None] = {}
        """Those that have asked for what nobody had given."""
        self.is_over = False
        """Whether all has run that runs, so that what nobody has given by now will not come."""

    def facts_of(self, node: ast.AST) -> Facts:
        """The file that a node stands in, of those that have been analysed."""
        if node not in self._facts_by_node:
            self._facts_by_node[node] = next(facts for facts in self.files() if node in facts.module.parents)
        return self._facts_by_node[node]

    def facts(self, file: str) -> Facts | None:
        """What the text of a file says; None where it cannot be parsed."""
        if file not in self._facts:
            self._facts[file] = self.program.facts(file)
        return self._facts[file]

    def files(self) -> Iterator[Facts]:
        """All files that have been analysed."""
        yield from (facts for file, module in self.modules.items() if module and (facts := self.facts(file)))

    def entrances(self) -> Iterator[Function]:
        """What runs by itself: modules, and the functions that nobody in sight calls."""
        yield from (module.body for module in self.modules.values() if module is not None)
        yield from (function for function in self._functions.values() if function not in self._called)

    def leading_here(self) -> Iterable[Function]:
        """What runs by itself, as far as it may lead to the file that this is the analysis of: of a project, all."""
        return self.entrances()

    def events_of(self, function: Function) -> Iterable[Event]:
        """What a function does, in order."""
        return function.events

    def does(self, file: str, kinds: Set[Kind]) -> bool:
        """Whether a file itself does something of these kinds."""
        events = (event for function in self.functions_in(file) for event in self.events_of(function))
        return any(event.kind in kinds for event in events)

    @cached_property
    def done(self) -> Mapping[Function, frozenset[Kind]]:
        """What functions do, themselves and in what they call."""
        functions = (f for defined in self.defined.values() for f in defined if isinstance(f, Function))
        return done_by({function: function.events for function in functions}, {})

    def functions_in(self, file: str) -> list[Function]:
        """The functions of a file, its body among them."""
        return [definition for definition in self.defined.get(file, ()) if isinstance(definition, Function)]

    @property
    def most_runs(self) -> int:
        """How often the body has been run that was run most."""
        return max(self._ran.values(), default=0)

    def run(self, files: Iterable[str]) -> None:
        """Analyse files together, and of what they lead to what they call; one that cannot be parsed is left out."""
        files = list(files)
        self.whole |= set(files)
        for file in files:
            self._module(file)
        self._settle()

    # -- what a frame asks -------------------------------------------------------------------------------

    def leads(self, file: str, qualified: str) -> str | tuple[File, tuple[str, ...]]:
        """Where a name leads that a file imports: a library's own, or a module of the program, and what is in it."""
        key = file, qualified
        if key not in self._leads:
            self._leads[key] = self._led(self.program.lead(file, qualified))
        return self._leads[key]

    def starred(self, file: str, name: str) -> Value | None:
        """What a name stands for that a file gets by ``from x import *``, unlooked into yet; None for none."""
        facts = self.facts(file) if self.program.texts.outline(file).has_star else None
        spelled = facts.names.spelled_at_top(name) if facts is not None else ()
        return Value(refers=Imported(file, spelled[0])) if len(spelled) == 1 else None

    def function(self, node: FunctionNode, owner: Class | None, enclosing: Function) -> Function:
        """The function of a definition, one for all runs."""
        if node not in self._functions:
            file = enclosing.file
            function = Function(node, file, self, self._scopes[file].of[node], owner, enclosing)
            self._functions[node] = function
            self.noted(function)
        return self._functions[node]

    def class_of(self, node: ast.ClassDef, file: str) -> Class:
        """The class of a definition, one for all runs."""
        if node not in self._classes:
            self._classes[node] = Class(node, file, self, self._scopes[file].of[node])
            self.noted(self._classes[node])
        return self._classes[node]

    def noted(self, definition: Function | Class) -> None:
        """Remember what a file defines."""
        self.defined.setdefault(definition.file, []).append(definition)

    def value_at(self, node: ast.AST) -> Value | None:
        """What an expression was found to be."""
        return self.values.get(node)

    def given_to(self, site: Site) -> Given | None:
        """What the call gets that makes an object, of those that this is noted of: loaders."""
        return self.given.get(site)

    def all_given(self) -> Iterable[Site]:
        """The objects that this is noted of."""
        return self.given

    def function_at(self, node: ast.AST) -> Function | None:
        """The function of a definition, if it has been met."""
        return self._functions.get(node)

    def class_at(self, node: ast.ClassDef) -> Class | None:
        """The class of a definition, if it has been met."""
        return self._classes.get(node)

    def heirs(self, kind: Class) -> Iterable[Class]:
        """The classes that derive from one directly."""
        return kind.heirs

    def run_by(self, call: ast.Call) -> Mapping[Function, Passed]:
        """The functions of the program one of which a call runs, constructors among them, each with what it passes."""
        return self.graph.run_by(call)

    def going_on(self, place: ast.AST) -> Iterable[Function]:
        """What runs at a place without being called there in words: see `CallGraph.going_on`."""
        return self.graph.going_on(place)

    def all_going_on(self) -> Iterable[ast.AST]:
        """The nodes at which something does."""
        return self.graph.all_going_on()

    def places(self, function: Function) -> Mapping[ast.AST, Function]:
        """The places where a function runs without being called in words, each with the function it stands in."""
        return self.graph.places(function)

    def sites(self, definition: Function | Class) -> Sites:
        """The calls that may run a function, or make an instance of a class, each with the function it stands in."""
        return self.graph.sites(definition)

    def wrappers(self, function: Function) -> Iterable[Function]:
        """What decorators have put around a function: see `CallGraph.wrappers`."""
        return self.graph.wrappers(function)

    def wrapped(self, wrapper: Function) -> Iterable[Function]:
        """The functions that one has been put around."""
        return self.graph.wrapped(wrapper)

    def is_trial(self, caller: Function, function: Function) -> bool:
        """Whether a call is a test's, which passes what it made on the host, and not what the program computes."""
        return caller.file != function.file and self._is_test(caller.file) and not self._is_test(function.file)

    def contents(self, site: Site) -> Cell:
        """What the program puts into the containers that are made at a place, under whatever name."""
        if site not in self._contents:
            self._contents[site] = Cell(self, site.file)
        return self._contents[site]

    def stays(self, kind: Class, reader: Function) -> bool | None:
        """Whether nothing moves instances of a class as a whole; None before all has run, when the reader runs again.

        What moves those of a base class, or of one derived from it, may move them.
        """
        if not self.is_over:
            self._missing[reader] = None
            return None
        return self.moved.isdisjoint(related(kind))

    def defined_by(self, file: str, name: str, reader: Function) -> Function | Class | Value:
        """What a file of the program defines under a qualified name; a value where that is not known (yet)."""
        module = self._module(file)
        if module is not None and module.body in self._queued:
            self._run(module.body)  # before what it defines is run as if nobody called it
        facts = self.facts(file)
        known = self.defined.get(file, ()) if facts is not None else ()
        found = [each for each in known if facts is not None and qualified(facts, each) == name]
        if found:
            return found[0] if len(found) == 1 else UNKNOWN
        self._missing[reader] = None
        return UNKNOWN if self.is_over else PENDING

    def _is_test(self, file: str) -> bool:
        if file not in self._tests:
            facts = self.facts(file)
            self._tests[file] = facts is not None and is_test(facts)
        return self._tests[file]

    def grown(self, cell: Cell) -> None:
        """Have those run again that read a cell."""
        for reader in cell.readers:
            self.queue(reader)

    def queue(self, function: Function) -> None:
        """Have a function run again."""
        if function.home is self and function not in self._queued and self._ran.get(function, 0) < MOST_RUNS:
            self._queued.add(function)
            self._waiting.append(function)

    def called(self, function: Function) -> None:
        """Have a function run, which a call has been found of: at once, so that the caller goes on with its result."""
        if function in self._called or function.home is not self:
            return
        self._called.add(function)
        if function not in self._ran and self._depth < _DEEPEST:
            self._depth += 1
            self._run(function)
            self._depth -= 1
        else:
            self.queue(function)

    def apart(self, function: Function, given: Mapping[str, Value], place: str) -> Apart | None:
        """What a function does for one of its calls, by what that gives; None where it is not run for it."""
        if function.home is not self or function in self._apart or len(self._apart) == _MOST_APART:
            return None
        inside = [node for node in ast.walk(function.node) if node in self.values]
        before = {node: self.values[node] for node in inside}
        one = Apart(given, place, Cell(self, function.file), {})
        self._apart.append(function)
        try:
            Statements(Frame(function, self, one)).run()
        except RecursionError:
            return None
        finally:
            self._apart.pop()
            self.values.update(before)
        return one

    def is_called(self, function: Function) -> bool:
        """Whether a call of a function has been found."""
        return function in self._called

    def translated(self, value: Value | None) -> Value:
        """What a cell of another analysis holds: this one rests on none."""
        return value or UNKNOWN

    def moved_site(self, site: Site) -> Site:
        """Where something stands now that another analysis has found at a place: in this one all are where they are."""
        return site

    def now(self, definition: _D) -> _D:
        """What stands in the place of a definition: in this analysis all stand for themselves."""
        return definition

    def missed(self, reader: Function, cell: Cell) -> Value:
        """What stands for a value that nobody has given yet: once all have run, it is not known.

        What is awaited then is made of nothing but itself, as the result of a function that only calls itself.
        """
        self._missing[reader] = None
        return UNKNOWN if self.is_over and not cell.is_awaited else PENDING

    # -- the worklist ------------------------------------------------------------------------------------

    def _module(self, file: str) -> File | None:
        if file not in self.modules:
            self.modules[file] = None
            facts = self.facts(file)
            if facts is not None:
                tree = facts.module.tree
                scopes = self._scopes[file] = Scopes(tree, facts.module.children)
                module = self.modules[file] = File(Function(tree, file, self, scopes.of[tree]))
                self.noted(module.body)
                self.queue(module.body)
        return self.modules[file]

    def _led(self, place: Place | str) -> str | tuple[File, tuple[str, ...]]:
        if isinstance(place, str):
            return place
        module = self._module(place.file)
        if module is None:
            return f"{place.file}.{place.name}"  # of no library that has a model
        return module, (place.name, *place.rest) if place.name is not None else ()

    def _settle(self) -> None:
        """Run what runs by itself, then what nobody calls, entrances first; and once more without what never came."""
        self.is_over = False
        self._work_off()
        while uncalled := [function for function in self._functions.values() if self._is_left(function)]:
            for function in callers_first(uncalled):
                if function not in self._ran:
                    self.queue(function)
                    self._work_off()
        self.is_over = True
        for function in list(self._missing):
            self.queue(function)
        self._work_off()

    def _is_left(self, function: Function) -> bool:
        """Whether a function is to be run though nobody calls it."""
        if function in self._ran:
            return False
        return function.file in self.whole or (function.owner is not None and function.owner.is_derived_from)

    def _work_off(self) -> None:
        while self._waiting:
            function = self._waiting.popleft()
            if function in self._queued:
                self._run(function)

    def _run(self, function: Function) -> None:
        self._queued.discard(function)
        self._ran[function] = self._ran.get(function, 0) + 1
        self.runs += 1
        with contextlib.suppress(RecursionError):  # what is known up to there
            Statements(Frame(function, self)).run()
