"""Scripts that load what they run with ``map_location="cpu"`` and move nothing: they play a model on the CPU."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.used_code import ACCELERATOR, imports_placing_package, used, words

_SPEAKING = re.compile(rf"{ACCELERATOR}|distributed", re.IGNORECASE)
_CHOOSING = re.compile(_SPEAKING.pattern.replace("|device", ""), re.IGNORECASE)
"""What code says that chooses an accelerator by itself, and does not get its device from the script."""
_MAX_DEPTH = 4


def plays_on_host(context: Context) -> bool:
    """Whether a script that nobody imports loads to the CPU alone, and neither it nor what it uses goes elsewhere."""
    if "map_location" not in context.module.text or context.view.is_alone or context.view.importers:
        return False
    own = context.view.own
    loads = [call for call in context.module.calls if context.resolve(call.func) == "torch.load"]
    places = [next((k.value for k in call.keywords if k.arg == "map_location"), None) for call in loads]
    if not places or not all(place is not None and _is_host(own, place, 0) for place in places):
        return False
    if any(_goes_elsewhere(own, node) for node in context.module.nodes):
        return False
    return not any(_chooses(n) for _, node in used(own) for n in ast.walk(node))


def _is_host(facts: Facts, node: ast.expr, depth: int) -> bool:
    """``"cpu"``, ``torch.device("cpu")``, or a name that is nothing else."""
    if isinstance(node, ast.Constant):
        return node.value == "cpu"
    if isinstance(node, ast.Call):
        return facts.names.resolve(node.func) == "torch.device" and all(_is_host(facts, a, depth) for a in node.args)
    if not isinstance(node, ast.Name) or depth > _MAX_DEPTH:
        return False
    found = facts.names.reaching(node)
    return bool(found) and all(
        b.how is How.ASSIGN and b.value is not None and _is_host(facts, b.value, depth + 1) for b in found
    )


def _goes_elsewhere(facts: Facts, node: ast.AST) -> bool:
    """Whether code of the script may speak of a device other than the CPU."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return imports_placing_package(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        given = [*node.args, *(k.value for k in node.keywords if k.arg == "device")]
        return not all(_is_host(facts, v, 0) or (facts.names.resolve(v) or "").startswith("torch.") for v in given)
    if not any(_SPEAKING.search(word) for word in words(node)):
        return False
    if isinstance(node, ast.keyword):
        return not _is_host(facts, node.value, 0)
    if isinstance(node, ast.Attribute):
        called = facts.module.parents[node]
        return not (isinstance(called, ast.Call) and called.func is node and _is_host(facts, called, 0))
    # What a name is given speaks for itself.
    return not (isinstance(node, ast.Name) and (isinstance(node.ctx, ast.Store) or _is_host(facts, node, 0)))


def _chooses(node: ast.AST) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return imports_placing_package(node)
    return any(_CHOOSING.search(word) for word in words(node))
