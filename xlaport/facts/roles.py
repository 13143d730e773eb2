"""Roles: what a value stands for (model, optimizer, loader, tensor, device …), with the evidence.

A role is only given where every way of binding a name agrees, through assignments, parameters (from the
calls of the function in the same file), attributes of ``self`` and returned values. An unknown stays None.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import FunctionNode, Module, walk_block
from xlaport.facts.names import Binding, How, Names


class Role(enum.Enum):
    """What a value is, as far as porting is concerned."""

    TENSOR = "tensor"
    """A tensor that is, or may be, on the device."""
    HOST_TENSOR = "host tensor"
    """A tensor that was made on the host and not moved."""
    MODEL = "model"
    OPTIMIZER = "optimizer"
    SCHEDULER = "scheduler"
    SCALER = "scaler"
    LOADER = "loader"
    DEVICE_LOADER = "device loader"
    """A loader wrapper whose batches are already on the device."""
    DATASET = "dataset"
    DEVICE = "device"
    NUMBER = "number"
    TEXT = "text"
    OTHER = "other"
    """Known to be none of the above: an instance of a class of this file, a display, None …"""


TENSORS = frozenset({Role.TENSOR, Role.HOST_TENSOR})


@dataclass(frozen=True)
class Fact:
    """A role and what it rests on: `because` is a phrase, `line` its place (from 1)."""

    role: Role
    because: str
    line: int


_MAX_DEPTH = 40


class Roles:
    """The roles of one file's expressions. Answers are computed on demand and remembered."""

    def __init__(self, module: Module, names: Names, known: Mapping[str, Role] | None = None) -> None:
        """`known` gives the roles of what further functions return, by qualified name (a target's own)."""
        self.module = module
        self.names = names
        self._known = known or {}
        self._memo: dict[ast.AST, Fact | None] = {}
        self._binding_memo: dict[Binding, Fact | None] = {}
        self._open: set[object] = set()
        self._cut = False
        self._calls_to: dict[ast.AST, list[ast.Call]] | None = None
        self._attributes: dict[tuple[ast.ClassDef, str], list[ast.expr | None]] | None = None
        self._method_uses: dict[str, set[str]] | None = None

    # -- questions -------------------------------------------------------------------------------------

    def of(self, node: ast.expr) -> Fact | None:
        """The role of an expression's value."""
        if node in self._memo:
            return self._memo[node]
        if node in self._open or len(self._open) > _MAX_DEPTH:
            self._cut = True
            return None
        self._open.add(node)
        outer, self._cut = self._cut, False
        try:
            fact = self._infer(node)
        finally:
            self._open.discard(node)
        # An answer that depended on a question still open may be too weak: do not remember it.
        if fact is not None or not self._cut:
            self._memo[node] = fact
        self._cut = self._cut or outer
        return fact

    def role(self, node: ast.expr) -> Role | None:
        """The role alone."""
        fact = self.of(node)
        return fact.role if fact else None

    def is_(self, node: ast.expr, *roles: Role) -> bool:
        """Whether the expression is known to have one of the roles."""
        return self.role(node) in roles

    def is_module_class(self, node: ast.ClassDef) -> bool:
        """Whether a class derives from ``torch.nn.Module``, directly or through classes of this file."""
        return self._derives(node, torch_api.MODULE_BASES, set())

    def calls_to(self, function: ast.AST) -> list[ast.Call]:
        """The calls in this file that run a function or construct a class of this file."""
        if self._calls_to is None:
            self._calls_to = {}
            for call in self.module.calls:
                target: ast.AST | None = self.names.function_called(call)
                if target is None:
                    target = self.names.class_named(call.func)
                if target is None and isinstance(call.func, ast.Attribute):
                    target = self.method_called(call)
                if target is not None:
                    self._calls_to.setdefault(target, []).append(call)
        return self._calls_to.get(function, [])

    def argument_for(self, call: ast.Call, function: FunctionNode, parameter: str) -> ast.expr | None:
        """The expression that a call passes for a parameter, or None where it is not written out."""
        positional = [arg.arg for arg in [*function.args.posonlyargs, *function.args.args]]
        is_method = isinstance(self.module.parents[function], ast.ClassDef)
        static = any(self.names.resolve(d) == "builtins.staticmethod" for d in function.decorator_list)
        if is_method and not static and positional:
            positional = positional[1:]
        for keyword in call.keywords:
            if keyword.arg == parameter:
                return keyword.value
        if parameter in positional:
            index = positional.index(parameter)
            if index < len(call.args) and not any(isinstance(a, ast.Starred) for a in call.args[: index + 1]):
                return call.args[index]
        return None

    def method_or_function(self, call: ast.Call) -> FunctionNode | None:
        """The function, method or ``__init__`` of this file that a call runs."""
        function = self.names.function_called(call)
        if function is None and isinstance(call.func, ast.Attribute):
            function = self.method_called(call)
        if function is None:
            owner = self.names.class_named(call.func)
            function = self.names.method(owner, "__init__") if owner is not None else None
        return function

    # -- inference -------------------------------------------------------------------------------------

    def _fact(self, role: Role, because: str, node: ast.AST) -> Fact:
        return Fact(role, because, getattr(node, "lineno", 1))

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
            return self._join_operands([node.left, node.right], node)
        if isinstance(node, ast.UnaryOp):
            return self._fact(Role.NUMBER, "not …", node) if isinstance(node.op, ast.Not) else self.of(node.operand)
        if isinstance(node, ast.Compare):
            return self._compare(node)
        if isinstance(node, ast.Subscript):
            base = self.of(node.value)
            return base if base is not None and base.role in TENSORS else None
        if isinstance(node, ast.IfExp):
            return self._join([self.of(node.body), self.of(node.orelse)])
        if isinstance(node, ast.NamedExpr | ast.Await | ast.Starred):
            return self.of(node.value)
        if isinstance(node, ast.JoinedStr):
            return self._fact(Role.TEXT, "an f-string", node)
        if isinstance(node, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.Lambda):
            return self._fact(Role.OTHER, "a display", node)
        return None

    def _constant(self, node: ast.Constant) -> Fact:
        if isinstance(node.value, bool | int | float | complex):
            return self._fact(Role.NUMBER, "a number", node)
        if isinstance(node.value, str):
            return self._fact(Role.TEXT, "a string", node)
        return self._fact(Role.OTHER, "a constant", node)

    def _name(self, node: ast.Name) -> Fact | None:
        facts: list[Fact | None] = []
        for binding in self.names.reaching(node):
            if _is_none(binding.value) and binding.how is How.ASSIGN:
                continue
            facts.append(self._binding(binding))
        joined = self._join(facts) if facts else None
        return joined or self._by_use(node)

    def _binding(self, binding: Binding) -> Fact | None:
        if binding in self._binding_memo:
            return self._binding_memo[binding]
        if binding in self._open:
            self._cut = True
            return _UNDECIDED
        self._open.add(binding)
        try:
            fact = self._infer_binding(binding)
        finally:
            self._open.discard(binding)
        if not self._cut:
            self._binding_memo[binding] = fact
        return fact

    def _infer_binding(self, binding: Binding) -> Fact | None:
        value = binding.value
        if binding.how is How.ASSIGN and value is not None:
            return self.of(value)
        if binding.how is How.AUGMENT and value is not None:
            # `total += loss` turns a number into a tensor; a number added to anything keeps its role.
            fact = self.of(value)
            return fact if fact is not None and fact.role is Role.TENSOR else _UNDECIDED
        if binding.how is How.UNPACK and value is not None:
            fact = self.of(value)
            return fact if fact is not None and fact.role in TENSORS else None
        if binding.how is How.FOR and value is not None:
            return self._iterated(value, binding.node)
        if binding.how is How.PARAMETER:
            return self._parameter(binding)
        return None

    def _iterated(self, iterable: ast.expr, target: ast.AST) -> Fact | None:
        if isinstance(iterable, ast.Call):
            called = self.names.resolve(iterable.func)
            if called in ("builtins.range", "tqdm.trange"):
                return self._fact(Role.NUMBER, "counts a range", iterable)
            if called == "builtins.enumerate" and self._is_first_of_pair(target):
                return self._fact(Role.NUMBER, "counts by enumerate", iterable)
            if called in torch_api.LOOP_WRAPPERS and called != "builtins.zip" and iterable.args:
                return self._iterated(iterable.args[0], target)
        fact = self.of(iterable)
        if fact is not None and fact.role is Role.LOADER:
            return self._fact(Role.HOST_TENSOR, "part of a loader's batch", iterable)
        if fact is not None and fact.role is Role.DEVICE_LOADER:
            return self._fact(Role.TENSOR, "part of a device loader's batch", iterable)
        if fact is not None and fact.role in TENSORS:
            return fact
        return None

    def _is_first_of_pair(self, target: ast.AST) -> bool:
        parent = self.module.parents.get(target)
        return (
            isinstance(parent, ast.Tuple)
            and bool(parent.elts)
            and parent.elts[0] is target
            and not isinstance(self.module.parents.get(parent), ast.Tuple | ast.List)
        )

    def _parameter(self, binding: Binding) -> Fact | None:
        assert isinstance(binding.node, ast.arg)
        function = self.module.parents[self.module.parents[binding.node]]
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        owner = self.module.parents[function]
        if isinstance(owner, ast.ClassDef) and self.is_module_class(owner):
            if function.args.args and function.args.args[0] is binding.node:
                return self._fact(Role.MODEL, "self of a module", binding.node)
            if function.name == "forward":
                return self._fact(Role.TENSOR, "parameter of forward()", binding.node)
        calls = self.calls_to(function)
        if not calls and isinstance(owner, ast.ClassDef) and function.name == "__init__":
            calls = self.calls_to(owner)
        elif isinstance(owner, ast.ClassDef) and function.name == "__init__":
            calls = [*calls, *self.calls_to(owner)]
        passed = [self.argument_for(call, function, binding.name) for call in calls]
        written = [expr for expr in passed if expr is not None]
        if not written or len(written) != len(passed):
            return None
        joined = self._join([self.of(expr) for expr in written])
        return replace(joined, because=f"passed to {function.name}(): {joined.because}") if joined else None

    def _attribute(self, node: ast.Attribute) -> Fact | None:
        base = self.of(node.value)
        if base is not None and base.role in TENSORS:
            if node.attr in torch_api.HOST_ATTRIBUTES:
                role = Role.DEVICE if node.attr == "device" else Role.OTHER
                return self._fact(role, f"a tensor's .{node.attr}", node)
            return base if node.attr in torch_api.VIEW_METHODS or node.attr == "grad" else None
        owner = self.instance_class(node.value)
        if owner is not None:
            values = self._class_attributes().get((owner, node.attr), [])
            known = [v for v in values if v is not None and not _is_none(v)]
            if known and len(known) == len([v for v in values if not _is_none(v)]):
                joined = self._join([self.of(v) for v in known])
                if joined is not None:
                    return joined
        return self._by_use(node)

    def instance_class(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of this file that an expression is an instance of: ``self``, or ``x = Trainer(…)``."""
        if not isinstance(node, ast.Name):
            return None
        found = self.names.bindings(node)
        if len(found) != 1:
            return None
        binding = found[0]
        if binding.how is How.PARAMETER:
            function = self.module.parents[self.module.parents[binding.node]]
            owner = self.module.parents.get(function)
            if (
                isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
                and isinstance(owner, ast.ClassDef)
                and function.args.args
                and function.args.args[0] is binding.node
            ):
                return owner
        if binding.how is How.ASSIGN and isinstance(binding.value, ast.Call):
            return self.names.class_named(binding.value.func)
        return None

    def method_called(self, call: ast.Call) -> FunctionNode | None:
        """The method of a class of this file that a call on one of its instances runs."""
        assert isinstance(call.func, ast.Attribute)
        owner = self.instance_class(call.func.value)
        return self.names.method(owner, call.func.attr) if owner is not None else None

    def _class_attributes(self) -> dict[tuple[ast.ClassDef, str], list[ast.expr | None]]:
        if self._attributes is None:
            self._attributes = {}
            for node in self.module.nodes:
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    owner = self.instance_class(node.value)
                    if owner is not None:
                        parent = self.module.parents[node]
                        value = parent.value if isinstance(parent, ast.Assign | ast.AnnAssign) else None
                        if isinstance(parent, ast.AugAssign):
                            continue
                        self._attributes.setdefault((owner, node.attr), []).append(value)
        return self._attributes

    def _compare(self, node: ast.Compare) -> Fact | None:
        if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
            return self._fact(Role.NUMBER, "a truth value", node)
        return self._join_operands([node.left, *node.comparators], node)

    def _join_operands(self, operands: list[ast.expr], node: ast.expr) -> Fact | None:
        facts = [self.of(operand) for operand in operands]
        for role in (Role.TENSOR, Role.HOST_TENSOR):
            for fact in facts:
                if fact is not None and fact.role is role and fact is not _UNDECIDED:
                    return fact
        if facts and all(f is not None and f.role is Role.NUMBER for f in facts):
            return self._fact(Role.NUMBER, "computed from numbers", node)
        if isinstance(node, ast.BinOp) and any(f is not None and f.role is Role.TEXT for f in facts):
            return self._fact(Role.TEXT, "computed from a string", node)
        return None

    def _join(self, facts: list[Fact | None]) -> Fact | None:
        known = [fact for fact in facts if fact is not _UNDECIDED]
        if not known or any(fact is None for fact in known):
            return None
        roles = {fact.role for fact in known if fact is not None}
        if len(roles) == 1:
            return known[0]
        if roles <= TENSORS or roles == {Role.TENSOR, Role.NUMBER}:
            # `total = 0` and later `total += loss`: it may be a tensor.
            return next(fact for fact in known if fact is not None and fact.role in TENSORS)
        return None

    # -- calls -----------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Fact | None:
        name = self.names.resolve(node.func)
        if name is not None:
            fact = self._known_function(name, node)
            if fact is not None:
                return fact
        owner = self.names.class_named(node.func)
        if owner is not None:
            return self._instance(owner, node)
        function = self.names.function_called(node)
        if function is None and isinstance(node.func, ast.Attribute):
            function = self.method_called(node)
        if function is not None:
            return self._returned(function)
        if isinstance(node.func, ast.Attribute):
            fact = self._method(node, node.func)
            if fact is not None:
                return fact
        callee = self.of(node.func)
        if callee is not None and callee.role is Role.MODEL:
            return self._fact(Role.TENSOR, "output of a model", node)
        return None

    def _known_function(self, name: str, node: ast.Call) -> Fact | None:
        last = name.rpartition(".")[2]
        if name in self._known:
            return self._fact(self._known[name], f"{last}(…)", node)
        if name in torch_api.DEVICE_CALLS:
            return self._fact(Role.DEVICE, f"{name}(…)", node)
        if name in torch_api.LOADERS:
            return self._fact(Role.LOADER, "a DataLoader", node)
        if name in torch_api.SCALERS:
            return self._fact(Role.SCALER, "a GradScaler", node)
        if name.startswith(torch_api.SCHEDULER_PREFIX):
            return self._fact(Role.SCHEDULER, f"{last}(…)", node)
        if name in torch_api.OPTIMIZERS or (
            name.startswith(torch_api.OPTIMIZER_PREFIXES) and last[:1].isupper() and "_utils" not in name
        ):
            return self._fact(Role.OPTIMIZER, f"{last}(…)", node)
        if name in torch_api.MODULE_BASES or (name.startswith("torch.nn.") and last[:1].isupper()):
            role = Role.TENSOR if last == "Parameter" else Role.MODEL
            return self._fact(role, f"torch.nn.{last}(…)", node)
        if name.startswith("torchvision.models."):
            return self._fact(Role.MODEL, f"{last}(…)", node)
        if name.startswith("torchvision.datasets.") or name in torch_api.DATASET_WRAPPERS:
            return self._fact(Role.DATASET, f"{last}(…)", node)
        if name in torch_api.MODULE_WRAPPERS and node.args:
            return self.of(node.args[0])
        if name.startswith("builtins."):
            return self._builtin(last, node)
        return self._torch_function(name, last, node)

    def _builtin(self, last: str, node: ast.Call) -> Fact | None:
        if last in ("float", "int", "bool", "len", "round", "abs", "complex") and last != "abs":
            return self._fact(Role.NUMBER, f"{last}(…)", node)
        if last in ("str", "repr", "format", "input"):
            return self._fact(Role.TEXT, f"{last}(…)", node)
        if last in ("list", "dict", "set", "tuple", "range", "open"):
            return self._fact(Role.OTHER, f"{last}(…)", node)
        return None

    def _torch_function(self, name: str, last: str, node: ast.Call) -> Fact | None:
        if name in torch_api.FACTORIES:
            moved = any(keyword.arg == "device" and not _is_none(keyword.value) for keyword in node.keywords)
            if moved:
                return self._fact(Role.TENSOR, f"{name}(…, device=…)", node)
            return self._fact(Role.HOST_TENSOR, f"{name}(…)", node)
        is_op = name.startswith(torch_api.TENSOR_NAMESPACES) or (
            name.startswith("torch.") and name.count(".") == 1 and last.islower() and name not in torch_api.NOT_TENSORS
        )
        if not is_op:
            return None
        operands = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
        operands += [keyword.value for keyword in node.keywords]
        for argument in list(operands):
            if isinstance(argument, ast.List | ast.Tuple):
                operands.extend(argument.elts)
        joined = self._join_operands(operands, node)
        if joined is not None and joined.role in TENSORS:
            return replace(joined, because=f"{last}() of {joined.because}")
        return self._fact(Role.TENSOR, f"{name}(…)", node)

    def _instance(self, owner: ast.ClassDef, node: ast.Call) -> Fact | None:
        if self.is_module_class(owner):
            return self._fact(Role.MODEL, f"{owner.name} is a torch.nn.Module", node)
        if self._derives(owner, torch_api.OPTIMIZER_BASES, set()):
            return self._fact(Role.OPTIMIZER, f"{owner.name} is an Optimizer", node)
        if not owner.bases:
            return self._fact(Role.OTHER, f"an instance of {owner.name}", node)
        return None

    def _returned(self, function: FunctionNode) -> Fact | None:
        if function in self._open:
            self._cut = True
            return None
        self._open.add(function)
        try:
            values = [n.value for n in walk_block(function.body) if isinstance(n, ast.Return) and n.value is not None]
            facts: list[Fact | None] = []
            for value in values:
                if isinstance(value, ast.Tuple):
                    facts.append(self._join([self.of(element) for element in value.elts]))
                else:
                    facts.append(self.of(value))
            return self._join(facts) if facts else None
        finally:
            self._open.discard(function)

    def _method(self, node: ast.Call, func: ast.Attribute) -> Fact | None:
        base = self.of(func.value)
        method = func.attr
        if base is None or base is _UNDECIDED:
            if method == "item":
                return self._fact(Role.NUMBER, ".item()", node)
            return None
        if base.role in TENSORS:
            if method == "cpu":
                return self._fact(Role.HOST_TENSOR, ".cpu()", node)
            if method in ("to", "cuda"):
                return self._fact(Role.TENSOR, f"moved by .{method}()", node)
            if method in torch_api.HOST_METHODS:
                role = Role.NUMBER if method in ("item", "dim", "numel", "nelement", "size") else Role.OTHER
                return self._fact(role, f"a tensor's .{method}()", node)
            return base
        if base.role is Role.MODEL:
            if method in torch_api.MODULE_KEEPING_METHODS:
                return base
            if method in torch_api.MODULE_HOST_METHODS:
                return self._fact(Role.OTHER, f"a module's .{method}()", node)
            return None
        if base.role is Role.NUMBER or base.role is Role.TEXT:
            return self._fact(base.role, f".{method}() of a {base.role.value}", node)
        return None

    # -- classes and use -------------------------------------------------------------------------------

    def _derives(self, node: ast.ClassDef, bases: frozenset[str], seen: set[ast.ClassDef]) -> bool:
        if node in seen:
            return False
        seen.add(node)
        for base in node.bases:
            if self.names.resolve(base) in bases:
                return True
            local = self.names.class_named(base)
            if local is not None and self._derives(local, bases, seen):
                return True
        return False

    def _by_use(self, node: ast.expr) -> Fact | None:
        """What a name must be, from the methods that this file calls on it."""
        key = dotted(node)
        if key is None:
            return None
        methods: Set[str] = self._methods_used().get(self._use_key(node, key), set())
        if "param_groups" in methods or ("zero_grad" in methods and "step" in methods):
            return self._fact(Role.OPTIMIZER, f"{key} is used as an optimizer", node)
        if "scaler.step" in methods:
            return self._fact(Role.OPTIMIZER, f"{key} is stepped by a scaler", node)
        if len(methods & torch_api.MODULE_USES) >= 2 or ("parameters" in methods and "call" in methods):
            return self._fact(Role.MODEL, f"{key} is used as a model", node)
        if "backward" in methods:
            return self._fact(Role.TENSOR, f"{key}.backward() is called", node)
        return None

    def _use_key(self, node: ast.expr, key: str) -> str:
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        home = self.names.home(root) if isinstance(root, ast.Name) else None
        # `self.x` means the same in every method of a class: key it by the class.
        if home is not None and key.startswith("self."):
            owner = self.module.class_of(node)
            return f"{id(owner)}:{key}"
        return f"{id(home)}:{key}"

    def _methods_used(self) -> dict[str, set[str]]:
        if self._method_uses is None:
            # Set first: asking for a scaler's role below may lead back here.
            uses = self._method_uses = {}
            for node in self.module.nodes:
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                    key = dotted(node.value)
                    if key is not None:
                        uses.setdefault(self._use_key(node.value, key), set()).add(node.attr)
            for call in self.module.calls:
                key = dotted(call.func)
                if key is not None and isinstance(call.func, ast.Name | ast.Attribute):
                    uses.setdefault(self._use_key(call.func, key), set()).add("call")
                if isinstance(call.func, ast.Attribute) and len(call.args) == 1:
                    argument = dotted(call.args[0])
                    by_scaler = call.func.attr == "unscale_" or (
                        call.func.attr == "step" and self.is_(call.func.value, Role.SCALER)
                    )
                    if argument is not None and by_scaler:
                        uses.setdefault(self._use_key(call.args[0], argument), set()).add("scaler.step")
        return self._method_uses


_UNDECIDED = Fact(Role.OTHER, "still open", 0)
"""Stands for a question that is being asked already: it neither helps nor hinders a join."""


def dotted(node: ast.AST) -> str | None:
    """``a.b.c`` for a chain of plain attributes on a name, else None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
