"""What would touch the device in the process that starts the others: `launch` then says "already initialized"."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.roles import Role

from .. import process_start
from ..device import counting, cuda
from ..main_guard import main_guard

_HARMLESS = frozenset(
    f"torch.cuda.{name}"
    for name in ("is_available", "is_bf16_supported", "set_device", "empty_cache", "manual_seed", "manual_seed_all")
)
"""What goes in a port, becomes a constant, or (seeds, XP106) does not come to the device so early."""
_DEEP = 6


class _Started(Exception):
    """The processes are started, or this one has joined the others: what follows may use the device."""


def touch(context: Context, with_guard: bool) -> tuple[Context, ast.AST] | None:
    """What a file runs on the device when it is imported, or run up to the start of the processes (`with_guard`)."""
    guard = main_guard(context)
    statements = [s for s in context.module.tree.body if s is not guard or with_guard]
    try:
        return _touch(context, _run(statements), frozenset(), 0)
    except _Started:
        return None


def _run(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    """What runs with some statements; of a class, its body does."""
    for node in walk_block(statements):
        yield node
        if isinstance(node, ast.ClassDef):
            yield from _run(node.body)


def _touch(
    context: Context, nodes: Iterator[ast.AST], seen: frozenset[ast.AST], depth: int
) -> tuple[Context, ast.AST] | None:
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        if process_start.is_start(context, node):
            raise _Started
        if _touches(context, node):
            return context, node
        called = context.flow.structure.run_by(context.view.own, node) if depth < _DEEP else None
        if called is not None and called.node not in seen and isinstance(called.node, FunctionNode):
            there = context.of(called.facts)
            found = _touch(there, walk_block(called.node.body), seen | {called.node}, depth + 1)
            if found is not None:
                return found
    return None


def _touches(context: Context, call: ast.Call) -> bool:
    name = context.resolve(call.func) or ""
    if counting.is_count(context, call):
        return False  # (what counts GPUs is understood, or an obstacle of its own)
    if name in context.target.devices or name in context.target.seeders:
        return True
    if name.startswith("torch.cuda.") and name not in _HARMLESS:
        return True
    if cuda.is_cuda_device(context, call):
        return False  # (it only names the device: XP101)
    is_method = isinstance(call.func, ast.Attribute)
    moves = is_method and isinstance(call.func, ast.Attribute) and call.func.attr == "to"
    if is_method and isinstance(call.func, ast.Attribute) and call.func.attr == "cuda":
        return True
    places = [*(call.args[:1] if moves else []), *(k.value for k in call.keywords if k.arg == "device")]
    return any(_is_accelerator(context, place) for place in places)


def _is_accelerator(context: Context, node: ast.expr) -> bool:
    if cuda.is_cpu_device(context, node):
        return False
    if cuda.becomes_accelerator(context, node):
        return True
    return context.roles.role(node) is Role.DEVICE and not _is_made_later(context, node)


def _is_made_later(context: Context, node: ast.expr) -> bool:
    """Whether all devices that a value may be, but the CPU, are made once the processes are there: a global till then.

    A function that joins the group may set it behind that.
    """
    found = map(context.flow.spot, context.flow.places(node, context.view.own))
    spots = [(context.of(spot.facts), spot.node) for spot in found if spot is not None]
    others = [(there, made) for there, made in spots if not cuda.is_cpu_device(there, made)]
    return bool(others) and all(process_start.runs_behind(there, made) for there, made in others)
