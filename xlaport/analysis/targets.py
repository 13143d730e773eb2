"""What stands on the left of an assignment: the paths of parts, and what each gets of what is unpacked."""

from __future__ import annotations

import ast

from xlaport.analysis import value as types
from xlaport.analysis.holding import one_of
from xlaport.analysis.value import Value, each
from xlaport.facts.module import dotted


def path_of(node: ast.expr) -> str | None:
    """``self.model`` and ``batch["mask"]`` of such expressions; None of others."""
    if not isinstance(node, ast.Subscript):
        return dotted(node)
    whole = dotted(node.value) if isinstance(node.slice, ast.Constant) else None
    return f"{whole}[{node.slice.value!r}]" if whole is not None and isinstance(node.slice, ast.Constant) else None


def unpacked(value: Value, place: int, target: ast.Tuple | ast.List) -> Value:
    """What a target gets of a value that is unpacked; of a tensor, each part is one."""
    if value.type in (types.TENSOR, types.DATASET) and value.elements is None:
        return one_of(value)
    starred = next((i for i, part in enumerate(target.elts) if isinstance(part, ast.Starred)), None)
    if value.elements is None or starred == place:
        return each(value)
    if starred is not None and place > starred:
        place += len(value.elements) - len(target.elts)
    return value.elements[place] if 0 <= place < len(value.elements) else each(value)
