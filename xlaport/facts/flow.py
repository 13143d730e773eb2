"""Where a value goes: from an expression through names, attributes, parameters and options to its uses."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass, field

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import Module
from xlaport.facts.names import How, Names, Scope
from xlaport.facts.roles import Roles, dotted


class SinkKind(enum.Enum):
    """What a use takes a string or number for."""

    DEVICE = enum.auto()
    """``x.to(v)``, ``torch.device(v)``, ``device=v``."""
    DEVICE_TYPE = enum.auto()
    """``torch.autocast(v)``, ``device_type=v``."""
    MAP_LOCATION = enum.auto()
    """``torch.load(…, map_location=v)``."""
    GENERATOR = enum.auto()
    """``torch.Generator(v)``."""


@dataclass(frozen=True)
class Sink:
    """A use that takes the value for a device."""

    kind: SinkKind
    value: ast.expr
    call: ast.Call


@dataclass
class Reach:
    """Everything that a value reaches inside its file."""

    sinks: list[Sink] = field(default_factory=list)
    comparisons: list[ast.expr] = field(default_factory=list)
    """String constants that the value is compared with, or tested against by ``startswith`` and ``in``."""
    lists: list[ast.expr] = field(default_factory=list)
    """``choices`` of the command-line option that the value is the default of."""
    unknown: list[ast.expr] = field(default_factory=list)
    """Uses that leave the file or the analysis."""


_PARSED = frozenset({"parse_args", "parse_known_args", "parse_intermixed_args"})


class Flow:
    """Follows values forward. `reach` is computed once for each start."""

    def __init__(self, module: Module, names: Names, roles: Roles) -> None:
        self.module = module
        self.names = names
        self.roles = roles

    def reach(self, start: ast.expr) -> Reach:
        """What a value reaches."""
        found = Reach()
        self._follow(start, found, set())
        return found

    def sink(self, value: ast.expr) -> Sink | None:
        """The sink that an expression stands in directly."""
        parent = self.module.parents[value]
        if isinstance(parent, ast.Starred):
            return None
        if isinstance(parent, ast.keyword):
            call = self.module.parents[parent]
            return self._keyword_sink(value, parent, call) if isinstance(call, ast.Call) else None
        if isinstance(parent, ast.Call) and value in parent.args:
            return self._argument_sink(value, parent)
        return None

    # -- sinks -----------------------------------------------------------------------------------------

    def _keyword_sink(self, value: ast.expr, keyword: ast.keyword, call: ast.Call) -> Sink | None:
        if self.roles.classes.run_by(call) is not None or self.names.class_named(call.func) is not None:
            return None
        called = self.names.resolve(call.func)
        if keyword.arg == "device":
            if called == "torch.Generator":
                return Sink(SinkKind.GENERATOR, value, call)
            if called is not None and called.startswith("torch."):
                return Sink(SinkKind.DEVICE, value, call)
            if isinstance(call.func, ast.Attribute) and (
                call.func.attr in ("to", "to_empty") or call.func.attr.startswith("new_")
            ):
                return Sink(SinkKind.DEVICE, value, call)
            return None
        if keyword.arg == "device_type":
            return Sink(SinkKind.DEVICE_TYPE, value, call)
        if keyword.arg == "map_location":
            return Sink(SinkKind.MAP_LOCATION, value, call)
        return None

    def _argument_sink(self, value: ast.expr, call: ast.Call) -> Sink | None:
        called = self.names.resolve(call.func)
        position = call.args.index(value)
        if called == "torch.Generator":
            return Sink(SinkKind.GENERATOR, value, call)
        if called in torch_api.DEVICE_FUNCTIONS and position == 0:
            return Sink(SinkKind.DEVICE, value, call)
        if called in torch_api.DEVICE_TYPE_FUNCTIONS and position == 0:
            return Sink(SinkKind.DEVICE_TYPE, value, call)
        if called == "torch.load" and position == 1:
            return Sink(SinkKind.MAP_LOCATION, value, call)
        if isinstance(call.func, ast.Attribute) and position == 0:
            if (
                call.func.attr in torch_api.MOVING_METHODS
                and called is None
                and self.roles.classes.run_by(call) is None
            ):
                return Sink(SinkKind.DEVICE, value, call)
        return None

    # -- following -------------------------------------------------------------------------------------

    def _follow(self, node: ast.expr, found: Reach, seen: set[object]) -> None:
        if node in seen:
            return
        seen.add(node)
        sink = self.sink(node)
        if sink is not None:
            found.sinks.append(sink)
            return
        parent = self.module.parents[node]
        if isinstance(parent, ast.IfExp):
            if node is not parent.test:
                self._follow(parent, found, seen)
        elif isinstance(parent, ast.BoolOp):
            self._follow(parent, found, seen)
        elif isinstance(parent, ast.Assign | ast.AnnAssign):
            for target in parent.targets if isinstance(parent, ast.Assign) else [parent.target]:
                self._target(target, node, found, seen)
        elif isinstance(parent, ast.NamedExpr):
            self._target(parent.target, node, found, seen)
            self._follow(parent, found, seen)
        elif isinstance(parent, ast.Tuple) and isinstance(self.module.parents[parent], ast.Assign):
            self._unpacked(parent, node, found, seen)
        elif isinstance(parent, ast.Compare):
            self._compared(parent, node, found)
        elif isinstance(parent, ast.Attribute):
            self._method(parent, found)
        elif isinstance(parent, ast.arguments):
            self._default(parent, node, found, seen)
        elif isinstance(parent, ast.keyword):
            self._keyword(parent, node, found, seen)
        elif isinstance(parent, ast.Call):
            self._argument(parent, node, found, seen)
        elif isinstance(parent, ast.Return):
            function = self.module.function(parent)
            for call in self.roles.classes.calls_to(function) if function is not None else []:
                self._follow(call, found, seen)
        elif not isinstance(parent, ast.FormattedValue | ast.Expr):
            found.unknown.append(node)

    def _target(self, target: ast.expr, value: ast.expr, found: Reach, seen: set[object]) -> None:
        if isinstance(target, ast.Name):
            home = self.names.home(target)
            if home is not None:
                self._name(home, target.id, found, seen)
        elif isinstance(target, ast.Attribute):
            self._attribute(target, found, seen)
        else:
            found.unknown.append(value)

    def _unpacked(self, pack: ast.Tuple, node: ast.expr, found: Reach, seen: set[object]) -> None:
        assign = self.module.parents[pack]
        assert isinstance(assign, ast.Assign)
        for target in assign.targets:
            if isinstance(target, ast.Tuple | ast.List) and len(target.elts) == len(pack.elts):
                self._target(target.elts[pack.elts.index(node)], node, found, seen)

    def _name(self, home: Scope, name: str, found: Reach, seen: set[object]) -> None:
        if (home, name) in seen:
            return
        seen.add((home, name))
        for use in self.names.uses(home, name):
            self._follow(use, found, seen)
        # A class attribute is read as self.name or Class.name.
        if isinstance(home.node, ast.ClassDef):
            self._attribute_loads(name, home.node, found, seen)

    def _attribute(self, target: ast.Attribute, found: Reach, seen: set[object]) -> None:
        owner = self.roles.instance_class(target.value)
        if owner is not None:
            self._attribute_loads(target.attr, owner, found, seen)
            return
        path = dotted(target)
        for node in self.module.nodes:
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Load)
                and node.attr == target.attr
                and path is not None
                and dotted(node) == path
            ):
                self._follow(node, found, seen)

    def _attribute_loads(self, name: str, owner: ast.ClassDef, found: Reach, seen: set[object]) -> None:
        for node in self.module.nodes:
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Load)
                and node.attr == name
                and (self.roles.instance_class(node.value) is owner or self.names.class_named(node.value) is owner)
            ):
                self._follow(node, found, seen)

    def _compared(self, parent: ast.Compare, node: ast.expr, found: Reach) -> None:
        for other in [parent.left, *parent.comparators]:
            if other is node:
                continue
            elements = other.elts if isinstance(other, ast.Tuple | ast.List | ast.Set) else [other]
            found.comparisons += [e for e in elements if _is_text(e)]

    def _method(self, parent: ast.Attribute, found: Reach) -> None:
        """``v.startswith("a")``, and ``v.split(":")[0] == "a"``: a part of the value is compared."""
        call = self.module.parents[parent]
        if not isinstance(call, ast.Call) or call.func is not parent:
            return
        if parent.attr in ("startswith", "find", "split"):
            found.comparisons += [a for a in call.args if _is_text(a)]
        part: ast.expr = call
        while isinstance(outer := self.module.parents[part], ast.Subscript | ast.Attribute | ast.Call):
            if isinstance(outer, ast.Call) and outer.func is not part:
                return
            part = outer
        if isinstance(outer, ast.Compare):
            self._compared(outer, part, found)

    def _default(self, parent: ast.arguments, node: ast.expr, found: Reach, seen: set[object]) -> None:
        positional = [*parent.posonlyargs, *parent.args]
        pairs = list(zip(reversed(positional), reversed(parent.defaults), strict=False))
        pairs += [(a, d) for a, d in zip(parent.kwonlyargs, parent.kw_defaults, strict=True) if d is not None]
        for arg, default in pairs:
            if default is node:
                self._parameter(arg.arg, self.module.parents[parent], found, seen)

    def _parameter(self, name: str, function: ast.AST, found: Reach, seen: set[object]) -> None:
        scope = self.names.scope_of(function)
        if scope is not None:
            self._name(scope, name, found, seen)

    def _keyword(self, parent: ast.keyword, node: ast.expr, found: Reach, seen: set[object]) -> None:
        call = self.module.parents[parent]
        if not isinstance(call, ast.Call):
            found.unknown.append(node)
            return
        if parent.arg == "default" and isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument":
            self._option(call, found, seen)
            return
        function = self.roles.classes.run_by(call)
        if function is not None and parent.arg is not None:
            self._parameter(parent.arg, function, found, seen)
        else:
            found.unknown.append(node)

    def _argument(self, call: ast.Call, node: ast.expr, found: Reach, seen: set[object]) -> None:
        if self.names.resolve(call.func) in ("builtins.print", "builtins.str", "builtins.len", "builtins.isinstance"):
            return
        function = self.roles.classes.run_by(call)
        if function is None or node not in call.args:
            found.unknown.append(node)
            return
        for arg in [*function.args.posonlyargs, *function.args.args]:
            if self.roles.classes.argument_for(call, function, arg.arg) is node:
                self._parameter(arg.arg, function, found, seen)

    def _option(self, call: ast.Call, found: Reach, seen: set[object]) -> None:
        """``add_argument("--device", default=value)``: go on where ``args.device`` is read."""
        destination = option_name(call)
        for keyword in call.keywords:
            if keyword.arg == "choices" and isinstance(keyword.value, ast.List | ast.Tuple | ast.Set):
                found.lists += [e for e in keyword.value.elts if _is_text(e)]
        if destination is None:
            return
        for node in self.module.nodes:
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Load)
                and node.attr == destination
                and self._holds_options(node.value)
            ):
                self._follow(node, found, seen)

    def _holds_options(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Name):
            return False
        return any(
            binding.how is How.PARAMETER
            or (
                isinstance(binding.value, ast.Call)
                and isinstance(binding.value.func, ast.Attribute)
                and binding.value.func.attr in _PARSED
            )
            for binding in self.names.bindings(node)
        )


def option_name(call: ast.Call) -> str | None:
    """The attribute that an ``add_argument`` call fills."""
    for keyword in call.keywords:
        if keyword.arg == "dest" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    flags = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    long = [f for f in flags if f.startswith("--")] or flags
    return long[0].lstrip("-").replace("-", "_") if long else None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
