"""Fresh values: computed for this step, so that no later statement can change them behind the code's back.

A parameter of a model, or a view of one, is not fresh: the optimizer's step changes it in place. The result
of an operation is.
"""

from __future__ import annotations

import ast
from functools import cached_property

from xlaport.facts import known
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import FunctionNode, Module
from xlaport.facts.names import Binding, How, Names, Scope
from xlaport.facts.roles import TENSORS, Role, Roles

_LOADERS = (Role.LOADER, Role.DEVICE_LOADER)
_HARMLESS = (*TENSORS, Role.NUMBER, Role.TEXT)


class Freshness:
    """Answers `is_fresh` from the way in which a value is computed."""

    def __init__(self, module: Module, names: Names, roles: Roles) -> None:
        self.module = module
        self.names = names
        self.roles = roles
        self._open: set[object] = set()

    def is_fresh(self, node: ast.expr) -> bool:
        """Whether the value belongs to nobody else who might change it."""
        if isinstance(node, ast.Constant | ast.BinOp | ast.Compare | ast.JoinedStr):
            return True
        if isinstance(node, ast.UnaryOp):
            return not isinstance(node.op, ast.UAdd) or self.is_fresh(node.operand)
        if isinstance(node, ast.IfExp):
            return self.is_fresh(node.body) and self.is_fresh(node.orelse)
        if isinstance(node, ast.NamedExpr):
            return self.is_fresh(node.value)
        if isinstance(node, ast.Tuple | ast.List):
            return all(self.is_fresh(element) for element in node.elts)
        if isinstance(node, ast.Attribute):
            return node.attr != "grad" and not self.roles.is_(node.value, Role.MODEL) and self.is_fresh(node.value)
        if isinstance(node, ast.Subscript):
            return self.is_fresh(node.value)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        return False

    # -- names -----------------------------------------------------------------------------------------

    def _name(self, node: ast.Name) -> bool:
        home = self.names.home(node)
        if (home, node.id) in self._differentiated:
            return True
        found = self.names.reaching(node)
        return bool(found) and all(self._binding(binding) for binding in found)

    def _binding(self, binding: Binding) -> bool:
        if binding in self._open:
            return True
        if binding.value is None:
            return False
        self._open.add(binding)
        try:
            if binding.how in (How.ASSIGN, How.UNPACK):
                return self.is_fresh(binding.value)
            if binding.how is How.AUGMENT:
                # `loss /= n` changes in place what the name stood for.
                assert isinstance(binding.node, ast.Name)
                return self._name(binding.node)
            return binding.how is How.FOR and self._is_batch(binding.value)
        finally:
            self._open.discard(binding)

    def _is_batch(self, iterable: ast.expr) -> bool:
        """Each batch of a loader is made anew."""
        while isinstance(iterable, ast.Call) and self.names.resolve(iterable.func) in torch_api.LOOP_WRAPPERS:
            if not iterable.args:
                return False
            iterable = iterable.args[0]
        return self.roles.is_(iterable, *_LOADERS)

    @cached_property
    def _differentiated(self) -> set[tuple[Scope | None, str]]:
        """Names of values on which backward() is called: the result of the step, never a parameter."""
        found: set[tuple[Scope | None, str]] = set()
        for call in self.module.calls:
            if isinstance(call.func, ast.Attribute) and call.func.attr == "backward":
                base = call.func.value
                # scaler.scale(loss).backward() and accelerator.backward(loss)
                candidates = [base, *call.args[:1], *(base.args[:1] if isinstance(base, ast.Call) else [])]
                found |= {
                    (self.names.home(n), n.id) for n in candidates if isinstance(n, ast.Name) if self._is_tensor(n)
                }
        return found

    def _is_tensor(self, node: ast.Name) -> bool:
        return self.roles.role(node) in (None, *TENSORS)

    # -- calls -----------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> bool:
        name = self.names.resolve(node.func)
        if name is not None and (known.computes_tensor(name) or known.makes_tensor(name)):
            return not self._shares(node, name.rpartition(".")[2]) or (bool(node.args) and self.is_fresh(node.args[0]))
        if name in ("builtins.next", "builtins.iter"):
            return bool(node.args) and self._is_batch(node.args[0])
        function = self.roles.function_called(node)
        if function is not None:
            return self._returns_fresh(function)
        func = node.func
        if isinstance(func, ast.Attribute) and self.roles.role(func.value) in TENSORS:
            return not self._shares(node, func.attr) or self.is_fresh(func.value)
        if self.roles.is_(func, Role.MODEL):
            owner = self.roles.instance_class(func)
            forward = self.names.method(owner, "forward") if owner is not None else None
            return forward is None or self._returns_fresh(forward)
        if name is not None and name.startswith("builtins."):
            return self.roles.is_(node, Role.NUMBER, Role.TEXT) or all(self.is_fresh(a) for a in node.args)
        # Unknown code: what it makes of tensors is new; what it gives without any may be anything.
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        roles = [self.roles.role(argument) for argument in given]
        return any(role in TENSORS for role in roles) and all(
            role in _HARMLESS or self.is_fresh(argument) for role, argument in zip(roles, given, strict=True)
        )

    def _shares(self, node: ast.Call, last: str) -> bool:
        """Whether a function or method may give back its operand, or a view of it."""
        in_place = any(keyword.arg == "inplace" for keyword in node.keywords)
        changes = last.endswith("_") and last != "clip_grad_norm_"  # which changes others, and gives their norm
        return in_place or last in torch_api.VIEW_METHODS or changes

    def _returns_fresh(self, function: FunctionNode) -> bool:
        if function in self._open:
            return True
        self._open.add(function)
        try:
            values = [node.value for node in self.module.returns(function)]
            return bool(values) and all(value is None or self.is_fresh(value) for value in values)
        finally:
            self._open.discard(function)
