"""XP106: random seeds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import options
from xlaport.facts.module import last_name
from xlaport.facts.roles import Role, dotted
from xlaport.rule import Applicability, Finding, Harm, InsertStatement, RemoveArgument, Replace, Rule, Span

from .. import host_only, process_start
from ..removal import removal
from . import cuda, workers
from .saying import say

_CUDA_SEEDS = frozenset(
    {
        "torch.cuda.manual_seed",
        "torch.cuda.manual_seed_all",
        "torch.cuda.random.manual_seed",
        "torch.cuda.random.manual_seed_all",
    }
)
_DRAWS = frozenset({"torch.randint", "torch.rand", "torch.randperm"})
_TORCH_SEEDS = frozenset({"torch.manual_seed", "torch.random.manual_seed"})

_DRAWS_NOTHING = (
    "builtins.", "os.", "sys.", "logging.", "time.", "argparse.", "warnings.", "torch.backends.", "torch.device",
    "torch.cuda.set_device", "torch.use_deterministic_algorithms",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Seed:
    """One call that seeds: torch's, CUDA's, or the target's own."""

    call: ast.Call
    statement: ast.stmt
    block: list[ast.stmt]
    argument: ast.expr
    kind: str


def _becomes_a_seed(context: Context, call: ast.Call) -> bool:
    """Whether a name that says so gets what is drawn: ``seed = int(torch.randint(1 << 31, (), device=device))``."""
    statement = context.module.statement(call)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any("seed" in (last_name(target) or "").lower() for target in targets)


def is_repeated(context: Context, call: ast.Call) -> bool:
    """Whether a call seeds CUDA where the device has the same seed already: `Seeds` takes it out."""
    rule = Seeds()
    seeds = rule.seeds(context)
    seed = next((seed for seed in seeds if seed.call is call), None)
    return seed is not None and seed.kind == "cuda" and rule.is_repeated(context, seed, seeds)


