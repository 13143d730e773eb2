"""What a name must be, from the methods that a function or a class calls on it, where nothing else says what it is."""

from __future__ import annotations

import ast
from collections.abc import Set

from xlaport.analysis import value as types
from xlaport.analysis.batches import OF_BATCH
from xlaport.analysis.frame import Frame
from xlaport.analysis.scopes import CALLED, DIFFERENTIATED, MOVED_IN_PARTS, UNSCALED, Scope
from xlaport.analysis.value import PENDING, Certainty, Value
from xlaport.facts import vocabulary
from xlaport.facts.held import SCALAR, Held, Kind
from xlaport.facts.module import dotted


def _shown_by(uses: Set[str], path: str, line: int) -> Value | None:
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


def by_use(frame: Frame, node: ast.expr, value: Value) -> Value:
    """What a name or an attribute is; where nothing else tells, by how it is used."""
    is_batch = value.type == types.TENSOR and value.because == OF_BATCH
    is_open = value.is_unknown or (value is PENDING and frame.around.is_over)
    path = dotted(node) if is_open or is_batch else None
    if path is None or isinstance(getattr(node, "ctx", None), ast.Del):
        return value
    uses = _home(frame, path).uses.get(path, ())
    if is_batch:
        return Value(element=value, because=OF_BATCH, line=value.line) if MOVED_IN_PARTS in uses else value
    shown = _shown_by(frozenset(uses), path, node.lineno)
    if shown is not None and shown.type == types.MODULE and isinstance(node, ast.Name):
        return shown._replace(objects=frame.parameter_site(node.id))
    return shown or value


def known_loss(frame: Frame, node: ast.Name | ast.Attribute, value: Value) -> Value:
    """What a loss holds, of which nothing more is known than that backward() is called on it: one float."""
    name = node.id if isinstance(node, ast.Name) else node.attr
    path = dotted(node) if name in frame.function.scope.loss_names else None
    if path is None or path not in _home(frame, path).losses:
        return value
    frame.around.losses.add(node)
    if value.type != types.TENSOR:
        return value
    return value._replace(holds=Held(Kind.FLOAT, may_be_row=True) if value.holds.may_be_row else SCALAR)


def _home(frame: Frame, path: str) -> Scope:
    """The scope that a name is a variable of; ``self.x`` means the same in every method of a class."""
    function = frame.function
    if path.startswith("self.") and function.owner is not None:
        return function.owner.scope
    name = path.partition(".")[0]
    owner = function if name in function.scope.bound else frame.owner(name)
    return (owner or function).scope
