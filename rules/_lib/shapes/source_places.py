"""What is computed from all places of a tensor, and where the last place of that is read."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts
from xlaport.facts.role import Role
from xlaport.facts.structure import Function
from xlaport.facts.vocabulary import HOST_ATTRIBUTES, NUMBER_METHODS

from .last_index import is_rest, last_of, part_of
from .operation import called

_SIZES = HOST_ATTRIBUTES | NUMBER_METHODS
_REDUCING = frozenset("sum mean prod max min norm any all std var median".split())
_BESIDE = re.compile("past|cache|mask|memor|encoder|state|context|cond")
"""What a model's argument is named that is looked at beside its places."""
_MAX_DEPTH = 6
_MAX_NAMES = 2
_MAX_CALLS = 2
"""How many calls deep the value is followed."""


@dataclass(frozen=True)
class LastRead:
    """One read of the last place."""

    facts: Facts
    node: ast.Subscript
    axis: int
    """The dimension; from the end, where `...` stands before it."""
    keeps: bool
    """Whether the dimension stays: ``x[:, -1:]``, ``x[:, [-1]]``."""
    plain: bool
    """Whether all other dimensions are taken whole."""


class Made:
    """What is computed from a source, in one function, which is `calls` calls below the one that was asked about.

    `axis` is the dimension that grows, if that is known.
    """

    def __init__(
        self, context: Context, facts: Facts, is_source: Callable[[ast.expr], bool], axis: int | None, calls: int
    ) -> None:
        self.context = context
        self.facts = facts
        self.is_source = is_source
        self.axis = axis
        self.calls = calls
        self._names: dict[ast.Name, bool] = {}
        self._calls: dict[ast.Call, bool] = {}

    def reads(self, statements: Iterable[ast.stmt]) -> Iterator[LastRead]:
        """The reads in some statements, in their order."""
        for statement in statements:
            for node in ast.walk(statement):
                if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                    found = self._last(node)
                    if found is not None and self.comes(node.value, 0):
                        yield LastRead(self.facts, node, *found)
                elif isinstance(node, ast.Call) and self.calls < _MAX_CALLS:
                    yield from self._called(node)

    def _last(self, node: ast.Subscript) -> tuple[int, bool, bool] | None:
        """An index of the last place along the dimension that grows, as far as that is known."""
        found = last_of(node)
        if found is None:
            return None
        axis = found[0]
        if axis == 0 and not (self.axis == 0 and self.context.of(self.facts).roles.is_(node.value, Role.TENSOR)):
            return None  # the last of a list, or of a batch
        if axis == -1 and not (self.axis == -1 and self.is_source(node.value)):
            return None  # the last number of each place
        known = self.axis is not None and self.axis >= 0 <= axis
        return None if known and self.axis != axis else found

    def comes(self, node: ast.expr, depth: int) -> bool:
        """Whether a value is computed from all places of a source: not from its last one, and not from its size."""
        todo: list[ast.AST] = [node]
        while todo:
            part = todo.pop()
            if isinstance(part, ast.expr) and self.is_source(part):
                return True
            if isinstance(part, ast.Name):
                if self._is_made(part, depth):
                    return True
            elif isinstance(part, ast.Subscript):
                is_other = self._last(part) is not None or is_rest(part) or self.is_cut(part)
                todo += [part.value] if not is_other else []
            elif isinstance(part, ast.Attribute):
                todo += [part.value] if part.attr not in _SIZES else []
            elif _is_one_number(part) or (isinstance(part, ast.Call) and self._gives_last(part)):
                continue
            elif isinstance(part, ast.IfExp):
                todo += [part.body, part.orelse]
            elif not isinstance(part, ast.Lambda):
                todo.extend(n for n in ast.iter_child_nodes(part) if not _is_beside(n))
        return False

    def is_cut(self, node: ast.Subscript) -> bool:
        """Whether an index takes a part of the dimension whose last place is another one then: ``x[:, :n]``.

        ``x[:, -size:]`` may take all of it, as what a model can look back to does at first; and where ``x[:, n:]`` is
        taken, too, both together are all of it.
        """
        part = part_of(node, self.axis)
        if not isinstance(part, ast.Slice):
            return False
        if part.upper is None:
            return part.step is not None or (part.lower is not None and integer(part.lower) not in (None, 0))
        around = self.facts.module.function(node) or self.facts.module.tree
        whole, stop = ast.dump(node.value), ast.dump(part.upper)
        return not any(
            isinstance(rest, ast.Slice)
            and rest.upper is None
            and rest.lower is not None
            and ast.dump(rest.lower) == stop
            for other in ast.walk(around)
            if isinstance(other, ast.Subscript) and ast.dump(other.value) == whole
            for rest in [part_of(other, self.axis)]
        )

    def gets(self, node: ast.expr) -> bool:
        """Whether an argument is a source, or a part of its places: what `comes` leaves out, too."""
        return self.comes(node.value if isinstance(node, ast.Subscript) else node, 0)

    def is_unknown(self, call: ast.Call) -> bool:
        """Whether a call runs what may be a model, whose code is out of sight."""
        roles = self.context.of(self.facts).roles
        is_local = isinstance(call.func, ast.Name) and self.facts.names.resolve(call.func) is None
        if self._function(call) is not None or called(self.context, call) is not None:
            return False
        return roles.is_(call.func, Role.MODEL) or is_local

    def _is_made(self, name: ast.Name, depth: int) -> bool:
        if depth > _MAX_DEPTH:
            return False
        if name not in self._names:
            self._names[name] = False
            self._names[name] = any(
                binding.how in (How.ASSIGN, How.UNPACK, How.AUGMENT)
                and binding.value is not None
                and (self.comes(binding.value, depth + 1) or self._was_made(binding, depth + 1))
                for binding in self.facts.names.reaching(name)
            )
        return self._names[name]

    def _was_made(self, binding: Binding, depth: int) -> bool:
        """``x`` of ``x += y``, as it was before."""
        node = binding.node
        return binding.how is How.AUGMENT and isinstance(node, ast.Name) and self._is_made(node, depth)

    def _called(self, call: ast.Call) -> Iterator[LastRead]:
        """The reads in a function of the project that gets what is computed."""
        found = self._inside(call)
        if found is not None:
            made, function = found
            yield from made.reads(function.node.body)

    def _gives_last(self, call: ast.Call) -> bool:
        """Whether a function of the project gives what it computes of the last place alone: that is all there is."""
        if call not in self._calls:
            self._calls[call] = False
            found = self._inside(call) if self.calls < _MAX_CALLS else None
            if found is not None:
                made, function = found
                last: set[ast.AST] = {read.node for read in made.reads(function.node.body)}
                given = [n.value for n in function.facts.module.returns(function.node) if n.value]
                self._calls[call] = bool(last) and any(_is_of(made.facts, value, last, 0) for value in given)
        return self._calls[call]

    def _inside(self, call: ast.Call) -> tuple[Made, Function] | None:
        given = [a for a in [*call.args, *(k.value for k in call.keywords)] if self.comes(a, 0)]
        function = self._function(call) if given else None
        if function is None or self.facts.module.function(call) is function.node:
            return None
        names = {self._parameter(call, function, argument) for argument in given} - {None}
        bound = [a for a in ast.walk(function.node.args) if isinstance(a, ast.arg) and a.arg in names]
        facts = function.facts

        def is_source(node: ast.expr) -> bool:
            return isinstance(node, ast.Name) and any(b.node in bound for b in facts.names.reaching(node))

        return type(self)(self.context, facts, is_source, self.axis, self.calls + 1), function

    def _function(self, call: ast.Call) -> Function | None:
        structure = self.context.flow.structure
        found = structure.run_by(self.facts, call)
        if found is not None:
            return found if found.node.name != "__init__" else None
        owner = structure.instance_of(self.facts, call.func)
        if owner is not None and structure.is_module(owner):
            return structure.method(owner, "forward")
        return None

    def _parameter(self, call: ast.Call, function: Function, argument: ast.expr) -> str | None:
        keyword = next((k.arg for k in call.keywords if k.value is argument), None)
        return keyword or self.context.flow.structure.parameter_of(call, function, argument)


