"""XP403: a loop that goes on, or ends, by a value of the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.endings import ended_loop, may_end_loop
from xlaport.facts.frequency import behind_usual_exit, is_last_otherwise
from xlaport.facts.held import Kind
from xlaport.facts.literals import integer
from xlaport.facts.loops import LoopKind
from xlaport.facts.module import LoopNode, walk_block
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import Role, dotted
from xlaport.facts.tensors import Tensors
from xlaport.rule import Applicability, Finding, Rule

from .. import host_only
from ..one_line import one_line
from ..series import series
from .decisions import counted_by
from .fixed_form import steps
from .handed_on import not_to_keep, one_kept
from .on_device import negated, on_device
from .read_only_loop import fetched_before
from .where_placed import where_placed

_SHORT = 60
_WITH_STEP = 3


class LoopEnd(Rule):
    """Report loops that end by a value of the device.

    ## What it does
    Finds loops over device work that ask a tensor whether to go on: `while not done.all():`, `while loss > limit:`,
    `if (token == end).all(): break`.

    ## Why
    The host traces the next pass while the device runs this one. To know whether there is a next pass, it has to wait
    until this one is done, in every pass: host and device take turns.

    ## Example
        model = nn.Linear(4, 4).to(device)
        with torch.no_grad():
            for n in range(max_new_tokens):
                token = model(token)
                done = done | (token == end)
                if done.all():
                    break

    is reported. A fixed number of passes, where `done` keeps what is finished as it is:

        for n in range(max_new_tokens):
            token = torch.where(done, end, model(token))
            done = done | (token == end)

    or a look now and then:

        if n % 16 == 0 and done.all():
            break

    ## When it is wrong
    Where most of the passes are saved by it, the waiting may be worth its time. A look between whole loops of steps,
    such as one after each epoch, is not reported: it waits once for many steps.

    ## When it is left alone
    A question that is asked in every n-th pass, or between whole loops of steps; numbers and tensors of the host; loops
    that prepare data.

    ## Sources
    - PyTorch/XLA, Troubleshoot: https://docs.pytorch.org/xla/release/r2.7/learn/troubleshoot.html

    ## Related
    XP415, XP301, XP402.
    """

    code = "XP403"
    name = "loop-ends-on-device-value"
    summary = "a loop that ends by a value of the device"
    applicability = Applicability.MANUAL
    words = ("while", "break", "return")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each condition that ends a loop."""
        if host_only.stays_on_host(context):
            return
        seen: set[ast.AST] = set()
        for node in context.module.of_type(ast.While, ast.If):
            if not may_end_loop(context.module, node):
                continue
            for read in self._reads(context, node):
                loop = ended_loop(context.module, read.node)
                if loop is not None and node not in seen and self._waits(context, loop, node, read):
                    seen.add(node)
                    yield self.finding(context.place(node.test), self._message(context, loop, node, read))

    def _reads(self, context: Context, node: ast.While | ast.If) -> list[HostRead]:
        """The reads that the condition makes."""
        inside = set(ast.walk(node.test))
        return [read for read in context.reads.in_condition(node) if read.node in inside]

    def _waits(self, context: Context, loop: LoopNode, node: ast.While | ast.If, read: HostRead) -> bool:
        """Whether the loop has something to prepare while the device works."""
        if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in walk_block(loop.body)):
            return False  # who takes what it hands out reads each of them
        if context.step_code.is_behind_usual_exit(node):
            return False
        if any(context.loops.step_loop(n) is not None for n in walk_block(loop.body) if isinstance(n, LoopNode)):
            return False  # a look between whole loops of steps: `if approx_kl > target_kl: break` after each epoch
        if context.loops.step_loop(loop) is not None:
            return True
        if not context.step_code.in_step(loop) and not host_only.speaks_of_device(context):
            return False
        others = [statement for statement in loop.body if statement is not node]
        return read.proven and any(context.steps.work.works(statement, None) for statement in others)

    def _message(self, context: Context, loop: LoopNode, node: ast.While | ast.If, read: HostRead) -> str:
        goes_on = "goes on" if isinstance(node, ast.While) else "ends"
        where = "this loop" if isinstance(node, ast.While) else f"the loop in line {context.line(loop)}"
        return (
            f"{where_placed(context, read.tensor)}{where} {goes_on} by a value of the device, "
            f"{one_line(context, read.tensor)}: "
            f"{_waiting(context, loop, read)}, and the host cannot prepare the next one meanwhile. "
            f"Instead, {self._advice(context, loop, node)}"
        )

    def _advice(self, context: Context, loop: LoopNode, node: ast.While | ast.If) -> str:
        condition = one_line(context, node.test)
        counter = counted_by(loop)
        if isinstance(node, ast.If) and counter is not None:
            asked = f"not ({condition})" if _goes_on_by(node) else _part(node.test, condition)
            seldom = f"look in every 16th pass only, if {_passed(loop, counter)} % 16 == 0 and {asked}"
        else:
            seldom = "count the passes, and look at it in every 16th only"
        if (counted := _counted_on_the_device(context, node.test)) is not None:
            return counted
        known = context.loops.step_loop(loop)
        if steps(loop.body) or (known is not None and known.kind is LoopKind.TRAIN):
            return seldom  # a training that is good enough
        if _is_agreed_on(context, loop, node.test):
            return (
                "agree on the number of passes once, before the loop, by one such collective, and let each process go "
                "that many; where nobody knows it before, as of a loader without a length, tell it by a tensor of the "
                'CPU, in a group of its own: dist.new_group(backend="gloo")'
            )
        if (fetched := fetched_before(context, loop, node.test)) is not None:
            return fetched
        if isinstance(node, ast.If) and _stays(context, loop, node.test):
            return f"read it once, in front of the loop, in whose passes it stays the same: ends = bool({condition})"
        if shrinking := _shrinking(context, loop):
            fetched = series(dict.fromkeys([*shrinking, *_placing(context, loop)]))
            return (
                f"fetch {fetched} once, before the loop, by .cpu(), and run it on the host, where "
                "another size costs no graph"
            )
        is_drawn = isinstance(node, ast.While) and _drawn_again(context, loop) is not None
        if not is_drawn and (reason := not_to_keep(context, loop)) is not None:
            return (
                "give what is in the loop fixed shapes first, by torch.where() over all places, and remember on the "
                f"device that it was so; as it is, that does not do, since {reason}"
            )
        flag = next((name for name in ("done", "finished", "over") if context.names.is_free(name, node)), "is_over")
        at = "where a count of the passes says so"
        if counter is not None:
            at = f"if {_passed(loop, counter)} % 16 == 0 and {flag}"
        if isinstance(node, ast.If) and (remembered := self._remembered(context, loop, node, flag)) is not None:
            return (
                f"{remembered}{_counted(context, loop, flag)}; to leave early, look at it in every 16th pass only, {at}"
            )
        if isinstance(node, ast.If) and _names(node.test) & _made_in(loop):
            return (
                f"{self._fixed(context, loop, node)}, remember there that it was so, in a tensor of one truth value, "
                f"{flag}, and cut off behind the loop what was collected after that; to leave early, look at {flag} in "
                f"every 16th pass only, {at}"
            )
        return f"{self._fixed(context, loop, node)}; to leave early then, {seldom}"

    def _remembered(self, context: Context, loop: LoopNode, node: ast.If, flag: str) -> str | None:
        """What ends a loop may hold in one pass and not in the next: it has to be remembered."""
        text, name = on_device(context, node.test), one_kept(context, loop, node.test)
        if text is None:
            return None
        if _goes_on_by(node):
            text = negated(text)
        if not isinstance(ast.parse(text, mode="eval").body, ast.Name | ast.Call | ast.Attribute):
            text = f"({text})"
        kept = (
            f"keep the rest as it is, {name} = torch.where({flag}, {name}, the new {name})"
            if name is not None
            else f"let torch.where({flag}, old, new) keep the rest as it is"
        )
        remembered = f"{flag} = {flag} | {text}"
        if (asked := _of_the_host(context, node.test)) is not None:
            remembered = f"if {asked}: {remembered}"
        return (
            f"run a fixed number of passes, remember on the device that it was so, {remembered}, {kept}, "
            "and cut off behind the loop what was collected after that"
        )

    def _fixed(self, context: Context, loop: LoopNode, node: ast.While | ast.If) -> str:
        """The loop with a fixed number of passes."""
        drawn = _drawn_again(context, loop) if isinstance(node, ast.While) else None
        if drawn is not None:
            tensor, mask = drawn
            return (
                f"draw a fixed number of times, for _ in range(8), new values for all of {tensor}, and keep the good "
                f"ones, {tensor} = torch.where({mask}, the new values, {tensor})"
            )
        text, name = on_device(context, node.test), one_kept(context, loop, node.test)
        if text is None or name is None or _asks_the_host(context, loop, node.test):
            return "run a fixed number of passes, and let torch.where() keep on the device what is done"
        goes_on = text if isinstance(node, ast.While) or _goes_on_by(node) else negated(text)
        return (
            "run a fixed number of passes, and keep on the device what is done as it is, "
            f"{name} = torch.where({goes_on}, the new {name}, {name})"
        )


