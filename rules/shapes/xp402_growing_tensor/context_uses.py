"""What a loop does with a context that it lets grow: which window a model gets, and what is read of the result."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.module import LoopNode, indices
from xlaport.facts.role import Role

from ..._lib.counting import bound_in
from ..._lib.shapes.last_index import last_of
from ..._lib.shapes.last_place import source_named
from ..._lib.shapes.source_places import MadeOfEnds

_NO_CALLS = 2
"""Functions that the loop calls are looked at elsewhere: as many calls deep, `Made` follows none."""
_KEEPING = frozenset("to float half bfloat16 double detach contiguous clone cpu cuda".split())
_ROWWISE = frozenset("softmax log_softmax argmax".split())
"""Of the last dimension: each place by itself."""
_OF_NUMBERS = (-1, 2)
_SIZES = frozenset("shape ndim size dim numel".split())
_AXIS = 1
_MORE, _LESS = (ast.Gt, ast.GtE), (ast.Lt, ast.LtE)


@dataclass
class Uses:
    """The uses of a context in a loop, where each is one that can be written for a buffer."""

    wholes: list[ast.expr] = field(default_factory=list)
    """All of it, handed over."""
    cuts: list[tuple[ast.expr | ast.If, ast.expr]] = field(default_factory=list)
    """The last places of it, and how many at most."""
    reads: list[ast.Subscript] = field(default_factory=list)
    """What takes the last place of a result."""
    own_reads: list[ast.Subscript] = field(default_factory=list)
    """What takes the last place of the context itself."""
    models: list[ast.Call] = field(default_factory=list)
    """The calls of a model that get it."""


class ContextUses:
    """Looks at all uses of what grows, and of what is computed from it, in the scope of a loop."""

    def __init__(self, context: Context, grown: ast.Name, loop: LoopNode, joined: ast.Assign) -> None:
        self.context, self.grown, self.loop, self.joined = context, grown, loop, joined
        self.module = context.module
        self.is_source = source_named(context, grown)
        self.made = MadeOfEnds(context, context.view.own, self.is_source, _AXIS, _NO_CALLS)
        self.uses = Uses()

    def found(self) -> Uses | None:
        """All of them; None where one is of another kind."""
        around = self.module.function(self.loop) or self.module.tree
        asked = set(ast.walk(self.loop.test)) if isinstance(self.loop, ast.While) else set()
        names = [n for n in ast.walk(around) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        for name in names:
            if name in asked:
                continue
            is_inside = self.context.step_code.is_inside(name, self.loop)
            is_own = self.is_source(name)
            if name is self.grown or (is_own and not is_inside):
                continue  # before the loop and behind it, it is what it was
            if not is_own and not self.made.comes(name, 0):
                continue
            if not is_inside or not self._is_known(name):
                return None
        return self.uses if self.uses.models else None

    def _is_known(self, name: ast.Name) -> bool:
        is_own = self.is_source(name)
        if is_own and (cut := self._cut_around(name)) is not None:
            if all(node is not cut[0] for node, _ in self.uses.cuts):
                self.uses.cuts.append(cut)
            return isinstance(cut[0], ast.If) or self.ends_in_last(cut[0])
        parent = self.module.parents[name]
        if is_own and not (isinstance(parent, ast.Subscript) and parent.value is name):
            self.uses.wholes.append(name)
        return self.ends_in_last(name)

    def ends_in_last(self, node: ast.expr) -> bool:
        """Whether nothing is taken of a value, or of what a model makes of it, but the last place of the result."""
        while True:
            parent = self.module.parents[node]
            if isinstance(parent, ast.Assign):
                return all(isinstance(t, ast.Name) for target in parent.targets for t in _parts(target))
            if isinstance(parent, ast.Expr):
                return True
            if isinstance(parent, ast.Attribute) and parent.attr in ("device", "dtype"):
                return True
            if isinstance(parent, ast.Subscript) and parent.value is node and not self._is_element(parent):
                return self._is_last_read(parent)
            following = self._following(node, parent)
            if following is None:
                return False
            node = following

    def _following(self, node: ast.expr, parent: ast.AST) -> ast.expr | None:
        """What has a value's places, and is made of it."""
        if isinstance(parent, ast.keyword):
            parent = self.module.parents[parent]
        if isinstance(parent, ast.Subscript):
            return parent if parent.value is node else None
        if isinstance(parent, ast.BinOp) and not isinstance(parent.op, ast.MatMult):
            other = parent.right if parent.left is node else parent.left
            return None if self.made.comes(other, 0) else parent
        if isinstance(parent, ast.Attribute):
            call = self.module.parents[parent]
            if isinstance(call, ast.Call) and call.func is parent:
                is_kept = parent.attr in _KEEPING or (parent.attr in _ROWWISE and _is_of_numbers(call, call.args))
                return call if is_kept else None
            return parent if parent.attr not in _SIZES and not self.context.roles.is_(node, Role.TENSOR) else None
        if not isinstance(parent, ast.Call):
            return None
        if self.context.loops.stepping.is_model_call(parent):
            self.uses.models += [] if parent in self.uses.models else [parent]
            return parent
        name = self.context.resolve(parent.func) or ""
        is_row = name.startswith("torch.") and name.rpartition(".")[2] in _ROWWISE
        return parent if is_row and parent.args[:1] == [node] and _is_of_numbers(parent, parent.args[1:]) else None

    def _is_element(self, node: ast.Subscript) -> bool:
        """``out[0]`` of a tuple."""
        is_number = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int | str)
        return is_number and not self.context.roles.is_(node.value, Role.TENSOR)

    def _is_last_read(self, node: ast.Subscript) -> bool:
        found = last_of(node)
        if found is None or found[0] != _AXIS:
            return False
        if self.is_source(node.value):
            self.uses.own_reads.append(node)
            return True
        self.uses.reads += [] if node in self.uses.reads else [node]
        end = self.module.span(self.joined).end
        return self.context.step_code.is_inside(node, self.loop) and self.module.span(node).start < end

    # -- cuts ------------------------------------------------------------------------------------------

    def _cut_around(self, name: ast.Name) -> tuple[ast.expr | ast.If, ast.expr] | None:
        """The expression, or the branch, that takes the last places of the context, with how many at most."""
        for node in self.module.ancestors(name):
            if node is self.loop:
                break
            if isinstance(node, ast.If | ast.IfExp) and (size := self._chosen(node)) is not None:
                return node, size
        parent = self.module.parents[name]
        size = self._size_of(parent)
        return (parent, size) if size is not None and isinstance(parent, ast.Subscript) else None

    def _chosen(self, node: ast.If | ast.IfExp) -> ast.expr | None:
        """``idx if idx.size(1) <= n else idx[:, -n:]``, in one expression or in two branches."""
        sides = [node.body, node.orelse] if isinstance(node, ast.IfExp) else self._sides(node)
        if sides is None or not isinstance(node.test, ast.Compare) or len(node.test.ops) != 1:
            return None
        test, (body, other) = node.test, sides
        left, right, operator = test.left, test.comparators[0], test.ops[0]
        if self._is_length(right):
            left, right, is_more = right, left, isinstance(operator, _LESS)
        else:
            is_more = isinstance(operator, _MORE)
        if not isinstance(operator, (*_MORE, *_LESS)) or not self._is_length(left):
            return None
        cut, whole = (body, other) if is_more else (other, body)
        size = self._size_of(cut)
        is_whole = isinstance(whole, ast.Name) and self.is_source(whole)
        return size if size is not None and is_whole and ast.dump(size) == ast.dump(right) else None

    def _sides(self, node: ast.If) -> list[ast.expr] | None:
        """What the two branches give one name."""
        if len(node.body) != 1 or len(node.orelse) != 1:
            return None
        both = [s for s in (node.body[0], node.orelse[0]) if isinstance(s, ast.Assign) and len(s.targets) == 1]
        names = {t.id for s in both for t in s.targets if isinstance(t, ast.Name)}
        return [s.value for s in both] if len(both) == len(names) + 1 else None

    def length_wanted(self, loop: ast.While) -> tuple[ast.expr, bool] | None:
        """``n`` of ``while idx.size(1) < n:``, and whether that is a length, too."""
        test = loop.test
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], _LESS):
            return None
        wanted = test.comparators[0]
        names = [part for part in ast.walk(wanted) if isinstance(part, ast.Name)]
        is_steady = not any(bound_in(loop, name.id) for name in names)
        return (wanted, isinstance(test.ops[0], ast.LtE)) if self._is_length(test.left) and is_steady else None

    def _is_length(self, node: ast.expr) -> bool:
        """``idx.size(1)``, ``idx.shape[1]``."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
            owner, name, place = node.func.value, node.func.attr, integer(node.args[0])
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            owner, name, place = node.value.value, node.value.attr, integer(node.slice)
        else:
            return False
        return name in ("size", "shape") and place in (_AXIS, -1) and self.is_source(owner)

    def _size_of(self, node: ast.AST) -> ast.expr | None:
        """``n`` of ``idx[:, -n:]``."""
        if not isinstance(node, ast.Subscript) or not self.is_source(node.value) or last_of(node) is not None:
            return None
        first, *rest = indices(node)
        if len(rest) != 1 or not isinstance(first, ast.Slice) or not isinstance(rest[0], ast.Slice):
            return None
        places = rest[0]
        is_end = not any((first.lower, first.upper, first.step, places.upper, places.step))
        if is_end and isinstance(places.lower, ast.UnaryOp) and isinstance(places.lower.op, ast.USub):
            return places.lower.operand
        number = integer(places.lower) if is_end and places.lower is not None else None
        return ast.Constant(-number) if number is not None and number < 0 else None


def _parts(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, ast.Tuple | ast.List) else [target]


def _is_of_numbers(call: ast.Call, given: list[ast.expr]) -> bool:
    """Whether a function works along the last dimension."""
    dim = next((k.value for k in call.keywords if k.arg == "dim"), given[0] if given else None)
    return integer(dim) in _OF_NUMBERS
