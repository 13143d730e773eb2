"""What is loaded and used as it is: a whole model, an optimizer, an object that takes back its attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.names import How
from xlaport.facts.roles import Role, dotted
from xlaport.wording import Text

from ..step.moves import is_move
from . import kept_state
from . import loaded_beside as beside
from .left_behind import Left, left_behind
from .plain_values import at
from .saying import say

_GIVING = frozenset("get pop eval train float half bfloat16 double requires_grad_".split())
"""Methods that give an item of what they are called on, or the same again."""
_MOVING = frozenset({"to", "cuda", "cpu"})
_SHOWING = torch_api.MODULE_USES | {"zero_grad", "forward"}
"""Methods of a module or an optimizer, which no dict of weights has."""
_PAIRS = frozenset({"items", "values"})
_OF_TENSORS = frozenset({"detach", "requires_grad_", "clone"})


@dataclass(frozen=True)
class Whole:
    """What a load gives, used as it was loaded and moved by nobody."""

    use: ast.expr
    """Where it shows."""
    value: ast.expr | None
    """The expression that can move it: what its one name is given; None where it has none, or several."""
    model: ast.expr | None
    """That name."""
    holds: str = "models"
    """What is in it that has to move."""
    is_beside: bool = False
    """Whether it is seen to be used with what lies on the device."""
    left: Left | None = None
    """A tensor in it that would stay where it is, whatever moves the rest."""


def whole(context: Context, call: ast.Call) -> Whole | None:
    """What a call loads that is used as it is; None where it is moved, or copied from, or not seen to be used."""
    held = list(_held(context, call))
    moved = [one.node for one in held if one.may_move and _is_moved(context, one.node)]
    shown = moved or [one.node for one in held if _shows(context, one.node)]
    left = left_behind(context, call, [one.node for one in held]) if shown else None
    if left is not None:
        return Whole(shown[0], None, None, left=left)
    if moved:
        return None
    for one in held:
        if kept_state.keeps(context, one.node) or _is_kept(context, one.node):
            return Whole(one.node, None, None, "tensors")
        if _shows(context, one.node):
            target = one.target or _named_by(context, one.node)
            value = _value(context, target) if one.is_alone else None
            return Whole(one.node, value, target if value is not None else None)
    return _beside(context, call, held)


def _beside(context: Context, call: ast.Call, held: list[_Held]) -> Whole | None:
    """What a call loads that is used with what lies on the device; with no value where it may be no one tensor."""
    found: list[Whole] = []
    for one in held:
        is_tensor = isinstance(one.node, ast.Name | ast.Attribute) and beside.takes_tensors_place(context, one.node)
        is_tensor = is_tensor or beside.takes_tensor_of_device(context, one.node)
        if not is_tensor and not beside.is_asked_with_tensor_of_device(context, one.node):
            continue
        value = _value(context, one.target) if one.is_alone else None
        can_move = is_tensor or (value is call and beside.is_saved_module(context, call))
        holds = "tensors" if is_tensor else "models"
        found.append(Whole(one.node, value if can_move else None, one.target, holds, True))
    if not found:
        return None
    is_one = len({(id(one.value), id(one.model)) for one in found}) == 1
    return found[0] if is_one else replace(found[0], value=None, model=None)


def is_copied(context: Context, call: ast.Call) -> bool:
    """Whether what a call loads, or an item of it, is given to ``load_state_dict()``."""
    for one in _held(context, call):
        taker = context.module.parents[one.node]
        if isinstance(taker, ast.Call) and one.node in taker.args and isinstance(taker.func, ast.Attribute):
            if taker.func.attr == "load_state_dict":
                return True
    return False


def object_of(context: Context, call: ast.Call) -> ast.expr | None:
    """Where what a call loads to the CPU, or an item of it, is used as a module is: it is called, or set to eval()."""
    for one in _held(context, call, _GIVING | _MOVING):
        method = context.module.parents[one.node]
        called = context.module.parents[method]
        if isinstance(method, ast.Call) and method.func is one.node and method is not call:
            return one.node
        is_called = isinstance(called, ast.Call) and called.func is method
        if isinstance(method, ast.Attribute) and is_called and method.attr in _SHOWING:
            return one.node
    return None


def advice(context: Context, call: ast.Call, found: Whole) -> Text:
    """What to do with what a call loads that has to move afterwards."""
    line = context.line(found.use)
    name = dotted(found.model) if found.model is not None else None
    moved = f"{name or ''}.to(device)"
    if found.holds != "models":
        return say("XP704.tensors", line=line, moved=moved)
    if _is_optimizer(context, found.use):
        return say("XP704.optimizer", line=line)
    options = 'map_location="cpu"'
    if all(keyword.arg not in ("weights_only", None) for keyword in call.keywords):
        options += ", weights_only=False"
    key = "XP704.model" if context.roles.is_(found.use, Role.MODEL) else "XP704.object"
    return say(key, line=line, moved=moved, options=options)


def _is_optimizer(context: Context, node: ast.expr) -> bool:
    parent = context.module.parents[node]
    return context.roles.is_(node, Role.OPTIMIZER) or (isinstance(parent, ast.Attribute) and parent.attr == "zero_grad")


@dataclass(frozen=True)
class _Held:
    """A place that has what a load gives, or an item of it."""

    node: ast.expr
    target: ast.expr | None = None
    """The name that it has it by."""
    is_alone: bool = True
    """Whether the name stands for one value that the load gives, here and nowhere else."""
    may_move: bool = True
    """Whether a move here is one of what was loaded."""


def _held(context: Context, call: ast.Call, giving: frozenset[str] = _GIVING) -> Iterator[_Held]:
    pending, seen = [_Held(call)], set[ast.expr]()
    for one in pending:  # it grows
        if one.node in seen:
            continue
        seen.add(one.node)
        yield one
        parent = context.module.parents[one.node]
        outer = context.module.parents[parent]
        if isinstance(parent, ast.Subscript) and parent.value is one.node and isinstance(parent.ctx, ast.Load):
            pending.append(replace(one, node=parent, target=None))
        elif isinstance(parent, ast.Attribute) and isinstance(outer, ast.Call) and outer.func is parent:
            if parent.attr in giving:
                pending.append(replace(one, node=outer))
            elif parent.attr in _PAIRS:
                loop = context.module.parents[outer]
                if isinstance(loop, ast.For | ast.comprehension) and loop.iter is outer:
                    pending += [_Held(use, None, False) for use in _of_pairs(context, loop.target)]
        elif isinstance(parent, ast.Assign) and parent.value is one.node:
            for name in parent.targets:
                pending += _named(context, name, one.is_alone)
        elif isinstance(parent, ast.Tuple) and isinstance(outer, ast.Assign) and outer.value is parent:
            place = parent.elts.index(one.node)
            parts = [at(target, place) for target in outer.targets]
            pending += [held for name in parts if name is not None for held in _named(context, name, False)]


def _of_pairs(context: Context, target: ast.expr) -> list[ast.Name]:
    """Where the values are read of ``for name, value in x.items()``."""
    return context.names.uses_of(target.elts[-1] if isinstance(target, ast.Tuple) else target)


def _named(context: Context, target: ast.expr, is_alone: bool) -> list[_Held]:
    """Where the names of an assignment's target are read."""
    if isinstance(target, ast.Tuple | ast.List):
        found = [one for element in target.elts for one in _named(context, element, False)]
        return [replace(one, target=None) for one in found]
    if isinstance(target, ast.Attribute):
        path, owner, function = dotted(target), context.module.class_of(target), context.module.function(target)
        reads = (n for n in context.view.own.loads.get(target.attr, []) if path is not None and dotted(n) == path)
        return [
            _Held(n, target, is_alone, context.module.function(n) is function and n.lineno > target.lineno)
            for n in reads
            if context.module.class_of(n) is owner
        ]
    is_local = isinstance(target, ast.Name) and context.names.home(target) is context.names.scope(target)
    return [_Held(use, target, is_alone and is_local, is_local) for use in context.names.uses_of(target)]


