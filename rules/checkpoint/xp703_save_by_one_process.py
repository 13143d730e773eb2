"""XP703: a checkpoint that one process alone writes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.branch_callers import is_called_under
from xlaport.facts.module import FunctionNode, LoopNode, is_elif
from xlaport.facts.roles import Role
from xlaport.facts.structure import Function
from xlaport.rule import Applicability, Edit, Finding, Harm, InsertStatement, Replace, Rule, Trait

from .._lib import ranks
from .._lib.arguments import with_argument
from .._lib.blocks import lifted
from .._lib.checkpoint import saves
from .._lib.checkpoint.contents import Contents, contents, contents_of
from .._lib.checkpoint.saying import say
from .._lib.comments import has_comment
from .._lib.distributed import replicas
from .._lib.ranks import Level

_WHO = ("master_only", "global_master")


class SaveByOneProcess(Rule):
    """Let all processes take part in a save.

    ## What it does
    In a program of several processes, finds a save under a condition on the rank. Where `xm.save()` is all that
    stands there, the condition is removed: every process calls it, and the first one of each host writes, or with
    `global_master=True` the first one of all, as the condition said. Elsewhere the condition stays, and the pending
    graph is run before it, on every process.

    ## Why
    What is pending on the device may hold collectives, such as the average of the gradients, which wait for every
    process. To save, one process alone would run it, and hang, and the whole job with it. With nothing pending,
    a save copies what is there. Source: xm.save() of torch_xla 2.9 runs what its tensors wait for in each process
    that calls it, and has no rendezvous.

    ## Example
        import torch_xla.core.xla_model as xm

        if xm.is_master_ordinal():
            xm.save(model.state_dict(), "model.pt")

    becomes

        import torch_xla.core.xla_model as xm

        xm.save(model.state_dict(), "model.pt")

    ## When it is wrong
    Where the storage is shared, the first process of each host writes the same file: `global_master=True` lets one
    process write it. Where other processes read the file next, they have to wait for it (`xm.rendezvous()`).

    ## When it is left alone
    A program of one process, and conditions under which nothing of the device is saved.

    ## Sources
    - Read in the source of torch_xla 2.9.

    ## Related
    XP702, XP607, XP706.
    """

    code = "XP703"
    name = "save-by-one-process"
    summary = "a save under a condition on the rank hangs where a graph is pending"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.LAZY_GRAPH,)
    words = ("rank", "master", "main_process", "ordinal")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each condition on the rank under which something is saved."""
        if not replicas.are_several(context):
            return
        conditions = [n for n in context.module.of_type(ast.If) if ranks.asks(context, n.test)]
        for condition in conditions:
            if any(parent in conditions for parent in context.module.ancestors(condition)):
                continue
            if self._is_asked_before(context, condition):
                continue  # one process alone comes here: its callers are spoken of
            found = [s for block in _alone(context, condition) for s in saves.saves_in(context, block)]
            if any(_reads_device(there, call) for there, call in found):
                yield from self._finding(context, condition, found)

    def _is_asked_before(self, context: Context, condition: ast.If) -> bool:
        """Whether all who call the function of a condition do so under another one on the rank."""
        function = context.module.function(condition)
        return function is not None and is_called_under(
            context.flow.structure,
            Function(context.view.own, function),
            lambda facts, test: ranks.asks(context.of(facts), test),
        )

    def _finding(self, context: Context, condition: ast.If, found: list[tuple[Context, ast.Call]]) -> Iterator[Finding]:
        hoisted = _hoisted(context, condition)
        is_ours = Applicability.SAFE if replicas.is_launched(context) else Applicability.UNSAFE
        if hoisted is not None:
            edits, level = hoisted
            save, _ = context.symbol("save", condition)
            said = say("XP703.of_all", save=save) if level is Level.ALL else say("XP703.of_host", save=save)
            yield self.finding(context.span(condition.test), said, *edits, applicability=is_ours)
            return
        if any(saves.is_target_save(there, call) is False and _will_change(there, call) for there, call in found):
            if _is_only_saves(condition):
                return  # its turn comes when it is the target's save
        anchor = _top(context, condition)
        sync, imports = context.symbol("sync", anchor)
        if _is_cut(context, anchor):
            return
        loop = context.loops.around(condition)
        if loop is not None:
            if _is_cut_before(context, anchor, loop.node):
                return
        if loop is not None and not _is_last_and_seldom(context, anchor, loop.node):
            yield self.finding(context.span(condition.test), say("XP703.in_step", sync=sync))
            return
        yield self.finding(
            context.span(condition.test),
            say("XP703.cut", sync=sync),
            InsertStatement(context.span(anchor), f"{sync}()", before=True),
            imports=imports,
            applicability=is_ours,
        )


def _alone(context: Context, condition: ast.If) -> Iterator[list[ast.stmt]]:
    """What runs in some of the processes only."""
    yield condition.body
    yield condition.orelse
    if isinstance(condition.body[-1], ast.Return) and not condition.orelse:
        block = context.module.block(condition)
        yield block[block.index(condition) + 1 :]


def _reads_device(context: Context, call: ast.Call) -> bool:
    if saves.is_target_save(context, call):
        return True
    found = _contents(context, call)
    return found is None or bool(found.device or found.modules or found.parameters or found.passed)


