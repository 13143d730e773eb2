"""XP303: host reads whose values could stay on the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.loops import StepLoop
from xlaport.facts.names import Binding
from xlaport.facts.reads import HostRead
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    Harm,
    Import,
    InsertStatement,
    MoveStatement,
    RemoveStatement,
    Replace,
    Rule,
    Trait,
)
from xlaport.wording import Text

from ..._lib import host_only
from ..._lib.host_reads.deferring import Group, plan
from ..._lib.host_reads.device_values import Deferred
from ..._lib.host_reads.fillings import Filling, Form
from ..._lib.host_reads.handed_up import handed_back, handed_up
from ..._lib.host_reads.kept_items import kept_items
from ..._lib.host_reads.late_results import WORDS, late_looks, late_results
from ..._lib.host_reads.saying import SYNC, code, code_of, say
from ..._lib.host_reads.seldom_used import seldom_used
from ..._lib.parentheses import as_owner
from ..._lib.series import series
from ..._lib.showing import shows_now_and_then
from .bound_device import devices
from .for_logs import for_logs
from .kept_behind import KeptBehind, kept_behind
from .late_return import LateReturn, late_returns
from .late_work import EarlyBarrier, LateWork, early_barrier, late_work
from .never_read import is_never_read, without
from .renewing import renewal
from .writing import Writing

_MOST_NAMES = 3


class DeferredAccumulation(Rule):
    """Add up on the TPU, and read the sum once.

    ## What it does
    `total += loss.item()`, in every step of a loop, becomes `total += loss.detach()`. The sum begins as a tensor, in
    float32 for losses and in int64 for counts, and is read after the loop or where it is logged, so that everything
    there gets the number that it got before. All uses of the sum have to be known: where one needs it in every step (a
    condition), or at a time that is not known, nothing is changed, and XP301 names the line.

    The same for what else is only kept: `losses.append(loss.item())`, `preds.append(out.argmax(1).cpu())` and
    `preds.extend(out.tolist())`, `losses[k] = loss.item()` of an array made before the loop, sums in a dict, meters,
    a smoothed loss, the greatest of all; an array of which nothing but the mean is asked becomes a sum. Names (`value
    = loss.item()`) and functions (`return loss.item()`) that hand on what was read, also in tuples and dicts, hand on
    the tensor, if all who get it can do with that, or read it in some steps only. Among these is code of the project
    that gets such a dict, `logger.push(metrics)`, adds its values up or keeps them, and shows some sums: it reads them
    there, `float(self.running[key])`.
    Methods of other files that hand a number back to a loop which lists it, `losses.append(self.train_step())`, hand
    back the tensor, behind their sync; so do steps that put a number into a dict of their object which is only looked
    at between steps; so do functions that return numbers, or lists of them, to other files which look at them in some
    steps only. The list, or who looks, makes numbers of what may be a tensor: each file comes to that by itself.
    A function that reads a number to return it (`return float(total)`) hands back the tensor, where a caller only logs
    it beside the steps (XP305): the callers read it.
    What only shows a sum or a name in every step (`print`, a progress bar) reads it there, and XP305 makes that a step
    closure, for which nobody waits. What fills a sum or a list that nothing reads is removed.

    What is added, or computed, after the step's `torch_xla.sync()` would become a part of the next step's graph: it
    moves before the sync, or the sync moves after it; where a function adds, and then reads in some steps, in between.

    ## Why
    Each `.item()` makes the host wait until the TPU is done, in every step. The sum is only needed where it is shown.
    Work after the sync makes the first steps' graphs differ from the later ones: each is compiled.

    ## Example
        device = torch.device("xla")
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        loader = DataLoader(torch.zeros(8, 4))
        total = 0.0
        for x in loader:
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(total / len(loader))

    becomes

        device = torch.device("xla")
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        loader = DataLoader(torch.zeros(8, 4))
        total = torch.tensor([0.0], device=device)
        for x in loader:
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        print(total.item() / len(loader))

    ## When it is wrong
    Tensors that are kept stay in the TPU's memory until they are read: the outputs of a whole data set may not fit.
    Python adds in float64, the TPU in float32: of a hundred thousand losses, the sum differs in the third or fourth
    digit. The greatest of losses is not a number if one of them is none, where `max()` may pass over it. Counts are
    exact. A loss of shape (1,) cannot be added to a sum without dimensions: PyTorch says so in the first step.

    ## When it is left alone
    Sums, lists and meters that some code looks at in every step, that begin elsewhere or that another file uses; a sum
    that begins where an option (`--no-cuda`) has yet to decide on the device; values that decide something; a meter
    that rounds or does more than add; a dict that code of the project gets and changes, saves, or computes with by
    NumPy, that holds counts or texts, too, or that another file divides; values that are not seen to be tensors of the
    TPU; whole outputs of floats that go to the host as tensors, `features.append(out.cpu())`, so that the TPU need not
    hold those of all batches.

    ## Sources
    - PyTorch/XLA, Troubleshoot: https://docs.pytorch.org/xla/release/r2.7/learn/troubleshoot.html

    ## Related
    XP301, XP304, XP305, XP306.
    """

    code = "XP303"
    name = "deferred-accumulation"
    summary = "a sum of host reads is kept on the TPU, and read once"
    applicability = Applicability.UNSAFE
    harm = Harm.WAITS
    words = WORDS

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each sum that can wait."""
        if host_only.stays_on_host(context):
            return
        moving = [found.late.read.node for found in seldom_used(context)] if "XP308" in context.codes else []
        groups = plan(context).groups
        writing = Writing(context, devices(context, (d for group in groups for d in group.deferrals)))
        for group in groups:
            definitions = [d for source in group.sources for d in source.all_definitions]
            if any(read.node in moving for definition in definitions for read in definition.reads):
                continue  # XP308 takes it to where it is used, which changes no value
            yield self._left(context, group, writing)
        yield from self._across_files(context)
        if context.target.is_a(Trait.LAZY_GRAPH):
            yield from self._beside_barriers(context)

    def _beside_barriers(self, context: Context) -> Iterator[Finding]:
        """What the barrier of a step leaves for the next graph."""
        for loop in context.loops.all():
            moved = [self._moved(context, late, loop) for late in late_work(context, loop)]
            for early in (early_barrier(context, loop, barrier) for barrier in loop.barriers):
                if early is not None:
                    moved.append(self._later(context, early, loop))
            kept = kept_behind(context, loop) if not moved else None
            kept = kept if kept is not None and not _steps(context, kept.barrier) else None
            yield from [*moved, self._into(context, kept)] if kept is not None else moved
        for late_return in late_returns(context):
            yield self._before(context, late_return)

    def _across_files(self, context: Context) -> Iterator[Finding]:
        """What methods hand back to the loop of another file, and the list there."""
        for up in handed_up(context):
            text = say("XP303.handed-up", name=up.name, function=up.functions[0].node.name)
            if not up.is_read:
                yield self.finding(context.place(up.loop), text, InsertStatement(context.span(up.loop), up.reading))
        for up, value in handed_back(context):
            text = say("XP303.handed-back", read=code(context, value.node, "This read"), name=up.name)
            yield self.finding(context.span(value.node), text, Replace(context.span(value.node), value.text))
        for returning, result in late_results(context):
            for value, returned in result.values:
                text = say("XP303.returned", read=code(context, value.node, "This read"), name=returning.node.name)
                yield self.finding(context.span(value.node), text, Replace(context.span(value.node), returned))
        for look_at in late_looks(context):
            span = context.span(look_at.name)
            yield self.finding(span, say("XP303.looked-at", item=look_at.name.id), Replace(span, look_at.text))

        for found in for_logs(context):
            text = say("XP303.for-logs", read=code_of(context, found.read), function=found.function)
            yield self.finding(context.span(found.read.node), text, *found.edits)
        for kept in kept_items(context):
            for value in kept.puts:
                function = context.module.function(value.node)
                if function is not None and context.loops.function_effects(function).barriers:
                    text = say("XP303.kept-item", read=code(context, value.node, "This read"), name=kept.name)
                    yield self.finding(context.span(value.node), text, Replace(context.span(value.node), value.text))
            for look in kept.looks:
                item = context.module.segment(look)
                text = say("XP303.looked-at", item=item)
                yield self.finding(context.span(look), text, Replace(context.span(look), f"float({item})"))

    def _moved(self, context: Context, late: LateWork, loop: StepLoop) -> Finding:
        edit = MoveStatement(context.span(late.statement), context.span(late.barrier), before=True)
        return self._behind(context, late, late.statement, loop, "XP303.adds-after", edit)

    def _later(self, context: Context, early: EarlyBarrier, loop: StepLoop) -> Finding:
        edit = MoveStatement(context.span(early.barrier), context.span(early.last))
        return self._behind(context, early, early.last, loop, "XP303.sync-first", edit)

    def _into(self, context: Context, kept: KeptBehind) -> Finding:
        """The barrier comes behind what a function adds, and before what it reads."""
        barrier, sync = context.span(kept.barrier), code(context, kept.barrier, SYNC)
        place = context.span(kept.call)
        if kept.reads is None:
            text = say("XP303.sync-behind", name=kept.name, sync=sync)
            edit = MoveStatement(barrier, context.span(context.module.statement(kept.call)))
            return self.finding(place, text, edit, applicability=Applicability.SAFE)
        text = say("XP303.sync-inside", name=kept.name, line=context.line(kept.reads), sync=sync)
        symbol, imports = context.symbol("sync", kept.reads)
        edits = (RemoveStatement(barrier), InsertStatement(context.span(kept.reads), f"{symbol}()", before=True))
        return self.finding(place, text, *edits, imports=imports, applicability=Applicability.SAFE)

    def _behind(
        self, context: Context, late: LateWork | EarlyBarrier, statement: ast.stmt, loop: StepLoop, key: str, edit: Edit
    ) -> Finding:
        body = loop.node.body
        is_idle = loop.cut_by_loader and not _steps(context, late.barrier)
        if is_idle and not (context.reads.within(body) or shows_now_and_then(context, body)):
            key, edit = "XP303.sync-of-loader", RemoveStatement(context.span(late.barrier))
        text = say(key, name=late.target.id, sync=code(context, late.barrier, SYNC))
        return self.finding(context.span(statement), text, edit, applicability=Applicability.SAFE)

    def _before(self, context: Context, late: LateReturn) -> Finding:
        """What a function hands back is computed before its barrier."""
        edits: list[Edit] = []
        for name, node in late.parts:
            line = f"{name} = {context.module.segment(node)}"
            edits.append(InsertStatement(context.span(late.barrier), line, before=True, origin=context.span(node)))
            edits.append(Replace(as_owner(context, node), name))
        names = series(f"`{name}`" for name, _ in late.parts)
        return self.finding(
            context.span(late.parts[0][1]),
            say("XP303.computed-after", names=names, sync=code(context, late.barrier, SYNC)),
            *edits,
            applicability=Applicability.SAFE,
        )

    def _left(self, context: Context, group: Group, writing: Writing) -> Finding:
        """What is left on the device, with all that hangs together."""
        edits: list[Edit] = []
        imports: list[Import] = []
        definitions = [d for source in group.sources for d in source.all_definitions]
        for definition in definitions:
            edits += writing.definition(definition)
        edits += self._read(context, group, writing)
        for keeping in group.keeping:
            edits += writing.kept(keeping)
            for zero, value in keeping.starts:
                edit, of_torch = writing.begun_beside(zero, value)
                edits.append(edit)
                imports += of_torch
        begun: list[tuple[Binding, str]] = []
        idle = [found for found in group.deferrals if not group.sources and is_never_read(context, found)]
        for deferral in group.deferrals:
            if deferral in idle:
                edits += without(context, deferral)
                continue
            starts, wanted = writing.begun(deferral)
            more, also = writing.deferral(deferral)
            begun += starts
            edits += more
            imports += [*wanted, *also]
        edits += writing.starts(begun)
        fillings = [filling for deferral in group.deferrals for filling in deferral.fillings]
        reads = [read for definition in definitions for read in definition.reads]
        reads += [read for filling in fillings for read in filling.reads]
        first = next(read for read in reads if not isinstance(read, Deferred))
        read = code_of(context, first)
        unique = list(dict.fromkeys(edits))
        text = say("XP303.unread", read=read, name=idle[0].name) if idle else self._text(group, read)
        return self.finding(context.span(self._place(first, fillings)), text, *unique, imports=tuple(imports))

    def _read(self, context: Context, group: Group, writing: Writing) -> Iterator[Edit]:
        """The edits by which those read who need the numbers now and then."""
        kept = {read.node for d in group.deferrals for filling in d.fillings for read in filling.reads}
        kept |= {read.node for s in group.sources for d in s.all_definitions for read in d.reads}
        for source in group.sources:
            yield from writing.gathered(source)
        done: set[ast.AST] = set()
        for record in (source for source in group.sources if source.is_dict):
            found = renewal(context, record, [use for use in group.reading if use.source is record], kept)
            if found is not None:
                yield writing.renewed(record, found)
                done |= {use.node for use in found.uses}
        for use in group.reading:
            if use.node not in done:
                yield writing.use(use)

    def _place(self, read: HostRead, fillings: list[Filling]) -> ast.expr:
        values = [value for filling in fillings for value in filling.addend.values if read in filling.reads]
        return next((value.node for value in values if read.node in ast.walk(value.node)), read.node)

    def _text(self, group: Group, read: str) -> Text:
        sources = [source.name for source in group.sources if source.function is None]
        found = dict.fromkeys(f"`{name}`" for name in (*sources, *(each.name for each in group.deferrals)))
        results = [source.name for source in group.sources if source.function is not None]
        names = list(found) or [say.phrase("result", name=name) for name in results]
        many = say.phrase("several", name=names[0], others=len(names) - 1)
        told = many if len(names) > _MOST_NAMES else series(names)
        if any(each.form in (Form.SUM, Form.SUMS, Form.MEAN) and each.kind is Kind.FLOAT for each in group.deferrals):
            return say("XP303.float", read=read, names=told)
        if any(each.fillings[0].addend.reading is not None for each in group.deferrals):
            return say("XP303.tensors", read=read, names=told)
        return say("XP303.kept", read=read, names=told)


def _steps(context: Context, barrier: ast.stmt) -> bool:
    """Whether a barrier also steps the optimizer: ``xm.optimizer_step(optimizer, barrier=True)``."""
    calls = (node for node in ast.walk(barrier) if isinstance(node, ast.Call))
    return any(context.resolve(call.func) in context.target.stepping for call in calls)
