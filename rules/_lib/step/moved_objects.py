"""What moves in a call, with the name that it has before and behind."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.roles import dotted

PARALLEL = frozenset(
    {"torch.nn.DataParallel", "torch.nn.parallel.DataParallel", "torch.nn.parallel.DistributedDataParallel"}
)


@dataclass(frozen=True)
class Moved:
    """One move of a module."""

    call: ast.Call
    statement: ast.stmt
    before: str | None
    """How it is called before the statement; None where it has no name yet."""
    root: str | None
    """How it is called behind the statement; None where it has no name there."""
    inside: str
    """The way from what moves to what it wraps: ``.module``."""

    @property
    def receiver(self) -> ast.expr:
        """The expression that the move is a method of."""
        assert isinstance(self.call.func, ast.Attribute)
        return self.call.func.value


def moved_by(context: Context, call: ast.Call) -> Moved:
    """What a call of ``.to(device)`` or ``.cuda()`` moves."""
    assert isinstance(call.func, ast.Attribute)
    base = stripped(call.func.value)
    before = dotted(base)
    return Moved(call, context.module.statement(call), before, _root(context, call, before), _inside(context, base))


def stripped(node: ast.expr) -> ast.expr:
    """The module that a chain of methods hands back: ``Net()`` of ``Net().train().to(device)``."""
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in torch_api.MODULE_KEEPING_METHODS
    ):
        node = node.func.value
    return node


def _inside(context: Context, base: ast.expr) -> str:
    value = context.names.assigned(base) if isinstance(base, ast.Name) else base
    wrapper = stripped(value) if value is not None else base
    is_one = isinstance(wrapper, ast.Call) and context.resolve(wrapper.func) in PARALLEL and bool(wrapper.args)
    return f".module{_inside(context, wrapper.args[0])}" if is_one and isinstance(wrapper, ast.Call) else ""


def _root(context: Context, call: ast.Call, before: str | None) -> str | None:
    top: ast.expr = call
    wrapped = ""
    while True:
        parent = context.module.parents[top]
        outer = context.module.parents.get(parent)
        if (
            isinstance(parent, ast.Attribute)
            and isinstance(outer, ast.Call)
            and parent.attr in torch_api.MODULE_KEEPING_METHODS
        ):
            top = outer
        elif isinstance(parent, ast.Call) and parent.args[:1] == [top] and context.resolve(parent.func) in PARALLEL:
            wrapped += ".module"
            top = parent
        else:
            break
    target: ast.expr | None = None
    if isinstance(parent, ast.Expr):
        return before
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target = parent.targets[0]
    elif isinstance(parent, ast.AnnAssign):
        target = parent.target
    elif isinstance(parent, ast.Tuple) and isinstance(outer, ast.Assign) and len(outer.targets) == 1:
        targets = outer.targets[0]
        if isinstance(targets, ast.Tuple) and len(targets.elts) == len(parent.elts):
            target = targets.elts[parent.elts.index(top)]
    name = dotted(target) if target is not None else None
    return name + wrapped if name is not None else None
