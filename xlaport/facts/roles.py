"""Roles: what a value stands for (model, optimizer, loader, tensor, device …), with the evidence.

A role is only given where every way of binding a name agrees, through assignments, parameters (from the
calls of the function in the same file), attributes of ``self`` and returned values. An unknown stays None.
"""

from __future__ import annotations

import ast

from xlaport.facts import default_device, fetched, known
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.asking import Asking
from xlaport.facts.classes import Classes, dotted
from xlaport.facts.each import each_of, gives_keys, gone_through, mapped_over, position
from xlaport.facts.joining import joined_to, met
from xlaport.facts.listed import listed
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import Binding, How
from xlaport.facts.narrowing import is_number_here
from xlaport.facts.packed import BATCH_SIZES, is_packed
from xlaport.facts.passing import Passing
from xlaport.facts.prepared import Prepared
from xlaport.facts.program import Facts
from xlaport.facts.role import OPEN, OUTPUT, TENSORS, Fact, Role, combined, fact_at, is_none, join, part_of_module
from xlaport.facts.structure import Function, structure_of
from xlaport.facts.torch_calls import TorchCalls
from xlaport.facts.usage import Usage

__all__ = ["TENSORS", "Fact", "Role", "Roles", "dotted", "roles_of"]


_MOVABLE = (*TENSORS, Role.MODEL)
_DISPLAYED_ANYWAY = (Role.NUMBER, Role.TEXT, Role.OTHER)
"""Roles of which a list or dict says nothing of its further items."""


def roles_of(facts: Facts) -> Roles:
    """The roles of a file, as it sees its project."""
    return facts.once("roles", lambda: Roles(facts))


class _Answers:
    """The roles of every file, on behalf of `Passing`."""

    def of(self, facts: Facts, node: ast.expr) -> Fact | None:
        return roles_of(facts).of(node)

    def element(self, facts: Facts, node: ast.expr, index: int | None) -> Fact | None:
        return roles_of(facts).element(node, index)

    def returned(self, function: Function, index: int | None) -> Fact | None:
        return roles_of(function.facts).returned(function.node, index)

    def stored(self, facts: Facts, value: ast.expr | None) -> Fact | None:
        return roles_of(facts).stored(value)

    def at_top(self, facts: Facts, name: str) -> Fact | None:
        return roles_of(facts).at_top(name)


