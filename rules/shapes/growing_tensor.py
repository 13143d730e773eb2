"""XP402: a tensor that is larger in every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.role import Role
from xlaport.facts.roles import dotted
from xlaport.rule import Applicability, Finding, Rule

from .. import host_only
from .growth import Growth, growths


class GrowingTensor(Rule):
    """Report tensors that grow from step to step.

    ## What it does
    Finds tensors that a step loop joins with something new in every pass, and carries into the next:
    `tokens = torch.cat([tokens, token], dim=1)` of a loop that generates, `predictions = torch.cat([predictions, out])`
    of one that evaluates, `self.keys = torch.cat([self.keys, key])` of a cache, and `torch.stack(outputs)` in the loop
    that appends to the list.

    ## Why
    A graph is for tensors of one size. Each pass has a larger one, so each pass is another graph to compile (measured:
    8 graphs for 8 tokens, where a buffer of a fixed size takes 1), which takes from seconds to minutes on a TPU.

    ## Example
        model = nn.Linear(4, 4).to(device)
        tokens = start.to(device)
        with torch.no_grad():
            for _ in range(max_new_tokens):
                token = model(tokens)[:, -1:]
                tokens = torch.cat([tokens, token], dim=1)

    is reported. A buffer of a fixed size, and a position that stays on the device, a tensor of one element:

        length = start.size(1)
        buffer = nn.functional.pad(start, (0, 0, 0, max_new_tokens)).to(device)
        position = torch.tensor([length], device=device)
        with torch.no_grad():
            for _ in range(max_new_tokens):
                token = model(buffer).index_select(1, position - 1)
                buffer.index_copy_(1, position, token)
                position += 1

    ## When it is wrong
    Where the loop has few passes. A list that is joined once, after the loop, is not meant.
    """

    code = "XP402"
    name = "growing-tensor"
    summary = "a tensor that is larger in every step"
    applicability = Applicability.MANUAL
    words = ("cat", "stack", "pad")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that makes a tensor grow."""
        if host_only.stays_on_host(context):
            return
        code = context.step_code
        for body in (*code.bodies, *code.others):
            for growth in growths(context, body):
                if body in code.bodies or (body.function is not None and code.runs_in_steps(body.function)):
                    yield self.finding(context.place(growth.call), self._message(context, growth))

    def _message(self, context: Context, growth: Growth) -> str:
        when = (
            f"in every pass of the loop in line {context.line(growth.loop)}"
            if growth.loop is not None
            else "with every call"
        )
        what = f"{growth.name} grows {when}"
        if growth.is_list:
            what += ", and is joined in every pass"
        each = "pass" if growth.loop is not None else "call"
        costs = f"so every {each} is another graph to compile, which takes from seconds to minutes on a TPU"
        return f"{what}, {costs}. Instead, {self._advice(context, growth)}"

    def _advice(self, context: Context, growth: Growth) -> str:
        added = context.module.segment(growth.added) if growth.added is not None else None
        if not growth.feeds:
            return f"append {added or 'what is new'} to a list, and join the list once, after the loop"
        joined = (context.resolve(growth.call.func) or "").rpartition(".")[2]
        axis = _axis(growth.call) if joined in ("cat", "concat", "concatenate", "stack") else None
        room = _passes(growth)
        length = f"with room for {f'{room} more' if room is not None else 'the largest length'}"
        if growth.is_list:
            buffer, named = f"write them into one tensor {length}", "buffer"
        else:
            buffer, named = f"make {growth.name} once, {length}, and write into it", growth.name
        named_axis = axis or "dim"
        if growth.loop is None:
            mask = f"attend to all of {named}, and mask the places behind position, torch.arange(…) > position"
        elif axis is not None and not growth.is_list and _feeds_a_model(context, growth):
            mask = (
                "in a causal model, what is not written yet reaches nothing before it: take the output of the last "
                f"token by index_select({axis}, position - 1); any other model gets a mask"
            )
        else:
            mask = "what is not written yet is masked"
        what = added if growth.added is not None and dotted(growth.added) else "the new part"
        return (
            f"{buffer} by {named}.index_copy_({named_axis}, position, {what}), where position is a tensor of one "
            f"element that is counted up on the device; {mask}"
        )


def _feeds_a_model(context: Context, growth: Growth) -> bool:
    """Whether a model gets what grows, or a part of it by another name, in each pass."""
    assert growth.loop is not None
    models = [
        node
        for statement in growth.loop.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and context.roles.is_(node.func, Role.MODEL)
    ]
    return any(isinstance(n, ast.Name) and _is_from(context, n, growth.name) for m in models for n in ast.walk(m))


def _is_from(context: Context, name: ast.Name, grown: str) -> bool:
    if name.id == grown:
        return True
    values = [b.value for b in context.names.reaching(name) if b.value is not None]
    return any(isinstance(n, ast.Name) and n.id == grown for value in values for n in ast.walk(value))


def _axis(call: ast.Call) -> str:
    found = next((k.value for k in call.keywords if k.arg in ("dim", "axis")), None)
    found = call.args[1] if found is None and len(call.args) > 1 else found
    return ast.unparse(found) if found is not None else "0"


def _passes(growth: Growth) -> str | None:
    """``max_new_tokens`` of ``for _ in range(max_new_tokens)``."""
    if not isinstance(growth.loop, ast.For) or not isinstance(growth.loop.iter, ast.Call):
        return None
    function = growth.loop.iter.func
    if isinstance(function, ast.Name) and function.id == "range" and len(growth.loop.iter.args) == 1:
        return ast.unparse(growth.loop.iter.args[0])
    return None
