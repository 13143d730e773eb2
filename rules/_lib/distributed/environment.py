"""The variables of torchrun in a job: its addresses, ranks and counts."""

from __future__ import annotations

import ast

from xlaport.rule import Import, RemoveArgument, Replace, Span
from xlaport.target import Symbol
from xlaport.wording import Text

from ..removal import removal
from . import names
from .part import Part, condition_of
from .saying import say
from .ways import Way

_ENVIRON = Symbol(Import("os", "os"), "environ")


def variable(part: Part, node: ast.expr, name: str, default: ast.expr | None) -> None:
    """What becomes of the place that reads, sets or looks for a variable."""
    if name in names.ADDRESSES:
        _address(part, node, name)
        return
    part.reads_ranks.append(node)
    if part.way is Way.TORCHRUN and (foreign := _foreign(part, node, name, default)) is not None:
        part.obstacles.append((node, foreign))
    elif part.way.is_launch:
        _asked_for(part, node, name, default)
    elif part.way.is_spawn and condition_of(part.context, node) is None:
        part.obstacles.append((node, say("XP603.spawned_variable")))


def _foreign(part: Part, node: ast.expr, name: str, default: ast.expr | None) -> Text | None:
    """What is wrong with a rank of another launcher, in a process of torchrun: with any that is asked for each time."""
    context = part.context
    if default is not None or isinstance(node, ast.Compare) or condition_of(context, node) is not None:
        return None
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        statement = context.module.parents[node]
        value = statement.value if isinstance(statement, ast.Assign) else None
        if name not in names.RANKS or value is None or isinstance(value, ast.Constant):
            return None
        if any((found := names.variable(context, n)) is not None and found[0] in names.RANKS for n in ast.walk(value)):
            return None
        return say("XP603.sets_rank", name=name)
    is_read = isinstance(node, ast.Subscript) or (isinstance(node, ast.Call) and len(node.args) == 1)
    if name in names.OF_LAUNCHERS and is_read:
        return say("XP603.launcher", name=name, launcher=names.OF_LAUNCHERS[name])
    return None


def _address(part: Part, node: ast.expr, name: str) -> None:
    context = part.context
    parent = context.module.parents[node]
    if part.way is Way.TORCHRUN:
        return  # torchrun sets it, and the group of XLA reads it
    if (isinstance(parent, ast.Assign) and parent.targets == [node]) or isinstance(parent, ast.Expr):
        part.edits.append(removal(context, context.module.statement(node)))
    else:
        part.obstacles.append((node, say("XP603.variable", name=name)))


def _asked_for(part: Part, node: ast.expr, name: str, default: ast.expr | None) -> None:
    context = part.context
    parent = context.module.parents[node]
    meaning, single = names.RANKS.get(name, (None, 0))
    is_number = isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.int"
    if meaning is None or not is_number or isinstance(node, ast.Compare) or not context.editable(node):
        part.obstacles.append((node, say("XP603.variable", name=name)))
    elif default is not None and not (isinstance(default, ast.Constant) and str(default.value) == str(single)):
        part.obstacles.append((node, say("XP603.variable", name=name)))
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        part.obstacles.append((node, say("XP603.variable", name=name)))
    else:
        part.edits.append(Replace(context.span(parent), f"{part.asks(meaning, node)}()"))


def option(part: Part, node: ast.Constant) -> None:
    """``--local_rank``, which torch.distributed.launch gave: torchrun does not, but sets the variable for the same.

    Without it, each process would take itself for the one that the default names, or for the only one.
    """
    context = part.context
    call = context.module.parents[node]
    is_option = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument"
    if not isinstance(call, ast.Call) or not is_option:
        return
    given = {k.arg: k for k in call.keywords}
    default, required = given.get("default"), given.get("required")
    if "action" in given or None in given or (default is not None and _reads(default.value)):
        return
    # argparse gives a default that is text to `type`, as if it had been passed.
    environ, imports = context.spell(_ENVIRON, call)
    part.imports += imports
    if default is not None:
        text = f'{environ}.get("LOCAL_RANK", {context.module.segment(default.value)})'
        part.edits.append(Replace(context.span(default.value), text))
        if required is not None:
            part.edits.append(RemoveArgument(context.span(call), context.span(required)))
        return
    text = f'default={environ}.get("LOCAL_RANK")'
    if required is not None:
        part.edits.append(Replace(context.span(required), text))
    else:
        last = max(context.span(a).end for a in [*call.args, *call.keywords])
        part.edits.append(Replace(Span(last, last), f", {text}"))


def _reads(value: ast.expr) -> bool:
    """Whether a default asks for the variable already, in whatever way."""
    return any(isinstance(n, ast.Constant) and n.value == "LOCAL_RANK" for n in ast.walk(value))
