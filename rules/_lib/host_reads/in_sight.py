"""Whether all that runs a function, and looks at an object, is in sight."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class, Function

from .mentions import mentions
from .refused import Refused

_ASKING = frozenset(f"builtins.{name}" for name in ("super", "isinstance", "issubclass", "type", "id", "hasattr"))
_OF_CLASS = frozenset({"builtins.staticmethod", "builtins.classmethod"})


class InSight:
    """Questions about the functions and classes of a project, asked for a file of it."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.structure = context.flow.structure

    def check_function(self, context: Context, function: Function) -> None:
        """Raises `Refused` where a function does not run at once, or others call it that are not seen."""
        node = function.node
        is_generator = any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Await) for n in walk_block(node.body))
        if is_generator or isinstance(node, ast.AsyncFunctionDef):
            raise self.refused("it is a generator", context, node)
        if any(context.resolve(decorator) not in _OF_CLASS for decorator in node.decorator_list):
            raise self.refused("is decorated", context, node)
        called = {site.node.func for site in self.structure.calls_to(function)}
        if node.name != "__init__" and any(use not in called for use in mentions(context, function)):
            raise self.refused("it is handed on, or called for an object that is not known", context, node)

    def class_of(self, context: Context, attribute: ast.Attribute) -> Class | None:
        """The class that an attribute of ``self`` is one of."""
        owner = context.names.self_class(attribute.value) if isinstance(attribute.value, ast.Name) else None
        return Class(context.view.own, owner) if owner is not None else None

    def check_object(self, owner: Class) -> None:
        """Raises `Refused` where code may look at all attributes of an object: ``vars(logger)``, ``pickle.dump(…)``.

        So it may by an object of a class that derives from its own, or has it derived, and by the class itself.
        """

        def found() -> Refused | None:
            try:
                self._check_object(owner)
            except Refused as refused:
                return refused
            return None

        refused = self.context.view.own.once(("looked into", owner.node), found)
        if refused is not None:
            raise refused

    def _check_object(self, owner: Class) -> None:
        for facts in self.structure.analysis(owner.facts).files():
            there = self.context.of(facts)
            for attribute in facts.module.attributes.get("__dict__", ()):
                if self._is_object(facts, attribute.value, owner) or self._is_class(facts, attribute.value, owner):
                    raise self.refused("looks into it", there, attribute)
            for call in facts.module.calls:
                of_builtins = (there.resolve(call.func) or "").startswith("builtins.")
                for given in _given(call):
                    is_asked = of_builtins and self._is_class(facts, given, owner)
                    if is_asked or self._is_object(facts, given, owner):
                        self.check_use_of_object(there, call, given)

    def _is_object(self, facts: Facts, node: ast.expr, owner: Class) -> bool:
        return any(self.structure.is_related(one, owner) for one in self.structure.instances_of(facts, node))

    def _is_class(self, facts: Facts, node: ast.expr, owner: Class) -> bool:
        return any(self.structure.is_related(one, owner) for one in self.structure.classes_named(facts, node))

    def check_use_of_object(self, context: Context, call: ast.Call, given: ast.expr) -> None:
        """Raises `Refused` where a call gives an object to code out of sight."""
        if context.resolve(call.func) in _ASKING or context.loops.run_by(call):
            return
        if self.structure.class_named(context.view.own, call.func) is None:
            raise self.refused("hands it on to code that may look into it", context, given)

    def refused(self, why: str, context: Context, node: ast.AST) -> Refused:
        """A line is named where it is one of this file."""
        return Refused(why, node) if context is self.context else Refused("another file uses it")


def _given(call: ast.Call) -> Iterator[ast.expr]:
    """What a call is given, also within tuples, lists and dicts that are written there."""
    todo: list[ast.expr | None] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while todo:
        node = todo.pop()
        match node:
            case ast.Starred():
                todo.append(node.value)
            case ast.Tuple() | ast.List() | ast.Set():
                todo += node.elts
            case ast.Dict():
                todo += [*node.keys, *node.values]
            case ast.expr():
                yield node
