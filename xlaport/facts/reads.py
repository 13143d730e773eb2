"""Host reads: every place in a piece of code that needs a tensor's value on the host."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlaport.analysis.events import Given
from xlaport.analysis.library import role_of
from xlaport.facts.logging_calls import logged
from xlaport.facts.names import How, Names
from xlaport.facts.passed import passed
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, roles_of
from xlaport.facts.running import lambdas
from xlaport.facts.structure import structure_of
from xlaport.facts.vocabulary import HOST_READ_METHODS, RUN_LATER

_NUMBER_CALLS = frozenset({"builtins.float", "builtins.int", "builtins.bool", "builtins.complex"})
_TEXT_CALLS = frozenset({"builtins.print", "builtins.str", "builtins.repr", "builtins.format"})
_TRUTH_CALLS = frozenset({"builtins.any", "builtins.all"})
_ARRAY_CALLS = frozenset({"numpy.array", "numpy.asarray", "numpy.asanyarray"})
_ASKING_CALLS = frozenset({"numpy.isnan", "numpy.isinf", "numpy.isfinite"})
"""NumPy makes an array of a tensor to look at it, of a whole one, too; `math` knows numbers only."""
_COMPARING_CALLS = frozenset({"torch.equal", "torch.allclose", "torch.is_nonzero"})
_CHOOSING_CALLS = frozenset({"builtins.max", "builtins.min", "builtins.sorted"})
_NOT_AT_ONCE = frozenset({"functools.partial", *RUN_LATER})
_MAKING_CALLS = frozenset({"torch.tensor", "torch.as_tensor"})
_FILLING_CALLS = frozenset({"torch.full", "torch.full_like"})
_FILLING_METHODS = {"new_full": 1, "fill_": 0}
"""The place of the number that a method fills with: a tensor in it is read (measured on torch_xla 2.9)."""
_FETCHING = frozenset({"cpu", "tolist"})
_COMPARING_METHODS = frozenset({"equal", "allclose", "is_nonzero"})
_MAY_READ = (
    ast.Call,
    ast.FormattedValue,
    ast.BinOp,
    ast.If,
    ast.While,
    ast.IfExp,
    ast.Assert,
    ast.BoolOp,
    ast.comprehension,
)
"""The nodes that `HostReads._reads` knows."""
_NOT_ON_DEVICE = (Role.NUMBER, Role.TEXT, Role.HOST_TENSOR, Role.OTHER, Role.DEVICE)


@dataclass(frozen=True)
class HostRead:
    """One read. `node` is the reading expression, `tensor` what it reads, `how` names it for a message."""

    node: ast.expr
    tensor: ast.expr
    how: str
    proven: bool
    """Whether the facts prove that `tensor` is a device tensor; else it is likely (``x.item()`` of unknown x)."""

    @property
    def line(self) -> int:
        """Line of the read, from 1."""
        return self.node.lineno


def reads_of(facts: Facts) -> HostReads:
    """The host reads of a file, as it sees its project."""
    return facts.once("reads", lambda: HostReads(facts))


class HostReads:
    """Finds the host reads of statements. See `reads_of`."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.module = facts.module
        self.names = facts.names
        self.roles = roles_of(facts)
        self._within: dict[tuple[ast.AST, ...], list[HostRead]] = {}

    def within(self, statements: Sequence[ast.stmt | ast.expr]) -> list[HostRead]:
        """The reads that happen when the statements run, in source order; nested functions are left out."""
        key = tuple(statements)
        if key not in self._within:
            nodes = self.module.that_run(statements, *_MAY_READ)
            self._within[key] = [read for node in nodes for read in self._reads(node)]
        return list(self._within[key])

    def implied(self, statements: Sequence[ast.stmt | ast.expr]) -> list[HostRead]:
        """The reads of these statements that Python or torch make to get on, and that give no number to the program:
        of comparisons (``max(a, b)``, ``a in b``), of tensors that are made of others (``torch.tensor([a, b])``) or
        filled with one (``torch.full(size, a)``), and of what a logger gets (``writer.add_scalar("loss", loss)``).
        """
        nodes = self.module.that_run(statements, ast.Compare, ast.Call)
        return [read for node in nodes for read in self._implied(node)]

    def all_in(self, statements: Sequence[ast.stmt | ast.expr]) -> list[HostRead]:
        """What `within` and `implied` find."""
        return [*self.within(statements), *self.implied(statements)]

    def by_another_name(self, statements: Sequence[ast.stmt | ast.expr]) -> list[HostRead]:
        """The reads of these statements by a method that goes by another name: ``read()`` after ``read = loss.item``.

        Apart, since nothing in their text can be written otherwise.
        """
        found: list[HostRead] = []
        for call in self.module.that_run(statements, ast.Call):
            of_tensor = (self.roles.library_name(call.func) or "").removeprefix("torch.Tensor.")
            if of_tensor in HOST_READ_METHODS and len(call.args) == 1 and self._is_tensor(call.args[0]):
                found.append(HostRead(call, call.args[0], f".{of_tensor}()", True))
            elif isinstance(call.func, ast.Attribute) and call.func.attr in HOST_READ_METHODS:
                continue
            elif not call.args and (method := self.roles.kept_method(call.func)) in HOST_READ_METHODS:
                found.append(HostRead(call, call.func, f".{method}()", True))
            elif self.names.resolve(call.func) not in _NOT_AT_ONCE:
                reading = next((name for name, given in self.roles.handed(call).items() if _reads(name, given)), None)
                tensor = call.args[-1] if call.args else call.func
                found += [HostRead(call, tensor, f"{reading.rpartition('.')[2]}()", True)] if reading else []
        return found

    def written(self, statements: Sequence[ast.stmt | ast.expr]) -> list[HostRead]:
        """What these statements write from the device into a tensor of the host: ``losses[i] = loss``."""
        return [
            HostRead(node.value, node.value, f"a write into {ast.unparse(target.value)}, which is on the host,", True)
            for node in self.module.that_run(statements, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Subscript) and self.roles.is_(target.value, Role.HOST_TENSOR)
            if self._is_tensor(node.value) and not self._is_computed_with_host(node.value)
        ]

    def _is_computed_with_host(self, value: ast.expr) -> bool:
        """Whether a call gets a tensor of the host: what it gives is there, too, whatever other calls give."""
        while isinstance(value, ast.Subscript):
            value = value.value
        made = [b.value for b in self.names.reaching(value)] if isinstance(value, ast.Name) else [value]
        calls = [call for call in made if isinstance(call, ast.Call)]
        return any(self.roles.is_(given, Role.HOST_TENSOR) for call in calls for given in call.args)

    def in_condition(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> list[HostRead]:
        """The reads that the condition of a statement or an expression makes."""
        return [*self._reads(node), *self.of_expression(node.test)]

    def of_expression(self, node: ast.expr) -> list[HostRead]:
        """The reads that an expression makes."""
        return [read for part in ast.walk(node) for read in self._reads(part)]

    def _is_tensor(self, node: ast.expr) -> bool:
        return self.roles.role(node) is Role.TENSOR

    def _reads(self, node: ast.AST) -> Iterator[HostRead]:
        if isinstance(node, ast.Call):
            yield from self._call(node)
        elif isinstance(node, ast.FormattedValue):
            if self._is_tensor(node.value):
                yield HostRead(self._outermost_string(node), node.value, "an f-string", True)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            if self.roles.role(node.left) is Role.TEXT:
                values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
                for value in values:
                    if self._is_tensor(value):
                        yield HostRead(node, value, "% formatting", True)
        elif isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
            yield from self._condition(node.test)
        elif isinstance(node, ast.BoolOp) and not self._is_condition(node):
            # `a and b` asks for the truth of all but the last.
            for value in node.values[:-1]:
                yield from self._condition(value)
        elif isinstance(node, ast.comprehension):
            for condition in node.ifs:
                yield from self._condition(condition)

    def _implied(self, node: ast.AST) -> Iterator[HostRead]:
        if isinstance(node, ast.Compare):
            for operator, left, right in zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False):
                # A text is looked for in a dict; in a tensor, that raises.
                is_key = self.roles.is_(left, Role.TEXT)
                if isinstance(operator, ast.In | ast.NotIn) and self._is_tensor(right) and not is_key:
                    yield HostRead(node, right, "`in`", True)
        elif isinstance(node, ast.Call):
            called = self.names.resolve(node.func) or ""
            compared: list[ast.expr] = []
            if called in _CHOOSING_CALLS:
                compared = node.args
            elif called in _MAKING_CALLS and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
                compared = node.args[0].elts
            tensor = next((value for value in compared if self._is_tensor(value)), None)
            if tensor is None and self.roles.compares_tensors(node):
                tensor = node.args[0]
            if tensor is not None:
                yield HostRead(node, tensor, f"{called.removeprefix('builtins.')}()", True)
            filling = self._filling(node, called)
            if filling is not None and self._is_tensor(filling[0]):
                yield HostRead(node, *filling, True)
            for value, how in logged(self.names, node):
                if self._is_tensor(value):
                    yield HostRead(node, value, how, True)

    def _filling(self, node: ast.Call, called: str) -> tuple[ast.expr, str] | None:
        """What a tensor is filled with, and by what: ``torch.full(size, value)``, ``x.fill_(value)``."""
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if called in _FILLING_CALLS:
            place, how = 1, f"{called}()"
        elif method in _FILLING_METHODS:
            place, how = _FILLING_METHODS[method], f".{method}()"
        else:
            return None
        named = (k.value for k in node.keywords if k.arg in ("fill_value", "value"))
        value = node.args[place] if len(node.args) > place else next(named, None)
        return (value, how) if value is not None else None

    def _call(self, node: ast.Call) -> Iterator[HostRead]:
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr in HOST_READ_METHODS and not node.args:
            role = self.roles.role(func.value)
            if role is Role.TENSOR:
                yield HostRead(node, func.value, f".{func.attr}()", True)
            elif func.attr == "item" and role not in _NOT_ON_DEVICE:
                yield HostRead(node, func.value, ".item()", self.roles.is_loss(func.value))
            elif role is None and func.attr in _FETCHING and (self._is_fetched(node) or self._is_given(func.value)):
                yield HostRead(node, func.value, f".{func.attr}()", False)
            return
        if isinstance(func, ast.Attribute) and func.attr in _COMPARING_METHODS and self._is_tensor(func.value):
            yield HostRead(node, func.value, f".{func.attr}()", True)
            return
        if isinstance(func, ast.Attribute) and func.attr == "to":
            if self._is_tensor(func.value):
                if self.roles.is_(node, Role.HOST_TENSOR):
                    yield HostRead(node, func.value, '.to("cpu")', True)
                return
            if node.args and self._is_host(node.args[0]) and self._is_given(func.value):
                yield HostRead(node, func.value, '.to("cpu")', False)
            return
        if isinstance(func, ast.Attribute) and func.attr == "format" and self.roles.role(func.value) is Role.TEXT:
            for value in [*node.args, *(k.value for k in node.keywords)]:
                if self._is_tensor(value):
                    yield HostRead(node, value, ".format()", True)
            return
        called = self.names.resolve(func) or ""
        if called in _COMPARING_CALLS and node.args and self._is_tensor(node.args[0]):
            yield HostRead(node, node.args[0], f"{called}()", True)
        elif called in _ARRAY_CALLS | _ASKING_CALLS and node.args and self._is_tensor(node.args[0]):
            yield HostRead(node, node.args[0], f"{called}()", True)
        elif called == "builtins.range" or called.startswith("math."):
            for value in node.args:
                if self._is_tensor(value):
                    yield HostRead(node, value, f"{called.removeprefix('builtins.')}()", True)
        elif called in _NUMBER_CALLS and len(node.args) == 1 and self._is_tensor(node.args[0]):
            yield HostRead(node, node.args[0], f"{called.rpartition('.')[2]}()", True)
        elif (
            called in _TRUTH_CALLS and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp)
        ):
            if self._is_tensor(node.args[0].elt):
                yield HostRead(node, node.args[0].elt, f"{called.rpartition('.')[2]}()", True)
        elif called in _TEXT_CALLS:
            for value in node.args:
                if self._is_tensor(value):
                    yield HostRead(node, value, f"{called.rpartition('.')[2]}()", True)
        elif len(node.args) == 1 and not node.keywords and self._is_tensor(node.args[0]):
            if any(only_reads(function) for _, function in lambdas(structure_of(self.facts.view), self.facts, node)):
                yield HostRead(node, node.args[0], f"{ast.unparse(func)}()", True)

    def _is_host(self, device: ast.expr) -> bool:
        """``"cpu"``, ``torch.device("cpu")``."""
        place = place_of(self.names, device)
        return isinstance(place, ast.Constant) and place.value == "cpu"

    def _is_fetched(self, node: ast.Call) -> bool:
        """``x.cpu()``, which gives a tensor, by what is done with it: whatever x is, it is one, too."""
        return self.roles.is_(node, Role.HOST_TENSOR)

    def _is_given(self, node: ast.expr) -> bool:
        """Whether some call passes a tensor for an unknown parameter, or for the one that a value is made of.

        Other calls may pass what nobody knows, ``to_cpu(x.detach())``: this one reads the device all the same.
        """
        if self.roles.role(node) is not None:
            return False
        while isinstance(node, ast.Attribute) or (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            node = node.func if isinstance(node, ast.Call) else node.value
        found = self.names.reaching(node) if isinstance(node, ast.Name) else []
        structure = structure_of(self.facts.view)
        return any(
            value is not None and roles_of(where).role(value) is Role.TENSOR
            for binding in found
            if binding.how is How.PARAMETER
            for where, value in passed(structure, self.facts, binding)
        )

    def _condition(self, test: ast.expr) -> Iterator[HostRead]:
        if isinstance(test, ast.BoolOp):
            for value in test.values:
                yield from self._condition(value)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield from self._condition(test.operand)
        elif self._is_tensor(test):
            yield HostRead(test, test, "a condition", True)

    def _is_condition(self, node: ast.expr) -> bool:
        """Whether the node is a condition, or a part of one, whose truth is asked for as a whole."""
        child: ast.AST = node
        for parent in self.module.ancestors(node):
            if isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert):
                return parent.test is child
            if isinstance(parent, ast.comprehension):
                return any(child is condition for condition in parent.ifs)
            if not isinstance(parent, ast.BoolOp) and not (
                isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
            ):
                return False
            child = parent
        return False

    def _outermost_string(self, node: ast.expr) -> ast.expr:
        outer: ast.expr = node
        for parent in self.module.ancestors(node):
            if isinstance(parent, ast.JoinedStr):
                outer = parent
            elif not isinstance(parent, ast.FormattedValue):
                break
        return outer


