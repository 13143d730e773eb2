"""The calls of a file that the host computes for want of a kernel, as the table of measured functions says."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts.role import Role, is_none

from ..._lib.shapes.placed import device_of
from .convolutions import works_on_rows
from .recipes import ABSENT, COMPUTED, GIVEN, MORE, Missing, Recipe, missing

_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)


@dataclass(frozen=True)
class MissingCall:
    """One call that the host computes."""

    node: ast.Call
    missing: Missing
    recipe: Recipe
    arguments: dict[str, ast.expr]
    """What is given, by the names of the parameters, as far as these are known."""
    bound: ast.expr | None
    """The tensor whose method is called."""
    reference: ast.expr | None = None
    """What the function is called where it is chosen, and called by another name."""
    uses: tuple[ast.Name, ...] = ()
    """The uses of that other name."""

    @property
    def name(self) -> str:
        """The function, as the code calls it."""
        return ast.unparse(self.reference or self.node.func).rpartition(".")[2]

    @property
    def asks_for_what_goes(self) -> bool:
        """Whether an argument that a fix leaves out asks for something: ``sparse=True``, and no ``sparse=False``."""
        going = self.recipe.drops - {name for name, _ in self.recipe.when}
        given = [self.arguments[name] for name in going if name in self.arguments]
        return any(not isinstance(value, ast.Constant) or bool(value.value) for value in given)

    def advice(self, context: Context) -> dict[str, str]:
        """What to do by hand, in the names of the code."""
        return advice(context, self.recipe, self.arguments, self.node)


def advice(context: Context, recipe: Recipe, arguments: dict[str, ast.expr], node: ast.AST) -> dict[str, str]:
    """What a recipe says to do where `node` stands, and the code that shows it, in the names of the code."""
    texts = {name: operand(context, arguments.get(name), name) for name in recipe.parameters}
    snippet = recipe.snippet.format(**texts)
    if _DEVICE in snippet:
        snippet = snippet.replace(_DEVICE, f"device={device_of(context, arguments.get('input'), node)}")
    return {"recipe": recipe.instead.format(**texts), "snippet": snippet}


_DEVICE = "device=device"
"""As the recipes write it."""


def called(context: Context, node: ast.Call) -> MissingCall | None:
    """The call of a function or a method that works on the device."""
    name = context.resolve(node.func) or ""
    found = missing().get(name)
    bound: ast.expr | None = None
    if found is None and not name.startswith("torch.") and isinstance(node.func, ast.Attribute):
        bound = node.func.value
        found = missing().get(f".{node.func.attr.rstrip('_')}")
        if not context.roles.is_(bound, Role.TENSOR):
            return None
    if found is None or is_made(found):
        return None
    if bound is None and not _is_on_device(context, node):
        return None
    return _fitting(context, node, found, bound)


def made(context: Context, node: ast.Call) -> MissingCall | None:
    """The call that makes a module of such an operation, or gives one to a module."""
    found = missing().get(context.resolve(node.func) or "")
    return _fitting(context, node, found, None) if found is not None and is_made(found) else None


def chosen(context: Context, node: ast.IfExp) -> MissingCall | None:
    """The call of ``norm`` behind ``norm = weight_norm if … else spectral_norm``, which may make such a module."""
    parent = context.module.parents[node]
    target = parent.targets[0] if isinstance(parent, ast.Assign) and parent.value is node else None
    for side in (node.body, node.orelse):
        found = missing().get(context.resolve(side) or "")
        if found is None or not is_made(found):
            continue
        for use in context.names.uses_of(target):
            call = context.module.parents[use]
            if isinstance(call, ast.Call) and call.func is use:
                fitting = _fitting(context, call, found, None)
                uses = tuple(context.names.uses_of(target))
                return replace(fitting, reference=side, uses=uses) if fitting is not None else None
    return None


def is_made(found: Missing) -> bool:
    """Whether a function makes a module, or changes one: what counts is where that runs."""
    name = found.function.name
    return name.startswith("torch.nn.utils.") or (name.startswith("torch.nn.") and name[len("torch.nn.")].isupper())


def _is_on_device(context: Context, node: ast.Call) -> bool:
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if any(context.roles.is_(value, Role.TENSOR) for value in given):
        return True
    return context.roles.is_(node, Role.TENSOR)


def _fitting(context: Context, node: ast.Call, found: Missing, bound: ast.expr | None) -> MissingCall | None:
    """The call with the first recipe that is for its arguments."""
    for recipe in found.recipes:
        arguments = _arguments(node, recipe, bound)
        if recipe.rows and not works_on_rows(context, node, bound):
            continue
        if arguments is not None and all(_holds(context, arguments.get(name), wanted) for name, wanted in recipe.when):
            return MissingCall(node, found, recipe, arguments, bound)
    return None


def _arguments(node: ast.Call, recipe: Recipe, bound: ast.expr | None) -> dict[str, ast.expr] | None:
    """What is given, by parameter; None where nobody can see what is given, and it matters."""
    starred = any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
    if starred and recipe.when:
        return None
    positional = [*([bound] if bound is not None else []), *node.args]
    found = dict(zip(recipe.parameters, positional, strict=False)) if not starred else {}
    return found | {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}


def _holds(context: Context, given: ast.expr | None, wanted: str | tuple[str, ...]) -> bool:
    if is_none(given):
        given = None
    if wanted == GIVEN:
        return given is not None
    if wanted == COMPUTED:
        return given is not None and context.roles.is_(given, Role.TENSOR)
    if wanted == MORE:
        return isinstance(given, ast.Constant) and given.value != 1
    return (ABSENT if given is None else ast.unparse(given)) in wanted


class Operand(str):
    """An argument as text: as an operand of more code, or, formatted as `{name:bare}`, as it is."""

    bare: str

    def __format__(self, spec: str) -> str:
        """The one or the other."""
        return self.bare if spec == "bare" else str(self)


def operand(context: Context, given: ast.expr | None, name: str) -> Operand:
    """An argument as text, or its name where it is not given."""
    text = name
    if given is not None:
        text = context.module.segment(given)
        if "\n" in text:
            whole = any(isinstance(n, ast.Constant) and "\n" in str(n.value) for n in ast.walk(given))
            text = ast.unparse(given) if whole or "#" in text else " ".join(line.strip() for line in text.splitlines())
    operand = Operand(text if given is None or isinstance(given, _ATOMS) else f"({text})")
    operand.bare = text
    return operand
