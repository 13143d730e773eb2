"""Which file an expression names: whether what is saved in one place is what is loaded in another."""

from __future__ import annotations

import ast

from xlaport.facts.names import How
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.spot import Spot
from xlaport.facts.structure import Structure

_MAX_DEPTH = 6
_SPELLED = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Attribute, ast.Name)
"""What a name is given that says the file as well as the name does, wherever it stands."""


def files_named(structure: Structure, facts: Facts, node: ast.expr) -> frozenset[str]:
    """A key for each file that a path, or an open file, may be: the same key is the same file."""
    opened = _opened(facts, node)
    if opened is not None:
        return files_named(structure, facts, opened)
    found = Origins(structure).of(facts, node) or [Spot(facts, node)]
    keys: set[str] = set()
    for spot in found:
        inner = _opened(spot.facts, spot.node)
        keys.add(_key(spot.facts, inner if inner is not None else spot.node, 0))
    return frozenset(keys)


def _opened(facts: Facts, node: ast.expr) -> ast.expr | None:
    """The path of an open file: ``with open(path, "rb") as f``, ``with path.open() as f``, ``open(path)``."""
    if isinstance(node, ast.Name):
        found = facts.names.reaching(node)
        only = found[0] if len(found) == 1 and found[0].how in (How.WITH, How.ASSIGN) else None
        return _opened(facts, only.value) if only is not None and isinstance(only.value, ast.Call) else None
    if not isinstance(node, ast.Call):
        return None
    if facts.names.resolve(node.func) in ("builtins.open", "io.open") and node.args:
        return node.args[0]
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "open"
    return node.func.value if is_method and isinstance(node.func, ast.Attribute) else None


def _key(facts: Facts, node: ast.AST, depth: int) -> str:
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.Name):
        return _name_key(facts, node, depth)
    parts = [type(node).__name__]
    for field, value in ast.iter_fields(node):
        if field in ("ctx", "kind", "type_comment"):
            continue
        for part in value if isinstance(value, list) else [value]:
            parts.append(_key(facts, part, depth) if isinstance(part, ast.AST) else repr(part))
    return f"({' '.join(parts)})"


def _name_key(facts: Facts, node: ast.Name, depth: int) -> str:
    owner = facts.names.self_class(node)
    if owner is not None:
        return f"{facts.file}:{owner.name}:{owner.lineno}"
    bindings = facts.names.reaching(node)
    if len(bindings) == 1 and bindings[0].how is How.ASSIGN and depth < _MAX_DEPTH:
        value = bindings[0].value
        if isinstance(value, _SPELLED):
            return _key(facts, value, depth + 1)
    if not bindings or any(b.how is How.IMPORT for b in bindings):
        return facts.names.resolve(node) or f"{facts.file}:{node.id}"
    return f"{facts.file}:{sorted(getattr(b.node, 'lineno', 0) for b in bindings)}:{node.id}"
