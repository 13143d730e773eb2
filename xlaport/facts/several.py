"""Values that are several tensors: what ``torch.split(x, n)``, ``x.chunk(4)`` and the like give is a tuple."""

from __future__ import annotations

import ast

from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.roles import TENSORS, roles_of

_GIVING = frozenset(
    "split tensor_split hsplit vsplit dsplit split_with_sizes chunk unbind unsafe_split unsafe_chunk".split()
)
"""Functions and methods of tensors. Source: the signatures of torch 2.9."""
_GIVING_OF_SEVERAL = frozenset(
    f"torch.{name}" for name in "meshgrid broadcast_tensors align_tensors atleast_1d atleast_2d atleast_3d".split()
)
"""Functions alone, which give as many as they get."""
_MAX_DEPTH = 4


def is_several(facts: Facts, node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression may be a tuple or a list of tensors, and no tensor."""
    if isinstance(node, ast.Tuple | ast.List | ast.ListComp):
        return True
    if isinstance(node, ast.Call):
        return _gives_several(facts, node)
    if not isinstance(node, ast.Name) or depth > _MAX_DEPTH:
        return False
    return any(
        binding.how is How.ASSIGN and binding.value is not None and is_several(facts, binding.value, depth + 1)
        for binding in facts.names.reaching(node)
    )


def _gives_several(facts: Facts, call: ast.Call) -> bool:
    name = facts.names.resolve(call.func)
    if name is not None:
        return name in _GIVING_OF_SEVERAL or (name.startswith("torch.") and name.rpartition(".")[2] in _GIVING)
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _GIVING:
        return False
    return roles_of(facts).role(call.func.value) in TENSORS
