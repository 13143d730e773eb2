"""What a program saves: tensors of the device, what only they are made of, and what a copy of it would change."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.hosted import items_are_on_host
from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts
from xlaport.facts.role import OF_PARAMETERS, OF_STATE, Role
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import Function
from xlaport.facts.unmoved import is_unmoved

from ..device import cuda
from .group_functions import in_groups
from .plain_values import at, has_no_state, is_key, is_loaded, is_number, is_parsed, is_refused, is_setting, on_device

_MAX_DEPTH = 16
_STATE = "state_dict"

_TO_HOST = frozenset("cpu numpy tolist item detach_cpu".split())
_SAME = frozenset("clone detach contiguous float half bfloat16 double to copy squeeze unsqueeze requires_grad_".split())
"""Methods that give what they are called on, for our question; of a Parameter they give a plain tensor."""
_GENERATORS = frozenset("parameters named_parameters".split())
_COPIES = frozenset({"builtins.dict", "builtins.list", "collections.OrderedDict", "copy.copy", "copy.deepcopy"})
_PLAIN = frozenset(
    f"builtins.{name}" for name in "int float str bool len round repr format sum min max abs sorted range".split()
) | {"random.random", "time.time", "argparse.Namespace", "argparse.ArgumentParser"}
_ON_HOST = (
    "numpy.", "torch.get_rng_state", "torch.random.get_rng_state", "torch.cuda.get_rng_state", "torch.initial_seed",
    "time.", "datetime.", "os.", "torch.from_numpy", "json.", "yaml.", "ruamel.yaml.", "ruamel_yaml.",
)  # fmt: skip
_TUPLES = frozenset({"builtins.tuple", "collections.Counter", "collections.defaultdict"})
_PARAMETER = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter"})
_WEIGHTS = frozenset({"weight", "bias"})

Spot = tuple[Facts, ast.expr]


@dataclass
class Contents:
    """What is in a value that is saved; each with the file that it stands in."""

    device: list[Spot] = field(default_factory=list)
    """Tensors that are, or may be, on the device."""
    modules: list[Spot] = field(default_factory=list)
    """Whole modules and optimizers."""
    parameters: list[Spot] = field(default_factory=list)
    """Parameters of a module themselves, not their values."""
    generators: list[Spot] = field(default_factory=list)
    """``model.parameters()``, which cannot be saved."""
    retyped: list[Spot] = field(default_factory=list)
    """Tuples, and dicts of other classes."""
    random_states: list[Spot] = field(default_factory=list)
    """``random.getstate()``, a tuple that has to stay one."""
    objects: list[Spot] = field(default_factory=list)
    """What torch.load() refuses without ``weights_only=False``: options, arrays, objects of the project's classes."""
    functions: list[Spot] = field(default_factory=list)
    """Functions in the groups of an optimizer, which torch.load() refuses, too."""
    unknown: list[Spot] = field(default_factory=list)
    passed: list[Spot] = field(default_factory=list)
    """Parameters of functions for which nobody is seen to pass something."""


def contents(context: Context, *values: ast.expr) -> Contents:
    """What expressions hold."""
    return contents_of(context, [(context.view.own, value) for value in values])


def contents_of(context: Context, spots: Iterable[Spot]) -> Contents:
    """The same, of expressions of any files."""
    reader = _Reader(context)
    for facts, value in spots:
        reader.read(facts, value, 0)
        found = reader.found
        if not (found.device or found.modules or found.generators or found.parameters):
            reader.read_value(facts, value)
    return reader.found


