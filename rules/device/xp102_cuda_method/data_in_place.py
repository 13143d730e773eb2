"""Tensors that get the data of another device in their place: ``x.data = x.data.cuda()``."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.names import Binding, How
from xlaport.facts.roles import Role
from xlaport.facts.vocabulary import VARIABLES
from xlaport.rule import Edit, Replace

from ..._lib.step import moves

_FACTORIES = frozenset(
    {"rand", "randn", "randint", "randperm", "zeros", "ones", "empty", "full", "arange", "linspace", "eye", "tensor"}
)
_WHOLE_NUMBERS = ("long", "int", "bool", "short", "byte")
_IN_LINE = (ast.If, ast.With, ast.AsyncWith)


@dataclass(frozen=True)
class InPlace:
    """``x.data = x.data.cuda()``, which takes the data of `tensor` to the device, and gives it to that tensor."""

    target: ast.Attribute
    tensor: ast.expr
    taken: ast.expr
    """What is moved of it, in the value: ``x.data``."""


def in_place(context: Context, call: ast.Call) -> InPlace | None:
    """The tensor that gets its own data from the device by a move; None where a move is no such."""
    statement = context.module.parents[call]
    if not isinstance(statement, ast.Assign) or statement.value is not call or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Attribute) or target.attr != "data":
        return None
    wanted, part = ast.dump(target.value), call.func
    while isinstance(part, ast.Attribute | ast.Call):
        part = part.func if isinstance(part, ast.Call) else part.value
        if isinstance(part, ast.expr) and ast.dump(part) == wanted:
            whole = context.module.parents[part]
            is_data = isinstance(whole, ast.Attribute) and whole.attr == "data"
            return InPlace(target, target.value, whole if is_data and isinstance(whole, ast.expr) else part)
    return None


def by_to(context: Context) -> list[tuple[ast.Call, InPlace]]:
    """``x.data = x.data.to(device)`` of a file, with a device that is the accelerator."""
    found = []
    for target in context.module.attributes.get("data", []):
        statement = context.module.parents[target]
        call = statement.value if isinstance(statement, ast.Assign) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "to":
            continue
        moved = in_place(context, call)
        if moved is not None and moved.target is target and moves.is_move(context, call):
            if moves.goes_to_accelerator(context, call):
                found.append((call, moved))
    return found


def renamed(context: Context, moved: InPlace) -> list[Edit] | None:
    """The edits that give the name the moved tensor, where nobody else has the one that it names; else None."""
    name = moved.tensor
    if not isinstance(name, ast.Name) or not _is_its_own(context, name):
        return None
    return [Replace(context.span(moved.target), name.id), Replace(context.span(moved.taken), name.id)]


def _is_its_own(context: Context, name: ast.Name) -> bool:
    """Whether a name holds a tensor that was just made, without a gradient, and that nothing has used up to here."""
    names, module = context.names, context.module
    found = names.reaching(name)
    if len(found) != 1 or found[0].how is not How.ASSIGN or found[0].value is None:
        return False
    made = module.statement(found[0].node)
    if not isinstance(made, ast.Assign) or len(made.targets) != 1 or not _is_alone(context, found[0], name):
        return False
    return _is_made_here(context, found[0].value)


def _is_alone(context: Context, binding: Binding, name: ast.Name) -> bool:
    """Whether both stand in one run of statements, with no use of the tensor between them."""
    module, here = context.module, context.module.statement(name)
    home = context.names.scope(binding.node)
    made = module.statement(binding.node)
    if context.names.scope(name) is not home or made.lineno >= here.lineno:
        return False
    block: ast.AST = module.parents[here]
    while block is not module.parents[made]:
        if not isinstance(block, _IN_LINE):
            return False
        block = module.parents[block]
    inside = set(ast.walk(here))
    between = [use for use in context.names.uses(home, name.id) if made.lineno < use.lineno <= here.lineno]
    return all(use in inside for use in between)


def _is_made_here(context: Context, value: ast.expr, has_none: bool = False) -> bool:
    """``torch.rand(1, 1).mul(n).long()``, also as ``Variable(…)``: no other memory goes into it, and no gradient.

    With `has_none`, what comes of it holds whole numbers, which have no gradients.
    """
    if not isinstance(value, ast.Call) or any(k.arg in (None, "requires_grad", "out") for k in value.keywords):
        return False
    called = context.resolve(value.func) or ""
    if called in VARIABLES:
        return len(value.args) == 1 and _is_made_here(context, value.args[0], has_none)
    if called.startswith("torch."):
        return called.removeprefix("torch.") in _FACTORIES
    if not isinstance(value.func, ast.Attribute) or value.func.attr.endswith("_") or value.func.attr in ("cuda", "to"):
        return False
    has_none = has_none or value.func.attr in _WHOLE_NUMBERS
    if not has_none and not all(context.roles.is_(argument, Role.NUMBER) for argument in value.args):
        return False
    return _is_made_here(context, value.func.value, has_none)
