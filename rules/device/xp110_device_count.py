"""XP110: how many GPUs there are."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import dotted
from xlaport.rule import Applicability, Edit, Finding, Harm, Import, Replace, Rule
from xlaport.wording import Text

from .._lib.device import counting, guarded
from .._lib.device.branches import says_something
from .._lib.device.fold import Fold
from .._lib.device.saying import say
from .._lib.device.shown import is_shown

_JUMPS = (ast.Raise, ast.Return, ast.Continue, ast.Break)


class DeviceCount(Rule):
    """Say what a count of GPUs becomes where a process has one XLA device.

    ## What it does
    Answers `torch.cuda.device_count() > 0` with yes, and takes out what only several GPUs in one process have a
    use for (`if torch.cuda.device_count() > 1: model = nn.DataParallel(model)`). With `--unsafe`,
    `rank % torch.cuda.device_count()` becomes the process's ordinal on its host, a count in a function that runs
    in each process becomes the number of processes, and a count that is kept under a name, or asserted to be as large
    as what is asked for, becomes 1.
    Everything else is reported: the number of processes to start, a batch size or a learning rate that is scaled,
    a loop over the GPUs.

    ## Why
    `torch.cuda.device_count()` and `torch.accelerator.device_count()` are 0 under torch_xla: a loop over the GPUs
    does nothing, a batch size becomes 0, and `rank % device_count()` divides by zero. On a TPU each chip belongs to
    a process of its own; `torch_xla.launch()` starts as many as there are.

    ## Example
        model = nn.Linear(2, 2)
        if torch.cuda.device_count() > 1:
            print("Using", torch.cuda.device_count(), "GPUs")
            model = nn.DataParallel(model)
        model.train()

    becomes

        model = nn.Linear(2, 2)
        model.train()

    ## When it is wrong
    Where the count decides more than which device serves a model: such places are reported and stay.

    ## When it is left alone
    A count that is shown, kept, or asked for by a decorator; one that serves the launch of processes, which XP603 ports
    as a whole; one that gives GPUs to workers by turns.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html

    ## Related
    XP104, XP601, XP603.
    """

    code = "XP110"
    name = "device-count"
    summary = "device_count() by what it is used for: a process has one XLA device"
    applicability = Applicability.SAFE
    harm = Harm.WRONG
    words = ("device_count",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each count."""
        for node in context.module.nodes:
            if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
                continue
            parent = context.module.parents[node]
            if isinstance(parent, ast.Attribute) or context.resolve(node) not in counting.COUNTS:
                continue
            if isinstance(parent, ast.Call) and parent.func is node:
                yield from self._count(context, parent)
            elif not (isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name)):
                # (A function under another name is reported where it is called.)
                yield self.finding(context.place(node), say("XP110.function"))

    def _replaced(
        self, context: Context, node: ast.expr, said: Text, text: str, imports: tuple[Import, ...]
    ) -> Finding:
        """A count that is asked of the target: it needs the runtime, so only on request."""
        span = context.span(node)
        return self.finding(span, said, Replace(span, text), imports=imports, applicability=Applicability.UNSAFE)

    def _count(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        if counting.names_a_device(context, call):
            return  # another rule takes the index
        parent = context.module.parents[call]
        if not context.editable(call):
            yield self.finding(context.place(call), say("XP110.shown"))
        elif guarded.in_decorator(context, call):
            yield self.finding(context.place(call), say("XP110.number"))
        elif isinstance(parent, ast.Compare) and (with_one := counting.truth_of(parent, call, 1)) is not None:
            if with_one is not counting.truth_of(parent, call, 0):
                yield self._any(context, parent, with_one)
            else:
                yield self._several(context, parent, with_one)
        elif counting.is_condition(context, call):
            yield self._any(context, call, True)
        else:
            yield self._number(context, call)

    # -- questions -------------------------------------------------------------------------------------

    def _any(self, context: Context, question: ast.expr, truth: bool) -> Finding:
        """``device_count() > 0``: whether there is a GPU."""
        why_not = guarded.why_not(context, question, negated=not truth)
        if why_not is not None:
            return self.finding(context.span(question), why_not)
        return self.finding(context.span(question), say("XP110.any"), *Fold(context).edits(question, truth))

    def _several(self, context: Context, question: ast.Compare, truth: bool) -> Finding:
        """``device_count() > 1``: whether there are several GPUs."""
        node, decided = Fold(context).decided(question, truth)
        refuses, edits = self._folded(context, node, decided)
        if edits:
            return self.finding(context.span(question), say("XP110.several"), *edits)
        if refuses:
            return self.finding(context.span(question), say("XP110.refuses"))
        parent = context.module.parents[node]
        if isinstance(parent, ast.Assign | ast.AnnAssign):
            return self.finding(
                context.span(question),
                say("XP110.decided", value=decided),
                Replace(context.span(node), str(decided)),
                applicability=Applicability.UNSAFE,
            )
        return self.finding(context.span(question), say("XP110.question", truth=truth))

    def _folded(self, context: Context, node: ast.expr, truth: bool) -> tuple[bool, tuple[Edit, ...]]:
        """Whether a program ends that has one device, and else the edits that take out what needs several."""
        parent = context.module.parents[node]
        if isinstance(parent, ast.Assert) and node is parent.test:
            return not truth, ()
        if isinstance(parent, ast.If) and node is parent.test:
            kept, dead = (parent.body, parent.orelse) if truth else (parent.orelse, parent.body)
            if kept and (isinstance(kept[-1], _JUMPS) or any(_ends(context, s) for s in kept)):
                return True, ()
            if all(counting.serves_several(context, s, lambda call: says_something(context, call)) for s in dead):
                return False, Fold(context).folded(node, truth) or ()
        elif isinstance(parent, ast.IfExp) and node is parent.test:
            if counting.spreads(context, parent.orelse if truth else parent.body):
                return False, Fold(context).folded(node, truth) or ()
        elif isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.Or) and not truth:
            return False, Fold(context).folded(node, truth) or ()
        return False, ()

    # -- numbers ---------------------------------------------------------------------------------------

    def _number(self, context: Context, call: ast.Call) -> Finding:
        module = context.module
        parent = module.parents[call]
        in_worker, shown = counting.in_worker(context, call), is_shown(context, call)
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod) and parent.right is call and not shown:
            if counting.is_rank(context, parent.left) and module.function(call) is not None:
                return self._local_rank(context, parent)
            return self.finding(context.place(call), say("XP110.modulo"))
        if counting.starts_processes(context, call):
            return self.finding(context.place(call), say("XP110.processes"))
        if shown:
            asked = counting.asked_around(context, call)
            if asked is not None:
                return self.finding(context.place(call), say("XP110.asked", line=context.line(asked)))
            return self._shown(context, call, in_worker)
        if (path := _name_given(context, call)) is not None:
            return self._named(context, call, path, in_worker)
        if isinstance(parent, ast.BinOp | ast.AugAssign) and not isinstance(parent.op, ast.Mod):
            return self._scaled(context, call, in_worker)
        if not in_worker and _is_asserted(context, call):
            return self._replaced(context, call, say("XP110.asserted"), "1", ())
        if isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.range":
            return self.finding(context.place(call), say("XP110.range"))
        return self.finding(context.place(call), say("XP110.number"))

    def _local_rank(self, context: Context, modulo: ast.BinOp) -> Finding:
        ordinal, imports = context.symbol("local_ordinal", modulo)
        said = say("XP110.ordinal", ordinal=ordinal)
        return self._replaced(context, modulo, said, f"{ordinal}()", imports)

    def _shown(self, context: Context, call: ast.Call, in_worker: bool) -> Finding:
        count, imports = context.symbol("global_device_count", call)
        if not in_worker:
            return self.finding(context.place(call), say("XP110.shown"))
        return self._replaced(context, call, say("XP110.devices", count=count), f"{count}()", imports)

    def _scaled(self, context: Context, call: ast.Call, in_worker: bool) -> Finding:
        size, imports = context.symbol("world_size", call)
        if not in_worker:
            return self.finding(context.place(call), say("XP110.scaled"))
        return self._replaced(context, call, say("XP110.size", size=size), f"{size}()", imports)

    def _named(self, context: Context, call: ast.Call, path: str, in_worker: bool) -> Finding:
        size, imports = context.symbol("world_size", call)
        home = context.module.tree if "." in path else context.module.function(call) or context.module.tree
        uses = [
            n
            for n in ast.walk(home)
            if isinstance(n, ast.Name | ast.Attribute) and isinstance(n.ctx, ast.Load) and dotted(n) == path
        ]
        if counting.names_processes(path) or any(counting.starts_processes(context, use) for use in uses):
            if in_worker:
                return self._replaced(context, call, say("XP110.size", size=size), f"{size}()", imports)
            return self.finding(context.place(call), say("XP110.world", path=path))
        asks = next((use for use in uses if _asks_for_more(context, use)), None)
        if asks is not None:
            return self.finding(context.place(call), say("XP110.wanted", line=context.line(asks)))
        each = next((asked for use in uses if (asked := counting.asks_of_each(context, use)) is not None), None)
        if each is not None:
            return self.finding(context.place(call), say("XP110.each", line=context.line(each)))
        divides = next((use for use in uses if _divides_a_rank(context, use)), None)
        if divides is not None:
            return self.finding(context.place(call), say("XP110.divides", line=context.line(divides)))
        return self.finding(
            context.span(call),
            say("XP110.one", path=path),
            Replace(context.span(call), "1"),
            applicability=Applicability.UNSAFE,
        )