def _reads(name: str, given: Given) -> bool:
    """Whether a function that gets something without being called in words reads it: ``map(float, losses)``."""
    is_read = name.removeprefix("torch.Tensor.") in HOST_READ_METHODS or name in _NUMBER_CALLS
    return is_read and bool(given.arguments) and role_of(given.arguments[0]) is Role.TENSOR


def only_reads(function: ast.Lambda) -> bool:
    """``lambda x: x.detach().cpu().numpy()``: a function that reads its one argument, and does nothing else."""
    node: ast.expr = function.body
    fetches = False
    while isinstance(node, ast.Call | ast.Attribute):
        func = node.func if isinstance(node, ast.Call) else node
        if not isinstance(func, ast.Attribute) or (isinstance(node, ast.Call) and (node.args or node.keywords)):
            return False
        if func.attr not in (*HOST_READ_METHODS, "detach", "data", "squeeze"):
            return False
        fetches = fetches or func.attr in HOST_READ_METHODS
        node = func.value
    return fetches and isinstance(node, ast.Name) and [a.arg for a in function.args.args] == [node.id]


def place_of(names: Names, device: ast.expr) -> ast.expr:
    """What a device is made of: ``"cpu"`` of ``torch.device("cpu")``; else the expression itself."""
    if isinstance(device, ast.Call) and names.resolve(device.func) == "torch.device" and device.args:
        return device.args[0]
    return device
