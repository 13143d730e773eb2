"""Statements that keep the parameters of a model, or hang something on them, which a move to XLA leaves behind."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.names import How
from xlaport.facts.roles import dotted
from xlaport.facts.scopes import Comprehension

from .parameter_names import is_parameter_name

_ALL = ("parameters", "named_parameters")
_HOOKS = ("register_hook", "register_post_accumulate_grad_hook")
_CARRIED = ("requires_grad", "grad", "data")
"""What a new parameter gets from the old one."""
_PASSING = frozenset(
    {"builtins.list", "builtins.tuple", "builtins.set", "builtins.dict", "builtins.sorted", "builtins.reversed",
     "builtins.enumerate", "builtins.filter", "collections.OrderedDict"}
)  # fmt: skip
_KEEPING = _PASSING - {"builtins.reversed", "builtins.enumerate", "builtins.filter"}
"""Those that make a collection at once; the others go through the parameters when they are gone through themselves."""


class What(enum.Enum):
    """What is left behind."""

    LIST = "list"
    HOOK = "hook"
    MARK = "mark"


@dataclass(frozen=True)
class Keeper:
    """One statement that keeps parameters of a model."""

    node: ast.AST
    """What does it."""
    statement: ast.stmt
    """The statement of the block around it: the loop over the parameters, where there is one."""
    model: str
    what: What
    name: str
    """The collection, the method that registers the hook, or the attribute of the mark."""


def keepers(context: Context) -> list[Keeper]:
    """The keepers of a file, in source order."""
    return context.view.own.once("XP208", lambda: list(_keepers(context)))


def _keepers(context: Context) -> Iterator[Keeper]:
    for node in context.module.of_type(ast.Assign, ast.Call):
        if isinstance(node, ast.Assign):
            if len(node.targets) > 1:
                continue
            target = node.targets[0]
            kept = dotted(target)
            for model in dict.fromkeys(_listed(context, node.value)):
                if kept is not None:
                    yield Keeper(node, node, model, What.LIST, kept)
            if isinstance(target, ast.Attribute) and target.attr not in _CARRIED:
                yield from _hung(context, node, target.value, What.MARK, target.attr)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in _HOOKS:
            yield from _hung(context, node, node.func.value, What.HOOK, node.func.attr)
        elif context.resolve(node.func) == "builtins.setattr" and len(node.args) == 3:
            name = node.args[1].value if isinstance(node.args[1], ast.Constant) else None
            if isinstance(name, str) and name not in (*_CARRIED, "weight", "bias"):
                yield from _hung(context, node, node.args[0], What.MARK, name)


def _hung(context: Context, node: ast.AST, base: ast.expr, what: What, name: str) -> Iterator[Keeper]:
    """A keeper whose parameter is a name in a loop over all of them, or spelled out: ``model.fc.weight``."""
    if isinstance(base, ast.Name):
        for loop in context.module.ancestors(node):
            if isinstance(loop, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                return
            if isinstance(loop, ast.For) and base.id in _last_names(loop.target):
                model = _taken(context, loop.iter)
                if model is not None:
                    yield Keeper(node, loop, model, what, name)
                return
    elif isinstance(base, ast.Attribute) and is_parameter_name(base.attr):
        model = dotted(base.value)
        if model is not None and not _is_layer(context, base):
            yield Keeper(node, context.module.statement(node), model, what, name)


def _is_layer(context: Context, node: ast.Attribute) -> bool:
    """Whether an attribute of ``self`` that is called like a parameter holds something else: a layer."""
    owner = context.names.self_class(node.value) if isinstance(node.value, ast.Name) else None
    values = context.view.own.classes.attribute_values(owner, node.attr) if owner is not None else []
    return any(isinstance(v, ast.Call) and context.resolve(v.func) not in torch_api.PARAMETERS for v in values)


def _last_names(target: ast.expr) -> list[str]:
    """The name that stands for the parameter: ``p`` of ``p`` and of ``n, p``."""
    last = target.elts[-1] if isinstance(target, ast.Tuple | ast.List) and target.elts else target
    return [last.id] if isinstance(last, ast.Name) else []


def _taken(context: Context, node: ast.expr) -> str | None:
    """The model whose parameters are gone through: ``model`` of ``enumerate(model.parameters())``."""
    while isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in _ALL:
            return dotted(node.func.value)
        if context.resolve(node.func) not in _PASSING or not node.args:
            return None
        node = node.args[-1]
    return None


def _listed(context: Context, value: ast.expr) -> Iterator[str]:
    """The models whose parameters themselves, and not something made of them, are in a collection."""
    if isinstance(value, ast.Call) and context.resolve(value.func) in _KEEPING and value.args:
        inner = value.args[0]
        if isinstance(inner, Comprehension):
            yield from _listed(context, inner)
        elif (model := _taken(context, inner)) is not None:
            yield model
    elif isinstance(value, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        if isinstance(value, ast.GeneratorExp) and not isinstance(context.module.parents[value], ast.Call):
            return
        kept = value.value if isinstance(value, ast.DictComp) else value.elt
        for generator in value.generators:
            model = _taken(context, generator.iter)
            if model is not None and any(_keeps(kept, name) for name in _last_names(generator.target)):
                yield model
    elif isinstance(value, ast.List | ast.Tuple):
        for element in value.elts:
            if isinstance(element, ast.Attribute) and is_parameter_name(element.attr):
                model = dotted(element.value)
                if model is not None and _is_module(context, element.value):
                    yield model
            elif isinstance(element, ast.Dict | ast.ListComp):
                yield from _listed(context, element)
    elif isinstance(value, ast.Dict):
        for element in value.values:
            yield from _listed(context, element)


def _is_module(context: Context, node: ast.expr) -> bool:
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and not any(b.how is How.IMPORT for b in context.names.bindings(root))


def _keeps(element: ast.expr, name: str) -> bool:
    """Whether an element is the parameter, or holds it: ``p``, ``(n, p)``, ``{"params": p}``."""
    if isinstance(element, ast.Name):
        return element.id == name
    if isinstance(element, ast.Tuple | ast.List):
        return any(_keeps(part, name) for part in element.elts)
    return isinstance(element, ast.Dict) and any(_keeps(part, name) for part in element.values)
