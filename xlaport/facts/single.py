"""Whether what counts as a tensor is one tensor, or may be a list of them: `masks` of ``masks[i]``."""

from __future__ import annotations

import ast
import re

from xlaport.analysis.certain import is_proven
from xlaport.analysis.value import TENSOR, UNKNOWN
from xlaport.facts import known
from xlaport.facts.module import FunctionNode, last_name
from xlaport.facts.names import Binding, How
from xlaport.facts.passed import passed_to_any
from xlaport.facts.program import Facts
from xlaport.facts.structure import Structure

_SHOWING = frozenset(
    "shape dtype ndim size dim numel view view_as reshape permute transpose squeeze unsqueeze expand expand_as repeat "
    "contiguous flatten unflatten sum mean std var max min amax amin argmax argmin detach item new new_zeros new_ones "
    "new_tensor new_full new_empty masked_fill masked_fill_ masked_select clone type_as chunk split gather scatter "
    "scatter_ index_select matmul mm bmm pow sqrt exp log log_softmax softmax sigmoid tanh abs clamp clamp_ long float "
    "half double bool int zero_ fill_ copy_ add_ mul_ sub_ div_ requires_grad requires_grad_ backward narrow roll norm "
    "device cumsum topk argsort any all nonzero t unbind unfold".split()
)
"""Methods and attributes that tensors have, and lists, tuples and dicts have not."""
_ATTRIBUTES = frozenset({"shape", "dtype", "ndim", "device", "requires_grad"})
"""Those of them that are no methods, which tell without a call."""
_OF_LISTS = frozenset(
    f"torch.{name}"
    for name in (
        "cat concat concatenate stack hstack vstack dstack column_stack block_diag meshgrid broadcast_tensors "
        "cartesian_prod tensor as_tensor is_tensor atleast_1d atleast_2d atleast_3d einsum save chain_matmul "
        "linalg.multi_dot autograd.grad"
    ).split()
)
"""Functions of torch that take several tensors, or anything, in the first place."""
_LISTS = frozenset("List list Sequence Iterable Tuple tuple Dict dict Mapping".split())
_ORDERED = (ast.Sub, ast.Div, ast.Pow, ast.MatMult, ast.FloorDiv)
"""Operators that no list has."""
_COMPARED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Singles:
    """Answers `is_one` for expressions of the project's files."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure

    def is_one(self, facts: Facts, node: ast.expr) -> bool | None:
        """Whether an expression is known to be one tensor, or known to be several; None where nobody can tell."""
        value = self.structure.value(facts, node) or UNKNOWN
        if value.elements is not None or value.element is not None:
            return False
        if value.type == TENSOR and is_proven(value):
            return True
        if isinstance(node, ast.IfExp):
            sides = [self.is_one(facts, side) for side in (node.body, node.orelse)]
            return False if False in sides else True if None not in sides else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, _ORDERED):
            return True
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            return True if self.is_one(facts, node.value) else None
        return self._name(facts, node) if isinstance(node, ast.Name) else None

    def is_indexed_as_one(self, facts: Facts, node: ast.Subscript) -> bool | None:
        """The same for what is indexed, which the index and what becomes of a slice tell of, too."""
        if isinstance(node.slice, ast.Tuple):
            return True
        used = facts.module.parents[node]
        if isinstance(node.slice, ast.Slice) and isinstance(used, ast.Attribute) and used.attr in _SHOWING:
            return True
        return self.is_one(facts, node.value)

    def _name(self, facts: Facts, node: ast.Name) -> bool | None:
        """What a parameter is declared to be; and whether the same value is asked for what only a tensor has."""
        found, home = facts.names.reaching(node), facts.names.home(node)
        if any(self._is_for_several(facts, binding) for binding in found if binding.how is How.PARAMETER):
            return False
        uses = facts.names.uses(home, node.id) if home is not None else []
        return True if any(_shows(facts, use) and facts.names.reaching(use) == found for use in uses) else None

    def _is_for_several(self, facts: Facts, parameter: Binding) -> bool:
        """Whether a parameter is declared to be a list, described as one, or some call passes one."""
        function = facts.module.function_of(parameter.node)
        annotation = parameter.node.annotation if isinstance(parameter.node, ast.arg) else None
        noted = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        if noted is not None and last_name(noted) in _LISTS:
            return True
        given = [
            self.structure.value(there, value)
            for there, value in passed_to_any(self.structure, facts, parameter)
            if value
        ]
        is_given = any(value is not None and (value.elements or value.element) is not None for value in given)
        return is_given or (function is not None and _is_documented_as_several(function, parameter.name))


def _is_documented_as_several(function: FunctionNode, name: str) -> bool:
    """``masks (list<tensor>): …`` in the description of a function."""
    text = ast.get_docstring(function) if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) else None
    noted = rf"(?m)^\s*:?(?:param\s+)?\W*{re.escape(name)}\W*\s*[(:]\s*:?\s*`{{0,2}}(?:list|tuple|sequence|dict)\b"
    return text is not None and re.search(noted, text, re.IGNORECASE) is not None


def _shows(facts: Facts, use: ast.Name) -> bool:
    """Whether a use of a name would raise, were it a list of tensors."""
    parent = facts.module.parents[use]
    if isinstance(parent, ast.Attribute):
        is_called = isinstance(called := facts.module.parents[parent], ast.Call) and called.func is parent
        return parent.attr in _SHOWING and (is_called or parent.attr in _ATTRIBUTES)
    if isinstance(parent, ast.Subscript):
        return parent.value is use and isinstance(parent.slice, ast.Tuple)
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, _ORDERED)
    if isinstance(parent, ast.UnaryOp):
        return not isinstance(parent.op, ast.Not)
    if isinstance(parent, ast.Compare):
        return isinstance(parent.ops[0], _COMPARED)
    if isinstance(parent, ast.Call):
        name = facts.names.resolve(parent.func) or ""
        is_first = parent.args[:1] == [use] and name not in _OF_LISTS
        return is_first and known.computes_tensor(name)
    return False
