"""XP301: a host read in every step."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.hooks import LIGHTNING, hooks_of
from xlaport.facts.loops import LoopKind
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.names import How
from xlaport.facts.passed import passed as given_for
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import Role, roles_of
from xlaport.facts.settled import is_never_taken
from xlaport.facts.steps import Stays
from xlaport.rule import Applicability, Finding, Rule, replaced_by

from .. import host_only
from ..shapes.moved_later import is_before_its_move
from ..shapes.read_numbers import is_baked
from .accumulation import Kept
from .deferring import Stuck, plan
from .fillings import Form
from .handing_over import is_handed_over, why_it_stays
from .sources import Named, Record

_TAKING_OUT = ("XP303", "XP308", "XP409")
"""The rules that take reads out of a step."""
_DECIDING = ("XP403", "XP415")
_GIVING = (LoopKind.EVAL, LoopKind.DENOISE, LoopKind.GENERATE)
"""Loops that run for what the model gives."""
_WHOLE = (".cpu()", ".numpy()", ".tolist()")
"""Reads of whole tensors, and not of one number to show."""
"""The rules that speak of reads by which a loop ends, or a step decides."""
_INSTEAD = {
    Form.SUM: "add to {name} on the device, and read it once after the loop",
    Form.LIST: "append the tensor, detached, and read all of {name} at once after the loop",
    Form.EXTENDED: "append the tensor, detached, and read all of {name} at once after the loop",
    Form.ARRAY: "keep the tensor, detached, in a list, and make {name} of that list after the loop",
    Form.LISTS: "append the tensor, detached, and read the list in {name} at once after the loop",
    Form.SUMS: "add to the sums in {name} on the device, and read them once after the loop",
    Form.METER: "give {name} the tensor, detached, and make a number of it where it is shown",
}

_EXPANDED = "expand() repeats the tensor itself, detached, to that size (a view: add .clone() to write into it)"
_ON_THE_DEVICE = {
    "max()": "torch.maximum() compares two tensors on the device, x.max() the elements of one",
    "min()": "torch.minimum() compares two tensors on the device, x.min() the elements of one",
    "sorted()": "torch.sort() does it on the device",
    "`in`": "(x == value).any() is the answer as a tensor: let torch.where() go by it, or read it in every n-th step",
    "torch.tensor()": "torch.stack() makes a tensor of tensors on the device",
    "torch.as_tensor()": "torch.stack() makes a tensor of tensors on the device",
    "torch.full()": _EXPANDED,
    "torch.full_like()": _EXPANDED,
    ".new_full()": _EXPANDED,
    ".fill_()": "copy_() takes the tensor itself, detached",
}
"""What does the same without a read, by how Python, or torch, reads."""


class HostReadInStep(Rule):
    """Report values that every step fetches from the device.

    ## What it does
    Lists the host reads that a step loop makes on every pass: `.item()`, `float()`, `print`, f-strings, `.cpu()`,
    `if tensor`, and what loggers read: `writer.add_scalar("loss", loss)`, `wandb.log({"loss": loss})`. Reads under an
    `if step % n == 0`, or another condition that changes from step to step, are logging and pass; one that is the same
    in every step (`if args.verbose:`) does not. The methods that Lightning and the Trainer of transformers call in each
    step (`training_step`, `validation_step`, `compute_loss` …) are looked at as well. Statements that only show what
    they read are XP305's; this names those that it leaves, with the reason.

    ## Why
    The host traces the next step while the device runs this one. A read makes the host wait for the device
    first, so that the two take turns; on a TPU this is often the difference between a busy device and an
    idle one.

    ## Example
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        total = 0.0
        for x in DataLoader(torch.zeros(8, 4)):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            total += loss.item()

    is reported. Sum on the device, and read once, after the loop:

        total = torch.tensor([0.0], device=device)
        for x in loader:
            ...
            total += loss.detach()
        print(total.item())

    ## When it is wrong
    Where the value decides what the next step does (early stopping, dynamic loss scaling), the wait is real.

    ## When it is left alone
    Reads under a condition that is true now and then, reads behind the loop, numbers of the host, loops that do no
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
    summary = "a host read at every step"
    applicability = Applicability.MANUAL
    words = (
        "item", "float", "int", "cpu", "tolist", "numpy", "print", "if", "in", "max", "min", "sorted", "tensor",
        "add_scalar", "add_scalars", "add_histogram", "add_image", "add_images", "wandb", "mlflow", "set_postfix",
        "info", "full", "full_like", "new_full", "fill_",
    )  # fmt: skip
    across = (".item(", ".cpu(", ".tolist(", ".numpy(")
    residual = True

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each read that runs on every pass of a step loop."""
        seen: set[ast.AST] = set()
        for loop in () if host_only.stays_on_host(context) else context.loops.all():
            inner = [function for function in context.steps.passes.usual_helpers(loop) if function not in seen]
            seen.update(inner)
            place = f"pass of the loop in line {context.line(loop.node)}"
            body = [*loop.node.body, *(s for function in inner for s in function.body)]
            through = context.steps.passes.guards(loop)
            behind = {function: context.steps.backward_behind(function, loop) for function in inner}
            yield from self._reads(context, body, loop.node, inner, place, through, behind)
        for function, passed in () if host_only.stays_on_host(context) else context.steps.passes.reading_elsewhere():
            if passed.usual and function not in seen:
                place = f"pass of the loop in line {context.line_of(passed.loops.facts, passed.loop.node)}"
                yield from self._reads(context, function.body, function, [function], place)
                seen.add(function)
        for part in () if host_only.stays_on_host(context) else context.step_code.bodies:
            # forward() and what it calls, which are no helpers of the loop that trains the model.
            run = part.function
            if run is not None and part.loop is not None and run not in seen:
                seen.add(run)
                place = f"pass of the loop in line {context.line(part.loop.node)}, where {run.name}() runs"
                if not context.step_code.is_now_and_then(run.body[0]):
                    yield from self._reads(context, run.body, run, [run], place)
        for hook in () if host_only.stays_on_host(context) else hooks_of(context.view.own, context.flow.structure):
            inner = [hook.function, *context.steps.passes.called_by(hook.function)]
            new = [function for function in inner if function not in seen]
            seen.update(new)
            for function in new:
                yield from self._reads(context, function.body, function, [function], f"step that {hook.library} runs")

    def _reads(
        self,
        context: Context,
        body: list[ast.stmt],
        around: LoopNode | FunctionNode,
        functions: Collection[FunctionNode],
        place: str,
        through: Collection[ast.AST] = (),
        behind: Mapping[FunctionNode, ast.AST | None] = MappingProxyType({}),
    ) -> Iterator[Finding]:
        """The reads in the body of a loop, or of a function that a loop calls, that run on every pass."""
        for statement in body:
            if isinstance(statement, ast.While):
                continue
            found: dict[ast.stmt, list[HostRead]] = {}
            for read in [*context.reads.all_in([statement]), *context.reads.written([statement])]:
                function = context.module.function(read.node)
                if not read.proven and function in functions and not _gets_tensors(context, function):
                    continue  # `.item()` of something unknown, in a function that may do anything
                if self._is_taken_out(context, read) or self._decides(context, read):
                    continue
                if is_handed_over(context, context.module.statement(read.node)):
                    continue
                if is_never_taken(context.view.own, context.flow.structure, read.node):
                    continue
                if is_before_its_move(context, read.tensor) or is_baked(context, read.node):
                    continue
                is_seldom = context.step_code.is_behind_usual_exit(read.node)
                if not is_seldom and is_on_every_pass(context.module, around, read.node, through):
                    found.setdefault(context.module.statement(read.node), []).append(read)
            for first, *others in found.values():
                inside = set(ast.walk(first.node))
                more = len([read for read in others if read.node not in inside])
                function = context.module.function(first.node)
                backward = behind.get(function) if function is not None else None
                yield self.finding(context.place(first.node), self._message(context, place, first, more, backward))

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

    def _message(self, context: Context, place: str, read: HostRead, others: int, backward: ast.AST | None) -> str:
        sure = "" if read.proven else ", if that is a tensor,"
        more = f" (and {others} more in this statement)" if others else ""
        costs = "so the host waits instead of preparing the next step"
        if backward is not None:
            again = "it" if not others else "each of them"
            costs = (
                f"before the backward() of line {context.line(backward)}, so {again} runs what it needs of the forward "
                "pass once more, and the host waits instead of preparing the next step"
            )
        return (
            f"{read.how}{more}{sure} fetches a value from the device in every {place}, {costs}: "
            f"{self._advice(context, read)}"
        )

    def _advice(self, context: Context, read: HostRead) -> str:
        kept = self._kept(context, read)
        if kept is not None:
            instead = _INSTEAD[kept.form].format(name=kept.name)
            return f"{instead} (this is left to you: {self._because(context, kept.why)})"
        stuck = next((s for s in plan(context).stuck if any(other.node is read.node for other in s.reads)), None)
        if stuck is not None:
            return f"{self._instead(stuck)} (this is left to you: {self._because(context, stuck.why)})"
        if (log := self._log(context, read)) is not None:
            return f"hand {log}() the tensor itself, detached, which Lightning reads only in the steps that it logs"
        if read.how in _ON_THE_DEVICE:
            return _ON_THE_DEVICE[read.how]
        statement = context.module.statement(read.node)
        if any(one.node is read.node for one in context.reads.written([statement])):
            return "collect the tensors in a list, detached, and write them there behind the loop, put together"
        if isinstance(statement, ast.Return):
            return "return the tensor, detached, and let the callers read it where they show it, or once after the loop"
        if isinstance(statement, ast.AugAssign):
            return _INSTEAD[Form.SUM].format(name=context.module.segment(statement.target))
        if isinstance(statement, ast.If | ast.While | ast.Assert):
            return "look at it in every n-th step only, or let torch.where() decide on the device"
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append":
            return _INSTEAD[Form.LIST].format(name=context.module.segment(call.func.value))
        around = context.loops.around(read.node)
        if around is not None and around.kind in _GIVING and read.how in _WHOLE:
            return (
                "where the host needs each output, that is the price, and larger batches make fewer of these waits; "
                "else do this in every n-th step only"
            )
        stays = why_it_stays(context, statement)
        if stays is not None:
            return f"do this in every n-th step only (it is left to you: {self._because(context, stays)})"
        return "do this in every n-th step only"

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

    def _because(self, context: Context, why: Stays) -> str:
        return why.why if why.node is None else f"line {context.line(why.node)} {why.why}"

    def _instead(self, stuck: Stuck) -> str:
        """What to do where a rewrite of a name, or of a function, was not possible."""
        if isinstance(stuck.source, Named):
            return f"give {stuck.source.name} the tensor, detached, and read it where the number is shown"
        if isinstance(stuck.source, Record):
            return f"put the tensors into {stuck.source.name}, detached, and read them where the numbers are shown"
        return (
            f"let {stuck.source.function.name}() return the tensor, detached, and its callers read it where they show "
            "it, or once after the loop"
        )

    def _kept(self, context: Context, read: HostRead) -> Kept | None:
        """The sum, list or meter that the read goes into, and that could not be rewritten."""
        return next(
            (found for found in plan(context).kept if any(other.node is read.node for other in found.reads)), None
        )


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
