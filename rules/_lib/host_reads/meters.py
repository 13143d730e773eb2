"""Classes like ``AverageMeter``: what becomes of a value that one of their methods is given.

An object of such a class can hold values of the device where the class does nothing with them but arithmetic, and
shows them in texts whose format asks a tensor for its number (``{:.3f}``, ``%.3f``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, roles_of
from xlaport.facts.structure import Class, Function, Structure

from .refused import Refused

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_READING = frozenset(f"builtins.{name}" for name in ("float", "int", "bool"))
"""What makes a number of a tensor; `round()` takes none, and `max()` may give one."""


@dataclass(frozen=True)
class Held:
    """Where the objects of a class hold what they are given."""

    attributes: frozenset[str]
    """Attributes and properties that give it, or what was computed of it."""
    methods: frozenset[str]
    """Methods that return it."""


def held(context: Context, owner: Class, method: Function, parameter: str) -> Held:
    """Where a class holds what a method gets for a parameter. Raises `Refused` where it does more than hold it."""
    return _Following(context.flow.structure, owner, method, parameter).follow()


class _Following:
    """Follows a value through the methods of a class."""

    def __init__(self, structure: Structure, owner: Class, method: Function, parameter: str) -> None:
        self.structure = structure
        self.owner = owner
        self.given = method
        self.bases = structure.bases(owner)
        self.attributes: set[str] = set()
        self.methods: set[str] = set()
        self.names: set[tuple[FunctionNode, str]] = {(method.node, parameter)}
        self.changed: set[str] = set()
        """Attributes and names that are changed in place (``self.sum += …``)."""
        self.copied: set[tuple[str, str]] = set()
        """Attributes and names that are given what others hold, as it is."""

    def follow(self) -> Held:
        """Run to the end."""
        for base in self.bases:
            for node in base.node.bases:
                if self.structure.class_named(base.facts, node) is None and (
                    base.facts.names.resolve(node) != "builtins.object"
                ):
                    raise Refused("what it holds goes through a class that cannot be seen")
        while True:
            before = len(self.attributes) + len(self.methods) + len(self.names)
            for function in self._functions():
                self._function(function)
            if len(self.attributes) + len(self.methods) + len(self.names) == before:
                break
        for source, target in self.copied:
            if source in self.changed or target in self.changed:
                raise Refused("two names for what it holds, which is changed in place")
        return Held(frozenset(self.attributes), frozenset(self.methods))

    def _functions(self) -> Iterator[Function]:
        for base in self.bases:
            for statement in base.node.body:
                if isinstance(statement, FunctionNode):
                    yield Function(base.facts, statement)

    def _function(self, function: Function) -> None:
        facts = function.facts
        me = function.node.args.args[0].arg if function.node.args.args else None
        for node in ast.walk(function.node):
            if isinstance(node, ast.Name) and node.id == me:
                self._itself(facts, node)
            if isinstance(node, ast.AugAssign):
                self.changed.add(_name(node.target))
            if isinstance(node, ast.expr) and self._holds(function, node, me):
                self._flows(function, node)

    def _itself(self, facts: Facts, node: ast.Name) -> None:
        """Raises `Refused` where the object is handed on, or looked at from outside of its attributes."""
        parent = facts.module.parents[node]
        if isinstance(parent, ast.Attribute) and parent.attr == "__dict__":
            spread = facts.module.parents[parent]
            call = facts.module.parents[spread]
            if isinstance(spread, ast.keyword) and spread.arg is None and _is_format(facts, call):
                return
        elif isinstance(parent, ast.Attribute | ast.arguments | ast.Return):
            return
        raise Refused("the object does more than arithmetic with it")

    def _holds(self, function: Function, node: ast.expr, me: str | None) -> bool:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            return (function.node, node.id) in self.names
        if isinstance(node, ast.Call):
            node, wanted = node.func, self.methods
        else:
            wanted = self.attributes
        is_own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == me
        return isinstance(node, ast.Attribute) and is_own and isinstance(node.ctx, ast.Load) and node.attr in wanted

    def _flows(self, function: Function, node: ast.expr) -> None:
        """Where an expression goes that holds the value."""
        facts = function.facts
        parent = facts.module.parents[node]
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, _ARITHMETIC):
            self._flows(function, parent)
        elif isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
            self._flows(function, parent)
        elif isinstance(parent, ast.IfExp) and parent.test is not node:
            self._flows(function, parent)
        elif isinstance(parent, ast.Assign | ast.AnnAssign | ast.AugAssign) and parent.value is node:
            for target in parent.targets if isinstance(parent, ast.Assign) else [parent.target]:
                self._stored(function, target, node, isinstance(parent, ast.AugAssign))
        elif isinstance(parent, ast.Return):
            self._returned(function)
        elif not is_shown(facts, node) and not self._is_read(function, node):
            raise Refused(f"{self.owner.node.name}.{function.node.name}() does more than arithmetic with it")

    def _stored(self, function: Function, target: ast.expr, value: ast.expr, is_added: bool) -> None:
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            self.attributes.add(target.attr)
        elif isinstance(target, ast.Name):
            self.names.add((function.node, target.id))
        else:
            raise Refused(f"{self.owner.node.name}.{function.node.name}() keeps it where it cannot be followed")
        if isinstance(value, ast.Name | ast.Attribute) and not is_added:
            self.copied.add((_name(value), _name(target)))

    def _returned(self, function: Function) -> None:
        resolve = function.facts.names.resolve
        if any(resolve(d) == "builtins.property" for d in function.node.decorator_list):
            self.attributes.add(function.node.name)
        elif function.node.name.startswith("__"):
            raise Refused(f"{self.owner.node.name}.{function.node.name}() returns it")
        else:
            self.methods.add(function.node.name)

    def _is_read(self, function: Function, node: ast.expr) -> bool:
        """Whether a method that no step calls makes a number of it."""
        if function.node is self.given.node:
            return False
        call = function.facts.module.parents[node]
        if isinstance(call, ast.List):
            call = function.facts.module.parents[call]
            return isinstance(call, ast.Call) and function.facts.names.resolve(call.func) == "torch.tensor"
        return (
            isinstance(call, ast.Call) and call.func is not node and function.facts.names.resolve(call.func) in _READING
        )


def is_shown(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression stands in a text that asks a tensor for its number: not for its ``repr``."""
    parent = facts.module.parents[node]
    if isinstance(parent, ast.FormattedValue):
        return parent.conversion == -1
    if isinstance(parent, ast.keyword):
        parent = facts.module.parents[parent]
    if _is_format(facts, parent):
        return True
    values = parent
    if isinstance(values, ast.Tuple):
        parent = facts.module.parents[values]
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod) and parent.right in (node, values):
        index = values.elts.index(node) if isinstance(values, ast.Tuple) else 0
        return _is_numeric(parent.left, index)
    return False


