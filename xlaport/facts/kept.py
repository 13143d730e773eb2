"""What an object keeps from step to step, or a function around: what is set back, and numbers in tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.value import Turn
from xlaport.facts.change import Cause, Change
from xlaport.facts.literals import integer
from xlaport.facts.role import Role
from xlaport.facts.roles import dotted
from xlaport.facts.step_code import StepCode


class Kept:
    """Answers for the attributes of a file, and for the names that functions within bind: ``nonlocal``, ``global``."""

    def __init__(self, code: StepCode) -> None:
        self.module = code.module
        self.names = code.names
        self.roles = code.roles
        self.code = code

    def is_of_a_function_around(self, name: ast.expr) -> bool:
        """Whether a name is a variable of a function around, or of the module, and outlives the call."""
        home = self.names.home(name) if isinstance(name, ast.Name) else None
        inside = self.module.function(name)
        return home is not None and inside is not None and home.node not in (inside, *self._within(name, inside))

    def _within(self, name: ast.AST, function: ast.AST) -> list[ast.AST]:
        around = list(self.module.ancestors(name))
        return around[: around.index(function)]

    def is_set_back(self, kept: ast.Attribute | ast.Name, by: Turn) -> bool:
        """Whether each step gives what goes on another value, too, whatever it was, or cuts it; not what `by` gives."""
        path = dotted(kept)
        for target in self._uses(kept):
            statement = self.module.statement(target)
            value = statement.value if isinstance(statement, ast.Assign) else None
            if value is None or isinstance(target.ctx, ast.Load) or not self.code.with_steps(target):
                continue
            parts = [n for n in ast.walk(value) if isinstance(n, ast.Attribute | ast.Name) and dotted(n) == path]
            is_cut = any(isinstance(self.module.parents[part], ast.Subscript) for part in parts)
            known = self.code.structure.value(self.code.facts, value)
            goes_on = known is not None and by in known.turns
            if not goes_on and (is_cut or (not parts and self._is_on_every_way(statement))):
                return True
        return False

    def _is_on_every_way(self, statement: ast.stmt) -> bool:
        parent = self.module.parents[statement]
        return isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef) or (
            isinstance(parent, ast.For | ast.While) and self.code.counts_steps(parent)
        )

    # -- tensors that hold one number ------------------------------------------------------------------

    def read(self, node: ast.Call) -> Change | None:
        """``int(self.place)``, ``self.place.item()`` of a tensor that some code of the step writes to."""
        func = node.func
        value: ast.expr | None = None
        if isinstance(func, ast.Attribute) and func.attr == "item":
            value = func.value
        elif self.names.resolve(func) in ("builtins.int", "builtins.float") and node.args:
            value = node.args[0]
        place: int | None = None
        if isinstance(value, ast.Subscript):
            place = integer(value.slice)
            value = value.value
        if not isinstance(value, ast.Attribute) or not self.roles.is_(value, Role.TENSOR):
            return None
        path = dotted(value)
        for use in self._uses(value) if path is not None else ():
            if self._is_written(use) and not self._is_another(use, place) and self.code.with_steps(use):
                return Change(path or "", Cause.ADVANCES, self.code.facts, self.module.statement(use), is_tensor=True)
        return None

    def _is_written(self, use: ast.Attribute | ast.Name) -> bool:
        """``self.place[0] = place``, ``self.place += 1``, ``self.place.add_(1)``."""
        parent = self.module.parents[use]
        if isinstance(parent, ast.Subscript) and parent.value is use:
            statement = self.module.statement(parent)
            constant = isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
            return not isinstance(parent.ctx, ast.Load) and not constant
        if isinstance(parent, ast.Attribute) and parent.attr in ("add_", "copy_", "fill_"):
            call = self.module.parents[parent]
            return isinstance(call, ast.Call) and call.func is parent
        return isinstance(parent, ast.AugAssign) and parent.target is use

    def _is_another(self, use: ast.Attribute | ast.Name, place: int | None) -> bool:
        """Whether one number of several is written, and another one is read: ``self.params[2]`` beside ``[0]``."""
        parent = self.module.parents[use]
        written = integer(parent.slice) if isinstance(parent, ast.Subscript) and parent.value is use else None
        return place is not None and written is not None and written != place and (written < 0) is (place < 0)

    def _uses(self, node: ast.Attribute | ast.Name) -> Iterator[ast.Attribute | ast.Name]:
        """The places that name the same attribute of the same object, or the same variable."""
        if isinstance(node, ast.Name):
            home = self.names.home(node)
            yield from self.names.uses(home, node.id) if home is not None else ()
            yield from (b.node for b in self.names.bindings(node) if isinstance(b.node, ast.Name))
            return
        owner = self.roles.instance_class(node.value)
        path, here = dotted(node), self.module.function(node)
        for other in self.code.attributes.get(node.attr, ()):
            if owner is not None:
                if self.roles.instance_class(other.value) is owner:
                    yield other
            elif dotted(other) == path and self.module.function(other) is here:
                yield other
