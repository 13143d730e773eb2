"""XP113: the default tensor type."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from xlaport.context import Context
from xlaport.facts import default_device
from xlaport.facts.role import TENSORS
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Edit, Finding, Harm, Import, InsertStatement, Replace, Rule, Span

from .._lib.device.saying import say
from .._lib.device.type_names import DTYPES, host_kind_of, kind_of
from .._lib.one_line import one_line

_SETTER = "torch.set_default_tensor_type"
_DISPLAYS = (ast.List, ast.Tuple, ast.ListComp)


class DefaultType(Rule):
    """Choose the device of new tensors with `torch.set_default_device()`.

    ## What it does
    `torch.set_default_tensor_type("torch.cuda.FloatTensor")` becomes `torch.set_default_device()` with the XLA device,
    and `torch.set_default_dtype()` beside it for another type than float32. `torch.Tensor(…)`, which follows the
    default type and no default device, becomes `torch.as_tensor(…, dtype=…)`, or `torch.empty(…)` where it is given
    sizes, in the files that run under that type.

    ## Why
    The type raises without an NVIDIA GPU, and XLA has none that could be the default ("module 'torch' has no attribute
    'xla'"). Under a default device, `torch.zeros()`, `torch.tensor()`, `torch.as_tensor()`, random numbers and the
    weights of modules are made on the device, but `torch.Tensor(…)` still on the host, where it raises beside a tensor
    of the device (measured on torch_xla 2.9).

    ## Example
        torch.set_default_tensor_type("torch.cuda.FloatTensor")
        far = torch.Tensor([1e10])

    becomes

        torch.set_default_device(torch_xla.device())
        far = torch.as_tensor([1e10], dtype=torch.float32)

    ## When it is wrong
    Where `torch.Tensor(n)` is given a number whose kind cannot be seen: it would be the size of a new tensor. Such a
    fix is unsafe.

    ## When it is left alone
    `torch.set_default_tensor_type(torch.DoubleTensor)` and the other types of the host; `torch.FloatTensor(…)`, which
    makes tensors of the host under CUDA's default type, too; `torch.Tensor(…)` in programs without one.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, set_default_device:
      https://docs.pytorch.org/docs/stable/generated/torch.set_default_device.html

    ## Related
    XP103, XP108, XP501.
    """

    code = "XP113"
    name = "default-tensor-type"
    summary = "the default tensor type of CUDA becomes a default device"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("set_default_tensor_type", "Tensor(")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call that chooses the type, and for each that follows it."""
        types = default_device.types_of(context.view.own)
        if not types:
            yield from self._left_over(context)
            return
        dtype = "float32" if types == {"FloatTensor"} else "get_default_dtype()"
        for call in context.module.calls:
            called = context.resolve(call.func)
            if called == _SETTER and len(call.args) == 1 and not call.keywords:
                yield from self._setter(context, call)
            elif called == "torch.Tensor" and not call.keywords and context.editable(call):
                yield from self._made(context, call, dtype)

    def _left_over(self, context: Context) -> Iterator[Finding]:
        """What no fix was sure of, where the type has become a device by now: it is left to the user."""
        calls = [c for c in context.module.calls if context.resolve(c.func) == "torch.Tensor" and not c.keywords]
        if not calls or not default_device.is_xla(context.view.own):
            return
        for call in calls:
            for finding in self._made(context, call, "float32") if context.editable(call) else ():
                if finding.applicability is not Applicability.SAFE:
                    yield replace(finding, edits=(), applicability=Applicability.MANUAL)

    # -- the type --------------------------------------------------------------------------------------

    def _setter(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        given = call.args[0]
        sides = [given.body, given.orelse] if isinstance(given, ast.IfExp) else [given]
        kind = next((kind for side in sides if (kind := kind_of(context, side)) is not None), None)
        if kind is None:
            return
        edits = self._edits(context, call, kind)
        if edits is None:
            yield self.finding(context.place(call), say("XP113.open", kind=kind, dtype=DTYPES[kind]))
        else:
            yield self.finding(context.span(call), say("XP113.type", kind=kind), *edits[0], imports=edits[1])

    def _edits(self, context: Context, call: ast.Call, kind: str) -> tuple[list[Edit], tuple[Import, ...]] | None:
        statement = context.module.parents[call]
        if not isinstance(statement, ast.Expr) or not isinstance(call.func, ast.Attribute):
            return None
        device, imports = context.symbol("device", call)
        places = self._places(context, call.args[0], kind, f"{device}()")
        if not places or self._is_taken_back(context, call):
            return None
        torch = context.module.segment(call.func.value)
        edits: list[Edit] = [Replace(context.span(call.func), f"{torch}.set_default_device"), *places]
        if kind != "Float":
            dtype = f"{torch}.set_default_dtype({torch}.{DTYPES[kind]})"
            edits.append(InsertStatement(context.span(statement), dtype))
        return edits, imports

    def _places(self, context: Context, given: ast.expr, kind: str, device: str) -> list[Replace]:
        """What is written for the type, or for both of a choice; nothing where the other one is of another kind."""
        found: list[Replace] = []
        for side in [given.body, given.orelse] if isinstance(given, ast.IfExp) else [given]:
            if kind not in (kind_of(context, side), host_kind_of(context, side)):
                return []
            found.append(Replace(context.span(side), device if kind_of(context, side) else '"cpu"'))
        return found

    def _is_taken_back(self, context: Context, call: ast.Call) -> bool:
        """Whether the file goes back to a type of the host: unless that is the other branch, the device would stay."""
        for other in context.module.calls:
            if context.resolve(other.func) == _SETTER and other.args and host_kind_of(context, other.args[0]):
                if not context.module.are_alternatives(call, other):
                    return True
        return False

    # -- what follows it -------------------------------------------------------------------------------

    def _made(self, context: Context, call: ast.Call, dtype: str) -> Iterator[Finding]:
        if not isinstance(call.func, ast.Attribute):
            yield self.finding(context.span(call), say("XP113.name"))
            return
        torch, func = context.module.segment(call.func.value), context.span(call.func)
        if _is_shape(call) and not _has_sizes(context, call):
            yield self.finding(
                func, say("XP113.shape", shape=one_line(context, call.args[0]), dtype=f"{torch}.{dtype}")
            )
            return
        if _has_sizes(context, call):
            edit = Replace(func, f"{torch}.empty") if call.args else Replace(context.span(call), f"{torch}.empty(0)")
            yield self.finding(func, say("XP113.made", maker="empty"), edit)
            return
        data = call.args[0]
        is_data = _is_data(context, data)
        if is_data and _is_moved(context, call):
            return
        if not is_data and _is_parameter(context, call):
            yield self.finding(
                func,
                say("XP113.unsure", maker="empty", data=one_line(context, data)),
                Replace(func, f"{torch}.empty"),
                applicability=Applicability.UNSAFE,
            )
            return
        end, said = context.span(data).end, say("XP113.made", maker="as_tensor")
        yield self.finding(
            func,
            said if is_data else say("XP113.unsure", maker="as_tensor", data=one_line(context, data)),
            Replace(func, f"{torch}.as_tensor"),
            Replace(Span(end, end), f", dtype={torch}.{dtype}"),
            applicability=Applicability.SAFE if is_data else Applicability.UNSAFE,
        )


def _has_sizes(context: Context, call: ast.Call) -> bool:
    """``torch.Tensor(3, 4)``: it is given the sizes of a tensor, and no data."""
    if len(call.args) != 1:
        return True
    given = call.args[0]
    if isinstance(given, ast.Starred):
        return True
    if _is_shape(call):
        tensor = given.value if isinstance(given, ast.Subscript) else given
        tensor = tensor.func if isinstance(tensor, ast.Call) else tensor
        return isinstance(tensor, ast.Attribute) and context.roles.role(tensor.value) in TENSORS
    if isinstance(given, ast.Call) and context.resolve(given.func) in ("builtins.len", "builtins.int"):
        return True
    return context.roles.is_(given, Role.NUMBER)


def _is_shape(call: ast.Call) -> bool:
    """``torch.Tensor(x.shape)``, ``torch.Tensor(x.size())`` or ``torch.Tensor(x.shape[1:])``: of what, tells more."""
    given = call.args[0] if len(call.args) == 1 else None
    if isinstance(given, ast.Subscript) and isinstance(given.slice, ast.Slice):
        given = given.value
    if isinstance(given, ast.Call):
        return isinstance(given.func, ast.Attribute) and given.func.attr == "size" and not given.args
    return isinstance(given, ast.Attribute) and given.attr == "shape"


def _is_parameter(context: Context, call: ast.Call) -> bool:
    """``nn.Parameter(torch.Tensor(n))``: what is trained is made by its size, and filled afterwards."""
    parent = context.module.parents[call]
    return isinstance(parent, ast.Call) and context.resolve(parent.func) == "torch.nn.Parameter"


def _is_data(context: Context, node: ast.expr) -> bool:
    """Whether an argument is known to be what a tensor is made of."""
    node = context.names.assigned(node) or node
    while isinstance(node, ast.Subscript | ast.BinOp):
        node = node.left if isinstance(node, ast.BinOp) else node.value
    if isinstance(node, _DISPLAYS) or context.roles.role(node) in TENSORS:
        return True
    return isinstance(node, ast.Call) and (context.resolve(node.func) or "").startswith("numpy.")


def _is_moved(context: Context, call: ast.Call) -> bool:
    """``torch.Tensor(…).to(device)``, ``torch.Tensor(…).unsqueeze(0).cpu()``"""
    node: ast.AST = call
    while isinstance(method := context.module.parents[node], ast.Attribute):
        if method.attr in ("to", "cuda", "cpu", "numpy", "tolist", "item"):
            return True
        node = context.module.parents[method]
    return False
