"""How the body of a loop brings its batch to the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.rule import Edit, RemoveStatement, Replace

from ..._lib.step.batch_device import destination

_COPYING = frozenset({"builtins.tuple", "builtins.list"})
_BRANCHING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match)
"""Statements whose parts do not run each time."""
_APART = (
    ast.IfExp, ast.BoolOp, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
"""What has names of its own, or runs at another time, or not each time."""
_SIZES = ("shape", "size", "ndim", "dtype")


@dataclass
class Moves:
    """What moves a batch, all of it to one device."""

    devices: list[ast.expr] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    """What takes the moves out."""


@dataclass(frozen=True)
class _Each:
    """``tuple(t.to(device) for t in batch)``: what moves each part."""

    source: ast.expr
    device: ast.expr
    is_lazy: bool
    as_tuple: bool


def batch_moves(context: Context, loop: ast.For) -> Moves | None:
    """How a batch comes to the device; None unless all of it that is used does, and before it is used."""
    names = _batch_names(context, loop)
    if names is None:
        return None
    body = _Body(context, loop, names)
    moves = body.moves() if not _is_used_outside(context, loop, names - body.rebound()) else None
    devices = moves.devices if moves is not None else []
    if not devices or any(ast.dump(d) != ast.dump(devices[0]) for d in devices):
        return None
    return None if _bound_inside(devices[0], loop) else moves


class _Body:
    """The statements of a loop's body, one after the other."""

    def __init__(self, context: Context, loop: ast.For, names: set[str]) -> None:
        self.context = context
        self.loop = loop
        self.on_host = names
        """The names under which a part of the batch is still on the host."""
        target = loop.target.elts[-1] if isinstance(loop.target, ast.Tuple) and loop.target.elts else loop.target
        self.whole = target.id if isinstance(target, ast.Name) and names == {target.id} else None
        """The one name of the batch, with all its parts in it."""
        self.found = Moves()

    def moves(self) -> Moves | None:
        """What moves the batch; None where a part of it is used on the host."""
        for statement in self.loop.body:
            if self._moves_all(statement) or self._moves_each(statement):
                continue
            if self._is_changed(statement) or not all(self._is_harmless(use) for use in self._uses(statement)):
                return None
            bound = self.on_host & _bound_by(statement)
            if bound and isinstance(statement, _BRANCHING):
                return None  # behind it, the name is that of the batch or of something of the host
            self.on_host = self.on_host - bound
        return self.found

    def rebound(self) -> set[str]:
        """The names that stand for what is on the device behind the loop, as they did before."""
        pairs = [pair for statement in self.loop.body for pair in _pairs(statement, self.whole) or ()]
        return {name for name, _ in pairs}

    # -- statements ------------------------------------------------------------------------------------

    def _moves_all(self, statement: ast.stmt) -> bool:
        """``x, y = x.to(device), y.to(device)``, ``batch = {k: v.to(device) for k, v in batch.items()}``."""
        pairs = _pairs(statement, self.whole)
        if pairs is None or not all(name in self.on_host for name, _ in pairs):
            return False
        self._goes(statement, {name for name, _ in pairs}, *(device for _, device in pairs))
        return True

    def _goes(self, statement: ast.stmt, names: set[str], *devices: ast.expr) -> None:
        self.on_host = self.on_host - names
        self.found.devices += devices
        self.found.edits.append(RemoveStatement(self.context.span(statement)))

    def _moves_each(self, statement: ast.stmt) -> bool:
        """``x, y = [t.to(device) for t in batch]``, ``x, y = map(lambda t: t.to(device), (x, y))``."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return False
        target, each = statement.targets[0], self._each(statement.value)
        if each is None:
            return False
        given = _names(each.source)
        is_whole = isinstance(each.source, ast.Name) and each.source.id == self.whole
        if not is_whole and (given is None or not set(given) <= self.on_host):
            return False
        alone = all(self._is_used_once(name) for name in ([self.whole] if given is None else given))
        if isinstance(target, ast.Name):
            if not is_whole or each.is_lazy:
                return False  # of the parts of a tensor, it makes a list
            if target.id == self.whole and not (each.as_tuple and self._is_used_as_such(statement, target.id)):
                self._goes(statement, {target.id}, each.device)
                return True
        elif given is not None and _names(target) == given:
            self._goes(statement, set(given), each.device)
            return True
        if not alone and not (isinstance(target, ast.Name) and target.id == self.whole):
            return False  # the one would be changed with the other
        text = self.context.module.segment(each.source)
        copied = f"{'tuple' if each.as_tuple else 'list'}({text})" if isinstance(target, ast.Name) else text
        self.found.devices.append(each.device)
        self.found.edits.append(Replace(self.context.span(statement.value), copied))
        self.on_host = self.on_host - _bound_by(statement)
        return True

    def _is_used_as_such(self, statement: ast.stmt, name: str) -> bool:
        """Whether it may matter that the batch is a tuple: the wrapper gives a list."""
        parents = self.context.module.parents
        for node in ast.walk(self.loop):
            if not isinstance(node, ast.Name) or node.id != name or not isinstance(node.ctx, ast.Load):
                continue
            parent: ast.AST = parents[node]
            if isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Slice):
                parent = parents[parent]  # again a tuple
            if self.context.module.statement(node) is statement or isinstance(parent, ast.Subscript | ast.Starred):
                continue
            if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Tuple | ast.List):
                continue
            return True
        return False

    # -- expressions -----------------------------------------------------------------------------------

    def _each(self, node: ast.expr, is_lazy: bool = True, as_tuple: bool = False) -> _Each | None:
        """What moves each part of something, if an expression does nothing else."""
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            generator = node.generators[0]
            if len(node.generators) != 1 or generator.ifs or generator.is_async:
                return None
            is_lazy = is_lazy and isinstance(node, ast.GeneratorExp)
            return _each_of(generator.iter, generator.target, node.elt, is_lazy, as_tuple)
        if not isinstance(node, ast.Call) or node.keywords:
            return None
        called = self.context.resolve(node.func)
        if called in _COPYING and len(node.args) == 1:
            return self._each(node.args[0], False, called == "builtins.tuple")
        if called == "builtins.map" and len(node.args) == 2 and isinstance(node.args[0], ast.Lambda):
            function = node.args[0]
            only = function.args.args[0] if len(function.args.args) == 1 else None
            return _each_of(node.args[1], only, function.body, is_lazy, as_tuple)
        return None

    def _is_changed(self, statement: ast.stmt) -> bool:
        """``x += noise``: with what is on the host."""
        changed = (n.target for n in ast.walk(statement) if isinstance(n, ast.AugAssign))
        return any(isinstance(target, ast.Name) and target.id in self.on_host for target in changed)

    def _is_used_once(self, part: str | None) -> bool:
        """Whether a part of the batch, ``x`` or ``batch[0]``, has one use besides questions about its size."""
        uses = [n for s in self.loop.body for n in ast.walk(s) if isinstance(n, ast.expr) and self._is_use(n, part)]
        return len(uses) == 1

    def _is_use(self, node: ast.expr, part: str | None) -> bool:
        if not isinstance(node, ast.Name | ast.Subscript) or not isinstance(node.ctx, ast.Load):
            return False
        if ast.unparse(node) != part:
            return False
        parent = self.context.module.parents[node]
        is_length = isinstance(parent, ast.Call) and self.context.resolve(parent.func) == "builtins.len"
        return not is_length and not (isinstance(parent, ast.Attribute) and parent.attr in _SIZES)

    def _uses(self, statement: ast.stmt) -> Iterator[ast.Name]:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in self.on_host:
                yield node

    def _is_harmless(self, use: ast.Name) -> bool:
        """Whether a part of the batch that is still on the host is moved here, or asked for its size alone."""
        parents = self.context.module.parents
        part: ast.expr = use
        around = parents[use]
        if use.id == self.whole and isinstance(around, ast.Subscript) and isinstance(around.slice, ast.Constant):
            part = around
        parent = parents[part]
        if isinstance(parent, ast.Call) and self.context.resolve(parent.func) == "builtins.len":
            return True
        if not isinstance(parent, ast.Attribute):
            return False
        if parent.attr in _SIZES:
            return True
        call = parents[parent]
        device = destination(call) if isinstance(call, ast.Call) and call.func is parent else None
        # What has a `.to()` of its own may be anything.
        is_all = isinstance(part, ast.Name) and part.id == self.whole
        return device is not None and not is_all and self._is_moved_on_the_way(call, part, device)

    def _is_moved_on_the_way(self, call: ast.AST, part: ast.expr, device: ast.expr) -> bool:
        """``model(x.to(device))``, on each way through the body, and once: each move makes a copy of its own."""
        if not isinstance(call, ast.Call) or not self.context.editable(call):
            return False
        for parent in self.context.module.ancestors(call):
            if parent is self.loop:
                break
            if isinstance(parent, (*_BRANCHING, *_APART)):
                return False
        tail = self.context.tail(call, part)
        is_plain = self.context.module.text[tail.start : tail.end].startswith(".")  # no `(x).to(device)`
        if not is_plain or not self._is_used_once(ast.unparse(part)):
            return False
        self.found.devices.append(device)
        self.found.edits.append(Replace(tail, ""))
        return True


def _batch_names(context: Context, node: ast.For) -> set[str] | None:
    """The names that the batch is unpacked into, in the header of the loop."""
    target: ast.expr = node.target
    calls = (n for n in ast.walk(node.iter) if isinstance(n, ast.Call))
    if any(context.resolve(call.func) == "builtins.enumerate" for call in calls):
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        target = target.elts[1]
    if isinstance(target, ast.Name):
        return {target.id}  # a tensor, a list, or a dict: what is done with it will show
    names = _names(target)
    return set(names) if names else None


def _names(node: ast.AST) -> list[str] | None:
    """The names of ``x, y``, if they are nothing else, and different ones."""
    elements = node.elts if isinstance(node, ast.Tuple | ast.List) else []
    names = [e.id for e in elements if isinstance(e, ast.Name)]
    return names if names and len(set(names)) == len(elements) else None


def _pairs(statement: ast.stmt, whole: str | None) -> list[tuple[str, ast.expr]] | None:
    """The names that a statement does nothing with but move what they stand for, each with its device."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    if whole is not None:
        is_same = isinstance(target, ast.Name) and target.id == whole and isinstance(value, ast.DictComp)
        device = _moves_items(value, whole) if is_same and isinstance(value, ast.DictComp) else None
        return [(whole, device)] if device is not None else None
    targets = target.elts if isinstance(target, ast.Tuple) else [target]
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    if len(targets) != len(parts):
        return None
    pairs: list[tuple[str, ast.expr]] = []
    for name, part in zip(targets, parts, strict=True):
        device = destination(part)
        if device is None or not isinstance(name, ast.Name) or not isinstance(part, ast.Call):
            return None
        assert isinstance(part.func, ast.Attribute)
        if not _is_name(part.func.value, name):
            return None
        pairs.append((name.id, device))
    return pairs


