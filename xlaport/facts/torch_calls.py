"""What calls of PyTorch's functions, and of methods of tensors and modules, give."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from xlaport.facts import fetched, known
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.joining import FETCHED, JOINING, TO_HOST
from xlaport.facts.listed import listed
from xlaport.facts.module import Module
from xlaport.facts.names import Names
from xlaport.facts.role import OPEN, TENSORS, Fact, Role, combined, fact_at, is_none

_MIXING = frozenset("ctc_loss tensor_split index_put".split())
"""Functions that take lengths or places of the host beside tensors of the device."""
_KEEPING = frozenset(
    "data detach float double half long int short bool contiguous clone view reshape flatten squeeze unsqueeze".split()
)
"""What leaves a tensor where it is; `to` and `type` may move it."""
_MAX_DEPTH = 4
_ACCELERATOR = re.compile(r"cuda|gpu|avail|cpu|device|xla|tpu|mps|accel", re.IGNORECASE)
"""Words of a question about the machine, or about the user's choice of a device."""


class TorchCalls:
    """Answers for `Roles`, which it asks for the roles of operands."""

    def __init__(
        self,
        module: Module,
        names: Names,
        role_of: Callable[[ast.expr], Fact | None],
        iterated: Callable[[ast.expr], Fact | None],
        further: Mapping[str, Role],
        values_of: Callable[[ast.expr], list[ast.expr | None]],
        default_is_chosen: Callable[[], bool],
    ) -> None:
        self.module = module
        self.names = names
        self.of = role_of
        self._iterated = iterated
        self._further = further
        self._values_of = values_of
        self._default_is_chosen = default_is_chosen

    def function(self, name: str, node: ast.Call) -> Fact | None:
        """What a call of the function with this qualified name gives."""
        last = name.rpartition(".")[2]
        if name in self._further:
            return fact_at(self._further[name], f"{last}(…)", node)
        found = known.returned(name)
        if found is not None:
            return fact_at(*found, node)
        if not node.args:
            return self._from_numbers(name, node) if known.makes_tensor(name) else self._computed(name, node)
        if name in torch_api.MODULE_WRAPPERS or name in torch_api.VARIABLES:
            return self.of(node.args[0])
        if name in torch_api.PASSING_WRAPPERS:
            fact = self.of(node.args[0])
            return fact if fact is not None and fact.role in (Role.LOADER, Role.DEVICE_LOADER) else None
        if name == "builtins.next":
            return self._iterated(node.args[0])
        if name in ("builtins.sum", "builtins.abs", "builtins.max", "builtins.min"):
            return combined([self.of(argument) for argument in node.args], node)
        return self._from_numbers(name, node) if known.makes_tensor(name) else self._computed(name, node)

    def _from_numbers(self, name: str, node: ast.Call) -> Fact:
        device = next((keyword.value for keyword in node.keywords if keyword.arg == "device"), None)
        if device is not None and not is_none(device):
            if self._is_host(device):
                return fact_at(Role.HOST_TENSOR, f'{name}(…, device="cpu")', node)
            other = device.value if isinstance(device, ast.Attribute) and device.attr == "device" else None
            beside = self.of(other) if other is not None else None
            if beside is not None and beside.role is Role.HOST_TENSOR:
                return fact_at(Role.HOST_TENSOR, f"{name}(…, device=…)", node)
            assumed = (beside is not None and beside.assumed) or self._may_be_host(device)
            # Nobody knows where a plain name lies of which nothing is known: `lengths` of a batch.
            assumed = assumed or (beside is None and isinstance(other, ast.Name))
            return replace(fact_at(Role.TENSOR, f"{name}(…, device=…)", node), assumed=assumed)
        if self._default_device(node):
            return fact_at(Role.TENSOR, f"{name}(…) on the default device", node)
        out = next((keyword.value for keyword in node.keywords if keyword.arg == "out"), None)
        if isinstance(out, ast.Call) and (self.names.resolve(out.func) or "").startswith("torch.cuda."):
            return fact_at(Role.TENSOR, f"{name}(…, out=…)", node)
        return fact_at(Role.HOST_TENSOR, f"{name}(…)", node)

    def _default_device(self, node: ast.Call) -> bool:
        """Whether the project chooses a device for tensors that name none, for all of them or around this one."""
        if self._default_is_chosen():
            return True
        around = (p for p in self.module.ancestors(node) if isinstance(p, ast.With))
        return any(_is_device(self.of(item.context_expr)) for block in around for item in block.items)

    def _computed(self, name: str, node: ast.Call) -> Fact | None:
        if not known.computes_tensor(name):
            return None
        operands = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
        operands += [keyword.value for keyword in node.keywords if keyword.arg != "device"]
        for argument in list(operands):
            if isinstance(argument, ast.List | ast.Tuple):
                operands.extend(argument.elts)
            elif isinstance(argument, ast.ListComp | ast.GeneratorExp) and name in JOINING:
                operands.append(argument.elt)
            elif name in JOINING:
                operands.extend(listed(self.module, self.names, argument) or [])
        last = name.rpartition(".")[2]
        tensors = operands if name in JOINING else node.args[:1]
        given = [self._fetched(operand) if operand in tensors else self.of(operand) for operand in operands]
        facts = [fact for fact in given if fact is None or fact.role in TENSORS]
        moved = any(keyword.arg == "device" and not self._is_host(keyword.value) for keyword in node.keywords)
        first = self._fetched(node.args[0]) if node.args else None
        held = last not in _MIXING and any(self._holds_to_host(operand) for operand in operands)
        if held or (first is not None and first.role is Role.HOST_TENSOR):
            facts = [fact for fact in facts if fact is not None]  # what is not known is a number, or on the host, too
        if name in JOINING and any(self.shows_host(operand) for operand in operands):
            facts = [fact for fact in facts if fact is not None and not fact.assumed]
        joined = combined(facts, node) if facts and not moved else None
        if joined is not None and joined.role in TENSORS:
            return replace(joined, because=f"{last}() of {joined.because}")
        return replace(fact_at(Role.TENSOR, f"{name}(…)", node), assumed=not (moved or self._is_of_a_model(name, node)))

    def _is_of_a_model(self, name: str, node: ast.Call) -> bool:
        """Whether it is computed where a model computes, or of its parameters, which lie where the model does."""
        function = self.module.function(node)
        return name.startswith("torch.nn.utils.") or (function is not None and function.name == "forward")

    def shows_host(self, node: ast.expr) -> bool:
        """Whether what is joined to a tensor shows that both lie on the host: what is empty may lie anywhere."""
        fact = self._fetched(node)
        return fact is not None and fact.role is Role.HOST_TENSOR and not self._may_be_empty(node, 0)

    def _fetched(self, node: ast.expr) -> Fact | None:
        """The role of what is joined, or computed with: a tensor, so that ``.cpu()`` of anything is one of the host."""
        fact, made = self.of(node), node
        while fact is None and isinstance(made, ast.Call | ast.Attribute):
            attribute = made.func if isinstance(made, ast.Call) else made
            if not isinstance(attribute, ast.Attribute):
                break
            if attribute.attr == "cpu" and isinstance(made, ast.Call):
                return fact_at(Role.HOST_TENSOR, FETCHED, node)
            if attribute.attr not in _KEEPING:
                break
            made = attribute.value
        return fact

    def _may_be_empty(self, node: ast.expr, depth: int) -> bool:
        """``torch.tensor([])``, ``torch.empty(0)``, ``torch.Tensor()``, and a name for them."""
        if isinstance(node, ast.Name) and depth < _MAX_DEPTH:
            return any(v is not None and self._may_be_empty(v, depth + 1) for v in self._values_of(node))
        if not isinstance(node, ast.Call):
            return False
        name, func = self.names.resolve(node.func) or "", node.func
        if not known.makes_tensor(name):
            is_changed = isinstance(func, ast.Attribute) and not func.attr.startswith("new_") and depth < _MAX_DEPTH
            return is_changed and isinstance(func, ast.Attribute) and self._may_be_empty(func.value, depth + 1)
        if name in torch_api.OF_A_ROW:
            return False
        given = node.args[0] if node.args else None
        if isinstance(given, ast.List | ast.Tuple) and given.elts:
            given = given.elts[0]
        is_nothing = isinstance(given, ast.List | ast.Tuple) or (isinstance(given, ast.Constant) and given.value == 0)
        return given is None or is_nothing

    def _holds_to_host(self, node: ast.expr, depth: int = 0) -> bool:
        """Whether a tensor of the host has dimensions: beside one of the device it would raise, on every device."""
        if depth > _MAX_DEPTH:
            return False
        if isinstance(node, ast.Name):
            values = self._values_of(node)
            return bool(values) and all(v is not None and self._holds_to_host(v, depth + 1) for v in values)
        if not isinstance(node, ast.Call) or any(keyword.arg is None for keyword in node.keywords):
            return False
        fact = self.of(node)
        return (
            fact is not None and fact.role is Role.HOST_TENSOR and self.names.resolve(node.func) in torch_api.OF_A_ROW
        )

    def _is_host(self, device: ast.expr, depth: int = 0) -> bool:
        """``"cpu"``, ``torch.device("cpu")``, and a name or an attribute that is never anything else."""
        device = place_of(self.names, device)
        if isinstance(device, ast.Constant):
            return device.value == "cpu"
        values = self._values_of(device) if depth < _MAX_DEPTH else []
        return bool(values) and all(value is not None and self._is_host(value, depth + 1) for value in values)

    def _may_be_host(self, device: ast.expr) -> bool:
        """Whether the program chooses the host by something else than what accelerators there are."""
        values = self._values_of(device) if isinstance(device, ast.Name) else [device]
        if len(values) != 1 or values[0] is None:
            return False
        value = place_of(self.names, values[0])
        if not isinstance(value, ast.IfExp) or _ACCELERATOR.search(ast.unparse(value.test)):
            return False
        return self._is_host(value.body) is not self._is_host(value.orelse)

    def method(self, node: ast.Call, func: ast.Attribute) -> Fact | None:
        """What a call of a method gives."""
        base = self.of(func.value)
        method = func.attr
        if base is None or base is OPEN:
            if base is None and method == "cpu" and fetched.is_tensor(self.module, self.names, node):
                return fact_at(Role.HOST_TENSOR, FETCHED, node)
            if base is None and self._is_placed(node, method) and fetched.is_of_tensors(self.names, func.value):
                return fact_at(Role.TENSOR, f"moved by .{method}()", node)
            return fact_at(Role.NUMBER, ".item()", node) if method == "item" and not node.args else base
        if base.role in TENSORS:
            if method == "cpu":
                return fact_at(Role.HOST_TENSOR, FETCHED, node)
            if method in torch_api.MOVING_METHODS:
                return self._moved(node, method, base)
            if method in torch_api.NUMBER_METHODS:
                return fact_at(Role.NUMBER, f"a tensor's .{method}()", node)
            if method == "type" and not node.args and not node.keywords:
                return fact_at(Role.TEXT, "a tensor's .type()", node)
            if method in torch_api.METHODS_OF_TEXTS:
                return fact_at(Role.OTHER, f".{method}() of a string", node)
            if method in torch_api.HOST_METHODS:
                return fact_at(Role.OTHER, f"a tensor's .{method}()", node)
            if method == "get" and len(node.args) == 2:  # of a dict: what it gives if it has none is no tensor
                default = self.of(node.args[1])
                return base if default is None or default.role in TENSORS else None
            return base
        if base.role is Role.MODEL:
            if method in torch_api.MODULE_KEEPING_METHODS:
                return base
            if method in torch_api.MODULE_HOST_METHODS:
                return fact_at(Role.OTHER, f"a module's .{method}()", node)
            return None
        if base.role is Role.DEVICE_LOADER:
            return replace(base, because=f".{method}() of {base.because}")  # an iterator of its own for each device
        if base.role is Role.OTHER and method in torch_api.DISTRIBUTION_USES:
            return self._of_distribution(node, func)
        if base.role in (Role.NUMBER, Role.TEXT):
            return fact_at(base.role, f".{method}() of a {base.role.value}", node)
        return None

    def _of_distribution(self, node: ast.Call, func: ast.Attribute) -> Fact | None:
        """What a distribution of tensors gives: ``dist = Categorical(logits=x)``, ``dist.sample()``."""
        made = self.names.assigned(func.value) if isinstance(func.value, ast.Name) else None
        if not isinstance(made, ast.Call):
            return None
        name = self.names.resolve(made.func) or ""
        if not name.startswith("torch.distributions."):
            return None
        given = [self.of(argument) for argument in [*made.args, *(keyword.value for keyword in made.keywords)]]
        tensors: list[Fact | None] = [fact for fact in given if fact is not None and fact.role in TENSORS]
        joined = combined(tensors, node) if tensors else None
        return replace(joined, because=f".{func.attr}() of a distribution of {joined.because}") if joined else None

    def _is_placed(self, node: ast.Call, method: str) -> bool:
        """``x.cuda()``, ``x.to(device)``."""
        return method == "cuda" or (method == "to" and bool(node.args) and _is_device(self.of(node.args[0])))

    def _moved(self, node: ast.Call, method: str, base: Fact) -> Fact:
        """What ``x.to(…)`` gives: a change of the dtype moves nothing, ``"cpu"`` moves to the host."""
        arguments = [*node.args[:1], *(k.value for k in node.keywords if k.arg in ("device", "other", "dtype"))]
        if method == "to" and arguments:
            if any(self._is_host(argument) for argument in arguments):
                return fact_at(Role.HOST_TENSOR, TO_HOST, node)
            if all(self._is_dtype(argument) for argument in arguments):
                return base
            other = self.of(arguments[0])
            if other is not None and other.role is Role.HOST_TENSOR:
                return other
        assumed = method == "to" and any(self._may_be_host(argument) for argument in arguments)
        return replace(fact_at(Role.TENSOR, f"moved by .{method}()", node), assumed=assumed)

    def _is_dtype(self, node: ast.expr) -> bool:
        return self.names.resolve(node) in torch_api.DTYPES or (
            isinstance(node, ast.Attribute) and node.attr == "dtype"
        )


def place_of(names: Names, device: ast.expr) -> ast.expr:
    """What a device is made of: ``"cpu"`` of ``torch.device("cpu")``; else the expression itself."""
    if isinstance(device, ast.Call) and names.resolve(device.func) == "torch.device" and device.args:
        return device.args[0]
    return device


def _is_device(fact: Fact | None) -> bool:
    return fact is not None and fact.role is Role.DEVICE
