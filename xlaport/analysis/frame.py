"""One run over a function's body: its variables as they are at a place, and the way to what others have found."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping, MutableMapping
from typing import NamedTuple, Protocol

from xlaport.analysis.call_graph import CallGraph
from xlaport.analysis.definitions import Cell, Class, File, Function, FunctionNode, parameters
from xlaport.analysis.events import Event, Given, Kind, Objects, objects_in, objects_of, parameters_in
from xlaport.analysis.value import (
    GIVEN,
    KEPT,
    MODULE,
    NONE,
    OBJECT,
    PENDING,
    SOMETHING,
    UNKNOWN,
    Site,
    Value,
    held,
    joined,
)
from xlaport.facts import default_device, vocabulary
from xlaport.facts.program import Facts
from xlaport.facts.role import A_PARAMETER, MADE_PARAMETER, OF_PARAMETERS, Role

_REPEATED = (ast.For, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BUILTINS = frozenset(dir(builtins))


class Surroundings(Protocol):
    """What a run needs of the whole analysis."""

    values: dict[ast.AST, Value]
    """What each expression may be, as of the last run over it."""
    parts: MutableMapping[Site, frozenset[Site]]
    """The modules that a module holds."""
    given: dict[Site, Given]
    """What loaders are made of."""
    graph: CallGraph
    """Which call runs which functions."""
    compared: dict[ast.AST, Value]
    """What ``max(row, key=f)`` and the like compare."""
    handed: dict[ast.AST, dict[str, Given]]
    """The functions of libraries that a call runs without calling them in words, each with what it gets; and those that
    ``partial()`` gives arguments to."""
    moved: set[Class]
    """The classes of modules that something moves as a whole: itself, with the module that makes it, by `prepare()`."""
    of_host: set[Site]
    """Tensors that are joined to such of the host, and lie there, too."""
    further: Mapping[str, Role]
    """What functions of the target give."""

    losses: set[ast.expr]
    """Names and attributes that stand for what backward() is called on, or what that is added up from."""
    whole: set[str]
    """The files all of whose functions are run."""

    def facts(self, file: str) -> Facts | None:
        """What the text of a file says."""

    def value_at(self, node: ast.AST) -> Value | None:
        """What an expression was found to be, of any file."""

    def leads(self, file: str, qualified: str) -> str | tuple[File, tuple[str, ...]]:
        """Where a name leads that a file imports: a library's own, or a module of the program, and what is in it."""

    def starred(self, file: str, name: str) -> Value | None:
        """What a name stands for that a file gets by ``from x import *``, unlooked into yet; None for none."""

    def function(self, node: FunctionNode, owner: Class | None, enclosing: Function) -> Function:
        """The function of a definition, one for all runs."""

    def class_of(self, node: ast.ClassDef, file: str) -> Class:
        """The class of a definition, one for all runs."""

    def grown(self, cell: Cell) -> None:
        """Have those run again that read a cell."""

    def is_trial(self, caller: Function, function: Function) -> bool:
        """Whether a call is a test's."""

    def contents(self, site: Site) -> Cell:
        """What the program puts into the containers that are made at a place, under whatever name."""

    def stays(self, kind: Class, reader: Function) -> bool | None:
        """Whether nothing moves instances of a class as a whole; None as long as nobody can say."""

    def queue(self, function: Function) -> None:
        """Have a function run again."""

    def called(self, function: Function) -> None:
        """Have a function run, which a call has been found of."""

    def apart(self, function: Function, given: Mapping[str, Value], place: str) -> Apart | None:
        """What a function does for one of its calls, by what that gives; None where it is not run for it."""

    def is_called(self, function: Function) -> bool:
        """Whether a call of a function has been found."""

    def translated(self, value: Value | None) -> Value:
        """What a cell of the analysis holds that this one rests on."""

    def now(self, method: Function) -> Function:
        """What stands now in the place of a method that a class of another file has got from this one."""

    is_over: bool
    """Whether all has run that runs, so that what nobody has given by now will not come."""

    def defined_by(self, file: str, name: str, reader: Function) -> Function | Class | Value:
        """What a file of the program defines under a qualified name; a value where that is not known (yet)."""

    def moved_site(self, site: Site) -> Site:
        """Where something stands now that the text on disk has at a place."""

    def missed(self, reader: Function, cell: Cell) -> Value:
        """What stands for a value that nobody has given yet, to one who asked for it."""


