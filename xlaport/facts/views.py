"""Views: the way from a tensor to another one in the same memory, through names, calls and functions of the project."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from xlaport.facts.literals import integer
from xlaport.facts.module import indices
from xlaport.facts.names import Binding, How
from xlaport.facts.passed import passed
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, roles_of
from xlaport.facts.structure import Structure

_MAX_DEPTH = 12
_MAX_WAYS = 12
_MAX_NAMES = 200
"""Bindings that are looked at for one question: where each of many changes in place may come after each other, the
ways between them are more than anybody can follow."""

_REPEATING = frozenset("expand expand_as broadcast_to broadcast_tensors meshgrid".split())
_REORDERING = frozenset("transpose t T mT H mH permute swapaxes swapdims movedim moveaxis adjoint".split())
_PARTING = {"select": 0, "narrow": 0, "chunk": 1, "split": 1, "tensor_split": 1, "unbind": 0}
"""Methods that give parts, with the position of the dimension among their arguments."""
_KEEPING = frozenset("view view_as unsqueeze squeeze detach data unflatten real".split())
_COPYING = frozenset("contiguous reshape reshape_as flatten ravel".split())
"""Methods that copy a tensor where it does not lie in memory as they want it, and else give a view."""


def without_gradient(node: ast.expr) -> ast.expr:
    """``loss`` of ``loss.detach()`` and ``loss.data``: the same memory, for which nothing has to be computed."""
    while True:
        if isinstance(node, ast.Attribute) and node.attr == "data":
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "detach":
            node = node.func.value
        else:
            return node


class Change(Enum):
    """What one step of a way does with the memory."""

    REPEATS = "repeats"
    """Elements may have several places: ``x.expand(4, -1)``."""
    REORDERS = "reorders"
    """The elements are not in their order any more, or not all of them are there: ``x.t()``, ``x[:, 1:]``."""
    KEEPS = "keeps"
    COPIES = "copies"
    """A copy, unless the memory is in order: ``x.contiguous()``."""


@dataclass(frozen=True)
class Step:
    """One step of a way: the expression that it makes of the one before."""

    change: Change
    facts: Facts
    node: ast.expr


@dataclass(frozen=True)
class Way:
    """How a tensor came from another one, `root`, in the order of the program."""

    facts: Facts
    root: ast.expr
    steps: tuple[Step, ...] = ()

    def then(self, change: Change, facts: Facts, node: ast.expr) -> Way:
        """The way with one more step."""
        return Way(self.facts, self.root, (*self.steps, Step(change, facts, node)))


class Views:
    """Answers `ways` for expressions of the project's files."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._open: set[object] = set()
        self._names_left = _MAX_NAMES

    def ways(self, facts: Facts, node: ast.expr) -> list[Way]:
        """The ways by which an expression may share its memory with another one; a root alone where it is new."""
        if node in self._open or len(self._open) > _MAX_DEPTH:
            return []
        if not self._open:
            self._names_left = _MAX_NAMES
        self._open.add(node)
        try:
            return list(self._of(facts, node))[:_MAX_WAYS]
        finally:
            self._open.discard(node)

    def _of(self, facts: Facts, node: ast.expr) -> Iterator[Way]:
        if isinstance(node, ast.Name):
            yield from self._name(facts, node)
        elif isinstance(node, ast.IfExp):
            yield from self.ways(facts, node.body)
            yield from self.ways(facts, node.orelse)
        elif isinstance(node, ast.Attribute) and node.attr in _REORDERING | _KEEPING:
            change = Change.REORDERS if node.attr in _REORDERING else Change.KEEPS
            yield from (way.then(change, facts, node) for way in self.ways(facts, node.value))
        elif isinstance(node, ast.Subscript):
            change_ = _indexed(facts, node)
            if change_ is not None:
                yield from (way.then(change_, facts, node) for way in self.ways(facts, node.value))
            else:
                yield Way(facts, node)
        elif isinstance(node, ast.Call):
            yield from self._call(facts, node)
        else:
            yield Way(facts, node)

    # -- names -----------------------------------------------------------------------------------------

    def _name(self, facts: Facts, node: ast.Name) -> Iterator[Way]:
        for binding in facts.names.reaching(node):
            if binding in self._open or self._names_left <= 0:
                continue
            self._names_left -= 1
            self._open.add(binding)
            try:
                found = list(self._bound(facts, binding))
            finally:
                self._open.discard(binding)
            # A name for what is new is the root itself: its uses are those of the tensor.
            yield from found if any(way.steps for way in found) else [Way(facts, node)]

    def _bound(self, facts: Facts, binding: Binding) -> Iterator[Way]:
        if binding.how is How.PARAMETER:
            yield from self._passed(facts, binding)
        elif binding.how in (How.ASSIGN, How.UNPACK) and binding.value is not None:
            value, index = binding.value, binding.index
            if binding.how is How.UNPACK and isinstance(value, ast.Tuple | ast.List):
                if index is not None and index < len(value.elts):
                    yield from self.ways(facts, value.elts[index])
            elif binding.how is How.ASSIGN or _name_of(facts, value) in _REPEATING | _PARTING.keys():
                # `x = x.t()`: the name on the right is what it was before.
                yield from self.ways(facts, value)
        elif binding.how is How.AUGMENT and isinstance(binding.node, ast.Name):
            yield from self._name(facts, binding.node)

    def _passed(self, facts: Facts, binding: Binding) -> Iterator[Way]:
        for where, value in passed(self.structure, facts, binding):
            if value is not None:
                yield from self.ways(where, value)

    # -- calls -----------------------------------------------------------------------------------------

    def _call(self, facts: Facts, node: ast.Call) -> Iterator[Way]:
        name, operand = _name_of(facts, node), _operand(facts, node)
        if name in ("broadcast_tensors", "meshgrid") and facts.names.resolve(node.func) is not None:
            yield Way(facts, node).then(Change.REPEATS, facts, node)
            return
        change = _change(facts, node, name)
        if change is not None and operand is not None:
            found = self.ways(facts, operand) or [Way(facts, operand)]
            yield from (way.then(change, facts, node) for way in found)
            return
        function = self.structure.run_by(facts, node)
        if function is not None and function.node.name != "__init__":
            for returned in function.facts.module.returns(function.node):
                if returned.value is not None:
                    yield from self.ways(function.facts, returned.value)
            return
        yield Way(facts, node)


