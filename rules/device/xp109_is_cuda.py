"""XP109: questions whether a tensor is on a GPU."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.flow import SinkKind
from xlaport.facts.roles import TENSORS, dotted
from xlaport.facts.structure import Class
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Span

from .._lib.device import cuda
from .._lib.device.saying import say
from .._lib.device.shown import is_shown

_CUDA_ONLY = frozenset(["triton", "apex", "data_parallel", "DataParallel", "nccl"])

_KERNELS = re.compile(r"^_C$|_C$|(^|_)(ext|kernels?)(_|$)|fused|flash_?attn|xformers")
"""Names that modules of kernels go by."""

_ASKED = frozenset({"is_cuda", "get_device"})
_JUMPS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class IsCuda(Rule):
    """Ask whether a tensor is on the accelerator.

    ## What it does
    Replaces `x.is_cuda` by `x.is_xla` where `x` is a tensor and a condition asks for it; where that is not
    known, or the answer is kept for later, only with `--unsafe`. `x.get_device()` becomes `x.device` where a
    device is expected: its number, 0 on XLA, means the first NVIDIA GPU there.

    ## Why
    `x.is_cuda` is False for a tensor on an XLA device: the code that follows takes its path for the CPU.

    ## Example
        x = torch.zeros(3)
        device = torch.device("cuda") if x.is_cuda else torch.device("cpu")

    becomes

        x = torch.zeros(3)
        device = torch.device("cuda") if x.is_xla else torch.device("cpu")

    ## When it is wrong
    Where the check chooses a CUDA kernel. If names of CUDA or of kernels are used under it, or after an
    `if not x.is_cuda: raise`, it is reported and stays False, which takes the other path: the right one on a TPU.

    ## When it is left alone
    An `is_cuda` of the user's own class or of another library; an answer that is handed on or only shown; a condition
    that chooses a kernel of CUDA; a number that is compared.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP104, XP103, XP804.
    """

    code = "XP109"
    name = "is-cuda"
    summary = "x.is_cuda becomes x.is_xla"
    applicability = Applicability.SAFE
    harm = Harm.WRONG
    words = ("is_cuda", "get_device")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each question."""
        own = _own_names(context)
        for node in context.module.nodes:
            if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load) or node.attr not in _ASKED:
                continue
            role = context.roles.role(node.value)
            is_tensor = role in TENSORS or _is_parameter(node.value)
            if not is_tensor and (role is not None or node.attr in own):
                continue
            if node.attr == "is_cuda" and not _is_called(context, node):  # (it is a method of another object then)
                yield self._question(context, node, is_tensor)
            elif node.attr == "get_device" and is_tensor:  # other objects have a method of this name, too
                yield from self._number(context, node)

    def _question(self, context: Context, node: ast.Attribute, is_tensor: bool) -> Finding:
        if not context.editable(node):
            return self.finding(context.place(node), say("XP109.text"))
        kernel = self._kernel(context, node)
        if kernel is not None:
            return self.finding(context.span(node), say("XP109.kernel", line=context.line(kernel)))
        span = context.span(node)
        decides = self._decides_here(context, node)
        sure = (is_tensor and is_shown(context, node)) or (decides and (is_tensor or self._places(context, node)))
        return self.finding(
            span,
            say("XP109.question"),
            Replace(Span(span.end - len("is_cuda"), span.end), f"is_{context.target.device_type}"),
            applicability=Applicability.SAFE if sure else Applicability.UNSAFE,
        )

    def _number(self, context: Context, node: ast.Attribute) -> Iterator[Finding]:
        """``x.get_device()``: the number of a GPU, and -1 on the CPU."""
        call = context.module.parents[node]
        if not isinstance(call, ast.Call) or call.func is not node or call.args or call.keywords:
            return
        if not context.editable(call):
            return
        sink = context.flow.sink(call)
        if sink is not None and sink.kind is SinkKind.DEVICE and not cuda.is_cuda_device(context, sink.call):
            span = context.span(call)
            yield self.finding(
                span,
                say("XP109.number"),
                Replace(Span(context.span(node.value).end, span.end), ".device"),
            )
        elif sink is None and any(s.kind is SinkKind.DEVICE for s in context.flow.reach(call).sinks):
            yield self.finding(context.span(call), say("XP109.kept"))

    def _decides_here(self, context: Context, node: ast.expr) -> bool:
        """Whether the answer is a condition, and is not kept for code that this rule does not see."""
        child = node
        for parent in context.module.ancestors(node):
            if isinstance(parent, ast.If | ast.IfExp | ast.While | ast.Assert):
                return child is parent.test
            if not isinstance(parent, ast.BoolOp | ast.UnaryOp):
                return False
            child = parent
        return False

    def _guarded(self, context: Context, node: ast.expr) -> list[ast.AST]:
        """What depends on the answer being yes, where it is asked for or where the name that keeps it is."""
        guarded: list[ast.AST] = []
        negated = False
        for parent in context.module.ancestors(node):
            if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
                negated = not negated
            elif isinstance(parent, ast.If | ast.While):
                guarded += parent.orelse if negated else parent.body
                if negated and isinstance(parent, ast.If) and isinstance(parent.body[-1], _JUMPS):
                    guarded += _behind(context, parent)
            elif isinstance(parent, ast.Assert):
                guarded += _behind(context, parent)
            elif isinstance(parent, ast.IfExp):
                guarded += [parent.body, parent.orelse]
            elif isinstance(parent, ast.BoolOp):
                guarded += parent.values
            elif isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
                for use in context.view.own.names.uses_of(parent.targets[0]):
                    guarded += self._guarded(context, use)
            if isinstance(parent, ast.stmt):
                break
        return guarded

    def _places(self, context: Context, node: ast.Attribute) -> bool:
        """Whether the answer decides if something else goes to the accelerator: ported, the two belong together."""
        return any(self._is_place(context, n) for part in self._guarded(context, node) for n in ast.walk(part))

    def _is_place(self, context: Context, node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            name = (context.resolve(node) or "") if isinstance(node, ast.Name | ast.Attribute) else ""
            return name.startswith("torch.cuda.") and name.endswith("Tensor")
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "cuda"
        return is_method or cuda.is_cuda_device(context, node) or context.resolve(node.func) in context.target.devices

    # -- kernels ---------------------------------------------------------------------------------------

    def _kernel(self, context: Context, node: ast.Attribute) -> ast.AST | None:
        """What shows that the answer chooses a kernel of CUDA: a name under it, or the function that it stands in."""
        owner = context.module.class_of(node)
        kind = Class(context.view.own, owner) if owner is not None else None
        if kind is not None and context.flow.structure.derives(kind, torch_api.AUTOGRAD_FUNCTIONS):
            return owner
        under = (inner for part in self._guarded(context, node) for inner in ast.walk(part))
        return next((inner for inner in under if self._speaks_of_cuda(context, inner)), None)

    def _speaks_of_cuda(self, context: Context, node: ast.AST) -> bool:
        if isinstance(node, ast.Import | ast.ImportFrom):
            return True  # what is imported only then is likely to need it
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript):
            return _is_name_of_function(node.func.value)  # kernel[grid](…)
        if not isinstance(node, ast.Name | ast.Attribute):
            return False
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name in ("cuda", "is_cuda"):
            return False  # `x.cuda()`, or this question itself
        if "cuda" in name.lower() or name in _CUDA_ONLY or _KERNELS.search(name) is not None:
            return True
        resolved = context.resolve(node) or ""
        return resolved.startswith("torch.ops.") or _is_cuda_s(resolved)


