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
    Import,
    InsertStatement,
    MoveStatement,
    RemoveStatement,
    Replace,
    Rule,
    Span,
)

from .. import host_only
from ..parentheses import as_owner
from ..series import series
from ..showing import shows_now_and_then
from .accumulation import Deferral
from .bound_device import devices
from .deferring import Group, plan
from .device_values import Deferred
from .fillings import Filling, Form
from .late_return import LateReturn, late_returns
from .late_work import EarlyBarrier, LateWork, early_barrier, late_work
from .never_read import is_never_read, without
from .renewing import renewal
from .seldom_used import seldom_used
from .sources import Record, Returned, definitions_of
from .writing import Writing


class DeferredAccumulation(Rule):
    """Add up on the device, and read the sum once.

    ## What it does
    `total += loss.item()`, on every pass of a step loop, becomes `total += loss.detach()`. The sum begins as a
    tensor, in float32 for losses and in int64 for counts, and is read behind the loop or where it is logged, so
    that everything there gets the number that it got before. All uses of the sum have to be known: where one needs
    it on every pass (a condition), or at a time that is not known, nothing is changed, and XP301 says why.

    The same for what else is only kept: `losses.append(loss.item())`, `preds.append(out.argmax(1).cpu())` and
    `preds.extend(out.tolist())`, `losses[k] = loss.item()` of an array made before the loop, sums in a dict, meters, a
    smoothed loss, the greatest of all. Names (`value = loss.item()`) and functions (`return loss.item()`) that hand on
    what was read, also in tuples and dicts, hand on the tensor, if all who get it can do with that, or read it now
    and then. What only shows a sum or a name in each pass (`print`, a progress bar) reads it there, which XP305 makes
    a step closure of: nobody waits for it. What fills a sum or a list that nothing reads goes.

    ## Why
    Each `.item()` makes the host wait until the device is done, in every step. The sum is only needed where it is
    shown.

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
    Tensors that are kept stay in the device's memory until they are read: the outputs of a whole data set may not fit.
    Python adds in float64, the device in float32: of a hundred thousand losses, the sum differs in the third or
    fourth digit. The greatest of losses is not a number if one of them is none, where `max()` may pass over it.
    Counts are exact. A loss of shape (1,) cannot be added to a sum without dimensions: PyTorch says so
    in the first step.

    ## When it is left alone
    Sums, lists and meters that some code looks at in every pass, that begin elsewhere or that another file uses; a
    sum that begins where an option (`--no-cuda`) has yet to decide on the device; values that decide something; a
    meter that rounds or does more than add; values that are not seen to be tensors of the device; whole outputs of
    floats that go to the host as tensors, `features.append(out.cpu())`, so that the device need not hold those of all
    batches.

    ## Sources
    - PyTorch/XLA, Troubleshoot: https://docs.pytorch.org/xla/release/r2.7/learn/troubleshoot.html

    ## Related
    XP301, XP304, XP305, XP306.
    """

    code = "XP303"
    name = "deferred-accumulation"
    summary = "a sum of host reads is kept on the device, and read once"
    applicability = Applicability.UNSAFE
    words = ("item", "float", "int", "cpu", "tolist", "numpy")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each sum that can wait."""
        if host_only.stays_on_host(context):
            return
        moving = [found.late.read.node for found in seldom_used(context)] if "XP308" in context.codes else []
        groups = plan(context).groups
        writing = Writing(context, devices(context, (d for group in groups for d in group.deferrals)))
        for group in groups:
            definitions = [d for source in group.sources for d in definitions_of(source)]
            if any(read.node in moving for definition in definitions for read in definition.reads):
                continue  # XP308 takes it to where it is used, which changes no value
            yield self._left(context, group, writing)
        for loop in context.loops.all():
            for late in late_work(context, loop):
                yield self._moved(context, late, loop)
            for early in (early_barrier(context, loop, barrier) for barrier in loop.barriers):
                if early is not None:
                    yield self._later(context, early, loop)
        for late_return in late_returns(context):
            yield self._before(context, late_return)

    def _moved(self, context: Context, late: LateWork, loop: StepLoop) -> Finding:
        statement, barrier = context.span(late.statement), context.span(late.barrier)
        edit: Edit = MoveStatement(statement, barrier, before=True)
        return self._behind(context, late.target, statement, loop, edit, barrier, "it moves before the barrier")

    def _later(self, context: Context, early: EarlyBarrier, loop: StepLoop) -> Finding:
        barrier, last = context.span(early.barrier), context.span(early.last)
        edit: Edit = MoveStatement(barrier, last)
        return self._behind(context, early.target, last, loop, edit, barrier, "the barrier moves behind it")

    def _before(self, context: Context, late: LateReturn) -> Finding:
        """What a function hands back is computed before its barrier."""
        edits: list[Edit] = []
        for name, node in late.parts:
            line = f"{name} = {context.module.segment(node)}"
            edits.append(InsertStatement(context.span(late.barrier), line, before=True, origin=context.span(node)))
            edits.append(Replace(as_owner(context, node), name))
        names = " and ".join(name for name, _ in late.parts) + (" are" if len(late.parts) > 1 else " is")
        then = "they are" if len(late.parts) > 1 else "it is"
        what = "a graph of its own, beside the step's" if late.is_read else "a part of the next step's graph"
        return self.finding(
            context.span(late.parts[0][1]),
            f"{names} computed behind the step's barrier, as {what}: {then} computed before the barrier",
            *edits,
            applicability=Applicability.SAFE,
        )

    def _behind(
        self, context: Context, target: ast.Name, place: Span, loop: StepLoop, edit: Edit, barrier: Span, then: str
    ) -> Finding:
        body = loop.node.body
        if loop.cut_by_loader and not (context.reads.within(body) or shows_now_and_then(context, body)):
            edit = RemoveStatement(barrier)
            then = "the barrier goes, since the loader cuts the graph at each batch"
        return self.finding(
            place,
            f"{target.id} is added to behind the step's barrier, so that this becomes a part of the next step's graph, "
            f"and the first steps have graphs of their own: {then}",
            edit,
            applicability=Applicability.SAFE,
        )

    def _left(self, context: Context, group: Group, writing: Writing) -> Finding:
        """What is left on the device, with all that hangs together."""
        edits: list[Edit] = []
        imports: list[Import] = []
        definitions = [d for source in group.sources for d in definitions_of(source)]
        for definition in definitions:
            edits += writing.definition(definition)
        edits += self._read(context, group, writing)
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
        reads = [(read, definition.loop) for definition in definitions for read in definition.reads]
        reads += [(read, filling.loop) for filling in fillings for read in filling.reads]
        first, loop = next(pair for pair in reads if not isinstance(pair[0], Deferred))
        told = [*self._of_sources(group), *(self._of(found, found in idle) for found in group.deferrals)]
        message = (
            f"{first.how} fetches a value from the device in every pass of the loop in line "
            f"{context.line(loop.node)}, so the host waits instead of preparing the next step: "
            f"{'; '.join(told)}"
        )
        unique = list(dict.fromkeys(edits))
        return self.finding(context.span(self._place(first, fillings)), message, *unique, imports=tuple(imports))

    def _read(self, context: Context, group: Group, writing: Writing) -> Iterator[Edit]:
        """The edits by which those read who need the numbers now and then."""
        kept = {read.node for d in group.deferrals for filling in d.fillings for read in filling.reads}
        kept |= {read.node for s in group.sources for d in definitions_of(s) for read in d.reads}
        for function in (source for source in group.sources if isinstance(source, Returned)):
            yield from writing.gathered(function)
        done: set[ast.AST] = set()
        for record in (source for source in group.sources if isinstance(source, Record)):
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

    def _of_sources(self, group: Group) -> Iterator[str]:
        names = list(dict.fromkeys(source.name for source in group.sources if not isinstance(source, Returned)))
        for function in (source.function.name for source in group.sources if isinstance(source, Returned)):
            yield f"{function}() returns what is on the device, and does not read it"
        if len(names) == 1:
            yield f"{names[0]} stays on the device, and is read where the number is needed"
        elif names:
            yield f"{series(names)} stay on the device, and are read where the numbers are needed"

    def _of(self, found: Deferral, is_idle: bool) -> str:
        if is_idle:
            return f"nothing reads {found.name}, so what fills it goes"
        where = "behind the loop" if found.reading.behind else "where it is used"
        if found.reading.uses and found.reading.behind:
            where += " and where it is logged"
        return self._what(found, where)

    def _what(self, found: Deferral, where: str) -> str:
        if found.form is Form.METER:
            return f"{found.name} holds the values on the device, and gives numbers where they are shown or used"
        if found.form is Form.ARRAY:
            return f"{found.name} is a list of values on the device, until it is read {where}"
        if found.fillings[0].addend.reading is not None:
            return f"{found.name} keeps the tensors in the device's memory and is read {where}"
        if found.form is Form.LISTS:
            return f"the lists in {found.name} keep the values on the device and are read {where}"
        if found.form is Form.LIST:
            return f"{found.name} keeps the values on the device and is read {where}"
        what = f"{found.name} is added up on the device and read {where}; "
        if found.kind is Kind.FLOAT:
            return what + "there it is a float32, where Python's is a float64: the last digits may differ"
        return what + "the count stays exact"
