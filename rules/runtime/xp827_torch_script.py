"""XP827: modules of the device that TorchScript traces or saves."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import TENSORS, Role
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait

from .._lib import host_only
from .._lib.one_line import one_line
from .._lib.runtime.saying import say

_MAKERS = frozenset({"torch.jit.script", "torch.jit.trace", "torch.jit.trace_module", "torch.jit.freeze"})
_MOVES = frozenset({"to", "cuda", "xpu"})
_ONNX = "torch.onnx.export"
_ONNX_WITHOUT_TRACE = "2.9"
"""Since when `torch.onnx.export()` traces only where it is told to, ``dynamo=False``."""


class TorchScript(Rule):
    """Report TorchScript modules that cannot be traced or saved.

    ## What it does
    Reports `torch.jit.save(model, …)` and `model.save(…)` of a scripted or traced model that is on the device, and
    `torch.jit.trace(model, x)`, TensorBoard's `writer.add_graph(model, x)` and `torch.onnx.export(model, x, …)`, which
    trace too, where `x` is on the device. XP708 reports what is loaded.

    ## Why
    Scripted and traced modules run on XLA, and train. But saving one there raises (RuntimeError: Attempted to set
    the storage of a tensor …), and so does tracing a convolution there (RuntimeError: Cannot insert a Tensor that
    requires grad as a constant; torch 2.9, torch_xla 2.9, measured). `torch.onnx.export(…, dynamo=True)`, which is what
    torch 2.9 does unless it is told `dynamo=False`, traces nothing, and exports models from XLA.

    ## Example
        model = torch.jit.script(net.to("cuda"))
        model.save("model.pt")

    is reported. Save it from the CPU:

        model = torch.jit.script(net.to("cpu"))
        model.save("model.pt")

    ## When it is wrong
    Where the module has no parameters, or has been moved to the CPU in another function. A model without convolutions
    is traced on XLA as well.

    ## When it is left alone
    Modules that have been moved to the CPU before they are saved; traces with a tensor of the host; exports to ONNX
    that do not trace.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, TorchScript: https://docs.pytorch.org/docs/stable/jit.html
    - PyTorch, torch.onnx: https://docs.pytorch.org/docs/stable/onnx.html

    ## Related
    XP708, XP702, XP819.
    """

    code = "XP827"
    name = "torch-script"
    summary = "TorchScript modules that cannot be saved from XLA"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    traits = (Trait.XLA_TENSOR,)
    words = ("jit", "add_graph", "onnx")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each module that is traced or saved."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            traced = _traced(context, call)
            if traced is not None and _is_device_s(context, *traced):
                yield self._traced(context, call, traced[0])
            saved = _saved(context, call)
            if saved is not None and _is_on_device(context, saved):
                yield self.finding(context.place(call), say("XP827.saved", model=one_line(context, saved)))

    def _traced(self, context: Context, call: ast.Call, model: ast.expr) -> Finding:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else "trace"
        return self.finding(context.place(call), say("XP827.traced", name=name, model=one_line(context, model)))


def _traced(context: Context, call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """``model`` and ``x`` of ``torch.jit.trace(model, x)``, ``writer.add_graph(model, x)`` and an export to ONNX."""
    is_graph = isinstance(call.func, ast.Attribute) and call.func.attr == "add_graph"
    name = context.resolve(call.func)
    if not is_graph and name != "torch.jit.trace" and not (name == _ONNX and _exports_by_trace(context, call)):
        return None
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    model = call.args[0] if call.args else named.get("model") or named.get("func")
    inputs = ("input_to_model", "example_inputs", "args")
    given = call.args[1] if len(call.args) > 1 else next((named[name] for name in inputs if name in named), None)
    return (model, given) if model is not None and given is not None else None


def _exports_by_trace(context: Context, call: ast.Call) -> bool:
    """Whether an export to ONNX traces the model: ``dynamo=False``, and without a word in older versions."""
    dynamo = next((k.value for k in call.keywords if k.arg == "dynamo"), None)
    if dynamo is None:
        return not context.target.is_at_least(_ONNX_WITHOUT_TRACE)
    return isinstance(dynamo, ast.Constant) and dynamo.value is False


def _is_device_s(context: Context, model: ast.expr, given: ast.expr) -> bool:
    """Whether a model is traced on the device: by what it is given, or by where it was moved."""
    inputs = given.elts if isinstance(given, ast.Tuple | ast.List) else [given]
    roles = {context.roles.role(value) for value in inputs}
    if roles & TENSORS or not context.roles.is_(model, Role.MODEL):
        return Role.TENSOR in roles and context.roles.role(model) in (Role.MODEL, None)
    return _is_on_device(context, model)


def _saved(context: Context, call: ast.Call) -> ast.expr | None:
    """``model`` of ``torch.jit.save(model, f)``, and of ``model.save(f)`` where it was scripted or traced here."""
    if context.resolve(call.func) == "torch.jit.save":
        return call.args[0] if call.args else None
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr != "save" or context.resolve(func) is not None:
        return None
    return func.value if _is_script(context, func.value) else None


def _is_script(context: Context, node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return context.resolve(node.func) in _MAKERS
    found = context.names.reaching(node) if isinstance(node, ast.Name) else []
    return bool(found) and all(b.value is not None and _is_made(context, b.value) for b in found)


def _is_made(context: Context, value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and context.resolve(value.func) in _MAKERS


def _is_on_device(context: Context, model: ast.expr, depth: int = 0) -> bool:
    """Whether a model was moved to a device: by itself, or before it was scripted."""
    if isinstance(model, ast.Call):
        if isinstance(model.func, ast.Attribute) and model.func.attr == "cpu":
            return False
        if context.resolve(model.func) in _MAKERS and model.args:
            return _is_on_device(context, model.args[0], depth)
        is_chain = isinstance(model.func, ast.Attribute) and context.resolve(model.func) is None
        if is_chain and isinstance(model.func, ast.Attribute):
            return _moves(context, model) or _is_on_device(context, model.func.value, depth)
        return False
    if not isinstance(model, ast.Name) or depth > 4:
        return False
    home = context.names.home(model)
    uses = context.names.uses(home, model.id) if home is not None else []
    calls = [c for use in uses if isinstance(c := context.module.parents[context.module.parents[use]], ast.Call)]
    methods = [c for c in calls if isinstance(c.func, ast.Attribute) and c.func.value in uses]
    if any(isinstance(c.func, ast.Attribute) and c.func.attr == "cpu" for c in methods):
        return False
    if any(_moves(context, c) for c in methods):
        return True
    return any(
        b.value is not None and _is_on_device(context, b.value, depth + 1) for b in context.names.reaching(model)
    )


def _moves(context: Context, call: ast.Call) -> bool:
    """``model.to(device)``."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _MOVES:
        return False
    given = [*call.args, *(k.value for k in call.keywords)]
    return call.func.attr != "to" or any(
        not _is_cpu(value) and (context.resolve(value) or "").partition(".")[0] != "torch" for value in given
    )


def _is_cpu(value: ast.expr) -> bool:
    if isinstance(value, ast.Call) and value.args:
        value = value.args[0]
    return isinstance(value, ast.Constant) and value.value == "cpu"
