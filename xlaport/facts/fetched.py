"""``x.cpu()``, ``x.cuda()`` of something unknown: a tensor where what is done with it is done with tensors alone."""

from __future__ import annotations

import ast

from xlaport.facts import known
from xlaport.facts.module import Module
from xlaport.facts.names import Names

_OF_TENSORS = frozenset(
    "numpy tolist item sum mean max min argmax argmin view reshape squeeze unsqueeze permute sqrt abs pow".split()
)
"""Methods of tensors that neither modules nor batches have."""
_SHAPING = frozenset("view reshape t contiguous permute transpose narrow unsqueeze squeeze repeat expand".split())
"""Methods whose result can be moved only where it is a tensor: arrays of numpy have no `.cuda()`."""
_KEEPING = frozenset({"data", "detach", "float", "long", "clone"})


def is_tensor(module: Module, names: Names, call: ast.Call) -> bool:
    """Whether the result of a call of ``.cpu()`` is computed with, be it under a name."""
    parent = module.parents[call]
    targets = parent.targets if isinstance(parent, ast.Assign) and parent.value is call else []
    target = targets[0] if len(targets) == 1 else None
    return _is_computed_with(module, names, call) or any(
        _is_computed_with(module, names, use) for use in names.uses_of(target)
    )


def is_of_tensors(names: Names, value: ast.expr) -> bool:
    """Whether an expression is what a method of tensors gives: ``x.view(n, -1).t()`` of something unknown."""
    value = names.assigned(value) or value
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _SHAPING


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
