"""XP503: scaling of the loss, which bfloat16 does not need."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from xlaport.context import Context
from xlaport.facts.program import Facts
from xlaport.rule import Applicability, Edit, Finding, Harm, Replace, Rule, Span

from .._lib.arguments import given, with_argument
from .._lib.comments import has_comment
from .._lib.elsewhere import line_of
from .._lib.precision.half_group import half_group, may_lack_scaling
from .._lib.precision.saying import say
from .._lib.removal import is_effect_free

_CUDA = ("init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled")
_SCALERS = {
    "torch.cuda.amp.GradScaler": _CUDA,
    "torch.cuda.amp.grad_scaler.GradScaler": _CUDA,
    "torch.amp.GradScaler": ("device", *_CUDA),
    "torch.amp.grad_scaler.GradScaler": ("device", *_CUDA),
    "torch.GradScaler": ("device", *_CUDA),
    "torch.distributed.fsdp.sharded_grad_scaler.ShardedGradScaler": ("device", *_CUDA),
}
"""The scalers of torch 2.9, with their parameters in order."""
_QUIET = frozenset("scale unscale_ step update state_dict load_state_dict get_scale".split())
"""What a scaler that is off answers as if there were none; the scale is 1."""
_STATE = frozenset("scale growth_factor backoff_factor growth_interval _growth_tracker".split())
"""What the state of a scaler holds that is on; that of one that is off is empty."""
_SAYS_STATE = re.compile(rb"\bstate_dict\(")


class GradScaler(Rule):
    """Switch loss scaling off.

    ## What it does
    Gives `GradScaler(…)` `enabled=False`. Its calls stay: `scale()` returns the loss, `unscale_()` and `update()` do
    nothing, and `step(optimizer)` is `optimizer.step()`. A scaler whose class is looked up by a text is reported.

    ## Why
    The loss is scaled so that gradients do not vanish in float16. bfloat16 has the range of float32, and does not need
    it. A scaler stays on where torch_xla is installed, and reads from the TPU in each step whether a gradient is
    infinite: one more execution and one wait (torch_xla 2.9, measured).

    ## Example
        scaler = torch.cuda.amp.GradScaler()

    becomes

        scaler = torch.cuda.amp.GradScaler(enabled=False)

    ## When it is wrong
    Where the model stays in float16: the edit is unsafe where an autocast's type is chosen elsewhere in the program,
    and left to you where XP505 leaves that. A step whose gradient is infinite is not skipped any more. Checkpoints hold
    `{}` for the scaler from then on, and what older ones hold is not read. `is_enabled()`, `get_growth_factor()` and
    other reads of the scaler itself are reported, as is `state_dict()["scale"]` of a wrapper that returns the state,
    also in another file.

    ## When it is left alone
    Scalers that are off, those for the CPU, and those of another library.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, Automatic mixed precision: https://docs.pytorch.org/xla/release/r2.8/perf/amp.html
    - PyTorch, torch.amp: https://docs.pytorch.org/docs/stable/amp.html

    ## Related
    XP502, XP505, XP908.
    """

    code = "XP503"
    name = "grad-scaler"
    summary = "GradScaler is switched off: bfloat16 needs no loss scaling"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    words = ("GradScaler",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each scaler that is, or may be, on."""
        for call in context.module.calls:
            parameters = _SCALERS.get(context.looked_up(call.func) or "")
            if parameters is None or _is_off(call, parameters) or "enabled" in context.roles.given_before(call.func):
                continue
            passed = given(call, parameters) if context.called(call) is not None else None
            enabled = (passed or {}).get("enabled")
            is_lost = enabled is not None and not is_effect_free(context, enabled)
            if passed is None or is_lost or not context.editable(call) or _loses_comment(context, call, enabled):
                yield self.finding(context.place(call), say("XP503.left"))
                continue
            asked = _asked(context, call)
            if asked is not None:
                yield self.finding(context.place(call), say("XP503.asked", where=line_of(context, *asked)))
                continue
            obstacle, lacks = half_group(context).obstacle, may_lack_scaling(context)
            if obstacle is not None and lacks:
                yield self.finding(context.place(call), say("XP503.float16", first=obstacle))
                continue
            yield self.finding(
                context.span(call),
                say("XP503.doubt" if lacks else "XP503.off"),
                _switched_off(context, call, enabled),
                applicability=Applicability.UNSAFE if lacks else Applicability.SAFE,
            )


