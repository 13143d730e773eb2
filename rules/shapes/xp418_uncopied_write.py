"""XP418: a write into a copy that XLA does not make."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import LoopNode
from xlaport.facts.roles import Role, dotted
from xlaport.facts.views import Change, Step, Way
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait

from .._lib import host_only
from .._lib.shapes.copying import copied
from .._lib.shapes.saying import say
from .._lib.shapes.writes import on_device, ways_to_writes


class UncopiedWrite(Rule):
    """Make the copies that `contiguous()` makes on a GPU, before something is written into them.

    ## What it does
    Finds what `x.t().contiguous()`, `x[:, 1:].contiguous()`, `x.permute(…).flatten()` and the like give, that is
    written in place, while `x` itself is used further on. With `--unsafe`, `contiguous()` becomes
    `clone(memory_format=torch.contiguous_format)`, and `flatten()` becomes `flatten().clone()`.

    ## Why
    On a GPU, these copy a tensor that is not contiguous. To XLA, every tensor is contiguous, so that they are no copies
    there, but other names for `x` (measured on torch_xla 2.9): the write changes `x` as well, without an error.

    ## Example
        inputs = torch.zeros(8, 16, device="xla")
        labels = inputs[:, 1:].contiguous()
        labels[labels == 0] = -100
        print(inputs)

    becomes

        inputs = torch.zeros(8, 16, device="xla")
        labels = inputs[:, 1:].clone(memory_format=torch.contiguous_format)
        labels[labels == 0] = -100
        print(inputs)

    ## When it is wrong
    Where a size is 1, the tensor may be contiguous all the same: then a GPU makes no copy, either, and the write
    changes `x` there, which it does not with the fix.

    ## When it is left alone
    Copies that are copies on XLA, too, and views of tensors that nobody uses again.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, Tensor views: https://docs.pytorch.org/docs/stable/tensor_view.html

    ## Related
    XP414, XP416.
    """

    code = "XP418"
    name = "uncopied-write"
    summary = "a write into a copy that contiguous() does not make on XLA"
    applicability = Applicability.UNSAFE
    harm = Harm.WRONG
    traits = (Trait.XLA_TENSOR,)
    words = ("contiguous", "flatten", "ravel", "reshape")
    across = ("contiguous", "flatten", "ravel", "reshape")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each copy, at the first write into it."""
        if host_only.stays_on_host(context):
            return
        seen: set[ast.expr] = set()
        for node, target, way in ways_to_writes(context):
            at = _uncopied(context, way, node)
            if at is None or way.steps[at].node in seen:
                continue
            use = _used_later(context, way, at, node)
            if use is not None:
                seen.add(way.steps[at].node)
                yield self._finding(context, target, way, at, use)

    def _finding(self, context: Context, target: ast.expr, way: Way, at: int, use: ast.expr) -> Finding:
        copy = way.steps[at].node
        assert isinstance(copy, ast.Call)
        assert isinstance(copy.func, ast.Attribute)
        said = {"method": copy.func.attr, "line": context.line(copy)}
        said |= {"base": context.module.segment(use), "used": context.line(use)}
        edit = copied(context, copy)
        if edit is None:
            left = say("XP418.left", name=context.module.segment(target), **said)
            return self.finding(context.span(target), left)
        return self.finding(context.span(target), say("XP418.fixed", **said), edit[0], imports=edit[1])


def _uncopied(context: Context, way: Way, node: ast.AST) -> int | None:
    """The step of a way that makes a copy on a GPU."""
    if way.facts is not context.view.own or any(s.facts is not context.view.own for s in way.steps):
        return None
    reordered = False
    for at, step in enumerate(way.steps):
        if step.change is Change.REPEATS:
            return None
        if step.change is Change.REORDERS:
            # Transposed twice, it may be as it was.
            reordered = not reordered if isinstance(step.node, ast.Call | ast.Attribute) else True
        elif step.change is Change.COPIES and reordered:
            return at if _copies_all(step) and on_device(context, way, step, node) else None
    return None


def _copies_all(step: Step) -> bool:
    """Whether a step copies each tensor that is not in order: ``reshape(2, 3)`` may find a view."""
    call = step.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    given = [ast.unparse(argument) for argument in call.args]
    if call.func.attr in ("contiguous", "ravel"):
        return True
    return (call.func.attr == "reshape" and given == ["-1"]) or (call.func.attr == "flatten" and not given)


def _used_later(context: Context, way: Way, at: int, node: ast.AST) -> ast.expr | None:
    """A use, after a write, of a tensor that the copy was to be made of."""
    for tensor in [way.root, *(_operand(step) for step in way.steps[: at + 1])]:
        found = _use_after(context, tensor, node) if tensor is not None else None
        if found is not None:
            return found
    return None


def _operand(step: Step) -> ast.expr | None:
    if isinstance(step.node, ast.Attribute | ast.Subscript):
        return step.node.value
    return (
        step.node.func.value if isinstance(step.node, ast.Call) and isinstance(step.node.func, ast.Attribute) else None
    )


def _use_after(context: Context, tensor: ast.expr, node: ast.AST) -> ast.expr | None:
    if isinstance(tensor, ast.Attribute) and dotted(tensor) is not None:
        # What an object holds is used by others.
        return tensor if context.roles.is_(tensor, Role.TENSOR) else None
    if not isinstance(tensor, ast.Name):
        return None
    home = context.names.home(tensor)
    if home is None or context.names.scope(tensor) is not context.names.scope(node):
        return None
    bindings = set(context.names.reaching(tensor))
    for use in context.names.uses(home, tensor.id):
        if use is tensor or bindings.isdisjoint(context.names.reaching(use)) or _asks_for_form(context, use):
            continue
        if _runs_after(context, use, node, {binding.node for binding in bindings}):
            return use
    return None


def _asks_for_form(context: Context, use: ast.Name) -> bool:
    """``x.shape`` and ``x.size(0)``, which a write does not change."""
    parent = context.module.parents[use]
    return isinstance(parent, ast.Attribute) and parent.attr in (
        torch_api.HOST_ATTRIBUTES | torch_api.NUMBER_METHODS - {"item"}
    )


def _runs_after(context: Context, use: ast.Name, node: ast.AST, bindings: set[ast.AST]) -> bool:
    """Whether a use runs after a write: it stands behind it, or runs again in the next pass of a loop around both."""
    if context.names.scope(use) is not context.names.scope(node):
        return True
    statement = context.module.statement(use)
    written_in = context.module.statement(node)
    if statement is written_in:
        return False
    if use.lineno > getattr(node, "lineno", 0):
        return not context.module.are_alternatives(statement, written_in)
    around = [p for p in context.module.ancestors(node) if isinstance(p, LoopNode)]
    return any(
        loop in around and not any(loop in context.module.ancestors(binding) for binding in bindings)
        for loop in context.module.ancestors(use)
    )
