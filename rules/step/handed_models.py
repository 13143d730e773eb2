"""Where a model goes after an optimizer took its parameters: to a function that moves it, in this file or another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import dotted
from xlaport.facts.structure import CallSite, Class, Function

from ..device import cuda
from ..elsewhere import line_of
from . import optimizers
from .aliases import first_parameter, gives_another, holding, kept_as, path_of
from .asked_moves import is_asked
from .moves import destination, goes_to_accelerator, is_moved_when_made, last_move, move_of, moves, rebinds
from .reordering import parts_of

_MAX_DEPTH = 3


@dataclass(frozen=True)
class LaterMove:
    """A move of the model that comes after the optimizer."""

    function: str | None
    """The function that does it, where the model is handed to one; None for a caller of the statement's function."""
    place: str
    """The line of the move, for a message."""
    is_sure: bool
    """Whether it goes to the accelerator."""
    is_first: bool
    """Whether nothing uses the model before it."""
    at: ast.stmt | None = None
    """The statement that moves it, or has it moved, if that stands in the same function as the optimizer."""
    is_asked: bool = False
    """Whether the move is under a condition of another function."""


def later_move(context: Context, statement: ast.stmt, model: str) -> LaterMove | None:
    """The first move of a model behind a statement, in another function: one that gets it, or a caller of this one."""
    if any(isinstance(n, ast.Name) and n.id == model and is_moved_when_made(context, n) for n in ast.walk(statement)):
        return None
    here = statement
    while True:
        block = context.module.block(here)
        behind = block[block.index(here) + 1 :]
        found = next(_moves_behind(context, context, behind, model, 0), None)
        parent = context.module.parents[here]
        if found is not None or not isinstance(parent, ast.If | ast.With | ast.Try):
            return found or next(_moves_around(context, context, statement, model, 0), None)
        here = parent


def is_moved_before(context: Context, statement: ast.stmt, model: str) -> bool:
    """Whether a model is moved above a statement, there or by a function that gets it."""
    if optimizers.is_moved_before(context, statement, model):
        return True
    block = context.module.block(statement)
    calls = (n for n in walk_block(block[: block.index(statement)]) if isinstance(n, ast.Call))
    return any(next(_moves_by(context, context, call, model, 0, True), None) is not None for call in calls)


def _moves_behind(
    start: Context, context: Context, behind: list[ast.stmt], model: str, depth: int
) -> Iterator[LaterMove]:
    """The moves of a model by what the statements run, and by what gets it from their function."""
    held = _moved_by_another_name(start, context, behind, model)
    for statement in behind:
        if held is not None and held[0] is statement:
            yield held[1]
            return
        if (depth and moves(context, statement, model)) or _gives(context, statement, model):
            place = line_of(start, context.view.own, statement)
            idle, sure = _is_untouched(behind, statement, model), _is_sure(context, statement, model)
            yield LaterMove(None, place, sure, idle, is_asked=_is_asked_for(context, statement, model))
            return
        if rebinds(statement, model):
            return
        for node in walk_block([statement]):
            if isinstance(node, ast.Call):
                for later in _moves_by(start, context, node, model, depth, _is_untouched(behind, statement, model)):
                    yield replace(later, at=context.module.statement(node))
        if isinstance(statement, ast.Return) and statement.value is not None:
            idle = _is_untouched(behind, statement, model)
            for there, rest, name in _given_back(context, statement, model):
                for later in _moves_behind(start, there, rest, name, depth + 1) if depth < _MAX_DEPTH else ():
                    yield _of_another(there, later, later.is_first and idle)


def _moved_by_another_name(
    start: Context, context: Context, behind: list[ast.stmt], model: str
) -> tuple[ast.stmt, LaterMove] | None:
    """The first move of what was given the model: ``self.net = model; self.net.to(device)``; and where it stands."""
    others: list[str] = []
    giving: list[ast.stmt] = []
    for statement in behind:
        for part in parts_of(statement):
            mover = next((name for name in others if moves(context, part, name)), None)
            if mover is not None:
                rest = [s for top in behind[: behind.index(statement) + 1] for s in parts_of(top) if s not in giving]
                is_sure = part is statement and _is_sure(context, part, mover)
                place = line_of(start, context.view.own, part)
                return statement, LaterMove(None, place, is_sure, _is_untouched(rest, part, model), part)
            found = [n for known in [model, *others] for n in holding(context, part, known) if n != model]
            if found:
                giving.append(part)
            others = [name for name in others if not gives_another(context, part, name)] + found
        if rebinds(statement, model):
            return None
    return None