def _is_off(call: ast.Call, parameters: Sequence[str]) -> bool:
    """Whether a scaler says that it is off, or one of the CPU."""
    passed = given(call, parameters) or {}
    return _is(passed.get("enabled"), False) or _is(passed.get("device"), "cpu")


def _loses_comment(context: Context, call: ast.Call, enabled: ast.expr | None) -> bool:
    """Whether a comment stands where the edit writes."""
    keyword = next((k for k in call.keywords if k.arg == "enabled"), None)
    is_empty = not call.args and not call.keywords
    return (is_empty and has_comment(context, call)) or any(
        node is not None and has_comment(context, node) for node in (keyword, enabled)
    )


def _asked(context: Context, call: ast.Call) -> tuple[Facts, ast.AST] | None:
    """A use of a scaler that means something else when it is off: ``enabled=scaler.is_enabled()``; None for no such."""
    statement = context.module.parents[call]
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    uses: list[ast.expr] = list(context.names.uses_of(target)) if isinstance(target, ast.Name) else []
    if isinstance(target, ast.Attribute):
        uses = [n.value for n in context.module.nodes if isinstance(n, ast.Attribute) and _is_of(n, target)]
    handed_on = False
    for use in uses:
        asked = context.module.parents[use]
        if not isinstance(asked, ast.Attribute):
            continue
        called = context.module.parents[asked]
        above = context.module.parents[called]
        is_state = asked.attr == "state_dict"
        if asked.attr not in _QUIET or (is_state and isinstance(above, ast.Subscript | ast.Attribute)):
            return context.view.own, asked
        handed_on = handed_on or (is_state and isinstance(above, ast.Return))
    return _asked_of_state(context) if handed_on else None


def _asked_of_state(context: Context) -> tuple[Facts, ast.AST] | None:
    """What takes an item of a scaler out of any state in the program: ``loss_scaler.state_dict()["scale"]``."""
    own, program = context.view.own, context.view.program
    files = [] if context.view.is_alone else sorted(program.saying(_SAYS_STATE, b"state_dict") - {own.file})
    for facts in (own, *(found for file in files if (found := context.view.facts(file)) is not None)):
        there = context.of(facts)
        for node in there.module.of_type(ast.Subscript):
            key = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if key in _STATE and isinstance(node.ctx, ast.Load) and _is_state(there, node.value):
                return facts, node
    return None


def _is_state(there: Context, node: ast.expr) -> bool:
    state = there.names.assigned(node) or node
    return isinstance(state, ast.Call) and isinstance(state.func, ast.Attribute) and state.func.attr == "state_dict"


def _is_of(node: ast.Attribute, target: ast.Attribute) -> bool:
    """``self.scaler.step`` for ``self.scaler``."""
    return isinstance(node.value, ast.Attribute) and ast.unparse(node.value) == ast.unparse(target)


def _is(node: ast.expr | None, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value == value and type(node.value) is type(value)


def _switched_off(context: Context, call: ast.Call, enabled: ast.expr | None) -> Edit:
    keyword = next((k for k in call.keywords if k.arg == "enabled"), None)
    if keyword is not None:
        return Replace(context.span(keyword), "enabled=False")
    if enabled is not None:
        return Replace(context.span(enabled), "False")
    if call.args or call.keywords:
        return with_argument(context, call, "enabled=False")
    func = context.span(call.func)
    return Replace(Span(func.end, context.span(call).end), "(enabled=False)")