def _is_numeric(text: ast.expr, index: int) -> bool:
    """Whether a ``%`` format wants a number at a place: ``%.3f``, not ``%s``."""
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return False
    kinds = [kind for kind in re.findall(r"%[-+ #0-9.]*([a-zA-Z%])", text.value) if kind != "%"]
    return "*" not in text.value and index < len(kinds) and kinds[index] in "dieEfFgG"


def _is_format(facts: Facts, call: ast.AST) -> bool:
    """``"{:.3f}".format(…)``."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "format":
        return False
    text = call.func.value
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        return not any(f"!{kind}" in text.value for kind in "sra")
    return isinstance(text, ast.JoinedStr) or roles_of(facts).role(text) is Role.TEXT


def _name(node: ast.expr) -> str:
    return f".{node.attr}" if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def shows_only(structure: Structure, receiver: Class | Function, what: Held) -> bool:
    """Whether code that gets an object shows what it holds, if anything, and does not look into it otherwise."""
    functions: list[Function] = []
    if isinstance(receiver, Function):
        functions.append(receiver)
    else:
        for base in structure.bases(receiver):
            functions += [Function(base.facts, s) for s in base.node.body if isinstance(s, FunctionNode)]
    for function in functions:
        facts = function.facts
        for node in ast.walk(function.node):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                call = facts.module.parents[node]
                is_called = isinstance(call, ast.Call) and call.func is node
                if node.attr == "__dict__":
                    return False
                if node.attr in (what.methods if is_called else what.attributes):
                    if not is_shown(facts, call if isinstance(call, ast.Call) and is_called else node):
                        return False
            if isinstance(node, ast.Call) and facts.names.resolve(node.func) in ("builtins.vars", "builtins.getattr"):
                return False
    return True
