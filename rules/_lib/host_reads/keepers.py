"""What becomes of a dict of numbers that code of the project is given: ``logger.push(metrics)``.

The dict may hold tensors where all code that gets it, by a parameter, a name, an attribute or a further call, does
nothing in each step but to add its values up, or to keep them. What it does with them in some steps only needs numbers:
there they are read, one by one.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import Binding
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, roles_of
from xlaport.facts.structure import Class

from . import records
from .containers import is_zero
from .in_sight import InSight
from .kept_shapes import Shape, call_of, is_len, is_new, is_number, key_of
from .meters import is_shown
from .refused import Refused

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_OF_KEYS = frozenset(f"builtins.{name}" for name in ("sorted", "list", "tuple", "set", "len", "iter"))
_COPYING = frozenset({"builtins.dict", "copy.copy"})
_COMPUTING = ("numpy.", "statistics.", "math.", "torch.")


@dataclass(frozen=True)
class Keeping:
    """What code of the project does with a dict that it is given."""

    reads: tuple[tuple[ast.expr, Shape], ...]
    """The expressions of this file that need numbers, in some steps."""
    starts: tuple[tuple[ast.expr, ast.expr], ...]
    """The zeros of this file with which sums begin, each with what is added right behind it."""
    given: tuple[tuple[Facts, ast.expr], ...]
    """What calls of that code pass, with this call."""


def keeping(context: Context, node: ast.expr) -> Keeping | Refused | None:
    """What becomes of a dict of numbers that code of the project is given where it stands; or why it cannot wait."""
    parent = context.module.parents[node]
    call = context.module.parents[parent] if isinstance(parent, ast.keyword) and parent.arg is not None else parent
    if not isinstance(call, ast.Call) or call.func is node or not context.loops.run_by(call):
        return None

    def found() -> Keeping | Refused:
        try:
            return _Following(context).follow(call, node)
        except Refused as refused:
            return refused

    return context.view.own.once(("keeping", node), found)


class _Following(InSight):
    """Follows the values of a dict through the code of the project."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.reads: list[tuple[ast.expr, Shape]] = []
        self.given: list[tuple[Facts, ast.expr]] = []
        self.todo: list[tuple[Context, ast.expr, Shape]] = []
        self.seen: set[ast.expr] = set()
        self.bound: set[ast.AST] = set()
        self.parameters: dict[tuple[FunctionNode, str], Shape] = {}
        self.attributes: dict[str, tuple[Class, Shape]] = {}
        self.begun: list[tuple[Context, ast.expr, Shape]] = []
        """What containers begin as."""
        self.others: list[tuple[Context, Binding, ast.expr]] = []
        """What else a name may hold that holds a value."""
        self.operands: list[tuple[Context, ast.expr]] = []
        """What values are computed with."""
        self.aliases: dict[str, str] = {}
        self.kept: set[tuple[str, str]] = set()
        """The attributes that are given a tensor as it is, and what has it, too."""
        self.changed: set[str] = set()
        self.zeros: list[ast.expr] = []

    def follow(self, call: ast.Call, node: ast.expr) -> Keeping:
        """Run to the end. Raises `Refused`."""
        self._give(self.context, call, node, "d")
        while self.todo:
            context, use, shape = self.todo.pop()
            if use not in self.seen:
                self.seen.add(use)
                (self._several(context, use, shape) if shape else self._value(context, use))
        for context, binding, use in self.others:
            if binding.node not in self.bound and not is_number(context, binding.given):
                raise self.refused("may get something else there", context, use)
        for context, value, shape in self.begun:
            if value not in self.seen and not is_new(context, value, shape):
                raise self.refused("gives it something else than a new object", context, value)
        for context, operand in self.operands:
            if not self._is_plain(context, operand):
                raise self.refused("computes with something else than numbers", context, operand)
        if any(self.changed & {self._origin(source), target} for source, target in self.kept):
            raise Refused("two names for what it holds, which is changed in place")
        given = [(facts, argument) for facts, argument in self.given if argument not in self.seen]
        starts = ((zero, added) for zero in self.zeros if (added := self._added(zero)) is not None)
        return Keeping(tuple(self.reads), tuple(starts), tuple(given))

    # -- where it gets to ------------------------------------------------------------------------------

    def _give(self, context: Context, call: ast.Call, node: ast.expr, shape: Shape) -> None:
        """A function of the project gets it for a parameter."""
        functions = context.loops.run_by(call)
        if len(functions) != 1:
            raise self.refused("what calls it may call the method of another class", context, node)
        function = functions[0]
        parameter = self.structure.parameter_of(call, function, node)
        if parameter is None:
            raise self.refused("it is not clear what becomes of it", context, node)
        known = self.parameters.setdefault((function.node, parameter), shape)
        if known != shape:
            raise self.refused("it is not clear what becomes of it", context, node)
        if any(argument is node for _, argument in self.given):
            return
        there = context.of(function.facts)
        self.check_function(there, function)
        for site in self.structure.calls_to(function):
            argument = self.structure.argument_for(site, function, parameter)
            if argument is None:
                raise self.refused("other calls give it something else", context, node)
            self.given.append((site.facts, argument))
        scope = there.names.scope_of(function.node)
        bindings = scope.bindings.get(parameter, []) if scope is not None else []
        place = next((b.node for b in bindings if isinstance(b.node, ast.arg)), None)
        if scope is None or place is None:
            raise self.refused("it is not clear what becomes of it", context, node)
        self._bind(there, place, bindings, there.names.uses(scope, parameter), shape)

    def _bind(
        self,
        context: Context,
        place: ast.AST,
        bindings: Sequence[Binding],
        uses: Sequence[ast.Name],
        shape: Shape,
    ) -> None:
        """A variable of a function gets it."""
        self.bound.add(place)
        if any(binding.elsewhere for binding in bindings):
            raise self.refused("another function may change it", context, place)
        for use in uses:
            reaching = context.names.reaching(use)
            if any(binding.node is place for binding in reaching):
                self.others += [(context, binding, use) for binding in reaching if binding.node is not place]
                self.todo.append((context, use, shape))

    def _name(self, context: Context, target: ast.expr, shape: Shape) -> None:
        home = context.names.home(target) if isinstance(target, ast.Name) else None
        if not isinstance(target, ast.Name) or home is None or home.parent is None:
            raise self.refused("keeps it where it cannot be followed", context, target)
        bindings, uses = home.bindings[target.id], context.names.uses(home, target.id)
        self._bind(context, target, bindings, uses, shape)

    def _attribute(self, context: Context, target: ast.Attribute, shape: Shape) -> None:
        """Objects of a class hold it: all uses of the attribute get it."""
        owner = self.class_of(context, target)
        if owner is None:
            raise self.refused("keeps it where it cannot be followed", context, target)
        known = self.attributes.get(target.attr)
        if known is not None:
            if known[1] != shape or not self.structure.is_related(known[0], owner):
                raise self.refused("keeps it where it cannot be followed", context, target)
            return
        self.attributes[target.attr] = owner, shape
        if self.structure.of_libraries(owner):
            raise self.refused("what it holds goes through a class that cannot be seen", context, target)
        self.check_object(owner)
        for facts in self.structure.files_with(owner, target.attr):
            there = context.of(facts)
            for use in facts.module.attributes[target.attr]:
                instance = self.structure.instance_of(facts, use.value)
                if instance is None and (roles_of(facts).role(use.value) or facts.names.resolve(use)):
                    continue
                if instance is not None and not self.structure.is_related(instance, owner):
                    continue
                if self.class_of(there, use) is None:
                    raise self.refused("looks into it", there, use)
                if isinstance(use.ctx, ast.Load):
                    self.todo.append((there, use, shape))
                else:
                    self._set(there, use, shape)

    # -- what is done with it --------------------------------------------------------------------------

    def _several(self, context: Context, node: ast.expr, shape: Shape) -> None:
        """A use of what holds values."""
        parent = context.module.parents[node]
        outer = context.module.parents[parent]
        match parent:
            case ast.Subscript() if parent.value is node:
                if isinstance(parent.ctx, ast.Load):
                    is_slice = isinstance(parent.slice, ast.Slice)
                    self.todo.append((context, parent, shape if is_slice else shape[1:]))
                elif not isinstance(node, ast.Attribute):
                    raise self.refused("changes it as well", context, node)
                else:
                    self._set(context, parent, shape[1:])
            case ast.Attribute() if isinstance(outer, ast.Call) and outer.func is parent:
                self._method(context, node, parent.attr, outer, shape)
            case ast.Call() if context.resolve(parent.func) in _OF_KEYS and (shape[0] == "d" or is_len(parent)):
                pass
            case ast.Call() if context.resolve(parent.func) in _COPYING and len(parent.args) == 1:
                self.todo.append((context, parent, shape))
            case ast.Call() | ast.keyword() if (call := call_of(context, parent)) and context.loops.run_by(call):
                self._give(context, call, node, shape)
            case ast.Assign() | ast.AnnAssign():
                self._store(context, parent, node, shape)
            case ast.For() | ast.comprehension() if shape[0] == "l" and parent.iter is node:
                self._iterate(context, parent.target, node, shape)
            case _ if not records.is_free(context, node):
                self._read(context, node, shape)

    def _set(self, context: Context, target: ast.Attribute | ast.Subscript, shape: Shape) -> None:
        """A place for a value is given something: a number, or another value; one for several, a new container."""
        statement = context.module.parents[target]
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            self._put(context, statement.value, shape)
            if context is self.context and is_zero(statement.value):
                self.zeros.append(statement.value)
        elif isinstance(statement, ast.AugAssign) and not shape:
            self.operands.append((context, statement.value))
            self.changed.add(key_of(target))
        elif not isinstance(target.ctx, ast.Del):
            raise self.refused("gives it something else", context, target)

    def _put(self, context: Context, value: ast.expr, shape: Shape) -> None:
        if shape:
            self.begun.append((context, value, shape))
        else:
            self.operands.append((context, value))

    def _method(self, context: Context, node: ast.expr, method: str, call: ast.Call, shape: Shape) -> None:
        is_own, is_dict = not isinstance(node, ast.Name), shape[0] == "d"
        is_alone = isinstance(context.module.parents[call], ast.Expr)
        if method in ("items", "values") and is_dict:
            around: ast.AST = context.module.parents[call]
            given: ast.expr = call
            if isinstance(around, ast.Call) and context.resolve(around.func) in _OF_KEYS and around.args == [call]:
                given, around = around, context.module.parents[around]
            if not isinstance(around, ast.For | ast.comprehension) or around.iter is not given:
                self._read(context, node, shape)
                return
            is_pair = isinstance(around.target, ast.Tuple) and len(around.target.elts) == 2
            pair = around.target.elts if isinstance(around.target, ast.Tuple) and is_pair else []
            self._iterate(context, pair[1] if pair and method == "items" else around.target, node, shape)
        elif (method == "get" and is_dict) or (method in ("pop", "setdefault") and is_own and not is_alone):
            self.todo.append((context, call, shape[1:]))
            for default in call.args[1:]:
                self._put(context, default, shape[1:])
        elif method == "copy":
            self.todo.append((context, call, shape))
        elif not (method == "keys" and is_dict) and not (is_own and method in ("clear", "pop", "popleft") and is_alone):
            if not (is_own and method == "append" and shape == "l" and len(call.args) == 1):
                raise self.refused("may change it", context, node)
            self.operands.append((context, call.args[0]))

    def _iterate(self, context: Context, target: ast.expr, node: ast.expr, shape: Shape) -> None:
        """``for key, value in metrics.items()``."""
        self.aliases[getattr(target, "id", "")] = key_of(node)
        self._name(context, target, shape[1:])

    def _value(self, context: Context, node: ast.expr) -> None:
        """A use of one value."""
        if _is_seldom(context, node):
            self._read(context, node, "")
            return
        whole, parent = node, context.module.parents[node]
        while isinstance(parent, ast.BinOp) and isinstance(parent.op, _ARITHMETIC):
            self.operands.append((context, parent.right if parent.left is whole else parent.left))
            whole, parent = parent, context.module.parents[parent]
        match parent:
            case ast.Expr():
                pass
            case ast.Assign() | ast.AnnAssign():
                self._store(context, parent, whole, "")
            case ast.AugAssign() if isinstance(parent.op, _ARITHMETIC) and parent.value is whole:
                self._store(context, parent, whole, "")
            case ast.Call(func=ast.Attribute(attr="append", value=holder)) if not context.loops.run_by(parent):
                self._hold(context, holder, whole, "l")
            case ast.Call() | ast.keyword() if (call := call_of(context, parent)) and context.loops.run_by(call):
                self._give(context, call, whole, "")
            case _:
                raise self.refused("needs it in every pass", context, node)

    def _store(
        self, context: Context, statement: ast.Assign | ast.AnnAssign | ast.AugAssign, value: ast.expr, shape: Shape
    ) -> None:
        is_added = isinstance(statement, ast.AugAssign)
        for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
            if isinstance(target, ast.Name) and not is_added:
                if not isinstance(value, ast.BinOp):
                    self.aliases[target.id] = key_of(value)
                self._name(context, target, shape)
            elif isinstance(target, ast.Subscript):
                self._hold(context, target.value, value, f"d{shape}", is_added=is_added)
            else:
                self._hold(context, target, value, shape, is_added=is_added)

    def _hold(
        self, context: Context, holder: ast.expr, value: ast.expr, shape: Shape, *, is_added: bool = False
    ) -> None:
        """An attribute, or a list in one, gets it."""
        if isinstance(holder, ast.Call) and isinstance(holder.func, ast.Attribute) and holder.func.attr == "setdefault":
            holder, shape = holder.func.value, f"d{shape}"
        elif isinstance(holder, ast.Subscript) and shape == "l":
            holder, shape = holder.value, "dl"
        if not isinstance(holder, ast.Attribute) or shape not in ("", "l", "d", "dl"):
            raise self.refused("keeps it where it cannot be followed", context, holder)
        self._attribute(context, holder, shape)
        if not is_added and not isinstance(value, ast.BinOp):
            self.kept.add((key_of(value), key_of(holder)))

    def _added(self, zero: ast.expr) -> ast.expr | None:
        """What is added to a sum behind the statement in which it begins, where a value is added as it is."""
        module = self.context.module
        start = module.statement(zero)
        function = module.function(start)
        for statement in module.that_run(function.body, ast.AugAssign) if function is not None else ():
            block = module.block(statement)
            place = module.place_in(block, start)
            if place is None or statement.value not in self.seen or not isinstance(start, ast.Assign):
                continue
            between = block[place : block.index(statement)]
            if between and ast.dump(start.targets[0]) == ast.dump(statement.target):
                return statement.value if _binds_nothing(between) else None
        return None

    # -- where it is read ------------------------------------------------------------------------------

    def _read(self, context: Context, node: ast.expr, shape: Shape) -> None:
        """Numbers are needed in some steps."""
        if not _is_seldom(context, node):
            raise self.refused("needs it in every pass", context, node)
        call = context.module.parents[node]
        if isinstance(call, ast.Call) and context.resolve(call.func) == "builtins.float" and call.args == [node]:
            return
        if context is not self.context:
            if not shape and is_shown(context.view.own, node):
                return
            raise Refused("another file uses it")
        if shape == "dl":
            raise Refused("hands it on", node)
        called = (context.resolve(call.func) or "") if isinstance(call, ast.Call) else ""
        if shape and not (shape == "l" and called.startswith(_COMPUTING)):
            records.check_whole(context, node, is_last=False)
        if not context.editable(node):
            raise Refused("uses it in an f-string that cannot be edited", node)
        self.reads.append((node, shape))

    def _is_plain(self, context: Context, operand: ast.expr) -> bool:
        """Whether a value can be computed with something on the TPU: with a number, or another value."""
        if isinstance(operand, ast.BinOp):
            return self._is_plain(context, operand.left) and self._is_plain(context, operand.right)
        return operand in self.seen or is_number(context, operand) or context.roles.is_(operand, Role.NUMBER)

    def _origin(self, name: str) -> str:
        seen: set[str] = set()
        while name in self.aliases and name not in seen:
            seen.add(name)
            name = self.aliases[name]
        return name


def _binds_nothing(statements: Sequence[ast.stmt]) -> bool:
    return not any(isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load) for s in statements for n in ast.walk(s))


def _is_seldom(context: Context, node: ast.expr) -> bool:
    return not context.step_code.in_step(node) or context.step_code.is_now_and_then(node)
