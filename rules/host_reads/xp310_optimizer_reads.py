"""XP310: optimizers whose step reads the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts import default_device
from xlaport.facts.origins import Origins
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait
from xlaport.wording import Text

from .._lib import host_only
from .._lib.arguments import with_argument
from .._lib.device import cuda
from .._lib.host_reads.saying import say
from .._lib.one_line import one_line
from .._lib.series import series
from .._lib.step import moves, optimizers

_PACKAGE = "torch.optim."
_WITH_OPTION = frozenset({"ASGD", "Rprop"})
"""With `capturable`, their step is one graph and reads nothing (torch_xla 2.9, measured)."""
_COUNTING = frozenset({"Adam", "AdamW", "NAdam", "RAdam", "Adamax"})
"""Those that count their steps in a tensor of the default device, and make a number of it."""
_WITHOUT = {"Adafactor": "XP310.adafactor", "LBFGS": "XP310.lbfgs"}
"""Those that have no such option."""


_READING = _WITH_OPTION | _WITHOUT.keys()


class OptimizerReads(Rule):
    """Keep on the TPU what an optimizer decides.

    ## What it does
    Adds `capturable=True` to `torch.optim.ASGD` and `torch.optim.Rprop` (`--unsafe`) where the parameters are those of
    a model that is on the TPU, and to `Adam`, `AdamW`, `NAdam`, `RAdam` and `Adamax` where the project calls
    `torch.set_default_device(…)`. Where the parameters may be on the host, it is reported; so are
    `torch.optim.Adafactor` and `torch.optim.LBFGS`, which have no such option, and `Adagrad` under a default device. So
    is an optimizer that is looked up by a text, `getattr(torch.optim, "Rprop")`, or by the default of an option, and so
    is a `load_state_dict()` of an ASGD or Rprop with the option: what was saved without it undoes it.

    ## Why
    Their steps make Python numbers of tensors, or look for the places of masks: the host waits several times for each
    parameter of the model, in each step, and Rprop's graphs change with its masks (measured on torch_xla 2.9: 12 and 16
    transfers in a step of four parameters; 14 to 50 in a step of LBFGS with three iterations, and 14 to 42 compiles in
    each of its first seven steps). ASGD reads three numbers for each parameter, Rprop four masks, Adafactor two
    numbers; LBFGS reads the loss and the gradient in each of its up to `max_iter` iterations. Adam and its like count
    their steps in a tensor of the host, which becomes one of the TPU by `torch.set_default_device(…)`: one read and one
    graph more for each parameter. With `capturable=True`, which was made for CUDA graphs, the same is computed on the
    TPU, in one graph, without a read. A state that is loaded brings its own options along: after one of a CUDA run, a
    step of two parameters reads 4 (ASGD) and 8 (Rprop) numbers again, and none where `capturable` was set in it before;
    set later, the step raises an AssertionError.

    ## Example
        model = nn.Linear(4, 2).to("xla")
        optimizer = torch.optim.Rprop(model.parameters(), lr=0.01)

    becomes

        model = nn.Linear(4, 2).to("xla")
        optimizer = torch.optim.Rprop(model.parameters(), lr=0.01, capturable=True)

    ## When it is wrong
    `ASGD` counts its averages in float32 with it, so that last digits may differ. `step()` raises for parameters of the
    host (an AssertionError), as those of a program that is started with its own option for the CPU.

    ## When it is left alone
    Optimizers with `capturable=True` that load nothing, or the `state_dict()` of another one, or what got the option
    before; those of tensors of the host, those of other libraries, and the rest of `torch.optim`, which reads nothing.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, torch.optim: https://docs.pytorch.org/docs/stable/optim.html

    ## Related
    XP301, XP807.
    """

    code = "XP310"
    name = "optimizer-reads"
    summary = "an optimizer's step reads from the TPU"
    applicability = Applicability.UNSAFE
    harm = Harm.WAITS
    traits = (Trait.WAITING_OPTIMIZERS,)
    words = (*sorted(_WITH_OPTION), *_WITHOUT, *sorted(_COUNTING), "Adagrad", "load_state_dict")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each optimizer that reads."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            name = _named(context.resolve(call.func))
            if name in (*_COUNTING, "Adagrad") and self._counts_on_device(context, call):
                yield self._counting(context, call, name)
            if not context.editable(call):
                continue
            if name in _WITHOUT:
                yield self.finding(context.span(call), say(_WITHOUT[name]), applicability=Applicability.MANUAL)
            elif name in _WITH_OPTION and _is_open(call):
                yield self._capturable(context, call, name)
            elif not name and (looked_up := _named(context.looked_up(call.func))) in _READING and _is_open(call):
                if "capturable" not in context.roles.given_before(call.func):
                    yield self.finding(context.span(call), self._looked_up(context, call, looked_up, "XP310.is"))
        for call in context.module.calls:
            loser = _loses_option(context, call)
            if loser is not None and context.editable(call):
                yield self._undone(context, call, loser)

    def check_possible(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each of what may be an optimizer that reads, and may be another one."""
        for call in () if host_only.stays_on_host(context) else context.module.calls:
            reading = [name for name in map(_named, context.may_be(call.func)) if name in _READING]
            if reading and _is_open(call):
                yield self.finding(context.place(call), self._looked_up(context, call, reading[0], "XP310.if"))

    def _looked_up(self, context: Context, call: ast.Call, name: str, key: str) -> Text:
        way = say.phrase("without reads" if name in _WITH_OPTION else "another optimizer", name=name)
        return say(key, what=one_line(context, call.func), name=name, way=way)

    def _counts_on_device(self, context: Context, call: ast.Call) -> bool:
        """Whether an optimizer's count of steps is made where a default device says, and read there."""
        own = context.view.own
        setters = [c for c in context.module.calls if context.resolve(c.func) == "torch.set_default_device"]
        if any(cuda.is_cpu(context, value) for setter in setters for value in setter.args):
            return False
        around = (n for n in context.module.ancestors(call) if isinstance(n, ast.With))
        if any(cuda.is_cpu(context, item.context_expr) for block in around for item in block.items):
            return False
        return context.editable(call) and _is_open(call) and default_device.is_chosen(own)

    def _counting(self, context: Context, call: ast.Call, name: str) -> Finding:
        if name not in _COUNTING:
            text = say("XP310.adagrad")
            return self.finding(context.span(call), text, applicability=Applicability.MANUAL)
        edit = with_argument(context, call, "capturable=True")
        return self.finding(context.span(call), say("XP310.count", name=name), edit)

    def _undone(self, context: Context, call: ast.Call, name: str) -> Finding:
        state = one_line(context, call.args[0])
        if isinstance(call.args[0], ast.Name | ast.Attribute | ast.Subscript) and "(" not in state:
            text = say("XP310.loaded", name=name, state=state)
        else:
            text = say("XP310.loaded-unnamed", name=name, state=state, load=context.module.segment(call.func))
        return self.finding(context.span(call), text, applicability=Applicability.MANUAL)

    def _capturable(self, context: Context, call: ast.Call, name: str) -> Finding:
        statement = context.module.statement(call)
        models = dict.fromkeys(optimizers.models(context, call), statement)
        if isinstance(statement, optimizers.Building) and statement.value is call:
            models = optimizers.sources(context, statement)
        if models and all(moves.is_on_accelerator(context, at, model) for model, at in models.items()):
            edit = with_argument(context, call, "capturable=True")
            return self.finding(context.span(call), say("XP310.capturable", name=name), edit)
        whose = series(f"`{model}`" for model in sorted(models)) if models else "the model"
        text = say("XP310.host-or-device", name=name, models=whose)
        return self.finding(context.span(call), text, applicability=Applicability.MANUAL)


