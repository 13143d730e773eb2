"""What statements do to the variables of a frame: branches part and join, loops run until nothing changes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from xlaport.analysis import names, unseen
from xlaport.analysis import value as types
from xlaport.analysis.branches import Variables, leaves, met_behind
from xlaport.analysis.containers import chained
from xlaport.analysis.declarations import Declarations
from xlaport.analysis.definitions import Class, Function
from xlaport.analysis.expressions import Expressions
from xlaport.analysis.folding import is_plain, truth
from xlaport.analysis.frame import Frame
from xlaport.analysis.gradless import switch
from xlaport.analysis.holding import augmented
from xlaport.analysis.narrowing import annotation, narrowed
from xlaport.analysis.operators import FETCHED, met
from xlaport.analysis.passing import added, assigned, at, behind_pass, carry, taken_from
from xlaport.analysis.targets import path_of
from xlaport.analysis.value import NOTHING, PENDING, UNKNOWN, Bound, Device, Value, each, together
from xlaport.facts import torch_versions, vocabulary
from xlaport.facts.module import last_name

_PASSES = 3
"""How often the body of a loop is gone through at most."""


class Statements:
    """Runs the body of a function."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.expressions = Expressions(frame)
        self.of = self.expressions.of
        self.declarations = Declarations(self.expressions)

    def run(self) -> None:
        """Run the function's body, with what its callers give it."""
        function = self.frame.function
        node = function.node
        if not isinstance(node, ast.Module):
            self.declarations.take_parameters(function, node.args)
            self.frame.variables.update(self.frame.apart.given if self.frame.apart is not None else {})
        for decorator in getattr(node, "decorator_list", ()):
            switch(self.frame, decorator)
        if isinstance(node, ast.Lambda):
            self.frame.write(function.result, self.of(node.body))
        else:
            self.block(node.body)
            self.expressions.calls.applying.run_later(0)
            if not leaves(node.body):
                self.frame.write(function.result, NOTHING)

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Run statements, one after the other."""
        for statement in statements:
            kind = _KINDS.get(type(statement))
            if kind is not None:
                kind(self, statement)

    # -- simple statements -------------------------------------------------------------------------------

    def _evaluate(self, node: ast.expr) -> None:
        value = self.of(node)
        if value.is_unknown and isinstance(node, ast.Call):
            unseen.note_possible_move(self.frame, node)

    def _assign(self, node: ast.Assign) -> None:
        value = self.of(node.value)
        if value.is_unknown and isinstance(node.value, ast.Call) and len(node.targets) == 1:
            value = unseen.made(self.expressions, node.value, node.targets[0]) or value
        for target in node.targets:
            operand = self._added_to(target, node.value)
            if operand is not None:
                given = added(self.frame, value, node, operand)
            else:
                given = assigned(self.frame, value, node, _names(node.value, target)) if value.turns else value
            self.expressions.assign(target, given)
            if isinstance(target, ast.Name) and value.type == types.TENSOR and _moves(node.value, target.id):
                self.frame.moved_again.add(target.id)

    def _augment(self, node: ast.AugAssign) -> None:
        operand = self.of(node.value)
        before = self.of(node.target)
        self.frame.note_used(node, operand)
        is_field = isinstance(node.target, ast.Subscript) and before.type == types.NUMBER
        if isinstance(node.target, ast.Name | ast.Attribute) or is_field:
            own = self.expressions.special.operator(node.op, [before, operand], node, is_augmented=True)
            found = own or chained([before, operand])
            found = found or met([before, operand], node.lineno, [node.target, node.value])
            if own is None and found.type in (types.TENSOR, types.NUMBER):
                turns = together(before.turns, operand.turns) if found.type == types.NUMBER else found.turns
                found = found._replace(holds=augmented(before, operand), turns=turns)
            self.expressions.assign(node.target, added(self.frame, found, node, operand))
            self.frame.around.values[node.target] = before

    def _added_to(self, target: ast.expr, value: ast.expr) -> Value | None:
        """What ``n = n + 1``, ``n = (n + k) % size`` and ``n = min(n + 1, most)`` add to a target; else None."""
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("int", "max", "min"):
            return next((o for part in value.args if (o := self._added_to(target, part)) is not None), None)
        path = path_of(target) if isinstance(value, ast.BinOp) else None
        while path is not None and isinstance(value, ast.BinOp):
            if path_of(value.right) == path:
                return self.frame.around.values[value.left]
            if path_of(value.left) == path or _names(value.left, target):
                return self.frame.around.values[value.right]
            value = value.right
        return None

    def _annotated(self, node: ast.AnnAssign) -> None:
        declared = annotation(self.of, node.annotation)
        if node.value is not None:
            value = self.of(node.value)
            known = value if value.type is not None or declared is None else declared
            self.expressions.assign(node.target, known)
        elif declared is not None and isinstance(node.target, ast.Name):
            self.frame.bind(node.target.id, declared)

    def _return(self, node: ast.Return) -> None:
        value = self.of(node.value)
        if not self.frame.is_dead:
            self.frame.write(self.frame.function.result, value)

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
            self.expressions.attributes.bind_import(alias.asname or full, full, node)

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name != "*":  # what that brings is looked up when it is used
                dotted = f"{module}.{alias.name}" if node.module else f"{module}{alias.name}"
                self.expressions.attributes.bind_import(alias.asname or alias.name, dotted, node)

    # -- branches and loops ------------------------------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        ends: list[Variables] = []
        is_dead, is_settled, is_left = self.frame.is_dead, False, False
        while True:  # one ``elif`` after the other: some programs have hundreds of these
            holds = self._answer(node.test, self.of(node.test))
            before = self.frame.variables
            self.frame.variables = dict(before)
            narrowed(self.frame, self.of, node.test, holds=True)
            self.frame.is_dead = is_dead or is_settled or holds is False
            self.block(node.body)
            is_left |= holds is True and not is_settled and isinstance(node.body[-1], ast.Return | ast.Raise)
            if not leaves(node.body) and holds is not False and not is_settled:
                ends.append(self.frame.variables)
            is_settled |= holds is True
            self.frame.variables = dict(before)
            narrowed(self.frame, self.of, node.test, holds=False)
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
                break
            node = node.orelse[0]
        self.frame.is_dead = is_dead or is_settled
        self.block(node.orelse)
        self.frame.is_dead = is_dead or is_left
        if ends and (is_settled or leaves(node.orelse)):
            self.frame.variables = ends.pop()
        for end in reversed(ends):
            met_here = met_behind(end, self.frame.variables)
            for name in self.frame.moved_again & met_here.keys():  # moved or not, it is of one kind
                sides = [v for v in (end.get(name), self.frame.variables.get(name)) if v is not None]
                if met_here[name].is_unknown and any(side.type == types.TENSOR for side in sides):
                    tensor = next(side for side in sides if side.type == types.TENSOR)
                    met_here[name] = tensor._replace(device=Device.EITHER)
                elif {side.device for side in sides} == {Device.HOST, Device.EITHER}:  # moved under the same condition
                    met_here[name] = next((s for s in sides if s.because == FETCHED), met_here[name])
            self.frame.variables = met_here

    def _answer(self, test: ast.expr, value: Value) -> bool | None:
        """What a condition says of a name in a pass through names, in one call; or of the version of torch on XLA."""
        is_one = bool(self.frame.turn) or self.frame.apart is not None
        if is_one and is_plain(test) and (known := truth(value)) is not None:
            return known
        facts = self.frame.around.facts(self.frame.function.file)
        if facts is None or not facts.once("__version__", lambda: "__version__" in facts.module.text):
            return None
        return torch_versions.answer(facts.names, test)

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        source, gone_through = self.of(node.iter), self.expressions.calls.applying.gone_through
        if of_names := names.gone_through(self.frame, source, node.body):
            for name in names.passes(self.frame, of_names, [node.target, *node.body]):
                self.expressions.assign(node.target, name)
                self.block(node.body)
            self.block(node.orelse)
            return
        self._loop(
            node,
            lambda: self.expressions.assign(
                node.target,
                taken_from(source, gone_through(source, node.iter.lineno, node), at(self.frame, node)),
            ),
        )

    def _while(self, node: ast.While) -> None:
        self._loop(node, lambda: self._evaluate(node.test))

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, begin: Callable[[], None]) -> None:
        mark, is_dead = len(self.frame.events), self.frame.is_dead
        for number in range(_PASSES):
            del self.frame.events[mark:]
            if number:
                carry(self.frame, node)
            before = self.frame.variables
            self.frame.variables = dict(before)
            begin()
            self.block(node.body)
            after = met_behind(before, self.frame.variables)
            behind_pass(before, self.frame.variables, after)
            self.frame.variables = after
            if after == before:
                break
        self.frame.is_dead = is_dead
        self.block(node.orelse)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        before, is_gradless = self.frame.devices, self.frame.is_gradless
        mark = len(self.frame.later)
        for item in node.items:
            value = self.of(item.context_expr)
            self.frame.devices += value.type == types.DEVICE
            switch(self.frame, item.context_expr)
            entered = self._entered(value, item.context_expr)
            if item.optional_vars is not None:
                self.expressions.assign(item.optional_vars, entered)
            method = value.type.method("__exit__") if isinstance(value.type, Class) else None
            self.frame.later += [(Value(refers=Bound(method, value)), item.context_expr)] if method is not None else []
        self.block(node.body)
        self.expressions.calls.applying.run_later(mark)
        self.frame.devices, self.frame.is_gradless = before, is_gradless

    def _entered(self, value: Value, at: ast.AST) -> Value:
        """What ``with … as x`` gives: what ``__enter__`` returns, what a generator yields, or the thing itself."""
        if isinstance(value.type, Class):
            method = value.type.method("__enter__")
            apply = self.expressions.calls.applying.apply
            return apply(method, [value], {}, None, at) if method is not None else value
        self.expressions.calls.applying.go_on(value, at)
        if value.type is None and value.element is not None:
            return each(value)
        return value if value.type in (types.LOADER, types.DEVICE_LOADER, types.STACK) else UNKNOWN

    def _try(self, node: Any) -> None:
        before, is_dead = dict(self.frame.variables), self.frame.is_dead
        self.block(node.body)
        self.block(node.orelse)
        self.frame.is_dead = is_dead
        after = self.frame.variables
        for handler in node.handlers:
            self.frame.variables = met_behind(before, after)
            if handler.type is not None:
                self.of(handler.type)
            self.block(handler.body)
            if not leaves(handler.body):
                after = met_behind(after, self.frame.variables)
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
            if not leaves(case.body):
                after = met_behind(after, self.frame.variables)
        self.frame.variables = after

    # -- definitions -------------------------------------------------------------------------------------

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        function = self.define(node, None)
        self.frame.bind(node.name, self.declarations.decorated(node, Value(refers=function)))

    def define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: Class | None) -> Function:
        """The function of a definition; its decorators and defaults are evaluated here."""
        around = self.frame.function
        function = self.frame.around.function(node, owner, around)
        self.expressions.all_of(node.decorator_list)
        self.expressions.all_of([*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)])
        called = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
        function.decorators = frozenset(last_name(d) or "" for d in called)
        return function

    def _class(self, node: ast.ClassDef) -> None:
        self.frame.bind(node.name, self._defined(node))

    def _defined(self, node: ast.ClassDef) -> Value:
        """A class, with what its body says."""
        kind = self.frame.around.class_of(node, self.frame.function.file)
        kind.derive(tuple(self.of(base) for base in node.bases))
        self.expressions.all_of(node.decorator_list)
        around, self.frame.variables = self.frame.variables, dict(self.frame.variables)
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                method = self.define(statement, kind)
                of_name = kind.setters if "setter" in method.decorators else kind.methods
                of_name[statement.name] = method
                self.declarations.decorated(statement, Value(refers=method))
            elif isinstance(statement, ast.ClassDef):
                inner = self.frame.variables[statement.name] = self._defined(statement)
                self.frame.write(kind.attribute(statement.name), inner)
            elif isinstance(statement, ast.Assign):
                value = self.of(statement.value)
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        self.frame.variables[target.id] = value
                        self.frame.write(kind.attribute(target.id), value)
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                declared = annotation(self.of, statement.annotation)
                value = self.of(statement.value) if statement.value is not None else declared or UNKNOWN
                places = value.places | self.declarations.literals(statement.annotation)
                declared = self.declarations.of_field(declared, value)
                if places or (not value.is_unknown and (statement.value is not None or declared is not None)):
                    found = (declared or value).or_at(places)
                    self.frame.variables[statement.target.id] = found
                    self.frame.write(kind.attribute(statement.target.id), found)
            else:
                self.block([statement])
        self.frame.variables = around
        if PENDING in kind.bases:  # who made one now would miss what it inherits, and nothing would run him again
            return PENDING
        return self.declarations.decorated(node, Value(refers=kind))


def _moves(node: ast.expr, name: str) -> bool:
    """Whether a name gets itself moved: ``data = data.cuda()``."""
    func = node.func if isinstance(node, ast.Call) else None
    moved = func.value if isinstance(func, ast.Attribute) and func.attr in vocabulary.MOVING_METHODS else None
    return isinstance(moved, ast.Name) and moved.id == name


def _names(value: ast.expr, target: ast.expr) -> bool:
    """Whether a value is made of what its target was."""
    path = path_of(target)
    return path is not None and any(isinstance(part, ast.expr) and path_of(part) == path for part in ast.walk(value))


_KINDS: dict[type[ast.AST], Callable[[Statements, Any], None]] = {
    ast.Assign: Statements._assign,
    ast.AugAssign: Statements._augment,
    ast.AnnAssign: Statements._annotated,
    ast.Expr: lambda here, node: here._evaluate(node.value),
    ast.Return: Statements._return,
    ast.If: Statements._if,
    ast.For: Statements._for,
    ast.AsyncFor: Statements._for,
    ast.While: Statements._while,
    ast.With: Statements._with,
    ast.AsyncWith: Statements._with,
    ast.Try: Statements._try,
    ast.FunctionDef: Statements._function,
    ast.AsyncFunctionDef: Statements._function,
    ast.ClassDef: Statements._class,
    ast.Import: Statements._import,
    ast.ImportFrom: Statements._import_from,
    ast.Raise: Statements._raise,
    ast.Assert: Statements._assert,
    ast.Delete: Statements._delete,
    ast.Match: Statements._match,
}
if hasattr(ast, "TryStar"):
    _KINDS[ast.TryStar] = Statements._try