def _moves_items(node: ast.DictComp, name: str) -> ast.expr | None:
    """The device of ``{k: v.to(device) for k, v in batch.items()}``."""
    generator = node.generators[0]
    source, pair = generator.iter, generator.target
    if len(node.generators) != 1 or generator.ifs or not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
        return None
    func = source.func if isinstance(source, ast.Call) else None
    if not isinstance(func, ast.Attribute) or func.attr != "items" or not isinstance(func.value, ast.Name):
        return None
    device, moved = _moved(node.value)
    key, value = pair.elts
    same = func.value.id == name and _is_name(node.key, key) and moved is not None and _is_name(moved, value)
    return device if same else None


def _each_of(
    source: ast.expr, item: ast.expr | ast.arg | None, element: ast.expr, is_lazy: bool, as_tuple: bool
) -> _Each | None:
    device, moved = _moved(element)
    name = item.arg if isinstance(item, ast.arg) else item.id if isinstance(item, ast.Name) else None
    if device is None or not isinstance(moved, ast.Name) or moved.id != name:
        return None
    return _Each(source, device, is_lazy, as_tuple)


def _moved(node: ast.expr) -> tuple[ast.expr | None, ast.expr | None]:
    """The device, and what moves there, of ``x.to(device)``."""
    device = destination(node)
    func = node.func if isinstance(node, ast.Call) else None
    return device, func.value if device is not None and isinstance(func, ast.Attribute) else None


def _is_used_outside(context: Context, loop: ast.For, names: set[str]) -> bool:
    """Whether anything but the loop's body asks for a part of the batch, which was on the host there."""
    targets = [n for n in ast.walk(loop.target) if isinstance(n, ast.Name) and n.id in names]
    inside = {id(n) for statement in loop.body for n in ast.walk(statement)}
    for target in targets:
        home = context.names.home(target)
        for use in context.names.uses(home, target.id) if home is not None else ():
            if id(use) not in inside and any(b.node is target for b in context.names.reaching(use)):
                return True
    return False


def _bound_by(statement: ast.stmt) -> set[str]:
    """The names that a statement binds in its own scope."""
    found: set[str] = set()
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif not isinstance(node, _APART) or isinstance(node, ast.IfExp | ast.BoolOp):
            todo += ast.iter_child_nodes(node)
    return found


def _bound_inside(device: ast.expr, loop: ast.For) -> bool:
    used = {n.id for n in ast.walk(device) if isinstance(n, ast.Name)}
    return bool(used & {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)})


def _is_name(node: ast.expr, other: ast.expr) -> bool:
    return isinstance(node, ast.Name) and isinstance(other, ast.Name) and node.id == other.id
