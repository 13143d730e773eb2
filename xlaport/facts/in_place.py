"""What changes a tensor in place: ``x.mul_(2)``, ``x[0] = 1``, ``x += y``, ``relu_(x)``, ``add(…, out=x)``.

So do functions of the project that do so with what they get. Names that may share memory are changed together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How, Names
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, roles_of
from xlaport.facts.structure import Function, structure_of
from xlaport.facts.vocabulary import VIEW_METHODS

_TAKING_TENSORS = frozenset(
    "add_ sub_ mul_ div_ copy_ lerp_ addcmul_ addcdiv_ masked_fill_ masked_scatter_ index_add_ index_copy_ index_fill_ "
    "index_put_ scatter_ scatter_add_ logical_and_ logical_or_ clamp_ pow_".split()
)
"""Methods that write to their own tensor, and not to those that they get."""
_FIRST = frozenset({"input", "tensor"})
"""What functions of PyTorch that work in place call what they change."""

_COLLECTIVES = frozenset(f"torch.distributed.{name}" for name in ("all_reduce", "broadcast", "reduce", "recv", "irecv"))
"""Functions that write what all processes have to the tensor that comes first."""


def whole_view(facts: Facts, node: ast.expr) -> ast.expr:
    """The largest expression around a tensor that may share its memory: ``x[0].view(-1)`` around ``x``."""
    while True:
        parent = facts.module.parents[node]
        if isinstance(parent, ast.Call) and parent.func is node:
            is_view = isinstance(node, ast.Attribute) and node.attr in VIEW_METHODS
        elif isinstance(parent, ast.Attribute | ast.Subscript | ast.Starred) and parent.value is node:
            is_in_place = isinstance(parent, ast.Attribute) and _is_in_place(parent.attr)
            is_view = isinstance(parent.ctx, ast.Load) and not is_in_place
        else:
            return node
        if not is_view:
            return node
        node = parent


def changes(facts: Facts, use: ast.expr, opened: frozenset[FunctionNode] = frozenset()) -> bool:
    """Whether a use of a tensor changes it, or a view of it, in place."""
    node = whole_view(facts, use)
    match facts.module.parents[node]:
        case ast.Attribute() | ast.Subscript() as parent:
            return parent.value is node
        case ast.AugAssign() as parent:
            return parent.target is node
        case ast.keyword(arg="out"):
            return True
        case ast.keyword() as parent:
            call = facts.module.parents[parent]
            return isinstance(call, ast.Call) and _writes(facts, call, node, opened)
        case ast.Call() as parent:
            return parent.func is not node and _writes(facts, parent, node, opened)
    return False


def _writes(facts: Facts, call: ast.Call, argument: ast.expr, opened: frozenset[FunctionNode]) -> bool:
    """Whether a function writes to what it gets: ``init.zeros_(x)``, and not ``y.masked_fill_(x, 0)``."""
    if any(k.arg == "inplace" for k in call.keywords):
        return True
    func, structure = call.func, structure_of(facts.view)
    if _is_in_place(func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")):
        if isinstance(func, ast.Attribute) and facts.names.resolve(func) is None:
            return not (roles_of(facts).is_(func.value, Role.TENSOR) or func.attr in _TAKING_TENSORS)
        first = (*call.args[:1], *(k.value for k in call.keywords if k.arg in _FIRST))
        return argument in first
    if facts.names.resolve(func) in _COLLECTIVES:
        return argument in (*call.args[:1], *(k.value for k in call.keywords if k.arg in _FIRST))
    function = structure.run_by(facts, call)
    parameter = structure.parameter_of(call, function, argument) if function is not None else None
    if function is None or parameter is None or function.node in opened:
        return False
    return _changes_what_it_gets(function, parameter, opened | {function.node})


def _changes_what_it_gets(function: Function, parameter: str, opened: frozenset[FunctionNode]) -> bool:
    facts = function.facts
    uses = facts.module.that_run(function.node.body, ast.Name)
    return facts.once(
        ("changes in place", function.node, parameter),
        lambda: any(use.id == parameter and changes(facts, use, opened) for use in uses),
    )


def _is_in_place(method: str) -> bool:
    return method.endswith("_") and not method.endswith("__")


def shared_root(names: Names, node: ast.expr) -> str | None:
    """The name whose memory an expression may share: ``a`` of ``a.view(-1)[0]``."""
    while True:
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr not in VIEW_METHODS and not node.func.attr.endswith("_"):
                return None
            resolved = names.resolve(node.func)
            if resolved is not None and not node.args:
                return None
            node = node.args[0] if resolved is not None else node.func.value
        else:
            return node.id if isinstance(node, ast.Name) else None


def sharing(facts: Facts, names: Iterable[str], function: FunctionNode | None) -> set[str]:
    """Names of a function, and those that may share memory with them: ``b = a``, ``b = a.view(-1)``."""
    pairs = facts.once(("sharing", function), lambda: list(_pairs(facts, function)))
    found = set(names)
    while more := {name for pair in pairs if not found.isdisjoint(pair) for name in pair} - found:
        found |= more
    return found


def _pairs(facts: Facts, function: FunctionNode | None) -> Iterable[tuple[str, str]]:
    """Names of a function of which one may be the other, or a view of it."""
    for name in facts.module.of_type(ast.Name):
        if isinstance(name.ctx, ast.Load) or facts.module.function(name) is not function:
            continue
        for binding in facts.names.bindings(name):
            if binding.node is name and binding.value is not None and binding.how in (How.ASSIGN, How.UNPACK):
                values = binding.value.elts if isinstance(binding.value, ast.Tuple) else [binding.value]
                roots = (shared_root(facts.names, value) for value in values)
                yield from ((name.id, root) for root in roots if root is not None)