class Seeds(Rule):
    """Seed the XLA device.

    ## What it does
    Turns `torch.cuda.manual_seed` and `manual_seed_all` into `torch_xla.manual_seed(seed)`, adds it after a
    `torch.manual_seed(seed)` that is alone, and removes what would seed the device a second time. What a
    loader runs in its worker processes (`worker_init_fn`, `__getitem__`) gets none: they must not touch the device. Nor
    does what `multiprocessing.Process` runs, unless it joins a process group.
    What runs before a program starts its processes is reported: the device cannot be seeded there.
    A seed that is drawn on the device, `seed = torch.randint(…, device=device)`, is drawn on the CPU.

    ## Why
    `torch.manual_seed` seeds the CPU and CUDA, but not the XLA device (measured on torch_xla 2.9): dropout
    and `torch.randn(device=…)` would ignore the seed. Without one, the generator of XLA gives the same numbers in
    every run.

    ## Example
        torch.manual_seed(1)
        torch.cuda.manual_seed_all(1)

    becomes

        torch.manual_seed(1)
        torch_xla.manual_seed(1)

    ## When it is wrong
    With several processes the same seed gives every replica the same dropout masks: add the rank by hand.
    The numbers differ from CUDA's in any case, since the generators differ.

    ## When it is left alone
    A program for the CPU, a test or a file's self-test without a device, a device that is seeded already, the seeds of
    NumPy and of generators, and what runs in a loader's worker processes.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP107, XP803.
    """

    code = "XP106"
    name = "device-seed"
    summary = "torch_xla.manual_seed() beside torch.manual_seed()"
    applicability = Applicability.SAFE
    harm = Harm.WRONG
    words = ("seed",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each seed that does not reach the device."""
        seeds = self.seeds(context)
        for seed in seeds:
            if host_only.runs_on_host(context, seed.call):
                continue
            if seed.kind != "own" and workers.runs_in_worker(context, seed.call):
                if seed.kind == "cuda" and isinstance(seed.statement, ast.Expr):
                    edit = removal(context, seed.statement)
                    yield self.finding(context.span(seed.call), say("XP106.worker"), edit)
            elif seed.kind == "torch":
                yield from self._torch_seed(context, seed, seeds)
            elif seed.kind == "cuda":
                yield self._cuda_seed(context, seed, seeds)
        for call in context.module.calls:
            if context.resolve(call.func) in _DRAWS and _becomes_a_seed(context, call) and context.editable(call):
                yield from self._drawn(context, call)

    def _drawn(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        device = next((keyword for keyword in call.keywords if keyword.arg == "device"), None)
        if device is None or isinstance(device.value, ast.Constant) or host_only.runs_on_host(context, call):
            return
        parent, end = context.module.parents[call], context.span(call).end
        is_read = isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.int"
        move = Replace(Span(end, end), f".to({context.module.segment(device.value)})")
        yield self.finding(
            context.span(call),
            say("XP106.drawn"),
            RemoveArgument(context.span(call), context.span(device)),
            *([] if is_read else [move]),
        )

    def seeds(self, context: Context) -> list[_Seed]:
        """The calls of a file that seed."""
        return [seed for call in context.module.calls if (seed := self._seed(context, call)) is not None]

    def _seed(self, context: Context, call: ast.Call) -> _Seed | None:
        called = context.resolve(call.func)
        kind = "torch" if called in _TORCH_SEEDS else "cuda" if called in _CUDA_SEEDS else "own"
        if kind == "own" and called not in context.target.seeders:
            return None
        arguments = [*call.args, *(k.value for k in call.keywords if k.arg == "seed")]
        if len(arguments) != 1 or len(call.args) + len(call.keywords) != 1 or isinstance(arguments[0], ast.Starred):
            return None
        statement = context.module.statement(call)
        return _Seed(call, statement, context.module.block(statement), arguments[0], kind)

    # -- torch.manual_seed -----------------------------------------------------------------------------

    def _torch_seed(self, context: Context, seed: _Seed, seeds: list[_Seed]) -> Iterator[Finding]:
        if self._reaches_device(context, seed, seeds):
            return
        process = workers.own_process(context, seed.call)
        if process is not None and process.always:
            return
        if process_start.runs_before(context, seed.call):
            yield self._early(context, seed)
            return
        text, imports = context.symbol("manual_seed", seed.call)
        behind = getattr(seed.statement, "value", None) is seed.call and not isinstance(seed.statement, ast.Return)
        argument = self._argument(context, seed, behind)
        if process is not None:
            line = context.line_of(process.place, process.start)
            yield self.finding(context.place(seed.call), say("XP106.process", line=line, seeder=text))
            return
        if argument is None or not self._is_plain(context, seed):
            yield self.finding(context.place(seed.call), say("XP106.beside", seeder=text))
            return
        yield self.finding(
            context.span(seed.call),
            say("XP106.torch", seeder=text),
            InsertStatement(context.span(seed.statement), f"{text}({argument})", before=not behind),
            imports=imports,
        )

    def _is_plain(self, context: Context, seed: _Seed) -> bool:
        """Whether the call runs whenever its statement does."""
        return isinstance(seed.statement, ast.Expr | ast.Assign | ast.AnnAssign | ast.Return) and not any(
            isinstance(p, ast.Lambda | ast.comprehension | ast.IfExp | ast.BoolOp)
            for p in self._up_to(context, seed.call, seed.statement)
        )

    def _argument(self, context: Context, seed: _Seed, behind: bool) -> str | None:
        """What to seed the device with; None where the seed would have to be computed a second time."""
        if self._can_repeat(context, seed.argument):
            return self._whole_number(context, seed.argument)
        func = seed.call.func
        if not behind or not isinstance(func, ast.Attribute) or context.resolve(func.value) != "torch":
            return None
        # What torch was seeded with can be asked for: the expression runs only once.
        return f"{context.module.segment(func.value)}.initial_seed()"

    def _guard(self, context: Context, seed: _Seed) -> ast.stmt:
        """The ``if torch.cuda.is_available():`` around a seed, which is answered with yes; else its statement."""
        statement = seed.statement
        while (
            isinstance(parent := context.module.parents[statement], ast.If)
            and statement in parent.body
            and cuda.is_available_call(context, parent.test)
        ):
            statement = parent
        return statement

    def _reaches_device(self, context: Context, seed: _Seed, seeds: list[_Seed]) -> bool:
        """Whether a seed of the device stands beside this one, with nothing drawn in between."""
        for other in seeds:
            if other.kind == "torch" or context.module.block(self._guard(context, other)) is not seed.block:
                continue
            after = seed.call.lineno <= other.call.lineno
            if (after or self._same(context, seed, other)) and self._draws_nothing(context, seed, other):
                return True
        return False

    # -- torch.cuda.manual_seed ------------------------------------------------------------------------

    def _cuda_seed(self, context: Context, seed: _Seed, seeds: list[_Seed]) -> Finding:
        if isinstance(seed.statement, ast.Expr) and self.is_repeated(context, seed, seeds):
            return self.finding(context.span(seed.call), say("XP106.repeated"), removal(context, seed.statement))
        if process_start.runs_before(context, seed.call):
            return self._early(context, seed)
        text, imports = context.symbol("manual_seed", seed.call)
        if not context.editable(seed.call):
            return self.finding(context.span(seed.statement), say("XP106.open", seeder=text))
        if isinstance(seed.argument, ast.UnaryOp) and isinstance(seed.argument.op, ast.USub):
            return self.finding(context.span(seed.call), say("XP106.open", seeder=text))
        edits = [Replace(context.span(seed.call.func), text)]
        number = self._whole_number(context, seed.argument)
        if number != context.module.segment(seed.argument):
            edits.append(Replace(context.span(seed.argument), number))
        return self.finding(context.span(seed.call), say("XP106.cuda", seeder=text), *edits, imports=imports)

    def _early(self, context: Context, seed: _Seed) -> Finding:
        seeder, _ = context.symbol("manual_seed", seed.call)
        return self.finding(context.place(seed.call), say("XP106.early", seeder=seeder))

    def _whole_number(self, context: Context, argument: ast.expr) -> str:
        """The seed as XLA takes it: PyTorch makes an int of a text or a float, torch_xla raises."""
        text, own = context.module.segment(argument), context.view.own
        called = context.resolve(argument.func) if isinstance(argument, ast.Call) else None
        if called == "builtins.str" and isinstance(argument, ast.Call) and len(argument.args) == 1:
            return self._whole_number(context, argument.args[0])
        is_text = isinstance(argument, ast.JoinedStr) or context.roles.is_(argument, Role.TEXT)
        is_text = is_text or (isinstance(argument, ast.Attribute) and options.is_of_no_type(own, argument.attr))
        is_float = isinstance(argument, ast.Constant) and isinstance(argument.value, float)
        return f"int({text})" if is_text or is_float or called == "builtins.float" else text

    def is_repeated(self, context: Context, seed: _Seed, seeds: list[_Seed]) -> bool:
        """Whether the device has the same seed already when this call runs."""
        blocks = self._enclosing_blocks(context, seed.statement)
        for other in seeds:
            if other is seed or not any(other.block is block for block in blocks):
                continue
            if not self._same(context, seed, other) or not self._draws_nothing(context, seed, other):
                continue
            if other.kind == "own" or (other.kind == "cuda" and other.call.lineno < seed.call.lineno):
                return True
            if other.kind == "torch" and other.block is not seed.block:
                return True
        return False

    # -- what two seeds have in common -----------------------------------------------------------------

    def _same(self, context: Context, one: _Seed, other: _Seed) -> bool:
        """Whether two calls give the same seed: the same expression, with nothing rebound in between."""
        if ast.dump(one.argument) != ast.dump(other.argument) or not self._can_repeat(context, one.argument):
            return False
        for a, b in zip(ast.walk(one.argument), ast.walk(other.argument), strict=True):
            if isinstance(a, ast.Name) and isinstance(b, ast.Name):
                if set(context.names.reaching(a)) != set(context.names.reaching(b)):
                    return False
        paths = {dotted(n) for n in ast.walk(one.argument) if isinstance(n, ast.Attribute)}
        return not any(
            isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load) and dotted(n) in paths
            for n in self._between(context, one, other)
        )

    def _draws_nothing(self, context: Context, one: _Seed, other: _Seed) -> bool:
        """Whether no random number can be drawn between two calls."""
        nothing = (*_DRAWS_NOTHING, "torch.cuda.is_", context.target.symbol("device").qualified)
        for node in self._between(context, one, other):
            if isinstance(node, ast.Call):
                called = context.resolve(node.func) or dotted(node.func) or ""
                if "seed" not in called.rpartition(".")[2] and not called.startswith(nothing):
                    return False
        return True

    def _between(self, context: Context, one: _Seed, other: _Seed) -> list[ast.AST]:
        first, last = sorted((one.call, other.call), key=lambda call: (call.lineno, call.col_offset))
        start, end = (first.end_lineno or 0, first.end_col_offset or 0), (last.lineno, last.col_offset)
        here = context.module.function(first)
        around = set(context.module.ancestors(last))
        return [
            node
            for node in context.module.nodes
            if isinstance(node, ast.expr)
            and node not in around
            and start <= (node.lineno, node.col_offset) < end
            and context.module.function(node) is here
        ]

    def _enclosing_blocks(self, context: Context, statement: ast.stmt) -> list[list[ast.stmt]]:
        """The block of a statement and those around it, up to the function."""
        blocks = [context.module.block(statement)]
        for parent in context.module.ancestors(statement):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                break
            if isinstance(parent, ast.stmt):
                blocks.append(context.module.block(parent))
        return blocks

    def _up_to(self, context: Context, node: ast.AST, end: ast.AST) -> Iterator[ast.AST]:
        for parent in context.module.ancestors(node):
            if parent is end:
                return
            yield parent

    def _can_repeat(self, context: Context, node: ast.expr) -> bool:
        """Whether the seed's expression gives the same value twice, and one that the device takes."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return False  # the device takes no negative seed
        return all(
            isinstance(
                n,
                ast.Name | ast.Attribute | ast.Constant | ast.BinOp | ast.UnaryOp | ast.Subscript
                | ast.operator | ast.unaryop | ast.expr_context,
            )
            or (isinstance(n, ast.Call) and context.resolve(n.func) in ("builtins.int", "builtins.abs"))
            for n in ast.walk(node)
        )  # fmt: skip
