"""The layer that takes a packed sequence: whose it is, how many directions it has, and whether its state is used."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.analysis.value import PACKED
from xlaport.context import Context
from xlaport.facts.origins import Origins
from xlaport.facts.roles import dotted
from xlaport.facts.spot import Spot

_RECURRENT = frozenset({"torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN"})
_UNPACK = "torch.nn.utils.rnn.pad_packed_sequence"
PARTS = frozenset({"batch_sizes", "sorted_indices", "unsorted_indices"})
"""What a packed sequence has besides its elements."""


@dataclass(frozen=True)
class Layer:
    """What a packed sequence is given to."""

    name: str
    """As it is called: ``self.rnn``."""
    own: str | None
    """The project's own class whose `forward()` takes the packed sequence apart."""
    is_own: bool
    """Whether it is never anything else: no layer of torch's in another branch."""
    directions: int | None
    """How many directions it reads in; None: not known."""
    keeps_state: bool
    """Whether its last state is used."""
    parts: ast.expr | None = None
    """Where the elements of what it gives are taken, packed together: ``out[0]``, ``out.data``."""


def layer(context: Context, uses: list[ast.AST]) -> Layer | None:
    """The layer that one of the uses of a packed sequence runs."""
    for use in uses:
        if not isinstance(use, ast.Call) or context.resolve(use.func) == _UNPACK:
            continue
        name = dotted(use.func)
        if name is None:
            continue
        spots = Origins(context.flow.structure).of(context.view.own, use.func) or []
        owners = [_own(context, spot) for spot in spots]
        own = next((found for found in owners if found is not None), None)
        # Beside the sequence, a layer of torch's takes a state, which is not packed.
        is_own = None not in owners or len(use.args) > 1
        return Layer(name, own, is_own, _directions(spots), _keeps_state(context, use), _parts(context, use))
    return None


def _own(context: Context, spot: Spot) -> str | None:
    """The name of a class of the project whose `forward()` asks for the parts of what is packed, or whether it is."""
    structure = context.flow.structure
    owner = structure.class_named(spot.facts, spot.node.func) if isinstance(spot.node, ast.Call) else None
    forward = structure.method(owner, "forward") if owner is not None else None
    if owner is None or forward is None:
        return None
    parts = {n.attr for n in ast.walk(forward.node) if isinstance(n, ast.Attribute)}
    inside = (structure.value(forward.facts, n) for n in ast.walk(forward.node) if isinstance(n, ast.Name))
    asks = any(value is not None and value.type == PACKED for value in inside)
    return owner.node.name if asks or not PARTS.isdisjoint(parts) else None


def _directions(spots: list[Spot]) -> int | None:
    """2 for ``nn.LSTM(…, bidirectional=True)``, 1 where nothing is said; None where it is not one of torch's."""
    found: set[int | None] = set()
    for spot in spots:
        node = spot.node
        if not isinstance(node, ast.Call) or spot.facts.names.resolve(node.func) not in _RECURRENT:
            return None
        given = next((k.value for k in node.keywords if k.arg == "bidirectional"), None)
        if any(k.arg is None for k in node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
            return None
        if given is None:
            found.add(1 if len(node.args) < len("input hidden layers bias first dropout both".split()) else None)
        else:
            is_known = isinstance(given, ast.Constant) and isinstance(given.value, bool)
            found.add((2 if given.value else 1) if is_known and isinstance(given, ast.Constant) else None)
    return found.pop() if len(found) == 1 else None


def _keeps_state(context: Context, call: ast.Call) -> bool:
    """Whether the second thing that a recurrent layer gives is used; True where that is not plain to see."""
    parent = context.module.parents[call]
    if isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant):
        return parent.slice.value != 0
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
        return True
    states = [
        n for n in ast.walk(target.elts[1]) if isinstance(n, ast.expr) and isinstance(n, ast.Name | ast.Attribute)
    ]
    return any(not isinstance(state, ast.Name) or context.names.uses_of(state) for state in states)


def _parts(context: Context, call: ast.Call) -> ast.expr | None:
    """``out[0]`` and ``out.data`` of ``out, state = rnn(packed)``, which are what is packed."""
    parent = context.module.parents[call]
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    out = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else None
    for use in context.names.uses_of(out):
        taken = context.module.parents[use]
        if isinstance(taken, ast.Subscript) and isinstance(taken.slice, ast.Constant) and taken.slice.value == 0:
            return taken
        if isinstance(taken, ast.Attribute) and taken.attr == "data":
            return taken
    return None