def _is_parameter(node: ast.expr) -> bool:
    """``next(model.parameters())``."""
    if not isinstance(node, ast.Call) or dotted(node.func) != "next" or not node.args:
        return False
    asked = node.args[0]
    return (
        isinstance(asked, ast.Call)
        and isinstance(asked.func, ast.Attribute)
        and asked.func.attr in ("parameters", "buffers")
    )


def _is_cuda_s(name: str) -> bool:
    return name.startswith("torch.cuda.") and not name.endswith("Tensor")  # a tensor type is XP108's


def _is_name_of_function(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and (dotted(node) or "").rpartition(".")[2].islower()


def _behind(context: Context, statement: ast.stmt) -> list[ast.stmt]:
    """The statements of the same block behind a statement."""
    block = context.module.block(statement)
    return block[block.index(statement) + 1 :]


def _own_names(context: Context) -> set[str]:
    """The names of these two that the file gives to objects of its own.

    A method ``def is_cuda(self):`` is called: where nothing calls the answer, it is that of a tensor.
    """
    own = {n.attr for n in context.module.nodes if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)}
    functions = context.module.of_type(ast.FunctionDef, ast.AsyncFunctionDef)
    own |= {function.name for function in functions if function.decorator_list or function.name != "is_cuda"}
    return own & _ASKED


def _is_called(context: Context, node: ast.Attribute) -> bool:
    call = context.module.parents[node]
    return isinstance(call, ast.Call) and call.func is node
