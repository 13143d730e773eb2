"""Sums, lists, arrays and dicts that a step loop fills from host reads: where they begin, and what their uses do.

A list can hold tensors wherever its uses are known. An array of numbers becomes a list, and a dict of sums or of lists
holds tensors for a while: all are what they were before as soon as their loop is done, where they are read.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.names import Binding, How
from xlaport.facts.roles import Role

from .beginning import is_undecided
from .device_values import KIND_OF
from .fillings import Filling
from .meters import is_shown
from .refused import Refused
from .tracked import Reading, Use

TAKING = frozenset(f"builtins.{name}" for name in ("sum", "max", "min", "sorted", "print", "list", "tuple", "set"))
TAKING_PACKAGES = ("numpy.", "statistics.", "math.")
_TAKING_TENSORS = frozenset({"torch.cat", "torch.concat", "torch.stack", "torch.vstack", "torch.hstack"})
_ARRAYS = frozenset({"torch.zeros", "torch.empty", "numpy.zeros", "numpy.empty"})


def is_list(context: Context, bindings: Iterable[Binding]) -> bool:
    """Whether a name stands for lists only, or for the results of `+=` on them."""
    values = [b.given for b in bindings if b.how is not How.AUGMENT]
    return bool(values) and all(value is not None and is_empty_list(context, value) for value in values)


class Container(ABC):
    """What a step loop fills, while it is looked at."""

    only_uses = False
    """Whether it is read where it is used, and never behind its loop."""
    only_behind = False

    def __init__(self, context: Context, fillings: Sequence[Filling]) -> None:
        self.context = context
        self.module = context.module
        self.fillings = fillings
        self.kind = max(filling.addend.kind for filling in fillings)

    @abstractmethod
    def check_start(self, start: Binding) -> None:
        """Raises `Refused` where it does not begin as something empty."""

    def check_use(self, use: ast.Name) -> Use:
        """What a use that is no filling does, before it is read. Raises `Refused`."""
        raise Refused("uses it before its loop is done", use)

    def check_reading(self, reading: Reading) -> None:
        """Raises `Refused` where it cannot be read so."""
        if self.only_behind and not reading.behind:
            raise Refused("nothing reads it behind the loop")

    def host_kind(self, starts: Sequence[Binding]) -> Kind:
        """What its numbers were on the host."""
        return self.kind


class Sum(Container):
    """A number that is added to."""

    def __init__(self, context: Context, fillings: Sequence[Filling]) -> None:
        super().__init__(context, fillings)
        self.kind = max(Kind.INT, self.kind)

    def check_start(self, start: Binding) -> None:
        if not is_zero(start.given):
            raise Refused("gives it a value that is not a plain 0", start.node)
        if is_undecided(self.context, start.node, self.fillings[0].loop):
            raise Refused("begins it where an option has yet to decide on the device", start.node)

    def check_use(self, use: ast.Name) -> Use:
        if not isinstance(use.ctx, ast.Load):
            raise Refused("changes it as well", use)
        return Use.READ

    def host_kind(self, starts: Sequence[Binding]) -> Kind:
        values = [start.given for start in starts]
        is_float = any(isinstance(v, ast.Constant) and isinstance(v.value, float) for v in values)
        return Kind.FLOAT if is_float else self.kind


class List(Container):
    """A list, to which one element is added at a time."""

    def __init__(self, context: Context, fillings: Sequence[Filling]) -> None:
        super().__init__(context, fillings)
        if len({filling.addend.kind for filling in self.fillings}) > 1:
            raise Refused("it holds floats and counts")
        if len({filling.addend.reading for filling in self.fillings}) > 1:
            raise Refused("it holds tensors that are fetched in different ways")

    def check_start(self, start: Binding) -> None:
        value = start.given
        if value is None or not is_empty_list(self.context, value):
            raise Refused("gives it a value that is not an empty list", start.node)

    def check_use(self, use: ast.Name) -> Use:
        parent = self.module.parents[use]
        if not isinstance(use.ctx, ast.Load):
            raise Refused("changes it as well", use)
        if isinstance(parent, ast.If | ast.While | ast.IfExp) and parent.test is use:
            return Use.FREE
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            return Use.FREE
        if isinstance(parent, ast.Subscript) and parent.value is use:
            if isinstance(parent.ctx, ast.Load) and _is_position(parent.slice):
                return Use.READ
            raise Refused("takes more than one element of it", use)
        called = self.context.resolve(parent.func) or "" if isinstance(parent, ast.Call) and use in parent.args else ""
        if called == "builtins.len":
            return Use.FREE
        if called in TAKING or called in _TAKING_TENSORS or called.startswith(TAKING_PACKAGES):
            return Use.READ
        raise Refused("keeps it, or does what is not known with it", use)


class Extended(List):
    """A list that gets several elements at a time."""

    def check_use(self, use: ast.Name) -> Use:
        """It has another length until it is read."""
        raise Refused("uses it before its loop is done", use)


class Array(Container):
    """An array of numbers that was made before the loop."""

    def __init__(self, context: Context, fillings: Sequence[Filling]) -> None:
        super().__init__(context, fillings)
        for filling in self.fillings:
            target = filling.statement.targets[0] if isinstance(filling.statement, ast.Assign) else None
            assert isinstance(target, ast.Subscript)
            if not self.context.roles.is_(target.slice, Role.NUMBER):
                raise Refused("sets something else than one element of it", target)

    def check_start(self, start: Binding) -> None:
        value = start.given
        if not isinstance(value, ast.Call) or self.context.resolve(value.func) not in _ARRAYS or len(value.args) != 1:
            raise Refused("gives it a value that is no array of zeros", start.node)
        if not isinstance(value.func, ast.Attribute) or any(k.arg not in ("dtype", "device") for k in value.keywords):
            raise Refused("gives it a value that is no array of zeros", start.node)
        if isinstance(value.args[0], ast.Tuple | ast.List) or not self._is_count(value.args[0]):
            raise Refused("makes an array of several dimensions", start.node)
        if self.kind is Kind.FLOAT and any(keyword.arg == "dtype" for keyword in value.keywords):
            if any(filling.addend.guessed for filling in self.fillings):
                raise Refused("it is not clear of what type the numbers are")

    def host_kind(self, starts: Sequence[Binding]) -> Kind:
        """An array of no type in particular holds floats, whatever is put into it."""
        values = [value for start in starts if isinstance(value := start.given, ast.Call)]
        typed = all(any(keyword.arg == "dtype" for keyword in value.keywords) for value in values)
        return self.kind if typed else Kind.FLOAT

    def is_of_floats(self, start: Binding) -> bool:
        """Whether an array cuts nothing off what is put into it: an array of integers does, of each element."""
        types = [k.value for k in start.given.keywords if k.arg == "dtype"] if isinstance(start.given, ast.Call) else []
        return all("float" in (self.context.resolve(given) or "") for given in types)

    def _is_count(self, node: ast.expr) -> bool:
        """Whether an expression is a number: known to be one, or what a loop over `range()` counts to."""
        if self.context.roles.is_(node, Role.NUMBER):
            return True
        loops = (filling.loop.node for filling in self.fillings)
        counts = [loop.iter for loop in loops if isinstance(loop, ast.For) and isinstance(loop.iter, ast.Call)]
        return any(
            self.context.resolve(call.func) == "builtins.range"
            and any(ast.dump(argument) == ast.dump(node) for argument in call.args)
            for call in counts
        )


class Sums(Container):
    """A dict of sums, which may be of different kinds."""

    def check_start(self, start: Binding) -> None:
        value = start.given
        if value is None or _zeros(self.context, value) is None:
            raise Refused("gives it a value that is not a dict of zeros", start.node)

    def check_use(self, use: ast.Name) -> Use:
        parent = self.module.parents[use]
        if not isinstance(parent, ast.Subscript) or parent.value is not use:
            raise Refused("uses it before its loop is done", use)
        if isinstance(parent.ctx, ast.Load):
            return Use.SHOWN if is_shown(self.context.view.own, parent) else Use.READ
        statement = self.module.parents[parent]
        if isinstance(statement, ast.Assign) and is_zero(statement.value):
            return Use.FREE
        raise Refused("changes it as well", use)

    def host_kind(self, starts: Sequence[Binding]) -> Kind:
        values = [value for start in starts if (value := start.given) is not None]
        floats = [_zeros(self.context, value) is Kind.FLOAT for value in values]
        if not all(floats) and any(filling.addend.guessed for filling in self.fillings):
            raise Refused("it is not clear of what type the numbers are")
        return Kind.FLOAT if any(floats) else self.kind


class Lists(Container):
    """A dict of lists."""

    only_behind = True

    def __init__(self, context: Context, fillings: Sequence[Filling]) -> None:
        super().__init__(context, fillings)
        self.keys = {key for filling in self.fillings if (key := key_of(filling)) is not None}

    def check_start(self, start: Binding) -> None:
        value = start.given
        if isinstance(value, ast.Call) and self.context.resolve(value.func) == "collections.defaultdict":
            if [self.context.resolve(argument) for argument in value.args] == ["builtins.list"]:
                return
        items = dict(zip(value.keys, value.values, strict=True)) if isinstance(value, ast.Dict) else {}
        lists = {k.value for k, v in items.items() if isinstance(k, ast.Constant) and is_empty_list(self.context, v)}
        if not self.keys <= lists:
            raise Refused("gives it a value that is not a dict of empty lists", start.node)

    def check_use(self, use: ast.Name) -> Use:
        parent = self.module.parents[use]
        key = parent.slice if isinstance(parent, ast.Subscript) and parent.value is use else None
        if isinstance(key, ast.Constant) and key.value not in self.keys:
            return Use.FREE
        raise Refused("uses it before its loop is done", use)


def key_of(filling: Filling) -> str | None:
    """``loss`` of ``history["loss"].append(loss.item())``."""
    call = filling.statement.value if isinstance(filling.statement, ast.Expr) else None
    items = call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
    key = items.slice if isinstance(items, ast.Subscript) else None
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def is_display(value: ast.expr | None) -> bool:
    """Whether a dict is a plain one, so that another may take its place."""
    return isinstance(value, ast.Dict | ast.DictComp)


def is_empty_list(context: Context, value: ast.expr) -> bool:
    """``[]``, ``list()``."""
    if isinstance(value, ast.Call):
        return context.resolve(value.func) == "builtins.list" and not value.args
    return isinstance(value, ast.List) and not value.elts


def is_zero(value: ast.expr | None) -> bool:
    """A plain 0, or 0.0."""
    return isinstance(value, ast.Constant) and type(value.value) in (int, float) and value.value == 0


def _zeros(context: Context, value: ast.expr) -> Kind | None:
    """What a dict of zeros holds; None for anything else."""
    zeros: list[ast.expr]
    if isinstance(value, ast.Dict):
        zeros = list(value.values)
    elif isinstance(value, ast.DictComp):
        zeros = [value.value]
    elif isinstance(value, ast.Call):
        return _made(context, value)
    else:
        return None
    if not all(is_zero(zero) for zero in zeros):
        return None
    is_int = any(isinstance(zero, ast.Constant) and isinstance(zero.value, int) for zero in zeros)
    return Kind.INT if is_int or not zeros else Kind.FLOAT


def _made(context: Context, call: ast.Call) -> Kind | None:
    """``defaultdict(float)``, ``dict.fromkeys(names, 0.0)``."""
    name = context.resolve(call.func) or ""
    if name == "collections.defaultdict" and len(call.args) == 1:
        made = call.args[0]
        if isinstance(made, ast.Lambda) and is_zero(made.body):
            return (
                Kind.FLOAT if isinstance(made.body, ast.Constant) and isinstance(made.body.value, float) else Kind.INT
            )
        return KIND_OF.get(context.resolve(made) or "")
    if name == "builtins.dict.fromkeys" and len(call.args) == 2 and is_zero(call.args[1]):
        zero = call.args[1]
        return Kind.FLOAT if isinstance(zero, ast.Constant) and isinstance(zero.value, float) else Kind.INT
    return None


def _is_position(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_position(node.operand)
    return isinstance(node, ast.Name) or (isinstance(node, ast.Constant) and type(node.value) is int)
