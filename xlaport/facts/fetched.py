"""``x.cpu()`` of something unknown: a tensor of the host, where what is done with it is done with tensors alone."""

from __future__ import annotations

import ast

from xlaport.facts import known
from xlaport.facts.module import Module
from xlaport.facts.names import Names

_OF_TENSORS = frozenset(
    "numpy tolist item sum mean max min argmax argmin view reshape squeeze unsqueeze permute sqrt abs pow".split()
)
"""Methods of tensors that neither modules nor batches have."""
_KEEPING = frozenset({"data", "detach", "float", "long", "clone"})


def is_tensor(module: Module, names: Names, call: ast.Call) -> bool:
    """Whether the result of a call of ``.cpu()`` is computed with, be it under a name."""
    parent = module.parents[call]
    targets = parent.targets if isinstance(parent, ast.Assign) and parent.value is call else []
    target = targets[0] if len(targets) == 1 else None
    return _is_computed_with(module, names, call) or any(
        _is_computed_with(module, names, use) for use in names.uses_of(target)
    )


def _is_computed_with(module: Module, names: Names, value: ast.expr) -> bool:
    parent = module.parents[value]
    if isinstance(parent, ast.BinOp):
        return not (isinstance(parent.op, ast.Mod) and parent.right is value)
    if isinstance(parent, ast.Attribute):
        if parent.attr in _OF_TENSORS:
            return True
        outer = module.parents[parent]
        kept = outer if isinstance(outer, ast.Call) and outer.func is parent else parent
        return parent.attr in _KEEPING and _is_computed_with(module, names, kept)
    if isinstance(parent, ast.Call) and value in parent.args[:1]:
        name = names.resolve(parent.func)
        return name is not None and known.computes_tensor(name)
    return False
