"""Whether a gradient may come back to a value: not where only integers and truth values are made of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.roles import roles_of
from xlaport.facts.vocabulary import WITHOUT_GRADIENT as WITHOUT

_WITHOUT_BUILTINS = frozenset(f"builtins.{name}" for name in ("print", "len", "isinstance", "float", "int", "bool"))
_WITH_PLACES = frozenset("topk sort max min kthvalue median mode cummax cummin".split())
"""Functions that give values, and as their second result the places of these."""
_ASKED = frozenset("shape dtype device ndim indices data requires_grad".split())
_WHOLE = frozenset(f"torch.{name}" for name in ("int8", "int16", "int32", "int64", "uint8", "long", "int", "bool"))
_MAX_DEPTH = 30


def may_get_gradient(facts: Facts, call: ast.Call) -> bool:
    """Whether `backward()` may go through a call: to its result, and on to one of its operands."""
    bound = [call.func.value] if isinstance(call.func, ast.Attribute) and facts.names.resolve(call.func) is None else []
    operands = [*bound, *call.args, *(keyword.value for keyword in call.keywords)]
    return not all(roles_of(facts).is_detached(operand) for operand in operands) and _Ways(facts).comes_back(call)


class _Ways:
    """Follows a value to all that is made of it in its function."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._seen: set[ast.expr] = set()

    def comes_back(self, node: ast.expr) -> bool:
        """Whether a gradient may come to an expression."""
        if node in self._seen:
            return False  # it is being asked already
        self._seen.add(node)
        if len(self._seen) > _MAX_DEPTH:
            return True
        parent = self.facts.module.parents[node]
        match parent:
            case ast.Compare() | ast.FormattedValue() | ast.Assert():
                return False
            case ast.If() | ast.While():
                return False
            case ast.IfExp():
                return parent.test is not node and self.comes_back(parent)
            case ast.BinOp() | ast.UnaryOp():
                return not isinstance(getattr(parent, "op", None), ast.Not) and self.comes_back(parent)
            case ast.Attribute():
                return self._asked(parent)
            case ast.Subscript():
                return self._part(parent, node)
            case ast.Call():
                return self._given(parent)
            case ast.keyword():
                call = self.facts.module.parents[parent]
                return not isinstance(call, ast.Call) or self._given(call)
            case ast.Assign():
                return self._bound(parent, node)
        return True

    def _asked(self, asked: ast.Attribute) -> bool:
        """``x.shape``, ``x.argmin()``, ``x.sqrt()``, whose result is followed."""
        call = self.facts.module.parents[asked]
        if not isinstance(call, ast.Call) or call.func is not asked:
            return asked.attr not in _ASKED
        return asked.attr not in WITHOUT and not self._is_whole(call, asked.attr) and self.comes_back(call)

    def _is_whole(self, call: ast.Call, method: str) -> bool:
        """``x.to(torch.long)`` and ``x.type(torch.long)``."""
        return method in ("to", "type") and any(self.facts.names.resolve(a) in _WHOLE for a in call.args)

    def _part(self, part: ast.Subscript, node: ast.expr) -> bool:
        if part.slice is node or not isinstance(part.ctx, ast.Load):
            return False
        is_places = isinstance(part.slice, ast.Constant) and part.slice.value == 1 and _gives_places(node)
        return not is_places and self.comes_back(part)

    def _given(self, call: ast.Call) -> bool:
        """Where a value is given to a function: what a function of torch's gives is followed."""
        name = self.facts.names.resolve(call.func)
        if name is None:
            return not (isinstance(call.func, ast.Attribute) and call.func.attr in WITHOUT)
        if not name.startswith("torch."):
            return name not in _WITHOUT_BUILTINS
        return name.rpartition(".")[2] not in WITHOUT and self.comes_back(call)

    def _bound(self, assign: ast.Assign, node: ast.expr) -> bool:
        if assign.value is not node:
            return False
        if len(assign.targets) != 1:
            return True
        target = assign.targets[0]
        if not isinstance(target, ast.Tuple):
            is_used = bool(self.facts.names.uses_of(target))
            return not is_used or self._named([target])
        return not _gives_places(node) or len(target.elts) != 2 or self._named(target.elts[:1])

    def _named(self, targets: Iterable[ast.expr]) -> bool:
        names = self.facts.names
        for target in targets:
            if not isinstance(target, ast.Name) or any(b.how is How.AUGMENT for b in names.bindings(target)):
                return True
            if any(self.comes_back(use) for use in names.uses_of(target)):
                return True
        return False


def _gives_places(node: ast.expr) -> bool:
    """Whether a call gives values and their places."""
    if not isinstance(node, ast.Call):
        return False
    return (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")) in _WITH_PLACES
