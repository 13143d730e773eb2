"""XP403: a loop that goes on, or ends, by a value of the device."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from xlaport.context import Context
from xlaport.facts.endings import ended_loop, may_end_loop
from xlaport.facts.held import Kind
from xlaport.facts.in_place import changes
from xlaport.facts.loops import LoopKind
from xlaport.facts.module import LoopNode, names_in, walk_block
from xlaport.facts.reads import HostRead
from xlaport.facts.roles import Role
from xlaport.facts.tensors import Tensors
from xlaport.rule import Applicability, Finding, Harm, Rule
from xlaport.wording import Text

from ..._lib import host_only
from ..._lib.counting import counted_by, passes_of
from ..._lib.one_line import one_line
from ..._lib.series import series
from ..._lib.shapes.fixed_form import steps
from ..._lib.shapes.on_device import negated, on_device
from ..._lib.shapes.placed import device_of
from ..._lib.shapes.saying import say
from ..._lib.shapes.where_placed import if_placed
from .later_end import last_number, later_end


class LoopEnd(Rule):
    """Report loops that end by a value of the device.

    ## What it does
    Finds loops over work of the TPU that read a tensor to know whether to go on: `while not done.all():`,
    `while loss > limit:`, `if (token == end).all(): break`.

    ## Why
    The host prepares the next iteration while the TPU runs this one. To know whether there is a next iteration, it must
    wait until this one is done: host and TPU take turns.

    ## Example
        model = nn.Linear(4, 4).to(device)
        with torch.no_grad():
            for n in range(max_new_tokens):
                token = model(token)
                done = done | (token == end)
                if done.all():
                    break

    is reported. A fixed number of iterations, where `done` keeps what is finished as it is:

        for n in range(max_new_tokens):
            token = torch.where(done, end, model(token))
            done = done | (token == end)

    or a look now and then:

        if n % 16 == 0 and done.all():
            break

    ## When it is wrong
    Where it saves most of the iterations, the waiting may be worth its time. Where up to 15 further iterations of a
    training that is good enough are too many; one that ends at NaN, or above a limit, is not changed. A look between
    whole loops of steps, such as one after each epoch, is not reported: it waits once for many steps.

    ## When it is left alone
    What is read in every n-th iteration, or between whole loops of steps; numbers and tensors of the host; loops
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
    harm = Harm.WAITS
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
                    yield self._finding(context, loop, node, read)

    def _finding(self, context: Context, loop: LoopNode, node: ast.While | ast.If, read: HostRead) -> Finding:
        edits = later_end(context, loop, node) if isinstance(node, ast.If) and _trains(context, loop) else ()
        if edits:
            text = say("XP403.later", asked=one_line(context, read.tensor), line=context.line(loop))
            return self.finding(context.place(node.test), text, *edits, applicability=Applicability.UNSAFE)
        return self.finding(context.place(node.test), _told(context, loop, node, read))

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
        if not context.step_code.with_steps(loop) and not host_only.speaks_of_device(context):
            return False
        others = [statement for statement in loop.body if statement is not node]
        return read.proven and any(context.steps.work.works(statement, None) for statement in others)


def _told(context: Context, loop: LoopNode, node: ast.While | ast.If, read: HostRead) -> Text:
    """What is said of a condition, with what to do."""
    said = {
        "asked": one_line(context, read.tensor),
        "line": context.line(loop),
        "where": if_placed(context, read.tensor),
    }
    if _trains(context, loop):
        return say("XP403.seldom", **said, snippet=_seldom(context, loop, node))  # a training that is good enough
    if _is_agreed_on(context, loop, node.test):
        return say("XP403.agreed", **said)
    if shrinking := _shrinking(context, loop):
        return say("XP403.shrinks", **said, names=_named([*shrinking, *_placing(context, loop)]))
    text = on_device(context, node.test)
    if isinstance(node, ast.If) and (text is not None or names_in(node.test) & _made_in(context, loop)):
        return say("XP403.flag", **said, snippet=_with_flag(context, loop, node, read, text))
    return say("XP403.fixed", **said, snippet=_fixed(context, loop, node, text))


def _trains(context: Context, loop: LoopNode) -> bool:
    known = context.loops.step_loop(loop)
    return steps(loop.body) or (known is not None and known.kind is LoopKind.TRAIN)


def _named(names: Iterable[str]) -> str:
    return series(f"`{name}`" for name in dict.fromkeys(names))


