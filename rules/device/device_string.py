"""XP103: device strings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.flow import Reach, SinkKind
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Edit, Finding, Import, Replace, Rule

from . import cuda


class DeviceString(Rule):
    """Rewrite "cuda" where it names a device, and leave it where it does not.

    ## What it does
    Follows each "cuda" string through names, parameters, attributes and command-line options. Where it
    reaches something that takes a device (`x.to(…)`, `device=…`, `torch.device(…)`, `torch.autocast(…)`),
    the string becomes "xla", together with the strings that it is compared with. A string in a `.to(…)` or
    `device=…` itself becomes the device.

    ## Why
    "cuda" raises without a GPU; a comparison with "cuda" that is left behind silently takes the CPU path.
    `map_location` takes no XLA device at all (it raises), and neither does `torch.Generator`: both get "cpu".

    ## Example
        device = "cuda" if torch.cuda.is_available() else "cpu"
        if device == "cuda": ...
        x = torch.zeros(3, device=device)

    becomes

        device = "xla"
        if device == "xla": ...
        x = torch.zeros(3, device=device)

    ## When it is wrong
    A comparison that switches a CUDA-only feature on. One that speaks of fused kernels is left as it is.
    """

    code = "XP103"
    name = "cuda-device-string"
    summary = 'a "cuda" string that reaches a device becomes "xla"'
    applicability = Applicability.SAFE
    words = ("cuda",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each string, and one for each comparison with a device's type."""
        for node in context.module.nodes:
            if isinstance(node, ast.Constant | ast.JoinedStr) and cuda.is_cuda_string(node):
                parent = context.module.parents[node]
                if isinstance(parent, ast.JoinedStr | ast.Expr) or not context.editable(node):
                    continue
                yield from self._string(context, node)
            elif isinstance(node, ast.Compare):
                yield from self._type_comparison(context, node)

    def _string(self, context: Context, node: ast.expr) -> Iterator[Finding]:
        if self._is_device_object(context, node):
            return
        sink = context.flow.sink(node)
        if sink is not None:
            if sink.kind is SinkKind.DEVICE:
                text, imports = context.device(node)
            elif sink.kind is SinkKind.DEVICE_TYPE:
                text, imports = self._quoted(context, node), self._imports(context, node)
            else:
                text, imports = '"cpu"', ()
            yield self.finding(
                context.span(node), _SINK_MESSAGE[sink.kind], Replace(context.span(node), text), imports=imports
            )
            return
        reach = context.flow.reach(node)
        if not reach.sinks:
            return
        whole = self._whole_choice(context, node)
        quoted = self._quoted(context, node)
        edits: list[Edit] = [Replace(context.span(whole), quoted)]
        edits += self._others(context, reach)
        first = min((sink.value for sink in reach.sinks), key=lambda value: value.lineno)
        yield self.finding(
            context.span(whole),
            f"this string reaches a device in line {context.line(first)}: it names the XLA device now",
            *edits,
            imports=self._imports(context, node),
        )

    def _is_device_object(self, context: Context, node: ast.expr) -> bool:
        """Inside ``torch.device(…)``: XP101 speaks of it."""
        parent = context.module.parents[node]
        if isinstance(parent, ast.IfExp) and parent.body is node:
            parent = context.module.parents[parent]
        return isinstance(parent, ast.Call) and context.resolve(parent.func) == "torch.device"

    def _whole_choice(self, context: Context, node: ast.expr) -> ast.expr:
        """``"cuda" if torch.cuda.is_available() else "cpu"`` as a whole."""
        parent = context.module.parents[node]
        if (
            isinstance(parent, ast.IfExp)
            and parent.body is node
            and cuda.is_available_call(context, parent.test)
            and cuda.is_cpu_string(parent.orelse)
        ):
            return parent
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
        if not any(
            isinstance(s, ast.Attribute) and s.attr == "type" and context.roles.is_(s.value, Role.DEVICE) for s in sides
        ):
            return
        for side in sides:
            if cuda.is_cuda_string(side) and context.editable(side) and not self._speaks_of_fused(context, side):
                yield self.finding(
                    context.span(side),
                    f'the type of an XLA device is "{context.target.device_type}"',
                    Replace(context.span(side), self._quoted(context, side)),
                    imports=self._imports(context, side),
                )

    def _quoted(self, context: Context, node: ast.expr) -> str:
        text = context.module.segment(node)
        quote = "'" if text.rstrip().endswith("'") else '"'
        return f"{quote}{context.target.device_type}{quote}"

    def _imports(self, context: Context, node: ast.AST) -> tuple[Import, ...]:
        # The string means something only once torch_xla has registered its device.
        return context.symbol("device", node)[1]


_SINK_MESSAGE = {
    SinkKind.DEVICE: "the CUDA device becomes the XLA device",
    SinkKind.DEVICE_TYPE: 'the device type of a TPU is "xla"',
    SinkKind.MAP_LOCATION: "map_location raises for an XLA device: load to the CPU, load_state_dict() copies it over",
    SinkKind.GENERATOR: "there is no XLA generator: a CPU generator keeps the numbers reproducible",
}
