"""Whether code may say on which device something is to be.

``device=x.device`` places nothing: it puts one tensor beside another.
"""

from __future__ import annotations

import ast
import re

from xlaport.facts.literals import integer
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.role import TENSORS, Role
from xlaport.facts.roles import roles_of
from xlaport.facts.used_code import ACCELERATOR, imports_placing_package, words

_CHOOSING = re.compile(rf"{ACCELERATOR}|init_process_group", re.IGNORECASE)
_SETTINGS = re.compile(r"arg|opt|cfg|conf|param|setting|flag|self|trainer|fabric|state", re.IGNORECASE)
"""Names of what holds settings, one of which may be a device."""
_MAX_DEPTH = 4


def chooses_device(facts: Facts, node: ast.AST) -> bool:
    """Whether a node may say on which device something is to be."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return imports_placing_package(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        # A name that speaks of no device holds a tensor, or what code that does speak of one has given.
        return any(not isinstance(a, ast.Name | ast.Attribute | ast.Starred) for a in node.args)
    if isinstance(node, ast.keyword) and node.arg == "device":
        return isinstance(node.value, ast.Call | ast.IfExp)
    if isinstance(node, ast.Name | ast.Attribute) and _follows(facts, node, 0):
        return False
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return False  # what it is given speaks for itself
    return any(_CHOOSING.search(word) for word in words(node))


def _follows(facts: Facts, node: ast.expr, depth: int) -> bool:
    """Whether an expression is the device of a tensor that is there: ``x.device``, or a name that was given it."""
    if isinstance(node, ast.Attribute):
        if node.attr != "device" or facts.names.resolve(node) is not None:
            return False
        role = roles_of(facts).role(node.value)
        is_one_of_several = isinstance(node.value, ast.Subscript) and integer(node.value.slice) is not None
        is_plain = isinstance(node.value, ast.Name) and _SETTINGS.search(node.value.id) is None
        return role in TENSORS or (role in (None, Role.OTHER) and (is_plain or is_one_of_several))
    if not isinstance(node, ast.Name) or depth > _MAX_DEPTH:
        return False
    found = facts.names.reaching(node) if isinstance(node.ctx, ast.Load) else ()
    values: list[ast.expr | None] = []
    for binding in found:
        value = binding.value
        if binding.how is How.UNPACK and isinstance(value, ast.Tuple) and binding.index is not None:
            value = value.elts[binding.index] if binding.index < len(value.elts) else None
        values.append(value if binding.how in (How.ASSIGN, How.UNPACK) else None)
    return bool(values) and all(v is not None and _follows(facts, v, depth + 1) for v in values)
