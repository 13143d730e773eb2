"""A sharding for batches whose tensors lie in dimensions that only the run knows: the class that a file gets for it."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import Edit, Import, InsertStatement, Replace

from ..._lib.arguments import with_argument
from ..._lib.shapes.helpers import blank_behind

_NAME = "ShardedByBatch"
_CODE = '''class {name}({spec}):
    """Divides each tensor of a batch over the devices by its first dimension."""

    def xla_spec(self, t):
        by_dimension = ("{axis}",) + (None,) * (t.dim() - 1)
        return {spec}(self.mesh, by_dimension).xla_spec(t)'''


def defined(context: Context, anchor: ast.stmt, axis: str) -> tuple[Edit, tuple[Import, ...]] | None:
    """The edit that defines the class behind the imports; None where its name means something else."""
    if not context.names.is_free(_NAME, anchor):
        return None
    spec, imports = context.symbol("sharding_spec", anchor)
    code = _CODE.format(name=_NAME, spec=spec, axis=axis)
    return InsertStatement(context.span(anchor), f"\n\n{code}{blank_behind(context, anchor)}"), imports


def divided(context: Context, call: ast.Call, axis: str) -> tuple[Replace, tuple[Import, ...]]:
    """The edit that divides the batches of a loader by that class."""
    mesh, imports = context.symbol("mesh_of_all", call)
    return with_argument(context, call, f'input_sharding={_NAME}({mesh}("{axis}"), ("{axis}",))'), imports
