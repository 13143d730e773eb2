"""XP301: a host read in every step."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from xlaport.analysis.value import TENSOR, Device
from xlaport.context import Context
from xlaport.facts.frequency import Around, is_on_every_pass
from xlaport.facts.hooks import LIGHTNING, hooks_of
from xlaport.facts.loops import LoopKind
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.names import How
from xlaport.facts.passed import passed as given_for
from xlaport.facts.reads import HostRead, only_reads
from xlaport.facts.roles import Role, roles_of
from xlaport.facts.settled import is_never_taken
from xlaport.rule import Applicability, Edit, Finding, Harm, Rule, replaced_by
from xlaport.wording import Text

from .._lib import host_only
from .._lib.host_reads.deferring import plan, would_stay
from .._lib.host_reads.fillings import Form
from .._lib.host_reads.handing_over import is_handed_over
from .._lib.host_reads.outputs import is_of_bar
from .._lib.host_reads.saying import also, code_of, say
from .._lib.host_reads.showing_functions import is_shown
from .._lib.now_and_then import asked_now_and_then, done_now_and_then
from .._lib.one_line import one_line
from .._lib.shapes.fixed_form import checks_numbers
from .._lib.shapes.read_numbers import is_baked

_TAKING_OUT = ("XP303", "XP308", "XP409")
"""The rules that take reads out of a step."""
_DECIDING = ("XP403", "XP415")
"""The rules that speak of reads by which a loop ends, or a step decides."""
_GIVING = (LoopKind.EVAL, LoopKind.DENOISE, LoopKind.GENERATE)
"""Loops that run for what the model gives."""
_WHOLE = (".cpu()", ".numpy()", ".tolist()")
"""Reads of whole tensors, and not of one number to show."""
_KEPT = {
    Form.SUM: "XP301.sum",
    Form.SUMS: "XP301.sum",
    Form.LIST: "XP301.list",
    Form.EXTENDED: "XP301.list",
    Form.LISTS: "XP301.list",
    Form.ARRAY: "XP301.array",
    Form.MEAN: "XP301.array",
    Form.METER: "XP301.given",
    Form.NAME: "XP301.given",
    Form.RESULT: "XP301.returned",
}
_ON_THE_DEVICE = {
    "max()": "XP301.greatest",
    "min()": "XP301.greatest",
    "sorted()": "XP301.sorted",
    "`in`": "XP301.contained",
    "torch.tensor()": "XP301.stacked",
    "torch.as_tensor()": "XP301.stacked",
    "torch.full()": "XP301.expanded",
    "torch.full_like()": "XP301.expanded",
    ".new_full()": "XP301.expanded",
    ".fill_()": "XP301.copied",
}
"""What does the same without a read, by how Python, or torch, reads."""
_Rarely = tuple[Text, tuple[Edit, ...]]
"""What is said of what is enough in every 100th step, and the edits."""


@dataclass(frozen=True)
class _Body:
    """What runs in each step."""

    statements: Sequence[ast.stmt | ast.expr]
    around: Around
    place: str
    """How a message tells where."""
    function: FunctionNode | None = None
    """The function that it is of, if a step calls one."""
    through: Collection[ast.AST] = ()
    """Conditions that count as true."""
    backward: ast.AST | None = None
    """What of the step comes behind it."""


class HostReadInStep(Rule):
    """Report values that every step reads from the TPU.

    ## What it does
    Lists the host reads that a step loop makes in every step: `.item()`, `float()`, `print`, f-strings, `.cpu()`, `if
    tensor`, and what loggers read: `writer.add_scalar("loss", loss)`, `wandb.log({"loss": loss})`. Reads under an `if
    step % n == 0`, or another condition that changes from step to step, are logging and are not listed; one that is the
    same in every step (`if args.verbose:`) is no reason to leave a read out. The methods that Lightning and the Trainer
    of transformers call in each step (`training_step`, `validation_step`, `compute_loss` …) are looked at as well.
    XP303 and XP305 fix many of these reads; this lists those that they leave, with the line that has to change as well.
    With `--unsafe`, a progress bar is told in every 100th step only what it shows beside itself, and a check for NaN
    looks in every 100th step only, where it alone keeps a number from staying on the TPU.

    ## Why
    The host traces the next step while the TPU runs this one. A read makes the host wait for the TPU first, so that the
    two take turns; this is often the difference between a busy TPU and an idle one. A read before `backward()` costs
    more: the TPU runs what the read needs of the forward pass, and runs it again for `backward()`.

    ## Example
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        total = 0.0
        for x in DataLoader(torch.zeros(8, 4)):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            total += loss.item()

    is reported. Sum on the TPU, and read once, after the loop:

        total = torch.tensor([0.0], device=device)
        for x in loader:
            ...
            total += loss.detach()
        print(total.item())

    ## When it is wrong
    Where the value decides what the next step does (early stopping, dynamic loss scaling), the wait is real. Where the
    host needs every output, as when it writes them to files, so is that one.

    ## When it is left alone
    Reads under a condition that is true in some steps only, reads after the loop, numbers of the host, loops that do no
    step, and a program for the CPU.

    ## Sources
    - PyTorch/XLA, PyTorch on XLA devices: https://docs.pytorch.org/xla/release/r2.8/learn/pytorch-on-xla-devices.html
    - PyTorch/XLA, Troubleshoot: https://docs.pytorch.org/xla/release/r2.7/learn/troubleshoot.html
    - Lightning, Logging: https://lightning.ai/docs/pytorch/stable/extensions/logging.html

    ## Related
    XP302, XP303, XP305, XP308, XP403, XP415.
    """

    code = "XP301"
    name = "item-in-step-loop"
    summary = "a host read in every step"
    applicability = Applicability.MANUAL
    harm = Harm.WAITS
    words = (
        "item", "float", "int", "cpu", "tolist", "numpy", "print", "if", "in", "max", "min", "sorted", "tensor",
        "add_scalar", "add_scalars", "add_histogram", "add_image", "add_images", "wandb", "mlflow", "set_postfix",
        "info", "full", "full_like", "new_full", "fill_",
    )  # fmt: skip
    across = (".item(", ".cpu(", ".tolist(", ".numpy(")
    residual = True
    after = ("XP201", "XP202", "XP302", "XP303", "XP304", "XP305", "XP306", "XP308")  # what they fix, loses nothing

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each read that runs on every pass of a step loop."""
        if host_only.stays_on_host(context):
            return
        for body in self._bodies(context):
            yield from self._reads(context, body)

    def _bodies(self, context: Context) -> Iterator[_Body]:
        """What runs in each step, each piece of it once."""
        code, passes = context.step_code, context.steps.passes
        libraries = {
            function: hook.library
            for hook in hooks_of(context.view.own, context.flow.structure)
            for function in (*passes.called_by(hook.function), hook.function)
        }
        seen: set[FunctionNode | None] = set()
        for node, loop, facts in code.yielded_to:
            yield _Body(node.body, node, _in_loop(context.line_of(facts, loop.node)))
        for part in code.bodies:
            function, first, loop_ = part.function, part.statements[0], part.loop
            around = context.module.parents[first]
            if loop_ is None or code.is_now_and_then(first) or not isinstance(around, FunctionNode | LoopNode):
                continue
            seen.add(function)
            place, through = _in_loop(context.line(loop_.node)), passes.guards(loop_)
            backward = context.steps.backward_behind(function, loop_) if function is not None else None
            around = loop_.node if around is function and function in passes.usual_helpers(loop_) else around
            yield _Body(part.statements, around, place, function, through, backward)
        for function, passed in passes.reading_elsewhere():
            if passed.usual and function not in seen:
                place = _in_loop(context.line_of(passed.loops.facts, passed.loop.node))
                seen.add(function)
                yield _Body(function.body, function, place, function)
        for function, library in libraries.items():
            if function not in seen:
                yield _Body(
                    function.body, function, say.phrase("in every step of a library", library=library), function
                )
        for part in code.lambdas:
            # Of one that does nothing but read, its calls tell.
            asked = context.module.parents[part.statements[0]]
            if isinstance(asked, ast.Lambda) and not only_reads(asked) and not code.is_now_and_then(asked.body):
                yield _Body(part.statements, asked, say.phrase("in every step"))

    def check_possible(self, context: Context) -> Iterator[Finding]:
        """Yield one for each call of a step that hands a tensor of the TPU to what nobody sees, and takes no result."""
        if host_only.stays_on_host(context):
            return
        told: set[ast.AST] = set()
        for loop in context.loops.all():
            for statement in context.module.that_run(loop.node.body, ast.Expr):
                call = statement.value
                if not isinstance(call, ast.Call) or call in told or not context.roles.is_unknown_call(call):
                    continue
                told.add(call)
                if any(read.node is call for read in context.reads.all_in([statement])):
                    continue  # of a logger: `check` speaks of it
                given = [*call.args, *(keyword.value for keyword in call.keywords)]
                tensor = next((value for value in given if _is_of_device(context, value)), None)
                if tensor is not None and not context.step_code.is_now_and_then(call):
                    what, called = one_line(context, tensor), one_line(context, call.func)
                    loop_line = context.line(loop.node)
                    text = say("XP301.possible", called=called, what=what, loop=loop_line)
                    yield self.finding(context.place(call), text)

    def _reads(self, context: Context, body: _Body) -> Iterator[Finding]:
        """The reads of a body that run on every pass."""
        for statement in body.statements:
            if isinstance(statement, ast.While):
                continue
            found: dict[ast.stmt, list[HostRead]] = {}
            reads = context.reads
            for read in [*reads.all_in([statement]), *reads.written([statement]), *reads.by_another_name([statement])]:
                is_own = body.function is not None and context.module.function(read.node) is body.function
                if not read.proven and is_own and not _gets_tensors(context, body.function):
                    continue  # `.item()` of something unknown, in a function that may do anything
                if self._is_taken_out(context, read) or self._decides(context, read):
                    continue
                if is_handed_over(context, context.module.statement(read.node)):
                    continue
                if is_never_taken(context.view.own, context.flow.structure, read.node):
                    continue
                if is_baked(context, read.node):
                    continue
                is_seldom = context.step_code.is_now_and_then(read.node, but_training=True)
                if not is_seldom and is_on_every_pass(context.module, body.around, read.node, body.through):
                    found.setdefault(context.module.statement(read.node), []).append(read)
            for first, *_ in found.values():
                cost = self._cost(context, body.place, first, body.backward)
                rarely = _bar_now_and_then(context, first, cost) or _check_now_and_then(context, first, cost)
                text, edits = rarely or (self._text(context, first, cost), ())
                applicability = Applicability.UNSAFE if edits else Applicability.MANUAL
                yield self.finding(context.place(first.node), text, *edits, applicability=applicability)

    def _decides(self, context: Context, read: HostRead) -> bool:
        """Whether another rule speaks of the read, since the program goes on by it."""
        return any(f.code in _DECIDING and f.span.overlaps(context.place(read.node)) for f in context.found)

    def _is_taken_out(self, context: Context, read: HostRead) -> bool:
        """Whether a fix of another rule takes the read out of the step."""
        if not context.editable(read.node):
            return False
        span = context.span(read.node)
        edits = (edit for finding in context.found if finding.code in _TAKING_OUT for edit in finding.edits)
        return any((gone := replaced_by(edit)) is not None and gone.contains(span) for edit in edits)

    def _cost(self, context: Context, place: str, read: HostRead, backward: ast.AST | None) -> str:
        where = say.phrase("in every step") if context.loops.around(read.node) is not None else place
        if backward is not None:
            where = say.phrase("before backward", line=context.line(backward))
        key = "waits" if read.proven else "waits, if a tensor"
        return say.phrase(key, read=code_of(context, read), where=where)

    def _text(self, context: Context, read: HostRead, cost: str) -> Text:
        kept = next((each for each in plan(context).kept if _is_among(read, each.reads)), None)
        if kept is not None:
            return say(_KEPT[kept.form], cost=cost, name=kept.name, also=also(context, kept.why))
        if (log := self._log(context, read)) is not None:
            return say("XP301.lightning", cost=cost, name=log)
        if read.how in _ON_THE_DEVICE:
            return say(_ON_THE_DEVICE[read.how], cost=cost)
        statement = context.module.statement(read.node)
        if isinstance(statement, ast.Assign) and _is_among(read, context.reads.written([statement])):
            table = next(each.value for each in statement.targets if isinstance(each, ast.Subscript))
            return say("XP301.array", cost=cost, name=context.module.segment(table), also="")
        function = context.module.function(read.node)
        if isinstance(statement, ast.Return) and function is not None:
            return say("XP301.returned", cost=cost, name=function.name, also="")
        if isinstance(statement, ast.AugAssign):
            return say("XP301.sum", cost=cost, name=context.module.segment(statement.target), also="")
        if isinstance(statement, ast.If | ast.While | ast.Assert):
            return say("XP301.branch", cost=cost)
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append":
            return say("XP301.list", cost=cost, name=context.module.segment(call.func.value), also="")
        around = context.loops.around(read.node)
        if around is not None and around.kind in _GIVING and read.how in _WHOLE:
            return say("XP301.output", cost=cost)
        return say("XP301.seldom" if is_shown(context, statement) is not None else "XP301.value", cost=cost)

    def _log(self, context: Context, read: HostRead) -> str | None:
        """``self.log`` in a hook of Lightning, which would take the tensor that is read for it."""
        for parent in context.module.ancestors(read.node):
            if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute):
                if parent.func.attr in ("log", "log_dict") and isinstance(parent.func.value, ast.Name):
                    owner = context.names.self_class(parent.func.value)
                    hooks = hooks_of(context.view.own, context.flow.structure)
                    is_its = any(h.library == LIGHTNING and h.function in owner.body for h in hooks) if owner else False
                    return ast.unparse(parent.func) if is_its else None
            if isinstance(parent, ast.stmt):
                return None
        return None


