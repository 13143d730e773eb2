"""Activations that are computed anew: ``apply_activation_checkpointing(model, …)`` beside FullyShardedDataParallel."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.rule import InsertStatement, RemoveStatement, ReplaceStatement

from ..arguments import given
from .fsdp_names import is_wrapper, last_word
from .saying import say

if TYPE_CHECKING:
    from .part import Part

_PARAMETERS = ("model", "checkpoint_wrapper_fn", "check_fn", "auto_wrap_policy")
_WRAPS = frozenset({"checkpoint_wrapper"})


def blocks(part: Part, call: ast.Call) -> None:
    """Give the chosen modules torch_xla's checkpointing, before the model is wrapped."""
    context = part.context
    statement = context.module.statement(call)
    arguments = given(call, _PARAMETERS)
    model = arguments.get("model") if arguments is not None else None
    if arguments is None or not isinstance(model, ast.Name) or not isinstance(context.module.parents[call], ast.Expr):
        part.obstacles.append((call, say("XP603.checkpointing")))
        return
    wrapper = arguments.get("checkpoint_wrapper_fn")
    if "auto_wrap_policy" in arguments or (wrapper is not None and not _is_plain(context, wrapper)):
        part.obstacles.append((call, say("XP603.checkpointing")))
        return
    loop = _loop(part, call, model.id, arguments.get("check_fn"))
    top = context.module.parents[statement]
    outer = statement
    if isinstance(top, ast.If) and top.body == [statement] and not top.orelse:
        outer = top
        condition = context.module.segment(top.test)
        loop = f"if {condition}:\n" + "\n".join(f"    {line}" for line in loop.split("\n"))
    wrap = _wrap_of(context, outer, model)
    if wrap is None:
        part.obstacles.append((call, say("XP603.checkpointing")))
    elif context.span(outer).start < context.span(wrap).start:
        part.edits.append(ReplaceStatement(context.span(outer), loop))
    elif _is_bound_between(context, wrap, outer, loop):
        part.obstacles.append((call, say("XP603.checkpointing")))
    else:
        # What is checkpointed has to be so before it is wrapped.
        part.edits.append(RemoveStatement(context.span(outer)))
        part.edits.append(InsertStatement(context.span(wrap), loop, before=True))
    if isinstance(wrapper, ast.Name):
        _drop(part, wrapper)


def _is_plain(context: Context, node: ast.expr) -> bool:
    """``checkpoint_wrapper``, or that with the form of recomputation, under a name or not."""
    if isinstance(node, ast.Name) and last_word(context.resolve(node)) not in _WRAPS:
        found = context.names.bindings(node)
        if len(found) != 1 or found[0].how is not How.ASSIGN or found[0].value is None:
            return False
        node = found[0].value
    if isinstance(node, ast.Call) and context.resolve(node.func) == "functools.partial" and node.args:
        return last_word(context.resolve(node.args[0])) in _WRAPS and {k.arg for k in node.keywords} <= {
            "checkpoint_impl", "offload_to_cpu", "preserve_rng_state",
        } and not any(k.arg == "offload_to_cpu" and not _is_false(k.value) for k in node.keywords)  # fmt: skip
    return last_word(context.resolve(node)) in _WRAPS


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _loop(part: Part, call: ast.Call, model: str, check: ast.expr | None) -> str:
    module = part.context.module
    name, condition = "module", None
    if isinstance(check, ast.Lambda) and len(check.args.args) == 1:
        name, condition = check.args.args[0].arg, module.segment(check.body)
    elif check is not None:
        condition = f"{module.segment(check)}({name})"
    does = f"{part.asks('checkpoint_module', call)}({name})"
    if condition is None:
        return f"for {name} in {model}.modules():\n    {does}"
    return f"for {name} in {model}.modules():\n    if {condition}:\n        {does}"


def _wrap_of(context: Context, statement: ast.stmt, model: ast.Name) -> ast.stmt | None:
    """The statement of the same block that wraps the model."""
    for other in context.module.block(statement):
        for node in ast.walk(other):
            if isinstance(node, ast.Call) and is_wrapper(context.resolve(node.func)) and isinstance(other, ast.Assign):
                target, inner = other.targets[0], node.args[0] if node.args else None
                named = [n.id for n in (target, inner) if isinstance(n, ast.Name)]
                if other.value is node and named == [model.id, model.id]:
                    return other
    return None


def _is_bound_between(context: Context, wrap: ast.stmt, statement: ast.stmt, code: str) -> bool:
    """Whether something that the new code uses is bound between the wrapping and the statement that it replaces."""
    block = context.module.block(statement)
    between = block[block.index(wrap) + 1 : block.index(statement)]
    bound = {n.id for s in between for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {s.name for s in between if isinstance(s, ast.FunctionDef | ast.ClassDef)}
    return any(isinstance(n, ast.Name) and n.id in bound for n in ast.walk(ast.parse(code)))


def _drop(part: Part, name: ast.Name) -> None:
    """Take out the name of the wrapper, where nothing else uses it."""
    context = part.context
    home, found = context.names.home(name), context.names.bindings(name)
    statement = context.module.parents[found[0].node] if found else None
    if isinstance(statement, ast.Assign) and home is not None and context.names.uses(home, name.id) == [name]:
        part.edits.append(RemoveStatement(context.span(statement)))
