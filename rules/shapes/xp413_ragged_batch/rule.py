"""XP413: batches that are as long as their longest element."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from xlaport.context import Context
from xlaport.facts.collating import Collating
from xlaport.facts.module import FunctionNode
from xlaport.facts.step_nodes import StepBody
from xlaport.facts.structure import CallSite, Function
from xlaport.rule import Applicability, Finding, Harm, Rule

from ..._lib import host_only
from ..._lib.one_line import one_line
from ..._lib.shapes.in_steps import in_steps
from ..._lib.shapes.item_lengths import data_of, have_one_length
from ..._lib.shapes.ragged import Padder, Ragged, as_int, is_bucketing, is_collator, nodes_of, padded
from ..._lib.shapes.saying import say
from .buckets import bucketed, cut_and_padded, is_beside_another, truncates
from .padding import Layer, Program
from .unread_parts import is_read_by_none

_NO_PADDING = (Padder.ITERATOR, Padder.SHORTEST)


class RaggedBatch(Rule):
    """Pad batches to a few lengths, not to the longest item of each.

    ## What it does
    Finds where batches get another shape in each step: `pad_sequence`, `tokenizer(…, padding=True)`, the data collators
    of transformers, `max(len(x) for x in batch)`, and `min()` of these, in what a `DataLoader` takes as its
    `collate_fn`, and in steps. Where the program masks the padding, batches are padded further, to the next of a few
    lengths (buckets): by a small function that is written into the file, or by `pad_to_multiple_of=`. Elsewhere it is
    reported.

    ## Why
    A graph is for batches of one shape. Padded to the longest item, nearly each batch has another one, and recompiles
    the step, for seconds to minutes on a TPU. With buckets, there are as many graphs as buckets, or as pairs of them
    where two lengths are padded, as long as each batch has as many items.

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
    numbers. A table of positions must be as long as the largest bucket that batches reach. Padded to `max_length`, a
    batch of short texts costs as much as one of long ones. Where recurrent layers, batch norm or convolutions go over
    the padding, their results change with its length, unless they are masked or read at the true lengths: that is
    reported only. Lengths that belong together, as samples and their frames do, are computed from each other.

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
            if isinstance(node, FunctionNode | ast.Lambda):
                found = list(padded(context, _inside(context, node)))
                site = collating.loader_of(context.view.own, node) if found else None
                for ragged in found if site is not None else ():
                    if not _gets_one_length(context, ragged, site) and not is_read_by_none(context, ragged.node):
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
        span, what = context.place(ragged.node), _what(context, ragged)
        program = Program(context, site.facts if site is not None else None)
        layer = None if ragged.how in (Padder.TOKENIZER, Padder.COLLATOR) else program.spreading()
        is_masked = program.is_masked()
        if layer is None and is_masked and ragged.how not in _NO_PADDING:
            whole = cut_and_padded(context, ragged)
            if whole is not None:
                return self.finding(span, say("XP413.whole", what=what), whole)
            edits = bucketed(context, ragged)
            if edits is not None:
                return self.finding(span, say("XP413.buckets", what=what), *edits)
        if ragged.how is Padder.SHORTEST:
            return self.finding(span, say("XP413.shortest", what=what, length=context.module.segment(ragged.node)))
        recipe = _recipe(context, ragged)
        if ragged.how is not Padder.ITERATOR:
            recipe += _doubt(context, ragged, layer, is_masked)
        return self.finding(span, say("XP413.left", what=what, recipe=recipe))


def _inside(context: Context, node: FunctionNode | ast.Lambda) -> Iterable[ast.AST]:
    """What may pad in a function."""
    return ast.walk(node.body) if isinstance(node, ast.Lambda) else nodes_of(Function(context.view.own, node))


def _gets_one_length(context: Context, ragged: Ragged, site: CallSite | None) -> bool:
    """Whether what pads tokens gets them padded to a maximum by the function that made the items of the data set."""
    return site is not None and _takes_tokens(ragged) and have_one_length(context, data_of(site))


def _takes_tokens(ragged: Ragged) -> bool:
    """``tokenizer.pad(features, padding=True)``, and the collators, to which items come tokenized."""
    func = ragged.node.func if isinstance(ragged.node, ast.Call) else None
    is_pad = ragged.how is Padder.TOKENIZER and isinstance(func, ast.Attribute) and func.attr == "pad"
    return ragged.how is Padder.COLLATOR or is_pad


def _what(context: Context, ragged: Ragged) -> str:
    """What makes batches as long as they are."""
    if ragged.how is Padder.TOKENIZER and isinstance(ragged.node, ast.Call):
        padding = next(k.value for k in ragged.node.keywords if k.arg == "padding")
        return f"padding={ast.unparse(padding)}"
    if ragged.how in (Padder.LONGEST, Padder.SHORTEST):
        return one_line(context, ragged.node)
    return f"{context.module.segment(ragged.node).partition('(')[0]}()"


def _recipe(context: Context, ragged: Ragged) -> str:
    if ragged.how in (Padder.TOKENIZER, Padder.COLLATOR):
        cuts = isinstance(ragged.node, ast.Call) and truncates(ragged.node)
        return say.phrase("pad_where_cut") if cuts else say.phrase("pad_tokens")
    if ragged.how is Padder.ITERATOR:
        return say.phrase("fix_length")
    return say.phrase("pad", length=as_int(context, ragged.node) if ragged.how is Padder.LONGEST else "longest")


def _doubt(context: Context, ragged: Ragged, layer: Layer | None, is_masked: bool) -> str:
    if layer is not None:
        line = context.line_of(layer.facts, layer.node)
        name = f"`{layer.name}` in line {line}" if layer.is_made_near else say.phrase("spreading_layer")
        return say.phrase("spreads", layer=name)
    if not is_masked:
        return say.phrase("unmasked")
    return say.phrase("lengths_beside") if is_beside_another(context, ragged) else ""
