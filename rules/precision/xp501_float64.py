"""XP501: numbers of 64 bits on the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.arrays import TAKING
from xlaport.context import Context
from xlaport.facts.derived import Derived
from xlaport.facts.module import last_name
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Rule
from xlaport.wording import Text

from .._lib import host_only
from .._lib.one_line import one_line
from .._lib.precision.saying import say
from .._lib.shapes.missing import missing

_TYPES = frozenset({"torch.float64", "torch.double"})
_DEFAULTS = frozenset({"torch.set_default_dtype", "torch.set_default_tensor_type"})
_NO_GRADIENT = frozenset(entry.name.rpartition(".")[2] for entry in missing() if entry.lacks_gradient)
"""Functions whose gradient raises on XLA: `slogdet`, `logdet`."""
_CHECKING = frozenset(
    f"torch.autograd.{module}{name}" for module in ("", "gradcheck.") for name in ("gradcheck", "gradgradcheck")
)


class Float64(Rule):
    """Report floats of 64 bits on the device.

    ## What it does
    Finds tensors and models that become float64 on the device: `x.double()`, `x.to(torch.float64)`,
    `torch.zeros(…, dtype=torch.float64, device=device)`, `torch.set_default_dtype(torch.float64)`, and NumPy's
    float64 that moves there by `torch.from_numpy(np.random.rand(…)).to(device)`, or as one number, by
    `torch.tensor(np.log(0.1)).to(device)`. So is what a program looks up by a text, `getattr(torch, "float64")`.

    ## Why
    A TPU has no 64-bit arithmetic. torch_xla passes float64 on to the compiler (`torch_xla/csrc/dtype.cpp` of 2.9),
    which rewrites each operation into several of 32 bits where it can. Where it cannot, the program ends with
    "UNIMPLEMENTED: While rewriting computation to not contain X64 element types, XLA encountered an HLO for which this
    rewriting is not implemented" (upsampling in float64, pytorch/xla#7142). XLA on the CPU has float64, so a run there
    does not show it. `gradcheck()` needs float64, and belongs on the host.

    ## Example
        device = "xla"
        x = torch.rand(8, 4, device=device)
        mean = x.double().mean()

    is reported. In float32, on the device:

        mean = x.mean()

    or in float64, on the host, if nothing else waits for it:

        mean = x.cpu().double().mean()

    ## When it is wrong
    Where few operations need the precision, and the compiler can rewrite them: they only get slower.

    ## When it is left alone
    float64 of NumPy and of tensors that stay on the host, other types, and a program for the CPU.

    ## Sources
    - Read in the source of torch_xla 2.9.
    - PyTorch/XLA, issue 7142: https://github.com/pytorch/xla/issues/7142

    ## Related
    XP505, XP108.
    """

    code = "XP501"
    name = "float64"
    summary = "floats of 64 bits on the device"
    applicability = Applicability.MANUAL
    words = ("float64", "double", "DoubleTensor", "numpy")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that makes a tensor, a model or the default float64."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            said = self._said(context, call)
            if said is not None:
                yield self.finding(context.place(call), said)

    def check_possible(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each cast that may be one to float64, and may be another."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            kind = next((k for k in _dtypes(call) if not _TYPES.isdisjoint(context.may_be(k))), None)
            made = context.roles.of(call) if kind is not None else None
            if kind is not None and made is not None and made.role in (Role.TENSOR, Role.MODEL) and not made.assumed:
                yield self.finding(context.place(call), say("XP501.maybe", what=one_line(context, kind)))

    def _said(self, context: Context, call: ast.Call) -> Text | None:
        """What is said of a call that makes float64 on the device."""
        name = context.resolve(call.func)
        if name in _DEFAULTS:
            given = call.args[0] if call.args else None
            is_text = isinstance(given, ast.Constant) and given.value == "torch.DoubleTensor"
            if given is not None and (is_text or context.resolve(given) in (*_TYPES, "torch.DoubleTensor")):
                return say("XP501.default")
            return None
        if _is_array_moved(context, call):
            if name is not None:
                return say("XP501.dtype")
            return say("XP501.moved", value=_before_move(context, call))
        if name is not None:
            if context.roles.is_(call, Role.TENSOR) and any(
                k.arg == "dtype" and context.looked_up(k.value) in _TYPES for k in call.keywords
            ):
                return say("XP501.dtype")
            return None
        if not isinstance(call.func, ast.Attribute) or not self._casts(context, call):
            return None
        if call.func.attr.startswith("new_"):
            return say("XP501.dtype") if context.roles.is_(call, Role.TENSOR) else None
        base = one_line(context, call.func.value)
        if context.roles.is_(call.func.value, Role.MODEL):
            return say("XP501.model", model=base)
        known = context.roles.is_(call.func.value, Role.TENSOR) and context.roles.is_(call, Role.TENSOR)
        if not known and not _has_just_moved(context, call.func.value):
            return None
        after = context.module.parents[call]
        if isinstance(after, ast.Attribute) and after.attr == "numpy":
            return None  # which only a tensor of the host has
        taking = _without_gradient(context, call)
        if taking is not None:
            return say("XP501.gradient", function=taking, value=base)
        checking = _checked_by(context, call)
        if checking is not None:
            return say("XP501.check", function=checking, value=base)
        return say("XP501.cast", value=base)

    def _casts(self, context: Context, call: ast.Call) -> bool:
        """``x.double()``, ``x.to(torch.float64)``, ``x.new_zeros(…, dtype=…)``; a torch.DoubleTensor is on the host."""
        assert isinstance(call.func, ast.Attribute)
        if call.func.attr == "double" and not call.args:
            return True
        return any(context.looked_up(value) in _TYPES for value in _dtypes(call))


def _dtypes(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call one of which may be a type of elements."""
    return [*call.args, *(k.value for k in call.keywords if k.arg == "dtype")]


