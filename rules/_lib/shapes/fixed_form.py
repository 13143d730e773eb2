"""What to write in the place of a decision by a value of the device, in the user's own names."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.context import Context
from xlaport.facts.loops import LoopKind
from xlaport.facts.module import FunctionNode, LoopNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import Role

from ..counting import counter_of
from ..host_reads.device_values import spelled
from ..now_and_then import EVERY
from ..one_line import one_line
from .asked_masks import goes_by, question, writes_through
from .asked_on_host import asked_on_host
from .choice import before, side
from .decisions import Decision
from .finite_sides import kept_finite
from .on_device import negated, of_host, on_device
from .saying import say

_STEPPING = frozenset({"backward", "step", "zero_grad"})
_LEAVING = frozenset({"sys.exit", "builtins.exit", "builtins.quit", "os._exit"})
_JOINING = frozenset("cat concat concatenate hstack vstack pad".split())
_CHECKING = frozenset({"isnan", "isinf", "isfinite", "nan_to_num"})


def fixed_form(context: Context, decision: Decision) -> str:
    """What to do, in sentences."""
    node = decision.node
    if isinstance(node, ast.For):
        return _iterations(context, decision)
    text = on_device(context, node.test)
    if isinstance(node, ast.Assert):
        return _now_and_then(context, decision)
    if isinstance(node, ast.IfExp):
        return _expression(context, decision, node, text)
    if (of_numbers := asked_on_host(context, decision)) is not None:
        return of_numbers
    listed = _looped_over(context, decision)
    if listed is not None:
        return say.phrase("looped_over", listed=listed)
    if only_tells(context, node):
        trains = decision.body.loop is not None and decision.body.loop.kind is LoopKind.TRAIN
        lasts = trains and checks_numbers(node.test) and _raises(node)
        return f"{_now_and_then(context, decision)}{say.phrase('nan_lasts') if lasts else ''}"
    if text is not None and _skips(context, decision):
        return f"{_known(context, node)}{_skipped(node, text)}"
    mask = question(context, node.test)
    if mask is not None and mask.mask is not None and not mask.negated and writes_through(context, node, mask.mask):
        return say.phrase("writes_nothing", mask=ast.unparse(mask.mask))
    if (name := _resized(context, node)) is not None:
        return say.phrase("larger_size", name=name)
    return _both_sides(context, decision, node, text)


def _resized(context: Context, node: ast.If) -> str | None:
    """A name that one side joins something to, ``x = torch.cat([x, more])``, and the other leaves as it is."""
    one, other = (
        {s.targets[0].id: s.value for s in side if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)}
        for side in (node.body, node.orelse)
    )
    for name in sorted(one.keys() ^ other.keys()):
        value = one.get(name) or other[name]
        joins = isinstance(value, ast.Call) and (context.resolve(value.func) or "").rpartition(".")[2] in _JOINING
        if joins and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)):
            return name
    return None


def _expression(context: Context, decision: Decision, node: ast.IfExp, text: str | None) -> str:
    """``a if condition else b``."""
    if _is_display(node.body) or _is_display(node.orelse):
        return say.phrase("read_at_once")
    is_mixed = text is None and isinstance(node.test, ast.BoolOp)
    if is_mixed or not (_may_be_chosen(node.body) and _may_be_chosen(node.orelse)):
        return say.phrase("leave_out") if question(context, node.test) is not None else say.phrase("choose_always")
    one, other = (side(context, value, decision.read.tensor) for value in (node.body, node.orelse))
    choice = f"torch.where({text or _read(context, decision)}, {one}, {other})"
    condition = of_host(context, node.test)
    written = f"{choice} if {condition} else {other}" if condition is not None else choice
    return f"{say.phrase('choose_on_tpu', written=written)}{kept_finite(context, [node.body, node.orelse])}"


def _both_sides(context: Context, decision: Decision, node: ast.If, text: str | None) -> str:
    """What both sides compute, and a choice."""
    chosen = _chosen(context, node, text, decision.read.tensor) if text is not None else None
    choice = chosen or f"torch.where({text or _read(context, decision)}, ...)"
    mask = question(context, node.test)
    if mask is not None and not node.orelse and (chosen is None or goes_by(context, node, mask)):
        recipe = f"{say.phrase('leave_out')} {say.phrase('otherwise_choose', written=choice)}"
    elif chosen is not None:
        recipe = say.phrase("choose_on_tpu", written=choice)
    elif text is None:
        return say.phrase("known_on_host")
    else:
        recipe = f"{say.phrase('choose_on_tpu', written=choice)} {say.phrase('else_read')}"
    return f"{_known(context, node)}{recipe}{kept_finite(context, [*node.body, *node.orelse])}"


def _known(context: Context, node: ast.If) -> str:
    """What stays a question of the host, as the begin of a recipe for the rest."""
    known = of_host(context, node.test)
    return say.phrase("asked_first", known=known) if known is not None else ""


def _may_be_chosen(node: ast.expr) -> bool:
    """Whether a value may be that of a tensor: `torch.where` takes no None and no list."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool | int | float)
    return not _is_display(node)