def _moves_around(start: Context, context: Context, statement: ast.stmt, model: str, depth: int) -> Iterator[LaterMove]:
    """The moves of a model behind the calls of a function that gets it as a parameter."""
    function = context.module.function(statement)
    root = model.partition(".")[0]
    names = [n for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id == root]
    if function is None or not names or depth >= _MAX_DEPTH:
        return
    if [b.how for b in context.names.bindings(names[0])] != [How.PARAMETER]:
        return
    structure, called = context.flow.structure, Function(context.view.own, function)
    for site in structure.calls_to(called):
        given = structure.argument_for(site, called, root)
        name = dotted(given) if given is not None else None
        if given is None or name is None:
            continue
        there = context.of(site.facts)
        if is_moved_when_made(there, given):
            continue
        name += model.removeprefix(root)
        here = there.module.statement(site.node)
        block = there.module.block(here)
        at = block.index(here)
        if optimizers.is_moved_before(there, here, name):
            continue
        for later in _moves_behind(start, there, block[at + 1 :], name, depth + 1):
            yield _of_another(there, later, later.is_first)
        yield from _moves_around(start, there, here, name, depth + 1)


def _of_another(context: Context, later: LaterMove, is_first: bool) -> LaterMove:
    """A move that was found in another function, as the optimizer's sees it."""
    asked = later.is_asked or (later.at is not None and is_asked(context, later.at))
    return replace(later, is_first=is_first, at=None, is_asked=asked)


def _is_asked_for(context: Context, statement: ast.stmt, model: str) -> bool:
    """Whether the move of a model in a statement is under a condition: ``if cuda: model.to(device)``."""
    moving = (part for part in parts_of(statement) if moves(context, part, model))
    return any(is_asked(context, part) for part in moving)


def _is_untouched(statements: list[ast.stmt], last: ast.stmt, model: str) -> bool:
    """Whether nothing before a statement mentions the model."""
    before = statements[: statements.index(last)]
    return not any(_mentions(statement, model) for statement in before)


def _mentions(node: ast.AST, model: str) -> bool:
    return any(dotted(n) == model for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute))


def _moves_by(
    start: Context, context: Context, call: ast.Call, model: str, depth: int, idle: bool
) -> Iterator[LaterMove]:
    """The move by a function that a call hands the model to, or by the object that it makes."""
    structure = context.flow.structure
    passed = [a for a in [*call.args, *(k.value for k in call.keywords)] if dotted(a) == model]
    function = structure.run_by(context.view.own, call) if passed else None
    if function is None or is_moved_when_made(context, passed[0]):
        return
    keyword = next((k.arg for k in call.keywords if k.value is passed[0]), None)
    parameter = keyword or structure.parameter_of(call, function, passed[0])
    if parameter is None and passed[0] in call.args and function.node.args.vararg is not None:
        parameter = function.node.args.vararg.arg  # one of several
    if parameter is None:
        return
    there = context.of(function.facts)
    names = kept_as(there, function.node, parameter)
    runs = False
    for statement in function.node.body:
        moved = next((name for name in names if moves(there, statement, name) or _gives(there, statement, name)), None)
        if moved is not None and _goes_to_cpu(
            there, statement, moved, context, CallSite(context.view.own, call), function
        ):
            return
        if moved is not None:
            yield LaterMove(
                function.node.name if function.node.name != "__init__" else _owner(function),
                line_of(start, there.view.own, statement),
                _is_sure(there, statement, moved),
                idle and not runs,
                is_asked=_is_asked_for(there, statement, moved),
            )
            return
        is_kept = any(holding(there, statement, name) for name in names)
        runs = runs or (not is_kept and _runs(there, statement, names))
    for name in names if depth < _MAX_DEPTH else ():
        for later in _moves_behind(start, there, function.node.body, name, depth + 1):
            yield _of_another(there, later, later.is_first and idle)
    made = structure.class_named(context.view.own, call.func)
    yield from _moves_by_methods(start, there, function, made, names, idle and not runs)


