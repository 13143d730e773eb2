"""What functions of the project keep in objects and in variables of files, and what of that they look at.

A function that does nothing but that, and show, ``logger.mean("loss", loss.item())``, may as well run later, if all
that looks at what it keeps does so, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xlaport.facts.array_writes import changes_array, viewed, written
from xlaport.facts.module import FunctionNode, dotted, walk_block
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.reads import HostRead, reads_of
from xlaport.facts.roles import TENSORS, Role, roles_of
from xlaport.facts.running import going_on
from xlaport.facts.structure import CallSite, Class, Function, Structure
from xlaport.facts.views import without_gradient
from xlaport.facts.vocabulary import HOST_READ_METHODS

_NEVER = (
    ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.AsyncFunctionDef, ast.ClassDef, ast.Nonlocal,
    ast.Assert, ast.Delete,
)  # fmt: skip
_LIBRARIES = (
    "builtins.", "math.", "os.path.", "json.", "numpy.", "pprint.", "sys.stdout.", "sys.stderr.", "collections.",
    "itertools.", "functools.", "string.", "re.", "statistics.", "textwrap.", "wandb.log", "copy.",
    "time.strftime", "time.asctime", "time.localtime", "time.gmtime", "datetime.timedelta", "warnings.warn",
    "csv.writer", "csv.DictWriter", "csv.reader", "csv.DictReader",
    "tensorflow.Summary", "tensorflow.core.util.event_pb2.Event",
    *(f"logging.{name}" for name in ("debug", "info", "warn", "error", "critical", "exception", "log", "getLogger")),
)  # fmt: skip
"""Libraries, and functions, that look at what they get, and show it: a clock that is shown is a step late by then."""
_DOING_MORE = ("numpy.random.", "numpy.seterr", "numpy.setbufsize", "numpy.set_")
"""What does more among these: it draws, or sets how all others compute."""
_DOING = frozenset(
    f"builtins.{name}"
    for name in ("input", "eval", "exec", "exit", "quit", "setattr", "delattr", "globals", "locals", "vars", "next")
)
_CHANGING = frozenset(
    "append extend insert update clear pop popleft popitem remove discard add setdefault appendleft extendleft rotate "
    "sort reverse subtract move_to_end difference_update intersection_update symmetric_difference_update fill put "
    "itemset setfield setflags".split()
)
_OPENING = ("builtins.open", "io.open", "io.StringIO")
_LOOKING = frozenset({"items", "keys", "values", "get", "copy", "format", "join"})
_DECORATORS = frozenset({"builtins.property", "builtins.staticmethod", "builtins.classmethod"})
_PLAIN = (*TENSORS, Role.NUMBER, Role.TEXT)
_STEPPED = (Role.OPTIMIZER, Role.SCHEDULER, Role.SCALER, Role.MODEL, Role.LOADER, Role.DEVICE_LOADER)
_TESTS = ast.If | ast.IfExp | ast.BoolOp | ast.UnaryOp | ast.Compare
_MOST = 40
"""Functions that are looked into for one."""


class State(NamedTuple):
    """An attribute of the objects of a class; a variable of a file; an attribute of something unknown."""

    name: str
    owner: Class | None = None
    file: str = ""

    def may_be(self, other: State, structure: Structure) -> bool:
        """Whether two of them may be one."""
        if self.name != other.name or self.file != other.file:
            return False
        return self.owner is None or other.owner is None or structure.is_related(self.owner, other.owner)


class Kept(NamedTuple):
    """What a function keeps, what it looks at, and what it computes of tensors to read it."""

    keeps: tuple[State, ...]
    looks: tuple[State, ...]
    into: tuple[State, ...]
    """Those whose contents it looks at: ``self.options["step"]``."""
    computed: tuple[tuple[Facts, HostRead], ...]


def kept_by(structure: Structure, function: Function) -> Kept | None:
    """What a function keeps and looks at, with all that it runs; None where it does more, and for what is not seen."""

    def found() -> Kept | None:
        try:
            return _Looking(structure).into(function)
        except _Other:
            return None

    return function.facts.once(("kept by", function.node), found)


def begun_when_asked(facts: Facts, function: FunctionNode) -> frozenset[ast.AST]:
    """What makes an object when it is first asked for: the body of ``if Logger.CURRENT is None:``."""

    def found() -> frozenset[ast.AST]:
        nodes: set[ast.AST] = set()
        for statement in walk_block(function.body):
            test = statement.test if isinstance(statement, ast.If) else None
            if not isinstance(statement, ast.If) or not isinstance(test, ast.Compare) or len(statement.body) > 1:
                continue
            is_none = isinstance(test.ops[0], ast.Is) and ast.unparse(test.comparators[0]) == "None"
            first, asked = statement.body[0], dotted(test.left)
            made = isinstance(first, ast.Assign) and any(dotted(target) == asked for target in first.targets)
            if is_none and asked is not None and (made or isinstance(first, ast.Expr)):
                nodes.update(walk_block(statement.body))
        return frozenset(nodes)

    return facts.once(("begun when asked", function), found)


class _Other(Exception):
    """A function does something else."""


class _Looking:
    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.keeps: dict[State, None] = {}
        self.looks: dict[State, None] = {}
        self.looked_into: dict[State, None] = {}
        self.computed: list[tuple[Facts, HostRead]] = []
        self.changed: set[tuple[FunctionNode, str]] = set()
        """Parameters whose elements are changed."""
        self.asked: set[tuple[FunctionNode, str]] = set()
        """Parameters of which methods are called that are not known."""
        self.calls: list[tuple[Function, ast.Call, Function]] = []
        self.beside: list[Function] = []
        """What runs without being called in words."""

    def into(self, first: Function) -> Kept:
        todo = [first]
        for function in todo:
            self.calls += [(function, call, run) for call, run in self._function(function)]
            todo += [run for caller, _, run in self.calls if caller is function and run not in todo]
            todo += [run for run in dict.fromkeys(self.beside) if run not in todo]
            if len(todo) > _MOST:
                raise _Other
        met = -1
        while met < len(self.changed) + len(self.asked):
            met = len(self.changed) + len(self.asked)
            for caller, call, run in self.calls:
                for asked, does in ((self.changed, self._changes), (self.asked, self._asks)):
                    for parameter in [name for node, name in asked if node is run.node]:
                        given = self.structure.argument_for(CallSite(caller.facts, call), run, parameter)
                        if given is not None:
                            does(caller, given)
        handed = {first.node, *(run.node for run in self.beside)}
        if any(node in handed for node, _ in (*self.changed, *self.asked)):
            raise _Other  # what its caller has
        return Kept(tuple(self.keeps), tuple(self.looks), tuple(self.looked_into), tuple(self.computed))

    def _function(self, function: Function) -> Iterator[tuple[ast.Call, Function]]:
        """Look at all that a function does by itself; the calls of others."""
        facts, node = function.facts, function.node
        names = facts.names
        if isinstance(node, ast.AsyncFunctionDef) or not all(
            names.resolve(d) in _DECORATORS for d in node.decorator_list
        ):
            raise _Other
        begun = begun_when_asked(facts, node)
        read = {part: found for found in reads_of(facts).all_in(node.body) for part in ast.walk(found.tensor)}
        for inner in _all_run(node.body):
            if inner in begun:
                continue
            self.beside += going_on(self.structure, facts, inner)
            if isinstance(inner, _NEVER) or (isinstance(inner, ast.Raise) and facts.module.parents[inner] is not node):
                raise _Other
            if isinstance(inner, ast.expr) and _computes(facts, inner):
                self._computed(facts, inner, read.get(inner))
            if isinstance(inner, ast.Attribute):
                self._attribute(function, inner)
            elif isinstance(inner, ast.Subscript) and not isinstance(inner.ctx, ast.Load):
                self._changes(function, inner.value)
            elif isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
                if not roles_of(facts).is_(inner.target, Role.NUMBER, Role.TEXT):
                    self._changes(function, inner.target)
            elif isinstance(inner, ast.Name):
                self._name(function, inner)
            elif isinstance(inner, ast.Call):
                yield from self._call(function, inner)

    def _computed(self, facts: Facts, node: ast.expr, read: HostRead | None) -> None:
        """What the device has to compute; it may be on the host where it is read anyway, of tensors with names."""
        if read is None:
            raise _Other
        if node is not read.tensor or isinstance(without_gradient(node), ast.Name):
            return
        names = tensor_names(facts, node)
        if not all(roles_of(facts).is_(name, Role.TENSOR) and not facts.module.is_shown(name) for name in names):
            raise _Other
        self.computed.append((facts, read))

    def _attribute(self, function: Function, node: ast.Attribute) -> None:
        state = self._state(function, node)
        if isinstance(node.ctx, ast.Load):
            if state is not None:
                self._looks_at(function, node, state)
            return
        if state is None and self._has_made(function, node.value):
            return
        if state is None or state.owner is None:
            raise _Other
        if not is_made(function.facts, node):
            self.keeps[state] = None

    def _looks_at(self, function: Function, node: ast.expr, state: State) -> None:
        """What a function looks at, also within: not where it only has it do something, ``self.file.write()``."""
        facts, around = function.facts, function.facts.module.parents[node]
        if roles_of(facts).is_(node, *_STEPPED):
            raise _Other  # steps change it
        self.looks[state] = None
        is_asked = isinstance(around, ast.Attribute) and around.attr not in (_LOOKING | _CHANGING)
        is_asked = is_asked or (state == State(state.name) and isinstance(around, _TESTS))  # an option
        if is_asked or roles_of(facts).is_(node, Role.NUMBER, Role.TEXT) or self.structure.instances_of(facts, node):
            return
        if self.structure.class_named(facts, node) is None and self.structure.function_named(facts, node) is None:
            self.looked_into[state] = None

    def _state(self, function: Function, node: ast.Attribute) -> State | None:
        """What an attribute is; None for methods, for what libraries have, and what a function has made itself."""
        facts, structure = function.facts, self.structure
        owner = structure.instance_of(facts, node.value) or structure.class_named(facts, node.value)
        if owner is not None:
            method = structure.method(owner, node.attr)
            if method is not None and any(
                facts.names.resolve(d) == "builtins.property" for d in method.node.decorator_list
            ):
                raise _Other
            return State(node.attr, owner) if method is None else None
        if (place := structure.place(facts, node)) is not None and place.name is not None and not place.rest:
            return None if structure.function_named(facts, node) else State(place.name, file=place.file)
        call = facts.module.parents[node]
        is_called = isinstance(call, ast.Call) and call.func is node
        if is_called or facts.names.resolve(node) is not None or roles_of(facts).is_(node.value, *_PLAIN):
            return None
        return State(node.attr) if self._is_given(function, node.value) else None

    def _is_given(self, function: Function, node: ast.expr) -> bool:
        """Whether something is a part of what a function gets."""
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            node = node.func if isinstance(node, ast.Call) else node.value
        found = function.facts.names.bindings(node) if isinstance(node, ast.Name) else ()
        home = function.facts.names.home(node) if isinstance(node, ast.Name) else None
        if home is not None and isinstance(home.node, ast.Lambda):
            return False
        return any(binding.how not in (How.ASSIGN, How.IMPORT, How.FUNCTION, How.CLASS) for binding in found)

    def _has_made(self, function: Function, node: ast.expr) -> bool:
        """Whether something is what a library has just made for a function: ``event = Event(); event.step = 1``."""
        facts = function.facts
        found = facts.names.bindings(node) if isinstance(node, ast.Name) else ()
        own = [binding for binding in found if facts.module.function(binding.node) is function.node]
        made = [binding.value for binding in own if binding.how is How.ASSIGN]
        calls = [value for value in made if isinstance(value, ast.Call)]
        return 0 < len(calls) == len(found) and not any(self.structure.runs(facts, call) for call in calls)

    def _name(self, function: Function, node: ast.Name) -> None:
        facts = function.facts
        home = facts.names.home(node)
        if home is None or home.parent is not None:
            return
        state = State(node.id, file=facts.file)
        if any(b.how in (How.IMPORT, How.FUNCTION, How.CLASS) for b in home.bindings[node.id]):
            place = self.structure.place(facts, node)
            if place is None or place.name is None or place.rest or self.structure.function_named(facts, node):
                return
            if self.structure.class_named(facts, node) is not None:
                return
            state = State(place.name, file=place.file)
        self._looks_at(function, node, state)
        if not isinstance(node.ctx, ast.Load):
            self.keeps[state] = None

    def _changes(self, function: Function, node: ast.expr, depth: int = 0) -> None:
        """Something that a function changes in place."""
        facts = function.facts
        while isinstance(node, ast.Subscript):
            node = node.value
        if depth > _MOST:
            raise _Other
        if isinstance(node, ast.Attribute):
            state = self._state(function, node)
            if state is None:
                raise _Other
            self.keeps[state] = None
        elif isinstance(node, ast.IfExp):
            self._changes(function, node.body, depth + 1)
            self._changes(function, node.orelse, depth + 1)
        elif isinstance(node, ast.Name):
            home = facts.names.home(node)
            if home is not None and home.parent is None:
                self.keeps[State(node.id, file=facts.file)] = None
                return
            for binding in facts.names.bindings(node):
                if binding.how is How.PARAMETER:
                    self.changed.add((function.node, node.id))
                elif binding.how is How.ASSIGN and binding.value is not None:
                    if isinstance(binding.value, ast.Name | ast.Attribute | ast.Subscript | ast.IfExp | ast.Call):
                        self._changes(function, binding.value, depth + 1)
                elif binding.how is not How.AUGMENT:
                    raise _Other
        elif not isinstance(node, ast.Call):
            raise _Other
        elif (root := viewed(facts, node)) is not None:
            self._changes(function, root, depth + 1)

    def _call(self, function: Function, call: ast.Call) -> Iterator[tuple[ast.Call, Function]]:
        facts, func = function.facts, call.func
        runs = self.structure.runs(facts, call)
        if runs:
            yield from ((call, run) for run in runs)
            return
        name = facts.names.resolve(func) or self._kept_name(facts, func)
        if name is not None:
            is_stamp = name == "time.time" and getattr(facts.module.parents[call], "arg", None) == "wall_time"
            if name in _DOING or name.startswith(_DOING_MORE) or not (is_stamp or name.startswith(_LIBRARIES)):
                raise _Other
            for changed in written(call, name):
                self._changes(function, changed)
            return
        if not isinstance(func, ast.Attribute):
            raise _Other
        value = func.value
        if func.attr in _CHANGING or changes_array(self.structure, facts, func):
            self._changes(function, value)
        elif roles_of(facts).is_(value, *_PLAIN) or func.attr in HOST_READ_METHODS:
            if func.attr.endswith("_"):
                raise _Other
        elif func.attr not in _LOOKING:
            self._asks(function, value)
            if isinstance(value, ast.Attribute) and not isinstance(facts.module.parents[call], ast.Expr):
                self._answers(function, value)

    def _kept_name(self, facts: Facts, func: ast.expr) -> str | None:
        """The name of what a library has, where an object keeps it: ``self.tf.Summary()``."""
        value = self.structure.value(facts, func)
        return value.refers if value is not None and isinstance(value.refers, str) else None

    def _answers(self, function: Function, node: ast.Attribute) -> None:
        """What it answers, ``self.file.readlines()``, may be another by then, but of a file that is its own."""
        state = self._state(function, node)
        made = self.structure.assigned([state.owner], state.name) if state is not None and state.owner else []
        opened = [isinstance(v, ast.Call) and facts.names.resolve(v.func) in _OPENING for facts, v in made]
        if state is None or not opened or not all(opened):
            raise _Other
        self.keeps[state] = None

    def _asks(self, function: Function, node: ast.expr) -> None:
        """Something unknown that a function has do something: what its objects have may, ``self.file.write()``."""
        if not self._is_given(function, node) or self._is_shown(function, node):
            return
        if not isinstance(node, ast.Name):
            raise _Other
        self.asked.add((function.node, node.id))

    def _is_shown(self, function: Function, node: ast.expr) -> bool:
        """Whether something is what objects of the project have, ``self.file``, or what a function opens."""
        facts = function.facts
        while isinstance(node, ast.Attribute):
            if (state := self._state(function, node)) is not None and state.owner is not None:
                return True
            node = node.value
        found = facts.names.bindings(node) if isinstance(node, ast.Name) else ()
        return bool(found) and all(binding.how in (How.WITH, How.ASSIGN) for binding in found)


def is_made(facts: Facts, node: ast.expr) -> bool:
    """Whether an attribute is one of an object that is just made: ``self.count = 0`` in its ``__init__()``."""
    function = facts.module.function(node)
    own = node.value if isinstance(node, ast.Attribute) else None
    is_own = isinstance(own, ast.Name) and facts.names.self_class(own) is not None
    return is_own and function is not None and function.name == "__init__"


def _all_run(statements: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that run with some statements, those of lambdas, too: ``sorted(rows, key=lambda row: row[0])``."""
    for node in walk_block(statements):
        yield node
        if isinstance(node, ast.Lambda):
            yield from _all_run([node.body])


def _computes(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression gives the device work."""
    call = facts.module.parents[node]
    if isinstance(node, ast.Name | ast.Starred) or (isinstance(call, ast.Call) and call.func is node):
        return False
    if not roles_of(facts).is_(node, Role.TENSOR):
        return False
    return not isinstance(node, ast.Attribute) or roles_of(facts).is_(node.value, Role.TENSOR)


def tensor_names(facts: Facts, node: ast.expr) -> list[ast.Name]:
    """The names in an expression that stand for what it computes with: no functions, no files, no numbers."""
    found = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    return [n for n in found if facts.names.resolve(n) is None and not roles_of(facts).is_(n, Role.NUMBER, Role.TEXT)]
