"""Roles: what a value stands for (model, optimizer, loader, tensor, device …), with the evidence.

A role is only given where every way of binding a name agrees, through assignments, parameters (from the
calls of the function in the same file), attributes of ``self`` and returned values. An unknown stays None.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace

from xlaport.facts import known
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.classes import Classes, default, dotted
from xlaport.facts.module import FunctionNode, Module, last_name, walk_block
from xlaport.facts.names import Binding, How, Names
from xlaport.facts.role import OPEN, TENSORS, Fact, Role, combined, fact_at, is_none, join
from xlaport.facts.torch_calls import TorchCalls
from xlaport.facts.usage import Usage

__all__ = ["TENSORS", "Fact", "Role", "Roles", "dotted"]

_MAX_DEPTH = 60
_MAX_QUESTIONS = 2000
_FINAL = 1 << 30


class Roles:
    """The roles of one file's expressions. Answers are computed on demand and remembered."""

    def __init__(self, module: Module, names: Names, further: Mapping[str, Role] | None = None) -> None:
        """`further` gives the roles of what more functions return, by qualified name (a target's own)."""
        self.module = module
        self.names = names
        self.classes = Classes(module, names)
        self._usage = Usage(module, names, self.classes, lambda node: self.is_(node, Role.SCALER))
        self._torch_calls = TorchCalls(module, names, self.of, self._iterated, further or {})
        self._memo: dict[object, Fact | None] = {}
        self._asked: dict[object, int] = {}
        """The questions that are open, with their depth."""
        self._rests_on = _FINAL
        """The least depth of an open question that the present answer rests on."""
        self._budget = _MAX_QUESTIONS

    # -- questions -------------------------------------------------------------------------------------

    def of(self, node: ast.expr) -> Fact | None:
        """The role of an expression's value."""
        return self._ask(node, lambda: self._infer(node))

    def role(self, node: ast.expr) -> Role | None:
        """The role alone."""
        fact = self.of(node)
        return fact.role if fact else None

    def is_(self, node: ast.expr, *roles: Role) -> bool:
        """Whether the expression is known to have one of the roles."""
        return self.role(node) in roles

    # What rules ask of the structure of the code; see `Classes`.

    def is_module_class(self, node: ast.ClassDef) -> bool:
        """Whether a class derives from ``torch.nn.Module``, directly or through classes of this file."""
        return self.classes.is_module_class(node)

    def instance_class(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of this file that an expression is an instance of: ``self``, or ``x = Trainer(…)``."""
        return self.classes.instance_class(node)

    def calls_to(self, function: ast.AST) -> list[ast.Call]:
        """The calls in this file that run a function."""
        return self.classes.calls_to(function)

    def argument_for(self, call: ast.Call, function: FunctionNode, parameter: str) -> ast.expr | None:
        """The expression that a call passes for a parameter; its default where it passes none; None if unsure."""
        return self.classes.argument_for(call, function, parameter)

    def method_or_function(self, call: ast.Call) -> FunctionNode | None:
        """The function, method or ``__init__`` of this file that a call runs."""
        return self.classes.run_by(call)

    # -- asking ----------------------------------------------------------------------------------------

    def _ask(self, key: object, answer: Callable[[], Fact | None]) -> Fact | None:
        """An answer, once for each question. One that rests on a question still open is not remembered."""
        if key in self._memo:
            return self._memo[key]
        if key in self._asked:
            self._rests_on = min(self._rests_on, self._asked[key])
            return OPEN
        depth = len(self._asked)
        if depth == 0:
            self._budget = _MAX_QUESTIONS
        if depth > _MAX_DEPTH or self._budget <= 0:
            self._rests_on = 0
            return None
        self._budget -= 1
        before, self._rests_on = self._rests_on, _FINAL
        self._asked[key] = depth
        try:
            fact = answer()
        finally:
            del self._asked[key]
        if self._rests_on >= depth:
            self._rests_on = _FINAL
            fact = None if fact is OPEN else fact
            self._memo[key] = fact
        self._rests_on = min(before, self._rests_on)
        return fact

    # -- expressions -----------------------------------------------------------------------------------

    def _infer(self, node: ast.expr) -> Fact | None:
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.BinOp):
            return combined([self.of(node.left), self.of(node.right)], node)
        if isinstance(node, ast.UnaryOp):
            return fact_at(Role.NUMBER, "not …", node) if isinstance(node.op, ast.Not) else self.of(node.operand)
        if isinstance(node, ast.Compare):
            if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
                return fact_at(Role.NUMBER, "a truth value", node)
            return combined([self.of(operand) for operand in [node.left, *node.comparators]], node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.IfExp):
            return join([self.of(node.body), self.of(node.orelse)])
        if isinstance(node, ast.NamedExpr | ast.Await | ast.Starred):
            return self.of(node.value)
        if isinstance(node, ast.JoinedStr):
            return fact_at(Role.TEXT, "an f-string", node)
        if isinstance(node, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.Lambda):
            return fact_at(Role.OTHER, "a display", node)
        return None

    def _constant(self, node: ast.Constant) -> Fact:
        if isinstance(node.value, bool | int | float | complex):
            return fact_at(Role.NUMBER, "a number", node)
        if isinstance(node.value, str):
            return fact_at(Role.TEXT, "a string", node)
        return fact_at(Role.OTHER, "a constant", node)

    def _subscript(self, node: ast.Subscript) -> Fact | None:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return fact_at(Role.NUMBER, "a size", node)
        base = self.of(node.value)
        if base is OPEN or (base is not None and base.role in TENSORS):
            return base
        if isinstance(node.slice, ast.Constant) and type(node.slice.value) is int and node.slice.value >= 0:
            return self._element(node.value, node.slice.value)
        return None

    # -- names -----------------------------------------------------------------------------------------

    def _name(self, node: ast.Name) -> Fact | None:
        facts = [
            self._binding(binding)
            for binding in self.names.reaching(node)
            if not (binding.how is How.ASSIGN and is_none(binding.value))
        ]
        return (join(facts) if facts else None) or self._by_use(node)

    def _by_use(self, node: ast.expr) -> Fact | None:
        found = self._usage.role(node)
        return fact_at(*found, node) if found is not None else None

    def _binding(self, binding: Binding) -> Fact | None:
        return self._ask(binding, lambda: self._infer_binding(binding))

    def _infer_binding(self, binding: Binding) -> Fact | None:
        value = binding.value
        if binding.how is How.PARAMETER:
            return self._parameter(binding)
        if value is None:
            return None
        if binding.how is How.ASSIGN:
            return self.of(value)
        if binding.how is How.AUGMENT:
            assert isinstance(binding.node, ast.Name)
            return combined([self._name(binding.node), self.of(value)], value)
        if binding.how is How.UNPACK:
            return self._element(value, binding.index)
        if binding.how is How.FOR:
            return self._iterated(value, binding.node)
        return None

    def _element(self, value: ast.expr, index: int | None) -> Fact | None:
        """The role of one element of a value that is unpacked; of tensors, any of them is one."""
        if isinstance(value, ast.Tuple | ast.List):
            if index is None or index >= len(value.elts) or any(isinstance(e, ast.Starred) for e in value.elts):
                return None
            return self.of(value.elts[index])
        if isinstance(value, ast.Name):
            found = self.names.reaching(value)
            parts = [b.value for b in found if b.how is How.ASSIGN and b.value is not None and b.value is not value]
            if parts and len(parts) == len(found) and all(isinstance(p, ast.Call | ast.Tuple) for p in parts):
                return join([self._element(part, index) for part in parts])
        if isinstance(value, ast.Call):
            function = self.classes.function_called(value)
            if function is not None:
                return self._returned(function, index)
        fact = self.of(value)
        return fact if fact is not None and (fact.role in TENSORS or fact.role is Role.DATASET) else None

    def _iterated(self, iterable: ast.expr, target: ast.AST) -> Fact | None:
        if isinstance(iterable, ast.Call):
            called = self.names.resolve(iterable.func)
            if called in torch_api.COUNTERS:
                return fact_at(Role.NUMBER, "counts a range", iterable)
            if called == "builtins.enumerate" and self._is_first_of_pair(target):
                return fact_at(Role.NUMBER, "counts by enumerate", iterable)
            if called in torch_api.LOOP_WRAPPERS and called != "builtins.zip" and iterable.args:
                return self._iterated(iterable.args[0], target)
        fact = self.of(iterable)
        if fact is not None and fact.role is Role.LOADER:
            return fact_at(Role.HOST_TENSOR, "part of a loader's batch", iterable)
        if fact is not None and fact.role is Role.DEVICE_LOADER:
            return fact_at(Role.TENSOR, "part of a device loader's batch", iterable)
        return fact if fact is OPEN or (fact is not None and fact.role in TENSORS) else None

    def _is_first_of_pair(self, target: ast.AST) -> bool:
        parent = self.module.parents.get(target)
        return (
            isinstance(parent, ast.Tuple)
            and bool(parent.elts)
            and parent.elts[0] is target
            and not isinstance(self.module.parents.get(parent), ast.Tuple | ast.List)
        )

    def _parameter(self, binding: Binding) -> Fact | None:
        arg = binding.node
        assert isinstance(arg, ast.arg)
        arguments = self.module.parents[arg]
        assert isinstance(arguments, ast.arguments)
        function = self.module.parents[arguments]
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) or arg in (
            arguments.vararg,
            arguments.kwarg,
        ):
            return None
        owner = self.module.parents[function]
        in_module = isinstance(owner, ast.ClassDef) and self.is_module_class(owner)
        if in_module and [*arguments.posonlyargs, *arguments.args][:1] == [arg]:
            return fact_at(Role.MODEL, "self of a module", arg)
        if in_module and function.name == "forward":
            return self._forward_parameter(arg, arguments)
        passed = [self.classes.argument_for(call, function, arg.arg) for call in self.classes.calls_to(function)]
        facts = [self.of(value) if value is not None else None for value in passed if not is_none(value)]
        if facts and None not in facts:
            joined = join(facts)
            if joined is None or joined is OPEN:
                return joined
            return replace(joined, because=f"passed to {function.name}(): {joined.because}")
        return self._annotated(arg)

    def _forward_parameter(self, arg: ast.arg, arguments: ast.arguments) -> Fact | None:
        value = default(arguments, arg.arg)
        if arg.annotation is not None and (noted := self._annotated(arg)) is not None:
            return noted
        if value is not None and not is_none(value):
            return self.of(value)
        return fact_at(Role.TENSOR, "parameter of forward()", arg)

    def _annotated(self, arg: ast.arg) -> Fact | None:
        if arg.annotation is None:
            return None
        annotation = _optional(arg.annotation)
        owner = self.names.class_named(annotation)
        if owner is not None:
            return self._instance(owner, arg)
        name = self.names.resolve(annotation)
        found = known.annotated(name) if name is not None else None
        return fact_at(*found, arg) if found is not None else None

    # -- attributes ------------------------------------------------------------------------------------

    def _attribute(self, node: ast.Attribute) -> Fact | None:
        base = self.of(node.value)
        if base is not None and base.role in TENSORS:
            if node.attr in torch_api.HOST_ATTRIBUTES:
                role = Role.DEVICE if node.attr == "device" else Role.OTHER
                return fact_at(role, f"a tensor's .{node.attr}", node)
            return base if node.attr in torch_api.VIEW_METHODS or node.attr == "grad" else None
        owner = self.instance_class(node.value)
        if owner is not None:
            values = [v for v in self.classes.attribute_values(owner, node.attr) if not is_none(v)]
            facts = [self._attribute_value(value) for value in values]
            joined = join(facts) if facts else None
            if joined is not None:
                return joined
        return self._by_use(node)

    def _attribute_value(self, value: ast.expr | None) -> Fact | None:
        if value is None:
            return None
        parent = self.module.parents.get(value)
        if isinstance(parent, ast.AugAssign) and parent.target is value:
            added = self.of(parent.value)
            # Added to a number it is still one; a tensor makes a tensor of it.
            return added if added is None or added.role is Role.TENSOR else OPEN
        return self.of(value)

    # -- calls -----------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Fact | None:
        name = self.names.resolve(node.func)
        if name is not None:
            fact = self._torch_calls.function(name, node)
            if fact is not None:
                return fact
        owner = self.names.class_named(node.func)
        if owner is not None:
            return self._instance(owner, node)
        function = self.classes.function_called(node)
        if function is not None:
            return self._returned(function, None)
        if isinstance(node.func, ast.Attribute):
            fact = self._torch_calls.method(node, node.func)
            if fact is not None:
                return fact
        callee = self.of(node.func)
        if callee is not None and callee.role is Role.MODEL:
            return fact_at(Role.TENSOR, "output of a model", node)
        return callee if callee is OPEN else None

    def _instance(self, owner: ast.ClassDef, node: ast.AST) -> Fact | None:
        if self.is_module_class(owner):
            return fact_at(Role.MODEL, f"{owner.name} is a torch.nn.Module", node)
        if self.classes.derives(owner, torch_api.OPTIMIZER_BASES):
            return fact_at(Role.OPTIMIZER, f"{owner.name} is an Optimizer", node)
        if not owner.bases:
            return fact_at(Role.OTHER, f"an instance of {owner.name}", node)
        return None

    def _returned(self, function: FunctionNode, index: int | None) -> Fact | None:
        """What a function of this file returns: the whole of it, or one element."""
        return self._ask((function, index), lambda: self._infer_returned(function, index))

    def _infer_returned(self, function: FunctionNode, index: int | None) -> Fact | None:
        nodes = list(walk_block(function.body))
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes):
            return None
        values = [node.value for node in nodes if isinstance(node, ast.Return) and not is_none(node.value)]
        if not values:
            return fact_at(Role.OTHER, f"{function.name}() returns nothing", function)
        if index is not None:
            return join([self._element(value, index) if value is not None else None for value in values])
        return join([self.of(value) if value is not None else None for value in values])


def _optional(annotation: ast.expr) -> ast.expr:
    """``X`` of ``X | None`` and of ``Optional[X]``."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return annotation.left if is_none(annotation.right) else annotation
    if isinstance(annotation, ast.Subscript) and last_name(annotation.value) == "Optional":
        return annotation.slice
    return annotation
