"""Loops that do nothing but hand to the host what they read of tensors: those are fetched once, before the loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import LoopNode, last_name
from xlaport.facts.role import Role

from ..._lib.shapes.fetched import loop_to_leave
from .handed_on import handed_on

_FOR_THE_HOST = frozenset("cpu numpy item tolist write writelines writerow append extend info debug warning".split())
_PRINTING = frozenset({"builtins.print"})


def fetched_before(context: Context, loop: LoopNode, test: ast.expr) -> tuple[list[str], ast.AST] | None:
    """The tensors of a loop that stay the same in all iterations, and the loop before which to move them to the host.

    None where the loop makes others for later.
    """
    asked = [name for name in _tensors(context, test) if loop_to_leave(context, name) is not None]
    if not asked or len(asked) != len(list(_tensors(context, test))):
        return None
    if not _is_for_the_host(context, loop) or handed_on(context, loop) or _writes(context, loop):
        return None
    read = [name for name in _tensors(context, loop) if not _is_made_in(context, loop, name)]
    around = [loop_to_leave(context, name) for name in [*asked, *read]]
    loops = [outer for outer in around if outer is not None]
    if len(loops) < len(around):
        return None
    # The innermost one: all of them are there by then, and stay the same in it.
    outer = max(loops, key=lambda outer: len(list(context.module.ancestors(outer))))
    return list(dict.fromkeys(name.id for name in [*asked, *read])), outer


def _tensors(context: Context, node: ast.AST) -> Iterator[ast.Name]:
    yield from (
        n
        for n in ast.walk(node)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and context.roles.is_(n, Role.TENSOR)
    )


def _is_for_the_host(context: Context, loop: LoopNode) -> bool:
    """Whether a loop does something with values that only the host can do, and calls no model."""
    calls = [n for statement in loop.body for n in ast.walk(statement) if isinstance(n, ast.Call)]
    if any(context.roles.is_(call.func, Role.MODEL) for call in calls):
        return False
    return any(last_name(call.func) in _FOR_THE_HOST or context.resolve(call.func) in _PRINTING for call in calls)


def _writes(context: Context, loop: LoopNode) -> bool:
    """Whether a pass writes to what a tensor holds."""
    return any(
        isinstance(node, ast.Attribute | ast.Subscript)
        and not isinstance(node.ctx, ast.Load)
        and any(True for _ in _tensors(context, node.value))
        for node in ast.walk(loop)
    )


def _is_made_in(context: Context, loop: LoopNode, name: ast.Name) -> bool:
    inside = set(ast.walk(loop))
    return any(binding.node in inside for binding in context.names.reaching(name))
