"""Statements that move a model to a device."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.names import Binding, How
from xlaport.facts.roles import Role, dotted

from ..device import cuda, device_index
from .loop_moves import gone_through

_METHODS = ("to", "cuda")
_MAX_DEPTH = 6
_TAKING = ("pop", "get")
_WRAPPERS = torch_api.MODULE_WRAPPERS - torch_api.MODULE_COPIES


def is_move(context: Context, node: ast.AST) -> bool:
    """``x.to(device)`` or ``x.cuda()``."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _METHODS
        and (node.func.attr == "cuda" or _takes_device(context, node))
    )


def _takes_device(context: Context, call: ast.Call) -> bool:
    """A move to a device, not a change of dtype, and not to the CPU."""
    argument = destination(call)
    if argument is None or (context.resolve(argument) or "").startswith("torch."):
        return False
    return not cuda.is_cpu(context, argument)


def destination(call: ast.Call) -> ast.expr | None:
    """What ``x.to(…)`` moves to."""
    return next(iter([*call.args[:1], *(k.value for k in call.keywords if k.arg == "device")]), None)


def moves(context: Context, statement: ast.stmt, model: str) -> bool:
    """``model.to(…)``, ``model = model.to(…)``, or an ``if`` that holds one."""
    if isinstance(statement, ast.If):
        return any(moves(context, s, model) for s in [*statement.body, *statement.orelse])
    return move_of(context, statement, model) is not None or _is_moved_in_loop(context, statement, model)


def brings(context: Context, statement: ast.stmt, model: str) -> bool:
    """Whether a model is on a device behind a statement, which moves it, or makes it so: ``model = Net().cuda()``."""
    return moves(context, statement, model) or _made(context, statement, model) is not None


def _is_moved_in_loop(context: Context, statement: ast.stmt, model: str) -> bool:
    """``for net in (G, D): net.to(device)``, ``nets = [net.to(device) for net in nets]``."""
    if isinstance(statement, ast.For):
        return any(
            model in gone_through(context, statement.target, statement.iter, name)
            for name in _names_in(statement.target)
            if any(move_of(context, inner, name) is not None for inner in statement.body)
        )
    value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    if not isinstance(value, ast.ListComp) or len(value.generators) != 1:
        return False
    generator = value.generators[0]
    return any(
        model in gone_through(context, generator.target, generator.iter, name)
        for name in _names_in(generator.target)
        if _move(context, value.elt, name) is not None
    )


def _names_in(target: ast.expr) -> list[str]:
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]


def move_of(context: Context, statement: ast.stmt, model: str) -> ast.Call | None:
    """The call in a simple statement that moves a model."""
    if not isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign) or statement.value is None:
        return None
    values = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
    return next((move for value in values if (move := _move(context, value, model)) is not None), None)


def _move(context: Context, node: ast.expr, model: str) -> ast.Call | None:
    call = last_move(context, node)
    if call is None:
        return None
    assert isinstance(call.func, ast.Attribute)
    base: ast.expr = call.func.value
    if isinstance(base, ast.Call) and base.args and context.roles.is_(base, Role.MODEL):
        base = base.args[0]  # DataParallel(model).cuda()
    path = path_of(base)
    return call if path is not None and (model == path or model.startswith(f"{path}.")) else None


def last_move(context: Context, node: ast.expr) -> ast.Call | None:
    """The move in a chain of methods, or in a wrapper: ``model.train().to(device).half()``, ``DDP(model.cuda())``."""
    while isinstance(node, ast.Call):
        if is_move(context, node):
            return node
        if context.resolve(node.func) in _WRAPPERS and node.args:
            node = node.args[0]
        elif isinstance(node.func, ast.Attribute):
            node = node.func.value
        else:
            return None
    return None


def is_on_accelerator(context: Context, statement: ast.stmt, model: str) -> bool:
    """Whether a model is on the accelerator wherever a statement runs: what gives it or moves it before that, does so.

    Only what stands in the statement's own function is asked, and no move that is under a condition.
    """
    move = _move_before(context, statement, model)
    return move is not None and goes_to_accelerator(context, move)


