"""XP411: operations that XLA has no kernel for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.gradients import may_get_gradient
from xlaport.facts.loops import LoopKind
from xlaport.facts.step_code import StepBody
from xlaport.rule import Applicability, Finding, Rule

from .. import host_only
from .bags import RAGGED, by_offsets
from .baked import in_steps
from .helpers import is_helper
from .missing_calls import MissingCall, called, chosen, made
from .removed_norm import is_removed
from .replacing import replacement
from .shared_helpers import Adding
from .where_placed import where_placed
from .wrong_gradient import handed_on

_DIFFERENTIATING = frozenset({LoopKind.TRAIN, LoopKind.OPTIMIZE})


class MissingLowering(Rule):
    """Write what XLA has no kernel for by what it has.

    ## What it does
    Finds calls of functions, methods and modules that torch_xla has no kernel for, in steps and on tensors of the
    device: `median`, `grid_sample`, `ctc_loss`, `nn.EmbeddingBag`, `nn.GLU`, `torch.fft`, `bucketize` … Where the same
    can be written by other operations, that is what becomes of them: an expression where it is short, else a small
    function or module that is added to the file, or imported from a file that this one imports already, or that lies
    beside it in a package, where that has it, or gets it in the same conversion. For the others, the message says what
    to do. So it does of `elu`, `celu` and `selu`, whose kernel has a wrong gradient unless they work in place.

    ## Why
    Without a kernel, an operation falls back to the host. The step is cut in two at that place: the host waits for the
    device, copies the operands, computes, and copies the result back. For some, it is the gradient that has none.
    Which ones do is measured: the table `rules/shapes/lowerings.toml` lists all operators of PyTorch's that the host
    computes, and the public functions that get to them, with the version of torch_xla.

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
    Calls on the host or outside of steps; arguments with which the function has a kernel; branches that only an older
    torch runs; code of Triton's kernels.

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
                yield self._finding(context, found, True)
        for node in context.module.of_type(ast.IfExp):
            found = chosen(context, node)
            if found is not None and found.reference is not None and not _is_gone(context, found):
                where = f"{_what(found, True)}. Line {context.line(found.node)} calls it where it is chosen here"
                yield self.finding(context.place(found.reference), f"{where}. {found.advice(context)}")

        for name, advice in handed_on(context):
            what = f"{ast.unparse(name)} has a wrong gradient on XLA unless it works in place, and raises no error"
            yield self.finding(context.place(name), f"{what}. Where it is called, {advice}")

    def _in_body(self, context: Context, body: StepBody, missing: dict[ast.Call, MissingCall]) -> Iterator[Finding]:
        differentiates = body.loop is None or body.loop.kind in _DIFFERENTIATING
        for node in context.step_code.of_type(body, ast.Call) if missing else ():
            found = missing.get(node)
            if found is None or context.step_code.is_now_and_then(node, but_training=True):
                continue
            is_quiet = context.loops.gradients_are_off(node) or not may_get_gradient(context.view.own, found.node)
            wanted = differentiates and not is_quiet
            if wanted or _is_missing_forward(found):
                yield self._finding(context, found, wanted)

    def _finding(self, context: Context, found: MissingCall, differentiates: bool) -> Finding:
        place, first = context.place(found.node), found.bound or next(iter(found.node.args), None)
        assumed = found.recipe.where or (where_placed(context, first) if first is not None else "")
        what = _what(found, differentiates, assumed)
        if by_offsets(context, found.node):
            return self.finding(place, f"{what}. {RAGGED}")
        written = replacement(context, found, Adding(self.check, self.code, self.applicability))
        if written is None:
            return self.finding(place, f"{what}. {found.advice(context)}")
        why = f"; unsafe, since {found.recipe.why}" if found.recipe.why else ""
        if found.asks_for_what_goes:
            why += f". {found.recipe.gone}"
        return self.finding(
            place,
            f"{what}. {_written(found, written.source)}{why}",
            *written.edits,
            imports=written.imports,
            applicability=written.applicability,
        )


def _is_gone(context: Context, found: MissingCall) -> bool:
    """Whether what a call changes a module to is taken back before the module computes anything."""
    return found.missing.function.name.startswith("torch.nn.utils.") and is_removed(context, found.node)


def _is_missing_forward(found: MissingCall) -> bool:
    return bool(found.missing.function.forward) and not found.recipe.only_gradient


def _written(found: MissingCall, source: str) -> str:
    """What a fix writes, as a sentence."""
    recipe = found.recipe
    if found.missing.function.has_wrong_gradient:
        does = f"{recipe.helper}, which is {source}, works" if recipe.helper else "It works"
        return f"{does} in place on a copy, whose gradient is right"
    if recipe.helper:
        return f"{recipe.helper}, which is {source}, does the same by operations that XLA has"
    return "It is written by operations that XLA has, which do the same"


def _what(found: MissingCall, differentiates: bool, assumed: str = "") -> str:
    """What happens, as the begin of a message, with what is only assumed of where the tensor lies."""
    function = found.missing.function
    name = f"{found.name}()"
    if found.missing.function.has_wrong_gradient:
        return f"the gradient of {name} is wrong on XLA, without an error: {assumed}the layers before it train on it"
    if not function.operators:
        return f"{assumed}{name} asks the device for a value, so that the host waits for it each time"
    if not function.forward or found.recipe.only_gradient:
        return (
            f"XLA has no kernel for the gradient of {name}: {assumed}where backward() goes through it, the "
            "host computes it, so the step waits for the device in its midst, and copies there and back"
        )
    if function.backward and differentiates:
        # Whether a gradient is asked for depends on where the operand comes from.
        return (
            f"XLA has no kernel for {name}, nor for its gradient: {assumed}the host computes what a step runs of "
            "them, for which the step waits for the device in its midst, and copies there and back"
        )
    return (
        f"XLA has no kernel for {name}: {assumed}the host computes it, so a step that runs it waits for the "
        "device in its midst, and copies there and back"
    )
