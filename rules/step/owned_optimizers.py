"""An optimizer that an object builds of its own parameters, which another method or the outside moves later."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.roles import dotted
from xlaport.facts.structure import Class, Function

from ..device import cuda
from .aliases import first_parameter
from .asked_moves import guards
from .holders import OutsideMove, outside_moves
from .instances import stripped
from .moves import destination, goes_to_accelerator, is_move, move_of

_MAX_DEPTH = 8


@dataclass(frozen=True)
class OwnedMove:
    """A move of parameters that come from an object, behind what the object did with them when it was made."""

    facts: Facts
    call: ast.Call
    parts: list[str]
    """What is to move before: ``self``, or ``self.net``."""
    is_every: bool
    """Whether each object is moved."""
    to_accelerator: bool
    """Whether they go to the accelerator, whatever the user asks for."""


def later_move(context: Context, statement: ast.stmt, models: list[str]) -> OwnedMove | None:
    """The move of an object, or of its part, after a statement in a method that runs when the object is made."""
    function, owner = context.module.function(statement), context.module.class_of(statement)
    if owner is None or function is None or context.module.parents[function] is not owner or not function.args.args:
        return None
    parts = _own_parts(context, statement, owner, function, models)
    if not parts:
        return None
    me, own = function.args.args[0].arg, context.view.own
    in_init = _later_in_init(context, owner, function, parts)
    if in_init is not None:
        return OwnedMove(own, in_init, parts, True, goes_to_accelerator(context, in_init))
    for call in context.module.calls:
        other = context.module.function(call)
        if not is_move(context, call) or other is None or context.module.class_of(call) is not owner:
            continue
        assert isinstance(call.func, ast.Attribute)
        base = stripped(call.func.value)
        if other is function or dotted(base) not in parts or is_run_when_made(context, owner, other):
            continue
        called = bool(context.flow.structure.calls_to(Function(own, other)))
        return OwnedMove(own, call, parts, called, goes_to_accelerator(context, call))
    return _from_outside(context, Class(own, owner), me, parts) if is_module(context, owner) else None


def made_out_of_sight(context: Context, statement: ast.stmt, models: list[str]) -> bool:
    """Whether a module takes its parameters when it is made, and no file is seen to make one: who moves it when?"""
    function, owner = context.module.function(statement), context.module.class_of(statement)
    if owner is None or function is None or context.module.parents[function] is not owner or not function.args.args:
        return False
    parts = _own_parts(context, statement, owner, function, models) if is_module(context, owner) else []
    init = context.names.method(owner, "__init__")
    if not parts or init is None or any(_says_device(context, method, parts) for method in (init, function)):
        return False
    return not _is_seen_made(context, Function(context.view.own, init))


def _is_seen_made(context: Context, init: Function, depth: int = 0) -> bool:
    """Whether a file makes an object by this ``__init__``, or by that of a class which calls it for its own objects."""
    for site in context.flow.structure.calls_to(init):
        there, called = context.of(site.facts), site.node.func
        caller = there.module.function(site.node)
        by_class = isinstance(called, ast.Attribute) and called.attr == "__init__" and caller is not None
        if not by_class or caller is None or caller.name != "__init__" or depth > _MAX_DEPTH:
            return True
        if _is_seen_made(context, Function(site.facts, caller), depth + 1):
            return True
    return False


def _says_device(context: Context, function: FunctionNode, parts: list[str]) -> bool:
    """Whether a function is handed a device, or names one: the parameters may be made there.

    A part beside these, ``self.other = Net().cuda()``, says nothing of them.
    """
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return any("dev" in argument.arg for argument in arguments) or any(
        (isinstance(node, ast.keyword) and node.arg == "device")
        or (isinstance(node, ast.Attribute) and node.attr == "device")
        or (isinstance(node, ast.Attribute) and node.attr == "cuda" and not _is_beside(context, node, parts))
        for node in ast.walk(function)
    )


def _is_beside(context: Context, node: ast.Attribute, parts: list[str]) -> bool:
    """Whether a ``.cuda()`` is one of what becomes another part of the object."""
    statement = context.module.statement(node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    paths = [dotted(target) for target in targets if isinstance(target, ast.Attribute)]
    me = parts[0].partition(".")[0]
    is_part = bool(paths) and len(paths) == len(targets) and me not in parts
    return is_part and all(path is not None and path not in parts for path in paths)


def _own_parts(
    context: Context, statement: ast.stmt, owner: ast.ClassDef, function: FunctionNode, models: list[str]
) -> list[str]:
    """The models that are the object itself or parts of it, in a method that runs when it is made and moves none."""
    me = function.args.args[0].arg
    parts = [model for model in models if model == me or model.startswith(f"{me}.")]
    if not parts or _moves_itself(context, function, me, parts):
        return []
    return parts if is_run_when_made(context, owner, function) else []


def device_of(context: Context, move: OwnedMove, before: ast.stmt) -> str | None:
    """What the move calls its device, where that means the same above a statement: a global, or ``self.device``."""
    where = destination(move.call) if move.facts is context.view.own else None
    if isinstance(where, ast.Name):
        home = context.names.home(where)
        same = home is not None and context.names.visible(where.id, before) == tuple(home.bindings.get(where.id, ()))
        return where.id if same and home is context.names.root else None
    path = dotted(where) if isinstance(where, ast.Attribute) else None
    block = context.module.block(before)
    above = block[: block.index(before)]
    if path is None or context.module.class_of(move.call) is not context.module.class_of(before):
        return None
    is_set = any(isinstance(s, ast.Assign) and [dotted(t) for t in s.targets] == [path] for s in above)
    return path if is_set else None


def _later_in_init(context: Context, owner: ast.ClassDef, function: ast.AST, parts: list[str]) -> ast.Call | None:
    """The move in ``__init__`` behind its call of another method: ``self.build(); self.net.to(device)``."""
    init = context.names.method(owner, "__init__")
    called = False
    for statement in init.body if init is not None and init is not function else ():
        moves = [call for part in parts if (call := move_of(context, statement, part)) is not None]
        if called:
            moves += _moves_of_methods(context, statement, init, parts)
        if moves:
            return moves[0] if called else None
        called = called or any(
            isinstance(n, ast.Call) and context.names.function_called(n) is function for n in ast.walk(statement)
        )
    return None


def _moves_of_methods(
    context: Context, statement: ast.stmt, init: FunctionNode | None, parts: list[str]
) -> list[ast.Call]:
    """The moves of the parts by a method that ``__init__`` calls: ``self.to_device()``."""
    me = first_parameter(init) if init is not None else None
    found: list[ast.Call] = []
    for node in ast.walk(statement):
        method = context.names.function_called(node) if isinstance(node, ast.Call) else None
        if method is None or first_parameter(method) != me:
            continue
        moves = (move_of(context, inner, part) for inner in method.body for part in parts)
        found += [move for move in moves if move is not None]
    return found


def _from_outside(context: Context, owner: Class, me: str, parts: list[str]) -> OwnedMove | None:
    found = [move for move in outside_moves(context, owner) if not _is_self(context.of(move.facts), move.moved.base)]
    if not found:
        return None
    first = found[0]
    made = context.flow.structure.made(owner)
    moved = {move.instance.made.node for move in found if move.instance.made is not None}
    return OwnedMove(
        first.facts,
        first.moved.call,
        [me] if me in parts else parts,
        (len(made) == 1 or all(site.node in moved for site in made))
        and not any(_is_asked_for(context, m) for m in found),
        all(goes_to_accelerator(context.of(move.facts), move.moved.call) for move in found),
    )


def _is_asked_for(context: Context, move: OutsideMove) -> bool:
    """Whether a move stands under a condition that the object was not made under: ``if args.cuda: net.cuda()``."""
    there = context.of(move.facts)
    made = move.instance.made.node if move.instance.made is not None else None
    for guard, _ in guards(there, move.moved.statement):
        is_made_there = made is not None and made in ast.walk(guard)
        if not is_made_there and not cuda.is_available_call(there, guard.test):
            return True
    return False


def _is_self(context: Context, base: ast.expr) -> bool:
    """``self.to(…)``: the move may well stand before the statement."""
    return isinstance(base, ast.Name) and context.names.self_class(base) is not None


def is_run_when_made(context: Context, owner: ast.ClassDef, function: ast.AST) -> bool:
    """Whether a method is ``__init__``, or called by it."""
    init = context.names.method(owner, "__init__")
    return function is init or (
        init is not None
        and any(isinstance(n, ast.Call) and context.names.function_called(n) is function for n in ast.walk(init))
    )


def _moves_itself(context: Context, function: ast.AST, me: str, parts: list[str]) -> bool:
    """Whether the method puts the parts on the device before it takes their parameters."""
    return any(
        is_move(context, node)
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (_is_part(node.func.value, me, parts) or _stored_as(context, node) in parts)
        for node in ast.walk(function)
    )


def _is_part(node: ast.expr, me: str, parts: list[str]) -> bool:
    path = dotted(stripped(node))
    return path is not None and (path == me or path in parts)


def _stored_as(context: Context, call: ast.expr) -> str | None:
    parent = context.module.parents[call]
    return dotted(parent.targets[0]) if isinstance(parent, ast.Assign) else None


def is_module(context: Context, owner: ast.ClassDef) -> bool:
    """A class derived from ``nn.Module``, or from a layer: ``class Layer(nn.Linear)``."""
    return context.roles.is_module_class(owner) or any(
        (context.resolve(base) or "").startswith("torch.nn.") for c in context.names.bases(owner) for base in c.bases
    )
