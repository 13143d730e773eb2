"""The calls of a file that seed, and which of them give the device the seed that it has already."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.roles import dotted

_CUDA_SEEDS = frozenset(
    {
        "torch.cuda.manual_seed",
        "torch.cuda.manual_seed_all",
        "torch.cuda.random.manual_seed",
        "torch.cuda.random.manual_seed_all",
    }
)
_TORCH_SEEDS = frozenset({"torch.manual_seed", "torch.random.manual_seed"})
_DRAWS_NOTHING = (
    "builtins.", "os.", "sys.", "logging.", "time.", "argparse.", "warnings.", "torch.backends.", "torch.device",
    "torch.cuda.set_device", "torch.use_deterministic_algorithms",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Seed:
    """One call that seeds: torch's, CUDA's, or the target's own."""

    call: ast.Call
    statement: ast.stmt
    block: list[ast.stmt]
    argument: ast.expr
    kind: str


def is_repeated(context: Context, call: ast.Call) -> bool:
    """Whether a call seeds CUDA where the device has the same seed already: XP106 takes it out."""
    seeds = seeds_of(context)
    seed = next((seed for seed in seeds if seed.call is call), None)
    return seed is not None and seed.kind == "cuda" and has_same(context, seed, seeds)


def seeds_of(context: Context) -> list[Seed]:
    """The calls of a file that seed."""
    return [seed for call in context.module.calls if (seed := _seed(context, call)) is not None]


def _seed(context: Context, call: ast.Call) -> Seed | None:
    called = context.resolve(call.func)
    kinds = (("own", context.target.seeders), ("torch", _TORCH_SEEDS), ("cuda", _CUDA_SEEDS))
    kind = next((kind for kind, names in kinds if called in names), None)
    if kind is None:
        return None
    arguments = [*call.args, *(k.value for k in call.keywords if k.arg == "seed")]
    if len(arguments) != 1 or len(call.args) + len(call.keywords) != 1 or isinstance(arguments[0], ast.Starred):
        return None
    statement = context.module.statement(call)
    return Seed(call, statement, context.module.block(statement), arguments[0], kind)


def has_same(context: Context, seed: Seed, seeds: list[Seed]) -> bool:
    """Whether the device has the same seed already when this call runs."""
    blocks = _enclosing_blocks(context, seed.statement)
    for other in seeds:
        if other is seed or not any(other.block is block for block in blocks):
            continue
        if not same(context, seed, other) or not draws_nothing(context, seed, other):
            continue
        if other.kind == "own" or (other.kind == "cuda" and other.call.lineno < seed.call.lineno):
            return True
        if other.kind == "torch" and other.block is not seed.block:
            return True
    return False


def same(context: Context, one: Seed, other: Seed) -> bool:
    """Whether two calls give the same seed: the same expression, with nothing rebound in between."""
    if ast.dump(one.argument) != ast.dump(other.argument) or not can_repeat(context, one.argument):
        return False
    for a, b in zip(ast.walk(one.argument), ast.walk(other.argument), strict=True):
        if isinstance(a, ast.Name) and isinstance(b, ast.Name):
            if set(context.names.reaching(a)) != set(context.names.reaching(b)):
                return False
    paths = {dotted(n) for n in ast.walk(one.argument) if isinstance(n, ast.Attribute)}
    return not any(
        isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load) and dotted(n) in paths
        for n in _between(context, one, other)
    )


def draws_nothing(context: Context, one: Seed, other: Seed) -> bool:
    """Whether no random number can be drawn between two calls."""
    return _draw_nothing(context, _between(context, one, other))


def is_first(context: Context, seed: Seed) -> bool:
    """Whether its statement draws no random number before it seeds."""
    start = (seed.statement.lineno, seed.statement.col_offset)
    return _draw_nothing(context, _until(context, start, seed.call))


def _draw_nothing(context: Context, nodes: list[ast.expr]) -> bool:
    nothing = (*_DRAWS_NOTHING, "torch.cuda.is_", context.target.symbol("device").qualified)
    for node in nodes:
        if isinstance(node, ast.Call):
            called = context.resolve(node.func) or dotted(node.func) or ""
            if "seed" not in called.rpartition(".")[2] and not called.startswith(nothing):
                return False
    return True


def _between(context: Context, one: Seed, other: Seed) -> list[ast.expr]:
    first, last = sorted((one.call, other.call), key=lambda call: (call.lineno, call.col_offset))
    return _until(context, (first.end_lineno or 0, first.end_col_offset or 0), last)


def _until(context: Context, start: tuple[int, int], last: ast.Call) -> list[ast.expr]:
    """What the function of a call runs from a line and column up to it."""
    here, end = context.module.function(last), (last.lineno, last.col_offset)
    around = set(context.module.ancestors(last))
    return [
        node
        for node in context.module.nodes
        if isinstance(node, ast.expr)
        and node not in around
        and start <= (node.lineno, node.col_offset) < end
        and context.module.function(node) is here
    ]


def _enclosing_blocks(context: Context, statement: ast.stmt) -> list[list[ast.stmt]]:
    """The block of a statement and those around it, up to the function."""
    blocks = [context.module.block(statement)]
    for parent in context.module.ancestors(statement):
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            break
        if isinstance(parent, ast.stmt):
            blocks.append(context.module.block(parent))
    return blocks


def can_repeat(context: Context, node: ast.expr) -> bool:
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
