"""Plain tensors that a module of its class keeps: loaded to the CPU they stay there, as no move brings them along."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.import_graph import reached
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
_MAX_FILES = 50


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
    for owner in _with_parts(context, _classes(context, load, places) or _near_classes(context)):
        for left in _plain_tensors(context, owner):
            if not any(_is_renewed(context, use, left.name) for use in places):
                return left
    return None


def names(context: Context, left: Left) -> dict[str, str]:
    """How to speak of such a tensor."""
    return {"owner": left.owner.node.name, "name": left.name, "line": context.line_of(left.facts, left.value)}


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


def _near_classes(context: Context) -> list[Class]:
    """The modules that what is loaded may be of: of what a file imports, else of what hangs together with it."""
    own, graph = context.view.own, context.view.program.graph
    if context.view.is_alone:
        return _modules_of(context, [own.file])
    # A load finds the class by the name that is in the file of the checkpoint.
    reaches = (reached([own.file], graph.imports), graph.connected([own.file]), graph.imports)
    return next((found for files in reaches if (found := _modules_of(context, files))), [])


def _modules_of(context: Context, files: Iterable[str]) -> list[Class]:
    seen = [facts for file in sorted(files)[:_MAX_FILES] if (facts := context.view.facts(file)) is not None]
    found = [Class(facts, node) for facts in seen for node in facts.module.of_type(ast.ClassDef)]
    return [owner for owner in found if context.flow.structure.is_module(owner)]


def _with_parts(context: Context, owners: list[Class]) -> Iterator[Class]:
    """Classes, and those of the objects that theirs keep: a module moves with all of its parts."""
    structure, seen, todo = context.flow.structure, set[Class](), list(owners)
    for owner in todo:  # it grows
        if owner in seen:
            continue
        seen.add(owner)
        yield owner
        bases = structure.bases(owner)
        for name in structure.attributes_of(bases):
            for facts, value in structure.assigned(bases, name):
                todo += structure.instances_of(facts, value) if isinstance(value, ast.Call) else ()


def _plain_tensors(context: Context, owner: Class) -> list[Left]:
    structure = context.flow.structure
    if not structure.keeps_itself(owner, _OWN_WAYS):
        return []
    owners = structure.bases(owner)
    return [
        Left(owner, name, facts, value)
        for name in structure.attributes_of(owners)
        if not structure.is_buffer(owners, name)
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
