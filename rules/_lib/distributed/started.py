"""A script that torchrun starts, once for each process: what its main guard runs becomes a function to launch."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.structure import Function
from xlaport.rule import InsertStatement, Replace, Span

from ..main_guard import main_guard
from . import names
from .part import Part
from .saying import say

_NAME = "_mp_fn"
_DEEP = 8


def launch(part: Part) -> None:
    """Make a function of what stands under the main guard, and launch it."""
    context = part.context
    module = context.module
    guard = main_guard(context)
    if guard is None:
        where = part.starts[0] if part.starts else module.tree.body[0]
        part.obstacles.append((where, say("XP603.main_guard")))
        return
    if guard.orelse or module.tree.body[-1] is not guard:
        part.obstacles.append((guard, say("XP603.guard_end")))
        return
    shared = _shared(context, guard)
    if shared is not None:
        place, name = shared
        part.obstacles.append((place, say("XP603.global", name=name)))
        return
    if not context.names.is_free(_NAME, guard):
        part.obstacles.append((guard, say("XP603.name_taken", name=_NAME)))
        return
    header = module.header(guard)
    colon = module.text.index(":", context.span(guard.test).end)
    launch = part.asks("launch", guard)
    # Hydra finds its configuration beside the main module, which a spawned process has under another name.
    given = (', start_method="fork"' if _is_hydra_s(context) else "") + part.way.arguments
    part.edits += [
        Replace(Span(header.start, colon + 1), f"def {_NAME}(index):"),
        InsertStatement(
            context.span(guard), f'\n\n{module.text[header.start : colon + 1]}\n    {launch}({_NAME}{given})'
        ),
    ]  # fmt: skip


def _is_hydra_s(context: Context) -> bool:
    """Whether a function of the file is run by ``@hydra.main(…)``."""
    return any(
        context.resolve(d.func if isinstance(d, ast.Call) else d) in ("hydra.main", "hydra.main.main")
        for node in context.module.nodes
        if isinstance(node, ast.FunctionDef)
        for d in node.decorator_list
    )


def _shared(context: Context, guard: ast.If) -> tuple[ast.AST, str] | None:
    """What is bound under the guard and used, or bound, in another place: it would become local to a function."""
    inside = set(ast.walk(guard))
    for name, bindings in context.names.root.bindings.items():
        if any(b.node in inside for b in bindings):
            used = context.names.uses(context.names.root, name)
            for place in (*(b.node for b in bindings), *used):
                if place not in inside or name == "*":
                    return place, name
    return None


def leads(context: Context) -> bool:
    """Whether a script, when it is run, comes to a start of the group, as far as its calls can be followed."""
    return _leads(context, context.module.tree.body, frozenset(), 0)


def _leads(context: Context, block: list[ast.stmt], seen: frozenset[ast.AST], depth: int) -> bool:
    for node in walk_block(block):
        if not isinstance(node, ast.Call):
            continue
        if context.resolve(node.func) == names.START:
            return True
        for named in (node.func, *node.args, *(k.value for k in node.keywords)) if depth < _DEEP else ():
            function = _defined(context, node, named)
            if function is not None and function.node not in seen:
                there = context.of(function.facts)
                if _leads(there, function.node.body, seen | {function.node}, depth + 1):
                    return True
    return False


def _defined(context: Context, call: ast.Call, named: ast.expr) -> Function | None:
    """The function that a call runs, or that it is handed: ``fire.Fire(main)``, ``mp.spawn(worker)``."""
    structure, own = context.flow.structure, context.view.own
    if named is call.func:
        return structure.run_by(own, call) or structure.function_named(own, named)
    return structure.function_named(own, named) if isinstance(named, ast.Name | ast.Attribute) else None
