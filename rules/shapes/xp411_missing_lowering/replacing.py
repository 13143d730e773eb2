"""What takes the place of a call that the host computes, where a recipe knows the same by operations that XLA has."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, replace
from string import Formatter

from xlaport.context import Context
from xlaport.facts.role import TENSORS
from xlaport.rule import Applicability, Edit, Import, RemoveArgument, Replace

from ..._lib.host_reads.device_values import torch_name
from ..._lib.shapes.helpers import helper
from ..._lib.shapes.shared_helpers import Adding
from .missing_calls import MissingCall, operand

_LOOSE = (ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Await)
"""What binds tighter than an operator in what is written."""
_OWN = frozenset({"torch", "prefix", "helper", "rest"})


@dataclass(frozen=True)
class Replacement:
    """The edits, and how far they may be trusted."""

    edits: tuple[Edit, ...]
    imports: tuple[Import, ...]
    applicability: Applicability
    source: str
    """Where the helper comes from, where there is one."""


def replacement(context: Context, found: MissingCall, adding: Adding) -> Replacement | None:
    """The edits that write a call by operations that XLA has; None where that is left to the author."""
    recipe = found.recipe
    if not (recipe.write or recipe.rename or recipe.helper) or not _fits(context, found):
        return None
    edits: tuple[Edit, ...] = ()
    imports: tuple[Import, ...] = ()
    source = ""
    applicability = Applicability.SAFE if recipe.is_safe else Applicability.UNSAFE
    if recipe.helper:
        if _is_scripted(context, found.node):
            return None
        defined = helper(context, recipe.helper, found.node, replace(adding, applicability=applicability))
        if defined is None:
            return None
        edits, imports, source = defined.edits, defined.imports, defined.source
    dropped = _dropped(context, found)
    is_simple = dropped is not None and (len(dropped) < 2 or not recipe.write)
    if dropped is not None and is_simple and found.bound is None and (recipe.helper or recipe.rename):
        # The arguments stay as they are written.
        renamed, wanted = _renamed(context, found)
        edits += (Replace(context.span(found.node.func), renamed), *dropped)
    elif recipe.write and "#" not in context.module.segment(found.node):
        written, wanted = _written(context, found)
        edits += (Replace(context.span(found.node), written),)
    else:
        return None
    return Replacement(edits, (*imports, *wanted), applicability, source)


def chosen_replacement(context: Context, found: MissingCall, adding: Adding) -> Replacement | None:
    """The edits that choose what XLA has in the place of a function: one with the same parameters, called elsewhere."""
    recipe, name = found.recipe, found.reference
    if not (recipe.rename and recipe.helper) or recipe.when or name is None or not context.editable(name):
        return None
    if any(isinstance(context.module.parents[use], ast.Compare) for use in found.uses):
        return None  # which one it is, is asked later
    applicability = Applicability.SAFE if recipe.is_safe else Applicability.UNSAFE
    defined = helper(context, recipe.helper, name, replace(adding, applicability=applicability))
    if defined is None:
        return None
    edits = (*defined.edits, Replace(context.span(name), recipe.rename))
    return Replacement(edits, defined.imports, applicability, defined.source)


def _fits(context: Context, found: MissingCall) -> bool:
    """Whether a call can be written anew without losing anything."""
    node, recipe = found.node, found.recipe
    if not context.editable(node):
        return False
    if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return False
    if found.bound is None and len(node.args) > len(recipe.parameters):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
        return False
    if not set(found.arguments) <= recipe.only:
        return False
    if not all(context.roles.is_(found.arguments[name], *TENSORS) for name in recipe.tensors):
        return False
    numbers = [found.arguments[name] for name in recipe.numbers if name in found.arguments]
    if not all(isinstance(n, ast.Constant) and type(n.value) in (int, float) for n in numbers):
        return False
    named = Counter(field for _, field, _, _ in Formatter().parse(recipe.write) if field)
    used = [found.arguments.get(name) for name in named if name not in _OWN]
    return None not in used and all(
        count == 1 or name in _OWN or _is_still(found.arguments[name]) for name, count in named.items()
    )


def _written(context: Context, found: MissingCall) -> tuple[str, tuple[Import, ...]]:
    """The expression that a recipe writes."""
    recipe, node = found.recipe, found.node
    torch, wanted = torch_name(context, "x", node)
    fields = {name: operand(context, value, name) for name, value in found.arguments.items()}
    used = {field for _, field, _, _ in Formatter().parse(recipe.write) if field}
    rest = [name for name in found.arguments if name not in used | recipe.drops]
    text = recipe.write.format(
        **fields,
        torch=torch.removesuffix(".x"),
        prefix=_prefix(context, found)[0],
        helper=recipe.helper,
        rest="".join(f", {name}={fields[name]:bare}" for name in rest),
    ).replace("(, ", "(")
    parent = context.module.parents[node]
    tight = isinstance(parent, _LOOSE) or (isinstance(parent, ast.Call) and parent.func is node)
    if tight and not isinstance(ast.parse(text, mode="eval").body, ast.Call | ast.Attribute):
        text = f"({text})"
    return text, wanted if "{torch}" in recipe.write else _prefix(context, found)[
        1
    ] if "{prefix}" in recipe.write else ()


def _renamed(context: Context, found: MissingCall) -> tuple[str, tuple[Import, ...]]:
    if found.recipe.helper:
        return found.recipe.rename or found.recipe.helper, ()
    prefix, wanted = _prefix(context, found)
    return f"{prefix}{found.recipe.rename}", wanted


def _prefix(context: Context, found: MissingCall) -> tuple[str, tuple[Import, ...]]:
    """How the code names the module of a function: ``F.``."""
    func = found.node.func
    if isinstance(func, ast.Attribute) and found.bound is None:
        return f"{context.module.segment(func.value)}.", ()
    module = found.missing.function.name.removeprefix("torch.").rpartition(".")[0]
    text, wanted = torch_name(context, f"{module}.x", found.node)
    return text.removesuffix("x"), wanted


def _dropped(context: Context, found: MissingCall) -> list[Edit] | None:
    """The edits that take the arguments out that go; None where one has no name."""
    edits: list[Edit] = []
    for name in sorted(found.recipe.drops & set(found.arguments)):
        keyword = next((k for k in found.node.keywords if k.arg == name), None)
        if keyword is None:
            return None
        edits.append(RemoveArgument(context.span(found.node), context.span(keyword)))
    return edits


def _is_scripted(context: Context, node: ast.AST) -> bool:
    """Whether TorchScript compiles the function around a call: it takes the arguments of a helper for tensors."""
    functions = (parent for parent in context.module.ancestors(node) if isinstance(parent, ast.FunctionDef))
    decorators = (decorator for function in functions for decorator in function.decorator_list)
    return any((context.resolve(decorator) or "").startswith("torch.jit.") for decorator in decorators)


def _is_still(node: ast.expr) -> bool:
    """Whether an expression can stand twice: it costs nothing, and gives the same."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name | ast.Constant)
