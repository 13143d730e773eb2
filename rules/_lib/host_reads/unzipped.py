"""What is gathered of what a function hands back: ``losses, sizes = zip(*[evaluate(x) for x in loader])``."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.loops import StepLoop

from .refused import Refused
from .tracked import check_frequency


@dataclass(frozen=True)
class Unzipped:
    """A statement that gathers what the calls of a function return, and the names for the places of it."""

    statement: ast.Assign
    names: dict[int, str]


def unzipped(context: Context, call: ast.Call, places: Collection[object], loop: StepLoop) -> Unzipped | None:
    """What a call is gathered into; None where it stands elsewhere. Raises `Refused` where that is read too often."""
    made = context.module.parents[call]
    if not isinstance(made, ast.ListComp | ast.GeneratorExp) or made.elt is not call:
        return None
    star = context.module.parents[made]
    zipping = context.module.parents[star]
    if not isinstance(star, ast.Starred) or not isinstance(zipping, ast.Call) or zipping.args != [star]:
        return None
    if context.resolve(zipping.func) != "builtins.zip":
        return None
    statement = context.module.parents[zipping]
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Tuple) or not context.editable(statement):
        return None
    names = {place: name.id for place, name in enumerate(target.elts) if isinstance(name, ast.Name)}
    if len(set(names.values())) < len(target.elts) or not all(place in names for place in places):
        return None
    if not any(context.loops.function_effects(f.node).barriers for f in context.loops.run_by(call)):
        raise Refused("each pass of a comprehension is cut by this read alone", call)
    check_frequency(context, [loop], target, context.module.function(statement))
    return Unzipped(statement, {place: name for place, name in names.items() if place in places})
