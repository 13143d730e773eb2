"""XP704: a checkpoint that is loaded to where it was saved."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import dotted
from xlaport.facts.spread import Gives, gives
from xlaport.rule import Applicability, Edit, Finding, Harm, Replace, Rule, Span

from .._lib import host_only
from .._lib.arguments import with_argument
from .._lib.checkpoint import left_behind, loads, own_files, saves
from .._lib.checkpoint.loaded_whole import Whole, advice, is_copied, whole
from .._lib.checkpoint.saying import say
from .._lib.device import placing
from .._lib.step import moves

_OF_PYTORCH = "://download.pytorch.org/"


class UnplacedLoad(Rule):
    """Load what was saved on a GPU where there is none.

    ## What it does
    Gives `map_location="cpu"` to a `torch.load()` that says nothing of where to. What is used as it was loaded, a
    whole model or an agent that takes back its attributes, would stay there: it moves after the load with `--unsafe`
    where the model before it is on the device, and is reported elsewhere. So does a tensor that stands where the
    program elsewhere puts one on the device, or is computed with one that lies there. A module whose class keeps a
    plain tensor of the device is reported, wherever it moves: no move of a module brings a plain tensor along.

    ## Why
    A checkpoint names the device of each tensor. One that was saved on a GPU, as most have been that are for a
    program for GPUs, raises a RuntimeError where there is no CUDA ("Attempting to deserialize object on a CUDA
    device"; measured on PyTorch 2.9). One that was saved on the CPU is the same with `map_location="cpu"`.
    `load_state_dict()` copies the values to where the module and the optimizer's parameters are.

    ## Example
        model = nn.Linear(4, 2)
        model.load_state_dict(torch.load("model.pt"))

    becomes

        model = nn.Linear(4, 2)
        model.load_state_dict(torch.load("model.pt", map_location="cpu"))

    ## When it is wrong
    A tensor that is used as it was loaded, without `load_state_dict()`, is on the CPU: XP705 moves it where that is
    seen.

    ## When it is left alone
    Loads that say where to, copies that the program has just made in memory, files of what it has saved itself on the
    CPU (the samples of a data set, a corpus), and programs for the CPU. `load_url()` and `load_state_dict_from_url()`
    of files that PyTorch publishes, which were saved on the CPU, and of addresses that are not seen. What
    `torch.jit.load` gives cannot be moved to XLA: XP708 says what to do.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, torch.load: https://docs.pytorch.org/docs/stable/generated/torch.load.html

    ## Related
    XP701, XP705, XP708, XP709.
    """

    code = "XP704"
    name = "unplaced-load"
    summary = "checkpoints of a GPU are loaded where there is none"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("load",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each load that does not say where to."""
        calls = [c for c in context.module.calls if loads.is_load(context, c) and _is_open(context, c)]
        if not calls or host_only.stays_on_host(context) or not _has_models(context):
            return
        for call in calls:
            if _given(context, call) is Gives.SOMETIMES:
                yield self._sometimes(context, call)
                continue
            if own_files.are_of_host(own_files.of_file(context, call)):
                continue
            found = whole(context, call)
            if found is not None:
                yield self._whole(context, call, found)
                continue
            said = say("XP704.copied") if is_copied(context, call) else say("XP704.stays")
            yield self.finding(context.span(call), said, _to_host(context, call))

    def _sometimes(self, context: Context, call: ast.Call) -> Finding:
        options = next(ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg is None)
        return self.finding(context.span(call), say("XP704.sometimes", options=options))

    def _whole(self, context: Context, call: ast.Call, found: Whole) -> Finding:
        if found.left is not None:
            said = say("XP704.left_behind", **left_behind.names(context, found.left))
            return self.finding(context.span(call), said)
        name = dotted(found.model) if found.model is not None else None
        statement = context.module.statement(call)
        is_there = name is not None and moves.is_on_accelerator(context, statement, name)
        if found.value is not None and (found.is_beside or is_there):
            device, imports = placing.device(context, call)
            end = context.span(found.value).end
            return self.finding(
                context.span(call),
                say("XP704.moved", line=context.line(found.use)),
                _to_host(context, call),
                Replace(Span(end, end), f".to({device})"),
                imports=imports,
                applicability=Applicability.UNSAFE,
            )
        return self.finding(context.span(call), advice(context, call, found))


def _to_host(context: Context, call: ast.Call) -> Edit:
    """The edit that makes a load one to the CPU."""
    given = loads.locations(context, call)
    if given:
        return Replace(context.span(given[0]), '"cpu"')
    return with_argument(context, call, 'map_location="cpu"')


def _has_models(context: Context) -> bool:
    """Whether a file has to do with models or devices, and not with data alone."""
    if host_only.speaks_of_device(context):
        return True
    return any(
        (isinstance(node, ast.Attribute) and node.attr == "load_state_dict")
        or (isinstance(node, ast.ClassDef) and context.roles.is_module_class(node))
        for node in context.module.nodes
    )


def _is_open(context: Context, call: ast.Call) -> bool:
    """Whether a load leaves it to the file where its tensors come to lie."""
    called = context.resolve(call.func)
    if called == "torch.jit.load" or not (call.args or call.keywords) or not context.editable(call):
        return False
    if not loads.is_plain(call) and _given(context, call) not in (Gives.NEVER, Gives.SOMETIMES):
        return False
    if any(not isinstance(value, ast.Constant) or value.value is not None for value in loads.locations(context, call)):
        return False
    if called != "torch.load":
        return _is_from_elsewhere(context, call)
    if saves.is_saved_sample(context, call):
        return False
    return not (call.args and saves.is_own_buffer(context, call.args[0]))


def _given(context: Context, call: ast.Call) -> Gives | None:
    """Whether the one ``**options`` of a call say where to load to."""
    spread = [keyword.value for keyword in call.keywords if keyword.arg is None]
    if len(spread) != 1 or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    return gives(context.view.own, spread[0], "map_location")


def _is_from_elsewhere(context: Context, call: ast.Call) -> bool:
    """Whether a call gets a file of which is not known that it was saved on the CPU, as those of PyTorch itself are."""
    url = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "url"), None)
    return url is not None and any(_OF_PYTORCH not in text for text in context.roles.texts(url))
