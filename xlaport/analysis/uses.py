"""What a name must be, from the methods that a function or a class calls on it, where nothing else says what it is."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.analysis import value as types
from xlaport.analysis.value import Certainty, Value
from xlaport.facts import vocabulary

Uses = dict[str, set[str]]
"""By dotted path: the methods that are called on it, and `CALLED`, `DIFFERENTIATED`, `UNSCALED`."""

CALLED = "called"
DIFFERENTIATED = "backward()"
UNSCALED = "unscaled by a scaler"


def uses_in(nodes: Iterable[ast.AST]) -> Uses:
    """The uses of all paths in some code."""
    found: Uses = {}

    def note(node: ast.expr, use: str) -> None:
        path = dotted(node)
        if path is not None:
            found.setdefault(path, set()).add(use)

    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Attribute) and node.attr == "param_groups":
                note(node.value, node.attr)
            if not isinstance(node, ast.Call):
                continue
            note(node.func, CALLED)
            if not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr != "backward":
                note(node.func.value, node.func.attr)
            elif not node.args:  # with an argument it is the method of a trainer: accelerator.backward(loss)
                note(node.func.value, DIFFERENTIATED)
            if node.func.attr == "unscale_" and len(node.args) == 1:
                note(node.args[0], UNSCALED)
    return found


def shown_by(uses: set[str], path: str, line: int) -> Value | None:
    """What uses show."""
    shown = uses & vocabulary.MODULE_USES
    if UNSCALED in uses or "param_groups" in uses or (uses >= {"zero_grad", "step"} and CALLED not in uses):
        kind, phrase = types.OPTIMIZER, f"{path} is used as an optimizer"
    elif len(shown) >= 2 or (shown and uses & {"state_dict", "load_state_dict", CALLED}):
        kind, phrase = types.MODULE, f"{path} is used as a model"
    elif uses & vocabulary.DISTRIBUTION_USES:
        kind, phrase = types.OBJECT, f"{path} is used as a distribution"
    elif DIFFERENTIATED in uses:
        kind, phrase = types.TENSOR, f"{path}.backward() is called"
    else:
        return None
    return Value(kind, certainty=Certainty.ASSUMED, because=phrase, line=line)


def dotted(node: ast.expr) -> str | None:
    """``self.model`` of such an expression; None where it is no path of names."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None
