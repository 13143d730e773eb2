"""What statements do to the variables of a frame: branches part and join, loops run until nothing changes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from xlaport.analysis import library
from xlaport.analysis import value as types
from xlaport.analysis.definitions import Class, File, Function
from xlaport.analysis.expressions import Expressions
from xlaport.analysis.frame import Frame
from xlaport.analysis.operators import met
from xlaport.analysis.value import NOTHING, UNKNOWN, Bound, Certainty, Value, each, join, joined

_PASSES = 3
"""How often the body of a loop is gone through at most."""

Variables = dict[str, Value]


class Statements:
    """Runs the body of a function."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.expressions = Expressions(frame)
        self.of = self.expressions.of
        self._kinds: dict[type[ast.AST], Callable[[Any], None]] = {
            ast.Assign: self._assign,
            ast.AugAssign: self._augment,
            ast.AnnAssign: self._annotated,
            ast.Expr: lambda node: self._evaluate(node.value),
            ast.Return: self._return,
            ast.If: self._if,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Try: self._try,
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            ast.Raise: self._raise,
            ast.Assert: self._assert,
            ast.Delete: self._delete,
            ast.Match: self._match,
        }
        if hasattr(ast, "TryStar"):
            self._kinds[ast.TryStar] = self._try

    def run(self) -> None:
        """Run the function's body, with what its callers give it."""
        function = self.frame.function
        node = function.node
        if not isinstance(node, ast.Module):
            self._take_parameters(function, node.args)
        if isinstance(node, ast.Lambda):
            self.frame.write(function.result, self.of(node.body))
        else:
            self.block(node.body)
            if not _leaves(node.body):
                self.frame.write(function.result, NOTHING)

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Run statements, one after the other."""
        for statement in statements:
            kind = self._kinds.get(type(statement))
            if kind is not None:
                kind(statement)

    # -- parameters --------------------------------------------------------------------------------------

    def _take_parameters(self, function: Function, given: ast.arguments) -> None:
        positional = [*given.posonlyargs, *given.args]
        defaults: dict[str, ast.expr] = {
            p.arg: d for p, d in zip(reversed(positional), reversed(given.defaults), strict=False)
        }
        defaults |= {p.arg: d for p, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d is not None}
        for place, parameter in enumerate([*positional, *given.kwonlyargs]):
            cell = function.parameter(parameter.arg)
            cell.readers[function] = None
            value = cell.value
            if place == 0 and function.owner is not None and "staticmethod" not in function.decorators:
                is_class = "classmethod" in function.decorators
                own = Value(refers=function.owner) if is_class else Value(function.owner, because="self")
                value = own if value is None or value.type is None else value
            elif value is None:
                value = self._ungiven(function, parameter, defaults.get(parameter.arg))
            elif value == UNKNOWN and parameter.annotation is not None:
                value = self._annotation(parameter.annotation) or value
            elif parameter.arg in defaults:
                value = join(value, self._default(defaults[parameter.arg])) or UNKNOWN
            if value == UNKNOWN and _is_forward(function):
                value = _given_to_forward(parameter)
            self.frame.bind(parameter.arg, value)
        for rest in (given.vararg, given.kwarg):
            if rest is not None:
                cell = function.parameter(rest.arg)
                cell.readers[function] = None
                self.frame.bind(rest.arg, cell.value or Value(types.OBJECT))

    def _ungiven(self, function: Function, parameter: ast.arg, default: ast.expr | None) -> Value:
        """What a parameter is that no call in sight gives."""
        if self.frame.around.is_called(function):
            return self._default(default) if default is not None else self.frame.around.missed(function)
        if parameter.annotation is not None:
            found = self._annotation(parameter.annotation)
            if found is not None:
                return found
        if default is not None and not (isinstance(default, ast.Constant) and default.value is None):
            return self._default(default)
        return UNKNOWN

    def _default(self, node: ast.expr) -> Value:
        """What a default was found to be where the function is defined."""
        found = self.frame.around.values.get(node)
        return found if found is not None else self.of(node) if isinstance(node, ast.Constant) else UNKNOWN

    def _annotation(self, node: ast.expr) -> Value | None:
        if isinstance(node, ast.BinOp):  # ``Tensor | None``
            return self._annotation(node.left)
        if isinstance(node, ast.Subscript):
            name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
            return self._annotation(node.slice) if name == "Optional" else None
        if not isinstance(node, ast.Name | ast.Attribute):
            return None
        refers = self.of(node).refers
        if isinstance(refers, Class):
            return Value(
                refers, certainty=Certainty.ASSUMED, because=f"annotated as {refers.node.name}", line=node.lineno
            )
        return library.annotated(refers) if isinstance(refers, str) else None

    # -- simple statements -------------------------------------------------------------------------------

    def _evaluate(self, node: ast.expr) -> None:
        self.of(node)

    def _assign(self, node: ast.Assign) -> None:
        value = self.of(node.value)
        for target in node.targets:
            self.expressions.assign(target, value)

    def _augment(self, node: ast.AugAssign) -> None:
        added = self.of(node.value)
        before = self.of(node.target)
        if isinstance(node.target, ast.Name | ast.Attribute):
            self.expressions.assign(node.target, met([before, added], node.lineno))

    def _annotated(self, node: ast.AnnAssign) -> None:
        declared = self._annotation(node.annotation)
        if node.value is not None:
            value = self.of(node.value)
            known = value if value.type is not None or declared is None else declared
            self.expressions.assign(node.target, known)
        elif declared is not None and isinstance(node.target, ast.Name):
            self.frame.bind(node.target.id, declared)

    def _return(self, node: ast.Return) -> None:
        self.frame.write(self.frame.function.result, self.of(node.value))

    def _raise(self, node: ast.Raise) -> None:
        for part in (node.exc, node.cause):
            if part is not None:
                self.of(part)

    def _assert(self, node: ast.Assert) -> None:
        self.of(node.test)
        if node.msg is not None:
            self.of(node.msg)

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.frame.variables.pop(target.id, None)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            full = alias.name if alias.asname else alias.name.partition(".")[0]
            self.frame.bind(alias.asname or full, self.expressions.imported(full, node))

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self._take_all(self.expressions.imported(module, node))
                continue
            dotted = f"{module}.{alias.name}" if node.module else f"{module}{alias.name}"
            self.frame.bind(alias.asname or alias.name, self.expressions.imported(dotted, node))

    def _take_all(self, module: Value) -> None:
        """``from x import *``."""
        if isinstance(module.refers, File):
            body = module.refers.body
            for name in sorted({*body.scope.bound, *body.cells}):
                if not name.startswith("_"):
                    self.frame.take(name, self.frame.read(body.variable(name)))

    # -- branches and loops ------------------------------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        ends: list[Variables] = []
        while True:  # one ``elif`` after the other: some programs have hundreds of these
            self.of(node.test)
            before = self.frame.variables
            self.frame.variables = dict(before)
            self._narrow(node.test)
            self.block(node.body)
            if not _leaves(node.body):
                ends.append(self.frame.variables)
            self.frame.variables = dict(before)
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
                break
            node = node.orelse[0]
        self.block(node.orelse)
        if ends and _leaves(node.orelse):
            self.frame.variables = ends.pop()
        for end in reversed(ends):
            self.frame.variables = _met(end, self.frame.variables)

    def _narrow(self, test: ast.expr) -> None:
        """Behind ``if isinstance(x, int):``, what is not known is what it was asked to be."""
        asked = test.func if isinstance(test, ast.Call) and len(test.args) == 2 else None
        if not isinstance(test, ast.Call) or not isinstance(asked, ast.Name) or asked.id != "isinstance":
            return
        name, kinds = test.args
        found = joined(map(self._annotation, kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]))
        if isinstance(name, ast.Name) and found is not None and self.frame.variables.get(name.id) == UNKNOWN:
            self.frame.variables[name.id] = found._replace(because="asked for its type", line=test.lineno)

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        source = self.of(node.iter)
        self._loop(node, lambda: self.expressions.assign(node.target, self.expressions.calls.gone_through(source)))

    def _while(self, node: ast.While) -> None:
        self._loop(node, lambda: self._evaluate(node.test))

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, begin: Callable[[], None]) -> None:
        mark = len(self.frame.events)
        for _ in range(_PASSES):
            del self.frame.events[mark:]
            before = self.frame.variables
            self.frame.variables = dict(before)
            begin()
            self.block(node.body)
            after = _met(before, self.frame.variables)
            self.frame.variables = after
            if after == before:
                break
        self.block(node.orelse)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self.of(item.context_expr)
            if item.optional_vars is not None:
                self.expressions.assign(item.optional_vars, self._entered(value))
        self.block(node.body)

    def _entered(self, value: Value) -> Value:
        """What ``with … as x`` gives: what ``__enter__`` returns, what a generator yields, or the thing itself."""
        if isinstance(value.type, Class):
            method = value.type.method("__enter__")
            return self.expressions.calls.apply(method, [value], {}, None) if method is not None else value
        if value.type is None and value.element is not None:
            return each(value)
        return value if value.type in (types.LOADER, types.DEVICE_LOADER) else UNKNOWN

    def _try(self, node: Any) -> None:
        before = dict(self.frame.variables)
        self.block(node.body)
        self.block(node.orelse)
        after = self.frame.variables
        for handler in node.handlers:
            self.frame.variables = _met(before, after)
            if handler.type is not None:
                self.of(handler.type)
            self.block(handler.body)
            if not _leaves(handler.body):
                after = _met(after, self.frame.variables)
        self.frame.variables = after
        self.block(node.finalbody)

    def _match(self, node: ast.Match) -> None:
        self.of(node.subject)
        before = self.frame.variables
        after = dict(before)
        for case in node.cases:
            self.frame.variables = dict(before)
            if case.guard is not None:
                self.of(case.guard)
            self.block(case.body)
            if not _leaves(case.body):
                after = _met(after, self.frame.variables)
        self.frame.variables = after

    # -- definitions -------------------------------------------------------------------------------------

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        function = self.define(node, None)
        self.frame.bind(node.name, self._decorated(node, Value(refers=function)))

    def define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: Class | None) -> Function:
        """The function of a definition; its decorators and defaults are evaluated here."""
        around = self.frame.function
        function = self.frame.around.function(node, owner, around)
        self.expressions.all_of(node.decorator_list)
        self.expressions.all_of([*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)])
        function.decorators = frozenset(map(_last_name, node.decorator_list))
        return function

    def _class(self, node: ast.ClassDef) -> None:
        kind = self.frame.around.class_of(node, self.frame.function.file)
        kind.bases = tuple(self.of(base) for base in node.bases)
        self.expressions.all_of(node.decorator_list)
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                kind.methods[statement.name] = self.define(statement, kind)
            elif isinstance(statement, ast.Assign):
                value = self.of(statement.value)
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        self.frame.write(kind.attribute(target.id), value)
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                declared = self._annotation(statement.annotation)
                value = self.of(statement.value) if statement.value is not None else declared or UNKNOWN
                if value != UNKNOWN and (statement.value is not None or declared is not None):
                    self.frame.write(kind.attribute(statement.target.id), declared or value)
        self.frame.bind(node.name, self._decorated(node, Value(refers=kind)))

    def _decorated(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, value: Value) -> Value:
        """What decorators of the program make of a definition; those of libraries are taken to keep what it does."""
        for decorator in reversed(node.decorator_list):
            refers = self.frame.around.values[decorator].refers
            definition = refers.definition if isinstance(refers, Bound) else refers
            if isinstance(definition, Function):
                first = [refers.receiver] if isinstance(refers, Bound) else []
                value = self.expressions.calls.apply(definition, [*first, value], {}, None)
        return value


def _is_forward(function: Function) -> bool:
    return function.name == "forward" and function.owner is not None and library.is_module(Value(function.owner))


def _given_to_forward(parameter: ast.arg) -> Value:
    """What `forward()` of a module gets is taken for a tensor, where nothing says otherwise."""
    return Value(types.TENSOR, certainty=Certainty.ASSUMED, because="given to forward()", line=parameter.lineno)


def _leaves(statements: Sequence[ast.stmt]) -> bool:
    return bool(statements) and isinstance(statements[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def _met(one: Variables, other: Variables) -> Variables:
    """The variables behind two branches; one that only a branch has bound is what that has bound."""
    found = {name: value for name, value in one.items() if "." not in name or name in other}
    for name, value in other.items():
        if "." not in name or name in one:
            found[name] = join(one.get(name), value) or UNKNOWN
    return found


def _last_name(node: ast.expr) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
