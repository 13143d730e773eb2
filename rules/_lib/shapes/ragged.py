"""Where batches get their shapes: what pads to the longest of a batch, or cuts to the shortest."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.structure import Function

PAD_SEQUENCE = frozenset({"torch.nn.utils.rnn.pad_sequence"})
_MAKERS = frozenset("zeros ones empty full new_zeros new_ones new_empty new_full LongTensor FloatTensor".split())
_KEEPING = frozenset({"builtins.list", "torch.tensor", "torch.LongTensor", "numpy.array"})
_PADDERS = frozenset({"torch.nn.functional.pad", "numpy.pad"})
_LONGEST = frozenset({"builtins.max", "numpy.max"})
_SHORTEST = frozenset({"builtins.min", "numpy.min"})
_TOKENIZING = frozenset({"pad", "batch_encode_plus", "__call__"})
_COLLATORS = frozenset(
    f"transformers.{name}"
    for name in (
        "DataCollatorWithPadding DataCollatorForTokenClassification DataCollatorForSeq2Seq "
        "DataCollatorForLanguageModeling DataCollatorForWholeWordMask DataCollatorForMultipleChoice"
    ).split()
)
"""Classes of transformers that pad to the longest unless they are told otherwise."""
_ITERATORS = frozenset(
    f"torchtext.{package}.{name}"
    for package in ("data", "legacy.data", "data.iterator")
    for name in ("BucketIterator", "BucketIterator.splits", "Iterator", "Iterator.splits")
)
_MAX_DEPTH = 2


class Padder(enum.Enum):
    """What pads."""

    SEQUENCES = "pad_sequence()"
    TOKENIZER = "a tokenizer"
    COLLATOR = "a data collator"
    ITERATOR = "an iterator of torchtext"
    LONGEST = "the longest of a batch, by hand"
    SHORTEST = "the shortest of a batch, by hand"


@dataclass(frozen=True)
class Ragged:
    """One place that makes batches as long as their longest element. `node` is the call that pads, or the length."""

    how: Padder
    node: ast.Call | ast.Subscript


def padded(context: Context, nodes: Iterable[ast.AST]) -> Iterator[Ragged]:
    """The places among some nodes that pad to the longest."""
    for node in nodes:
        if isinstance(node, ast.Call):
            name = context.resolve(node.func)
            if name in PAD_SEQUENCE:
                if not _is_padded_further(context, node):
                    yield Ragged(Padder.SEQUENCES, node)
            elif _tokenizes(context, node, name):
                yield Ragged(Padder.TOKENIZER, node)
            elif (_is_length(context, node) or _is_of_longest(context, node)) and _is_size(context, node):
                yield Ragged(Padder.LONGEST, node)
            elif _is_length(context, node, _SHORTEST) and any(_cuts(context, use) for use in _uses(context, node)):
                yield Ragged(Padder.SHORTEST, node)
        elif isinstance(node, ast.Subscript) and _is_first_of_sorted(context, node) and _is_size(context, node):
            yield Ragged(Padder.LONGEST, node)


def is_collator(context: Context, call: ast.Call) -> bool:
    """Whether a call makes a collator of transformers that pads to the longest."""
    name = context.resolve(call.func) or ""
    if name not in _COLLATORS or any(k.arg in (None, "pad_to_multiple_of") for k in call.keywords):
        return False
    padding = next((k.value for k in call.keywords if k.arg == "padding"), None)
    return padding is None or _is_longest(padding)


def is_bucketing(context: Context, call: ast.Call) -> bool:
    """Whether a call makes an iterator of torchtext, which pads to the longest unless a field has a fixed length."""
    return context.resolve(call.func) in _ITERATORS and "fix_length" not in context.module.text


def nodes_of(function: Function) -> list[ast.Call | ast.Subscript]:
    """What may pad in a function, without what is in functions in it."""
    return function.facts.module.that_run(function.node.body, ast.Call, ast.Subscript)


# -- what pads -----------------------------------------------------------------------------------------


def _tokenizes(context: Context, call: ast.Call, name: str | None) -> bool:
    """``tokenizer(texts, padding=True, return_tensors="pt")``, ``tokenizer.pad(features)``."""
    given = {k.arg: k.value for k in call.keywords}
    if None in given or "pad_to_multiple_of" in given or "padding" not in given or not _is_longest(given["padding"]):
        return False
    if name is not None and not name.startswith("transformers."):
        return False
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr in _TOKENIZING
    return "return_tensors" in given or is_method


def _is_longest(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (True, "longest") and type(node.value) is not int


def _is_padded_further(context: Context, call: ast.Call) -> bool:
    """Whether something of the project, or another padding, gets what is padded, and may pad it further."""
    parent = context.module.parents[call]
    if isinstance(parent, ast.keyword):
        parent = context.module.parents[parent]
    if not isinstance(parent, ast.Call) or parent.func is call:
        return False
    return (
        context.resolve(parent.func) in _PADDERS or context.flow.structure.run_by(context.view.own, parent) is not None
    )


def _is_length(context: Context, call: ast.Call, choosing: frozenset[str] = _LONGEST) -> bool:
    """``max(len(x) for x in batch)``, ``max(map(len, batch))``, ``max(lengths)`` of a list of lengths."""
    if context.resolve(call.func) not in choosing or len(call.args) != 1 or call.keywords:
        return False
    lengths = call.args[0]
    return _are_lengths(context, lengths.value if isinstance(lengths, ast.Starred) else lengths, 0)


def _is_of_longest(context: Context, call: ast.Call) -> bool:
    """``longest.size(1)`` of ``longest = max(batch, key=lambda x: x[0].size(1))[0]``: the size that it is chosen by."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call.args[0] if call.args else None
    if not isinstance(owner, ast.Name) or not _is_len(context, call):
        return False
    found = context.names.reaching(owner)
    return bool(found) and all(
        b.how is How.ASSIGN and b.value is not None and _is_longest_by(context, b.value, call) for b in found
    )


