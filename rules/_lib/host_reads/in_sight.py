"""Whether all that runs a function, and looks at an object, is in sight."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.structure import Class, Function

from .mentions import mentions
from .refused import Refused

_LOOKING = frozenset({"builtins.vars", "builtins.getattr", "builtins.setattr"})
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

    def check_object(self, context: Context, owner: Class) -> None:
        """Raises `Refused` where code may look at all attributes of an object: ``vars(logger)``, ``pickle.dump(…)``."""
        for base in self.structure.bases(owner):
            there = context.of(base.facts)
            for node in ast.walk(base.node):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and there.names.self_class(node):
                    self.check_use_of_object(there, node)
        for facts in self.structure.files_with(owner, "__dict__"):
            for attribute in facts.module.attributes["__dict__"]:
                if owner in self.structure.instances_of(facts, attribute.value):
                    raise self.refused("looks into it", context.of(facts), attribute)
        for site in self.structure.made(owner):
            there = context.of(site.facts)
            statement = there.module.parents[site.node]
            for target in statement.targets if isinstance(statement, ast.Assign) else ():
                for use in there.names.uses_of(target):
                    self.check_use_of_object(there, use)

    def check_use_of_object(self, context: Context, node: ast.Name) -> None:
        parent = context.module.parents[node]
        call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
        if isinstance(call, ast.Call) and call.func is not node and not context.loops.run_by(call):
            if (
                context.resolve(call.func) in _LOOKING
                or self.structure.class_named(context.view.own, call.func) is None
            ):
                raise self.refused("hands it on to code that may look into it", context, node)

    def refused(self, why: str, context: Context, node: ast.AST) -> Refused:
        """A line is named where it is one of this file."""
        return Refused(why, node) if context is self.context else Refused("another file uses it")
