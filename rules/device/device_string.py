"""XP103: device strings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.flow import Reach, Sink, SinkKind, option_name
from xlaport.facts.roles import TENSORS, Role, dotted
from xlaport.rule import Applicability, Edit, Finding, Import, Replace, Rule

from . import cuda, placing


class DeviceString(Rule):
    """Rewrite "cuda" where it names a device, and leave it where it does not.

    ## What it does
    Follows each "cuda" string through names, parameters, attributes and command-line options. Where it
    reaches something that takes a device (`x.to(…)`, `device=…`, `torch.device(…)`, `torch.autocast(…)`),
    the string becomes "xla", together with the strings that it is compared with. A string in a `.to(…)` or
    `device=…` itself becomes the device, and so does a bare number there: 0 means cuda:0.

    A "cuda" that is called a device but goes where the analysis cannot follow (a dict, a config class, a
    function of another package) is reported and stays.

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

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each string, and one for each comparison with a device's type."""
        for node in context.module.nodes:
            if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp | ast.Call) and cuda.is_cuda_string(node):
                if not isinstance(context.module.parents[node], ast.JoinedStr | ast.Expr) and context.editable(node):
                    yield from self._string(context, node)
            elif isinstance(node, ast.Constant) and type(node.value) is int:
                yield from self._number(context, node)
            elif isinstance(node, ast.Compare):
                yield from self._type_comparison(context, node)

    def _string(self, context: Context, node: ast.expr) -> Iterator[Finding]:
        if self._is_device_object(context, node):
            return
        sink = context.flow.sink(node)
        if sink is not None:
            if sink.kind in _OTHER_RULES or self._is_a_stranger_s(context, sink):
                return
            if sink.kind is SinkKind.DEVICE:
                text, imports = placing.device(context, node)
            else:
                text, imports = self._quoted(context, node), self._imports(context, node)
            yield self.finding(
                context.span(node), _SINK_MESSAGE[sink.kind], Replace(context.span(node), text), imports=imports
            )
            return
        reach = context.flow.reach(node)
        sinks = [s for s in reach.sinks if s.kind not in _OTHER_RULES and not self._is_a_stranger_s(context, s)]
        if not sinks:
            yield from self._lost(context, node)
            return
        whole = self._whole_choice(context, node)
        quoted = self._quoted(context, node)
        edits: list[Edit] = [Replace(context.span(whole), quoted)]
        edits += self._others(context, reach)
        first = min((sink.value for sink in sinks), key=lambda value: value.lineno)
        yield self.finding(
            context.span(whole),
            f"this string reaches a device in line {context.line(first)}: it names the XLA device now",
            *edits,
            imports=self._imports(context, node),
        )

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
        for other in [*reach.comparisons, *reach.lists]:
            if cuda.is_cuda_string(other) and context.editable(other) and not self._speaks_of_fused(context, other):
                edits.append(Replace(context.span(other), self._quoted(context, other)))
        return edits

    def _speaks_of_fused(self, context: Context, node: ast.expr) -> bool:
        # fused=True raises on XLA: a test that chooses it has to stay false.
        return "fused" in context.module.segment(context.module.statement(node))

    def _type_comparison(self, context: Context, node: ast.Compare) -> Iterator[Finding]:
        sides = [node.left, *node.comparators]
        member = isinstance(node.ops[0], ast.In | ast.NotIn)
        known = any(self._is_type(context, side) or (member and self._is_text(context, side)) for side in sides)
        if not known and not any(self._may_be_type(context, side) for side in sides):
            return
        for side in self._elements(sides):
            if cuda.is_cuda_string(side) and context.editable(side) and not self._speaks_of_fused(context, side):
                message = f'the type of an XLA device is "{context.target.device_type}"'
                if not known:
                    message += ": with this comparison as it is, an XLA device would be treated like the CPU"
                yield self.finding(
                    context.span(side),
                    message,
                    Replace(context.span(side), self._quoted(context, side)),
                    imports=self._imports(context, side),
                    applicability=None if known else Applicability.UNSAFE,
                )

    def _elements(self, sides: list[ast.expr]) -> list[ast.expr]:
        """The sides of a comparison, and what stands in a tuple, list or set among them."""
        return [e for s in sides for e in (s.elts if isinstance(s, ast.Tuple | ast.List | ast.Set) else [s])]

    def _may_be_type(self, context: Context, node: ast.expr) -> bool:
        """``device.type`` of something that is called a device, but that nothing proves to be one."""
        if not isinstance(node, ast.Attribute) or node.attr != "type" or context.roles.role(node.value) is not None:
            return False
        path = dotted(node.value)
        return path is not None and path.rpartition(".")[2].lower().endswith("device")

    def _is_type(self, context: Context, node: ast.expr) -> bool:
        """``device.type``"""
        return isinstance(node, ast.Attribute) and node.attr == "type" and context.roles.is_(node.value, Role.DEVICE)

    def _is_text(self, context: Context, node: ast.expr) -> bool:
        """``str(device)``, which is "xla:0": "xla" is in it, but not equal to it."""
        if not isinstance(node, ast.Call) or context.resolve(node.func) != "builtins.str" or len(node.args) != 1:
            return False
        return context.roles.is_(node.args[0], Role.DEVICE)

    def _quoted(self, context: Context, node: ast.expr) -> str:
        text = context.module.segment(node)
        quote = "'" if text.rstrip().endswith("'") else '"'
        return f"{quote}{context.target.device_type}{quote}"

    def _imports(self, context: Context, node: ast.AST) -> tuple[Import, ...]:
        # The string means something only once torch_xla has registered its device.
        return context.symbol("device", node)[1]


_OTHER_RULES = (SinkKind.GENERATOR, SinkKind.MAP_LOCATION)
"""What takes no XLA device: XP107 and XP701 speak of it."""

_DEVICE_WORDS = ("device", "accelerator")

_SINK_MESSAGE = {
    SinkKind.DEVICE: "the CUDA device becomes the XLA device",
    SinkKind.DEVICE_TYPE: 'the device type of a TPU is "xla"',
}
