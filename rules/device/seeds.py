"""XP106: random seeds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, InsertStatement, RemoveStatement, Replace, Rule

_CUDA_SEEDS = frozenset(
    {
        "torch.cuda.manual_seed",
        "torch.cuda.manual_seed_all",
        "torch.cuda.random.manual_seed",
        "torch.cuda.random.manual_seed_all",
    }
)


class Seeds(Rule):
    """Seed the XLA device.

    ## What it does
    Adds `torch_xla.manual_seed(seed)` behind `torch.manual_seed(seed)`, and turns `torch.cuda.manual_seed`
    and `manual_seed_all` into it (or removes them where it stands there already).

    ## Why
    `torch.manual_seed` seeds the CPU and CUDA, but not the XLA device (measured on torch_xla 2.9): dropout
    and `torch.randn(device=…)` would ignore the seed.

    ## Example
        torch.manual_seed(args.seed)
        torch.cuda.manual_seed_all(args.seed)

    becomes

        torch.manual_seed(args.seed)
        torch_xla.manual_seed(args.seed)

    ## When it is wrong
    With several processes the same seed gives every replica the same dropout masks: add the rank by hand.
    The numbers differ from CUDA's in any case, since the generators differ.
    """

    code = "XP106"
    name = "device-seed"
    summary = "torch_xla.manual_seed() beside torch.manual_seed()"
    applicability = Applicability.SAFE
    words = ("manual_seed",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each seed that does not reach the device."""
        seed = context.target.symbol("manual_seed").qualified
        calls = [c for c in context.module.calls if self._is_statement(context, c)]
        for call in calls:
            called = context.resolve(call.func)
            if called == "torch.manual_seed" and len(call.args) == 1 and not call.keywords:
                if not self._seeded_near(context, call, calls, seed) and self._can_repeat(call.args[0]):
                    text, imports = context.symbol("manual_seed", call)
                    argument = context.module.segment(call.args[0])
                    yield self.finding(
                        context.span(call),
                        "torch.manual_seed does not seed the XLA device: it gets the same seed",
                        InsertStatement(context.span(context.module.statement(call)), f"{text}({argument})"),
                        imports=imports,
                    )
            elif called in _CUDA_SEEDS and len(call.args) == 1:
                yield self._cuda_seed(context, call, calls, seed)

    def _cuda_seed(self, context: Context, call: ast.Call, calls: list[ast.Call], seed: str) -> Finding:
        statement = context.module.statement(call)
        covered = self._covered(context, call, calls, seed)
        if covered:
            return self.finding(
                context.span(call),
                "there is no CUDA generator to seed; the XLA device is seeded already",
                RemoveStatement(context.span(statement)),
            )
        text, imports = context.symbol("manual_seed", call)
        return self.finding(
            context.span(call), "the XLA device is seeded in the place of CUDA's",
            Replace(context.span(call.func), text), imports=imports,
        )  # fmt: skip

    def _covered(self, context: Context, call: ast.Call, calls: list[ast.Call], seed: str) -> bool:
        """Whether the same seed is given to torch, or to the device, by another call that runs with this one."""
        blocks = self._enclosing_blocks(context, context.module.statement(call))
        for other in calls:
            called = context.resolve(other.func)
            if other is call or context.module.block(context.module.statement(other)) not in blocks:
                continue
            same = len(other.args) == 1 and ast.dump(other.args[0]) == ast.dump(call.args[0])
            if same and called in ("torch.manual_seed", seed) and self._can_repeat(other.args[0]):
                return True
            earlier = other.lineno < call.lineno
            if same and earlier and called in _CUDA_SEEDS:
                return True
        return False

    def _seeded_near(self, context: Context, call: ast.Call, calls: list[ast.Call], seed: str) -> bool:
        block = context.module.block(context.module.statement(call))
        return any(
            context.resolve(other.func) == seed and context.module.block(context.module.statement(other)) is block
            for other in calls
        )

    def _enclosing_blocks(self, context: Context, statement: ast.stmt) -> list[list[ast.stmt]]:
        """The block of a statement and those around it, up to the function."""
        blocks = [context.module.block(statement)]
        for parent in context.module.ancestors(statement):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                break
            if isinstance(parent, ast.stmt):
                blocks.append(context.module.block(parent))
        return blocks

    def _is_statement(self, context: Context, call: ast.Call) -> bool:
        return isinstance(context.module.parents[call], ast.Expr)

    def _can_repeat(self, node: ast.expr) -> bool:
        """Whether the seed's expression gives the same value when it is evaluated twice."""
        return all(
            isinstance(
                n,
                ast.Name | ast.Attribute | ast.Constant | ast.BinOp | ast.UnaryOp | ast.Subscript
                | ast.operator | ast.unaryop | ast.expr_context,
            )
            for n in ast.walk(node)
        )  # fmt: skip
