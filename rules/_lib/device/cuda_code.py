"""Code that only CUDA can run: packages of kernels, names of `torch.cuda` without a counterpart."""

from __future__ import annotations

import ast
import re
import sys

from xlaport.context import Context
from xlaport.facts.module import imported_modules
from xlaport.facts.names import How
from xlaport.rule import Applicability

from ..catalogue import catalogue
from . import counting, cuda
from .shown import is_shown

_HARMLESS = ("torch.cuda.amp", "torch.cuda.OutOfMemoryError")
"""Names without a counterpart that do not raise without a GPU."""

_COUNTERS = frozenset(
    f"torch.cuda.{module}{peak}memory_{what}"
    for module in ("", "memory.")
    for peak in ("", "max_")
    for what in ("allocated", "reserved", "cached")
)
"""What is 0 without a GPU, and does not raise: shown, it does no harm."""

_BUILDS = frozenset(
    ["torch.version.cuda", "torch.version.hip"]
    + [f"torch.utils.cpp_extension.{name}" for name in ("CUDA_HOME", "CUDAExtension")]
)
"""What PyTorch was built for, or the CUDA toolkit and its compiler: a build for TPUs has neither."""

_COMMON = frozenset("torch torchvision torchaudio torchdata torch_xla numpy tqdm".split()) | sys.stdlib_module_names
"""Packages whose import under a question for CUDA says nothing about them."""

_OTHER_RUNTIMES = re.compile(
    r"(onnxruntime|paddlepaddle|tensorflow|faiss)-gpu|(CUDA|Tensorrt)ExecutionProvider|tensorrt|nvidia-[a-z-]+|cupy-cuda\w+"
    r"|.+\.cu(\.o)?|WITH_CUDA"
)
"""What is installed for CUDA, built of its code, or asked of another runtime that has it: texts."""

_ENGINES = frozenset("tensorrt onnx_tensorrt torch_tensorrt torch2trt pycuda polygraphy".split())
"""Packages of a runtime that takes what lies on an NVIDIA GPU."""

_KERNELS = re.compile(r"fused|flash_?attn|xformers|apex|extension_built|cuda_ext", re.IGNORECASE)
"""Names of kernels, or of flags that say whether they are there."""


def package_used(context: Context, node: ast.AST) -> str | None:
    """The CUDA package that a node imports or names."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = imported_modules(node)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        modules = [context.resolve(node) or ""]
    else:
        return None
    return next((m for m in modules if is_cuda_package(m)), None)


def is_cuda_package(name: str) -> bool:
    """Whether a dotted name belongs to a package of CUDA kernels."""
    return catalogue().package(name) is not None


def is_of_engine(context: Context, node: ast.AST) -> bool:
    """Whether code stands behind the import of another runtime for NVIDIA GPUs, in its block: it cannot run without."""
    for child in [node, *context.module.ancestors(node)]:
        if isinstance(child, ast.stmt) and not isinstance(context.module.parents[child], ast.Module):
            block = context.module.block(child)
            before = (s for s in block[: block.index(child)] if isinstance(s, ast.Import | ast.ImportFrom))
            if any(m.partition(".")[0] in _ENGINES for s in before for m in imported_modules(s)):
                return True
    return False


def needs_cuda(context: Context, guarded: ast.AST) -> str | None:
    """What in the guarded code raises, or says nothing true, without an NVIDIA GPU."""
    for node in ast.walk(guarded):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lower() == "nccl":
            return "nccl"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _OTHER_RUNTIMES.fullmatch(node.value):
            return node.value
        package = package_used(context, node) or _imported(node) or _package_of(context, node)
        if package is not None:
            return package
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            if isinstance(context.module.parents[node], ast.Attribute):
                continue
            name = context.resolve(node) or ""
            if name.startswith("torch.cuda.") and not _is_ported(context, name, node):
                return name
            if _KERNELS.search(node.id if isinstance(node, ast.Name) else node.attr):
                return context.module.segment(node)
            if name in _BUILDS and not is_shown(context, node):
                return name
    return None


def _package_of(context: Context, node: ast.AST) -> str | None:
    """The CUDA package that a class or a function of the file uses: ``Kernel()`` with its code for cupy."""
    found = context.names.bindings(node) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else ()
    defined = [b.node for b in found if b.how in (How.CLASS, How.FUNCTION)]
    inside = (inner for definition in defined for inner in ast.walk(definition))
    return next((package for inner in inside if (package := package_used(context, inner)) is not None), None)


def _imported(node: ast.AST) -> str | None:
    """A module that is imported only where there is CUDA, which it is likely to need then."""
    if isinstance(node, ast.Import):
        return next((a.name for a in node.names if a.name.split(".")[0] not in _COMMON), None)
    if isinstance(node, ast.ImportFrom):
        name = "." * node.level + (node.module or "")
        return name if name.split(".")[0] not in _COMMON else None
    return None


def _is_ported(context: Context, name: str, node: ast.expr) -> bool:
    if (
        name in cuda.available(context.target.table)
        or name.endswith("Tensor")
        or any(name == known or name.startswith(f"{known}.") for known in _HARMLESS)
        or _has_counterpart(context, name)
    ):
        return True
    call = context.module.parents[node]
    if name in _COUNTERS and isinstance(call, ast.Call):
        return _is_shown(context, call)
    if name not in counting.COUNTS or not isinstance(call, ast.Call):
        return False
    # Compared with a number, it is XP110's; shown, or a part of an index, it does no harm.
    parent = context.module.parents[call]
    return (
        (isinstance(parent, ast.Compare) and counting.truth_of(parent, call, 1) is not None)
        or is_shown(context, call)
        or counting.names_a_device(context, call)
    )


def _is_shown(context: Context, node: ast.expr) -> bool:
    """``log.format(memory=torch.cuda.max_memory_allocated() / MB)``"""
    inner: ast.AST = node
    while isinstance(parent := context.module.parents[inner], ast.BinOp) and not isinstance(parent.op, ast.Mod):
        inner = parent
    assert isinstance(inner, ast.expr)
    return is_shown(context, inner)


def _has_counterpart(context: Context, name: str) -> bool:
    """Whether a rule makes of the name what XLA needs, without being asked for more than safe fixes."""
    entry = catalogue(context.target.table).find(name)
    if entry is None or entry.name.endswith("*") or name in counting.COUNTS:
        return False
    return entry.rule is not None or entry.answer.applicability is Applicability.SAFE