def _contents(context: Context, call: ast.Call) -> Contents | None:
    """What a call of ``torch.save`` saves; None where that is not plain."""
    handed, given = saves.handed_on(context, call), saves.saved(context, call)
    if handed is not None:
        return contents_of(context, handed)
    return contents(context, given["obj"]) if given is not None and "obj" in given else None


def _will_change(context: Context, call: ast.Call) -> bool:
    given, found = saves.saved(context, call), _contents(context, call)
    is_plain = given is None or set(given) == {"obj", "f"}
    return is_plain and found is not None and bool(found.device)


def _is_only_saves(condition: ast.If) -> bool:
    return all(isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) for s in condition.body)


def _hoisted(context: Context, condition: ast.If) -> tuple[list[Edit], Level] | None:
    """The edits that let every process call what stands under a condition; None where more than saves does."""
    calls = [s.value for s in condition.body if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call)]
    if condition.orelse or len(calls) != len(condition.body) or is_elif(context.module, condition):
        return None
    if not all(saves.is_target_save(context, call) and _is_plain(context, call) for call in calls):
        return None
    test = condition.test
    conjuncts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    masters = [(c, level) for c in conjuncts if (level := ranks.master(context, c)) is not None]
    if len(masters) != 1 or masters[0][1] is Level.UNSURE:
        return None
    question, level = masters[0]
    rest = [c for c in conjuncts if c is not question]
    if any(ranks.asks(context, c) for c in rest) or has_comment(context, test):
        return None
    added = [with_argument(context, call, "global_master=True") for call in calls] if level is Level.ALL else []
    if rest:
        text = " and ".join(context.module.segment(c) for c in rest)
        return [Replace(context.span(condition.test), text), *added], level
    return [lifted(context, condition, condition.body, *added)], level


def _is_plain(context: Context, call: ast.Call) -> bool:
    """Whether a save says nothing of who writes, and uses no name that only the first process has."""
    if any(k.arg in _WHO for k in call.keywords) or len(call.args) > 2:
        return False
    names = [n for a in [*call.args, *(k.value for k in call.keywords)] for n in ast.walk(a) if isinstance(n, ast.Name)]
    return not any(
        isinstance(parent, ast.If) and ranks.asks(context, parent.test)
        for name in names
        for binding in context.names.reaching(name)
        for parent in context.module.ancestors(binding.node)
    )


def _top(context: Context, condition: ast.If) -> ast.If:
    """The ``if`` that an ``elif`` belongs to."""
    while is_elif(context.module, condition):
        parent = context.module.parents[condition]
        assert isinstance(parent, ast.If)
        condition = parent
    return condition


def _is_barrier(context: Context, statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(value, ast.Call):
        return False
    return context.resolve(value.func) in context.target.barriers or saves.is_target_save(context, value)


def _is_cut(context: Context, statement: ast.stmt) -> bool:
    """Whether the graph is cut right before a statement, but for what is on the host alone."""
    block = context.module.block(statement)
    for earlier in reversed(block[: block.index(statement)]):
        if _is_barrier(context, earlier) or _ends_in_a_cut(context, earlier):
            return True
        if not isinstance(earlier, ast.If | ast.Assign | ast.Expr) or any(
            isinstance(node, ast.Call) and not _is_quiet(context, node) for node in ast.walk(earlier)
        ):
            return False
    return False


def _ends_in_a_cut(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement goes through a loader that cuts the graph at each batch, and once more behind the last."""
    if not isinstance(statement, ast.For) or statement.orelse:
        return False
    leaves = any(isinstance(node, ast.Break) for node in ast.walk(statement))
    return not leaves and context.loops.stepping.iterates(statement, Role.DEVICE_LOADER)


_QUIET = frozenset({"builtins.print", "builtins.min", "builtins.max", "builtins.len", "builtins.round"})


def _is_quiet(context: Context, call: ast.Call) -> bool:
    """Whether a call does nothing on the device."""
    return context.resolve(call.func) in _QUIET or saves.is_save(context, call)


def _is_cut_before(context: Context, statement: ast.stmt, loop: LoopNode) -> bool:
    """Whether a barrier of the step loop comes before a statement in it, or nothing but the barrier of the last one."""
    current: ast.AST = statement
    earlier: list[ast.stmt] = []
    while current is not loop and not isinstance(current, FunctionNode):
        if isinstance(current, ast.stmt):
            block = context.module.block(current)
            earlier += block[: block.index(current)]
        current = context.module.parents[current]
    if any(_is_barrier(context, s) for s in earlier):
        return True
    done = context.loops.effects(earlier)
    if done.steps or done.backward or done.model:
        return False
    is_cut_by_loader = context.loops.stepping.iterates(loop, Role.DEVICE_LOADER)
    return is_cut_by_loader or bool(context.loops.effects(loop.body).barriers)


def _is_last_and_seldom(context: Context, statement: ast.stmt, loop: LoopNode) -> bool:
    """Whether a step has done its work by then, and comes to a statement under a condition only: ``step % 100``."""
    current: ast.AST = statement
    later: list[ast.stmt] = []
    while current is not loop and not isinstance(current, FunctionNode):
        if isinstance(current, ast.stmt):
            block = context.module.block(current)
            later += block[block.index(current) + 1 :]
        current = context.module.parents[current]
    rest = context.loops.effects(later)
    return isinstance(context.module.parents[statement], ast.If) and not (rest.steps or rest.backward or rest.model)
