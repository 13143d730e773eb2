"""Host reads that can wait: those that can move behind the barrier without changing a value.

A read can wait where the tensor that it reads stays as it is until then: it was computed for this step (it is
fresh), and nothing in between binds it anew, changes it in place, or could tell that the read comes later.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from xlaport.analysis.containers import is_list
from xlaport.analysis.value import UNKNOWN
from xlaport.facts.between import Between, Moved, Stays
from xlaport.facts.freshness import Freshness
from xlaport.facts.module import FunctionNode, last_name, walk_block
from xlaport.facts.program import Facts
from xlaport.facts.reads import HostRead, reads_of
from xlaport.facts.roles import TENSORS, roles_of
from xlaport.facts.views import without_gradient

_PURE_CALLS = frozenset(
    f"builtins.{name}" for name in ("len", "float", "int", "bool", "round", "abs", "min", "max", "str")
)
_SIZE_METHODS = ("size", "numel", "dim")
_OF_THE_HOST = ("numpy", "item", "tolist", "sum", "mean", "float", "double", "int", "long", "sqrt", "abs")
"""Methods that a value of the host has, too, behind the call that reads it: ``loss.cpu().item()``."""
_OF_VALUES = frozenset(
    f"{library}.{name}" for library in ("numpy", "torch")
    for name in "sum mean abs sqrt square exp log max min argmax append concatenate vstack hstack norm round".split()
)  # fmt: skip
"""Functions that compute a value of what they get, and do nothing else."""
_PURE_NODES = (
    ast.Name | ast.Attribute | ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop | ast.expr_context
    | ast.Subscript | ast.Slice | ast.JoinedStr | ast.FormattedValue | ast.Tuple | ast.keyword | ast.Compare | ast.cmpop
    | ast.BoolOp | ast.boolop | ast.IfExp
)  # fmt: skip


class Form(enum.Enum):
    """How a statement that reads can be put off."""

    WHOLE = enum.auto()
    """``total += loss.item()``: the statement moves as it is."""
    SAME_NAME = enum.auto()
    """``d = out.mean().item()``: ``d = out.mean()`` stays, ``d = d.item()`` follows the barrier."""
    NEW_NAME = enum.auto()
    """``total += f(x).item()``: the device part gets a name of its own and stays."""


@dataclass(frozen=True)
class LateRead:
    """A statement whose host read can move behind the barrier without changing a value."""

    statement: ast.stmt
    form: Form
    read: HostRead
    target: str
    """What the value goes to, for a name: ``total`` of ``self.total += …``."""


@dataclass
class _Content:
    """What a statement does, gathered from it and the statements in it."""

    bound: set[str] = field(default_factory=set)
    objects: list[ast.expr] = field(default_factory=list)
    prints: bool = False
    values: list[ast.expr] = field(default_factory=list)
    alone: bool = False
    """Whether nothing is in between but a barrier."""


class LateReads:
    """Decides which reads can wait."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.module = facts.module
        self.names = facts.names
        self.roles = roles_of(facts)
        self.reads = reads_of(facts)
        self.freshness = Freshness(self.module, self.names, self.roles)
        self.between = Between(facts)

    def late_read(self, block: list[ast.stmt], index: int, barrier: int) -> LateRead | Stays:
        """How the read of ``block[index]`` could move behind ``block[barrier]``, or why it could not."""
        return self.put_off(block[index], block[index + 1 : barrier + 1])

    def put_off(self, statement: ast.stmt, between: list[ast.stmt], users: Sequence[ast.stmt] = ()) -> LateRead | Stays:
        """How the read of a statement could move behind those which follow it, or why it could not.

        `users` stand there, too, and are given what it reads beforehand. An item, ``log["loss"] = loss.item()``, moves
        over the barrier alone, since anybody may have the object that it is set in.
        """
        if isinstance(self.module.parents[statement], ast.Try):
            return Stays("it stands in a try, and would be missing after an exception")
        content = _Content(alone=not users and all(_is_bare_call(s) for s in between[:1]) and len(between) < 2)
        stays = self._gather(statement, content)
        if stays is not None:
            return stays
        reads = self.reads.within([statement])
        if not reads or not all(self.is_pure(value, reads) for value in content.values):
            return Stays("the statement does more than reading")
        if not all(self.freshness.is_fresh(read.tensor) for read in reads):
            return Stays("what it reads may belong to the model, and be changed by the step")
        late = self._form(statement, reads, content)
        if isinstance(late, Stays):
            return late
        staying = set(ast.walk(late.read.tensor)) if late.form is not Form.WHOLE else set()
        moved = Moved(
            statement,
            tuple(reads),
            tuple(n for n in ast.walk(statement) if isinstance(n, ast.Name) and n not in staying),
            frozenset(content.bound),
            (*content.objects, *self._looked_at(statement, content)),
            content.prints,
        )
        if any(self._is_seen_elsewhere(n) for n in moved.names if n.id in content.bound):
            return Stays(f"other code may look at {late.target} meanwhile")
        obstacle = self.between.obstacle(moved, between)
        return obstacle or self.between.obstacle(replace(moved, bound=frozenset()), list(users)) or late

    # -- the statement ---------------------------------------------------------------------------------

    def _gather(self, statement: ast.stmt, content: _Content) -> Stays | None:
        """What the statement does: it may bind names, set attributes, feed objects of its own, or print."""
        if isinstance(statement, ast.Assign | ast.AugAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            target = targets[0]
            if len(targets) == 1 and isinstance(target, ast.Name):
                content.bound.add(target.id)
            elif len(targets) == 1 and self._is_plain_attribute(target):
                content.objects.append(target)
            elif len(targets) == 1 and content.alone and isinstance(target, ast.Subscript):
                is_plain = isinstance(target.value, ast.Name) or self._is_plain_attribute(target.value)
                if not is_plain or self.roles.is_(target.value, *TENSORS):
                    return Stays("only a read into a name, an attribute or an item of one can be moved for sure")
                content.objects.append(target.value)
                content.values.append(target.slice)
            else:
                return Stays("only a read into a name or an attribute can be moved for sure")
            content.values.append(statement.value)
            return None
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            content.values += [*call.args, *(keyword.value for keyword in call.keywords)]
            if self._called(call) == "builtins.print":
                content.prints = True
            elif isinstance(call.func, ast.Attribute) and self._keeps_to_itself(call, call.func):
                content.objects.append(call.func.value)
            else:
                return Stays("what it calls may do more than keep the value")
            return None
        if isinstance(statement, ast.If):
            content.values.append(statement.test)
            inner = (self._gather(s, content) for s in [*statement.body, *statement.orelse])
            return next((stays for stays in inner if stays is not None), None)
        if isinstance(statement, ast.Pass):
            return None
        kind = "statement" if isinstance(statement, ast.Expr) else type(statement).__name__.lower()
        return Stays(f"holds a {kind}, which cannot wait", statement)

    def _form(self, statement: ast.stmt, reads: list[HostRead], content: _Content) -> LateRead | Stays:
        read = reads[0]
        target = next(iter(content.bound), None) or next((_last(o) for o in content.objects), "value")
        target = _key(statement) or target
        if all(_is_ready(read.tensor) for read in reads):
            return LateRead(statement, Form.WHOLE, read, target)
        if len(reads) != 1 or isinstance(statement, ast.If):
            return Stays("it holds device work of its own")
        if not self.module.is_placed(read.tensor) or self.module.is_shown(read.tensor):
            return Stays("it holds device work in an f-string")
        if isinstance(statement, ast.Assign) and content.bound and read.node is statement.value:
            if any(isinstance(n, ast.Name) and n.id == target for n in ast.walk(read.tensor)):
                return Stays(f"it computes {target} from itself")
            return LateRead(statement, Form.SAME_NAME, read, target)
        return LateRead(statement, Form.NEW_NAME, read, target)

    def is_given_plain(self, statement: ast.Expr) -> bool:
        """Whether all that a call of a statement is given is pure, in dicts, too: ``set_postfix({"loss": …})``."""
        call, reads = statement.value, self.reads.within([statement])
        if not isinstance(call, ast.Call):
            return False
        todo = [*call.args, *(keyword.value for keyword in call.keywords)]
        while todo:
            value = todo.pop()
            if isinstance(value, ast.Dict):
                todo += [part for part in (*value.keys, *value.values) if part is not None]
            elif not self.is_pure(value, reads):
                return False
        return self.does_nothing_else(reads)

    def does_nothing_else(self, reads: Sequence[HostRead]) -> bool:
        """Whether what is read is only computed: by functions of torch, and methods of tensors, that change nothing."""
        calls = (node for read in reads for node in ast.walk(read.tensor) if isinstance(node, ast.Call))
        return all(self._only_computes(call) for call in calls)

    def _only_computes(self, call: ast.Call) -> bool:
        called, func = self._called(call), call.func
        if (last_name(func) or "_").endswith("_") or any(keyword.arg == "out" for keyword in call.keywords):
            return False
        is_method = isinstance(func, ast.Attribute) and self.roles.is_(func.value, *TENSORS)
        return called.startswith("torch.") or is_method or self._is_pure_call(call)

    def is_pure(self, value: ast.expr, reads: list[HostRead]) -> bool:
        """Whether all that the value does besides its reads is arithmetic on plain names and sizes."""
        reading = {read.node for read in reads}
        tensors = {read.tensor for read in reads}
        todo: list[ast.AST] = [value]
        while todo:
            node = todo.pop()
            if node in tensors:
                continue
            if isinstance(node, ast.Call):
                is_pure = node in reading or self._is_pure_call(node) or self._is_of_what_is_read(node, reading)
                if not is_pure or self._called(node) == "builtins.print":
                    return False
            elif not isinstance(node, _PURE_NODES):
                return False
            todo.extend(ast.iter_child_nodes(node))
        return True

    def _is_of_what_is_read(self, call: ast.Call, reading: set[ast.expr]) -> bool:
        """``np.append(found, output.cpu())``, ``torch.sum(flow.cpu() - truth)``: a function of values of the host."""
        is_alone = not any(keyword.arg == "out" for keyword in call.keywords)
        return self._called(call) in _OF_VALUES and is_alone and any(n in reading for n in ast.walk(call))

    def _called(self, call: ast.Call) -> str:
        return self.names.resolve(call.func) or ""

    def _is_pure_call(self, call: ast.Call) -> bool:
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        is_text = method == "format" and owner is not None and _is_text(owner)
        # After a read, all that is left is a value on the host.
        is_data = isinstance(owner, ast.Attribute) and owner.attr == "data"  # `x.cpu().data.numpy()`
        is_read = isinstance(owner.value if isinstance(owner, ast.Attribute) and is_data else owner, ast.Call)
        called = self._called(call)
        is_of_numbers = called in _PURE_CALLS or called.startswith(("math.", "numpy.is"))
        return method in _SIZE_METHODS or is_text or (is_read and method in _OF_THE_HOST) or is_of_numbers

    def _looked_at(self, statement: ast.stmt, content: _Content) -> list[ast.expr]:
        """The further attributes of ``self`` that ``self.total += loss.item() * self.weight`` depends on."""
        owners = {_first(changed) for changed in content.objects if isinstance(changed, ast.Attribute)}
        return [
            node
            for node in ast.walk(statement)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in owners
        ]

    # -- what the statement changes --------------------------------------------------------------------

    def _is_plain_attribute(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)

    def _keeps_to_itself(self, call: ast.Call, func: ast.Attribute) -> bool:
        """``values.append(v)`` of a list, ``meter.update(v)`` of a class that only changes its own attributes."""
        if not isinstance(func.value, ast.Name) and not self._is_plain_attribute(func.value):
            return False
        if func.attr == "append" and self._is_list(func.value):
            return True
        method = self.roles.function_called(call)
        return method is not None and self._changes_itself_only(method)

    def _is_list(self, node: ast.expr) -> bool:
        return is_list(self.roles.structure.value(self.facts, node) or UNKNOWN)

    def _changes_itself_only(self, method: FunctionNode) -> bool:
        arguments = method.args
        if not arguments.args or arguments.vararg or arguments.kwarg or method.decorator_list:
            return False
        own = arguments.args[0].arg
        bound = {own, *(a.arg for a in [*arguments.args, *arguments.kwonlyargs])}
        nodes = list(walk_block(method.body))
        bound |= {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for node in nodes:
            if isinstance(node, ast.Call):
                if not (self._is_pure_call(node) or (isinstance(node.func, ast.Attribute) and self._is_own(node, own))):
                    return False
            elif isinstance(node, ast.Name):
                if node.id not in bound and not (self.names.resolve(node) or "").startswith(("builtins.", "math")):
                    return False
            elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
                if not isinstance(node.value, ast.Name | ast.Attribute) or _first(node) != own:
                    return False
            elif isinstance(node, ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom | ast.Import | ast.ImportFrom):
                return False
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda | ast.Await):
                return False
        return True

    def _is_own(self, call: ast.Call, own: str) -> bool:
        """``self.values.append(v)``."""
        func = call.func
        return isinstance(func, ast.Attribute) and func.attr == "append" and self._is_list(func.value) and (
            _first(func.value) == own
        )  # fmt: skip

    def _is_seen_elsewhere(self, target: ast.Name) -> bool:
        """Whether code that runs at another time may look at the target: a function, a lambda, a generator."""
        home = self.names.home(target)
        if home is None:
            return True
        here = self.module.function(target)
        return any(
            self.module.function(use) is not here
            or any(isinstance(parent, ast.Lambda | ast.GeneratorExp) for parent in self.module.ancestors(use))
            for use in self.names.uses(home, target.id)
        )


def _is_ready(tensor: ast.expr) -> bool:
    """A name, or what a name stands for without its gradient: reading it takes no work of the device."""
    return isinstance(without_gradient(tensor), ast.Name)


def _key(statement: ast.stmt) -> str | None:
    """``action_error`` of ``log["training/action_error"] = …``."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    key = target.slice if isinstance(target, ast.Subscript) else None
    name = key.value.rpartition("/")[2] if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
    return name if name.isidentifier() else None


def _is_bare_call(statement: ast.stmt) -> bool:
    """``torch_xla.sync()``: a call by itself, which is given nothing."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and not call.args and not call.keywords


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _first(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else "value"
