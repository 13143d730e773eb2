"""What may stand between a read and the barrier: whether any of it could tell that the read happens later."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlaport.facts.in_place import changes, shared_root, sharing
from xlaport.facts.looked_at import only_looks
from xlaport.facts.module import last_name, walk_block
from xlaport.facts.names import How, Scope
from xlaport.facts.program import Facts
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import TENSORS, Role, dotted, roles_of
from xlaport.facts.running import all_run
from xlaport.facts.structure import Function

_VALUES = (*TENSORS, Role.NUMBER, Role.TEXT)
_TORCH_OBJECTS = (
    *_VALUES, Role.OPTIMIZER, Role.SCALER, Role.SCHEDULER, Role.MODEL, Role.DEVICE, Role.LOADER, Role.DEVICE_LOADER,
)  # fmt: skip
_LEAVING = (ast.Continue, ast.Break, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)
_KEEPING_METHODS = ("append", "extend", "backward")
"""Methods of unknown objects that leave the tensors which they are given as they are."""


@dataclass(frozen=True)
class Stays:
    """Why a read cannot move: a clause without a subject if `node` is what keeps it, else a whole one."""

    why: str
    node: ast.AST | None = None


@dataclass(frozen=True)
class Moved:
    """The part of a statement that is to run later, and what it has to do with the rest of the program."""

    statement: ast.stmt
    reads: tuple[HostRead, ...]
    names: tuple[ast.Name, ...]
    bound: frozenset[str]
    """Local names that it binds."""
    objects: tuple[ast.expr, ...]
    """Objects and attributes that it changes: ``losses`` of ``losses.update(…)``, ``self.total``."""
    prints: bool
    is_copied: bool = False
    """Whether it reads a copy that was made where it stood: nothing can change that."""


class Between:
    """Looks for what keeps a statement from moving."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.module = facts.module
        self.names = facts.names
        self.roles = roles_of(facts)

    def obstacle(self, moved: Moved, between: list[ast.stmt]) -> Stays | None:
        """The first thing in the statements that could tell the difference."""
        read = {node for r in moved.reads for node in ast.walk(r.tensor)}
        used = {name.id for name in moved.names}
        # What is neither tensor nor number may be changed by whoever gets hold of it.
        mutable = {
            name.id
            for name in moved.names
            if name not in read and isinstance(name.ctx, ast.Load) and self.names.resolve(name) is None
            if not self.roles.is_(name, *_VALUES)
        } - {root for o in moved.objects if (root := _root(o)) is not None}
        everything = {n.id for n in ast.walk(moved.statement) if isinstance(n, ast.Name) and not moved.is_copied}
        tensors = self._sharing(everything - mutable, moved.statement)
        is_held = self._is_held(tensors, moved)
        for node in walk_block(between):
            found = (
                self._at_name(node, moved, used, mutable)
                or self._at_object(node, moved)
                or self._at_call(node, moved, tensors)
            )
            if found is None and isinstance(node, _LEAVING):
                found = "may leave the step before the barrier"
            if found is None and (
                self._changes_in_place(node, tensors | used) or (is_held and self._may_change_held(node, tensors))
            ):
                found = "changes before the barrier what is read"
            if found is not None:
                return Stays(found, node)
        for name in moved.names:
            for binding in self.names.bindings(name):
                if self.module.place_in(between, binding.node) is not None:
                    return Stays(f"binds {name.id} before the barrier", binding.node)
        return None

    # -- names and objects -----------------------------------------------------------------------------

    def _at_name(self, node: ast.AST, moved: Moved, used: set[str], mutable: set[str]) -> str | None:
        if not isinstance(node, ast.Name):
            return None
        if node.id in moved.bound:
            return f"uses {node.id} before the barrier"
        if node.id in used and not isinstance(node.ctx, ast.Load):
            return f"changes {node.id} before the barrier"
        if node.id in mutable and not self._is_only_looked_at(node):
            return f"may change {node.id} before the barrier"
        return None

    def _at_object(self, node: ast.AST, moved: Moved) -> str | None:
        for changed in moved.objects:
            if isinstance(changed, ast.Name):
                if isinstance(node, ast.Name) and node.id == changed.id:
                    return f"uses {changed.id} before the barrier"
                if isinstance(node, ast.Name) and self._is_shared(changed) and not self._is_apart(node):
                    return f"may use {changed.id} before the barrier"
            elif isinstance(changed, ast.Attribute):
                root = _root(changed)
                if isinstance(node, ast.Attribute) and node.attr == changed.attr:
                    return f"uses {dotted(changed)} before the barrier"
                if isinstance(node, ast.Name) and node.id == root and not self._is_base(node):
                    return f"may use {dotted(changed)} before the barrier"
        return None

    def _is_base(self, name: ast.Name) -> bool:
        return isinstance(self.module.parents[name], ast.Attribute)

    def _is_shared(self, name: ast.Name) -> bool:
        """Whether an object has, or may have, another name: it is handed on somewhere."""
        home = self.names.home(name)
        if home is None:
            return True
        here = self.module.function(name)
        return any(
            self.module.function(use) is not here
            or not isinstance(self.module.parents[use], ast.Attribute | ast.Subscript)
            or getattr(self.module.parents[use], "value", None) is not use
            for use in self.names.uses(home, name.id)
            if isinstance(use.ctx, ast.Load) and not (self._is_formatted(use) or self._is_handed_back(use, home))
        )

    def _is_handed_back(self, use: ast.Name, home: Scope) -> bool:
        """Whether a function gives back an object of its own: nothing of it runs behind that."""
        function = self.module.function(use)
        return (
            isinstance(self.module.statement(use), ast.Return)
            and home.node is function
            and isinstance(self.module.parents[use], ast.Return | ast.Tuple | ast.List | ast.Dict)
        )

    def _is_formatted(self, use: ast.Name) -> bool:
        """Whether an object is shown in a text, which keeps nothing of it: ``"…".format(loss=losses)``."""
        parent = self.module.parents[use]
        call = self.module.parents[parent] if isinstance(parent, ast.keyword) else parent
        func = call.func if isinstance(call, ast.Call) else None
        if not isinstance(func, ast.Attribute) or func.attr != "format":
            return False
        return isinstance(func.value, ast.JoinedStr | ast.Constant)

    def _is_apart(self, name: ast.Name) -> bool:
        """Whether a name is no way to the changed object: it is a tensor, a model, an optimizer, an import …"""
        if self.names.resolve(name) is not None or not isinstance(name.ctx, ast.Load):
            return True
        node: ast.expr = name
        while True:
            if self.roles.is_(node, *_TORCH_OBJECTS) or self._is_made_apart(node):
                return True
            parent = self.module.parents[node]
            if not isinstance(parent, ast.Attribute):
                return any(binding.how is How.FUNCTION for binding in self.names.bindings(name))
            node = parent

    def _is_made_apart(self, node: ast.expr) -> bool:
        """Whether an object was made of plain values and tensors alone, and so without the changed one."""
        made = self.roles.structure.made_at(self.facts, node)
        given = [(m.facts, v) for m in made for v in (*m.node.args, *(keyword.value for keyword in m.node.keywords))]
        return bool(made) and all(
            isinstance(value, ast.Constant | ast.Compare) or roles_of(facts).is_(value, *_TORCH_OBJECTS)
            for facts, value in given
        )

    def _is_only_looked_at(self, name: ast.Name) -> bool:
        """``args.batch_size``, ``scores == y``, ``len(y)``: neither called nor handed on."""
        node: ast.AST = self.module.parents[name]
        if isinstance(node, ast.Compare | ast.BinOp):
            return True
        if isinstance(node, ast.Call):
            return self.names.resolve(node.func) == "builtins.len"
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return False
        while isinstance(self.module.parents[node], ast.Attribute):
            node = self.module.parents[node]
        parent = self.module.parents[node]
        return not (isinstance(parent, ast.Call) and parent.func is node)

    # -- calls -----------------------------------------------------------------------------------------

    def _at_call(self, node: ast.AST, moved: Moved, tensors: set[str]) -> str | None:
        """Whether a call might see what the moved part does, or do something to what it reads."""
        if not isinstance(node, ast.Call):
            return None
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        functions = [*self._run_by(node), *(f for argument in given for f in self._functions_at(argument))]
        if functions or any(isinstance(argument, ast.Lambda) for argument in given):
            return self._at_functions(functions, moved, any(isinstance(a, ast.Lambda) for a in given))
        if self.is_blind(node):
            return None
        if moved.prints:
            return "may print before the barrier"
        if any(not isinstance(changed, ast.Name) or self._is_shared(changed) for changed in moved.objects):
            return "may see the difference before the barrier"
        last = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        read = {name for name in tensors if any(name == _root(r.tensor) for r in moved.reads)}
        if last not in _KEEPING_METHODS and any(_root(argument) in read for argument in given):
            return "may change before the barrier what is read"
        return None

    def _at_functions(self, functions: Sequence[Function], moved: Moved, with_lambda: bool) -> str | None:
        if not moved.objects and not moved.prints:
            return None
        mentioned, unsure = self._mentioned(functions)
        if moved.prints and (unsure or with_lambda or "print" in mentioned):
            return "may print before the barrier"
        for changed in moved.objects:
            own = changed.attr if isinstance(changed, ast.Attribute) else _root(changed)
            shared = not isinstance(changed, ast.Name) or self._is_shared(changed)
            if own in mentioned or ((with_lambda or unsure) and shared):
                return "may see the difference before the barrier"
        return None

    def _run_by(self, call: ast.Call) -> list[Function]:
        return self.roles.structure.runs(self.facts, call)

    def _functions_at(self, argument: ast.expr) -> Iterator[Function]:
        function = self.roles.structure.function_named(self.facts, argument)
        if function is not None:
            yield function

    def _mentioned(self, functions: Sequence[Function]) -> tuple[set[str], bool]:
        """The names and attributes in functions and in what they call; and whether they run unknown code."""
        structure = self.roles.structure
        run = [each for function in functions for each in all_run(structure, function.facts, [*function.node.body])]
        mentioned = {name for _, node in run if (name := last_name(node)) is not None}
        calls = [(facts, node) for facts, node in run if isinstance(node, ast.Call)]
        unsure = any(
            not (structure.runs(facts, call) or (self if facts is self.facts else Between(facts)).is_blind(call))
            for facts, call in calls
        )
        return mentioned, unsure

    def is_blind(self, call: ast.Call) -> bool:
        """A call of PyTorch itself, or of a builtin, which knows nothing of the program's objects."""
        called = self.names.resolve(call.func)
        if called is not None and called.startswith(("torch.", "torch_xla.", "math.", "builtins.", "time.")):
            return called != "builtins.print"
        if self.roles.is_(call.func, Role.MODEL):
            return True
        if not isinstance(call.func, ast.Attribute):
            return False
        return self.roles.is_(call.func.value, *_TORCH_OBJECTS) or call.func.attr == "backward"

    # -- tensors that are changed in place -------------------------------------------------------------

    def is_changed_in(self, names: set[str], at: ast.stmt, statements: list[ast.stmt]) -> bool:
        """Whether statements change one of the names in place, or what may share memory with it; `at` uses them."""
        tensors = self._sharing(names, at)
        return any(self._changes_in_place(node, tensors) for node in walk_block(statements))

    def shares(self, names: set[str], at: ast.stmt) -> bool:
        """Whether another name may share memory with one of the names."""
        return self._sharing(names, at) != names

    def _is_held(self, tensors: set[str], moved: Moved) -> bool:
        """Whether something else may have what is read: a list, an object, a function that was defined beside it."""
        read = [n for r in moved.reads for n in ast.walk(r.tensor) if isinstance(n, ast.Name) and n.id in tensors]
        uses = (use for name in read for b in self.names.reaching(name) for use in self.names.uses_of(_name(b.node)))
        return not moved.is_copied and not all(only_looks(self.facts, use) for use in uses)

    def _may_change_held(self, node: ast.AST, tensors: set[str]) -> bool:
        """Whether a node changes in place what may be a tensor that something else holds, too."""
        if isinstance(node, ast.NamedExpr):
            return _root(node.value) in tensors
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return any(self._changes_in_place(inner, tensors) for inner in ast.walk(node))
        if isinstance(node, ast.Call):
            called = last_name(node.func) or ""
            if called in _KEEPING_METHODS or (self.is_blind(node) and not called.endswith("_")):
                return False
            given = (part for a in (*node.args, *(k.value for k in node.keywords)) for part in _parts(a))
            return any(_root(part) in tensors for part in given)
        return isinstance(node, ast.Name) and changes(self.facts, node) and not self._is_another(node)

    def _is_another(self, name: ast.Name) -> bool:
        """Whether what is changed is a number, or a tensor computed for its own name, and so not what is held."""
        found = [binding for binding in self.names.reaching(name) if binding.how is not How.AUGMENT]
        values = [binding.value if binding.how is How.ASSIGN else None for binding in found]
        return self.roles.is_(name, Role.NUMBER, Role.TEXT) or all(
            isinstance(value, ast.Constant | ast.BinOp | ast.Call)
            and self.roles.is_(value, *_VALUES)
            and shared_root(self.names, value) is None
            for value in values
        )

    def _sharing(self, names: set[str], at: ast.stmt) -> set[str]:
        return sharing(self.facts, names, self.module.function(at))

    def _changes_in_place(self, node: ast.AST, names: set[str]) -> bool:
        return isinstance(node, ast.Name) and node.id in names and changes(self.facts, node)


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Starred):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _parts(node: ast.expr) -> list[ast.expr]:
    """What is in a list, a tuple or a dict that is written out."""
    if isinstance(node, ast.Dict):
        return node.values
    return node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []


def _name(node: ast.AST) -> ast.Name | None:
    return node if isinstance(node, ast.Name) else None
