"""XP808: inference mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Import, Replace, Rule, Trait
from xlaport.target import Symbol

from .._lib import host_only
from .._lib.comments import has_comment
from .._lib.parentheses import as_owner
from .._lib.runtime.saying import say

_NAME = "torch.inference_mode"
_ACTING = (ast.Call, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


class InferenceMode(Rule):
    """Switch gradients off with `torch.no_grad()`.

    ## What it does
    Replaces `torch.inference_mode()` by `torch.no_grad()`, and `torch.inference_mode(flag)` by
    `torch.set_grad_enabled(not flag)`, which for `inference_mode(False)` is `torch.enable_grad()`; so is the class,
    where the program chooses between the two. What is made to be entered later becomes one of
    `torch.no_grad()` and `torch.enable_grad()`, as `set_grad_enabled()` switches when it is made.

    ## Why
    On XLA, a tensor that is made in inference mode cannot be viewed or changed in place (measured on torch_xla 2.9:
    "Cannot set version_counter for inference tensor"), which every model does somewhere.

    ## Example
        @torch.inference_mode()
        def evaluate(model, x):
            return model(x.cuda())

    becomes

        @torch.no_grad()
        def evaluate(model, x):
            return model(x.cuda())

    ## When it is wrong
    The values are the same. Inference mode forbids more than `no_grad`: a program that relies on that error does not
    get it.

    ## When it is left alone
    Arguments that cannot be seen (`inference_mode(*modes)`), the class itself where it is handed on, and a program for
    the CPU.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, inference_mode:
      https://docs.pytorch.org/docs/stable/generated/torch.autograd.grad_mode.inference_mode.html

    ## Related
    XP415.
    """

    code = "XP808"
    name = "inference-mode"
    summary = "torch.inference_mode() becomes torch.no_grad()"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.XLA_TENSOR,)
    words = ("inference_mode",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use."""
        for node in () if host_only.stays_on_host(context) else context.module.nodes:
            if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
                continue
            if context.resolve(node) != _NAME:
                continue
            torch, imports = _package(context, node)
            edits = self._edits(context, node, torch)
            if edits is None:
                yield self.finding(context.place(node), say("XP808.left"))
            else:
                enables = edits[0].code.endswith(".enable_grad()")
                text = say("XP808.enabled") if enables else say("XP808.replaced")
                yield self.finding(context.span(node), text, *edits, imports=imports)

    def _edits(self, context: Context, node: ast.Name | ast.Attribute, torch: str) -> list[Replace] | None:
        call = context.module.parents[node]
        if not isinstance(call, ast.Call) or call.func is not node:
            decorates = isinstance(call, ast.FunctionDef | ast.AsyncFunctionDef)
            if (choice := _either(context, node)) is not None:
                return [Replace(as_owner(context, choice), f"{torch}.no_grad")]
            return [Replace(context.span(node), f"{torch}.no_grad")] if decorates else None
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not given:
            return [Replace(context.span(node), f"{torch}.no_grad")]
        mode = given[0]
        if len(given) != 1 or isinstance(mode, ast.Starred) or any(k.arg != "mode" for k in call.keywords):
            return None
        is_told = has_comment(context, call)
        if isinstance(mode, ast.Constant) and isinstance(mode.value, bool) and not is_told:
            return [Replace(context.span(call), f"{torch}.{'no_grad' if mode.value else 'enable_grad'}()")]
        if _is_entered(context, call) and not any(map(partial(has_comment, context), (node, mode))):
            # What stands around them stays, comments, too.
            return [
                Replace(context.span(node), f"{torch}.set_grad_enabled"),
                Replace(context.span(mode), _negated(context, mode)),
            ]
        text = f"{torch}.no_grad() if {context.module.segment(mode)} else {torch}.enable_grad()"
        is_whole = isinstance(context.module.parents[call], ast.Assign | ast.Return)
        return [Replace(context.span(call), text if is_whole else f"({text})")] if not is_told else None


def _is_entered(context: Context, call: ast.Call) -> bool:
    """Whether what a call makes is entered at once: `set_grad_enabled()` switches as soon as it is made."""
    around = context.module.parents[call]
    return isinstance(around, ast.withitem | ast.FunctionDef | ast.AsyncFunctionDef)


def _negated(context: Context, mode: ast.expr) -> str:
    if isinstance(mode, ast.UnaryOp) and isinstance(mode.op, ast.Not):
        return context.module.segment(mode.operand)
    text = context.module.segment(mode)
    if isinstance(mode, ast.Constant) and isinstance(mode.value, bool):
        return str(not mode.value)
    return f"not {text}" if isinstance(mode, ast.Name | ast.Attribute | ast.Call) else f"not ({text})"


def _either(context: Context, node: ast.expr) -> ast.expr | None:
    """``torch.inference_mode if is_new else torch.no_grad``: whoever gets it takes the one for the other.

    A question that does something is still asked, and one with a comment stays.
    """
    choice = context.module.parents[node]
    if not isinstance(choice, ast.IfExp) or node is choice.test:
        return None
    other = choice.orelse if node is choice.body else choice.body
    if context.resolve(other) != "torch.no_grad":
        return None
    is_kept = has_comment(context, choice) or any(isinstance(part, _ACTING) for part in ast.walk(choice.test))
    return node if is_kept else choice


def _package(context: Context, node: ast.Name | ast.Attribute) -> tuple[str, tuple[Import, ...]]:
    """How the file speaks of the torch package where the node stands, and the import that this may need."""
    if isinstance(node, ast.Attribute):
        return context.module.segment(node.value), ()
    text, imports = context.spell(Symbol(Import("torch", "torch"), "no_grad"), node)
    return text.rpartition(".")[0], imports