def _has_just_moved(context: Context, node: ast.expr) -> bool:
    """``batch.x.cuda()``: a tensor or a model, and in any case on the device."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or context.roles.role(node):
        return False
    return node.func.attr == "cuda" or (
        node.func.attr == "to" and bool(node.args) and context.roles.is_(node.args[0], Role.DEVICE)
    )


def _checked_by(context: Context, cast: ast.expr) -> str | None:
    """The function that compares gradients with differences, and takes what is made of a value."""
    function, derived = context.module.function(cast), Derived(context.view.own, cast)
    for call in context.module.calls:
        if context.resolve(call.func) not in _CHECKING or context.module.function(call) is not function:
            continue
        if any(derived.has(value) for value in [*call.args, *(k.value for k in call.keywords)]):
            return last_name(call.func)
    return None


def _without_gradient(context: Context, cast: ast.expr) -> str | None:
    """The function whose gradient raises on XLA that takes what its function computes from a value."""
    function, derived = context.module.function(cast), Derived(context.view.own, cast)
    for call in context.module.calls:
        name = context.resolve(call.func)
        last = last_name(call.func)
        if last not in _NO_GRADIENT or context.module.function(call) is not function:
            continue
        is_method = name is None and isinstance(call.func, ast.Attribute)
        operands = [call.func.value] if is_method and isinstance(call.func, ast.Attribute) else call.args[:1]
        if (is_method or (name or "").startswith("torch.")) and any(derived.has(operand) for operand in operands):
            return last
    return None


def _is_array_moved(context: Context, call: ast.Call) -> bool:
    """Whether a call brings an array of float64 to the device: ``torch.from_numpy(np.ones(3)).to(device)``."""
    if not context.roles.is_(call, Role.TENSOR) or _is_cast(context, call):
        return False
    if context.resolve(call.func) in TAKING:
        kept = not any(k.arg == "dtype" for k in call.keywords)
        return kept and bool(call.args) and context.roles.is_wide(call.args[0])
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("to", "cuda"):
        return False
    if any(k.arg == "dtype" for k in call.keywords) or len(call.args) > 1:
        return False
    return context.roles.is_(call.func.value, Role.HOST_TENSOR) and context.roles.is_wide(call.func.value)


def _is_cast(context: Context, call: ast.Call) -> bool:
    """Whether the tensor becomes another type at once: ``torch.from_numpy(x).to(device).float()``."""
    method = context.module.parents[call]
    outer = context.module.parents[method]
    if not isinstance(method, ast.Attribute) or not isinstance(outer, ast.Call):
        return False
    return method.attr in ("float", "half", "bfloat16", "long", "int", "bool") or any(
        context.resolve(value) in ("torch.float32", "torch.float", "torch.bfloat16") for value in outer.args
    )


def _before_move(context: Context, call: ast.Call) -> str:
    taken = call.func.value if isinstance(call.func, ast.Attribute) else call
    return one_line(context, taken)
