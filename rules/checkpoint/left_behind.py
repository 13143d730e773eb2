"""Plain tensors that a module of its class keeps: loaded to the CPU they stay there, as no move brings them along."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class
from xlaport.facts.vocabulary import VARIABLES

from ..step.moves import is_move
from . import own_files
from .loaded_beside import is_put_on_device

_OWN_WAYS = ("to", "cuda", "_apply", "__setstate__", "__getstate__", "__reduce__")
"""Methods by which a class may bring its tensors along itself."""


@dataclass(frozen=True)
class Left:
    """A tensor that a class puts on the device, and no move of its instances brings there."""

    owner: Class
    name: str
    facts: Facts
    value: ast.expr


def left_behind(context: Context, load: ast.Call, uses: Iterable[ast.expr]) -> Left | None:
    """The first such tensor of the module that a call loads, which some expressions stand for; if nothing renews it."""
    places = list(uses)
    for owner in _classes(context, load, places):
        for left in _plain_tensors(context, owner):
            if not any(_is_renewed(context, use, left.name) for use in places):
                return left
    return None


def advice(context: Context, left: Left) -> str:
    """What to do with a file that such an object is loaded of."""
    made, line = left.owner.node.name, context.line_of(left.facts, left.value)
    return (
        f"loaded to the CPU, {made}.{left.name} (line {line}) would stay there when the module moves, for it is a "
        f"plain tensor: save state_dict() and {left.name} instead of the object, and copy both into a new {made}"
    )


def _classes(context: Context, load: ast.Call, places: list[ast.expr]) -> list[Class]:
    """The classes that a loaded object is seen to be of: by what else its name stands for, and by what was saved."""
    spots = [(context.view.own, node) for node in places]
    spots += [spot for one in own_files.of_file(context, load) for spot in one.contents.modules]
    found: dict[Class, None] = {}
    for facts, node in spots:
        bindings = facts.names.reaching(node) if isinstance(node, ast.Name) else ()
        for value in [node, *(b.value for b in bindings if b.how is How.ASSIGN and b.value is not None)]:
            found.update(dict.fromkeys(context.flow.structure.instances_of(facts, value)))
    return list(found)


def _plain_tensors(context: Context, owner: Class) -> list[Left]:
    structure = context.flow.structure
    if not structure.keeps_itself(owner, _OWN_WAYS):
        return []
    owners = structure.bases(owner)
    names = dict.fromkeys(name for base in owners for name in base.facts.classes.attributes_of(base.node))
    return [
        Left(owner, name, facts, value)
        for name in names
        if not any(base.facts.classes.is_buffer(base.node, name) for base in owners)
        for facts, value in structure.assigned(owners, name)
        if value is not None and _is_of_device(context, facts, value)
    ]


def _is_of_device(context: Context, facts: Facts, value: ast.expr) -> bool:
    made = Origins(context.flow.structure).of(facts, value) or []
    return bool(made) and all(is_put_on_device(context.of(s.facts), _held(s.facts, s.node)) for s in made)


def _held(facts: Facts, value: ast.expr) -> ast.expr:
    """The tensor of ``Variable(x)``, which is the tensor itself."""
    while isinstance(value, ast.Call) and facts.names.resolve(value.func) in VARIABLES and value.args:
        value = value.args[0]
    return value


def _is_renewed(context: Context, use: ast.expr, name: str) -> bool:
    """``model.mask = …``, ``model.mask.cuda()``: the program sees to the tensor itself."""
    part = context.module.parents[use]
    if not isinstance(part, ast.Attribute) or part.attr != name or part.value is not use:
        return False
    method = context.module.parents[part]
    return isinstance(part.ctx, ast.Store) or is_move(context, context.module.parents[method])
