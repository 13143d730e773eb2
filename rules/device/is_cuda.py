"""XP109: questions whether a tensor is on a GPU."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import TENSORS
from xlaport.rule import Applicability, Finding, Replace, Rule, Span

from . import cuda

_CUDA_ONLY = frozenset(["get_device", "triton", "apex", "data_parallel", "DataParallel", "nccl"])


class IsCuda(Rule):
    """Ask whether a tensor is on the accelerator.

    ## What it does
    Replaces `x.is_cuda` by `x.is_xla` where `x` is a tensor and a condition asks for it; where that is not
    known, or the answer is kept for later, only with `--unsafe`.

    ## Why
    `x.is_cuda` is False for a tensor on an XLA device: the code that follows takes its path for the CPU.

    ## Example
        x = torch.zeros(3)
        device = torch.device("cuda") if x.is_cuda else torch.device("cpu")

    becomes

        x = torch.zeros(3)
        device = torch.device("cuda") if x.is_xla else torch.device("cpu")

    ## When it is wrong
    Where the question chooses a CUDA kernel. If names of CUDA stand under it, it is reported and stays.
    """

    code = "XP109"
    name = "is-cuda"
    summary = "x.is_cuda becomes x.is_xla"
    applicability = Applicability.SAFE
    words = ("is_cuda",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each question."""
        for node in context.module.nodes:
            if not isinstance(node, ast.Attribute) or node.attr != "is_cuda" or not isinstance(node.ctx, ast.Load):
                continue
            role = context.roles.role(node.value)
            if (role is not None and role not in TENSORS) or self._is_own(context):
                continue
            why = "is False for a tensor on an XLA device, which would be treated like one on the CPU"
            if not context.editable(node):
                yield self.finding(context.span(context.module.statement(node)), f"is_cuda {why}: ask .is_xla here")
            elif self._chooses_kernel(context, node):
                yield self.finding(
                    context.span(node),
                    f"is_cuda {why}. It stays, since what it guards speaks of CUDA: see which path a TPU should take",
                )
            else:
                span = context.span(node)
                sure = self._decides_here(context, node) and (role in TENSORS or self._places(context, node))
                yield self.finding(
                    span,
                    f"is_cuda {why}: .is_xla asks for the accelerator",
                    Replace(Span(span.end - len("is_cuda"), span.end), "is_xla"),
                    applicability=Applicability.SAFE if sure else Applicability.UNSAFE,
                )

    def _is_own(self, context: Context) -> bool:
        """The file gives the attribute to objects of its own."""
        return any(
            isinstance(n, ast.Attribute) and n.attr == "is_cuda" and not isinstance(n.ctx, ast.Load)
            for n in context.module.nodes
        ) or any(isinstance(n, ast.FunctionDef) and n.name == "is_cuda" for n in context.module.nodes)

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

    def _guarded(self, context: Context, node: ast.Attribute) -> list[ast.AST]:
        """What depends on the answer."""
        guarded: list[ast.AST] = []
        for parent in context.module.ancestors(node):
            if isinstance(parent, ast.If | ast.While):
                guarded += parent.body
            elif isinstance(parent, ast.IfExp):
                guarded += [parent.body, parent.orelse]
            elif isinstance(parent, ast.BoolOp):
                guarded += parent.values
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

    def _chooses_kernel(self, context: Context, node: ast.Attribute) -> bool:
        """Whether what depends on the answer mentions CUDA, other than to move or to make a tensor."""
        guarded = self._guarded(context, node)
        return any(self._speaks_of_cuda(context, n) for part in guarded for n in ast.walk(part))

    def _speaks_of_cuda(self, context: Context, node: ast.AST) -> bool:
        if not isinstance(node, ast.Name | ast.Attribute):
            return False
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name in ("cuda", "is_cuda"):
            return False  # `x.cuda()`, or this question itself
        return "cuda" in name.lower() or name in _CUDA_ONLY or self._is_cuda_s(context, node)

    def _is_cuda_s(self, context: Context, node: ast.expr) -> bool:
        name = context.resolve(node) or ""
        return name.startswith("torch.cuda.") and not name.endswith("Tensor")  # a tensor type is XP108's
