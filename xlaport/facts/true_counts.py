"""Masks whose true places the host could count: those of sizes and numbers alone, and those with one in each row."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts
from xlaport.facts.role import TENSORS
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import CallSite, Function, structure_of

_MAX_DEPTH = 24
_MAX_HOPS = 2
_MAKING = frozenset(f"torch.{name}" for name in "arange eye full linspace ones tril_indices triu_indices zeros".split())
_JOINING = frozenset({"torch.cartesian_prod", "torch.meshgrid", "torch.combinations"})
_LIKE = frozenset({"torch.ones_like", "torch.zeros_like", "torch.full_like"})
_NEW = frozenset({"new_ones", "new_zeros", "new_full"})
_ELEMENTWISE = frozenset(
    "tril triu bool byte float int long to type clone contiguous view reshape unsqueeze squeeze expand repeat flatten "
    "transpose t permute logical_not logical_and logical_or logical_xor bitwise_not eq ne lt le gt ge cuda cpu "
    "fill_diagonal roll flip expand_as view_as unbind sqrt ceil floor round trunc abs neg sign square clamp pow "
    "remainder add sub mul div minimum maximum".split()
)
"""Functions and methods whose result is that of the values and shapes alone that they get."""
_REDUCING = frozenset("sum max min amax amin any all cumsum argmax argmin count_nonzero".split())
"""Methods that give fewer numbers, or sums of them; `max` and `min` of a dimension give pairs, which no mask is."""
_KEEPING = frozenset("bool byte float int long to type clone contiguous detach cuda cpu".split())
_HOT = frozenset({"torch.nn.functional.one_hot"})


@dataclass(frozen=True)
class TrueCount:
    """`index`: the tensor that says for each row at which place the mask is true; None for a mask of sizes alone."""

    index: ast.expr | None = None
    passed: tuple[CallSite, ...] = ()
    """The calls that pass what a mask of sizes is made of."""
    like: tuple[str, ...] = ()
    """The functions among those that make it which put it where another tensor lies: ``ones_like``, ``new_zeros``."""


class TrueCounts:
    """Answers for the masks of one file."""

    def __init__(self, facts: Facts, hops: int = 0) -> None:
        """`hops`: how many calls lie between the mask and what is asked here."""
        self.facts = facts
        self._hops = hops
        self._passed: dict[CallSite, None] = {}
        self._like: dict[str, None] = {}

    def of(self, mask: ast.expr) -> TrueCount | None:
        """How the places of a mask are given; None where only the device knows their number."""
        index = self._index(mask, 0)
        if index is not None:
            return TrueCount(index)
        self._passed.clear()
        self._like.clear()
        is_of_shapes = self._is_of_shapes(mask, 0)
        return TrueCount(passed=tuple(self._passed), like=tuple(self._like)) if is_of_shapes else None

    # -- one true place for each row -------------------------------------------------------------------

    def _index(self, node: ast.expr, depth: int) -> ast.expr | None:
        """``i`` of ``torch.eye(n)[i]`` and ``F.one_hot(i, n)``, through names and changes of the dtype."""
        if depth > _MAX_DEPTH:
            return None
        if isinstance(node, ast.Name):
            value = self._value(node)
            return self._index(value, depth + 1) if value is not None else None
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            one = node.comparators[0]
            return self._index(node.left, depth + 1) if isinstance(one, ast.Constant) and one.value == 1 else None
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice | ast.Tuple | ast.Constant):
            return node.slice if self._is_unit_matrix(node.value, depth) else None
        if isinstance(node, ast.Call):
            if self.facts.names.resolve(node.func) in _HOT and node.args:
                return node.args[0]
            if isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING:
                return self._index(node.func.value, depth + 1)
        return None

    def _is_unit_matrix(self, node: ast.expr, depth: int) -> bool:
        if depth > _MAX_DEPTH:
            return False
        if isinstance(node, ast.Name):
            value = self._value(node)
            return value is not None and self._is_unit_matrix(value, depth + 1)
        if not isinstance(node, ast.Call):
            return False
        if self.facts.names.resolve(node.func) == "torch.eye":
            return len(node.args) == 1
        func = node.func
        return isinstance(func, ast.Attribute) and func.attr in _KEEPING and self._is_unit_matrix(func.value, depth + 1)

    # -- masks of shapes -------------------------------------------------------------------------------

    def _is_of_shapes(self, node: ast.expr, depth: int) -> bool:
        """Whether what a tensor holds is known from sizes and from numbers of the host."""
        if depth > _MAX_DEPTH:
            return False
        if isinstance(node, ast.Name):
            values = self._values(node)
            return all(self._is_of_shapes(v, depth + 1) for v in values) if values else self._is_given_so(node, depth)
        if isinstance(node, ast.UnaryOp):
            return self._is_of_shapes(node.operand, depth + 1)
        if isinstance(node, ast.BinOp):
            return self._agree([node.left, node.right], depth, tensors=1)
        if isinstance(node, ast.Compare):
            return self._agree([node.left, *node.comparators], depth, tensors=1)
        if isinstance(node, ast.Subscript):
            return self._is_of_shapes(node.value, depth + 1) and self._agree([node.slice], depth)
        if isinstance(node, ast.Attribute):
            return node.attr in ("T", "mT") and self._is_of_shapes(node.value, depth + 1)
        return isinstance(node, ast.Call) and self._is_made_of_shapes(node, depth)

    def _is_made_of_shapes(self, node: ast.Call, depth: int) -> bool:
        name = self.facts.names.resolve(node.func) or ""
        given = [*node.args, *(k.value for k in node.keywords if k.arg not in ("device", "dtype"))]
        if name in _MAKING:
            return self._agree(given, depth)
        if name in _JOINING:
            return bool(given) and all(self._is_of_shapes(part, depth + 1) for part in given)
        if name in _LIKE:
            self._like[name.rpartition(".")[2]] = None
            return self._are_numbers(given[1:])
        if name.startswith("torch.") and name.rpartition(".")[2] in _ELEMENTWISE:
            return bool(given) and self._is_of_shapes(given[0], depth + 1) and self._agree(given[1:], depth)
        func = node.func
        if isinstance(func, ast.Attribute) and not name and func.attr in _NEW:
            self._like[func.attr] = None
            return self._are_numbers(given)
        if not isinstance(func, ast.Attribute) or name or func.attr not in _ELEMENTWISE | _REDUCING:
            return False
        if not self._is_of_shapes(func.value, depth + 1):
            return False
        if func.attr in _REDUCING:
            return self._are_numbers(given)
        return func.attr in _KEEPING or func.attr in ("expand_as", "view_as") or self._agree(given, depth)

    def _is_given_so(self, name: ast.Name, depth: int) -> bool:
        """Whether all calls of a function pass such a tensor for a parameter."""
        found = self.facts.names.reaching(name)
        function = self.facts.module.function_of(found[0].node) if len(found) == 1 else None
        if function is None or self._is_written(found[0]) or function.name == "forward":
            return False
        if self._hops == _MAX_HOPS:
            return False
        structure, called = structure_of(self.facts.view), Function(self.facts, function)
        sites = structure.calls_to(called)
        for site in sites:
            there, value = structure.given(site, called, name.id)
            asked = TrueCounts(there, self._hops + 1)
            if value is None or not asked._is_of_shapes(value, depth + 1):
                return False
            self._passed |= {site: None} | asked._passed
            self._like |= asked._like
        return bool(sites)

    def _agree(self, nodes: list[ast.expr], depth: int, tensors: int = 0) -> bool:
        """Whether all of them are numbers, or tensors of sizes, of which there have to be as many.

        What is known of neither passes for a number: with no tensor beside it, it must be the tensor itself.
        """
        others = [node for node in nodes if not self._is_number(node)]
        return len(others) >= tensors and all(self._is_of_shapes(node, depth + 1) for node in others)

    def _are_numbers(self, nodes: list[ast.expr]) -> bool:
        return all(self._is_number(node) for node in nodes)

    def _is_number(self, node: ast.expr) -> bool:
        """A number that is written, a size, a number of the host, or what is computed from such."""
        if isinstance(node, ast.Tuple | ast.List):
            return self._are_numbers(node.elts)
        if isinstance(node, ast.BinOp):
            return self._are_numbers([node.left, node.right])
        if isinstance(node, ast.UnaryOp):
            return self._is_number(node.operand)
        if isinstance(node, ast.Slice):
            return self._are_numbers([part for part in (node.lower, node.upper, node.step) if part is not None])
        if isinstance(node, ast.Subscript):
            return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
        if isinstance(node, ast.Call):
            func = node.func
            is_size = isinstance(func, ast.Attribute) and func.attr in ("size", "dim", "numel")
            return is_size or (isinstance(func, ast.Name) and func.id == "len")
        roles = roles_of(self.facts)
        if isinstance(node, ast.Attribute):
            return roles.role(node) not in TENSORS and roles.role(node.value) not in TENSORS
        if isinstance(node, ast.Name):
            # What compares, or computes with, values that nothing is known of may be a mask of the data.
            value = self.facts.names.assigned(node) if roles.role(node) is None else None
            is_unknown = isinstance(value, ast.Compare | ast.BinOp) and not self._is_number(value)
            return roles.role(node) not in TENSORS and not is_unknown
        return isinstance(node, ast.Constant)

    # -- names -----------------------------------------------------------------------------------------

    def _value(self, name: ast.Name, *ways: How) -> ast.expr | None:
        """The one value of a name, if nothing writes into it."""
        found = self.facts.names.reaching(name)
        if len(found) != 1 or found[0].how not in (ways or (How.ASSIGN,)) or found[0].value is None:
            return None
        return found[0].value if not self._is_written(found[0]) else None

    def _values(self, name: ast.Name) -> list[ast.expr]:
        """All values of a name, ``mask = mask.cuda()`` under a condition among them; none if something writes to it."""
        found = self.facts.names.reaching(name)
        values = [binding.value for binding in found if binding.how in (How.ASSIGN, How.UNPACK)]
        if len(values) < len(found) or any(self._is_written(binding) for binding in found):
            return []
        return [value for value in values if value is not None] if None not in values else []

    def _is_written(self, binding: Binding) -> bool:
        """Whether something is written into what a name stands for: ``mask[i] = 0``, ``mask.fill_(…)``."""
        if isinstance(binding.node, ast.arg):
            function = self.facts.module.function_of(binding.node)
            home = self.facts.names.scope_of(function) if function is not None else None
        elif isinstance(binding.node, ast.Name):
            home = self.facts.names.home(binding.node)
        else:
            return True
        parents = self.facts.module.parents
        for use in self.facts.names.uses(home, binding.name) if home is not None else ():
            parent = parents[use]
            if isinstance(parent, ast.Subscript) and parent.value is use and not isinstance(parent.ctx, ast.Load):
                return True
            if isinstance(parent, ast.Attribute) and parent.attr.endswith("_") and parent.attr != "fill_diagonal_":
                return True
        return False