def _name_of(facts: Facts, node: ast.expr) -> str:
    """The last name of a function of torch's, or of a method of something; empty for other calls."""
    if not isinstance(node, ast.Call):
        return ""
    name = facts.names.resolve(node.func)
    if name is not None:
        return name.rpartition(".")[2] if name.startswith("torch.") else ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _operand(facts: Facts, node: ast.Call) -> ast.expr | None:
    """The tensor that a function or a method works on."""
    if facts.names.resolve(node.func) is not None:
        return node.args[0] if node.args and not isinstance(node.args[0], ast.Starred) else None
    return node.func.value if isinstance(node.func, ast.Attribute) else None


def _change(facts: Facts, node: ast.Call, name: str) -> Change | None:
    if name in ("broadcast_tensors", "meshgrid"):
        return None  # a method of something else
    if name in _REPEATING:
        return Change.REPEATS
    if name in _REORDERING:
        return Change.REORDERS
    if name in _PARTING:
        return Change.REORDERS if _dimension(facts, node, name) not in (None, 0) else Change.KEEPS
    if name in _COPYING:
        return Change.COPIES
    if name == "to" and len(node.args) == 1 and roles_of(facts).is_(node.args[0], Role.DEVICE):
        # What was on the host is copied.
        operand = _operand(facts, node)
        return Change.KEEPS if operand is not None and roles_of(facts).is_(operand, Role.TENSOR) else None
    return Change.KEEPS if name in _KEEPING and facts.names.resolve(node.func) is None else None


def _dimension(facts: Facts, node: ast.Call, name: str) -> int | None:
    """The dimension that a tensor is parted along; None where it is no number in the source."""
    own = node.args if facts.names.resolve(node.func) is None else node.args[1:]
    position = _PARTING[name]
    given = next((k.value for k in node.keywords if k.arg == "dim"), own[position] if len(own) > position else None)
    if given is None:
        return 0
    return integer(given)


def _indexed(facts: Facts, node: ast.Subscript) -> Change | None:
    """What an index does: slices and numbers give a view; None for tensors and lists, which copy."""
    elements = indices(node)
    change, several = Change.KEEPS, False
    for element in elements:
        if isinstance(element, ast.Constant) and (element.value is None or element.value is Ellipsis):
            several = several or element.value is Ellipsis
        elif isinstance(element, ast.Slice):
            whole = element.lower is None and element.upper is None
            if element.step is not None or (several and not whole):
                change = Change.REORDERS
            several = True
        elif roles_of(facts).is_(element, Role.NUMBER) or _is_integer(element):
            change = Change.REORDERS if several else change
        else:
            return None
    return change


def _is_integer(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(number, ast.Constant) and type(number.value) is int
