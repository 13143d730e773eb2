"""XP428: the last places of a tensor that may have fewer."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, dotted
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib import host_only
from .._lib.one_line import one_line
from .._lib.shapes.saying import say


class LastOfFewer(Rule):
    """Take the last places of a tensor, or all where it has fewer.

    ## What it does
    `x[:, -n:]` becomes `x[:, -min(n, x.size(1)):]`: safe where `x` is a tensor of the device that grows in a loop,
    `--unsafe` for others, which may always have `n` places.

    ## Why
    A slice from the end takes all where there are fewer places. On XLA, it raises "Value out of range" (measured on
    torch_xla 2.9: with a negative start or end, in reads and in writes; a positive one is cut as usual).

    ## Example
        idx = torch.zeros(1, 1, dtype=torch.long, device="xla")
        for _ in range(100):
            token = model(idx[:, -block_size:])[:, -1:].argmax(-1)
            idx = torch.cat((idx, token), dim=1)

    becomes

        idx = torch.zeros(1, 1, dtype=torch.long, device="xla")
        for _ in range(100):
            token = model(idx[:, -min(block_size, idx.size(1)):])[:, -1:].argmax(-1)
            idx = torch.cat((idx, token), dim=1)

    ## When it is wrong
    It changes no value. Where a tensor always has enough places, it is not needed.

    ## When it is left alone
    Numbers that are written there, such as `x[:, -2:]`; tensors of the host; a slice that is only taken where the
    size has been looked at: `x if x.size(1) <= n else x[:, -n:]`; a write into what does not grow; an
    index before it that may take away a dimension.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP402, XP427.
    """

    code = "XP428"
    name = "last-of-fewer"
    summary = "the last n places of a tensor that may have fewer"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    """What may be is tried where a run has shown it, and not ahead: most such tensors have enough."""
    traits = (Trait.XLA_TENSOR,)
    words = ("-",)
    after = ("XP402", "XP427")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each such slice."""
        if host_only.stays_on_host(context):
            return
        for node in context.module.of_type(ast.Subscript):
            name, number = dotted(node.value), _places(node)
            if name is None or number is None or not context.roles.is_(node.value, Role.TENSOR):
                continue
            start, dimension = number
            size = f"{name}.size({dimension})" if dimension else f"len({name})"
            if _is_looked_at(context, node, name) or not context.editable(node) or _is_another_min(context, node):
                continue
            least = f"min({context.module.segment(start)}, {size})"
            value = context.flow.structure.value(context.view.own, node.value)
            is_growing = value is not None and bool(value.turns)
            if not is_growing and not isinstance(node.ctx, ast.Load):
                continue  # what is written has so many places
            yield self.finding(
                context.span(node),
                say("XP428.growing" if is_growing else "XP428.maybe", what=one_line(context, node), name=name),
                Replace(context.span(start), least),
                applicability=Applicability.SAFE if is_growing else Applicability.UNSAFE,
            )


def _places(node: ast.Subscript) -> tuple[ast.expr, int] | None:
    """``n`` of ``x[:, -n:]``, and the dimension that it stands for."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for place, part in enumerate(parts):
        start = part.lower if isinstance(part, ast.Slice) and part.step is None else None
        if isinstance(start, ast.UnaryOp) and isinstance(start.op, ast.USub):
            number = start.operand
            if not isinstance(number, ast.Constant) and all(map(_keeps_count, parts[:place])):
                return number, place
            if (
                not isinstance(number, ast.Constant)
                and _is_rest(parts[:place])
                and all(map(_keeps_count, parts[place:]))
            ):
                return number, place - len(parts)
    return None


def _keeps_count(part: ast.expr) -> bool:
    """Whether a part of an index stands for one dimension."""
    number = part.operand if isinstance(part, ast.UnaryOp) else part
    return isinstance(part, ast.Slice) or (isinstance(number, ast.Constant) and type(number.value) is int)


def _is_rest(parts: Sequence[ast.expr]) -> bool:
    """``...``, alone or behind dimensions."""
    return bool(parts) and isinstance(parts[-1], ast.Constant) and parts[-1].value is Ellipsis


def _is_looked_at(context: Context, node: ast.Subscript, name: str) -> bool:
    """Whether the number, or a question around the slice, has to do with how large the tensor is."""
    around: list[ast.AST] = [node.slice]
    for above in context.module.ancestors(node):
        if isinstance(above, FunctionNode):
            break
        around += [above.test] if isinstance(above, ast.If | ast.IfExp | ast.While | ast.Assert) else []
    asked = [part for one in around for part in ast.walk(one)]
    sizes = {f"{name}.size", f"{name}.shape"}
    return any(
        dotted(part) in sizes
        or (
            isinstance(part, ast.Call) and context.resolve(part.func) == "builtins.len" and dotted(part.args[0]) == name
        )
        for part in asked
        if isinstance(part, ast.Attribute | ast.Call)
    )


def _is_another_min(context: Context, node: ast.AST) -> bool:
    """Whether ``min`` is a name of the program's own there."""
    return bool(context.names.visible("min", node) or context.names.visible("len", node))
