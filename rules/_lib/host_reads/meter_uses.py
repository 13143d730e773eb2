"""The uses of an object that holds what it was given: which of them need the number, and how often they run."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.names import Binding, How

from .containers import Container
from .fillings import Filling
from .meters import Held, held, is_shown, shows_only
from .refused import Refused
from .tracked import Reading, Use, check_frequency

_SHOWING = frozenset({"builtins.print", "builtins.str"})


class Meter(Container):
    """An object of a class of the project that has a method for what it is given."""

    only_uses = True

    def __init__(self, context: Context, fillings: Sequence[Filling]) -> None:
        super().__init__(context, fillings)
        self.structure, self.own = context.flow.structure, context.view.own
        self.owner = self.structure.instance_of(self.own, self.fillings[0].before)
        whats = {self._held(filling) for filling in self.fillings}
        if len(whats) > 1:
            raise Refused("it is filled in different ways")
        self.what = whats.pop()

    def _held(self, filling: Filling) -> Held:
        """Where the object holds what a statement gives it. Raises `Refused`."""
        call = filling.statement.value if isinstance(filling.statement, ast.Expr) else None
        function = self.structure.run_by(self.own, call) if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and function is not None and self.owner is not None:
            parameter = self.structure.parameter_of(call, function, filling.addend.node)
            if parameter is not None:
                return held(self.context, self.owner, function, parameter)
        raise Refused("it is not clear what becomes of the value")

    def check_start(self, start: Binding) -> None:
        made = start.given.func if isinstance(start.given, ast.Call) else None
        if made is None or self.structure.class_named(self.own, made) != self.owner:
            raise Refused("gives it something else than a new object", start.node)

    def check_reading(self, reading: Reading) -> None:
        if self.kind is not Kind.FLOAT and not all(self.is_divided(use) for use in reading.uses):
            raise Refused("it counts, and what it gives is used as a whole number")

    def check_use(self, use: ast.Name) -> Use:
        parent = self.module.parents[use]
        if isinstance(parent, ast.Attribute):
            return self._attribute(parent, use)
        if is_shown(self.own, use):
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
        return Use.SHOWN if is_shown(self.own, value) else Use.READ

    def _handed(self, call: ast.Call, use: ast.Name) -> Use:
        """The object goes to other code of the project, which may show it. Raises `Refused`."""
        receiver = self.structure.class_named(self.own, call.func) or self.structure.run_by(self.own, call)
        if receiver is None or not shows_only(self.structure, receiver, self.what):
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
            check_frequency(self.context, [f.loop for f in self.fillings], other, home.node if home else None)
        return Use.FREE
