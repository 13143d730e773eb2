"""What an expression needs to be written twice, and a name to stand for all places until it is used."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.context import Context
from xlaport.facts.in_place import changes, sharing
from xlaport.facts.role import Role
from xlaport.rule import Span

from .operation import called

_DRAWING = frozenset(
    "rand randn randint randperm rand_like randn_like randint_like bernoulli normal multinomial poisson binomial empty "
    "empty_like dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout rrelu gumbel_softmax".split()
)
"""Functions and methods that give something else each time."""
_COUNTING = frozenset(f"builtins.{name}" for name in "len int float bool abs min max round".split())
_LATER = (ast.Lambda, ast.GeneratorExp)


def is_repeatable(context: Context, node: ast.expr) -> bool:
    """Whether an expression is the same where it is computed twice: nothing in it draws, runs a layer, or may count."""
    for part in ast.walk(node):
        if isinstance(part, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            return False
        if isinstance(part, ast.Call) and not _is_operation(context, part):
            return False
    return True


def _is_operation(context: Context, call: ast.Call) -> bool:
    name = context.resolve(call.func)
    if name is not None:
        last = name.rpartition(".")[2]
        return name in _COUNTING or (name.startswith("torch.") and last not in _DRAWING and not last.endswith("_"))
    if not isinstance(call.func, ast.Attribute) or context.roles.is_(call.func.value, Role.MODEL):
        return False
    is_method = context.roles.is_(call.func.value, Role.TENSOR, Role.HOST_TENSOR)
    return is_method and call.func.attr not in _DRAWING and not call.func.attr.endswith("_")


def one_use(context: Context, target: ast.AST) -> ast.Name | None:
    """The one use of a name behind its assignment, in the same pass of all loops and under the same `with`."""
    uses = uses_behind(context, target)
    return uses[0] if len(uses) == 1 else None


def uses_behind(context: Context, target: ast.AST) -> list[ast.Name]:
    """The same for all uses; none, where one of them is elsewhere."""
    uses = context.names.only_uses_of(target) if isinstance(target, ast.Name) else None
    return list(uses) if uses is not None and all(_is_after(context, target, use) for use in uses) else []


def _is_after(context: Context, target: ast.AST, use: ast.expr) -> bool:
    module = context.module
    statement = module.statement(target)
    around = list(module.ancestors(use))
    if any(isinstance(node, _LATER) for node in around):
        return False  # it runs when it is called
    block = module.block(statement)
    later = block[block.index(statement) + 1 :]
    if not any(node in later for node in around) or _switches_gradients(context, later):
        return False
    return all(node in around for node in module.ancestors(statement) if isinstance(node, ast.With | ast.AsyncWith))


def _switches_gradients(context: Context, statements: list[ast.stmt]) -> bool:
    """Whether gradients are turned on or off on the way: ``torch.set_grad_enabled(True)``, not by a `with`."""
    return any(
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and context.resolve(node.value.func) == "torch.set_grad_enabled"
        for statement in statements
        for node in ast.walk(statement)
    )


def means_the_same(context: Context, node: ast.expr, use: ast.expr) -> bool:
    """Whether an expression could be written at a use: in its own statement, or behind it, with no name bound anew."""
    module, visible = context.module, context.names.visible
    names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
    if module.function(use) is not module.function(node):
        return False
    if any(visible(name.id, use) != visible(name.id, name) for name in names):
        return False
    first, last = module.statement(node), module.statement(use)
    if first is last:
        return True
    block = module.block(first)
    around = [last, *module.ancestors(last)]
    # To its very end, since what stands behind the use may run before it: in a loop around it.
    until = next((s for s in block[block.index(first) + 1 :] if s in around), None)
    if until is None:
        return False
    between = Span(context.span(first).start, context.span(until).end)
    bound = [b for name in names for b in context.names.bindings(name)]
    return not any(b.elsewhere or between.contains(context.span(b.node)) for b in bound)


def changed_in_place(context: Context, nodes: Iterable[ast.expr]) -> ast.AST | None:
    """What in their function changes, or deletes, a tensor that expressions are made of, by whatever name."""
    mentioned = [n for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)]
    if not mentioned:
        return None
    own, function = context.view.own, context.module.function(mentioned[0])
    own_names = {name.id for name in mentioned if context.resolve(name) is None}
    names = sharing(own, own_names, function)
    for use in context.module.of_type(ast.Name):
        if use.id not in names or context.module.function(use) is not function:
            continue
        if isinstance(use.ctx, ast.Del) and use.id in {n.id for n in mentioned}:
            return use
        if changes(own, use) or _is_layer(context, use):
            return use
    return None


def _is_layer(context: Context, use: ast.Name) -> bool:
    """``relu(x)`` of a layer that was made to change what it is given."""
    call = context.module.parents[use]
    if not isinstance(call, ast.Call) or use not in call.args:
        return False
    operation = called(context, call)
    made = operation.module if operation is not None else None
    return made is not None and any(k.arg == "inplace" for k in made.keywords)
