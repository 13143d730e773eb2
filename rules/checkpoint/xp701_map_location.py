"""XP701: where a checkpoint is loaded to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.value import DEVICE, UNKNOWN, Device, Value
from xlaport.context import Context
from xlaport.facts.flow import SinkKind
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Harm, Import, RemoveStatement, Replace, Rule, Span, Trait

from .._lib.checkpoint import left_behind, loads
from .._lib.checkpoint.loaded_whole import Whole, whole
from .._lib.checkpoint.saying import say
from .._lib.device import cuda, placing, survey
from .._lib.one_line import one_line


class MapLocation(Rule):
    """Load checkpoints to the CPU.

    ## What it does
    Replaces `map_location=device`, and every other way to name the accelerator there, by
    `map_location="cpu"`: a device, a "cuda" string, a dict that maps one GPU to another, a function that puts
    storages on a GPU. It is found, too, where a function of the program hands `**kwargs` on to `torch.load`, and
    reported where the load gets it from a dict of options. What is
    used as it was loaded, a whole model or a tensor that meets the device, moves to the device after the load; where
    several names get it, or its class keeps a plain tensor of the device, which no move of a module brings along, it is
    reported.

    ## Why
    `torch.load` cannot load to a TPU: `map_location` raises for every spelling of it (measured on
    torch_xla 2.9), and so does "cuda" without a GPU. `load_state_dict()` copies the values to where the
    module and the optimizer's parameters are, so the result is the same.

    ## Example
        device = torch.device("cuda")
        state = torch.load("model.pt", map_location=device)

    becomes

        device = torch.device("cuda")
        state = torch.load("model.pt", map_location="cpu")

    ## When it is wrong
    A tensor that is used as it was loaded, without `load_state_dict()`, stays on the CPU: XP705 moves it where that
    is seen. Elsewhere, move it with `.to(device)`.

    ## When it is left alone
    Loads to the CPU, `map_location=None`, functions that keep tensors on the CPU, and the loads of other libraries and
    formats. What `torch.jit.load` gives cannot be moved: XP708 says what to do.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, torch.load: https://docs.pytorch.org/docs/stable/generated/torch.load.html
    - PyTorch/XLA, PyTorch on XLA devices: https://docs.pytorch.org/xla/release/r2.8/learn/pytorch-on-xla-devices.html

    ## Related
    XP704, XP705, XP702.
    """

    code = "XP701"
    name = "map-location"
    summary = 'checkpoints are loaded with map_location="cpu"'
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.SPLIT_LOADS,)
    words = ("map_location", "load")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each load that names the accelerator."""
        for call in context.module.calls:
            if context.resolve(call.func) == "torch.jit.load":
                continue
            handed = [k.value for k in call.keywords if k.arg == "map_location" and _is_handed_on(context, k.value)]
            for value in [*loads.locations(context, call), *handed]:
                if not context.editable(value):
                    continue
                if self._is_accelerator(context, value):
                    yield self._located(context, call, value)
                elif any(map(cuda.is_cuda_text, context.roles.texts(value))):
                    yield self._located(context, call, value)
            for keyword in call.keywords if context.looked_up(call.func) in loads.LOADS else ():
                texts = context.roles.texts(keyword.value, "map_location") if keyword.arg is None else ()
                if text := next(filter(cuda.is_cuda_text, texts), None):
                    options = one_line(context, keyword.value)
                    yield self.finding(context.place(call), say("XP701.options", options=options, text=text))

            given_so = (given for name, given in context.roles.handed(call).items() if name in loads.LOADS)
            if any(_is_of_device(given.keywords.get("map_location", UNKNOWN)) for given in given_so):
                yield self.finding(context.place(call), say("XP701.handed", call=one_line(context, call)))

    def _located(self, context: Context, call: ast.Call, value: ast.expr) -> Finding:
        found = whole(context, call)
        if found is None:
            return self.finding(
                context.span(value),
                say("XP701.copied"),
                Replace(context.span(value), '"cpu"'),
                *self._idle_name(context, value),
            )
        if found.left is not None:
            said = say("XP701.left_behind", **left_behind.names(context, found.left))
            return self.finding(context.span(value), said)
        line = context.line(found.use)
        if found.value is None:
            return self.finding(context.span(value), say("XP701.by_hand", line=line, holds=found.holds))
        device, imports = self._device(context, value, found)
        end = context.span(found.value).end
        return self.finding(
            context.span(value),
            say("XP701.moved", line=line),
            Replace(context.span(value), '"cpu"'),
            Replace(Span(end, end), f".to({device})"),
            imports=imports,
            applicability=Applicability.UNSAFE if found.is_beside else Applicability.SAFE,
        )

    def _device(self, context: Context, value: ast.expr, found: Whole) -> tuple[str, tuple[Import, ...]]:
        """The device that a load names, for a move behind it."""
        assert found.value is not None
        is_near = context.module.function(value) is context.module.function(found.value)
        if isinstance(value, ast.Name | ast.Attribute) and is_near and context.roles.is_(value, Role.DEVICE):
            return context.module.segment(value), ()
        return placing.device(context, found.value)

    def _idle_name(self, context: Context, value: ast.expr) -> list[RemoveStatement]:
        """``loc = f"cuda:{gpu}"``, where nothing but this load has a use for the name."""
        if not isinstance(value, ast.Name):
            return []
        home, bindings = context.names.home(value), context.names.bindings(value)
        if home is None or isinstance(home.node, ast.Module | ast.ClassDef) or len(bindings) != 1:
            return []
        binding = bindings[0]
        statement = context.module.parents.get(binding.node)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or binding.value is None:
            return []
        if context.names.uses(home, value.id) != [value] or not cuda.is_cuda_string(binding.value):
            return []
        return [RemoveStatement(context.span(statement))]

    def _is_accelerator(self, context: Context, node: ast.expr) -> bool:
        """Whether an expression is, or may be, a device that a checkpoint cannot be loaded to."""
        if isinstance(node, ast.Lambda):
            return self._puts_on_gpu(node)
        if isinstance(node, ast.Dict):
            return bool(node.values) and all(self._is_accelerator(context, value) for value in node.values)
        if survey.may_be_accelerator(context, node) or (isinstance(node, ast.Constant) and type(node.value) is int):
            return True
        if isinstance(node, ast.IfExp):
            chosen = cuda.choice(node)  # also `None if torch.cuda.is_available() else "cpu"`: where it was saved
            is_asked = chosen is not None and cuda.is_available_call(context, chosen.test)
            return is_asked or any(self._is_accelerator(context, side) for side in (node.body, node.orelse))
        return context.roles.is_(node, Role.DEVICE) and not cuda.is_cpu(context, node)

    def _puts_on_gpu(self, node: ast.Lambda) -> bool:
        """``lambda storage, loc: storage.cuda(0)``."""
        body = node.body
        return isinstance(body, ast.Call) and isinstance(body.func, ast.Attribute) and body.func.attr == "cuda"


def _is_of_device(value: Value) -> bool:
    """Whether a value is an accelerator, or the name of one."""
    is_named = isinstance(value.constant, str) and cuda.is_cuda_text(value.constant)
    return is_named or (value.type == DEVICE and value.device is not Device.HOST)


def _is_handed_on(context: Context, value: ast.expr) -> bool:
    """Whether a function of the program gets a value in its ``**kwargs``, and hands these on to a load."""
    return any(
        sink.kind is SinkKind.MAP_LOCATION
        and isinstance(keyword := sink.facts.module.parents[sink.value], ast.keyword)
        and keyword.arg is None
        and loads.is_load(context.of(sink.facts), sink.call)
        for sink in context.flow.reach(value).sinks
    )
