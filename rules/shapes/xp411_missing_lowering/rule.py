"""XP411: operations that XLA has no kernel for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.gradients import may_get_gradient
from xlaport.facts.loops import LoopKind
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Applicability, Finding, Harm, Rule, Span, Trait
from xlaport.wording import Text

from ..._lib import host_only
from ..._lib.shapes.helpers import is_helper
from ..._lib.shapes.in_steps import in_steps
from ..._lib.shapes.saying import say
from ..._lib.shapes.shared_helpers import Adding
from ..._lib.shapes.where_placed import if_placed
from .bags import have_changing_sizes
from .missing_calls import MissingCall, called, chosen, made
from .removed_norm import is_removed
from .replacing import chosen_replacement, replacement
from .wrong_gradient import handed_on

_DIFFERENTIATING = frozenset({LoopKind.TRAIN, LoopKind.OPTIMIZE})


class MissingLowering(Rule):
    """Write what XLA has no kernel for by what it has.

    ## What it does
    Finds calls of functions, methods and modules that torch_xla has no kernel for, in steps and on tensors of the
    device: `median`, `grid_sample`, `ctc_loss`, `nn.EmbeddingBag`, `nn.GLU`, `torch.fft`, `bucketize` … Where the same
    can be written by other operations, that is what becomes of them: an expression where it is short, else a small
    function or module that is added to the file, or imported from a file that this one imports already, or that lies
    beside it in a package, where that has it, or gets it in the same conversion. For the others, a recipe says what to
    do. `elu`, `celu` and `selu` are reported, too: their kernel has a wrong gradient unless they work in place.

    ## Why
    Without a kernel, an operation falls back to the host. That splits the step in two: the host waits for the TPU,
    copies the operands, computes, and copies the result back. For some, only the gradient has none: then it happens in
    `backward()`, where a gradient passes through. Which ones do is measured: the table `rules/shapes/lowerings.toml`
    lists all operators of PyTorch's that the host computes, and the public functions that call them, with the version
    of torch_xla. A function such as `one_hot()` without a number of classes has kernels, but reads a value on the host.

    ## Example
        model = nn.Linear(4, 2).to("xla")
        edges = torch.linspace(-1, 1, 9).to("xla")
        for batch in DataLoader(torch.zeros(8, 4)):
            out = model(batch.to("xla"))
            print(torch.bucketize(out, edges))

    becomes

        model = nn.Linear(4, 2).to("xla")
        edges = torch.linspace(-1, 1, 9).to("xla")
        for batch in DataLoader(torch.zeros(8, 4)):
            out = model(batch.to("xla"))
            print((~(edges >= out.unsqueeze(-1))).sum(-1))

    ## When it is wrong
    Where a later torch_xla has the kernel: `python -m tools.measure_lowerings --write` measures the table again. What
    takes the place may need more memory. Safe fixes give the same values and gradients, up to rounding; each unsafe one
    says what may differ.

    ## When it is left alone
    Bags by offsets, unless a run has shown (`xlaport port`, `--evidence`) that there are as many indices each time:
    each other number would recompile. Calls on the host or outside of steps; arguments with which the function has a
    kernel; branches that only an older torch runs; code of Triton's kernels.

    ## Sources
    - Measured on torch_xla 2.9: the table `rules/shapes/lowerings.toml`.
    - PyTorch/XLA, Troubleshoot: https://docs.pytorch.org/xla/release/r2.7/learn/troubleshoot.html

    ## Related
    XP412, XP416, XP421.
    """

    code = "XP411"
    name = "missing-lowering"
    summary = "an operation that XLA has no kernel for runs on the host"
    applicability = Applicability.SAFE
    harm = Harm.WAITS
    traits = (Trait.XLA_TENSOR,)
    words = ("for", "while", "def", "nn")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call in a step, and for each module that is made of such an operation."""
        if host_only.stays_on_host(context):
            return
        # Before anything is asked of the project: whether there is such a call at all.
        missing = {
            call: found
            for call in context.module.calls
            if (found := called(context, call)) is not None and not is_helper(context, call)
        }
        if missing:
            yield from in_steps(context, lambda there, body: self._in_body(there, body, missing))
        for call in context.module.calls:
            found = made(context, call)
            if found is not None and not is_helper(context, call) and not _is_gone(context, found):
                yield self._finding(context, found)
        for node in context.module.of_type(ast.IfExp):
            found = chosen(context, node)
            if found is not None and found.reference is not None and not _is_gone(context, found):
                yield self._chosen(context, found, context.place(found.reference))
        for name, told in handed_on(context):
            yield self.finding(context.place(name), say("XP411.handed", name=ast.unparse(name), **told))

    def _chosen(self, context: Context, found: MissingCall, place: Span) -> Finding:
        """``norm = weight_norm if … else spectral_norm``."""
        written = chosen_replacement(context, found, Adding(self.check, self.code, self.applicability))
        if written is not None:
            text = _text(found, fix=_fix(found, written.source))
            return self.finding(
                place, text, *written.edits, imports=written.imports, applicability=written.applicability
            )
        calls, told = say.phrase("called_in", line=context.line(found.node)), found.advice(context)
        return self.finding(place, _text(found, recipe=f"{calls} {told['recipe']}", snippet=told["snippet"]))

    def _in_body(self, context: Context, body: StepBody, missing: dict[ast.Call, MissingCall]) -> Iterator[Finding]:
        differentiates = body.loop is None or body.loop.kind in _DIFFERENTIATING
        for node in context.step_code.of_type(body, ast.Call) if missing else ():
            found = missing.get(node)
            if found is None or context.step_code.is_now_and_then(node, but_training=True):
                continue
            is_quiet = context.loops.gradients_are_off(node) or not may_get_gradient(context.view.own, found.node)
            if (differentiates and not is_quiet) or _is_missing_forward(found):
                yield self._finding(context, found)

    def _finding(self, context: Context, found: MissingCall) -> Finding:
        place, recipe = context.place(found.node), found.recipe
        ragged = have_changing_sizes(context, found.node)
        written = None if ragged else replacement(context, found, Adding(self.check, self.code, self.applicability))
        if written is None:
            first = found.bound or next(iter(found.node.args), None)
            assumed = if_placed(context, first) if first is not None else ""
            if recipe.where:
                assumed = say.phrase("if_so", condition=recipe.where)
            told = found.advice(context)
            if ragged:
                told = {"recipe": say.phrase("bags_by_offsets"), "snippet": ""}
            elif recipe.why:
                told["recipe"] += f" {say.phrase('what_differs', why=recipe.why)}"
            return self.finding(place, _text(found, assumed, **told))
        notes = [say.phrase("what_differs", why=recipe.why)] if recipe.why else []
        if found.asks_for_what_goes:
            notes.append(say.phrase("dense_gradients"))
        return self.finding(
            place,
            _text(found, fix=_fix(found, written.source), recipe=" ".join(notes)),
            *written.edits,
            imports=written.imports,
            applicability=written.applicability,
        )


