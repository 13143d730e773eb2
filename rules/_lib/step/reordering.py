"""What takes the parameters of a model, and its later move in one block: which of the two can change its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.roles import Role, dotted
from xlaport.rule import Edit, MoveStatement

from .keepers import keepers
from .moved_objects import PARALLEL, stripped
from .moves import brings, moves, path_of, rebinds
from .optimizers import Building, binds, is_optimizer, mentions, models, read
from .parameter_names import looks_like_tie
from .parameter_takers import is_method
from .reach import (
    bound,
    code_run,
    is_met,
    is_part,
    may_hang_parameters,
    only_asked_for_parameters,
    rebinds_one,
    touches,
)

_SAME_ANYWHERE = ("load_state_dict", "train", "eval", "zero_grad", "requires_grad_")
"""Methods of a model that do the same before and after a move."""
_SAME = frozenset({"torch.compile"})
"""What gives a module with the parameters that it is given, by the names that they have."""
_DRAWING = frozenset("uniform_ normal_ log_normal_ exponential_ geometric_ cauchy_ random_ bernoulli_".split())
_NOT_DRAWING = frozenset(f"torch.nn.init.{name}_" for name in ("constant", "ones", "zeros", "eye", "dirac"))


@dataclass(frozen=True)
class Pair:
    """What takes parameters and the later move of their model, seen from the block in which the move stands."""

    taker: ast.stmt
    """The statement that builds the optimizer, or keeps the parameters in another way."""
    model: str
    first: ast.stmt
    """The statement of that block that holds what first takes the parameters."""
    between: list[ast.stmt]
    """What stands between the first statement and the move."""
    move: ast.stmt
    ties: list[ast.stmt]
    """What ties the model's parameters again, directly behind the move."""


def pair_of(context: Context, taker: ast.stmt, model: str, source: ast.stmt) -> Pair | None:
    """The taker with the first move of the model behind it, in its block or in one around it."""
    first = source
    while True:
        block = context.module.block(first)
        index = block.index(first)
        if any(brings(context, s, model) for s in block[:index]):
            return None  # moved before: what follows moves it to where it is
        for position in range(index + 1, len(block)):
            statement = block[position]
            if moves(context, statement, model):
                ties = list(_ties_behind(block[position + 1 :], model))
                return Pair(taker, model, first, block[index + 1 : position], statement, ties)
            if rebinds(statement, model):
                return None
        parent = context.module.parents[first]
        if not isinstance(parent, ast.If | ast.With | ast.Try | ast.For) or _makes_each(parent, model):
            return None
        first = parent


def _makes_each(statement: ast.stmt, model: str) -> bool:
    """Whether a loop goes through several models, or makes one in each pass: what follows it moves another."""
    return isinstance(statement, ast.For) and model.partition(".")[0] in binds(statement)


def _ties_behind(block: list[ast.stmt], model: str) -> Iterator[ast.stmt]:
    """The statements at the beginning of a block that tie parameters of a model."""
    for statement in block:
        if not _ties(statement, model):
            return
        yield statement


def _ties(statement: ast.stmt, model: str) -> bool:
    if isinstance(statement, ast.If):
        return not statement.orelse and all(_ties(inner, model) for inner in statement.body)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return dotted(statement.value.func) == f"{model}.tie_weights" and not statement.value.args
    return looks_like_tie(statement) and (dotted(getattr(statement, "value", statement)) or "").startswith(f"{model}.")


def edits(context: Context, pair: Pair) -> list[Edit]:
    """What puts the two in order; no edits where neither can change its place."""
    anchor = first_taker(context, pair)
    span = context.span
    lifted = _lifted(context, pair)
    if lifted is None:
        last = [pair.move, *pair.ties][-1]
        return [MoveStatement(span(s), span(last)) for s in _sunk(context, pair) or ()]
    return [MoveStatement(span(s), span(anchor), before=True) for s in lifted]


def wraps(context: Context, pair: Pair) -> bool:
    """Whether the move also makes another module of the model, whose parameters, or their names, are not the same.

    ``model = DataParallel(model).cuda()`` has the same ones, where nothing before it says how they are called.
    """
    value = pair.move.value if isinstance(pair.move, ast.Assign | ast.AnnAssign) else None
    makers = [
        node
        for node in (ast.walk(value) if value is not None else ())
        if isinstance(node, ast.Call) and any(path_of(stripped(part)) == pair.model for part in node.args)
    ]
    if all(context.resolve(maker.func) in PARALLEL for maker in makers):
        others = [s for s in pair.between if mentions(s, pair.model)]
        own = _by_name(pair.taker) | _by_name(pair.first)
        return bool(makers) and bool(others or pair.model in own)
    return not all(context.resolve(maker.func) in {*PARALLEL, *_SAME} for maker in makers)


def _by_name(statement: ast.stmt) -> set[str | None]:
    """What a statement takes something of that another module has not: ``model`` of ``SGD([model.weight])``."""
    called = {node.func for node in ast.walk(statement) if isinstance(node, ast.Call) and is_method(node)}
    parts = (node for node in ast.walk(statement) if isinstance(node, ast.Attribute) and node not in called)
    return {dotted(part.value) for part in parts}