class MadeOfEnds(Made):
    """The same of what a model can look back to: an end of a written length, ``x[:, -8:]``, may be all of it, too."""

    def is_cut(self, node: ast.Subscript) -> bool:
        """Whether an index takes a part of the dimension whose last place is another one then."""
        part = part_of(node, self.axis)
        is_end = isinstance(part, ast.Slice) and part.upper is None and part.step is None
        return not (is_end and isinstance(part, ast.Slice) and (integer(part.lower) or 0) < 0) and super().is_cut(node)


def _is_of(facts: Facts, node: ast.expr, parts: set[ast.AST], depth: int) -> bool:
    """Whether a value may be computed from one of some parts of its function."""
    return any(
        part in parts
        or (
            isinstance(part, ast.Name)
            and depth < _MAX_NAMES
            and any(b.value and _is_of(facts, b.value, parts, depth + 1) for b in facts.names.reaching(part))
        )
        for part in ast.walk(node)
    )


def _is_beside(node: ast.AST) -> bool:
    """``past_key_values=cache`` and ``attention_mask=mask``, which say nothing of how many places a result has."""
    return isinstance(node, ast.keyword) and node.arg is not None and bool(_BESIDE.search(node.arg))


def _is_one_number(node: ast.AST) -> bool:
    """``x.sum()``, which has no places any more."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _REDUCING
        and not node.args
        and not node.keywords
    )