def _is_display(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.ListComp | ast.JoinedStr)


def _looped_over(context: Context, decision: Decision) -> str | None:
    """The tensor that a loop goes over, whose elements decide: ``done`` of ``for i, d in enumerate(done)``."""
    tensor = decision.read.tensor
    found = context.names.reaching(tensor) if isinstance(tensor, ast.Name) else ()
    if len(found) != 1 or found[0].how is not How.FOR or found[0].value is None:
        return None
    given = found[0].value
    if isinstance(given, ast.Call) and context.resolve(given.func) == "builtins.enumerate" and given.args:
        given = given.args[0]
    return spelled(context, given) if context.roles.is_(given, Role.TENSOR) else None


def _read(context: Context, decision: Decision) -> str:
    return one_line(context, decision.read.tensor)


def _now_and_then(context: Context, decision: Decision) -> str:
    name, node = counter_of(context, decision.node), decision.node
    is_assertion = isinstance(node, ast.Assert)
    if name is None:
        is_early = is_assertion or _checks_arguments(context, node)
        return say.phrase("check_early") if is_early else say.phrase("check_seldom")
    test = one_line(context, decision.asked)
    if is_assertion:
        return say.phrase("check", written=f"if {name} % {EVERY} == 0: assert {test}")
    part = f"({test})" if isinstance(decision.asked, ast.BoolOp | ast.IfExp) else test
    return say.phrase("check", written=f"if {name} % {EVERY} == 0 and {part}")


def _checks_arguments(context: Context, node: ast.AST) -> bool:
    """Whether a branch of a function raises, outside of loops: what it checks may come from the host."""
    around = [p for p in context.module.ancestors(node) if isinstance(p, FunctionNode | LoopNode)]
    is_raised = isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise)
    return is_raised and bool(around) and isinstance(around[0], FunctionNode)


def only_tells(context: Context, node: ast.If) -> bool:
    """Whether a branch raises, leaves the program, warns or prints, and does nothing else."""
    return not node.orelse and all(tells(context, statement) for statement in node.body)


