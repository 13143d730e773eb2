"""Elements of one tensor of the device, which a loop reads one by one."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.each import whole_of
from xlaport.facts.module import LoopNode
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import Role


def read_one_by_one(context: Context, read: HostRead, loop: LoopNode) -> ast.expr | None:
    """The one tensor, as it is before the loop, of which each pass of the loop reads an element."""
    node = read.tensor
    whole: ast.expr | None
    if isinstance(node, ast.Subscript):
        changes = any(_is_bound_in(context, name, loop) for name in _names(node.slice))
        whole = node.value if changes else None
    else:
        found = context.names.reaching(node) if isinstance(node, ast.Name) else ()
        is_of_loop = len(found) == 1 and _is_in(context, found[0].node, loop)
        whole = whole_of(context.module, context.names, found[0]) if is_of_loop else None
    if not isinstance(whole, ast.Name | ast.Attribute) or any(_is_bound_in(context, n, loop) for n in _names(whole)):
        return None
    is_one = context.roles.is_(whole, Role.TENSOR) and context.singles.is_one(context.view.own, whole) is True
    return whole if is_one else None


def is_of_device(context: Context, read: HostRead, whole: ast.expr) -> bool:
    """Whether the tensor is seen to lie on the device, or is read as only such a tensor needs to be."""
    fact = context.roles.of(whole)
    return fact is not None and (not fact.assumed or read.how in (".cpu()", '.to("cpu")'))


def _names(node: ast.expr) -> list[ast.Name]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Name)]


def _is_bound_in(context: Context, name: ast.Name, loop: LoopNode) -> bool:
    """Whether a pass of the loop gives a name its value."""
    return any(_is_in(context, binding.node, loop) for binding in context.names.reaching(name))


def _is_in(context: Context, node: ast.AST, loop: LoopNode) -> bool:
    return loop in context.module.ancestors(node)