def _waiting(context: Context, loop: LoopNode, read: HostRead) -> str:
    """Which passes wait for a read: those in which the conditions hold that it stands behind."""
    conditions: list[str] = []
    child: ast.AST = read.node
    for parent in context.module.ancestors(read.node):
        if parent is loop:
            break
        if isinstance(parent, ast.BoolOp):
            before = parent.values[: parent.values.index(child)] if isinstance(child, ast.expr) else []
            texts = [one_line(context, value) for value in before if not context.reads.of_expression(value)]
            conditions += texts if isinstance(parent.op, ast.And) else [f"not ({text})" for text in texts]
        elif isinstance(parent, ast.If) and child is not parent.test and not is_last_otherwise(parent, child):
            text = one_line(context, parent.test)
            conditions.append(text if any(child is statement for statement in parent.body) else f"not ({text})")
        child = parent
    if not conditions and behind_usual_exit(context.module, read.node) is None:
        return "every pass waits for it"
    text, asking = " and ".join(reversed(conditions)), "every pass that asks waits for it"
    return f"where {text} holds, every pass waits for it" if 0 < len(text) <= _SHORT else asking


def _passed(loop: LoopNode, counter: str) -> str:
    """What is one more in each pass: ``n`` of ``range(9)``, ``n // 2`` of ``range(0, 9, 2)``."""
    counted = loop.iter if isinstance(loop, ast.For) else None
    if not isinstance(counted, ast.Call) or len(counted.args) < _WITH_STEP or ast.unparse(counted.args[2]) == "1":
        return counter
    step = counted.args[2]
    text = ast.unparse(step)
    return (
        f"{counter} // {text}"
        if isinstance(step, ast.Name | ast.Attribute | ast.Constant)
        else f"{counter} // ({text})"
    )


