"""What CUDA tells of a device as the attributes of one object: ``torch.cuda.get_device_properties(0).name``."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import Edit, Import, Replace

from ..removal import is_effect_free, removal
from ..rendering import Unfit, render
from ..uses import Use


def asked_one_by_one(context: Context, use: Use) -> tuple[list[Edit], tuple[Import, ...]] | None:
    """The edits that ask the target for each attribute where it is read; None where one has no answer there.

    A name that the object has until then goes.
    """
    call = use.call
    if call is None or not is_effect_free(context, *call.args, *(k.value for k in call.keywords)):
        return None
    edits, parts = list[Edit](), [context.module.parents[call]]
    statement = parts[0]
    if isinstance(statement, ast.Assign):
        uses = context.names.only_uses_of(statement.targets[0]) if len(statement.targets) == 1 else None
        if not uses or not context.editable(statement):
            return None
        edits.append(removal(context, statement))
        parts = [context.module.parents[name] for name in uses]
    imports: tuple[Import, ...] = ()
    for part in parts:
        target = use.entry.attributes.get(part.attr) if isinstance(part, ast.Attribute) else None
        if target is None or not isinstance(part, ast.expr) or not _may_be_written(context, part):
            return None
        try:
            text, wanted = render(context, target, (), part)
        except Unfit:
            return None
        edits.append(Replace(context.span(part), text))
        imports += wanted
    return edits, tuple(dict.fromkeys(imports))


def _may_be_written(context: Context, part: ast.expr) -> bool:
    """Whether nothing is decided by it: what fits a GPU is no answer for a TPU."""
    around = (node for node in context.module.ancestors(part) if isinstance(node, ast.Compare | ast.stmt))
    return context.editable(part) and isinstance(next(around, None), ast.stmt)
