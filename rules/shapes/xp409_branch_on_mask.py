"""XP409: a branch that checks whether a mask is true anywhere, before it writes through the mask."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.module import indices, is_elif, names_in
from xlaport.facts.role import Role
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Applicability, Edit, Finding, Harm, Replace, Rule, Span

from .._lib import host_only
from .._lib.blocks import lifted
from .._lib.one_line import one_line
from .._lib.shapes.asked_masks import operand
from .._lib.shapes.in_steps import in_steps
from .._lib.shapes.masked_assignment import is_masked_write, masked_write
from .._lib.shapes.saying import say
from .._lib.shapes.selection import is_mask, is_number, is_whole, selection
from .._lib.shapes.standing import is_repeatable


class BranchOnMask(Rule):
    """Do not check whether a mask is true anywhere, where nothing happens without.

    ## What it does
    `if mask.any():` is removed where all that it guards are writes through the same mask, `x[mask] = 0.0`,
    `x = x.masked_fill(mask, 0.0)`: where nothing is true, these change nothing. Of `if flag and mask.any():`, the
    flag stays.

    ## Why
    The branch is the host's: it waits for the TPU to know which way to go, and each way is a graph of its own to
    compile. On a GPU the check saves a kernel; on a TPU the write is a part of the step's graph, and costs nothing.

    ## Example
        model = nn.Linear(4, 2).to("xla")
        for batch in DataLoader(torch.zeros(8, 4)):
            x = model(batch.to("xla"))
            bad = torch.isnan(x)
            if bad.any():
                x = x.masked_fill(bad, 0.0)
            print(x.sum())

    becomes

        model = nn.Linear(4, 2).to("xla")
        for batch in DataLoader(torch.zeros(8, 4)):
            x = model(batch.to("xla"))
            bad = torch.isnan(x)
            x = x.masked_fill(bad, 0.0)
            print(x.sum())

    ## When it is wrong
    It is not: a branch that does more than such writes is left alone.

    ## When it is left alone
    A branch that does more than write through its mask, and checks whose result matters otherwise.

    ## Sources
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html
    - PyTorch/XLA, Dynamic shapes: https://docs.pytorch.org/xla/release/r2.8/learn/dynamic_shape.html

    ## Related
    XP406, XP415.
    """

    code = "XP409"
    name = "branch-on-mask"
    summary = "a write through a mask is not asked whether the mask is true anywhere"
    applicability = Applicability.SAFE
    harm = Harm.WAITS
    words = ("any",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each question."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for node in context.step_code.of_type(body, ast.If):
            if node.orelse or not context.editable(node.test):
                continue
            parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
            if isinstance(node.test, ast.BoolOp) and not isinstance(node.test.op, ast.And):
                continue
            mask = _asked(context, parts[-1])
            if mask is None or not is_repeatable(context, mask):
                continue
            if _is_commented(context, parts) or (len(parts) == 1 and is_elif(context.module, node)):
                continue
            if not all(_needs(context, statement, mask) for statement in node.body):
                continue
            text = say("XP409.asked", asked=one_line(context, parts[-1]))
            yield self.finding(context.span(parts[-1]), text, _edit(context, node, parts))


def _edit(context: Context, node: ast.If, parts: list[ast.expr]) -> Edit:
    if len(parts) == 1:
        return lifted(context, node, node.body)
    text = context.module.text
    start, end = context.span(parts[-2]).end, context.span(parts[-1]).end
    before, _, after = text[start : context.span(parts[-1]).start].partition("and")
    # The parentheses of the part before, if it has any, belong to it, and those of the question go with it.
    for _ in range(after.count("(")):
        end = text.index(")", end) + 1
    return Replace(Span(start + len(before.rstrip()), end), "")


def _is_commented(context: Context, parts: list[ast.expr]) -> bool:
    """Whether a comment stands between the question and what is asked before it."""
    if len(parts) == 1:
        return False
    return "#" in context.module.text[context.span(parts[-2]).end : context.span(parts[-1]).end]


def _asked(context: Context, test: ast.expr) -> ast.expr | None:
    """``mask`` of ``mask.any()``, ``torch.any(mask)``, ``bool(mask.any())`` and ``mask.any().item()``."""
    mask = operand(context, test, frozenset({"any"}))
    return mask if mask is not None and context.roles.is_(mask, Role.TENSOR) and is_mask(context, mask) else None


def _needs(context: Context, statement: ast.stmt, mask: ast.expr) -> bool:
    """Whether a statement changes nothing where the mask is true nowhere."""
    bound = {n.id for n in ast.walk(mask) if isinstance(n, ast.Name)}
    if isinstance(statement, ast.Assign | ast.AugAssign) and is_masked_write(context, statement):
        target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
        assert isinstance(target, ast.Subscript)
        root = target.value.id if isinstance(target.value, ast.Name) else None
        if root in bound or not _is(target.slice, mask) or masked_write(context, statement) is None:
            return False
        # The largest of nothing raises.
        selected = [s for n in ast.walk(statement.value) if (s := selection(context, n)) is not None]
        held = context.tensors.held(context.view.own, statement.value)
        return not selected or not held.is_scalar
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        is_write = isinstance(call.func, ast.Attribute) and call.func.attr == "masked_fill_"
        return is_write and _is_filled(context, call, mask) and not names_in(call.func) & bound
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Call) or target.id in bound:
        return False
    if isinstance(value.func, ast.Attribute) and value.func.attr == "masked_fill":
        of_itself = isinstance(value.func.value, ast.Name) and value.func.value.id == target.id
        return of_itself and _is_filled(context, value, mask)
    if context.resolve(value.func) == "torch.where" and len(value.args) == 3 and not value.keywords:
        test, one, other = value.args
        is_kept = isinstance(other, ast.Name) and other.id == target.id
        kind = context.tensors.held(context.view.own, other).kind
        # Of integers, a float makes floats.
        is_integer = isinstance(one, ast.Constant) and type(one.value) is int
        is_of_type = kind is Kind.FLOAT or (is_integer and kind is not Kind.BOOL)
        return is_kept and _is(test, mask) and is_number(context, one) and is_of_type
    return False


def _is_filled(context: Context, call: ast.Call, mask: ast.expr) -> bool:
    """``x.masked_fill(mask, number)``."""
    if context.resolve(call.func) is not None or len(call.args) != 2 or call.keywords:
        return False
    value = call.args[1]
    is_infinite = isinstance(value, ast.Call) and context.resolve(value.func) == "builtins.float"
    return _is(call.args[0], mask) and (is_number(context, value) or is_infinite)


def _is(node: ast.expr, mask: ast.expr) -> bool:
    """Whether a node is the mask, or a view of all of it: ``mask[:, None]``, ``mask.unsqueeze(1)``."""
    if ast.dump(node) == ast.dump(mask):
        return True
    if isinstance(node, ast.Subscript):
        parts = indices(node)
        return all(_is_whole(part) for part in parts) and _is(node.value, mask)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("unsqueeze", "bool") and _is(node.func.value, mask)
    return False


def _is_whole(part: ast.expr) -> bool:
    """``:``, ``None`` and ``...``."""
    return is_whole(part) or (isinstance(part, ast.Constant) and part.value in (None, ...))