def first_taker(context: Context, pair: Pair) -> ast.stmt:
    """The first statement of the block that builds an optimizer for the same model: the move goes above it."""
    block = context.module.block(pair.first)
    for statement in block[: block.index(pair.first)]:
        if is_optimizer(context, statement) and pair.model in models(context, statement):
            return statement
    return pair.first


def _lifted(context: Context, pair: Pair) -> list[ast.stmt] | None:
    """The statements to lift above the optimizer: the move, what ties behind it, and assignments that they need."""
    if isinstance(pair.move, ast.If) and not all(
        moves(context, s, pair.model) or _ties(s, pair.model) for s in [*pair.move.body, *pair.move.orelse]
    ):
        return None
    lifted: list[ast.stmt] = [pair.move, *pair.ties]
    needed = {path for statement in lifted for path in read(context, statement)}
    for index in range(len(pair.between) - 1, -1, -1):
        statement = pair.between[index]
        if any(is_part(path, given) for path in needed for given in bound(statement)):
            target = _plain_target(statement)
            if target is None or any(is_met(context, s, target) for s in [pair.first, *pair.between[:index]]):
                return None
            lifted.insert(0, statement)
            needed |= read(context, statement)
    staying = [pair.first, *(s for s in pair.between if s not in lifted)]
    moved = {path for path in needed if is_part(pair.model, path)}
    if any(rebinds_one(context, s, needed, moved) for s in staying):
        return None
    read_there = {node.attr for _, node in code_run(context, pair.move) if isinstance(node, ast.Attribute)}
    if any(path.rpartition(".")[2] in read_there for s in pair.between if s not in lifted for path in bound(s)):
        return None  # by a `to()` of its own
    if any(_is_of_host(context, s) for s in staying):
        return None
    keeping = {keeper.statement for keeper in keepers(context) if keeper.model == pair.model}
    for part in [p for s in staying if s not in keeping for p in parts_of(s)]:
        if part is not pair.taker and touches(context, part, pair.model) and not _only_takes(context, part, pair.model):
            return None
    return lifted


def _plain_target(statement: ast.stmt) -> ast.expr | None:
    """``device`` of ``device = torch.device("cuda")``: an assignment to one name whose value does nothing else."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or dotted(statement.targets[0]) is None:
        return None
    calls = (n for n in ast.walk(statement.value) if isinstance(n, ast.Call))
    return statement.targets[0] if all(dotted(n.func) is not None and len(n.args) <= 2 for n in calls) else None


def _is_of_host(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement does to tensors what is another thing on the device.

    It draws other random numbers, gives no array of NumPy's, and does not follow data of the host.
    """
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and node.attr == "data" and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.Call):
            name = context.resolve(node.func) or ""
            if name.startswith("torch.nn.init.") and name not in _NOT_DRAWING:
                return True
            if isinstance(node.func, ast.Attribute) and node.func.attr in (*_DRAWING, "numpy"):
                return True
    return False


def _only_takes(context: Context, statement: ast.stmt, model: str) -> bool:
    """Whether a statement does no more with the model than hand its parameters to an optimizer or a list."""
    if is_optimizer(context, statement):
        return True
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return dotted(statement.value.func) in {f"{model}.{method}" for method in _SAME_ANYWHERE}
    return model in models(context, statement) and isinstance(statement, ast.Assign | ast.AnnAssign | ast.For)


def parts_of(statement: ast.stmt) -> list[ast.stmt]:
    """The statements inside an ``if`` or ``with``, so that each is judged by itself."""
    if isinstance(statement, ast.If | ast.With | ast.Try):
        return [
            part for inner in ast.iter_child_nodes(statement) if isinstance(inner, ast.stmt) for part in parts_of(inner)
        ]
    return [statement]


def _sunk(context: Context, pair: Pair) -> list[ast.stmt] | None:
    """The optimizer, and the schedulers of it, to go below the move: nothing else in between may use it, or change what
    it is made of.
    """
    optimizer = pair.taker
    if not isinstance(optimizer, Building) or not is_optimizer(context, optimizer) or pair.first is not optimizer:
        return None
    targets = [_target(optimizer)]
    if targets == [None] or optimizer.value is None:
        return None
    sunk: list[ast.stmt] = [optimizer]
    taken, needed = only_asked_for_parameters(optimizer.value), read(context, optimizer.value)
    filters = "requires_grad" in context.module.segment(optimizer)
    for statement in [*pair.between, pair.move]:
        if any(target is not None and is_met(context, statement, target) for target in targets):
            if statement is pair.move or not _is_scheduler(context, statement):
                return None
            sunk.append(statement)
            targets.append(_target(statement))
            needed |= read(context, statement)
            continue
        if filters and "requires_grad" in context.module.segment(statement):
            return None
        if statement is pair.move:
            continue
        if rebinds_one(context, statement, needed, taken):
            return None
        if may_hang_parameters(context, statement) and any(touches(context, statement, one) for one in taken):
            return None
    return sunk


def _target(statement: ast.stmt) -> ast.expr | None:
    """The one dotted name that a statement gives its value."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return targets[0] if len(targets) == 1 and targets[0] is not None and dotted(targets[0]) is not None else None


def _is_scheduler(context: Context, statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, Building) else None
    return _target(statement) is not None and value is not None and context.roles.is_(value, Role.SCHEDULER)
