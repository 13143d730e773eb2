"""XP103: device strings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.flow import Reach, Sink, SinkKind, option_name
from xlaport.facts.roles import TENSORS, Role, dotted
from xlaport.rule import Applicability, Edit, Finding, Import, Replace, Rule

from . import cuda, device_types, guarded, placing


class DeviceString(Rule):
    """Rewrite "cuda" where it names a device, and leave it where it does not.

    ## What it does
    Follows each "cuda" string through names, parameters, attributes and command-line options. Where it
    reaches something that takes a device (`x.to(…)`, `device=…`, `torch.device(…)`, `torch.autocast(…)`),
    the string becomes "xla", together with the strings that it is compared with. A string in a `.to(…)` or
    `device=…` itself becomes the device, and so does a bare number there: 0 means cuda:0.

    A string that something is looked up by (`NAMES[device]`) stays, and what takes a device gets the device
    itself. A comparison that guards what only CUDA has stays, too, and is reported; so is a "cuda" that is
    called a device but goes where the analysis cannot follow (a dict, a config class, a function of another
    package).

    ## Why
    "cuda" raises without a GPU; a comparison with "cuda" that is left behind silently takes the CPU path.
    What takes no XLA device at all, `map_location` and `torch.Generator`, is left to XP701 and XP107.

    ## Example
        device = "cuda" if torch.cuda.is_available() else "cpu"
        print("fast" if device == "cuda" else "slow")
        x = torch.zeros(3, device=device)

    becomes

        device = "xla"
        print("fast" if device == "xla" else "slow")
        x = torch.zeros(3, device=device)

    ## When it is wrong
    A comparison that switches a CUDA-only feature on. One that speaks of fused kernels is left as it is.
    """

    code = "XP103"
    name = "cuda-device-string"
    summary = 'a "cuda" string that reaches a device becomes "xla"'
    applicability = Applicability.SAFE
    words = ("cuda", "device=", ".to(")
    across = ("cuda",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each string, and one for each comparison with a device's type."""
        for node in context.module.nodes:
            if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp | ast.Call) and cuda.is_cuda_string(node):
                if not isinstance(context.module.parents[node], ast.JoinedStr | ast.Expr) and context.editable(node):
                    yield from self._string(context, node)
            elif isinstance(node, ast.Constant) and type(node.value) is int:
                yield from self._number(context, node)
            elif isinstance(node, ast.Compare | ast.Match):
                yield from self._type_question(context, node)

    def _string(self, context: Context, node: ast.expr) -> Iterator[Finding]:
        if self._is_device_object(context, node) or cuda.asks_cuda(context, node):
            return
        sink = context.flow.sink(node)
        if sink is not None:
            if sink.kind in _OTHER_RULES or self._is_a_stranger_s(context, sink):
                return
            if sink.kind is SinkKind.DEVICE:
                text, imports = placing.device(context, node)
            else:
                text, imports = self._quoted(context, node), self._imports(context, node)
            message = _SINK_MESSAGE[sink.kind] + cuda.dropped_index(node)
            yield self.finding(context.span(node), message, Replace(context.span(node), text), imports=imports)
            return
        reach = context.flow.reach(node)
        sinks = [s for s in reach.sinks if s.kind not in _OTHER_RULES and not self._is_a_stranger_s(context, s)]
        if not sinks:
            yield from self._lost(context, node)
            return
        whole = self._whole_choice(context, node)
        quoted = self._quoted(context, node)
        key = next((use for use in reach.unknown if self._is_key(context, use)), None)
        if key is not None:
            yield self._device_apart(context, node, sinks, key)
            return
        edits: list[Edit] = [Replace(context.span(whole), quoted)]
        edits += self._others(context, reach)
        yield from self._staying(context, reach)
        first = min((sink.value for sink in sinks), key=lambda value: value.lineno)
        yield self.finding(
            context.span(whole),
            f"this string reaches a device in line {context.line(first)}: it names the XLA device now"
            + cuda.dropped_index(node),
            *edits,
            imports=self._imports(context, node),
        )

    def _staying(self, context: Context, reach: Reach) -> Iterator[Finding]:
        for other in reach.comparisons:
            if cuda.is_cuda_string(other) and context.editable(other):
                why_not = self._why_not(context, other)
                if why_not is not None:
                    yield self.finding(context.span(other), f'this comparison with "cuda" stays: {why_not}')

    def _is_key(self, context: Context, use: ast.expr) -> bool:
        """Whether a use looks something up by the string itself: ``NAMES[device]``, ``os.path.join(out, device)``."""
        parent = context.module.parents[use]
        if isinstance(parent, ast.Subscript):
            return parent.slice is use
        if not isinstance(parent, ast.Call) or not parent.args:
            return False
        if isinstance(parent.func, ast.Attribute) and parent.func.attr in ("get", "pop", "setdefault"):
            return parent.args[0] is use
        return context.resolve(parent.func) in _PATHS

    def _device_apart(self, context: Context, node: ast.expr, sinks: list[Sink], key: ast.expr) -> Finding:
        """The string stays, since something is looked up by it; what takes a device gets the device itself."""
        whole = self._whole_choice(context, node)
        edits: list[Edit] = []
        imports: tuple[Import, ...] = ()
        for sink in sinks:
            if not self._holds_only(context, sink.value, whole) or not context.editable(sink.value):
                text = context.symbol("device", node)[0]
                return self.finding(
                    context.span(node),
                    f"line {context.line(key)} looks something up by this string, and line "
                    f"{context.line(sink.value)} takes it for a device: keep the string for the one, and pass "
                    f"{text}() to the other",
                )
            is_device = sink.kind is SinkKind.DEVICE
            text, needed = placing.device(context, sink.value) if is_device else ("", self._imports(context, node))
            edits.append(Replace(context.span(sink.value), text or f'"{context.target.device_type}"'))
            imports += needed
        if whole is not node:
            edits.append(Replace(context.span(whole), context.module.segment(node)))
        return self.finding(
            context.span(whole),
            f"line {context.line(key)} looks something up by this string, so it stays; what takes a device gets the "
            "XLA device itself",
            *edits,
            imports=imports,
        )

    def _holds_only(self, context: Context, use: ast.expr, value: ast.expr) -> bool:
        """Whether a name can have no other value than this one."""
        if not isinstance(use, ast.Name):
            return False
        found = context.names.reaching(use)
        return bool(found) and all(binding.value is value for binding in found)

    def _is_a_stranger_s(self, context: Context, sink: Sink) -> bool:
        """``x.to(…)`` of something that is no tensor, module or the like."""
        func = sink.call.func
        return (
            isinstance(func, ast.Attribute)
            and context.resolve(func) is None
            and context.roles.role(func.value) in (Role.OTHER, Role.NUMBER, Role.TEXT, Role.DATASET)
        )

    def _number(self, context: Context, node: ast.Constant) -> Iterator[Finding]:
        """``x.to(0)``, ``torch.zeros(3, device=0)``: a bare number is the index of a CUDA device."""
        sink = context.flow.sink(node)
        if sink is None or sink.kind is not SinkKind.DEVICE or not context.editable(node):
            return
        func = sink.call.func
        name = context.resolve(func) or ""
        if name in ("torch.device", "torch.cuda.set_device", "torch.cuda.device"):
            return
        known = isinstance(func, ast.Attribute) and context.roles.role(func.value) in (*TENSORS, Role.MODEL)
        if not known and not name.startswith("torch."):
            return
        text, imports = placing.device(context, node)
        yield self.finding(
            context.span(node),
            f"as a device, the number {node.value!r} is a CUDA device: {text} is the XLA device",
            Replace(context.span(node), text),
            imports=imports,
        )

    def _lost(self, context: Context, node: ast.expr) -> Iterator[Finding]:
        """A string that is called a device, but that no device is seen to take."""
        name = self._called(context, node)
        if name is None or not any(word in name.lower() for word in _DEVICE_WORDS):
            return
        yield self.finding(
            context.span(node),
            f'this "cuda" is called {name}, but what takes it is out of sight: "cuda" raises without an NVIDIA GPU, '
            f'write "{context.target.device_type}" where a torch device is meant',
        )

    def _called(self, context: Context, node: ast.expr) -> str | None:
        """The name under which an expression is stored or handed on."""
        chosen = context.module.parents[node]
        if isinstance(chosen, ast.IfExp) and chosen.test is not node:
            node, chosen = chosen, context.module.parents[chosen]
        parent = chosen
        if isinstance(parent, ast.keyword):
            call = context.module.parents[parent]
            if not isinstance(call, ast.Call) or context.roles.method_or_function(call) is not None:
                return None
            if parent.arg == "default" and isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument":
                return option_name(call)
            return parent.arg
        if isinstance(parent, ast.Dict) and node in parent.values:
            key = parent.keys[parent.values.index(node)]
            return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        if isinstance(parent, ast.AnnAssign) and isinstance(context.module.parents[parent], ast.ClassDef):
            return dotted(parent.target)
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            target = parent.targets[0]
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                return str(target.slice.value)
            if isinstance(target, ast.Attribute) or context.flow.reach(node).unknown:
                return dotted(target)
        return None

    def _is_device_object(self, context: Context, node: ast.expr) -> bool:
        """Inside ``torch.device(…)``: XP101 speaks of it."""
        parent = context.module.parents[node]
        if isinstance(parent, ast.IfExp) and parent.test is not node:
            parent = context.module.parents[parent]
        return isinstance(parent, ast.Call) and context.resolve(parent.func) == "torch.device"

    def _whole_choice(self, context: Context, node: ast.expr) -> ast.expr:
        """``"cuda" if torch.cuda.is_available() else "cpu"`` as a whole."""
        chosen = cuda.choice(context.module.parents[node])
        if (
            chosen is not None
            and chosen.accelerator is node
            and cuda.is_available_call(context, chosen.test)
            and cuda.is_cpu_string(chosen.other)
        ):
            return chosen.node
        return node

    def _others(self, context: Context, reach: Reach) -> list[Edit]:
        edits: list[Edit] = []
        matches = [match for use in reach.unknown if isinstance(match := context.module.parents[use], ast.Match)]
        answers = [answer for match in matches for answer in device_types.cases(match)]
        for other in [*reach.comparisons, *reach.lists, *answers]:
            if self._speaks_of_fused(context, other) or self._why_not(context, other) is not None:
                continue
            if cuda.is_cuda_string(other) and context.editable(other):
                edits.append(Replace(context.span(other), self._quoted(context, other)))
        return edits

    def _why_not(self, context: Context, answer: ast.expr) -> str | None:
        """Why a comparison has to stay false on a TPU."""
        compare = context.module.parents[answer]
        if isinstance(compare, ast.Tuple | ast.List | ast.Set):
            compare = context.module.parents[compare]
        return guarded.why_not(context, compare) if isinstance(compare, ast.Compare) else None

    def _speaks_of_fused(self, context: Context, node: ast.expr) -> bool:
        # fused=True raises on XLA: a test that chooses it has to stay false.
        return "fused" in context.module.segment(context.module.statement(node))

    def _type_question(self, context: Context, node: ast.AST) -> Iterator[Finding]:
        question = device_types.question(context, node)
        for answer in question.answers if question is not None else ():
            if cuda.is_cuda_string(answer) and context.editable(answer) and not self._speaks_of_fused(context, answer):
                assert question is not None
                why_not = self._why_not(context, answer)
                if why_not is not None:
                    yield self.finding(context.span(answer), f'this comparison with "cuda" stays: {why_not}')
                    continue
                yield self.finding(
                    context.span(answer),
                    f'the type of an XLA device is "{context.target.device_type}": with "cuda" here, it would be '
                    "treated like the CPU",
                    Replace(context.span(answer), self._quoted(context, answer)),
                    imports=self._imports(context, answer),
                    applicability=None if question.known else Applicability.UNSAFE,
                )

    def _quoted(self, context: Context, node: ast.expr) -> str:
        text = context.module.segment(node)
        quote = "'" if text.rstrip().endswith("'") else '"'
        return f"{quote}{context.target.device_type}{quote}"

    def _imports(self, context: Context, node: ast.AST) -> tuple[Import, ...]:
        # The string means something only once torch_xla has registered its device.
        return context.symbol("device", node)[1]


_OTHER_RULES = (SinkKind.GENERATOR, SinkKind.MAP_LOCATION)
"""What takes no XLA device: XP107 and XP701 speak of it."""

_PATHS = frozenset({"os.path.join", "pathlib.Path", "builtins.open"})

_DEVICE_WORDS = ("device", "accelerator")

_SINK_MESSAGE = {
    SinkKind.DEVICE: "the CUDA device becomes the XLA device",
    SinkKind.DEVICE_TYPE: 'the device type of a TPU is "xla"',
}