class Apart(NamedTuple):
    """One call of a function, which is run for it alone: it writes nothing but its result."""

    given: Mapping[str, Value]
    """What it gives, by parameter."""
    place: str
    result: Cell
    runs: dict[ast.AST, dict[Function, None]]
    """What the calls in the function run."""


class Frame:
    """The variables of one run; where branches part, each gets a copy, and they are joined behind."""

    def __init__(self, function: Function, around: Surroundings, apart: Apart | None = None) -> None:
        self.function = function
        self.apart = apart
        self.around = around
        self.variables: dict[str, Value] = {}
        """Also ``self.model`` and ``batch["mask"]``, by their paths, between a store and the next call."""
        self.turn = ""
        """Which of the names this is that a loop goes through one by one; empty: outside of such a loop."""
        self.is_dead = False
        """Whether nothing comes here: the branch of another answer, of a version of torch that is long gone."""
        self._holders: set[str] = set()
        """The variables that parts of are told apart."""
        self.moved_again: set[str] = set()
        """Variables that get themselves moved somewhere: ``data = data.cuda()``."""
        self.is_gradless = False
        """Whether no gradients are kept here: ``with torch.no_grad():``."""
        self.devices = 0
        """How many blocks around choose a device for tensors that name none: ``with torch.device("cuda"):``."""
        self.unknown: dict[str, Value] = {}
        """The parameters of which nothing is known."""
        self.later: list[tuple[Value, ast.AST]] = []
        """The calls that come when a block is left, or the function, each with the place that asks for it."""
        self.events = function.events if apart is None else []
        self.events.clear()

    # -- objects -----------------------------------------------------------------------------------------

    def hold(self, holders: frozenset[Site], parts: frozenset[Site]) -> None:
        """Note that objects have others for parts, `SOMETHING` unknown among them."""
        for holder in holders:
            self.around.parts[holder] = self.around.parts.get(holder, frozenset()) | parts - {holder}

    def hold_value(self, holders: frozenset[Site], value: Value) -> None:
        """Note that objects have a value for a part."""
        self.hold(holders, objects_in(value) or (frozenset({SOMETHING}) if value.is_unknown else frozenset()))

    def parameter_of(self, node: ast.expr) -> str:
        """The parameter that an expression names, itself or by a method of it: ``model`` of ``model.parameters()``."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        unknown = self.around.values.get(node)
        for name, own in self.unknown.items():
            if own is unknown:
                return name
        if not isinstance(node, ast.Name) or node.id not in self.function.given:
            return ""
        given, value = self.function.given[node.id].value, self.variables.get(node.id)
        return node.id if given is not None and value is not None and value.objects == given.objects else ""

    def hands_on(self, node: ast.expr | None) -> bool:
        """Whether an expression is a parameter, with what has been given for it."""
        if not isinstance(node, ast.Name) or node.id not in self.function.given:
            return False
        return self.variables.get(node.id) in (self.unknown.get(node.id, PENDING), self.function.given[node.id].value)

    def kept(self, part: Value, node: ast.expr, source: ast.expr | None = None) -> Value:
        """What a list or a dict has for its elements: of parameters, where it got them, and of which expression."""
        if part.elements and part.type is None:  # a pair, of a name and a parameter
            return part._replace(elements=tuple(self.kept(one, node, source) for one in part.elements))
        if part.because not in OF_PARAMETERS or not part.objects:
            return part
        site = frozenset({Site.of(self.function.file, node)._replace(end_line=KEPT)})
        given = self.parameter_of(source) if source is not None else ""
        self.events.append(Event(Kind.KEEP, node, part.objects, given, other=site))
        return part._replace(objects=part.objects | site)

    def parameter_site(self, name: str) -> frozenset[Site]:
        """What a parameter of this function stands for, of which nothing else is known."""
        given = getattr(self.function.node, "args", None)
        own = parameters(given) if isinstance(given, ast.arguments) else []
        places = [each for each in own if each.arg == name]
        file = self.function.file
        return frozenset(Site(file, each.lineno, each.col_offset, GIVEN, GIVEN) for each in places)

    def fill(self, container: Value) -> None:
        """Note what a container holds now, for those who know it by another name."""
        for site in container.objects if container.type == OBJECT else ():
            self.write(self.around.contents(site), container._replace(objects=frozenset()))

    def filled(self, container: Value) -> Value:
        """A container that is empty where it is made, with what is put into it under other names."""
        if container.elements != () or container.type != OBJECT or not container.objects:
            return container
        inside = joined([self.read(self.around.contents(site)) for site in sorted(container.objects)]) or UNKNOWN
        is_known = held(inside) is not None
        return inside if inside is PENDING or is_known else container

    def note_used(self, node: ast.AST, *values: Value) -> None:
        """Note that something asks for parameters, or changes them."""
        objects = frozenset[Site]().union(*map(parameters_in, values))
        if objects:
            self.events.append(Event(Kind.USE, node, objects))

    def note_run(self, node: ast.AST, values: Iterable[Value]) -> None:
        """Note that something unknown gets modules, which it may run."""
        modules = (value for value in values if value.type == MODULE or isinstance(value.type, Class))
        self.events += [Event(Kind.RUN, node, value.objects) for value in modules if value.objects]

    def note_marked(self, node: ast.AST, value: Value) -> None:
        """Note that something is put on a parameter."""
        if objects := parameters_in(value):
            self.events.append(self.between(Event(Kind.MARK, node, objects)))

    def note_copied(self, node: ast.AST, copy: Value, original: Objects) -> None:
        """Note that a module, or one of its parameters, is given the weights of another one."""
        self.events.append(self.between(Event(Kind.COPY, node, objects_of(copy), other=original)))

    def note_taken(self, node: ast.Call) -> None:
        """Note that an optimizer is made, which takes the parameters that it is given first, or by their name."""
        given = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "params"), None)
        if given is not None:
            parts = (part for part in ast.walk(given) if part is given or isinstance(part, ast.Call))
            values = (self.around.values.get(part) for part in parts)
            objects = frozenset[Site]().union(*(objects_in(value) for value in values if value is not None))
            self.events.append(Event(Kind.TAKE, node, objects, self.parameter_of(given)))

    def note_moved(self, node: ast.AST, moved: ast.expr, objects: frozenset[Site]) -> None:
        """Note that a module moves: in a loop through several, each of them."""
        facts = self.around.facts(self.function.file)
        around = facts.module.ancestors(node) if facts is not None and len(objects) > 1 else ()
        kinds = (*_REPEATED, ast.If, ast.IfExp, ast.FunctionDef)
        nearest = next((each for each in around if isinstance(each, kinds)), None)
        is_each = isinstance(nearest, _REPEATED) and isinstance(moved, ast.Name)
        given = self.parameter_of(moved)
        parts = [frozenset({site}) for site in sorted(objects)] if is_each and not given else [objects]
        self.events += [Event(Kind.MOVE, node, part, given) for part in parts]

    def note_tied(self, node: ast.AST, name: str, module: Value, value: Value) -> None:
        """Note that a module gets a parameter that was made elsewhere, or a layer something for one of its own."""
        is_parameter = value.because in (A_PARAMETER, MADE_PARAMETER)
        is_made_here = any(site.line == getattr(node, "lineno", 0) for site in value.objects)
        facts = self.around.facts(self.function.file)
        statement = facts.module.parents.get(node) if facts is not None and is_made_here else None
        is_for_several = isinstance(statement, ast.Assign) and len(statement.targets) > 1
        is_own = module.type == MODULE and name in vocabulary.LAYER_PARAMETERS
        is_shared = is_parameter and (is_for_several or not is_made_here)
        if (is_own or is_shared) and module.objects and value is not PENDING:
            other = value.objects if is_parameter else frozenset[Site]()
            self.events.append(self.between(Event(Kind.TIE, node, module.objects, other=other, attribute=name)))
        if is_for_several and value.because == MADE_PARAMETER:
            self.hold(module.objects, value.objects)

    def between(self, event: Event) -> Event:
        """What a function does with two modules, with the parameters by which it has got them."""
        names = {
            cell.value.objects: name
            for name, cell in self.function.given.items()
            if cell.value is not None and name in self.variables and self.variables[name].objects == cell.value.objects
        }
        names.pop(frozenset(), None)
        return event._replace(parameter=names.get(event.objects, ""), giver=names.get(event.other, ""))

    # -- cells -------------------------------------------------------------------------------------------

    def read(self, cell: Cell) -> Value:
        """What is in a cell; once there is more, this function is run again."""
        if cell.home is not self.around:
            return self.around.translated(cell.value)
        cell.readers[self.function] = None
        return self.around.missed(self.function, cell) if cell.value is None else cell.value

    def write(self, cell: Cell, value: Value | None) -> None:
        """Join a value to a cell."""
        if self.apart is not None:
            if cell is self.function.result:
                self.apart.result.put(value, self.function.file)
        elif cell.home is self.around and cell.put(value, self.function.file):
            self.around.grown(cell)

    # -- names -------------------------------------------------------------------------------------------

    def bind(self, name: str, value: Value) -> None:
        """Give a variable its value, here and for the functions within."""
        if name in self.function.scope.bound:
            if name in self._holders:
                for path in [path for path in self.variables if path.startswith((f"{name}.", f"{name}["))]:
                    del self.variables[path]
            self.variables[name] = value
            self.write(self.function.variable(name), value)
            return
        owner = self.owner(name)
        if owner is not None:
            self.write(owner.variable(name), value)

    def forget_attributes(self) -> None:
        """What a call may have changed: it is again what all of the program stores there."""
        if self._holders:
            for path in [path for path in self.variables if is_path(path)]:
                del self.variables[path]

    def look_again(self) -> None:
        """Behind a call, variables may have what functions within this one bind."""
        for name in self.function.scope.rebound & self.variables.keys():
            self.variables[name] = self.read(self.function.variable(name))

    def store(self, path: str | None, value: Value) -> None:
        """Note what has been put into a part of a variable."""
        name = path.partition("[")[0].partition(".")[0] if path is not None else ""
        if path is not None and name in self.variables:
            self._holders.add(name)
            self.variables[path] = value

    def look_up(self, name: str) -> Value:
        """What a name stands for."""
        if name in self.variables and name not in self.function.rebound:
            return self.variables[name]
        owner = self.owner(name)
        if owner is not None:
            return self.read(owner.variable(name))
        if (found := self.around.starred(self.function.file, name)) is not None:
            return found
        return Value(refers=f"builtins.{name}") if name in _BUILTINS else UNKNOWN

    def owner(self, name: str) -> Function | None:
        """The function around this one, or the module, whose variable a name is."""
        if name in self.function.scope.of_module:
            return self.function.module
        here = self.function.enclosing
        if here is None and name in self.function.cells:
            return self.function  # what a function binds as ``global``
        while here is not None:
            if name in here.scope.bound or (here.enclosing is None and name in here.cells):
                return here
            here = here.enclosing
        return None

    def attribute_of(self, file: File, name: str) -> Value:
        """A variable of another module of the program."""
        body = file.body
        is_own = name in body.scope.bound or name in body.cells
        starred = None if is_own else self.around.starred(body.file, name)
        return self.read(body.variable(name)) if starred is None else starred

    def is_on_default_device(self) -> bool:
        """Whether the program chooses a device for tensors that name none: here, or everywhere."""
        facts = self.around.facts(self.function.file)
        return self.devices > 0 or (facts is not None and default_device.is_chosen(facts))

    def told(self, value: Value, file: str, phrase: str, line: int) -> Value:
        """A value that comes from another file, which its evidence is to say: its line is none of this file."""
        is_shown = value.type not in (None, OBJECT, NONE) and value.because and value is not PENDING
        if file == self.function.file or not is_shown:
            return value
        return value._replace(because=f"{phrase} {value.because}", line=line)

    def site(self, node: ast.expr | ast.stmt) -> frozenset[Site]:
        """The object that is made at an expression."""
        return frozenset({Site.of(self.function.file, node, self.turn)})

    def place_of(self, call: ast.Call) -> str:
        """Tells a call from others, also from that which it is for another call of this function."""
        own = f"{self.function.file}:{call.lineno}:{call.col_offset}:{self.turn}"
        return own if self.apart is None else f"{own} {self.apart.place}"

    def site_of_loader(self, node: ast.Call) -> Site:
        """The loader that is made at a call, for the call of this function that it is made for."""
        turn = self.turn if self.apart is None else f"{self.turn} {self.apart.place}"
        return Site.of(self.function.file, node, turn)


def is_path(name: str) -> bool:
    """Whether a variable is a part of another one: ``self.model``, ``batch["mask"]``."""
    return "." in name or "[" in name
