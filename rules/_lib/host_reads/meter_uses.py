"""The uses of an object that holds what it was given: which of them need the number, and how often they run."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.context import Context
from xlaport.facts.names import How

from .meters import Held, is_shown, shows_only
from .tracked import Filling, Refused, Use, Variable

_SHOWING = frozenset({"builtins.print", "builtins.str"})


class MeterUses:
    """Judges the uses of one object."""

    def __init__(self, context: Context, variable: Variable, fillings: Sequence[Filling], what: Held) -> None:
        self.context = context
        self.module = context.module
        self.variable = variable
        self.fillings = fillings
        self.what = what

    def check(self, use: ast.Name) -> Use:
        """What a use of the object does. Raises `Refused`."""
        parent = self.module.parents[use]
        if isinstance(parent, ast.Attribute):
            return self._attribute(parent, use)
        if is_shown(self.context.view.own, use):
            return Use.SHOWN
        call = self.module.parents[parent] if isinstance(parent, ast.List | ast.Tuple | ast.keyword) else parent
        if isinstance(call, ast.Call) and call.func is not use:
            if self.context.resolve(call.func) in _SHOWING:
                return Use.SHOWN
            return self._handed(call, use)
        raise Refused("hands it on", use)

    def is_divided(self, use: ast.Name) -> bool:
        """Whether a float is made of what the object gives: ``correct.sum / len(data)``, ``100.0 * correct.avg``."""
        node: ast.AST = self.module.parents[use]
        call = self.module.parents[node]
        node = call if isinstance(call, ast.Call) and call.func is node else node
        while isinstance(parent := self.module.parents[node], ast.BinOp):
            other = parent.right if parent.left is node else parent.left
            if isinstance(parent.op, ast.Div) or (isinstance(other, ast.Constant) and isinstance(other.value, float)):
                return True
            node = parent
        return False

    def _attribute(self, attribute: ast.Attribute, use: ast.Name) -> Use:
        if not isinstance(attribute.ctx, ast.Load):
            raise Refused("changes it as well", use)
        call = self.module.parents[attribute]
        is_called = isinstance(call, ast.Call) and call.func is attribute
        if attribute.attr not in (self.what.methods if is_called else self.what.attributes):
            if attribute.attr == "__dict__":
                raise Refused("looks into it", use)
            return Use.FREE
        value = call if isinstance(call, ast.Call) and is_called else attribute
        return Use.SHOWN if is_shown(self.context.view.own, value) else Use.READ

    def _handed(self, call: ast.Call, use: ast.Name) -> Use:
        """The object goes to other code of the project, which may show it. Raises `Refused`."""
        structure, own = self.context.flow.structure, self.context.view.own
        receiver = structure.class_named(own, call.func) or structure.run_by(own, call)
        if receiver is None or not shows_only(structure, receiver, self.what):
            raise Refused("hands it on to code that may do anything with it", use)
        statement = self.module.parents[call]
        if isinstance(statement, ast.Expr):
            return Use.SHOWN
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Name) or [b.how for b in self.context.names.bindings(target)] != [How.ASSIGN]:
            raise Refused("hands it on", use)
        home = self.context.names.home(target)
        for other in self.context.names.uses(home, target.id) if home is not None else ():
            if not isinstance(self.module.parents[other], ast.Attribute):
                raise Refused("hands it on", other)
            self.variable.check_frequency(self.fillings, other)
        return Use.FREE