def _is_longest_by(context: Context, node: ast.expr, length: ast.Call) -> bool:
    while isinstance(node, ast.Subscript):
        node = node.value
    if not isinstance(node, ast.Call) or context.resolve(node.func) not in ("builtins.max", "builtins.sorted"):
        return False
    key = next((k.value for k in node.keywords if k.arg == "key"), None)
    if key is None:
        return False
    if context.resolve(key) == "builtins.len":
        return context.resolve(length.func) == "builtins.len"
    measured: ast.expr | None = key.body if isinstance(key, ast.Lambda) else None
    function = context.flow.structure.function_named(context.view.own, key)
    if function is not None:
        returned = [node.value for node in function.facts.module.returns(function.node)]
        measured = returned[0] if len(returned) == 1 else None
    if not isinstance(measured, ast.Call) or not _is_len(context, measured):
        return False
    is_len = context.resolve(measured.func) == "builtins.len"
    same = [ast.dump(a) for a in measured.args] == [ast.dump(a) for a in length.args]
    return is_len == (context.resolve(length.func) == "builtins.len") and (is_len or same)


def _are_lengths(context: Context, node: ast.expr, depth: int) -> bool:
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        return _is_len(context, node.elt) or _is_count(node.elt)
    if isinstance(node, ast.Call):
        name = context.resolve(node.func)
        if name == "builtins.map":
            return bool(node.args) and context.resolve(node.args[0]) == "builtins.len"
        return name in _KEEPING and len(node.args) == 1 and _are_lengths(context, node.args[0], depth + 1)
    if not isinstance(node, ast.Name) or depth > 3:
        return False
    found = context.names.reaching(node)
    return bool(found) and all(
        b.how is How.ASSIGN and b.value is not None and _are_lengths(context, b.value, depth + 1) for b in found
    )


def _is_len(context: Context, node: ast.expr) -> bool:
    """``len(x)``, ``x.size(0)``, ``x.shape[1]``."""
    if isinstance(node, ast.Call):
        if context.resolve(node.func) == "builtins.len":
            return True
        return isinstance(node.func, ast.Attribute) and node.func.attr == "size" and len(node.args) == 1
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def _is_count(node: ast.expr) -> bool:
    """``(x != pad).sum()``: how many places of a sample are no padding."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr == "sum" and not node.args and isinstance(node.func.value, ast.Compare)


def as_int(context: Context, length: ast.expr) -> str:
    """The text of a length as Python's own number: a tensor and a scalar of NumPy have no `bit_length()`."""
    text = context.module.segment(length)
    if not isinstance(length, ast.Call):
        return f"int({text})"
    name = context.resolve(length.func)
    is_own = name == "builtins.len" or (name == "builtins.max" and _holds_ints(context, length.args[0], 0))
    is_size = name is None and isinstance(length.func, ast.Attribute) and length.func.attr == "size"
    return text if is_own or is_size else f"int({text})"


