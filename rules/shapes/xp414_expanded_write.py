"""XP414: a write into an expanded tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.in_place import shared_root
from xlaport.facts.names import How
from xlaport.facts.role import Role
from xlaport.facts.views import Change, Step, Way
from xlaport.rule import Applicability, Finding, Harm, Import, Replace, Rule, Trait

from .._lib import host_only
from .._lib.shapes.copying import copied
from .._lib.shapes.saying import say
from .._lib.shapes.writes import indices, on_device, ways_to_writes


class ExpandedWrite(Rule):
    """Give an expanded tensor its own memory before something is written into it.

    ## What it does
    Finds tensors that were made larger without a copy (`expand`, `expand_as`, `broadcast_to`, `broadcast_tensors`,
    `meshgrid`) and are then written in place, by `x[i] = …`, `x += …`, `x.fill_()` or `out=x`. With `--unsafe`, the
    expanded tensor becomes a copy: `x.expand(4, -1).clone()`. `x.expand(4, -1).contiguous()` becomes a copy, too.

    ## Why
    An expanded tensor has one place in memory for several elements. XLA adds up what is written to each of them, and
    says nothing: `torch.ones(3).expand(2, 3).fill_(9)` holds 17 (measured on torch_xla 2.9). And `contiguous()` and
    `reshape()` copy nothing on XLA, where each tensor passes for contiguous, so that they do not help.

    ## Example
        device = "xla"
        mask = torch.ones(1, 8, device=device).expand(4, -1).contiguous()
        mask[:, 0] = 0

    becomes

        device = "xla"
        mask = torch.ones(1, 8, device=device).expand(4, -1).clone()
        mask[:, 0] = 0

    ## When it is wrong
    Where nothing is repeated (each size is what it was), an expanded tensor is another name for the one that it was
    made of, and the write changes both. With a copy, it changes the copy alone. The fix is safe where nobody has a
    name for the other one.

    ## When it is left alone
    Tensors that own their memory, tensors of the host, a program for the CPU, and code with more changes in place than
    can be followed.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, Tensor views: https://docs.pytorch.org/docs/stable/tensor_view.html

    ## Related
    XP418, XP406.
    """

    code = "XP414"
    name = "expanded-write"
    summary = "a write into an expanded tensor goes into a copy"
    applicability = Applicability.UNSAFE
    harm = Harm.WRONG
    traits = (Trait.XLA_TENSOR,)
    words = ("expand", "broadcast", "meshgrid", "_(")
    across = ("expand", "broadcast", "meshgrid")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each expanded tensor, at the first write into it."""
        if host_only.stays_on_host(context):
            return
        found: dict[ast.expr, tuple[ast.expr, Way, int]] = {}
        for node, target, way in ways_to_writes(context):
            at = _expanded(context, way, node)
            if at is not None:
                # One copy serves all writes where it is made in this file.
                place = way.steps[at].node if way.steps[at].facts is context.view.own else target
                found.setdefault(place, (target, way, at))
        for target, way, at in found.values():
            yield self._finding(context, target, way, at)

    def _finding(self, context: Context, target: ast.expr, way: Way, at: int) -> Finding:
        step, span = way.steps[at], context.span(target)
        name, line = context.module.segment(target), context.line_of(step.facts, step.node)
        copy = next((s for s in way.steps[at + 1 :] if s.change is Change.COPIES), None)
        edit = self._edit(context, target, way, at, copy)
        if edit is None and isinstance(target, ast.Name):
            return self.finding(span, say("XP414.name", name=name, line=line))
        if edit is None:
            return self.finding(span, say("XP414.left", name=name, line=line))
        replaced, imports, is_safe = edit
        if is_safe:
            safe = Applicability.SAFE
            return self.finding(
                span, say("XP414.safe", name=name, line=line), replaced, imports=imports, applicability=safe
            )
        return self.finding(span, say("XP414.unsafe", name=name, line=line), replaced, imports=imports)

    def _edit(
        self, context: Context, target: ast.expr, way: Way, at: int, copy: Step | None
    ) -> tuple[Replace, tuple[Import, ...], bool] | None:
        """The edit that makes a copy, and whether it is safe; None where the place is in another file, or unclear."""
        step = way.steps[at]
        call = step.node
        if not isinstance(call, ast.Call) or step.facts.names.resolve(call.func) in _SEVERAL:
            return None
        safe = copy is not None and _is_unnamed(context.of(step.facts), call)
        if (call is target and copy is None) or _is_passed(context, target):
            return None  # `x[:1].expand(4, -1).zero_()` is there to change x, and so is `zero(x[:1].expand(4, -1))`
        if step.facts is context.view.own:
            if copy is not None and copy is way.steps[at + 1] and _method(copy) == "contiguous":
                edit = copied(context, copy.node, of_expanded=True)
                return (*edit, safe) if edit is not None else None
            return (_cloned(context, call), (), safe) if context.editable(call) else None
        if isinstance(target, ast.Call):  # `arange_like(x).masked_fill_(…)`: nobody else has a name for it
            return _cloned(context, target), (), safe
        return None