class _Reader:
    def __init__(self, context: Context, items: dict[ast.expr, bool] | None = None) -> None:
        self.context = context
        self.structure = context.flow.structure
        self.found = Contents()
        self._seen: set[ast.AST] = set()
        self._items = {} if items is None else items

    def read(self, facts: Facts, node: ast.expr, depth: int) -> None:
        if depth > _MAX_DEPTH:
            self.found.unknown.append((facts, node))
            return
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.Compare):
            return
        if self._is_parameter(facts, node, depth):
            self.found.parameters.append((facts, node))
        elif isinstance(node, ast.Dict | ast.List | ast.Set):
            for element in node.values if isinstance(node, ast.Dict) else node.elts:
                self.read(facts, element, depth + 1)
        elif isinstance(node, ast.Tuple):
            self.found.retyped.append((facts, node))
            for element in node.elts:
                self.read(facts, element, depth + 1)
        elif isinstance(node, ast.DictComp | ast.ListComp | ast.SetComp):
            self._comprehension(facts, node, depth)
        elif isinstance(node, ast.IfExp | ast.BoolOp):
            for side in node.values if isinstance(node, ast.BoolOp) else (node.body, node.orelse):
                self.read(facts, side, depth + 1)
        elif isinstance(node, ast.Starred | ast.NamedExpr | ast.Await | ast.UnaryOp):
            self.read(facts, node.operand if isinstance(node, ast.UnaryOp) else node.value, depth + 1)
        elif isinstance(node, ast.Call):
            self._call(facts, node, depth)
        elif isinstance(node, ast.Name):
            self._name(facts, node, depth)
        elif isinstance(node, ast.Attribute):
            self._attribute(facts, node, depth)
        elif not self._by_role(facts, node) and not is_number(node) and not is_loaded(facts, node):
            self.found.unknown.append((facts, node))

    def read_value(self, facts: Facts, node: ast.expr) -> None:
        """The same of what the analysis knows that it holds; what else is in it, that does not say."""
        for tensor in on_device(self.structure.value(facts, node)):
            for call in facts.module.calls if tensor.because == OF_STATE else ():
                if call.lineno == tensor.line and isinstance(call.func, ast.Attribute) and call.func.attr == _STATE:
                    self._state_dict(facts, call, call.func)
                elif call.lineno == tensor.line and roles_of(facts).is_kept_state(call.func):
                    self.found.device.append((facts, node))
            if OF_STATE not in tensor.because:
                self.found.device.append((facts, node))
        self.found.unknown += [(facts, node)] if self.found.device else []

    def _by_role(self, facts: Facts, node: ast.expr) -> bool:
        """Whether the role of an expression says what it is."""
        fact = roles_of(facts).of(node)
        role = fact.role if fact is not None else None
        if role in (Role.MODEL, Role.OPTIMIZER):
            self.found.modules.append((facts, node))
        elif role is Role.TENSOR and fact is not None and not fact.assumed:
            self.found.device.append((facts, node))
        else:
            return role in (Role.HOST_TENSOR, Role.NUMBER, Role.TEXT)
        return True

    def _is_parameter(self, facts: Facts, node: ast.expr, depth: int) -> bool:
        """``params[i]`` of ``params = list(model.parameters())``, and what a loop through them gives."""
        if isinstance(node, ast.Name):
            fact = roles_of(facts).of(node)
            is_given = fact is not None and fact.because in OF_PARAMETERS
            return is_given and all(b.how is How.FOR for b in facts.names.reaching(node))
        if not isinstance(node, ast.Subscript) or is_key(node.slice):
            return False
        if node not in self._items:
            self._items[node] = False  # (while it is asked: a list may be made of its own items)
            whole = _Reader(self.context, self._items)
            whole.read(facts, node.value, depth + 1)
            self._items[node] = bool(whole.found.parameters)
        return self._items[node]

    # -- calls -----------------------------------------------------------------------------------------

    def _call(self, facts: Facts, call: ast.Call, depth: int) -> None:
        name = facts.names.resolve(call.func) or ""
        func = call.func
        if is_refused(name) or is_parsed(call) or (isinstance(func, ast.Attribute) and func.attr == "numpy"):
            self.found.objects.append((facts, call))
        if name == "random.getstate":
            self.found.random_states.append((facts, call))
        elif name in _TUPLES:
            self.found.retyped.append((facts, call))
        elif name in _COPIES and len(call.args) == 1:
            mark = len(self.found.objects)
            self._copied(facts, call.args[0], depth)
            if not name.startswith("copy."):
                del self.found.objects[mark:]  # a plain dict or list is made of it
        elif name in _COPIES and not call.args:
            for keyword in call.keywords:
                self.read(facts, keyword.value, depth + 1)
        elif name == "builtins.vars" and len(call.args) == 1:
            mark = len(self.found.objects)
            self.read(facts, call.args[0], depth + 1)
            del self.found.objects[mark:]
        elif name in _PLAIN or name.startswith(_ON_HOST):
            return
        elif name in _PARAMETER:
            self.found.parameters.append((facts, call))
        elif isinstance(func, ast.Attribute) and self._method(facts, call, func, depth):
            return
        elif not self._by_role(facts, call):
            self._returned(facts, call, depth)

    def _method(self, facts: Facts, call: ast.Call, func: ast.Attribute, depth: int) -> bool:
        """What a method of a module or a tensor gives; False where it is another."""
        if func.attr == _STATE:
            self._state_dict(facts, call, func)
        elif func.attr in _TO_HOST or (func.attr == "to" and self._is_to_host(facts, call)):
            return True
        elif func.attr in _GENERATORS:
            self.found.generators.append((facts, call))
        elif func.attr in ("parse_args", "parse_known_args", "get_last_lr"):
            return True
        elif func.attr in _SAME and roles_of(facts).role(func.value) is not Role.MODEL:
            mark = len(self.found.parameters)
            self.read(facts, func.value, depth + 1)
            self.found.device += self.found.parameters[mark:]  # their values are tensors
            del self.found.parameters[mark:]
        else:
            return False
        return True

    def _is_to_host(self, facts: Facts, call: ast.Call) -> bool:
        places = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "device")]
        return any(cuda.is_cpu_device(self.context.of(facts), place) for place in places)

    def _state_dict(self, facts: Facts, call: ast.Call, func: ast.Attribute) -> None:
        owner = func.value
        if roles_of(facts).is_(owner, Role.SCALER, Role.SCHEDULER, Role.LOADER):
            return
        if has_no_state(self.structure.value(facts, owner)) or is_unmoved(self.structure, facts, owner):
            return
        self.found.functions += in_groups(self.structure, facts, owner)
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute):
            if owner.func.attr == "cpu" or (owner.func.attr == "to" and self._is_to_host(facts, owner)):
                return
        kept = next((k.value for k in call.keywords if k.arg == "keep_vars"), None)
        if kept is not None and not (isinstance(kept, ast.Constant) and kept.value is False):
            self.found.parameters.append((facts, call))
        else:
            self.found.device.append((facts, call))

    def _copied(self, facts: Facts, value: ast.expr, depth: int) -> None:
        """``dict(model.named_parameters())``, ``list(model.parameters())``: their items can be saved."""
        mark = len(self.found.generators)
        self.read(facts, value, depth + 1)
        self.found.parameters += self.found.generators[mark:]
        del self.found.generators[mark:]

    def _returned(self, facts: Facts, call: ast.Call, depth: int) -> None:
        """What a function of the project gives."""
        made = self.structure.class_named(facts, call.func)
        if made is not None and self.structure.is_module(made):
            self.found.modules.append((facts, call))
            return
        if made is not None:
            self.found.objects.append((facts, call))
        function = self.structure.run_by(facts, call) if made is None else None
        values = function.facts.module.returns(function.node) if function is not None else []
        if function is None or not values or function.node in self._seen:
            self.found.unknown.append((facts, call))
            return
        self._seen.add(function.node)
        for returned in values:
            if returned.value is not None:
                self.read(function.facts, returned.value, depth + 1)

    def _part(self, facts: Facts, name: ast.Name, value: ast.Call | ast.Tuple, index: int, depth: int) -> None:
        """One part of what is unpacked: of a tuple, or of those that a function of the project gives."""
        if is_parsed(value):
            self.found.objects += [(facts, name)] if index == 0 else []  # (behind the options: what was not known)
            return
        whole = [(facts, value)] if isinstance(value, ast.Tuple) else self._tuples_of(facts, value)
        parts = [(there, at(tuple_, index)) for there, tuple_ in whole]
        if not parts or any(part is None for _, part in parts):
            self.found.unknown.append((facts, name))
            return
        for there, part in parts:
            if part is not None and part not in self._seen:
                self._seen.add(part)
                self.read(there, part, depth + 1)

    def _tuples_of(self, facts: Facts, call: ast.Call) -> list[Spot]:
        function = self.structure.run_by(facts, call)
        returns = function.facts.module.returns(function.node) if function is not None else ()
        return [(function.facts, r.value) for r in returns if function is not None and r.value is not None]

    # -- names -----------------------------------------------------------------------------------------

    def _name(self, facts: Facts, name: ast.Name, depth: int) -> None:
        if self._by_role(facts, name) or items_are_on_host(facts, name):
            return
        found = facts.names.reaching(name)
        if not found:
            self.found.unknown.append((facts, name))
        for binding in found:
            if binding.node in self._seen:
                continue
            self._seen.add(binding.node)
            self._binding(facts, name, binding, depth)
        self._stored(facts, name, depth)

    def _binding(self, facts: Facts, name: ast.Name, binding: Binding, depth: int) -> None:
        value = binding.value
        if binding.how is How.ASSIGN and value is not None:
            marks = [(kind, len(kind)) for kind in (self.found.modules, self.found.objects)]
            self.read(facts, value, depth + 1)
            for kind, mark in marks:
                if kind[mark:] == [(facts, value)]:
                    kind[mark:] = [(facts, name)]  # (what it was built of is not what it is now)
        elif binding.how is How.UNPACK and binding.index is not None and isinstance(value, ast.Call | ast.Tuple):
            self._part(facts, name, value, binding.index, depth)
        elif binding.how is How.PARAMETER:
            self._parameter(facts, name, binding, depth)
        elif binding.how is How.AUGMENT and isinstance(value, ast.Constant):
            return
        elif binding.how is How.FOR and isinstance(value, ast.Call) and isinstance(binding.node, ast.Name):
            if facts.names.resolve(value.func) not in ("builtins.range", "tqdm.trange", "tqdm.auto.trange"):
                self.found.unknown.append((facts, name))
        else:
            self.found.unknown.append((facts, name))

    def _stored(self, facts: Facts, name: ast.Name, depth: int) -> None:
        """``state["model"] = model.state_dict()`` and ``state.update(…)``, anywhere in the scope of the name."""
        home = facts.names.home(name)
        for use in facts.names.uses(home, name.id) if home is not None else ():
            parent = facts.module.parents[use]
            outer = facts.module.parents[parent]
            if isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store):
                if isinstance(outer, ast.Assign) and parent in outer.targets and outer.value not in self._seen:
                    self._seen.add(outer.value)
                    self.read(facts, outer.value, depth + 1)
            elif isinstance(parent, ast.Attribute) and parent.attr in ("update", "append") and parent.value is use:
                if isinstance(outer, ast.Call) and outer.func is parent and outer not in self._seen:
                    self._seen.add(outer)
                    for value in [*outer.args, *(k.value for k in outer.keywords)]:
                        self.read(facts, value, depth + 1)

    def _parameter(self, facts: Facts, name: ast.Name, binding: Binding, depth: int) -> None:
        function = facts.module.function_of(binding.node)
        if function is None:
            self.found.unknown.append((facts, name))
            return
        called = Function(facts, function)
        passed = [
            (site.facts, value)
            for site in self.structure.calls_to(called)
            if (value := self.structure.argument_for(site, called, binding.name)) is not None
        ]
        if not passed:
            self.found.passed.append((facts, name))
        for there, value in passed:
            self.read(there, value, depth + 1)

    def _attribute(self, facts: Facts, node: ast.Attribute, depth: int) -> None:
        if node.attr == "data":
            mark = len(self.found.parameters)
            self.read(facts, node.value, depth + 1)
            self.found.device += self.found.parameters[mark:]
            del self.found.parameters[mark:]
            return
        if node.attr in _WEIGHTS and roles_of(facts).is_(node.value, Role.MODEL):
            self.found.parameters.append((facts, node))
            return
        if node.attr == "module" and roles_of(facts).is_(node.value, Role.MODEL):
            self.found.modules.append((facts, node))  # of a wrapper
            return
        if self._by_role(facts, node):
            return
        owner = self.structure.instance_of(facts, node.value)
        values = self.structure.assigned(self.structure.bases(owner), node.attr) if owner is not None else []
        if not values or any(value is None for _, value in values):
            if not is_setting(self.structure, facts, node.value):
                self.found.unknown.append((facts, node))
            return
        for there, value in values:
            if value is not None and value not in self._seen:
                self._seen.add(value)
                self.read(there, value, depth + 1)

    # -- comprehensions --------------------------------------------------------------------------------

    def _comprehension(self, facts: Facts, node: ast.DictComp | ast.ListComp | ast.SetComp, depth: int) -> None:
        value = node.value if isinstance(node, ast.DictComp) else node.elt
        first = node.generators[0]
        if isinstance(value, ast.Name) and len(node.generators) == 1:
            source = first.iter
            if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute):
                if source.func.attr in ("items", "values"):
                    self.read(facts, source.func.value, depth + 1)
                    return
                if source.func.attr in _GENERATORS:
                    self._copied(facts, source, depth)
                    return
        if isinstance(value, ast.Name) and value.id in {
            n.id for n in ast.walk(first.target) if isinstance(n, ast.Name)
        }:
            self.found.unknown.append((facts, node))
            return
        self.read(facts, value, depth + 1)