def tells(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement raises, leaves the program, warns or prints."""
    if isinstance(statement, ast.Raise | ast.Pass):
        return True
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    name = context.resolve(statement.value.func) or ""
    if name == "builtins.print" or name in _LEAVING or name.startswith(("warnings.", "logging.", "pdb.")):
        return True
    func = statement.value.func
    words = [
        n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(func) if isinstance(n, ast.Name | ast.Attribute)
    ]
    return any("log" in word.lower() or word in ("warning", "warn", "set_trace") for word in words)


def _raises(node: ast.If) -> bool:
    return isinstance(node.body[-1], ast.Raise | ast.Expr)


def checks_numbers(test: ast.expr) -> bool:
    """Whether a condition asks for NaN or infinity."""
    return any(
        (isinstance(n, ast.Attribute) and n.attr in _CHECKING) or (isinstance(n, ast.Name) and n.id in _CHECKING)
        for n in ast.walk(test)
    )


def _skips(context: Context, decision: Decision) -> bool:
    """Whether a branch decides if the step updates the parameters."""
    node = decision.node
    if not isinstance(node, ast.If) or not _calls(context.step_code.nodes(decision.body), "step"):
        return False
    return isinstance(node.body[-1], ast.Continue) or any(steps(side) for side in (node.body, node.orelse))


def steps(side: list[ast.stmt]) -> bool:
    """Whether statements do a part of a training step."""
    return _calls(walk_block(side), *_STEPPING)


def _calls(nodes: Iterable[ast.AST], *methods: str) -> bool:
    """Whether one of some methods is called, of whatever object."""
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in methods for n in nodes)


def _skipped(node: ast.If, text: str) -> str:
    """The device skips the step: it keeps the gradients or puts zeros in their place."""
    clears = _calls(walk_block(node.body), "zero_grad")
    updates = steps(node.body) and not clears and not isinstance(node.body[-1], ast.Continue)
    good = text if updates or (clears and _calls(walk_block(node.body), "step")) else negated(text)
    return say.phrase("skipped", good=good)


def _chosen(context: Context, node: ast.If, text: str, tensor: ast.expr) -> str | None:
    """``x = torch.where(condition, a, b)`` for each name that the branches give a value."""
    sides = [_assigned(context, node.body, tensor), _assigned(context, node.orelse, tensor)]
    if sides[0] is None or sides[1] is None:
        return None
    names = list(dict.fromkeys([*sides[0], *sides[1]]))
    values = [s.value for s in [*node.body, *node.orelse] if isinstance(s, ast.Assign)]
    if len(names) > 2 or not all(_may_be_chosen(value) for value in values):
        return None
    asked = {n.id for value in [node.test, *values] for n in ast.walk(value) if isinstance(n, ast.Name)}
    if len(names) > 1 and not asked.isdisjoint(names):
        return None  # what is chosen first would be asked for the second
    flags = [
        s.targets[0]
        for s in [*node.body, *node.orelse]
        if isinstance(s, ast.Assign) and isinstance(s.value, ast.Constant)
    ]
    if any(_decides(context, node, flag) for flag in flags):
        return None  # the host would ask the device for what was chosen
    old = {name: before(context, name, node, tensor) for name in names}
    return " and ".join(
        f"{name} = torch.where({text}, {sides[0].get(name, old[name])}, {sides[1].get(name, old[name])})"
        for name in names
    )


def _decides(context: Context, node: ast.If, target: ast.expr) -> bool:
    """Whether a name that the branches give a value is asked by the host: ``if stop: break``."""
    return any(
        isinstance(around, ast.If | ast.While) and around is not node and use in set(ast.walk(around.test))
        for use in context.names.uses_of(target)
        for around in context.module.ancestors(use)
    )


def _assigned(context: Context, branch: list[ast.stmt], tensor: ast.expr) -> dict[str, str] | None:
    """What a branch that does nothing else assigns to names."""
    found: dict[str, str] = {}
    for statement in branch:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            return None
        found[statement.targets[0].id] = side(context, statement.value, tensor)
    return found


def _iterations(context: Context, decision: Decision) -> str:
    """A loop with a fixed number of iterations, in which what is done stays as it is."""
    node, tensor = decision.node, decision.read.tensor
    assert isinstance(node, ast.For)
    while (
        isinstance(tensor, ast.Call) and isinstance(tensor.func, ast.Attribute) and tensor.func.attr in ("max", "amax")
    ):
        tensor = tensor.func.value
    limit = one_line(context, tensor)
    name = _carried(context, node)
    if isinstance(node.target, ast.Name) and node.target.id != "_" and name is not None:
        inside = f"{node.target.id} < {limit}"
        return f"{say.phrase('fixed_iterations')} {say.phrase('keep_done', name=name, inside=inside)}"
    return say.phrase("fixed_iterations")


def _carried(context: Context, loop: ast.For | ast.AsyncFor) -> str | None:
    """The first name of a tensor that each pass of a loop makes anew of what the last one left."""
    found: list[str] = []
    counted = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
    for statement in walk_block(loop.body):
        made = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(made, ast.Name) or not isinstance(statement, ast.Assign) or made.id in counted:
            continue
        if context.roles.is_(statement.value, Role.TENSOR) and any(
            isinstance(n, ast.Name) and n.id == made.id and _is_of_last_pass(context, loop, n)
            for n in ast.walk(statement.value)
        ):
            found.append(made.id)
    # What a pass makes twice has another shape at first, maybe.
    return next((name for name in found if _times_made(loop, name) == 1), None)


def _times_made(loop: ast.For | ast.AsyncFor, name: str) -> int:
    return sum(
        isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
        for s in loop.body
        for n in ast.walk(s)
    )


def _is_of_last_pass(context: Context, loop: ast.For | ast.AsyncFor, name: ast.Name) -> bool:
    """Whether a name has, in the first pass, what was there before the loop: nothing makes it anew before its use."""
    return any(loop not in context.module.ancestors(binding.node) for binding in context.names.reaching(name))
