"""Whether what counts as a tensor is one tensor, or may be a list of them: `masks` of ``masks[i]``."""

from __future__ import annotations

import ast
import re

from xlaport.facts import known
from xlaport.facts.module import FunctionNode, last_name
from xlaport.facts.names import Binding, How
from xlaport.facts.passed import passed_to_any
from xlaport.facts.program import Facts
from xlaport.facts.role import TENSORS, Role, is_none
from xlaport.facts.roles import roles_of
from xlaport.facts.several import is_several
from xlaport.facts.structure import Function, Structure
from xlaport.facts.vocabulary import MODULE_KEEPING_METHODS

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
_MAX_DEPTH = 6


class Singles:
    """Answers `is_one` for expressions of the project's files."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._open: set[Binding] = set()

    def is_one(self, facts: Facts, node: ast.expr) -> bool | None:
        """Whether an expression is known to be one tensor, or known to be several; None where nobody can tell."""
        return self._is_one(facts, node, 0)

    def is_indexed_as_one(self, facts: Facts, node: ast.Subscript) -> bool | None:
        """The same for what is indexed, which the index and what becomes of a slice tell of, too."""
        if isinstance(node.slice, ast.Tuple):
            return True
        used = facts.module.parents[node]
        if isinstance(node.slice, ast.Slice) and isinstance(used, ast.Attribute) and used.attr in _SHOWING:
            return True
        return self.is_one(facts, node.value)

    def _is_one(self, facts: Facts, node: ast.expr, depth: int) -> bool | None:
        if depth > _MAX_DEPTH:
            return None
        if is_several(facts, node) or isinstance(node, ast.Dict | ast.DictComp | ast.GeneratorExp):
            return False
        if isinstance(node, ast.Name):
            return self._name(facts, node, depth)
        if isinstance(node, ast.Attribute):
            return self._attribute(facts, node, depth)
        if isinstance(node, ast.Subscript):
            return self._part(facts, node, depth)
        if isinstance(node, ast.Call):
            return self._called(facts, node, depth)
        if isinstance(node, ast.IfExp):
            return _agreed([self._is_one(facts, side, depth + 1) for side in (node.body, node.orelse)])
        if isinstance(node, ast.UnaryOp | ast.Compare):
            return True
        if isinstance(node, ast.BinOp):
            sides = (node.left, node.right)
            shows = isinstance(node.op, _ORDERED) or any(self._is_one(facts, side, depth + 1) for side in sides)
            return True if shows else None
        return None

    # -- names and attributes --------------------------------------------------------------------------

    def _name(self, facts: Facts, node: ast.Name, depth: int) -> bool | None:
        found = facts.names.reaching(node)
        # What is added to a value leaves it what it was.
        made = [binding for binding in found if binding.how is not How.AUGMENT] or list(found)
        known_of = _agreed([self._bound(facts, binding, depth) for binding in made])
        return True if known_of is None and found and self._is_used_as_one(facts, node, found) else known_of

    def _bound(self, facts: Facts, binding: Binding, depth: int) -> bool | None:
        if binding in self._open:
            return True  # what is made of itself is one if it was one before
        self._open.add(binding)
        try:
            return self._infer(facts, binding, depth)
        finally:
            self._open.discard(binding)

    def _infer(self, facts: Facts, binding: Binding, depth: int) -> bool | None:
        value = binding.value
        if binding.how is How.PARAMETER:
            return self._parameter(facts, binding, depth)
        if value is None:
            return None
        if binding.how is How.ASSIGN:
            return self._is_one(facts, value, depth + 1)
        if binding.how is How.AUGMENT and isinstance(binding.node, ast.Name):
            return self._is_one(facts, binding.node, depth + 1) or self._is_one(facts, value, depth + 1)
        if binding.how is How.UNPACK:
            return self._element(facts, value, binding.index, depth + 1)
        if binding.how is How.FOR:
            # What a loop gets of one tensor is one; of a list, it may be anything.
            return True if self._is_one(facts, value, depth + 1) else None
        return None

    def _parameter(self, facts: Facts, binding: Binding, depth: int) -> bool | None:
        arg, function = binding.node, facts.module.function_of(binding.node)
        if not isinstance(arg, ast.arg) or function is None:
            return None
        if arg.annotation is not None and (noted := _annotated(facts, arg.annotation)) is not None:
            return noted
        if _is_documented_as_several(function, arg.arg):
            return False
        given = passed_to_any(self.structure, facts, binding)
        return _agreed([self._is_one(where, v, depth + 1) if v is not None else None for where, v in given])

    def _is_used_as_one(self, facts: Facts, node: ast.Name, bindings: tuple[Binding, ...]) -> bool:
        """Whether the code asks the same value elsewhere for what only a tensor has."""
        home = facts.names.home(node)
        uses = facts.names.uses(home, node.id) if home is not None else []
        return any(
            isinstance(use.ctx, ast.Load) and _shows(facts, use) and facts.names.reaching(use) == bindings
            for use in uses
        )

    def _attribute(self, facts: Facts, node: ast.Attribute, depth: int) -> bool | None:
        if node.attr in ("data", "grad", "T", "mT", "H", "mH", "real", "imag"):
            return self._is_one(facts, node.value, depth + 1)
        owner = self.structure.instance_of(facts, node.value)
        if owner is None:
            return None
        bases = self.structure.bases(owner)
        if any(base.facts.classes.is_buffer(base.node, node.attr) for base in bases):
            return True
        values = [(where, v) for where, v in self.structure.assigned(bases, node.attr) if not is_none(v)]
        return _agreed([self._is_one(where, v, depth + 1) if v is not None else None for where, v in values])

    # -- parts and calls -------------------------------------------------------------------------------

    def _part(self, facts: Facts, node: ast.Subscript, depth: int) -> bool | None:
        if isinstance(node.slice, ast.Tuple):
            return True  # no list takes two indices, and a dict's keys are seldom two
        base = self._is_one(facts, node.value, depth + 1)
        if isinstance(node.slice, ast.Slice):
            return base
        return True if base else None

    def _called(self, facts: Facts, call: ast.Call, depth: int) -> bool | None:
        name = facts.names.resolve(call.func) or ""
        function = self.structure.run_by(facts, call)
        if function is not None and function.node.name != "__init__":
            return self._returned(function, None, depth)
        if known.makes_tensor(name) or known.computes_tensor(name) or name.startswith("einops."):
            return True
        if name:
            return None
        owner = self.structure.instance_of(facts, call.func)
        forward = self.structure.method(owner, "forward") if owner is not None else None
        if forward is not None:
            return self._returned(forward, None, depth)
        if isinstance(call.func, ast.Attribute) and roles_of(facts).role(call.func.value) in TENSORS:
            moves = call.func.attr in ("to", "cuda", "cpu")
            return True if moves or call.func.attr in _SHOWING else self._is_one(facts, call.func.value, depth + 1)
        return self._layer(facts, call.func)

    def _layer(self, facts: Facts, node: ast.expr) -> bool | None:
        """A layer of torch's, as it was made: all but recurrent and attending ones give one tensor."""
        made = [_layer_itself(call) for call in self._made(facts, node)]
        names = [facts.names.resolve(call.func) or "" for call in made]
        several = ("LSTM", "GRU", "RNN", "MultiheadAttention", "LSTMCell", "Transformer")
        if names and all(n.startswith("torch.nn.") and n.rpartition(".")[2] not in several for n in names):
            return True
        return None

    def _made(self, facts: Facts, node: ast.expr) -> list[ast.Call]:
        if isinstance(node, ast.Call):
            return [node]
        if isinstance(node, ast.Name):
            values = [b.value for b in facts.names.reaching(node)]
        elif isinstance(node, ast.Attribute):
            owner = facts.classes.instance_class(node.value)
            values = facts.classes.attribute_values(owner, node.attr) if owner is not None else []
        else:
            return []
        return [v for v in values if isinstance(v, ast.Call)] if all(isinstance(v, ast.Call) for v in values) else []

    def _returned(self, function: Function, index: int | None, depth: int) -> bool | None:
        values = [n.value for n in function.facts.module.returns(function.node) if n.value is not None]
        found = [
            self._is_one(function.facts, value, depth + 1)
            if index is None
            else self._element(function.facts, value, index, depth + 1)
            for value in values
        ]
        return _agreed(found) if not function.facts.module.yields(function.node) else None

    def _element(self, facts: Facts, value: ast.expr, index: int | None, depth: int) -> bool | None:
        """One element of a value that is unpacked."""
        if depth > _MAX_DEPTH or index is None:
            return None
        if isinstance(value, ast.Tuple | ast.List):
            fits = index < len(value.elts) and not any(isinstance(e, ast.Starred) for e in value.elts)
            return self._is_one(facts, value.elts[index], depth + 1) if fits else None
        if not isinstance(value, ast.Call):
            return True if self._is_one(facts, value, depth + 1) else None
        function = self.structure.run_by(facts, value)
        if function is not None and function.node.name != "__init__":
            return self._returned(function, index, depth)
        name = facts.names.resolve(value.func) or ""
        if known.computes_tensor(name):
            return True
        is_method = isinstance(value.func, ast.Attribute) and roles_of(facts).is_(value.func.value, Role.TENSOR)
        return True if is_method and not name else None


def _layer_itself(call: ast.Call) -> ast.Call:
    """``nn.Linear(4, 4)`` of ``nn.Linear(4, 4).to(device).eval()``."""
    while isinstance(call.func, ast.Attribute) and call.func.attr in MODULE_KEEPING_METHODS:
        if not isinstance(call.func.value, ast.Call):
            break
        call = call.func.value
    return call


def _agreed(found: list[bool | None]) -> bool | None:
    """One tensor where all are; several where any is; None for nothing at all, too."""
    if False in found:
        return False
    return True if found and None not in found else None


def _annotated(facts: Facts, annotation: ast.expr) -> bool | None:
    if (facts.names.resolve(annotation) or "") == "torch.Tensor":
        return True
    if isinstance(annotation, ast.Subscript) and last_name(annotation.value) == "Optional":
        return _annotated(facts, annotation.slice)
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return _annotated(facts, annotation.left)
    named = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return False if last_name(named) in _LISTS else None


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
