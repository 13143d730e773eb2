"""XP413: batches that are as long as their longest element."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.collating import Collating
from xlaport.facts.lineage import CallSite, Function
from xlaport.facts.module import FunctionNode
from xlaport.facts.step_code import StepBody
from xlaport.rule import Applicability, Finding, Harm, Rule

from .. import host_only
from .baked import COST, in_steps
from .buckets import bucketed, cut_and_padded, is_beside_another, truncates
from .item_lengths import data_of, have_one_length
from .padding import Layer, Program
from .ragged import Padder, Ragged, as_int, is_bucketing, is_collator, nodes_of, padded
from .unread_parts import is_read_by_none

_NO_PADDING = (Padder.ITERATOR, Padder.SHORTEST)
_UNSAFE = (
    "Unsafe: the masks and the loss have to leave the new padding out as they do the old, and a table of positions has "
    "to be as long as what the longest batch is padded to"
)
"""What is not cured by more padding at the place itself."""


class RaggedBatch(Rule):
    """Pad batches to a few lengths, not to the longest of each.

    ## What it does
    Finds where batches get another shape in each step: `pad_sequence`, `tokenizer(…, padding=True)`, the data collators
    of transformers, `max(len(x) for x in batch)`, and `min()` of these, in what a `DataLoader` takes as its
    `collate_fn`, and in steps. Where the program masks the padding, batches are padded further, to the next of a few
    lengths (buckets): by a small function that is written into the file, or by `pad_to_multiple_of=`. Elsewhere it is
    reported.

    ## Why
    A graph is for batches of one shape. Padded to the longest element, nearly each batch has another one, and another
    graph to compile, which takes from seconds to minutes on a TPU. With buckets, there are as many graphs as buckets.

    ## Example
        from torch.nn.utils.rnn import pad_sequence

        PAD = 0

        def collate(batch):
            return pad_sequence(batch, batch_first=True, padding_value=PAD)

        model = nn.Embedding(100, 4, padding_idx=PAD).to("xla")
        for ids in DataLoader([torch.ones(3), torch.ones(5)], batch_size=2, collate_fn=collate):
            ids = ids.to("xla")
            print((model(ids) * (ids != PAD)[..., None]).sum())

    becomes

        from torch.nn.utils.rnn import pad_sequence

        PAD = 0


        def pad_to_bucket(batch, dim, value, buckets=(16, 32, 64, 128, 256, 512, 1024)):
            \"\"\"Pad a batch to the next of a few lengths: each length that batches have is a graph to compile.\"\"\"
            length = batch.size(dim)
            doubled = 1 << (length - 1).bit_length()  # beyond the last of them
            shape = list(batch.shape)
            shape[dim] = next((bucket for bucket in buckets if bucket >= length), doubled) - length
            return torch.cat([batch, batch.new_full(shape, value)], dim)

        def collate(batch):
            return pad_to_bucket(pad_sequence(batch, batch_first=True, padding_value=PAD), 1, PAD)

        model = nn.Embedding(100, 4, padding_idx=PAD).to("xla")
        for ids in DataLoader([torch.ones(3), torch.ones(5)], batch_size=2, collate_fn=collate):
            ids = ids.to("xla")
            print((model(ids) * (ids != PAD)[..., None]).sum())

    ## When it is wrong
    What is computed over all positions, such as a mean without a mask, sees more padding, and dropout draws other
    numbers. A table of positions has to be as long as the largest bucket that batches reach. Where recurrent layers,
    batch norm or convolutions go over the padding, their results change with its length: that is reported only.

    ## When it is left alone
    Batches that are padded to a fixed length, by the tokenizer or when the data set was prepared; collate functions of
    tests; padding of which it is not known whether anything masks it (reported only).

    ## Sources
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP417, XP420, XP421.
    """

    code = "XP413"
    name = "ragged-batch"
    summary = "batches are padded to the longest, and not to a few lengths"
    applicability = Applicability.UNSAFE
    harm = Harm.RECOMPILES
    words = ("pad_sequence", "padding", "DataCollator", "max", "min", "sort", "Iterator")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that pads to the longest of a batch that a step gets."""
        if host_only.stays_on_host(context) or host_only.is_test(context):
            return
        collating = Collating(context.flow.structure)
        for node in context.module.of_type(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Call):
            if isinstance(node, FunctionNode):
                found = list(padded(context, nodes_of(Function(context.view.own, node))))
                site = collating.loader_of(Function(context.view.own, node)) if found else None
                for ragged in found if site is not None else ():
                    if not _gets_one_length(context, ragged, site) and not is_read_by_none(context, ragged.node):
                        yield self._finding(context, ragged, site)
            elif isinstance(node, ast.Lambda):
                found = list(padded(context, ast.walk(node.body)))
                site = collating.taken_by(context.view.own, node) if found else None
                for ragged in found if site is not None else ():
                    if not _gets_one_length(context, ragged, site):
                        yield self._finding(context, ragged, site)
            elif is_bucketing(context, node):
                yield self._finding(context, Ragged(Padder.ITERATOR, node), None)
            elif is_collator(context, node):
                ragged = Ragged(Padder.COLLATOR, node)
                sites = collating.all_taking(context.view.own, node)
                site = next((site for site in sites if not _gets_one_length(context, ragged, site)), None)
                if site is not None:
                    yield self._finding(context, ragged, site)
        yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for ragged in padded(context, context.step_code.of_type(body, ast.Call, ast.Subscript)):
            if not context.step_code.is_now_and_then(ragged.node, but_training=True):
                yield self._finding(context, ragged, None)

    def _finding(self, context: Context, ragged: Ragged, site: CallSite | None) -> Finding:
        other = site.facts if site is not None else None
        span = context.place(ragged.node)
        why = f"{_what(context, ragged, _where(context, site))} each new length of a batch is {COST}"
        program = Program(context, other)
        layer = None if ragged.how in (Padder.TOKENIZER, Padder.COLLATOR) else program.spreading()
        is_masked = program.is_masked()
        if layer is None and is_masked and ragged.how not in _NO_PADDING:
            whole = cut_and_padded(context, ragged)
            if whole is not None:
                return self.finding(
                    span,
                    f"{why}. The edit pads it to max_length, to which it is cut: one graph, as long as each batch has "
                    f"as many texts. {_UNSAFE}, and a batch of short texts costs as much as one of long ones",
                    whole,
                )
            edits = bucketed(context, ragged)
            if edits is not None:
                return self.finding(
                    span,
                    f"{why}. The edit pads it further, to the next of a few lengths: no more graphs than there are of "
                    "these, or pairs of them where two are padded, as long as each batch has as many items. "
                    f"{_UNSAFE}",
                    *edits,
                )
        doubt = "" if ragged.how in _NO_PADDING else _doubt(context, ragged, layer, is_masked)
        return self.finding(span, f"{why}. {_recipe(context, ragged)}{doubt}")


