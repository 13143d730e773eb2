"""What counts the passes of a loop: ``n`` of ``range(…)``, of ``enumerate(…)`` and of ``n += 1``."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.names import How

_WITH_STEP = 3
"""Arguments of ``range()`` that says its step."""


def counted_by(context: Context, loop: LoopNode) -> ast.Name | None:
    """``n`` of ``for n in range(…)`` and ``for n, x in enumerate(…)``, under ``tqdm``, too."""
    counted = _counting(context, loop)
    if counted is None or not isinstance(loop, ast.For):
        return None
    target = loop.target
    if context.resolve(counted.func) == "builtins.enumerate":
        target = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    return target if isinstance(target, ast.Name) and target.id != "_" else None


def passes_of(context: Context, loop: LoopNode) -> str | None:
    """What is one more in each pass: ``n`` of ``range(9)``, ``n // 2`` of ``range(0, 9, 2)``."""
    name, counted = counted_by(context, loop), _counting(context, loop)
    if name is None or counted is None:
        return None
    step = counted.args[2] if len(counted.args) >= _WITH_STEP else None
    if step is None or ast.unparse(step) == "1":
        return name.id
    text = ast.unparse(step)
    return f"{name.id} // {text if isinstance(step, ast.Name | ast.Attribute | ast.Constant) else f'({text})'}"


def most_passes(context: Context, loop: LoopNode) -> int | None:
    """How many passes ``for n in range(9)`` has, where that is written."""
    counted = _counting(context, loop)
    if counted is None or context.resolve(counted.func) != "builtins.range" or len(counted.args) != 1:
        return None
    return _written(counted.args[0])


def counter_of(context: Context, node: ast.AST) -> str | None:
    """What counts the steps around a place: ``n`` of ``for n in range(…)`` and of ``enumerate(…)``."""
    loop = step_loop(context, node)
    return passes_of(context, loop) if loop is not None else None


def step_loop(context: Context, node: ast.AST) -> LoopNode | None:
    """The step loop that a place stands in, in its own function."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, FunctionNode | ast.Lambda):
            return None
        if isinstance(parent, LoopNode) and context.loops.step_loop(parent) is not None:
            return parent
    return None


def first_number(context: Context, loop: LoopNode) -> int | None:
    """The number that a loop begins with: 1 of ``range(1, 9)`` and of ``enumerate(batches, 1)``; None: not known.

    A loop that begins with ``args.start`` may be short, and have no number that 100 divides.
    """
    counted = _counting(context, loop)
    if counted is None:
        return 0
    is_range = context.resolve(counted.func) != "builtins.enumerate"
    given = counted.args[0] if is_range and len(counted.args) > 1 else None
    if not is_range:
        given = next((keyword.value for keyword in counted.keywords if keyword.arg == "start"), None)
        given = counted.args[1] if len(counted.args) > 1 else given
    return 0 if given is None else _written(given)


def first_number_behind(context: Context, loop: LoopNode, counting: ast.AugAssign, node: ast.AST) -> int:
    """What ``n += 1`` has made of ``n = 0`` in the first pass, where a statement asks."""
    assert isinstance(counting.target, ast.Name)
    begun = [b.value for b in context.names.reaching(counting.target) if b.node is not counting.target]
    first = next((number for value in begun if (number := _written(value)) is not None), 0)
    place = context.module.place_in(loop.body, context.module.statement(node))
    return first + (place is not None and place > loop.body.index(counting))


def _written(node: ast.expr | None) -> int | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def is_one_more(statement: ast.AugAssign) -> bool:
    """``n += 1``."""
    one = statement.value
    return isinstance(statement.op, ast.Add) and isinstance(one, ast.Constant) and one.value == 1


def bound_in(loop: LoopNode, name: str) -> list[ast.Name]:
    """Where a loop binds a name, in its target and in its body."""
    parts = [loop.target, *loop.body] if isinstance(loop, ast.For | ast.AsyncFor) else loop.body
    return [
        node
        for part in parts
        for node in ast.walk(part)
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    ]


def _counting(context: Context, loop: LoopNode) -> ast.Call | None:
    """``range(…)`` or ``enumerate(…)``, which a loop goes through, under what hands its elements on.

    A name may be given that, and on some ways a progress bar around it: ``if rank == 0: bar = tqdm(bar)``.
    """
    pending = [loop.iter] if isinstance(loop, ast.For) else []
    found: set[ast.Call] = set()
    seen: set[ast.expr] = set()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, ast.Name):
            bound = context.names.reaching(node)
            values = [b.value for b in bound if b.how is How.ASSIGN and b.value is not None]
            if not values or len(values) < len(bound):
                return None
            pending += values
            continue
        called = context.resolve(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and (called == "builtins.enumerate" or called in torch_api.COUNTERS):
            found.add(node)
        elif isinstance(node, ast.Call) and called in torch_api.PASSING_WRAPPERS and node.args:
            pending.append(node.args[0])
        else:
            return None
    return found.pop() if len(found) == 1 else None
