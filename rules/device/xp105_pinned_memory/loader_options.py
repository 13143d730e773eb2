"""Which dicts of a file become the options of a loader: ``DataLoader(data, **options)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import last_name


class LoaderOptions:
    """Follows dicts, by the names that hold them, to the ``**`` of a loader."""

    def __init__(self, context: Context, loaders: list[ast.Call]) -> None:
        self.context = context
        self.parents = context.module.parents
        self.loaders = set(loaders)
        self.names = {
            name for call in loaders for k in call.keywords if k.arg is None and (name := _name(k.value)) is not None
        }
        named = [
            (n, name)
            for n in context.module.nodes
            if isinstance(n, ast.Call | ast.Name | ast.Attribute) and (name := _name(n)) is not None
        ]
        while more := {name for n, name in named if name not in self.names and self._reaches(n)}:
            self.names |= more

    def holds(self, node: ast.expr) -> bool:
        """Whether a dict, or the name of one, becomes the options of a loader."""
        return _name(node) in self.names if isinstance(node, ast.Name | ast.Attribute) else self._reaches(node)

    def _reaches(self, node: ast.AST) -> bool:
        return any(goal in self.loaders or goal in self.names for goal in self._goals(node))

    def _goals(self, node: ast.AST) -> Iterator[ast.AST | str]:
        """The loaders, and the names, that an expression is handed to as it is."""
        parent = self.parents[node]
        if isinstance(parent, ast.IfExp | ast.BoolOp | ast.BinOp | ast.Dict):
            if not isinstance(parent, ast.Dict) or self._is_spread(parent, node):
                yield from self._goals(parent)
        elif isinstance(parent, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            yield from (name for target in targets if (name := _name(target)) is not None)
        elif isinstance(parent, ast.Return):
            function = self.context.module.function(parent)
            yield from [function.name] if function is not None else []
        elif isinstance(parent, ast.keyword):
            call = self.parents[parent]
            if isinstance(call, ast.Call):
                yield from self._taken(call, node, parent.arg)
        elif isinstance(parent, ast.Call) and parent.func is not node:
            yield from self._taken(parent, node, "")

    def _taken(self, call: ast.Call, node: ast.AST, keyword: str | None) -> Iterator[ast.AST | str]:
        """Where an argument goes; `keyword` is None for ``**node``."""
        function = self.context.roles.method_or_function(call)
        if keyword is None and call in self.loaders:
            yield call
        elif self.context.resolve(call.func) in ("builtins.dict", "copy.copy", "copy.deepcopy"):
            yield from self._goals(call)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "update":
            name = _name(call.func.value)
            yield from [name] if name is not None else []
        elif function is not None and keyword is not None:
            arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            yield from (a.arg for a in arguments if self.context.roles.argument_for(call, function, a.arg) is node)
        elif function is not None and function.args.kwarg is not None:
            yield function.args.kwarg.arg

    def _is_spread(self, display: ast.Dict, node: ast.AST) -> bool:
        """``{**node}``"""
        return any(key is None and value is node for key, value in zip(display.keys, display.values, strict=True))


def _name(node: ast.AST) -> str | None:
    """``options`` of ``options``, ``self.options`` and ``options()``."""
    return last_name(node.func if isinstance(node, ast.Call) else node)
