"""XP106: random seeds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts import options
from xlaport.facts.module import last_name
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Harm, InsertStatement, RemoveArgument, Replace, Rule, Span

from ..._lib import host_only, process_start
from ..._lib.device import cuda
from ..._lib.device.repeated_seeds import Seed, can_repeat, draws_nothing, has_same, is_first, same, seeds_of
from ..._lib.device.saying import say
from ..._lib.removal import removal
from . import workers

_DRAWS = frozenset({"torch.randint", "torch.rand", "torch.randperm"})


def _becomes_a_seed(context: Context, call: ast.Call) -> bool:
    """Whether a name that says so gets what is drawn: ``seed = int(torch.randint(1 << 31, (), device=device))``."""
    statement = context.module.statement(call)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any("seed" in (last_name(target) or "").lower() for target in targets)


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
        seeds = seeds_of(context)
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

    # -- torch.manual_seed -----------------------------------------------------------------------------

    def _torch_seed(self, context: Context, seed: Seed, seeds: list[Seed]) -> Iterator[Finding]:
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
        if argument is None or not self._is_plain(context, seed) or not (behind or is_first(context, seed)):
            yield self.finding(context.place(seed.call), say("XP106.beside", seeder=text))
            return
        yield self.finding(
            context.span(seed.call),
            say("XP106.torch", seeder=text),
            InsertStatement(context.span(seed.statement), f"{text}({argument})", before=not behind),
            imports=imports,
        )

    def _is_plain(self, context: Context, seed: Seed) -> bool:
        """Whether the call runs whenever its statement does."""
        return isinstance(seed.statement, ast.Expr | ast.Assign | ast.AnnAssign | ast.Return) and not any(
            isinstance(p, ast.Lambda | ast.comprehension | ast.IfExp | ast.BoolOp)
            for p in self._up_to(context, seed.call, seed.statement)
        )

    def _argument(self, context: Context, seed: Seed, behind: bool) -> str | None:
        """What to seed the device with; None where the seed would have to be computed a second time."""
        if can_repeat(context, seed.argument):
            return self._whole_number(context, seed.argument)
        func = seed.call.func
        if not behind or not isinstance(func, ast.Attribute) or context.resolve(func.value) != "torch":
            return None
        # What torch was seeded with can be asked for: the expression runs only once.
        return f"{context.module.segment(func.value)}.initial_seed()"

    def _guard(self, context: Context, seed: Seed) -> ast.stmt:
        """The ``if torch.cuda.is_available():`` around a seed, which is answered with yes; else its statement."""
        statement = seed.statement
        while (
            isinstance(parent := context.module.parents[statement], ast.If)
            and statement in parent.body
            and cuda.is_available_call(context, parent.test)
        ):
            statement = parent
        return statement

    def _reaches_device(self, context: Context, seed: Seed, seeds: list[Seed]) -> bool:
        """Whether a seed of the device stands beside this one, with nothing drawn in between."""
        for other in seeds:
            if other.kind == "torch" or context.module.block(self._guard(context, other)) is not seed.block:
                continue
            after = seed.call.lineno <= other.call.lineno
            if (after or same(context, seed, other)) and draws_nothing(context, seed, other):
                return True
        return False

    # -- torch.cuda.manual_seed ------------------------------------------------------------------------

    def _cuda_seed(self, context: Context, seed: Seed, seeds: list[Seed]) -> Finding:
        if isinstance(seed.statement, ast.Expr) and has_same(context, seed, seeds):
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

    def _early(self, context: Context, seed: Seed) -> Finding:
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

    def _up_to(self, context: Context, node: ast.AST, end: ast.AST) -> Iterator[ast.AST]:
        for parent in context.module.ancestors(node):
            if parent is end:
                return
            yield parent
