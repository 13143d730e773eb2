"""Work that one process alone would do: the others wait for it in the next collective, and so does a whole pod."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from xlaport.context import Context
from xlaport.facts.module import is_elif, walk_block
from xlaport.facts.roles import Role
from xlaport.rule import Edit, InsertStatement, RemoveStatement

from .. import ranks
from . import names, turns
from .part import Part

_DEEP = 4
_SWITCHES = frozenset({"requires_grad_", "share_memory_", "detach_"})
"""Methods that are spelled like those which change a tensor."""
_WRAPPING = ("DistributedDataParallel", "FullyShardedDataParallel")
_FETCHES = frozenset({"cpu", "numpy", "item", "tolist"})


def alone(context: Context, are_opened: bool) -> tuple[ast.If, Context, ast.AST] | None:
    """A condition on the rank, and the work on the device under it; without those of `open_guards`, if they are."""
    opened = {id(node) for node, _, _ in _opened(context)} if are_opened else set()
    return next((found for found in of_one(context) if id(found[0]) not in opened), None)


def of_one(context: Context) -> Iterator[tuple[ast.If, Context, ast.AST]]:
    """The conditions on the rank under which one process does work of all, each with a place of that work."""
    for node in context.module.nodes:
        if isinstance(node, ast.If) and ranks.asks(context, node.test):
            if _does_the_same(context, node) or _is_before_the_wrapping(context, node):
                continue
            if turns.takes_turns(context, node, _comes_to_work):
                continue
            for block in (node.body, node.orelse):
                found = _find(context, block, _is_work)
                if found is not None:
                    yield node, *found
                    break


def _comes_to_work(context: Context, block: list[ast.stmt]) -> bool:
    return _find(context, block, _is_work) is not None


def _does_the_same(context: Context, guard: ast.If) -> bool:
    """Whether both branches come to the same work: ``if rank == 0: train(log)``, ``else: train(None)``."""
    if not guard.orelse:
        return False
    one, other = (list(_all(context, block, frozenset())) for block in (guard.body, guard.orelse))
    return one == other


def _all(context: Context, block: list[ast.stmt], seen: frozenset[ast.AST]) -> Iterator[tuple[str, str]]:
    """The work of all that some statements come to, through the functions of the project, by file and text."""
    for node in walk_block(block):
        if not isinstance(node, ast.Call):
            continue
        if _is_work(context, node):
            yield context.view.own.file, ast.dump(node)
            continue
        called = context.flow.structure.run_by(context.view.own, node) if len(seen) < _DEEP else None
        if called is not None and called.node not in seen:
            yield from _all(context.of(called.facts), called.node.body, seen | {called.node})


def _is_before_the_wrapping(context: Context, guard: ast.If) -> bool:
    """Whether one process only runs models that DistributedDataParallel takes behind that: no collective is in them."""
    function = context.module.function(guard)
    if function is None or _find(context, [guard], _is_training) is not None:
        return False
    around = (n for n in context.module.ancestors(guard) if context.module.function(n) is function)
    if any(isinstance(n, ast.For | ast.While) for n in around):
        return False
    if any(context.resolve(call.func) in names.SYNC_BATCH_NORM for call in context.module.calls):
        return False
    wraps = [c for c in context.module.calls if (context.resolve(c.func) or "").endswith(_WRAPPING) and c.args]
    wrapped = {ast.dump(call.args[0]) for call in wraps}
    if not wraps or any(context.module.function(c) is not function or c.lineno < guard.lineno for c in wraps):
        return False
    used = (n for n in ast.walk(guard) if isinstance(n, ast.Name | ast.Attribute) and isinstance(n.ctx, ast.Load))
    return all(ast.dump(node) in wrapped for node in used if context.roles.is_(node, Role.MODEL))


def unlike(context: Context) -> tuple[ast.If, ast.Call] | None:
    """A condition on the rank in a loop in which all meet, and what changes a tensor under it, in one graph alone."""
    for node in context.module.of_type(ast.If):
        loops = [n for n in context.module.ancestors(node) if isinstance(n, ast.For | ast.While)]
        if not loops or not ranks.asks(context, node.test):
            continue
        meet = (context.resolve(c.func) in names.COLLECTIVES for c in context.module.that_run(loops[-1].body, ast.Call))
        done = context.module.that_run([*node.body, *node.orelse], ast.Call)
        changes = (call for call in done if _changes_tensor(context, call))
        change = next(changes, None)
        if change is not None and any(meet):
            return node, change
    return None


def _changes_tensor(context: Context, call: ast.Call) -> bool:
    """``features.index_copy_(0, index, rows)``, unless that is seen to be on the host."""
    if not isinstance(call.func, ast.Attribute):
        return False
    name = call.func.attr
    if not name.endswith("_") or name.startswith("_") or name in _SWITCHES:
        return False
    fetched = (n for a in call.args for n in ast.walk(a) if isinstance(n, ast.Attribute) and n.attr in _FETCHES)
    return context.roles.role(call.func.value) is not Role.HOST_TENSOR and next(fetched, None) is None


def _find(
    context: Context,
    block: list[ast.stmt],
    is_wanted: Callable[[Context, ast.Call], bool],
    seen: frozenset[ast.AST] = frozenset(),
) -> tuple[Context, ast.AST] | None:
    """A call that some statements come to, through the functions of the project."""
    for node in walk_block(block):
        if not isinstance(node, ast.Call):
            continue
        if is_wanted(context, node):
            return context, node
        called = context.flow.structure.run_by(context.view.own, node) if len(seen) < _DEEP else None
        if called is not None and called.node not in seen:
            found = _find(context.of(called.facts), called.node.body, is_wanted, seen | {called.node})
            if found is not None:
                return found
    return None


def _is_work(context: Context, call: ast.Call) -> bool:
    """A run of a model, a backward pass, a step of an optimizer, a collective."""
    return context.roles.role(call.func) is Role.MODEL or _is_training(context, call)


def _is_training(context: Context, call: ast.Call) -> bool:
    """What changes the parameters, or meets the other processes."""
    name = context.resolve(call.func) or ""
    if (
        name in names.COLLECTIVES
        or name == names.BARRIER
        or name in names.meets(context.target)
        or name in context.target.barriers
        or name in context.target.stepping
    ):
        return True
    if not isinstance(call.func, ast.Attribute):
        return False
    return call.func.attr == "backward" or (
        call.func.attr == "step" and context.roles.role(call.func.value) in (Role.OPTIMIZER, Role.SCALER)
    )


def open_guards(part: Part) -> None:
    """Let all processes do what one alone did for all: ``if step % n == 0 and is_main: loss = evaluate(model)``."""
    for node, _, _ in _opened(part.context):
        part.edits += opening(part.context, node)


def opening(context: Context, guard: ast.If) -> list[Edit]:
    """The edits that let all processes do the work at the begin of a guard; none where it is no plain one."""
    for node, asked, moved in _opened(context):
        if node is not guard:
            continue
        lines = [context.module.segment(s) for s in moved]
        text = "\n".join(lines) if not asked else f"if {asked}:\n" + "\n".join(f"    {line}" for line in lines)
        gone: list[ast.stmt] = [node] if len(moved) == len(node.body) else moved
        ahead = InsertStatement(context.span(node), text, before=True, origin=context.span(moved[0]))
        return [ahead, *(RemoveStatement(context.span(s)) for s in gone)]
    return []


def _opened(context: Context) -> Iterator[tuple[ast.If, str, list[ast.stmt]]]:
    """Guards that begin with work of all and go on with work of one: what else they ask, and the work."""
    for node in context.module.nodes:
        if not isinstance(node, ast.If) or node.orelse or is_elif(context.module, node):
            continue
        if _is_before_the_wrapping(context, node):
            continue
        asked = _without_rank(context, node.test)
        work = [s for s in node.body if _find(context, [s], _is_work) is not None] if asked is not None else []
        moved = node.body[: node.body.index(work[-1]) + 1] if work else []
        if asked is None or not moved or _find(context, moved, _is_training) is not None:
            continue
        if all(_is_line(s) and s in work for s in moved) and not _goes_on(context, node, moved):
            yield node, asked, moved


def _goes_on(context: Context, guard: ast.If, moved: list[ast.stmt]) -> bool:
    """Whether what the work gives is used behind the guard: what one process adds to its loss, all would add then."""
    bound = {n for s in moved for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    inside = set(ast.walk(guard))
    for name in bound:
        for use in context.names.uses(context.names.scope(name), name.id):
            if use not in inside and any(b.node in inside for b in context.names.reaching(use)):
                return True
    return False


def opens(context: Context) -> bool:
    """Whether `open_guards` has something to do."""
    return next(_opened(context), None) is not None


def _is_line(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign | ast.Expr) and statement.lineno == statement.end_lineno


def _without_rank(context: Context, test: ast.expr) -> str | None:
    """A condition without its question for the rank: "" where it asks for nothing else; None where it asks for none."""
    if ranks.master(context, test) is not None:
        return ""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return None
    rest = [value for value in test.values if ranks.master(context, value) is None]
    if len(rest) == len(test.values) or any(ranks.asks(context, value) for value in rest):
        return None
    return " and ".join(context.module.segment(value) for value in rest)