def _moves_by_methods(
    start: Context, context: Context, function: Function, made: Class | None, names: list[str], idle: bool
) -> Iterator[LaterMove]:
    """The moves of a model that a method keeps, ``self.model = model``, by the other methods of its object."""
    structure = context.flow.structure
    own = function.facts.module.parents[function.node]
    me = first_parameter(function.node)
    kept = [name.partition(".")[2] for name in names if me is not None and name.startswith(f"{me}.")]
    if not isinstance(own, ast.ClassDef) or not kept:
        return
    for other in structure.bases(made or Class(function.facts, own)):
        there = context.of(other.facts)
        methods = [m for m in other.node.body if isinstance(m, FunctionNode) and m is not function.node]
        for method in methods:
            paths = [f"{first_parameter(method)}.{name}" for name in kept]
            moving = _first_move(there, method, paths)
            if moving is not None and structure.calls_to(Function(other.facts, method)):
                place = line_of(start, other.facts, moving)
                asked = is_asked(there, moving)
                yield LaterMove(f"{other.node.name}.{method.name}", place, False, idle, is_asked=asked)


def _first_move(context: Context, method: FunctionNode, paths: list[str]) -> ast.stmt | None:
    for node in walk_block(method.body):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.If):
            if any(moves(context, node, path) for path in paths):
                return node
    return None


def _goes_to_cpu(
    there: Context, statement: ast.stmt, model: str, context: Context, site: CallSite, function: Function
) -> bool:
    """Whether a call has a function move the model to the CPU: ``export(model, "cpu")``."""
    move = move_of(there, statement, model)
    where = destination(move) if move is not None else None
    given = context.flow.structure.argument_for(site, function, where.id) if isinstance(where, ast.Name) else None
    return given is not None and cuda.is_cpu(context, given)


def _gives(context: Context, statement: ast.stmt, model: str) -> bool:
    """``return model.to(device), optimizer``."""
    if not isinstance(statement, ast.Return) or statement.value is None:
        return False
    parts = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
    found = [move.func for part in parts if (move := last_move(context, part)) is not None]
    return any(isinstance(func, ast.Attribute) and path_of(func.value) == model for func in found)


def _runs(context: Context, statement: ast.stmt, names: list[str], depth: int = 0) -> bool:
    """Whether a statement calls the model, hands it on, or calls a method of the same object that does."""
    for node in ast.walk(statement):
        if not isinstance(node, ast.Call):
            continue
        given = [node.func, *node.args, *(k.value for k in node.keywords)]
        if any(dotted(part) in names for part in given):
            return True
        method = context.names.function_called(node) if depth < _MAX_DEPTH else None
        if method is not None and any(_runs(context, inner, names, depth + 1) for inner in method.body):
            return True
    return False


def _owner(function: Function) -> str:
    owner = function.facts.module.class_of(function.node)
    return owner.name if owner is not None else function.node.name


def _is_sure(context: Context, statement: ast.stmt, model: str) -> bool:
    move = move_of(context, statement, model)
    return move is not None and goes_to_accelerator(context, move)


def _given_back(context: Context, statement: ast.Return, model: str) -> Iterator[tuple[Context, list[ast.stmt], str]]:
    """Where the function's callers keep the model: the context, what comes behind, and the name."""
    function = context.module.function(statement)
    assert statement.value is not None
    parts = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
    position = next((i for i, part in enumerate(parts) if dotted(part) == model), None)
    if function is None or position is None:
        return
    structure = context.flow.structure
    for site in structure.calls_to(Function(context.view.own, function)):
        there = context.of(site.facts)
        assign = there.module.parents[site.node]
        if not isinstance(assign, ast.Assign) or len(assign.targets) != 1:
            continue
        target = assign.targets[0]
        if isinstance(statement.value, ast.Tuple):
            if not isinstance(target, ast.Tuple | ast.List) or len(target.elts) != len(parts):
                continue
            target = target.elts[position]
        name = dotted(target)
        if name is not None:
            block = there.module.block(assign)
            yield there, block[block.index(assign) + 1 :], name
