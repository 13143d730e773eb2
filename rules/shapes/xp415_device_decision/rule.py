"""XP415: a step that decides by a value of the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loops import LoopKind
from xlaport.facts.module import walk_block
from xlaport.facts.names import How
from xlaport.facts.role import Role
from xlaport.rule import Applicability, Edit, Finding, Harm, RemoveArgument, Rule, replaced_by
from xlaport.wording import Text

from ..._lib import host_only
from ..._lib.now_and_then import asked_now_and_then
from ..._lib.one_line import one_line
from ..._lib.shapes.decisions import Decision, decisions
from ..._lib.shapes.fixed_form import checks_numbers, fixed_form, only_tells
from ..._lib.shapes.saying import say
from ..._lib.shapes.where_placed import if_placed
from .host_first import host_first
from .idle import idle_class
from .later_check import Taken, later_check

_CLIPPING = frozenset(
    {"torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad.clip_grad_norm_", "torch.nn.utils.get_total_norm"}
)


class DeviceDecision(Rule):
    """Let the device decide, in a step, by what only the device knows.

    ## What it does
    Finds branches, assertions and numbers of iterations in a step that depend on a tensor: `if torch.isnan(loss): …`,
    `assert (x > 0).all()`, `if norm > limit:`, `for i in range(int(lengths.max())):`, `if torch.allclose(a, b):`. It
    says what to write instead. A flag that is set once is asked before the device is. With `--unsafe`, a check for NaN
    that does nothing but to end a training looks in every 100th step only, another check that only raises or prints is
    handed to `xm.add_step_closure(…, run_async=True)`, which looks in a thread when the step is done, and
    `clip_grad_norm_(…, error_if_nonfinite=True)` raises no error any more.

    A branch that chooses numbers by which Python goes on (the bound of a search, the end of a slice, a count) needs
    more than `torch.where()` in its place, or the wait moves to where the number is used: a loop by it needs a fixed
    number of iterations, `round()` and `int()` become torch's own functions, a slice becomes a mask. Where that is too
    much, the loop runs on the host, with tensors that are moved there once.

    ## Why
    The host traces a step, and the TPU runs it later, as one graph. To take a branch, the host must run what was traced
    so far, and wait for it: the step becomes two graphs, and each side of the branch, or each number of iterations, is
    a graph of its own to compile.

    ## Example
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
            loss = model(x.to(device)).mean()
            if torch.isnan(loss):
                raise RuntimeError("the loss is NaN")
            loss.backward()
            optimizer.step()

    becomes

        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
            loss = model(x.to(device)).mean()
            if step % 100 == 0 and torch.isnan(loss):
                raise RuntimeError("the loss is NaN")
            loss.backward()
            optimizer.step()

    since parameters that are NaN stay NaN. What a branch skips, the device can skip:

        good = torch.isfinite(loss)
        for p in model.parameters():
            p.grad = torch.where(good, p.grad, 0.0)

    ## When it is wrong
    Where the branch saves more work than the waiting costs. Where a checkpoint is saved between the step that gives NaN
    and the one that looks. A closure raises at a later `torch_xla.sync()`, as the cause of a `RuntimeError`; what that
    of the last step raises, nobody sees. `torch.where` computes both sides: where the one that is not taken divides by
    zero, its gradient is NaN all the same.

    ## When it is left alone
    Questions about shapes, dtypes and options; values of the host; branches that are true now and then; tests; steps of
    a program for the CPU.

    ## Sources
    - PyTorch/XLA, Troubleshoot: https://docs.pytorch.org/xla/release/r2.7/learn/troubleshoot.html
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP301, XP403, XP409.
    """

    code = "XP415"
    name = "device-decision"
    summary = "a step that decides by a value of the device"
    applicability = Applicability.MANUAL
    harm = Harm.WAITS
    words = ("if", "assert", "range", "error_if_nonfinite")
    after = ("XP201", "XP302")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each decision, and for each clipping that raises."""
        if host_only.stays_on_host(context):
            return
        taken: Taken = set()
        for decision in dict.fromkeys(decisions(context).values()):
            if _is_known(context, decision) or _is_tested(context, decision.node):
                continue
            place = context.place(decision.asked)
            if (first := host_first(context, decision.asked)) is not None:
                yield self.finding(place, say("XP415.order"), first, applicability=Applicability.SAFE)
                continue
            if edits := _seldom(context, decision):
                asked = one_line(context, decision.read.tensor)
                yield self.finding(place, say("XP415.seldom", value=asked), *edits, applicability=Applicability.UNSAFE)
                continue
            add, imports = context.symbol("add_step_closure", decision.node)
            if (edit := later_check(context, decision, add, taken)) is not None:
                text = say("XP415.later", value=one_line(context, decision.read.tensor), name=add)
                yield self.finding(place, text, edit, imports=imports, applicability=Applicability.UNSAFE)
                continue
            yield self.finding(place, _said(context, decision))
        for call in context.module.calls:
            yield from self._clipping(context, call)

    def _clipping(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        """``clip_grad_norm_(…, error_if_nonfinite=True)`` in a step."""
        if context.resolve(call.func) not in _CLIPPING or not context.editable(call):
            return
        for keyword in call.keywords:
            is_true = isinstance(keyword.value, ast.Constant) and keyword.value.value is True
            if keyword.arg == "error_if_nonfinite" and is_true and context.step_code.in_step(call):
                span = context.span(keyword)
                gone = RemoveArgument(context.span(call), span)
                yield self.finding(span, say("XP415.norm"), gone, applicability=Applicability.UNSAFE)


def _seldom(context: Context, decision: Decision) -> tuple[Edit, ...]:
    """The edits by which a training looks for NaN in every 100th step: parameters that are NaN stay so until then."""
    node, loop = decision.node, decision.body.loop
    if not isinstance(node, ast.If | ast.Assert) or loop is None or loop.kind is not LoopKind.TRAIN:
        return ()
    if not checks_numbers(node.test) or _of_numpy(decision) or not context.steps.ends_the_program(node):
        return ()
    return asked_now_and_then(context, node)


def _said(context: Context, decision: Decision) -> Text:
    """What is said of a decision."""
    node = decision.node
    compares = "equal" in decision.read.how or "allclose" in decision.read.how
    value = one_line(context, decision.asked if compares else decision.read.tensor)
    if (idle := idle_class(context, node)) is not None:
        where = say.phrase("if_used", name=idle)
    else:
        where = if_placed(context, decision.read.tensor)
    recipe = f"{fixed_form(context, decision)}{_of_numbers(context, decision)}{_of_numpy(decision)}"
    if isinstance(node, ast.For):
        return say("XP415.iterations", value=value, where=where, recipe=recipe)
    if isinstance(node, ast.Assert):
        return say("XP415.assertion", value=value, where=where, recipe=recipe)
    if _traces(context, node):
        return say("XP415.branch", value=value, where=where, recipe=recipe)
    return say("XP415.read", value=value, where=where, recipe=recipe)


def _of_numbers(context: Context, decision: Decision) -> str:
    """Where a name of the question may hold a number of Python, of which torch.where() makes no condition."""
    if not isinstance(decision.node, ast.If | ast.IfExp):
        return ""
    for name in (part for part in ast.walk(decision.asked) if isinstance(part, ast.Name)):
        values = [b.value for b in context.names.reaching(name) if b.how is How.ASSIGN and b.value is not None]
        numbers = [value for value in values if isinstance(value, ast.Constant) and not isinstance(value.value, str)]
        if numbers and len(numbers) < len(values):
            line = context.line(numbers[0])
            return say.phrase("number_as_tensor", name=name.id, line=line)
    return ""


def _of_numpy(decision: Decision) -> str:
    """What becomes of ``np.isnan(loss)``, which raises for a tensor of any device but the host."""
    asked = decision.read.how
    if not asked.startswith("numpy.is"):
        return ""
    return say.phrase("not_numpy", name=asked, instead=asked.replace("numpy", "torch"))


def _is_tested(context: Context, node: ast.AST) -> bool:
    """Whether an assertion is what a test is for."""
    return isinstance(node, ast.Assert) and host_only.is_test(context)


def _is_known(context: Context, decision: Decision) -> bool:
    """Whether another rule speaks of the place, or takes the read out of the step."""
    place = context.place(decision.asked)
    for finding in context.found:
        if finding.edits:
            if any((gone := replaced_by(edit)) is not None and gone.contains(place) for edit in finding.edits):
                return True
        if finding.code.startswith("XP4") and finding.span.overlaps(place):
            return True
    # Reads that move as statements of their own.
    return any(finding.code == "XP302" and finding.edits and finding.span.overlaps(place) for finding in context.found)


def _traces(context: Context, node: ast.AST) -> bool:
    """Whether the sides of a branch make different graphs: by what they compute, or by where they lead."""
    if isinstance(node, ast.IfExp):
        return any(context.roles.is_(side, Role.TENSOR) for side in (node.body, node.orelse))
    if not isinstance(node, ast.If) or only_tells(context, node):
        return False
    for inner in walk_block([*node.body, *node.orelse]):
        if isinstance(inner, ast.Continue | ast.Break | ast.Return | ast.Raise):
            return True
        value = inner.value if isinstance(inner, ast.Assign | ast.AugAssign | ast.Expr | ast.AnnAssign) else None
        if value is not None and context.roles.is_(value, Role.TENSOR):
            return True
    return any(context.steps.work.works(statement, None) for statement in [*node.body, *node.orelse])