class Roles:
    """The roles of one file's expressions. Answers are computed on demand and remembered. See `roles_of`."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.module = facts.module
        self.names = facts.names
        self.classes: Classes = facts.classes
        self.structure = structure_of(facts.view)
        self._usage = Usage(self.module, self.names, self.classes, lambda node: self.is_(node, Role.SCALER))
        self._torch_calls = TorchCalls(
            self.module,
            self.names,
            self.of,
            self._iterated,
            facts.program.further,
            self._assigned,
            lambda: default_device.is_chosen(facts),
        )
        self._passing = Passing(facts, self.structure, _Answers())
        self.prepared = Prepared(facts, self.structure)
        self._asking = facts.view.once("asking", Asking)
        self._known: dict[object, Fact | None] = {}

    # -- questions -------------------------------------------------------------------------------------

    def of(self, node: ast.expr) -> Fact | None:
        """The role of an expression's value."""
        return self._asking.ask(self._known, node, lambda: self._infer(node))

    def role(self, node: ast.expr) -> Role | None:
        """The role alone."""
        fact = self.of(node)
        return fact.role if fact else None

    def is_(self, node: ast.expr, *roles: Role) -> bool:
        """Whether the expression is known to have one of the roles."""
        return self.role(node) in roles

    # What rules ask of the structure of the code; see `Classes`.

    def is_module_class(self, node: ast.ClassDef) -> bool:
        """Whether a class derives from ``torch.nn.Module``, directly or through other classes of the project."""
        return self._passing.is_module_class(node)

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
            return self._met([node.left, node.right], node)
        if isinstance(node, ast.UnaryOp):
            return fact_at(Role.NUMBER, "not …", node) if isinstance(node.op, ast.Not) else self.of(node.operand)
        if isinstance(node, ast.Compare):
            if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
                return fact_at(Role.NUMBER, "a truth value", node)
            return self._met([node.left, *node.comparators], node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.IfExp):
            return join(self.of(side) for side in (node.body, node.orelse))
        if isinstance(node, ast.NamedExpr | ast.Await | ast.Starred):
            return self.of(node.value)
        if isinstance(node, ast.JoinedStr):
            return fact_at(Role.TEXT, "an f-string", node)
        if isinstance(node, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.Lambda):
            return fact_at(Role.OTHER, "a display", node)
        return None

    def _met(self, sides: list[ast.expr], node: ast.expr) -> Fact | None:
        return met(sides, [self.of(side) for side in sides], node)

    def _constant(self, node: ast.Constant) -> Fact:
        if isinstance(node.value, bool | int | float | complex):
            return fact_at(Role.NUMBER, "a number", node)
        if isinstance(node.value, str):
            return fact_at(Role.TEXT, "a string", node)
        return fact_at(Role.OTHER, "a constant", node)

    def _subscript(self, node: ast.Subscript) -> Fact | None:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return fact_at(Role.NUMBER, "a size", node)
        stored = self._stored_before(node)
        if stored is not None:
            return self.of(stored)
        base = self.of(node.value)
        if base is OPEN or (base is not None and base.role in (*TENSORS, Role.NUMBER)):
            return base  # of several numbers, such as a kernel's sizes, each is one
        if isinstance(node.slice, ast.Constant) and type(node.slice.value) is int and node.slice.value >= 0:
            found = self.element(node.value, node.slice.value)
            if found is not None:
                return found
        if base is not None and base.because in known.OF_MODULES:
            return fact_at(Role.MODEL, f"a part of {base.because}", node)
        return self._item(node.value)

    def _stored_before(self, node: ast.Subscript) -> ast.expr | None:
        """What an earlier statement of the same block has put there: ``x["mask"]`` after ``x["mask"] = y.cpu()``."""
        if not isinstance(node.ctx, ast.Load) or self.module.function(node) is None:
            return None
        statement = self.module.statement(node)
        block = self.module.block(statement)
        for earlier in reversed(block[: block.index(statement)]):
            if not isinstance(earlier, ast.Assign):
                continue
            for target in earlier.targets:
                if isinstance(target, ast.Subscript) and ast.unparse(target) == ast.unparse(node):
                    return earlier.value
        return None

    def _item(self, container: ast.expr) -> Fact | None:
        """What each item of a list or dict is that is displayed whole: ``{x: DataLoader(…) for x in phases}``."""
        return self._asking.ask(self._known, ("item", container), lambda: self._infer_item(container))

    def _infer_item(self, container: ast.expr) -> Fact | None:
        if isinstance(container, ast.Name):
            found = self.names.reaching(container)
            if not found or any(b.how is not How.ASSIGN or b.value is None or b.value is container for b in found):
                return None
            return join(self._item(b.value) for b in found if b.value is not None)
        if isinstance(container, ast.DictComp):
            return self.of(container.value)
        each = each_of(self.names, container)
        if each is not None:
            return self.of(each)
        values = container.values if isinstance(container, ast.Dict) else getattr(container, "elts", [])
        fact = join(self.of(value) for value in values) if values else None
        return fact if fact is not None and fact.role not in _DISPLAYED_ANYWAY else None

    # -- names -----------------------------------------------------------------------------------------

    def _name(self, node: ast.Name) -> Fact | None:
        bindings = [b for b in self.names.reaching(node) if not (b.how is How.ASSIGN and is_none(b.value))]
        if bindings and all(binding.how is How.IMPORT for binding in bindings):
            return self._passing.imported(node)
        if is_number_here(self.module, self.names, node):
            return fact_at(Role.NUMBER, "asked to be a number", node)
        joined = join(map(self._binding, bindings)) if bindings else None
        if joined is None and (moved := fetched.moved_in_a_branch(self.names, bindings)):
            found = join(self._binding(b) for b in bindings if b not in moved or self._binding(b) is not None)
            joined = found if found is OPEN or (found is not None and found.role in _MOVABLE) else None
        if joined is not None and joined.because == OUTPUT:
            used = self._by_use(node)  # a model may give anything: a distribution, for one
            return used if used is not None and used.role is Role.OTHER else joined
        if joined is not None and joined.role is Role.TENSOR and joined.assumed:
            others = joined_to(self.module, self.names, node)
            return next((self.of(other) for other in others if self._torch_calls.shows_host(other)), joined)
        return joined or self._by_use(node)

    def at_top(self, name: str) -> Fact | None:
        """The role of a top-level name of the file, as another file sees it."""
        bindings = [b for b in self.names.root.bindings.get(name, []) if not is_none(b.value)]
        return join(map(self._binding, bindings)) if bindings else None

    def _by_use(self, node: ast.expr) -> Fact | None:
        found = self._usage.role(node)
        return fact_at(*found, node) if found is not None else None

    def _binding(self, binding: Binding) -> Fact | None:
        return self._asking.ask(self._known, binding, lambda: self._infer_binding(binding))

    def _infer_binding(self, binding: Binding) -> Fact | None:
        value = binding.value
        if binding.how is How.PARAMETER:
            source = mapped_over(self.module, self.names, binding)
            return self._passing.parameter(binding) if source is None else self._iterated(source)
        if value is None:
            return None
        if binding.how is How.ASSIGN:
            return self.of(value)
        if binding.how is How.AUGMENT:
            assert isinstance(binding.node, ast.Name)
            return combined([self._name(binding.node), self.of(value)], value)
        if binding.how is How.UNPACK:
            return self.element(value, binding.index)
        if binding.how is How.FOR:
            return self._iterated(value, position(self.module, binding.node))
        fact = self.of(value) if binding.how is How.WITH else None  # `with tqdm(loader) as bar:`
        return fact if fact is not None and fact.role in (Role.LOADER, Role.DEVICE_LOADER) else None

    def _assigned(self, node: ast.expr) -> list[ast.expr | None]:
        """What a name or an attribute is assigned to wherever that is done; None: something else."""
        if isinstance(node, ast.Name):
            found = self.names.reaching(node)
            if len(found) == 1 and found[0].how is How.PARAMETER:
                return self._passing.defaults(found[0])
            return [b.value if b.how is How.ASSIGN else None for b in found]
        owner = self.classes.instance_class(node.value) if isinstance(node, ast.Attribute) else None
        return self.classes.attribute_values(owner, node.attr) if owner and isinstance(node, ast.Attribute) else []

    def element(self, value: ast.expr, index: int | None) -> Fact | None:
        """The role of one element of a value that is unpacked; of tensors, any of them is one."""
        if isinstance(value, ast.Tuple | ast.List):
            if index is None or index >= len(value.elts) or any(isinstance(e, ast.Starred) for e in value.elts):
                return None
            return self.of(value.elts[index])
        each = each_of(self.names, value)
        if each is not None:
            return self.of(each)
        if index == BATCH_SIZES and is_packed(self.module, self.names, value):
            return fact_at(Role.HOST_TENSOR, "the batch sizes of a packed sequence", value)
        if isinstance(value, ast.Name):
            found = self.names.reaching(value)
            parts = [b.value for b in found if b.how is How.ASSIGN and b.value is not None and b.value is not value]
            if parts and len(parts) == len(found) and all(isinstance(p, ast.Call | ast.Tuple) for p in parts):
                return join(self.element(part, index) for part in parts)
            items = listed(self.module, self.names, value)
            if items:
                facts = [self.of(item) for item in items]
                return join(facts) if all(fact is not None and fact.role in TENSORS for fact in facts) else None
        if isinstance(value, ast.Call):
            passed = self._passing.called(value, index) or self.prepared.fact(value, index, self.of)
            if passed is not None:
                return passed
        fact = self.of(value)
        if fact is not None and fact.because in torch_api.SIZES:
            return fact_at(Role.NUMBER, "a size of a tensor", value)
        return fact if fact is not None and (fact.role in TENSORS or fact.role is Role.DATASET) else None

    def _iterated(self, iterable: ast.expr, path: tuple[int, ...] = ()) -> Fact | None:
        """The role of what a loop gets, or of the part of it at a path of positions: (1, 0) of ``i, (x, y)``."""
        if sources := gone_through(self.names, iterable):
            key = iterable, path  # a question, since a name may be made of itself: `data = data if … else data`
            return self._asking.ask(self._known, key, lambda: join(self._iterated(s, path) for s in sources))
        if isinstance(iterable, ast.Call):
            called = self.names.resolve(iterable.func)
            if called in torch_api.COUNTERS:
                return fact_at(Role.NUMBER, "counts a range", iterable)
            if called == "builtins.enumerate" and path[:1] == (0,):
                return fact_at(Role.NUMBER, "counts by enumerate", iterable)
            if gives_keys(iterable, path):
                return None
            if called == "builtins.zip":
                of_one = path and path[0] < len(iterable.args) and not isinstance(iterable.args[path[0]], ast.Starred)
                return self._iterated(iterable.args[path[0]], path[1:]) if of_one else None
            if called in torch_api.LOOP_WRAPPERS and iterable.args:
                return self._iterated(iterable.args[0], path[1:] if called == "builtins.enumerate" else path)
            handed_out = self._passing.yielded(iterable, path[0] if path else None) or self._parameters(iterable, path)
            if handed_out is not None:
                return handed_out
        fact = self.of(iterable) or self.prepared.loader(iterable)
        if fact is not None and fact.role is Role.LOADER:
            return fact_at(Role.HOST_TENSOR, "part of a loader's batch", iterable)
        if fact is not None and fact.role is Role.DEVICE_LOADER:
            return fact_at(Role.TENSOR, "part of a device loader's batch", iterable)
        if not path and (items := listed(self.module, self.names, iterable)):
            fact = join(self.of(item) for item in items)  # `parts = [x[:n], x[n:]]`
        return fact if fact is OPEN or (fact is not None and fact.role in TENSORS) else None

    def _parameters(self, call: ast.Call, path: tuple[int, ...]) -> Fact | None:
        """``model.parameters()`` and ``model.named_parameters()``."""
        func = call.func
        if not isinstance(func, ast.Attribute) or not self.is_(func.value, Role.MODEL):
            return None
        part = part_of_module(func.attr)
        if func.attr in ("parameters", "buffers"):
            return fact_at(Role.TENSOR, part, call)
        if func.attr in ("modules", "children"):
            return fact_at(Role.MODEL, part, call)
        if func.attr in ("named_parameters", "named_buffers") and path:
            return fact_at(Role.TENSOR, part, call) if path[0] == 1 else fact_at(Role.TEXT, f"the name of {part}", call)
        return None

    # -- attributes ------------------------------------------------------------------------------------

    def _attribute(self, node: ast.Attribute) -> Fact | None:
        if self.names.resolve(node) in torch_api.NUMBERS:
            return fact_at(Role.NUMBER, "a number", node)
        if node.attr == "batch_sizes" and is_packed(self.module, self.names, node.value):
            return fact_at(Role.HOST_TENSOR, "the batch sizes of a packed sequence", node)
        base = self.of(node.value)
        if base is not None and base.role in TENSORS:
            if node.attr in torch_api.HOST_ATTRIBUTES:
                role = Role.DEVICE if node.attr == "device" else Role.OTHER
                return fact_at(role, f"a tensor's .{node.attr}", node)
            return base if node.attr in torch_api.VIEW_METHODS or node.attr == "grad" else None
        if base is not None and base.role is Role.MODEL and node.attr in torch_api.LAYER_SIZES:
            return self._passing.attribute(node) or fact_at(Role.NUMBER, f"a layer's .{node.attr}", node)
        return self._passing.attribute(node) or self._passing.imported(node) or self._by_use(node)

    def stored(self, value: ast.expr | None) -> Fact | None:
        """The role of what is assigned, or added, to an attribute."""
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
        passed = self._passing.called(node)
        if passed is not None or self.classes.run_by(node) is not None:
            return passed
        if isinstance(node.func, ast.Attribute):
            fact = self.prepared.fact(node, None, self.of) or self._torch_calls.method(node, node.func)
            if fact is not None:
                return fact
        callee = self.of(node.func)
        if callee is not None and callee.role is Role.MODEL:
            return fact_at(Role.TENSOR, OUTPUT, node)
        return callee if callee is OPEN else None

    def returned(self, function: FunctionNode, index: int | None) -> Fact | None:
        """What a function of this file returns: the whole of it, or one element."""
        return self._asking.ask(self._known, (function, index), lambda: self._passing.returned(function, index))