def _named(called: str | None) -> str:
    """The optimizer of PyTorch's that a call makes; ``torch.optim.rprop.Rprop`` is another name of the same."""
    return called.rpartition(".")[2] if called is not None and called.startswith(_PACKAGE) else ""


def _is_open(call: ast.Call) -> bool:
    """Whether a call that makes an optimizer says nothing of the option."""
    is_given = any(keyword.arg in (None, "capturable") for keyword in call.keywords)
    return bool(call.args or call.keywords) and not is_given


def _loses_option(context: Context, call: ast.Call) -> str | None:
    """The optimizer with ``capturable=True`` that gets a state out of a file, which may have been saved without."""
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr != "load_state_dict" or len(call.args) != 1:
        return None
    given = call.args[0]
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "state_dict":
        return None
    for spot in Origins(context.flow.structure).of(context.view.own, func.value) or ():
        made = spot.node if isinstance(spot.node, ast.Call) else None
        name = _named(spot.facts.names.resolve(made.func)) if made is not None else ""
        if made is not None and name in _WITH_OPTION and _is_capturable(made):
            return None if _sets_option(context, call) else name
    return None


def _is_capturable(call: ast.Call) -> bool:
    return any(
        keyword.arg == "capturable" and isinstance(keyword.value, ast.Constant) and keyword.value.value is True
        for keyword in call.keywords
    )


def _sets_option(context: Context, call: ast.Call) -> bool:
    """Whether a function says ``group["capturable"] = True`` before a call."""
    return any(
        isinstance(target, ast.Subscript)
        and isinstance(target.slice, ast.Constant)
        and target.slice.value == "capturable"
        and statement.lineno < call.lineno
        and context.module.function(statement) is context.module.function(call)
        for statement in context.module.of_type(ast.Assign)
        for target in statement.targets
    )
