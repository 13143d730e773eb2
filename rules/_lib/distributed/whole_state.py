"""The weights of a sharded model as one state_dict: ``with FSDP.state_dict_type(model, FULL_STATE_DICT, …):``."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.rule import Edit, InsertStatement, RemoveStatement, Replace

from ..blocks import lifted, newline
from ..shapes.helpers import blank_behind, last_import
from .fsdp_names import last_word
from .saying import say

if TYPE_CHECKING:
    from .part import Part

_NAME = "whole_state_dict"


def is_within(context: Context, call: ast.Call) -> bool:
    """Whether a call of `state_dict()` stands in such a block."""
    return any(isinstance(parent, ast.With) and _says(context, parent) for parent in context.module.ancestors(call))


def _says(context: Context, block: ast.With) -> bool:
    return any(
        isinstance(item.context_expr, ast.Call)
        and last_word(context.resolve(item.context_expr.func)) == "state_dict_type"
        for item in block.items
    )


@dataclass(frozen=True)
class Whole:
    """A block that asks for the whole weights of a model: the calls of `state_dict()` in it, the model's text, whether
    they are wanted in the first process alone, and the name of the configuration, if it has one.
    """

    block: ast.With
    states: list[ast.Call]
    model: str
    first_only: bool
    config: ast.Name | None


def read(context: Context, call: ast.Call) -> Whole | None:
    """What a block does whose `with` is this call of `state_dict_type()`; None where that is not understood."""
    item = context.module.parents[call]
    block = context.module.parents[item] if isinstance(item, ast.withitem) else None
    arguments = [*call.args, *(k.value for k in call.keywords)]
    if not isinstance(block, ast.With) or len(block.items) != 1 or len(arguments) < 2 or block.items[0].optional_vars:
        return None
    if last_word(context.resolve(arguments[1])) != "FULL_STATE_DICT" or len(arguments) > 3:
        return None
    config = _config(context, arguments[2]) if len(arguments) == 3 else {}
    model = context.module.segment(arguments[0])
    states = [
        c
        for c in ast.walk(block)
        if isinstance(c, ast.Call) and isinstance(c.func, ast.Attribute) and c.func.attr.endswith("state_dict")
    ]
    if config is None or not all(_asks(context, c, model) for c in states) or not states:
        return None
    named = arguments[2] if len(arguments) == 3 else None
    name = named if isinstance(named, ast.Name) else None
    return Whole(block, states, model, config.get("rank0_only", False), name)


def block(part: Part, call: ast.Call) -> None:
    """Gather the weights by a function of the file, in the place of the block."""
    context = part.context
    whole = read(context, call)
    if whole is None:
        part.obstacles.append((call, say("XP603.state_dict")))
        return
    anchor = last_import(context, whole.block)
    text = _function(part, whole.block, whole.first_only)
    if anchor is None or not context.names.is_free(_NAME, whole.block):
        part.obstacles.append((call, say("XP603.name_taken", name=_NAME)))
        return
    new: Edit = InsertStatement(context.span(anchor), f"\n\n{text}{blank_behind(context, anchor)}")
    if new not in part.edits:
        part.edits.append(new)
    part.edits += replaced(context, whole, f"{_NAME}({whole.model})")


def replaced(context: Context, whole: Whole, state: str) -> list[Edit]:
    """The edits that put the statements in the place of the block, with `state` for what was asked of the model."""
    module, block = context.module, whole.block
    body = lifted(context, block, block.body, *(Replace(context.span(asked), state) for asked in whole.states))
    apart = newline(module, block.lineno) + module.text[module.line_start(block.lineno) : context.span(block).start]
    comments = "".join(f"{comment}{apart}" for comment in _comments(context, block))
    edits: list[Edit] = [Replace(body.span, comments + body.code)]
    return [*edits, *_drop(context, whole.config)] if whole.config is not None else edits


def _asks(context: Context, call: ast.Call, model: str) -> bool:
    method = call.func
    assert isinstance(method, ast.Attribute)
    plain = not call.args and not call.keywords and context.editable(call)
    return method.attr == "state_dict" and plain and context.module.segment(method.value) == model


def _comments(context: Context, block: ast.With) -> Iterator[str]:
    """The comments above the body of a block, but for those right above it, which go with it."""
    header = context.module.header(block)
    lines = context.module.text[header.start : header.end].splitlines(keepends=True)
    if not lines[-1].strip():  # the blanks before the first statement
        lines.pop()
    while lines[-1].lstrip().startswith("#"):
        lines.pop()
    for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.rstrip()


def _config(context: Context, node: ast.expr) -> dict[str, bool] | None:
    """The options of ``FullStateDictConfig(…)``, or of the name that stands for it."""
    if isinstance(node, ast.Name):
        found = context.names.bindings(node)
        if len(found) != 1 or found[0].how is not How.ASSIGN or found[0].value is None:
            return None
        node = found[0].value
    if not isinstance(node, ast.Call) or last_word(context.resolve(node.func)) != "FullStateDictConfig" or node.args:
        return None
    options = {k.arg: k.value.value for k in node.keywords if k.arg and isinstance(k.value, ast.Constant)}
    return {str(k): bool(v) for k, v in options.items()} if len(options) == len(node.keywords) else None


def _drop(context: Context, name: ast.Name) -> list[Edit]:
    """Take out the configuration, where nothing else uses it."""
    home = context.names.home(name)
    statement = context.module.parents[context.names.bindings(name)[0].node]
    if isinstance(statement, ast.Assign) and home is not None and context.names.uses(home, name.id) == [name]:
        return [RemoveStatement(context.span(statement))]
    return []


def _function(part: Part, node: ast.AST, first_only: bool) -> str:
    """Some weights at a time: all of them may not fit on a device, and each alone would wait for it once more."""
    where = "the first host" if first_only else "the host"
    lines = [
        f"def {_NAME}(model):",
        f'    """The weights of a sharded model by their own names, on {where}; every process has to call it."""',
        f"    shards = [{{}} for _ in range({part.asks('world_size', node)}())]",
        "    state, gathered, size = model.state_dict(), {}, 0",
        "    for count, (name, value) in enumerate(state.items(), 1):",
        f'        gathered[name] = {part.asks("all_gather", node)}(value) if "_fsdp_shard" in name else value',
        "        size += gathered[name].numel()",
        "        if size < 2**28 and count < len(state):",
        "            continue",
        f"        {part.asks('sync', node)}()",
        "        for key, whole in gathered.items():",
        '            pieces = whole.cpu().chunk(len(shards)) if "_fsdp_shard" in key else [whole.cpu()]',
        "            for shard, piece in zip(shards, pieces):",
        "                shard[key] = piece",
        "        gathered, size = {}, 0",
        f"    return {part.asks('consolidate_states', node)}(shards, model.get_shard_metadata())",
    ]
    if first_only:
        ordinal = part.asks("global_ordinal", node)
        lines[10] = f"        for key, whole in gathered.items() if {ordinal}() == 0 else ():"
        lines.insert(-1, f"    if {ordinal}() != 0:\n        return {{}}")
    return "\n".join(lines)
