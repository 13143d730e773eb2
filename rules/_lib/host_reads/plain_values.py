"""Numbers and texts, which nothing changes in place: what a closure can be handed as it is."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.names import Binding, How
from xlaport.facts.options import holds_plain_value
from xlaport.facts.origins import Origins
from xlaport.facts.passed import passed
from xlaport.facts.roles import Role

_COUNTING = frozenset(f"builtins.{name}" for name in ("float", "int", "bool", "round", "abs", "str", "len", "format"))
"""What gives a number or a text, whatever it gets."""
_CHOOSING = frozenset({"builtins.min", "builtins.max"})
PURE = _COUNTING | _CHOOSING | {"builtins.dict"}
VALUES = (Role.NUMBER, Role.TEXT)
_MAX_DEPTH = 3


class PlainValues:
    """Tells them by what they are made of, and by what is done with them."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def shows(self, use: ast.expr) -> bool:
        """Whether a use shows that there is a number: ``if x > 3``, ``x % 10``, ``range(x)``."""
        if self.is_one(use):
            return True
        parents = self.context.module.parents
        parent = parents[use]
        if isinstance(parent, ast.BinOp):
            return isinstance(parent.op, ast.Mod | ast.FloorDiv) and parent.left is use
        if isinstance(parent, ast.Call):
            return self.context.resolve(parent.func) == "builtins.range"
        is_order = isinstance(parent, ast.Compare) and all(
            isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq) for operator in parent.ops
        )
        return is_order and isinstance(parents[parent], ast.If | ast.While | ast.BoolOp)

    def is_counted(self, name: ast.Name) -> bool:
        """Whether a name begins as a number, for some caller, and only numbers are added: ``step += 1``.

        It may also come from elsewhere, as a checkpoint: what goes on from there was saved as such a number.
        """
        found = self.context.names.bindings(name)
        added = [binding.value for binding in found if binding.how is How.AUGMENT]
        is_plain = all(value is not None and self.is_one(value) for value in added)
        return bool(added) and is_plain and any(map(self._begins_as_one, found))

    def _begins_as_one(self, binding: Binding) -> bool:
        if binding.how is not How.PARAMETER:
            return binding.given is not None and self.is_one(binding.given)
        own, structure = self.context.view.own, self.context.flow.structure
        for facts, value in passed(structure, own, binding):
            there = PlainValues(self.context.of(facts))
            begun = facts.names.bindings(value) if isinstance(value, ast.Name) else ()
            given = [value, *(b.given for b in begun)]
            if any(each is not None and there.is_one(each) for each in given):
                return True
        return False

    def is_one(self, node: ast.expr, depth: int = 0) -> bool:
        """What is made of numbers, texts and options alone: ``time.time() - start``, ``args.epochs``."""
        if self.context.roles.is_(node, *VALUES):
            return True
        if isinstance(node, ast.Attribute):
            return self.is_option(node)
        found = self.context.names.bindings(node) if isinstance(node, ast.Name) and depth < _MAX_DEPTH else ()
        values = [binding.value if binding.how is How.AUGMENT else binding.given for binding in found]
        return bool(values) and all(value is not None and self.is_one(value, depth + 1) for value in values)

    def is_option(self, node: ast.Attribute) -> bool:
        """``args.epochs`` that the command line gives as a number or a text."""
        made = Origins(self.context.flow.structure).of(self.context.view.own, node.value)
        return holds_plain_value(made or [], node.attr)