def _is_passed(context: Context, target: ast.expr) -> bool:
    """Whether what is written comes from the caller."""
    node = target
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and any(b.how is How.PARAMETER for b in context.names.reaching(node))


def _cloned(context: Context, node: ast.expr) -> Replace:
    return Replace(context.span(node), f"{context.module.segment(node)}.clone()")


_SEVERAL = ("torch.broadcast_tensors", "torch.meshgrid", "torch.functional.broadcast_tensors")


def _method(step: Step) -> str:
    """The name of the method that a step calls."""
    func = step.node.func if isinstance(step.node, ast.Call) else None
    return func.attr if isinstance(func, ast.Attribute) else ""


def _is_unnamed(context: Context, call: ast.Call) -> bool:
    """Whether the tensor that is expanded was made for it: nobody else can see it."""
    if not isinstance(call.func, ast.Attribute) or context.resolve(call.func) is not None:
        return False
    freshness = Freshness(context.module, context.names, context.roles)
    return shared_root(context.names, call.func.value) is None and freshness.is_fresh(call.func.value)


def _expanded(context: Context, way: Way, node: ast.AST) -> int | None:
    """The step of a way that gives elements of what is written several places; None where each has its own."""
    at = max((i for i, step in enumerate(way.steps) if step.change is Change.REPEATS), default=None)
    if at is None:
        return None
    step = way.steps[at]
    if not on_device(context, way, step, node):
        return None
    repeated = _repeated(step)
    for later in way.steps[at + 1 :]:
        if isinstance(later.node, ast.Subscript):
            repeated = _indexed(context, repeated, later.node.slice)
        elif later.change is not Change.COPIES:
            repeated = None
    for index in indices(node):
        repeated = _indexed(context, repeated, index)
    return at if repeated is None or any(repeated) else None


def _repeated(step: Step) -> tuple[bool, ...] | None:
    """For each dimension of what ``x.expand(4, -1)`` gives, whether it may repeat something; None: not known."""
    call = step.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    if call.func.attr not in ("expand", "broadcast_to") or call.keywords or not call.args:
        return None
    given = call.args[1:] if step.facts.names.resolve(call.func) is not None else call.args
    if len(given) == 1:
        given = list(given[0].elts) if isinstance(given[0], ast.Tuple | ast.List) else []
    if not given or any(isinstance(size, ast.Starred) for size in given):
        return None
    return tuple(not _is_kept(size) for size in given)


def _is_kept(size: ast.expr) -> bool:
    """``-1`` and ``1``: nothing is repeated."""
    return isinstance(size, ast.Constant | ast.UnaryOp) and ast.unparse(size) in ("-1", "1")


def _indexed(context: Context, repeated: tuple[bool, ...] | None, index: ast.expr) -> tuple[bool, ...] | None:
    """What is left of the dimensions behind an index of numbers and slices; None: not known."""
    elements = index.elts if isinstance(index, ast.Tuple) else [index]
    if repeated is None:
        return None
    left: list[bool] = []
    place = 0
    for element in elements:
        if isinstance(element, ast.Constant) and element.value is None:
            left.append(False)
        elif isinstance(element, ast.Constant) and element.value is Ellipsis:
            others = sum(not (isinstance(e, ast.Constant) and e.value in (None, Ellipsis)) for e in elements)
            left += repeated[place : len(repeated) - others + place]
            place = len(repeated) - others + place
        elif isinstance(element, ast.Slice):
            left += repeated[place : place + 1]
            place += 1
        elif context.roles.is_(element, Role.NUMBER):
            place += 1
        else:
            return None
    return (*left, *repeated[place:])