def _bar_now_and_then(context: Context, read: HostRead, cost: str) -> _Rarely | None:
    """How a progress bar is told in every 100th step only what a read is for."""
    statement = context.module.statement(read.node)
    if not isinstance(statement, ast.Expr) or not is_of_bar(context, statement):
        return None
    edits = done_now_and_then(context, statement) if context.steps.only_reads(statement) else ()
    return (say("XP301.bar", cost=cost), edits) if edits else None


def _check_now_and_then(context: Context, read: HostRead, cost: str) -> _Rarely | None:
    """How a check for NaN looks in every 100th step only, where it alone keeps a number from staying on the TPU."""
    kept = next((each for each in plan(context).kept if _is_among(read, each.reads)), None)
    loop = context.loops.around(read.node)
    if kept is None or kept.why.node is None or loop is None or loop.kind is not LoopKind.TRAIN:
        return None
    check = context.module.statement(kept.why.node)
    if not isinstance(check, ast.If | ast.Assert) or not checks_numbers(check.test):
        return None
    if not context.steps.ends_the_program(check) or not would_stay(context, read, check):
        return None
    edits = asked_now_and_then(context, check)
    return (say("XP301.check", cost=cost, line=context.line(check)), edits) if edits else None


def _in_loop(line: str) -> str:
    return say.phrase("in every step of a loop", loop=line)


def _is_among(read: HostRead, reads: Iterable[HostRead]) -> bool:
    return any(each.node is read.node for each in reads)


def _gets_tensors(context: Context, function: FunctionNode | None) -> bool:
    """Whether a call gives a function a tensor of the device, as one that counts or compares what a model gives."""
    if function is None:
        return False
    own = context.view.own
    scope = own.names.scope_of(function)
    bindings = [b for found in scope.bindings.values() for b in found] if scope is not None else []
    return any(
        value is not None and roles_of(where).is_(value, Role.TENSOR)
        for binding in bindings
        if binding.how is How.PARAMETER
        for where, value in given_for(context.flow.structure, own, binding)
    )


def _is_of_device(context: Context, value: ast.expr) -> bool:
    """Whether a value is a tensor that is known to be on the TPU, or holds one."""
    found = context.flow.structure.value(context.view.own, value)
    parts = (found, *(found.elements or ()), found.element) if found is not None else ()
    return any(p is not None and p.type == TENSOR and p.device in (Device.ACCELERATOR, Device.EITHER) for p in parts)