def _placing(context: Context, loop: LoopNode) -> Iterator[str]:
    """The tensors from outside that say where a loop makes others: ``x`` of ``torch.zeros(4, device=x.device)``."""
    made = _made_in(loop)
    for node in ast.walk(loop):
        if (
            isinstance(node, ast.Attribute)
            and node.attr == "device"
            and isinstance(node.value, ast.Name)
            and node.value.id not in made
            and context.roles.is_(node.value, Role.TENSOR)
        ):
            yield node.value.id


def _goes_on_by(node: ast.If) -> bool:
    """Whether a loop ends where a condition does not hold: ``if moved.any(): … else: break``."""
    return bool(node.orelse) and isinstance(node.orelse[-1], ast.Break | ast.Return)


def _counted(context: Context, loop: LoopNode, flag: str) -> str:
    """What to do where the number of the last pass is read behind the loop."""
    counter = counted_by(loop)
    if counter is None or loop.end_lineno is None:
        return ""
    for use in context.names.uses(context.names.scope(loop), counter):
        reaching = context.names.reaching(use)
        if use.lineno > loop.end_lineno and any(loop in context.module.ancestors(b.node) for b in reaching):
            passes = next((name for name in ("n", "passes") if context.names.is_free(name, loop)), "made")
            return (
                f", and count the passes on the device, before {flag} changes, {passes} = {passes} + ~{flag}, since "
                f"{counter} in line {context.line(use)} is the number of the last one then"
            )
    return ""


