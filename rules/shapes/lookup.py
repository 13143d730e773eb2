"""XP407: a place that is looked up on the device, and read."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.role import Role
from xlaport.facts.several import is_several
from xlaport.facts.step_code import StepBody
from xlaport.rule import Applicability, Edit, Finding, Harm, Replace, Rule

from .. import host_only
from ..host_reads.device_values import spelled
from .baked import in_steps
from .in_place import is_changed_in_place
from .saying import say


class Lookup(Rule):
    """Look a place up, and index with it, on the device.

    ## What it does
    `i = (x == value).nonzero().item()` becomes `i = (x == value).long().argmax(0, keepdim=True)`, a tensor of one
    place, where `i` is used for nothing but indices, `y[i]` and `y[i + 1]`; these become `y[i].squeeze(0)`.

    ## Why
    `nonzero()` reads a count from the TPU and `.item()` the position, which becomes a part of the graph: the host waits
    twice in each step, and each new position recompiles. This is how schedulers of diffusion models find their step. A
    tensor of one position stays on the TPU, and is an input of one graph for all steps.

    ## Example
        model = nn.Linear(4, 4).to("xla")
        times, sigmas = torch.arange(9).to("xla"), torch.rand(9).to("xla")
        x = torch.zeros(1, 4).to("xla")
        with torch.no_grad():
            for t in times:
                i = (times == t).nonzero().item()
                x = x - model(x) * sigmas[i]

    becomes

        model = nn.Linear(4, 4).to("xla")
        times, sigmas = torch.arange(9).to("xla"), torch.rand(9).to("xla")
        x = torch.zeros(1, 4).to("xla")
        with torch.no_grad():
            for t in times:
                i = (times == t).long().argmax(0, keepdim=True)
                x = x - model(x) * sigmas[i].squeeze(0)

    ## When it is wrong
    Where nothing or several things are true, `.item()` raised, and this takes the first place, or the first that is
    true; an index beyond the end raised, and gives some number now.

    ## When it is left alone
    A place that is also counted, printed, compared or handed on.

    ## Sources
    - Measured on torch_xla 2.9: the table `rules/shapes/sizes.toml`.
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP404, XP412, XP424.
    """

    code = "XP407"
    name = "lookup"
    summary = "a place that is looked up stays on the device"
    applicability = Applicability.UNSAFE
    harm = Harm.WAITS
    words = ("nonzero",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that is looked up in a step."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for node in context.step_code.of_type(body, ast.Assign):
            if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
                continue
            found = _looked_up(context, node.value)
            if found is None or not context.editable(node):
                continue
            edits = _indices(context, node.targets[0])
            if edits is None:
                continue
            yield self.finding(
                context.span(node.value),
                say("XP407.lookup", name=node.targets[0].id),
                Replace(context.span(node.value), f"{spelled(context, found)}.long().argmax(0, keepdim=True)"),
                *edits,
            )


def is_looked_up(context: Context, call: ast.Call) -> bool:
    """Whether `nonzero()` is a part of what the rule takes out."""
    statement = context.module.statement(call)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    if not isinstance(target, ast.Name) or _looked_up(context, statement.value) is None:
        return False
    return context.editable(statement) and _indices(context, target) is not None


def _looked_up(context: Context, node: ast.expr) -> ast.expr | None:
    """``x == t`` of ``(x == t).nonzero().item()`` and ``int((x == t).nonzero())``."""
    if not isinstance(node, ast.Call):
        return None
    if context.resolve(node.func) == "builtins.int" and len(node.args) == 1:
        places: ast.expr = node.args[0]
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "item":
        places = node.func.value
    else:
        return None
    if not isinstance(places, ast.Call) or places.keywords or places.args:
        return None
    if not isinstance(places.func, ast.Attribute) or places.func.attr != "nonzero":
        return None
    found = places.func.value
    held = context.tensors.held(context.view.own, found)
    return found if context.roles.is_(found, Role.TENSOR) and held.kind is Kind.BOOL else None


def _indices(context: Context, target: ast.Name) -> list[Edit] | None:
    """The edits of the indices that a name is used for; None where it is used for something else, or bound again."""
    home, function = context.names.home(target), context.module.function(target)
    if home is None or not isinstance(function, FunctionNode | None):
        return None
    edits: list[Edit] = []
    for use in context.names.uses(home, target.id):
        reaching = context.names.reaching(use)
        if not any(binding.node is target for binding in reaching):
            continue
        if len(reaching) != 1 or reaching[0].how is not How.ASSIGN or context.module.function(use) is not function:
            return None
        subscript = _index_of(context, use)
        if subscript is None:
            return None
        span = context.span(subscript)
        edits.append(Replace(span, f"{context.module.segment(subscript)}.squeeze(0)"))
    return edits or None


def _index_of(context: Context, use: ast.Name) -> ast.Subscript | None:
    """``y[i]``, ``y[i + 1]`` that reads a tensor of the device, and does not change it in place."""
    index: ast.expr = use
    parent = context.module.parents[use]
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Sub) and parent.left is use:
        if not (isinstance(parent.right, ast.Constant) and type(parent.right.value) is int):
            return None
        index, parent = parent, context.module.parents[parent]
    if not isinstance(parent, ast.Subscript) or parent.slice is not index or not isinstance(parent.ctx, ast.Load):
        return None
    own = context.view.own
    if not context.roles.is_(parent.value, Role.TENSOR) or is_several(own, parent.value):
        return None
    return None if is_changed_in_place(context, parent) or not context.editable(parent) else parent
