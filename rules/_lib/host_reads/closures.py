"""Log statements as closures: what they need is handed over as it is now, since they run later."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.in_place import shared_root
from xlaport.facts.keeping import kept_by
from xlaport.facts.loops import LOOPS
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.names import How
from xlaport.facts.reads import HostRead
from xlaport.facts.role import TENSORS
from xlaport.facts.roles import Role
from xlaport.facts.views import without_gradient
from xlaport.rule import Import, Span

from ..parentheses import as_owner, factor
from .closure_names import element, name_for, shown_as
from .copying import copy_of, given_objects, is_copied, shown_object
from .lifetimes import Lifetimes
from .plain_values import PURE, VALUES, PlainValues
from .showing_functions import is_shown

_PLAIN = (
    ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Dict,
    ast.JoinedStr, ast.FormattedValue, ast.keyword, ast.Starred,
)  # fmt: skip
_ROWS = ast.ListComp | ast.SetComp | ast.DictComp
_DEFINITIONS = (How.IMPORT, How.FUNCTION, How.CLASS)
_LENGTHS = (Role.LOADER, Role.DEVICE_LOADER, Role.DATASET)


class StaysError(Exception):
    """The statements cannot become a closure."""


@dataclass
class Handed:
    """What a closure gets: its parameters with their values, and what becomes of its text."""

    names: dict[str, str] = field(default_factory=dict)
    """The text of a value, by the name of its parameter."""
    spans: list[tuple[Span, str]] = field(default_factory=list)
    computed: bool = False
    """Whether the device computes some of the values: a sum, a copy."""
    imports: tuple[Import, ...] = ()


def handed(
    context: Context,
    statements: Sequence[ast.stmt],
    around: LoopNode | FunctionNode,
    assumed: frozenset[ast.expr] = frozenset(),
    *,
    is_kept: bool = False,
) -> Handed | None:
    """What a closure of these statements of a loop, or a function, has to be handed; None where they cannot become one.

    `assumed` are taken for tensors which can be handed over. `is_kept`: they are calls of a journal, whose objects are
    what the closures before have made of them, so that no copy would do.
    """
    try:
        return _Closure(context, statements, around, assumed, is_kept).handed_over()
    except StaysError:
        return None


def tensors_of(context: Context, statements: Sequence[ast.stmt]) -> dict[ast.expr, HostRead | None]:
    """What the statements need from the device, with the reads by which they see that they do."""
    found: dict[ast.expr, HostRead | None] = {}
    for read in context.reads.all_in(list(statements)):
        found.setdefault(read.tensor, read)
    for statement in statements:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call):
            given = [*call.args, *(k.value for k in call.keywords)]
            given += [value for each in given if isinstance(each, ast.Dict) for value in each.values]
            found |= {v: found.get(v) for v in given if context.roles.is_(v, Role.TENSOR)}
    return found


class _Closure:
    def __init__(
        self,
        context: Context,
        statements: Sequence[ast.stmt],
        around: LoopNode | FunctionNode,
        assumed: frozenset[ast.expr],
        is_kept: bool,
    ) -> None:
        self.context = context
        self.is_kept = is_kept
        self.statements = statements
        self.around = around
        self.assumed = assumed
        self.bound = {n for s in statements for n in ast.walk(s) if isinstance(n, ast.Name | ast.arg)}
        self.freshness = Freshness(context.module, context.names, context.roles)
        self.lifetimes = Lifetimes(context, around, statements[-1])
        self.values = PlainValues(context)
        self.reads = context.reads.within(list(statements))
        self.reading = {read.node for read in self.reads} | given_objects(context, statements)
        self.tensors = tensors_of(context, statements)
        self.shown = {s.value for s in statements if isinstance(s, ast.Expr)}
        self.taken = {n.id for s in statements for n in ast.walk(s) if isinstance(n, ast.Name)}
        self.handed = Handed()

    def handed_over(self) -> Handed:
        for statement in self.statements:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                for node in [*statement.value.args, *statement.value.keywords]:
                    self._visit(node)
                self._root(statement.value)
            elif isinstance(statement, ast.Assign | ast.AugAssign):
                self._visit(statement.value)
            elif isinstance(statement, ast.Assert) and statement.msg is not None:
                self._visit(statement.msg)
            elif isinstance(statement, ast.Raise) and (raised := statement.exc) is not None:
                for node in [*raised.args, *raised.keywords] if isinstance(raised, ast.Call) else [raised]:
                    self._visit(node)
        return self.handed

    def _is_own(self, node: ast.AST) -> bool:
        """Whether a name has what these statements give it."""
        if not isinstance(node, ast.Name):
            return False
        return any(binding.node in self.bound for binding in self.context.names.reaching(node))

    def _is_bound_in(self, name: ast.AST, inside: Collection[ast.AST]) -> bool:
        """Whether a part of an expression binds a name: ``value`` of ``[2 * value for value in values]``."""
        found = self.context.names.reaching(name) if isinstance(name, ast.Name) else ()
        return all(binding.node in inside for binding in found)

    def _root(self, call: ast.Call) -> None:
        """The object that logs: ``writer`` of ``writer.add_scalar(…)``."""
        if not self.is_kept and (shown := shown_object(self.context, call)) is not None:
            self._copied(shown)
            return
        node: ast.expr = call.func
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name):
            raise StaysError("what logs is made by a call")
        if not self._is_fixed(node):
            self.handed.names[node.id] = node.id

    def _copied(self, node: ast.expr) -> None:
        """Hand over a copy of an object, which is what it is now."""
        text, imports = copy_of(self.context, node, self.context.module.segment(node))
        if isinstance(node, ast.Name):
            self.handed.names[node.id] = text
        else:
            self._hoist(node, text=text)
        self.handed.computed = True
        self.handed.imports += imports

    # -- what is handed over ---------------------------------------------------------------------------

    def _visit(self, node: ast.AST) -> None:
        if self._is_own(node) or node in self.assumed:
            return
        if node in self.tensors:
            self._tensor(node)
        elif isinstance(node, ast.Name):
            self._name(node)
        elif isinstance(node, ast.Attribute) and self._is_frozen(node):
            if not self.values.is_option(node):
                self._need_no_change(node.attr, self.context.step_code.attributes.get(node.attr, []))
        elif isinstance(node, ast.Call) and (self._holds_read(node) or self._is_pure(node)):
            self._call(node)
        elif isinstance(node, _PLAIN):
            for child in self.context.module.children[node]:
                self._visit(child)
        elif isinstance(node, ast.Attribute | ast.Subscript) and self._holds_read(node):
            self._visit(node.value)
            if isinstance(node, ast.Subscript):
                self._visit(node.slice)
        elif isinstance(node, ast.Attribute):
            self._need_no_change(node.attr, self.context.step_code.attributes.get(node.attr, []))
            self._hoist(node)
        elif isinstance(node, ast.Subscript | ast.Call):
            self._hoist(node)
        elif isinstance(node, _ROWS) and self.freshness.is_fresh(element(node)):
            self._hoist(node, is_device_work=True)
        elif not isinstance(node, ast.expr_context | ast.operator | ast.unaryop | ast.boolop | ast.cmpop):
            raise StaysError(f"it holds a {type(node).__name__.lower()}")

    def _name(self, node: ast.Name) -> None:
        is_value = self.context.roles.is_(node, *VALUES)
        if self._is_definition(node) or (self._is_fixed(node) and is_value):
            return
        if not is_value:
            try:
                self._need_no_change(node.id, self._uses(node))
            except StaysError:
                if self.is_kept or not is_copied(self.context, node):
                    raise
                self._copied(node)
                return
            is_added_to = any(binding.how is How.AUGMENT for binding in self.context.names.bindings(node))
            is_number = self.values.is_counted(node) or any(self.values.shows(use) for use in self._uses(node))
            if is_added_to and not is_number:
                raise StaysError(f"{node.id} may be changed by then")
        if not self._is_fixed(node):
            self.handed.names[node.id] = node.id

    def _call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and self.context.resolve(node.func) is None:
            self._visit(node.func.value)
        for child in [*node.args, *node.keywords]:
            is_length = isinstance(node.func, ast.Name) and self.context.resolve(node.func) == "builtins.len"
            kinds = (*_LENGTHS, *TENSORS) if is_length else _LENGTHS
            if not (isinstance(child, ast.Name) and self.context.roles.is_(child, *kinds)):
                self._visit(child)

    def _is_pure(self, node: ast.Call) -> bool:
        called = self.context.resolve(node.func) or ""
        if called == "builtins.len":
            given = node.args[0] if len(node.args) == 1 else None
            if given is not None and self._is_own(given):
                return True
            has_length = isinstance(given, ast.Name) and self.context.roles.is_(given, *_LENGTHS, *TENSORS)
            return has_length and isinstance(given, ast.Name) and self._is_fixed(given)
        return called in PURE or called.startswith(("math.", "numpy."))

    def _holds_read(self, node: ast.AST) -> bool:
        inside = set(ast.walk(node))
        is_own = any(self._is_own(n) or n in self.assumed for n in inside)
        if is_own or any(read in inside and read not in self.shown for read in self.reading):
            return not isinstance(node, ast.Call) or self._is_on_host(node)
        return False

    def _is_on_host(self, node: ast.Call) -> bool:
        """Whether a call that holds a read works on values of the host: the read itself, ``round(loss.item(), 3)``."""
        if node in self.reading or self._is_pure(node):
            return True
        func = node.func
        return isinstance(func, ast.Attribute) and (
            self.context.roles.is_(func.value, Role.TEXT, Role.HOST_TENSOR, Role.NUMBER)
            or self._is_own(func.value)
            or func.value in self.reading
        )

    def _tensor(self, node: ast.AST) -> None:
        assert isinstance(node, ast.expr)
        root = without_gradient(node)
        names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
        if any(self._is_own(n) for n in names):
            raise StaysError(f"{shown_as(node)} is made of what is read")
        shared = shared_root(self.context.names, root)
        mine = [n for n in names if n.id == shared or self.context.roles.is_(n, Role.TENSOR)]
        is_fresh = self.freshness.is_fresh(root)
        # A method of the project may be called as one of tensors that gives a view: `self.half(x)`.
        is_run = isinstance(root, ast.Call) and bool(self.context.loops.run_by(root))
        if is_fresh and (is_run or shared is None):
            self._hoist(node, is_device_work=True)
            return
        if is_fresh and not any(self.lifetimes.changes(name) for name in mine):
            self._as_it_is(node, root)
            return
        read = self.tensors[node]
        is_method = read is not None and read.proven and read.how.startswith(".") and read.how != ".format()"
        if not (is_method or self._is_always_tensor(root)):
            raise StaysError("what it reads may be changed by then")
        # A copy is what it is now, whatever becomes of the tensor.
        detached = "" if is_fresh else ".detach()"
        if isinstance(root, ast.Name):
            self.handed.names[root.id] = f"{root.id}{detached}.clone()"
            self.handed.computed = True
        else:
            self._hoist(root, is_device_work=True, suffix=f"{detached}.clone()")

    def _as_it_is(self, node: ast.expr, root: ast.expr) -> None:
        if isinstance(root, ast.Name):
            self.handed.names[root.id] = root.id
        else:
            self._hoist(node, is_device_work=True)

    def _is_always_tensor(self, node: ast.expr) -> bool:
        """Whether a name is a tensor in every pass, and not a number in the first ones."""
        found = self.context.names.reaching(node) if isinstance(node, ast.Name) else ()
        if found and all(binding.how in (How.PARAMETER, How.UNPACK) for binding in found):
            return self.context.roles.is_(node, Role.TENSOR)  # of all calls
        plain = [binding.value for binding in found if binding.how is How.ASSIGN]
        known = all(b.how in (How.ASSIGN, How.AUGMENT) for b in found)
        return bool(plain) and known and all(v is not None and self.context.roles.is_(v, Role.TENSOR) for v in plain)

    def _uses(self, node: ast.Name) -> list[ast.Name]:
        home = self.context.names.home(node)
        return self.context.names.uses(home, node.id) if home is not None else []

    def _need_no_change(self, name: str, uses: Iterable[ast.expr]) -> None:
        """Raise where an object has methods called, or items set: it may be changed by the time that it is shown."""
        parents = self.context.module.parents
        uses = list(uses)
        for use in uses:
            parent = parents[use]
            if isinstance(parent, ast.keyword):
                parent = parents[parent]
            if isinstance(parent, ast.Attribute) and isinstance(parents[parent], ast.Call):
                changed = getattr(parents[parent], "func", None) is parent
            elif isinstance(parent, ast.AugAssign):
                changed = parent.target is use and not self.context.roles.is_(use, *VALUES)
            elif isinstance(parent, ast.Call) and parent.func is not use:
                changed = not (self._only_looks(parent) or any(self.values.shows(other) for other in uses))
            else:
                changed = isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load)
            if changed:
                raise StaysError(f"{name} may be changed by then")

    def _only_looks(self, call: ast.Call) -> bool:
        """Whether a call leaves an object alone that it is given."""
        statement = self.context.module.parents[call]
        if call in self.shown or (isinstance(statement, ast.stmt) and is_shown(self.context, statement) is call):
            return True
        function = self.context.flow.structure.run_by(self.context.view.own, call)
        kept = kept_by(self.context.flow.structure, function) if function is not None else None
        if kept is not None and not kept.keeps:
            return True
        called = self.context.resolve(call.func) or ""
        is_text = isinstance(call.func, ast.Attribute) and self.context.roles.is_(call.func.value, Role.TEXT)
        return is_text or called.startswith(("builtins.", "math.", "os.path."))

    def _hoist(self, node: ast.expr, *, is_device_work: bool = False, suffix: str = "", text: str = "") -> None:
        """Hand over what an expression is now; `text` in its place."""
        inside = set(ast.walk(node))
        if not self.reading.isdisjoint(inside):
            raise StaysError(f"{shown_as(node)} is made of what is read")
        if any((self._is_own(n) and not self._is_bound_in(n, inside)) or n in self.assumed for n in inside):
            raise StaysError(f"{shown_as(node)} is made of what is read")
        if any(isinstance(n, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom) for n in inside):
            raise StaysError("it does more than log")
        if not self.context.editable(node):
            raise StaysError(f"{shown_as(node)} has to be looked at now, and stands in an f-string")
        span = self.context.span(node)
        value = self.context.module.text[span.start : span.end]
        if "\n" in value and not isinstance(node, ast.Call | ast.Subscript | _ROWS):
            raise StaysError(f"{shown_as(node)} goes over several lines")
        value = text or value
        value = factor(node, value) + suffix if suffix else value
        name = self._name_for(node, value)
        self.handed.names[name] = value
        self.handed.computed = self.handed.computed or is_device_work
        self.handed.spans.append((as_owner(self.context, node), name))

    def _name_for(self, node: ast.expr, text: str) -> str:
        for name, value in self.handed.names.items():
            if value == text:
                return name
        return name_for(self.context, node, {*self.taken, *self.handed.names})

    # -- what stays as it is ---------------------------------------------------------------------------

    def _is_definition(self, node: ast.Name) -> bool:
        return all(binding.how in _DEFINITIONS for binding in self.context.names.bindings(node))

    def _is_fixed(self, node: ast.Name) -> bool:
        """Whether a name is bound once, or only before the loop, or by the language, an import, a definition."""
        found = self.context.names.bindings(node)
        if self._is_definition(node):
            return True
        if not found or any(binding.elsewhere or self._is_in_loop(binding.node) for binding in found):
            return False
        home, first = self.context.names.home(node), self.around
        is_near = home is not None and home is self.context.names.scope(first)
        lines = [getattr(binding.node, "lineno", first.lineno) for binding in found]
        return len(found) == 1 or (is_near and max(lines) < first.lineno)

    def _is_in_loop(self, node: ast.AST) -> bool:
        for parent in self.context.module.ancestors(node):
            if isinstance(parent, LOOPS):
                return True
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                return False
        return False

    def _is_frozen(self, node: ast.Attribute) -> bool:
        """``args.epochs``: of a name that is bound once, and set nowhere in the project but where it is built."""
        if not isinstance(node.value, ast.Name) or not self._is_fixed(node.value) or self._may_set(node.value):
            return False
        stores = (a for a in self.context.step_code.attributes.get(node.attr, []) if not isinstance(a.ctx, ast.Load))
        functions = (self.context.module.function(a) for a in stores)
        if any(function is None or function.name != "__init__" for function in functions):
            return False
        others = self.context.view.program.saying(re.compile(rb"\.%b\s*[-+*/%%|&^@<>]{0,3}=(?!=)" % node.attr.encode()))
        return not others - {self.context.view.own.file}

    def _may_set(self, node: ast.Name) -> bool:
        """Whether a method of an object that nobody takes a result of, ``meter.reset()``, may set something in it."""
        parents = self.context.module.parents
        calls = [(parents[use], parents[parents[use]]) for use in self._uses(node)]
        return any(
            isinstance(call, ast.Call) and call.func is method and isinstance(parents[call], ast.Expr)
            for method, call in calls
        )