def _counted_on_the_device(context: Context, test: ast.expr) -> str | None:
    """What to do where a tensor is compared that a number of the program is added to: ``self.steps += 1``."""
    asked = {dotted(n) for n in ast.walk(test) if isinstance(n, ast.Name | ast.Attribute)} - {None}
    for node in context.module.nodes:
        if not isinstance(node, ast.AugAssign) or not isinstance(node.op, ast.Add | ast.Sub):
            continue
        path = dotted(node.target)
        if path in asked and integer(node.value) is not None and context.roles.is_(node.target, Role.TENSOR):
            return (
                f"count on the host, by a number of Python's beside {path} that changes as {path} does in line "
                f"{context.line(node)}, and ask that number; where {path} may come from a checkpoint, read it once, "
                "before the loop"
            )
    return None


def _asks_the_host(context: Context, loop: LoopNode, test: ast.expr) -> bool:
    """Whether a condition has a part, beside that of the device, that a pass may change: ``sign == first and …``.

    A counter, ``n < most``, gives the fixed number of passes itself.
    """
    if not isinstance(test, ast.BoolOp):
        return False
    assigned = (t for s in walk_block(loop.body) if isinstance(s, ast.Assign) for t in s.targets)
    made = {name for target in assigned for name in _names(target)}
    return any(on_device(context, part) is None and _names(part) & made for part in test.values)


def _is_agreed_on(context: Context, loop: LoopNode, test: ast.expr) -> bool:
    """Whether processes tell each other in each pass whether to go on: ``dist.broadcast(signal, src=0)``."""
    return any(
        isinstance(n, ast.Call)
        and (context.resolve(n.func) or "").startswith("torch.distributed.")
        and any(isinstance(given, ast.Name) and given.id in _names(test) for given in n.args)
        for n in walk_block(loop.body)
    )


def _of_the_host(context: Context, test: ast.expr) -> str | None:
    """The parts of a condition that the host knows: ``n > 9`` of ``done and n > 9``."""
    if not isinstance(test, ast.BoolOp):
        return None
    parts = [one_line(context, part) for part in test.values if on_device(context, part) is None]
    return " and ".join(parts) or None


def _stays(context: Context, loop: LoopNode, test: ast.expr) -> bool:
    """Whether a condition asks for nothing that a pass of the loop makes: it is the same in all of them."""
    return not (_names(test) & _made_in(loop)) and not any(
        isinstance(part, ast.Attribute | ast.Call) and not _is_of_tensor(context, part) for part in ast.walk(test)
    )


def _is_of_tensor(context: Context, node: ast.Attribute | ast.Call) -> bool:
    """Whether a method, or an attribute, is that of a tensor: what an object has may change from pass to pass."""
    func = node.func if isinstance(node, ast.Call) else node
    return isinstance(func, ast.Attribute) and context.roles.is_(func.value, Role.TENSOR)


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _made_in(loop: LoopNode) -> set[str]:
    """The names that a pass of a loop binds, and those of what it changes in place."""
    found: set[str] = set()
    for node in ast.walk(loop):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            found |= _names(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
            found |= _names(node.func.value)
    return found


def _shrinking(context: Context, loop: LoopNode) -> list[str]:
    """The names of the tensors that lose elements in each pass: ``x = x[~done]``."""
    held = Tensors(context.flow.structure).held

    def is_mask(node: ast.expr) -> bool:
        inverted = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)
        return inverted or held(context.view.own, node).kind is Kind.BOOL

    return [
        target.id
        for statement in walk_block(loop.body)
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Subscript)
        for target in statement.targets
        if isinstance(target, ast.Name)
        and isinstance(statement.value.value, ast.Name)
        and statement.value.value.id == target.id
        and is_mask(statement.value.slice)
    ]


def _drawn_again(context: Context, loop: LoopNode) -> tuple[str, str] | None:
    """The tensor and the mask of ``x[mask] = torch.randn(…)``, in a loop that draws until all values are good."""
    for statement in loop.body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Subscript):
            continue
        target = statement.targets[0]
        if Tensors(context.flow.structure).held(context.view.own, target.slice).kind is Kind.BOOL:
            return context.module.segment(target.value), context.module.segment(target.slice)
    return None


def _part(test: ast.expr, text: str) -> str:
    return f"({text})" if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else text
