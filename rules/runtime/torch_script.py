"""XP827: TorchScript modules that go to a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Rule

from .. import host_only
from ..one_line import one_line

_MAKERS = frozenset({"torch.jit.script", "torch.jit.trace", "torch.jit.trace_module", "torch.jit.freeze"})
_MOVES = frozenset({"to", "cuda", "xpu"})


class TorchScript(Rule):
    """Report TorchScript modules that cannot be saved.

    ## What it does
    Reports `torch.jit.save(model, …)` and `model.save(…)` of a scripted or traced model that is on the device. What
    is loaded is XP708's.

    ## Why
    Scripted and traced modules run on XLA, and train. But saving one from there raises (RuntimeError: Attempted to set
    the storage of a tensor …; torch 2.9, torch_xla 2.9, measured).

    ## Example
        model = torch.jit.script(net.to("cuda"))
        model.save("model.pt")

    is reported. Save it from the CPU:

        model = torch.jit.script(net.to("cpu"))
        model.save("model.pt")

    ## When it is wrong
    Where the module has no parameters, or has been moved to the CPU in another function.

    ## When it is left alone
    Modules that have been moved to the CPU before they are saved.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, TorchScript: https://docs.pytorch.org/docs/stable/jit.html

    ## Related
    XP708, XP702, XP819.
    """

    code = "XP827"
    name = "torch-script"
    summary = "TorchScript modules that cannot be saved from XLA"
    applicability = Applicability.MANUAL
    words = ("jit",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each module that is saved or loaded."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            saved = _saved(context, call)
            if saved is not None and _is_on_device(context, saved):
                yield self._saved(context, call, saved)

    def _saved(self, context: Context, call: ast.Call, saved: ast.expr) -> Finding:
        model = one_line(context, saved)
        return self.finding(
            context.place(call),
            "a TorchScript module on an XLA device cannot be saved (RuntimeError: Attempted to set the storage of a "
            f"tensor on device cpu …). Move it to the CPU first, {model}.cpu(), and back, {model}.to(device), where it "
            "is used further",
        )


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
