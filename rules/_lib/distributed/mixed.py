"""MixedPrecision of FullyShardedDataParallel, as an autocast around the model's forward pass."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xlaport.facts.names import How

from ..arguments import given
from ..removal import removal
from .fsdp_names import last_word

if TYPE_CHECKING:
    from .part import Part

_PARAMETERS = (
    "param_dtype", "reduce_dtype", "buffer_dtype", "keep_low_precision_grads", "cast_forward_inputs",
    "cast_root_forward_inputs",
)  # fmt: skip


@dataclass(frozen=True)
class Precision:
    """What a model computes in: `dtype` as the file writes it, None for float32; on a `condition`, if there is one."""

    dtype: str | None = None
    condition: str | None = None


def precision(part: Part, value: ast.expr) -> Precision | None:
    """What ``mixed_precision=value`` asks for; None where it is not understood.

    A name that stands for the policy, and for nothing else, loses its statement.
    """
    context = part.context
    if _is_none(value):
        return Precision()
    if isinstance(value, ast.IfExp):
        condition, policy, other = context.module.segment(value.test), value.body, value.orelse
        if _is_none(policy):
            condition, policy, other = f"not ({condition})", other, policy
        found = precision(part, policy) if _is_none(other) else None
        if found is None or found.dtype is None or found.condition is not None:
            return None
        return Precision(found.dtype, condition)
    if isinstance(value, ast.Name):
        bound, home = context.names.bindings(value), context.names.home(value)
        if len(bound) != 1 or bound[0].how is not How.ASSIGN or not isinstance(bound[0].value, ast.Call):
            return None
        statement = context.module.parents[bound[0].node]
        if home is None or not isinstance(statement, ast.Assign):
            return None
        edit = removal(context, statement)
        if edit not in part.edits and all(_is_taken(part, use) for use in context.names.uses(home, value.id)):
            part.edits.append(edit)
        return precision(part, bound[0].value)
    if isinstance(value, ast.Call) and last_word(context.resolve(value.func)) == "MixedPrecision":
        arguments = given(value, _PARAMETERS)
        dtype = arguments.get("param_dtype") if arguments is not None else None
        if dtype is None or _is_none(dtype) or context.resolve(dtype) == "torch.float32":
            return Precision() if arguments is not None else None
        if context.resolve(dtype) == "torch.bfloat16":
            return Precision(context.module.segment(dtype))
    return None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_taken(part: Part, use: ast.Name) -> bool:
    """Whether a use of the policy's name is the argument that goes."""
    parents = part.context.module.parents
    parent = parents[use]
    if isinstance(parent, ast.IfExp) and use is not parent.test:
        parent = parents[parent]
    return isinstance(parent, ast.keyword) and parent.arg == "mixed_precision"
