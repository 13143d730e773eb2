"""Log statements as closures: what they need is handed over as it is now, since they run later."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Iterable
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.between import Stays
from xlaport.facts.freshness import Freshness
from xlaport.facts.loops import LOOPS, StepLoop
from xlaport.facts.module import walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import Role

_PLAIN = (
    ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Dict,
    ast.JoinedStr, ast.FormattedValue, ast.keyword,
)  # fmt: skip
_DEFINITIONS = (How.IMPORT, How.FUNCTION, How.CLASS)
_PURE = frozenset(f"builtins.{name}" for name in ("float", "int", "bool", "round", "abs", "min", "max", "str", "len"))
_LENGTHS = (Role.LOADER, Role.DEVICE_LOADER, Role.DATASET)
_VALUES = (Role.NUMBER, Role.TEXT)
_LINE = 88


class _StaysError(Exception):
    """The statement cannot become a closure."""

    def __init__(self, stays: Stays) -> None:
        super().__init__(stays.why)
        self.stays = stays


@dataclass
class _Handed:
    """What a closure gets: its parameters with their values, and what becomes of its text."""

    names: dict[str, str] = field(default_factory=dict)
    """The text of a value, by the name of its parameter."""
    spans: list[tuple[int, int, str]] = field(default_factory=list)


def closure(context: Context, statement: ast.Expr, loop: StepLoop, add: str) -> str | Stays | None:
    """The statement that logs by a closure; None where it needs nothing from the device."""
    return _Closure(context, statement, loop).text(add)


class _Closure:
    def __init__(self, context: Context, statement: ast.Expr, loop: StepLoop) -> None:
        assert isinstance(statement.value, ast.Call)
        self.context = context
        self.statement = statement
        self.call = statement.value
        self.loop = loop
        self.freshness = Freshness(context.module, context.names, context.roles)
        self.reads = context.reads.within([statement])
        given = [*self.call.args, *(k.value for k in self.call.keywords)]
        shown = {node for node in given if context.roles.is_(node, Role.TENSOR)}
        in_dicts = {v for d in given if isinstance(d, ast.Dict) for v in d.values if context.roles.is_(v, Role.TENSOR)}
        self.tensors: set[ast.expr] = {read.tensor for read in self.reads} | shown | in_dicts
        self.taken = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
        self.handed = _Handed()

    def text(self, add: str) -> str | Stays | None:
        """The call of `add` in the place of the statement."""
        if not self.tensors:
            return None
        module = self.context.module
        segment, start = module.segment(self.call), module.span(self.call).start
        if any(
            isinstance(n, ast.Constant) and isinstance(n.value, str) and "\n" in n.value for n in ast.walk(self.call)
        ):
            return Stays("its text goes over several lines")
        try:
            for node in [*self.call.args, *self.call.keywords]:
                self._visit(node)
        except _StaysError as error:
            return error.stays
        self._root()
        for first, last, new in sorted(self.handed.spans, reverse=True):
            segment = segment[: first - start] + new + segment[last - start :]
        names = list(self.handed.names)
        values = list(self.handed.names.values())
        handed = f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"
        line = f"{add}(lambda {', '.join(names)}: {segment}, args={handed}, run_async=True)"
        if "\n" not in line and self.statement.col_offset + len(line) <= _LINE:
            return line
        body = segment.replace("\n", "\n    ")
        return f"{add}(\n    lambda {', '.join(names)}: {body},\n    args={handed},\n    run_async=True,\n)"

    def _root(self) -> None:
        """The object that logs: ``writer`` of ``writer.add_scalar(…)``."""
        node: ast.expr = self.call.func
        while isinstance(node, ast.Attribute):
            node = node.value
        if isinstance(node, ast.Name) and not self._is_fixed(node):
            self._hand(node.id, node)

    # -- what is handed over ---------------------------------------------------------------------------

    def _visit(self, node: ast.AST) -> None:
        if node in self.tensors:
            self._tensor(node)
        elif isinstance(node, ast.Name):
            if self._is_definition(node) or (self._is_fixed(node) and self.context.roles.is_(node, *_VALUES)):
                return
            if not self.context.roles.is_(node, *_VALUES):
                self._need_no_change(node.id, self._uses(node))
            self._hand(node.id, node)
        elif isinstance(node, ast.Attribute) and self._is_frozen(node):
            self._need_no_change(node.attr, self.context.step_code.attributes.get(node.attr, []))
        elif isinstance(node, ast.Call) and (self._holds_read(node) or self._is_pure(node)):
            self._call(node)
        elif isinstance(node, _PLAIN):
            for child in self.context.module.children[node]:
                self._visit(child)
        elif isinstance(node, ast.Attribute | ast.Subscript) and self._holds_read(node):
            self._visit(node.value)
        elif isinstance(node, ast.Attribute):
            self._need_no_change(node.attr, self.context.step_code.attributes.get(node.attr, []))
            self._hoist(node)
        elif isinstance(node, ast.Subscript | ast.Call):
            self._hoist(node)
        else:
            raise _StaysError(Stays(f"it holds a {type(node).__name__.lower()}"))

    def _call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and self.context.resolve(node.func) is None:
            self._visit(node.func.value)
        for child in [*node.args, *node.keywords]:
            if not (isinstance(child, ast.Name) and self.context.roles.is_(child, *_LENGTHS)):
                self._visit(child)

    def _is_pure(self, node: ast.Call) -> bool:
        called = self.context.resolve(node.func) or ""
        if called == "builtins.len":
            given = node.args[0] if len(node.args) == 1 else None
            return isinstance(given, ast.Name) and self.context.roles.is_(given, *_LENGTHS) and self._is_fixed(given)
        return called in _PURE or called.startswith(("math.", "numpy."))

    def _holds_read(self, node: ast.AST) -> bool:
        inside = set(ast.walk(node))
        if any(read.node in inside and read.node is not self.call for read in self.reads):
            return not isinstance(node, ast.Call) or self._is_on_host(node)
        return False

    def _is_on_host(self, node: ast.Call) -> bool:
        """Whether a call that holds a read works on values of the host: the read itself, ``round(loss.item(), 3)``."""
        if any(read.node is node for read in self.reads) or self._is_pure(node):
            return True
        func = node.func
        return isinstance(func, ast.Attribute) and (
            self.context.roles.is_(func.value, Role.TEXT) or self.context.roles.is_(func.value, Role.HOST_TENSOR)
        )

    def _tensor(self, node: ast.AST) -> None:
        assert isinstance(node, ast.expr)
        root = _without_gradient(node)
        if not self.freshness.is_fresh(root):
            raise _StaysError(Stays("what it reads may belong to the model, and be changed by then"))
        for name in ast.walk(node):
            if isinstance(name, ast.Name) and (name is root or self.context.roles.is_(name, Role.TENSOR)):
                self._need_to_last(name)
        if isinstance(root, ast.Name):
            self._hand(root.id, root)
        else:
            self._hoist(node)

    def _uses(self, node: ast.Name) -> list[ast.Name]:
        home = self.context.names.home(node)
        return self.context.names.uses(home, node.id) if home is not None else []

    def _need_no_change(self, name: str, uses: Iterable[ast.expr]) -> None:
        """Raise where an object has methods called, or items set: it may be changed by the time that it is shown."""
        parents = self.context.module.parents
        for use in uses:
            parent = parents[use]
            if isinstance(parent, ast.Attribute) and isinstance(parents[parent], ast.Call):
                changed = getattr(parents[parent], "func", None) is parent
            else:
                changed = isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load)
            if changed:
                raise _StaysError(Stays(f"{name} may be changed by then"))

    def _need_to_last(self, name: ast.Name) -> None:
        """Raise where a tensor may be changed in place by the time that the closure runs."""
        body = self.loop.node.body
        found = self.context.names.reaching(name)
        tops = [self._top(binding.node) for binding in found]
        if not found or any(top is None for top in tops) or any(b.how is How.AUGMENT for b in found):
            raise _StaysError(Stays(f"{name.id} goes on from pass to pass, and is another by then"))
        here = self._top(self.statement)
        first = min(top for top in tops if top is not None)
        rest = [*body[(here or 0) + 1 :], *body[:first]]
        between = self.context.steps.between
        if between.is_changed_in({name.id}, self.statement, rest):
            raise _StaysError(Stays(f"{name.id} is changed in place later, and may be another by then"))

    def _top(self, node: ast.AST) -> int | None:
        """The statement of the loop's body that a node is in."""
        around = {node, *self.context.module.ancestors(node)}
        return next((i for i, s in enumerate(self.loop.node.body) if s in around), None)

    def _hoist(self, node: ast.expr) -> None:
        """Hand over what an expression is now."""
        if not self.context.editable(node):
            raise _StaysError(Stays(f"{_shown(node)} has to be looked at now, and stands in an f-string"))
        inside = set(ast.walk(node))
        if any(read.node in inside for read in self.reads):
            raise _StaysError(Stays(f"{_shown(node)} is made of what is read"))
        if any(isinstance(n, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom) for n in ast.walk(node)):
            raise _StaysError(Stays("it does more than log"))
        name = self._name_for(node)
        span = self.context.module.span(node)
        self.handed.names[name] = self.context.module.segment(node)
        start, end, text = span.start, span.end, self.context.module.text
        if isinstance(self.context.module.parents[node], ast.Attribute) and text[start - 1] + text[end] == "()":
            start, end = start - 1, end + 1  # `(a * 2).item()`: a name needs no parentheses
        self.handed.spans.append((start, end, name))

    def _hand(self, name: str, node: ast.Name) -> None:
        self.handed.names[name] = node.id

    def _name_for(self, node: ast.expr) -> str:
        text = self.context.module.segment(node)
        for name, value in self.handed.names.items():
            if value == text:
                return name
        stem = _stem(node)
        if not stem.isidentifier() or keyword.iskeyword(stem):
            stem = "value"
        elif hasattr(builtins, stem):
            stem += "_value"
        name, number = stem, 2
        while name in self.taken or name in self.handed.names:
            name, number = f"{stem}_{number}", number + 1
        return name

    # -- what stays as it is ---------------------------------------------------------------------------

    def _is_definition(self, node: ast.Name) -> bool:
        return all(binding.how in _DEFINITIONS for binding in self.context.names.bindings(node))

    def _is_fixed(self, node: ast.Name) -> bool:
        """Whether a name is bound once, before the loop, or by the language, an import, a definition."""
        found = self.context.names.bindings(node)
        if self._is_definition(node):
            return True
        return len(found) == 1 and not found[0].elsewhere and not self._is_in_loop(found[0].node)

    def _is_in_loop(self, node: ast.AST) -> bool:
        for parent in self.context.module.ancestors(node):
            if isinstance(parent, LOOPS):
                return True
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                return False
        return False

    def _is_frozen(self, node: ast.Attribute) -> bool:
        """``args.epochs``: of a name that is bound once, and set nowhere in this file but where it is built."""
        if not isinstance(node.value, ast.Name) or not self._is_fixed(node.value):
            return False
        stores = (a for a in self.context.step_code.attributes.get(node.attr, []) if not isinstance(a.ctx, ast.Load))
        functions = (self.context.module.function(a) for a in stores)
        return all(function is not None and function.name == "__init__" for function in functions)


def _without_gradient(node: ast.expr) -> ast.expr:
    """``loss`` of ``loss.detach()`` and ``loss.data``."""
    while True:
        if isinstance(node, ast.Attribute) and node.attr == "data":
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "detach":
            node = node.func.value
        else:
            return node


def _stem(node: ast.expr) -> str:
    """A name for a value: ``data_len`` of ``len(data)``, ``lr`` of ``group["lr"]``, ``out_mean`` of ``out.mean()``."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and len(node.args) == 1:
            return f"{_stem(node.args[0])}_{node.func.id}"
        if isinstance(node.func, ast.Attribute) and not node.func.attr.startswith("get_"):
            return f"{_stem(node.func.value)}_{node.func.attr}"
        return _stem(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr.removeprefix("get_")
    if isinstance(node, ast.Subscript):
        key = node.slice
        return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else _stem(node.value)
    return node.id if isinstance(node, ast.Name) else "value"


def _shown(node: ast.expr) -> str:
    return ast.unparse(node)


def leaves(statements: list[ast.stmt]) -> ast.AST | None:
    """What may leave the pass, so that the closure would not run at its barrier."""
    exits = (ast.Continue, ast.Break, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)
    return next((node for node in walk_block(statements) if isinstance(node, exits)), None)