def _move_before(context: Context, statement: ast.stmt, model: str) -> ast.Call | None:
    """The move that has brought a model to where it is when a statement runs, in the same function and always."""
    here = statement
    while True:
        block = context.module.block(here)
        for before in reversed(block[: block.index(here)]):
            if (move := _made(context, before, model) or move_of(context, before, model)) is not None:
                return move
            if _changes(before, model):
                return None
        parent = context.module.parents[here]
        if not isinstance(parent, ast.If | ast.With | ast.Try | ast.For | ast.While):
            return None
        if isinstance(parent, ast.For | ast.While) and _changes(parent, model):
            return None
        here = parent


def _made(context: Context, statement: ast.stmt, model: str) -> ast.Call | None:
    """The move of what a statement gives a name: ``model = Net().to(device)``."""
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        assert isinstance(statement, ast.Assign)
        given = zip([target], [statement.value], strict=True)
        if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
            given = zip(target.elts, statement.value.elts, strict=False)
        for name, value in given:
            if dotted(name) == model:
                return last_move(context, value)
    return None


def _changes(node: ast.AST, model: str) -> bool:
    """Whether code gives a name, or a part of it, something else, or moves it to where nothing is known of."""
    return any(
        (isinstance(n, ast.Name | ast.Attribute) and not isinstance(n.ctx, ast.Load) and _is_of(dotted(n), model))
        or (isinstance(n, ast.Attribute) and n.attr in (*_METHODS, "cpu") and _is_of(dotted(n.value), model))
        for n in ast.walk(node)
    )


def _is_of(path: str | None, model: str) -> bool:
    return path is not None and (model == path or model.startswith(f"{path}."))


def rebinds(statement: ast.stmt, model: str) -> bool:
    """``model = Net()``: from here on the name stands for another model."""
    if not isinstance(statement, ast.Assign):
        return False
    takes = any(dotted(n) == model for n in ast.walk(statement.value))
    return not takes and any(dotted(t) == model for t in statement.targets)


def goes_to_accelerator(context: Context, move: ast.Call) -> bool:
    """Whether a move goes to the accelerator wherever the machine has one, whatever the user asks for."""
    where = destination(move)
    if where is None or _is_accelerator(context, where, 0):
        return True
    index = device_index.taken(context, move)
    return index is not None and index.known  # (`model.to(self.local_rank)`)


def _is_accelerator(context: Context, node: ast.expr, depth: int) -> bool:
    if depth > _MAX_DEPTH:
        return False
    if isinstance(node, ast.Constant):
        return cuda.is_cuda_string(node) or type(node.value) is int or node.value == context.target.device_type
    if isinstance(node, ast.Call):
        if context.resolve(node.func) in context.target.devices or cuda.is_cuda_device(context, node):
            return True
        return (
            context.resolve(node.func) == "torch.device"
            and len(node.args) == 1
            and _is_accelerator(context, node.args[0], depth + 1)
        )
    choice = cuda.choice(node)
    if choice is not None:
        return cuda.is_available_call(context, choice.test) and _is_accelerator(context, choice.accelerator, depth + 1)
    values: list[ast.expr | None] = []
    if isinstance(node, ast.Name):
        values = [value for binding in context.names.bindings(node) for value in _given(context, binding)]
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = context.names.self_class(node.value)
        values = context.roles.classes.attribute_values(owner, node.attr) if owner is not None else []
    return bool(values) and all(value is not None and _is_accelerator(context, value, depth + 1) for value in values)


def _given(context: Context, binding: Binding) -> list[ast.expr | None]:
    """What a binding gives a name; for a parameter, what the calls in the file pass."""
    if binding.how is How.ASSIGN:
        return [binding.value]
    function = context.module.function(binding.node)
    if binding.how is not How.PARAMETER or function is None:
        return [None]
    return [context.roles.argument_for(call, function, binding.name) for call in context.roles.calls_to(function)]


def path_of(node: ast.expr) -> str | None:
    """``a.b``, ``a['b']`` of ``a["b"]``, ``a.pop("b")`` and ``a.get("b")``; None for all else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _TAKING and node.args:
        container, key = node.func.value, node.args[0]
    elif isinstance(node, ast.Subscript):
        container, key = node.value, node.slice
    else:
        return dotted(node)
    name = dotted(container)
    return f"{name}[{key.value!r}]" if name is not None and isinstance(key, ast.Constant) else None
