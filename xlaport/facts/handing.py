"""Following a value into calls: through parameters, options, fields and what gives back its argument."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from xlaport.facts import options
from xlaport.facts.module import last_name
from xlaport.facts.names import Scope
from xlaport.facts.options import option_name
from xlaport.facts.program import Facts, View
from xlaport.facts.reach import Path, Reach, constant
from xlaport.facts.roles import dotted
from xlaport.facts.spot import Spot
from xlaport.facts.structure import Class, Function, Structure
from xlaport.facts.texts import texts

_QUIET = frozenset({"builtins.print", "builtins.len", "builtins.isinstance", "builtins.repr", "builtins.type"})
_SAME = frozenset({"builtins.str", "copy.copy", "copy.deepcopy", "builtins.dict", "collections.OrderedDict"})
"""Functions whose result has the value of their argument, or its items."""
_MATCHING = frozenset({"re.match", "re.fullmatch", "re.search", "fnmatch.fnmatch"})
SAME_METHODS = frozenset({"copy", "clone", "deepcopy", "lower", "strip", "upper"})
SPLITTING = frozenset({"split", "rsplit", "partition", "rpartition"})
DEFAULTING = frozenset({"get", "pop", "setdefault", "getenv"})
_WRAPPERS = frozenset(
    {"EasyDict", "edict", "AttrDict", "AttributeDict", "Munch", "munchify", "Box", "SimpleNamespace", "Namespace",
     "DictConfig", "ConfigDict", "ConfigNode"}
)  # fmt: skip
"""Classes whose objects have the items of a dict, or the arguments that they are made with, as attributes."""


class Handing(ABC):
    """The part of a walk that is about calls; `Walk` is the rest."""

    def __init__(self, view: View, structure: Structure) -> None:
        self.view = view
        self.structure = structure
        self.found = Reach()

    @abstractmethod
    def follow(self, facts: Facts, node: ast.expr, path: Path) -> None:
        """Go on from an expression that holds the value, at a path inside of it."""

    @abstractmethod
    def _name(self, facts: Facts, home: Scope, name: str, path: Path) -> None: ...

    @abstractmethod
    def _attribute_loads(self, owner: Class, name: str, path: Path) -> None: ...

    @abstractmethod
    def _target(self, facts: Facts, target: ast.expr, value: ast.expr, path: Path) -> None: ...

    def _lose(self, facts: Facts, node: ast.expr) -> None:
        self.found.unknown.append(Spot(facts, node))

    # -- calls -----------------------------------------------------------------------------------------

    def _default(self, facts: Facts, parent: ast.arguments, node: ast.expr, path: Path) -> None:
        positional = [*parent.posonlyargs, *parent.args]
        pairs = list(zip(reversed(positional), reversed(parent.defaults), strict=False))
        pairs += [(a, d) for a, d in zip(parent.kwonlyargs, parent.kw_defaults, strict=True) if d is not None]
        function = facts.module.parents[parent]
        for arg, default in pairs:
            scope = facts.names.scope_of(function) if default is node else None
            if scope is not None:
                self._name(facts, scope, arg.arg, path)

    def _parameter(self, function: Function, name: str, path: Path) -> None:
        scope = function.facts.names.scope_of(function.node)
        if scope is None:
            return
        arguments = function.node.args
        known = {a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
        if name in known:
            self._name(function.facts, scope, name, path)
        elif arguments.kwarg is not None:
            self._name(function.facts, scope, arguments.kwarg.arg, (("item", name), *path))

    def _keyword(self, facts: Facts, parent: ast.keyword, node: ast.expr, path: Path) -> None:
        call = facts.module.parents[parent]
        name = parent.arg
        if not isinstance(call, ast.Call):
            self._lose(facts, node)
            return
        if name is None:
            if not path or path[0][0] != "item":
                self._lose(facts, node)
                return
            name, path = path[0][1], path[1:]
        last = last_name(call.func)
        if parent.arg == "default" and last in ("add_argument", "option", "argument", "add_option"):
            self._option(facts, call, option_name(call))
        elif last == "set_defaults":
            self._option(facts, call, name)
        elif parent.arg in ("default", "default_factory") and last in ("field", "Field", "Option", "Argument"):
            self.follow(facts, call, path)
        elif last == "default" or facts.names.resolve(call.func) == "builtins.dict":
            self.follow(facts, call, (("item", name), *path))
        elif last in _WRAPPERS:
            self.follow(facts, call, (("attr", name), *path))
        else:
            self._passed(facts, call, name, node, path)

    def _passed(self, facts: Facts, call: ast.Call, name: str, node: ast.expr, path: Path) -> None:
        """The value is passed to a function, or a class, for the parameter `name`."""
        function = self.structure.run_by(facts, call)
        if function is None and facts.names.resolve(call.func) == "functools.partial" and call.args:
            function = self.structure.function_named(facts, call.args[0])
        if function is not None:
            self._parameter(function, name, path)
            return
        owner = self.structure.class_named(facts, call.func)
        if owner is None and facts.names.resolve(call.func) == "dataclasses.replace" and call.args:
            owner = self.structure.instance_of(facts, call.args[0])
        fields = self.structure.fields(owner) if owner is not None else None
        if owner is not None and fields is not None and name in fields:
            self._attribute_loads(owner, name, path)
        else:
            self._lose(facts, node)

    def _argument(self, facts: Facts, call: ast.Call, node: ast.expr, path: Path) -> None:
        called = facts.names.resolve(call.func)
        if called in _QUIET:
            return
        if node not in call.args:
            if call.func is node:
                return
            self._lose(facts, node)
            return
        position = call.args.index(node)
        last = last_name(call.func)
        if called in _SAME and position == 0:
            self.follow(facts, call, path)
        elif called in _MATCHING and position == 1 and not path:
            self.found.comparisons += texts(self.structure, facts, call.args[0])
        elif called == "builtins.vars" and path:
            self.follow(facts, call, (("item", path[0][1]), *path[1:]))
        elif called == "builtins.getattr" and position in (0, 2):
            if position == 2:
                self.follow(facts, call, path)
            elif path and len(call.args) > 1 and constant(call.args[1]) == path[0][1]:
                self.follow(facts, call, path[1:])
        elif last in DEFAULTING and position == 1:
            self.follow(facts, call, path)
        elif last in _WRAPPERS and path and position == 0:
            self.follow(facts, call, (("attr", path[0][1]), *path[1:]))
        elif last in ("Option", "Argument", "Field") and position == 0 and not path:
            self.follow(facts, call, path)
        elif last == "DEFINE_string" and position == 1 and not path:
            self._flag(facts, constant(call.args[0]))
        else:
            self._positional(facts, call, node, path)

    def _positional(self, facts: Facts, call: ast.Call, node: ast.expr, path: Path) -> None:
        function = self.structure.run_by(facts, call)
        name = self.structure.parameter_of(call, function, node) if function is not None else None
        if function is not None and name is not None:
            self._parameter(function, name, path)
            return
        owner = self.structure.class_named(facts, call.func)
        fields = self.structure.fields(owner) if owner is not None and function is None else None
        position = call.args.index(node)
        if owner is not None and fields is not None and position < len(fields):
            self._attribute_loads(owner, fields[position], path)
        else:
            self._lose(facts, node)

    def _returned(self, facts: Facts, parent: ast.Return, path: Path) -> None:
        function = facts.module.function(parent)
        if function is None:
            return
        for site in self.structure.calls_to(Function(facts, function)):
            self.follow(site.facts, site.node, path)
        owner = facts.module.parents[function]
        if isinstance(owner, ast.ClassDef) and any(
            facts.names.resolve(d) in ("builtins.property", "functools.cached_property")
            for d in function.decorator_list
        ):
            self._attribute_loads(Class(facts, owner), function.name, path)

    # -- options ---------------------------------------------------------------------------------------

    def _option(self, facts: Facts, call: ast.Call, option: str | None) -> None:
        """``add_argument("--device", default=value)``: go on where ``args.device`` is read."""
        for choices in options.choices(call):
            self.found.lists += texts(self.structure, facts, choices)
        if option is None:
            return
        decorated = facts.module.parents[call]
        if isinstance(decorated, ast.FunctionDef | ast.AsyncFunctionDef):
            self._parameter(Function(facts, decorated), option, ())
            return
        parsing = [(facts, parsed) for parsed in options.parsing_calls(facts)]
        if not parsing and not self.view.is_alone:
            # The options are added to a parser of another file.
            for file in self.view.program.graph.imported_by.get(facts.file, ()):
                other = self.view.facts(file) if b"parse_" in self.view.program.data(file) else None
                parsing += [(other, parsed) for parsed in options.parsing_calls(other)] if other is not None else []
        for other, parsed in parsing:
            self._parsed(other, parsed, option)
        for node in options.read_by_name(facts, option):
            self.follow(facts, node, ())

    def _parsed(self, facts: Facts, parsed: ast.Call, option: str) -> None:
        known = isinstance(parsed.func, ast.Attribute) and parsed.func.attr == "parse_known_args"
        first: Path = (("element", "0"),) if known else ()  # args, rest = parser.parse_known_args()
        self.follow(facts, parsed, (*first, ("attr", option)))

    def _flag(self, facts: Facts, name: str | None) -> None:
        """``flags.DEFINE_string("device", value, …)``: go on where ``FLAGS.device`` is read."""
        if name is None:
            return
        files = [] if self.view.is_alone else self.view.program.graph.imported_by.get(facts.file, ())
        for other in [facts, *(found for file in files if (found := self.view.facts(file)) is not None)]:
            for node in other.loads.get(name, []):
                if (dotted(node.value) or "").rpartition(".")[2] == "FLAGS":
                    self.follow(other, node, ())