def _count(context: Context, loop: LoopNode) -> str:
    """What counts the iterations of a loop, or a name for it."""
    return passes_of(context, loop) or _free(context, loop, "count", "passes")


def _free(context: Context, node: ast.AST, *names: str) -> str:
    return next((name for name in names if context.names.is_free(name, node)), names[-1])


def _seldom(context: Context, loop: LoopNode, node: ast.While | ast.If) -> str:
    """The condition, in every 16th iteration."""
    condition, count = one_line(context, node.test), _count(context, loop)
    if isinstance(node, ast.While):
        return f"while {count} % 16 != 0 or ({condition}):\n    {count} += 1"
    asked = f"not ({condition})" if _goes_on_by(node) else _part(node.test, condition)
    return f"if {count} % 16 == 0 and {asked}:"


def _with_flag(context: Context, loop: LoopNode, node: ast.If, read: HostRead, text: str | None) -> str:
    """What ends a loop may hold in one iteration and not in the next: a tensor remembers it."""
    flag = _free(context, node, "done", "finished", "over", "is_over")
    if text is not None and _goes_on_by(node):
        text = negated(text)
    if text is not None and not isinstance(ast.parse(text, mode="eval").body, ast.Name | ast.Call | ast.Attribute):
        text = f"({text})"
    update = f"{flag} = {flag} | {text}"
    if text is None:
        update = f"{flag} = {flag} | over  # over: {one_line(context, node.test)}, as a tensor"
    elif (asked := _of_the_host(context, node.test)) is not None:
        update = f"if {asked}:\n    {update}"
    lines = [f"{flag} = torch.zeros((), dtype=torch.bool, device={device_of(context, read.tensor, node)})  # at first"]
    if (last := last_number(context, loop)) is not None:
        passes = _free(context, loop, "n", "passes", "made")
        lines.append(f"{passes} = {passes} + ~{flag}  # from 0, before {flag} changes; instead of {last}")
    lines += [f"x = torch.where({flag}, x, new_x)  # each tensor x that is handed on, where it is made", update]
    return "\n".join([*lines, f"if {_count(context, loop)} % 16 == 0 and {flag}:", "    break"])


def _fixed(context: Context, loop: LoopNode, node: ast.While | ast.If, text: str | None) -> str:
    """The loop with a fixed number of iterations."""
    ends = isinstance(node, ast.If) and not _goes_on_by(node)
    if text is None:
        condition = one_line(context, node.test)
        goes_on = f"{f'not ({condition})' if ends else condition}  # as a tensor"
    else:
        goes_on = negated(text) if ends else text
    kept = "x = torch.where(goes_on, new_x, x)  # each tensor x that is handed on"
    counter = counted_by(context, loop)
    count = counter.id if counter is not None else _free(context, loop, "count", "passes")
    head = f"for {count} in range(most):\n    goes_on = {goes_on}"
    return f"{head}\n    if {count} % 16 == 0 and not goes_on:\n        break\n    {kept}"


def _placing(context: Context, loop: LoopNode) -> Iterator[str]:
    """The tensors from outside that say where a loop makes others: ``x`` of ``torch.zeros(4, device=x.device)``."""
    made = _made_in(context, loop)
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


def _is_agreed_on(context: Context, loop: LoopNode, test: ast.expr) -> bool:
    """Whether processes tell each other in each pass whether to go on: ``dist.broadcast(signal, src=0)``."""
    return any(
        isinstance(n, ast.Call)
        and (context.resolve(n.func) or "").startswith("torch.distributed.")
        and any(isinstance(given, ast.Name) and given.id in names_in(test) for given in n.args)
        for n in walk_block(loop.body)
    )


def _of_the_host(context: Context, test: ast.expr) -> str | None:
    """The parts of a condition that the host knows: ``n > 9`` of ``done and n > 9``."""
    if not isinstance(test, ast.BoolOp):
        return None
    parts = [one_line(context, part) for part in test.values if on_device(context, part) is None]
    return " and ".join(parts) or None


def _made_in(context: Context, loop: LoopNode) -> set[str]:
    """The names that a pass of a loop binds, and those of what it changes in place."""
    own, names = context.view.own, [node for node in ast.walk(loop) if isinstance(node, ast.Name)]
    return {name.id for name in names if not isinstance(name.ctx, ast.Load) or changes(own, name)}


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


def _part(test: ast.expr, text: str) -> str:
    return f"({text})" if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else text