def _is_moved(context: Context, node: ast.expr) -> bool:
    method = context.module.parents[node]
    return isinstance(method, ast.Attribute) and is_move(context, context.module.parents[method])


def _shows(context: Context, node: ast.expr) -> bool:
    """Whether a use takes the value for a model or an optimizer, or puts it back into an object."""
    parent = context.module.parents[node]
    if isinstance(node, ast.Name) and not _gives_values(parent) and _takes_a_place(context, node):
        return True
    if isinstance(parent, ast.Attribute):
        called = context.module.parents[parent]
        return parent.attr in _SHOWING and isinstance(called, ast.Call) and called.func is parent
    if isinstance(parent, ast.Call):
        if parent.func is node or context.resolve(parent.func) == "builtins.setattr":
            return True
        return node in parent.args and isinstance(parent.func, ast.Attribute) and _is_dict_of(parent.func.value)
    if isinstance(parent, ast.Assign):
        return any(isinstance(t, ast.Subscript) and _is_dict_of(t.value) for t in parent.targets)
    return context.roles.is_(node, Role.MODEL, Role.OPTIMIZER) and isinstance(node, ast.Name | ast.Attribute)


def _is_kept(context: Context, node: ast.expr) -> bool:
    """``params[name] = value.detach().requires_grad_(False)``: a tensor that goes in among others."""
    kept = node
    while isinstance(method := context.module.parents[kept], ast.Attribute) and method.attr in _OF_TENSORS:
        called = context.module.parents[method]
        if not isinstance(called, ast.Call) or called.func is not method:
            return False
        kept = called
    parent = context.module.parents[kept]
    if kept is node or not isinstance(parent, ast.Assign | ast.DictComp) or parent.value is not kept:
        return False
    return isinstance(parent, ast.DictComp) or any(isinstance(t, ast.Subscript | ast.Attribute) for t in parent.targets)


def _gives_values(node: ast.AST) -> bool:
    """``net.load_state_dict(…)``, which copies out of what it is given."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "load_state_dict"


def _takes_a_place(context: Context, name: ast.Name) -> bool:
    """Whether a name that has what was loaded may as well have a model or an optimizer that the program has built."""
    values = (b.value for b in context.names.reaching(name) if b.how is How.ASSIGN and b.value is not None)
    return any(context.roles.is_(value, Role.MODEL, Role.OPTIMIZER) for value in values)


def _is_dict_of(node: ast.expr) -> bool:
    """``self.__dict__``"""
    return isinstance(node, ast.Attribute) and node.attr == "__dict__"


def _named_by(context: Context, node: ast.expr) -> ast.expr | None:
    """The one name of a statement that gives what a chain of methods ends in."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.Assign):
            return parent.targets[0]
        if not isinstance(parent, ast.Attribute | ast.Call | ast.Subscript):
            return None
    return None


def _value(context: Context, target: ast.expr | None) -> ast.expr | None:
    """What a name is given, which a method can be called on."""
    assign = context.module.parents[target] if isinstance(target, ast.Name | ast.Attribute) else None
    if not isinstance(assign, ast.Assign) or len(assign.targets) != 1:
        return None
    is_part = isinstance(assign.value, ast.Call | ast.Subscript | ast.Name | ast.Attribute)
    return assign.value if is_part and context.editable(assign.value) else None