def _holds_ints(context: Context, node: ast.expr, depth: int) -> bool:
    """Whether lengths are Python's own numbers: not those of ``torch.LongTensor(lengths)``, and no counts."""
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        return _is_len(context, node.elt)
    if isinstance(node, ast.Call):
        name = context.resolve(node.func)
        return name == "builtins.map" or (name == "builtins.list" and _holds_ints(context, node.args[0], depth + 1))
    found = context.names.reaching(node) if isinstance(node, ast.Name) and depth <= 3 else ()
    return bool(found) and all(b.value is not None and _holds_ints(context, b.value, depth + 1) for b in found)


def _is_first_of_sorted(context: Context, node: ast.Subscript) -> bool:
    """``lengths[0]`` of ``lengths, order = torch.sort(torch.LongTensor([len(x) …]), descending=True)``."""
    if not isinstance(node.slice, ast.Constant) or node.slice.value != 0 or type(node.slice.value) is not int:
        return False
    if not isinstance(node.value, ast.Name) or not isinstance(node.ctx, ast.Load):
        return False
    found = context.names.reaching(node.value)
    return bool(found) and all(
        b.how is How.UNPACK and b.index == 0 and isinstance(b.value, ast.Call) and _sorts(context, b.value)
        for b in found
    )


def _sorts(context: Context, call: ast.Call) -> bool:
    descends = any(
        k.arg == "descending" and isinstance(k.value, ast.Constant) and k.value.value is True for k in call.keywords
    )
    if not descends or context.resolve(call.func) != "torch.sort" or not call.args:
        return False
    return _are_lengths(context, call.args[0], 0)


# -- what is made of it --------------------------------------------------------------------------------


def _is_size(context: Context, length: ast.expr) -> bool:
    """Whether a length becomes the size of a tensor or an array, or says how much is to be padded."""
    uses = _uses(context, length)
    if any(_sizes(context, use, 0) for use in uses):
        return True
    function = context.module.function(length)
    if function is None or not any(isinstance(context.module.parents[use], ast.Return) for use in uses):
        return False
    sites = context.flow.structure.calls_to(Function(context.view.own, function))
    return any(_sizes(context.of(site.facts), site.node, 0) for site in sites)


def _cuts(context: Context, use: ast.expr) -> bool:
    """Whether a length is where something is cut: ``x[:shortest]``."""
    parent = context.module.parents[use]
    return isinstance(parent, ast.Slice) and parent.upper is use and parent.lower is None


def _uses(context: Context, length: ast.expr) -> list[ast.expr]:
    """Where a length is used: by its name, if it gets one."""
    parent = context.module.parents[length]
    while isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add):
        parent = context.module.parents[parent]  # `longest = max(lengths) + 1`
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        return [*context.names.uses_of(parent.targets[0])]
    return [length]


def _sizes(context: Context, use: ast.expr, depth: int) -> bool:
    node: ast.AST = use
    for parent in context.module.ancestors(use):
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult) and node is not use:
            # `[pad] * (longest - len(x))`
            return any(isinstance(side, ast.List) for side in (parent.left, parent.right))
        if isinstance(parent, ast.Call) and parent.func is not node:
            name = context.resolve(parent.func) or (parent.func.attr if isinstance(parent.func, ast.Attribute) else "")
            if name in _PADDERS or name.rpartition(".")[2] in _MAKERS:
                return True
            return isinstance(node, ast.expr | ast.keyword) and _sizes_there(context, parent, node, depth)
        if isinstance(parent, ast.stmt | ast.Subscript | ast.Compare):
            return False
        node = parent
    return False


def _sizes_there(context: Context, call: ast.Call, argument: ast.expr | ast.keyword, depth: int) -> bool:
    """Whether a function of the project pads to the length that it gets: ``pad_to(x, longest)``."""
    structure = context.flow.structure
    function = structure.run_by(context.view.own, call) if depth < _MAX_DEPTH else None
    if function is None:
        return False
    if isinstance(argument, ast.keyword):
        parameter = argument.arg
    else:
        parameter = structure.parameter_of(call, function, argument)
    scope = function.facts.names.scope_of(function.node)
    if parameter is None or scope is None:
        return False
    there = context.of(function.facts)
    return any(_sizes(there, use, depth + 1) for use in there.names.uses(scope, parameter))