def _is_gone(context: Context, found: MissingCall) -> bool:
    """Whether what a call changes a module to is taken back before the module computes anything."""
    return found.missing.function.name.startswith("torch.nn.utils.") and is_removed(context, found.node)


def _is_missing_forward(found: MissingCall) -> bool:
    return bool(found.missing.function.forward) and not found.recipe.only_gradient


def _fix(found: MissingCall, source: str) -> str:
    """What a fix writes, as the end of a message."""
    helper = found.recipe.helper
    if found.missing.function.has_wrong_gradient:
        return say.phrase("right_helper", helper=helper, source=source) if helper else say.phrase("right_in_place")
    return say.phrase("helper_replaces", helper=helper, source=source) if helper else say.phrase("operations_replace")


def _text(found: MissingCall, assumed: str = "", fix: str = "", recipe: str = "", snippet: str = "") -> Text:
    """What happens, with what is only assumed of where the tensor lies, and what to do."""
    function, key = found.missing.function, "XP411.forward"
    if function.has_wrong_gradient:
        key = "XP411.wrong"
    elif not function.operators:
        key = "XP411.asks"
    elif not function.forward or found.recipe.only_gradient:
        key = "XP411.gradient"
    return say(key, name=found.name, assumed=assumed, fix=fix, recipe=recipe, snippet=snippet)
