"""XP422: a number that is read from the device, in a place where it is baked into the graph."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib import host_only
from .._lib.host_reads.device_values import torch_name
from .._lib.one_line import one_line
from .._lib.shapes.advice import advice, taken
from .._lib.shapes.from_host import counts_sizes, kept_on_host
from .._lib.shapes.places import Place
from .._lib.shapes.read_numbers import assumed, read_numbers
from .._lib.shapes.saying import say


class ReadNumber(Rule):
    """Report numbers that are read from the device and become a part of the graph.

    ## What it does
    Finds numbers that a step reads from the device, by `.item()`, `int(…)`, `.tolist()` or where a tensor without
    dimensions is used as a number, and gives back as a size, an index, the bound of a slice, a number of parts:
    `x[:, : lengths.max()]`, `torch.arange(int(n.sum()))`, `x.split(counts.tolist())`, `x.topk(k.item())`. Each is
    reported with the number's name and what to write.

    A slice of one length that begins at such a tensor, `x[i, start : start + 4]`, is taken by a tensor of positions.

    ## Why
    The host waits for the TPU in the middle of the step, and each new value recompiles the graph, which takes from
    seconds to minutes. Which places compile a number in is measured: `rules/shapes/numbers.toml`.

    ## Example
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for batch, lengths in DataLoader([(torch.zeros(9, 4), 5)] * 64, batch_size=8):
            batch, lengths = batch.to(device), lengths.to(device)
            longest = lengths.max().item()
            loss = model(batch[:, :longest]).sum()
            loss.backward()
            optimizer.step()

    is reported. A mask in the place of the slice:

            mask = torch.arange(batch.size(1), device=device) < lengths.max()
            loss = torch.where(mask[:, None], model(batch), 0).sum()

    ## When it is wrong
    A slice that ends behind the last position is shorter, where positions behind it raise on the CPU, and give the last
    one on XLA. Where the number is the same in each step, or has few values, it costs a wait, and that many
    compilations. Where the data comes from the host, the number does, too: read it there, before the tensor moves.

    ## When it is left alone
    Numbers of the host, such as those that a collate function passes on as they are, and sizes of layers that are made
    once.

    ## Sources
    - Measured on torch_xla 2.9: the table `rules/shapes/numbers.toml`.
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP401, XP407, XP412, XP424.
    """

    code = "XP422"
    name = "read-number-in-graph"
    summary = "a number that is read from the device is baked into the graph"
    applicability = Applicability.MANUAL
    harm = Harm.RECOMPILES
    traits = (Trait.GRAPH_NUMBERS,)
    words = ("for", "while", "def")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each number of a statement that is read and baked in, at its first place."""
        if not host_only.stays_on_host(context):
            yield from (self._finding(context, group) for group in read_numbers(context))

    def _finding(self, context: Context, group: list[Place]) -> Finding:
        first, change = group[0], group[0].change
        kept = kept_on_host(context, change)
        arange, imports = torch_name(context, "arange", first.node)
        code = taken(context, first, arange) if kept is None and len(group) == 1 and first.is_sure(context) else None
        if code is not None and context.editable(first.node):
            said = say("XP422.taken", number=one_line(context, first.number))
            edit = Replace(context.span(first.node), code)
            unsafe = Applicability.UNSAFE
            return self.finding(context.place(first.number), said, edit, imports=imports, applicability=unsafe)
        recipe = advice(context, first)
        read = context.line_of(change.facts, change.node)
        if kept is not None and counts_sizes(context, change):
            recipe = kept
        elif kept is not None:
            recipe = f"{kept} {say.phrase('one_graph', recipe=recipe[0].lower() + recipe[1:])}"
        elif read != context.line(first.number):
            recipe += say.phrase("read_in_line", line=read)
        where = assumed(context, change)
        if not where and first.tensor is not None and not first.is_sure(context):
            where = say.phrase("if_tensor", name=one_line(context, first.tensor))
        text = say("XP422.number", number=one_line(context, first.number), where=where, recipe=recipe)
        return self.finding(context.place(first.number), text)