def _ends(context: Context, statement: ast.stmt) -> bool:
    """``sys.exit(…)``, ``self.skipTest(…)``."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = context.resolve(statement.value.func) or dotted(statement.value.func) or ""
    return called.rpartition(".")[2] in ("exit", "_exit", "quit", "skip", "skipTest", "error")


def _name_given(context: Context, call: ast.Call) -> str | None:
    """The name or attribute that a count is kept under: ``n_gpu = 0 if args.cpu else torch.cuda.device_count()``."""
    node: ast.AST = call
    parent = context.module.parents[node]
    while isinstance(parent, ast.IfExp) and node is not parent.test:
        node, parent = parent, context.module.parents[parent]
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        return dotted(parent.targets[0])
    if isinstance(parent, ast.AnnAssign | ast.NamedExpr):
        return dotted(parent.target)
    return None


def _is_asserted(context: Context, call: ast.Call) -> bool:
    """``assert … and torch.cuda.device_count() >= len(wanted), …``: the assertion says so where more are wanted."""
    compare = context.module.parents[call]
    if not isinstance(compare, ast.Compare) or len(compare.ops) != 1:
        return False
    (other,) = (side for side in (compare.left, compare.comparators[0]) if side is not call)
    holds = context.module.parents[compare]
    if isinstance(holds, ast.BoolOp) and isinstance(holds.op, ast.And):
        holds = context.module.parents[holds]
    return isinstance(holds, ast.Assert) and not counting.is_rank(context, other)


def _asks_for_more(context: Context, use: ast.expr) -> bool:
    """``n_gpu >= wanted``, ``assert n_gpu == 8``; not ``n_gpu > 1``, whose answer for one device is no harm."""
    parent = context.module.parents[use]
    if not isinstance(parent, ast.Compare):
        return False
    with_one = counting.truth_of(parent, use, 1)
    if with_one is None:
        return not _only_adapts(context, parent)
    return not with_one and isinstance(context.module.parents[parent], ast.Assert)


def _only_adapts(context: Context, question: ast.Compare) -> bool:
    """``if wanted > n_gpu: print("Warning: …"); wanted = n_gpu``: a wish comes down to what there is."""
    parent = context.module.parents[question]
    sides = {ast.unparse(side) for side in [question.left, *question.comparators]}
    if isinstance(parent, ast.IfExp) and question is parent.test:
        return {ast.unparse(parent.body), ast.unparse(parent.orelse)} <= sides
    if not isinstance(parent, ast.If) or question is not parent.test or parent.orelse:
        return False
    clamps = [s for s in parent.body if isinstance(s, ast.Assign) and _sets_one(s, sides)]
    rest = [s for s in parent.body if s not in clamps]
    return bool(clamps) and all(
        isinstance(s, ast.Expr)
        and isinstance(s.value, ast.Call)
        and says_something(context, s.value)
        and not _ends(context, s)
        for s in rest
    )


def _sets_one(statement: ast.Assign, sides: set[str]) -> bool:
    """Whether one side of a comparison gets the value of the other."""
    return {ast.unparse(statement.targets[0]), ast.unparse(statement.value)} == sides


def _divides_a_rank(context: Context, use: ast.expr) -> bool:
    parent = context.module.parents[use]
    return (
        isinstance(parent, ast.BinOp)
        and isinstance(parent.op, ast.Mod | ast.FloorDiv | ast.Div)
        and parent.right is use
        and counting.is_rank(context, parent.left)
    )
