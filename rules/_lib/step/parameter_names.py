"""What parameters are called, and statements that put one in the place of another, by the names alone."""

from __future__ import annotations

import ast
import re

from xlaport.facts.roles import dotted

_PARAMETER = re.compile(r"(in_proj_)?(weight|bias)|(weight|bias)_(ih|hh)_l\d+(_reverse)?")
"""What the layers of PyTorch call their parameters."""


def looks_like_tie(statement: ast.stmt) -> bool:
    """``a.b.weight = a.c.weight``, by the names alone."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    ends = [dotted(node) for node in (statement.targets[0], statement.value)]
    return all(end is not None and is_parameter_name(end.rpartition(".")[2]) for end in ends) and ends[0] != ends[1]


def is_parameter_name(name: str) -> bool:
    """``weight``, ``bias``, ``in_proj_weight``, ``weight_ih_l0``."""
    return _PARAMETER.fullmatch(name) is not None