def _gets_one_length(context: Context, ragged: Ragged, site: CallSite | None) -> bool:
    """Whether what pads tokens gets them padded to a maximum by the function that made the items of the data set."""
    return site is not None and _takes_tokens(ragged) and have_one_length(context, data_of(site))


def _takes_tokens(ragged: Ragged) -> bool:
    """``tokenizer.pad(features, padding=True)``, and the collators, to which items come tokenized."""
    func = ragged.node.func if isinstance(ragged.node, ast.Call) else None
    is_pad = ragged.how is Padder.TOKENIZER and isinstance(func, ast.Attribute) and func.attr == "pad"
    return ragged.how is Padder.COLLATOR or is_pad


def _what(context: Context, ragged: Ragged, where: str) -> str:
    """What makes batches as long as they are, up to what comes of it."""
    text = context.module.segment(ragged.node)
    if ragged.how is Padder.TOKENIZER and isinstance(ragged.node, ast.Call):
        padding = next(k.value for k in ragged.node.keywords if k.arg == "padding")
        doubt = ": where items differ in length," if _takes_tokens(ragged) else ", and"
        return f"padding={ast.unparse(padding)} pads to the longest of each batch{where}{doubt}"
    # Texts differ in length. Of other items that is not known: they may have been cut or padded to one length before.
    match ragged.how:
        case Padder.SEQUENCES:
            return f"pad_sequence() pads to the longest of each batch{where}: where items differ in length,"
        case Padder.COLLATOR:
            return f"{text.partition('(')[0]} pads to the longest of each batch{where}: where items differ in length,"
        case Padder.ITERATOR:
            return f"{text.partition('(')[0]} pads to the longest of each batch{where}, and"
    item = "shortest" if ragged.how is Padder.SHORTEST else "longest"
    length = text if len(text) < 50 and chr(10) not in text else f"the {item} item"
    return f"{length} decides how long each batch{where} is: where items differ in length,"


def _where(context: Context, site: CallSite | None) -> str:
    return f" of the loader in line {context.line_of(site.facts, site.node)}" if site is not None else ""


def _recipe(context: Context, ragged: Ragged) -> str:
    if ragged.how in (Padder.TOKENIZER, Padder.COLLATOR):
        if isinstance(ragged.node, ast.Call) and truncates(ragged.node):
            return (
                'Write padding="max_length", which is one graph, or pad_to_multiple_of= a divisor of the length to '
                "which it is cut"
            )
        return 'Write pad_to_multiple_of=64, or padding="max_length" with max_length, which is one graph'
    if ragged.how is Padder.ITERATOR:
        return (
            "Give each Field a fix_length=, which all batches are padded or cut to: that is one graph, and one more "
            "for a smaller last batch"
        )
    text = context.module.segment(ragged.node)
    if ragged.how is Padder.SHORTEST:
        return (
            f"Let the dataset give items of one length, which is one graph, or cut to one of a few lengths, such as "
            f"the power of two below, 1 << ({text}.bit_length() - 1)"
        )
    if ragged.how is Padder.LONGEST and len(text) < 50:
        length = as_int(context, ragged.node)
    else:
        length = "the longest length"
    return (
        f"Pad to the next of a few lengths, such as the next power of two, 1 << ({length} - 1).bit_length(), and let "
        "masks that are made of the lengths be as wide"
    )


def _doubt(context: Context, ragged: Ragged, layer: Layer | None, is_masked: bool) -> str:
    if layer is None and is_masked and is_beside_another(context, ragged):
        return (
            ". That is left to you: another length is padded to beside it; where they hang together, as samples and "
            "their frames do, the one has to be computed from the other"
        )
    if layer is None and is_masked:
        return ", wherever that length is used"
    if layer is None:
        return ", where the padding is masked, or reaches nothing that counts"
    if not layer.is_made_near:
        return (
            ". That is left to you: a layer that goes over the padding, such as a convolution, a recurrent layer or a "
            "batch norm, computes something else with another length, unless its results are masked or read at the "
            "true lengths"
        )
    line = context.line_of(layer.facts, layer.node)
    return (
        f". That is left to you: a layer that goes over the padding, as the {layer.name} in line {line} does if it "
        "gets this batch, computes something else with another length, unless its results are masked or read at the "
        "true lengths"
    )
