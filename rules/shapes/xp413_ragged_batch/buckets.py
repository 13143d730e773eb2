"""Padding to a few fixed lengths: what is written into the user's code."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.rule import Edit, InsertStatement, Replace

from ..._lib.arguments import given, with_argument
from ..._lib.host_reads.device_values import torch_name
from ..._lib.shapes.ragged import Padder, Ragged, as_int, padded

MULTIPLE = 64
_LENGTH = '''
def {name}(length, buckets=(16, 32, 64, 128, 256, 512, 1024)):
    """The next of a few lengths: each length that batches have is a graph to compile."""
    doubled = 1 << (length - 1).bit_length()  # beyond the last of them
    return next((bucket for bucket in buckets if bucket >= length), doubled)
'''
_PAD = '''
def {name}(batch, dim, value, buckets=(16, 32, 64, 128, 256, 512, 1024)):
    """Pad a batch to the next of a few lengths: each length that batches have is a graph to compile."""
    length = batch.size(dim)
    doubled = 1 << (length - 1).bit_length()  # beyond the last of them
    shape = list(batch.shape)
    shape[dim] = next((bucket for bucket in buckets if bucket >= length), doubled) - length
    return {cat}([batch, batch.new_full(shape, value)], dim)
'''
NAMES = {Padder.SEQUENCES: "pad_to_bucket", Padder.LONGEST: "next_bucket"}


def bucketed(context: Context, ragged: Ragged) -> list[Edit] | None:
    """The edits that pad to the next of a few lengths; None where they cannot be made here."""
    node = ragged.node
    if not context.editable(node):
        return None
    if ragged.how in (Padder.TOKENIZER, Padder.COLLATOR):
        assert isinstance(node, ast.Call)
        return None if truncates(node) else [with_argument(context, node, f"pad_to_multiple_of={MULTIPLE}")]
    name = NAMES[ragged.how]
    text = context.module.segment(node)
    if ragged.how is Padder.LONGEST:
        if not _is_taken_once(context, node) or is_beside_another(context, ragged):
            return None
        function = _function(context, node, name, _LENGTH.format(name=name))
        return (
            [Replace(context.span(node), f"{name}({as_int(context, node)})"), *function]
            if function is not None
            else None
        )
    assert isinstance(node, ast.Call)
    options = _options(node)
    if options is None:
        return None
    first, value = options
    written = context.module.segment(value) if value is not None else "0"
    cat, _ = torch_name(context, "cat", node)
    if cat.partition(".")[0] not in context.names.root.bindings:
        return None
    function = _function(context, node, name, _PAD.format(name=name, cat=cat))
    call = f"{name}({text}, {1 if first else 0}, {written})"
    return [Replace(context.span(node), call), *function] if function is not None else None


def truncates(call: ast.Call) -> bool:
    """Whether a tokenizer cuts texts to a length that is not known to be a multiple of ours."""
    options = {k.arg: k.value for k in call.keywords}
    cut, limit = options.get("truncation"), options.get("max_length")
    if cut is None or (isinstance(cut, ast.Constant) and cut.value in (False, None, "do_not_truncate")):
        return False
    length = integer(limit) if limit is not None else None
    return length is None or length % MULTIPLE != 0


def cut_and_padded(context: Context, ragged: Ragged) -> Edit | None:
    """The edit that pads to the length to which a tokenizer cuts; None where it cuts to none that is given.

    `pad_to_multiple_of` raises ValueError beside a truncation to a length that is no multiple (transformers 4.57).
    """
    call = ragged.node
    if ragged.how is not Padder.TOKENIZER or not isinstance(call, ast.Call) or not truncates(call):
        return None
    options = {k.arg: k.value for k in call.keywords}
    limit = options.get("max_length")
    if limit is None or (isinstance(limit, ast.Constant) and limit.value is None) or not context.editable(call):
        return None
    return Replace(context.span(options["padding"]), '"max_length"')


def is_beside_another(context: Context, ragged: Ragged) -> bool:
    """Whether the function takes another length, too, which may hang together with it: samples, and their frames."""
    if ragged.how is not Padder.LONGEST:
        return False
    around: ast.AST = context.module.function(ragged.node) or context.module.tree
    return any(r.how is Padder.LONGEST and r.node is not ragged.node for r in padded(context, ast.walk(around)))


def _options(call: ast.Call) -> tuple[bool, ast.expr | None] | None:
    """Whether a batch of `pad_sequence` comes first, and the padding value; None where that is not plain to see."""
    passed = given(call, ("sequences", "batch_first", "padding_value", "padding_side"))
    if passed is None:
        return None
    first = passed.get("batch_first")
    if first is not None and not (isinstance(first, ast.Constant) and isinstance(first.value, bool)):
        return None
    side = passed.get("padding_side")
    if side is not None and not (isinstance(side, ast.Constant) and side.value == "right"):
        return None
    value = passed.get("padding_value")
    if value is not None and any(isinstance(n, ast.Call | ast.NamedExpr | ast.Await) for n in ast.walk(value)):
        return None
    return isinstance(first, ast.Constant) and first.value is True, value


def _is_taken_once(context: Context, length: ast.expr) -> bool:
    """Whether nothing else in the function asks for the same length, and would go on with the shorter one."""
    around: ast.AST = context.module.function(length) or context.module.tree
    wanted = ast.dump(length)
    return sum(isinstance(n, type(length)) and ast.dump(n) == wanted for n in ast.walk(around)) == 1


def _function(context: Context, node: ast.AST, name: str, code: str) -> list[Edit] | None:
    """The edit that defines the function that pads; none where it is there already; None where that cannot be done."""
    (wanted,) = ast.parse(code).body
    present = context.names.root.bindings.get(name, [])
    if len(present) == 1 and ast.dump(present[0].node) == ast.dump(wanted):
        return []
    if not context.names.is_free(name, node):
        return None
    # All that pad in this way ask for the same place, in front of the first of them.
    body = context.module.tree.body
    first = next((index for index, statement in enumerate(body) if _pads(context, statement, name)), None)
    if first is None:
        return None
    code = code.strip("\n")
    if first:  # comments above a function belong to it
        return [InsertStatement(context.span(body[first - 1]), f"\n\n{code}")]
    return [InsertStatement(context.span(body[first]), f"{code}\n\n", before=True)]


def _pads(context: Context, statement: ast.stmt, name: str) -> bool:
    return any(NAMES.get(ragged.how) == name for ragged in padded(context, ast.walk(statement)))
