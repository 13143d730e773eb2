"""What a question for CUDA guards, and whether a TPU could run it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable

from xlaport.context import Context
from xlaport.facts.roles import dotted

from . import counting, cuda
from .shown import is_shown

_HALF = frozenset({"torch.float16", "torch.half"})

_CUDA_PACKAGES = frozenset(
    "apex flash_attn xformers triton cupy pycuda pynvml bitsandbytes nvidia tensorrt torch_tensorrt cudf cuml "
    "mamba_ssm causal_conv1d deepspeed amp_C".split()
)
"""Packages that hold CUDA kernels. Source: cuda_api.json, entries ``pkg:``."""

_PORTED = frozenset(
    {
        "torch.cuda.synchronize", "torch.cuda.empty_cache", "torch.cuda.set_device", "torch.cuda.init",
        "torch.cuda.ipc_collect", "torch.cuda.reset_peak_memory_stats", "torch.cuda.reset_max_memory_allocated",
        "torch.cuda.manual_seed", "torch.cuda.manual_seed_all", "torch.cuda.amp", "torch.cuda.OutOfMemoryError",
    }
)  # fmt: skip
"""Names of ``torch.cuda`` that other rules port, or that do no harm without a GPU."""

_BUILDS = frozenset({"torch.version.cuda", "torch.version.hip", "torch.utils.cpp_extension.CUDA_HOME"})
"""What PyTorch was built for, or the CUDA toolkit: a build for TPUs has neither."""

_COMMON = frozenset("torch torchvision torchaudio torchdata torch_xla numpy tqdm".split()) | sys.stdlib_module_names
"""Packages whose import under a question for CUDA says nothing about them."""

_JUMPS = (ast.Return, ast.Raise, ast.Continue, ast.Break)

_HALF_ADVICE = "choose torch.bfloat16 in its place, the half precision of a TPU, which needs no loss scaling"
_USES = "what it guards uses {}, which a TPU does not have. Port or drop that, then drop the question"

_WORDS = re.compile(r"\w+")


def why_not(context: Context, question: ast.expr, negated: bool | None = None) -> str | None:
    """Why the answer to a question must not be yes; None where it may be.

    `negated`: whether the question asks for CUDA's not being there (``device_count() == 0``).
    """
    found = _on_its_own(context, question, negated) or _by_its_name(context, question)
    if found is not None or not isinstance(question, ast.Call):
        return found
    other = _belongs_to(context, question)
    return f"the question in line {context.line(other)}, which belongs to it, stays" if other is not None else None


def _by_its_name(context: Context, question: ast.expr) -> str | None:
    """``self.is_cuda = …``, where everything that asks ``if self.is_cuda:`` does so for what only CUDA has."""
    node: ast.AST = question
    while isinstance(context.module.parents[node], ast.BoolOp):
        node = context.module.parents[node]
    assign = context.module.parents[node]
    if not isinstance(assign, ast.Assign) or len(assign.targets) != 1:
        return None
    path = dotted(assign.targets[0])
    owner = context.module.class_of(assign) if path and "." in path else None
    home = owner or context.module.function(assign) or context.module.tree
    if path is None:
        return None
    missing: str | None = None
    uses = [
        use
        for use in ast.walk(home)
        if isinstance(use, ast.Name | ast.Attribute) and isinstance(use.ctx, ast.Load) and dotted(use) == path
    ]
    for use in uses:
        choice = context.module.parents[use]
        if isinstance(choice, ast.IfExp) and choice.test is use and _chooses_half(context, question, choice):
            return f"line {context.line(use)} chooses half precision by it: {_HALF_ADVICE}"
    for use in uses:
        parent = context.module.parents[use]
        if not isinstance(parent, ast.If) or parent.test is not use:
            return None
        missing = next((name for s in parent.body if (name := needs_cuda(context, s)) is not None), None)
        if missing is None:
            return None
    return _USES.format(missing) if missing is not None else None


def _belongs_to(context: Context, question: ast.Call) -> ast.Call | None:
    """A question of the same function that stays, and whose code uses what this one only prepares."""
    changed = _prepared(context, question)
    if not changed:
        return None
    function = context.module.function(question)
    for call in context.module.calls:
        if call is question or context.module.function(call) is not function:
            continue
        if not cuda.is_available_call(context, call) or _on_its_own(context, call) is None:
            continue
        statement = context.module.statement(call)
        if changed & {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}:
            return call
    return None


def _prepared(context: Context, question: ast.Call) -> set[str]:
    """The names whose lists and dicts the code under ``if torch.cuda.is_available():`` fills, if it does no more."""
    statement = context.module.parents[question]
    if not isinstance(statement, ast.If) or statement.test is not question or statement.orelse:
        return set()
    names: set[str] = set()
    for inner in statement.body:
        func = inner.value.func if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call) else None
        if not isinstance(func, ast.Attribute) or func.attr not in ("append", "extend", "update", "add"):
            return set()
        if not isinstance(func.value, ast.Name):
            return set()
        names.add(func.value.id)
    return names


def _on_its_own(context: Context, call: ast.expr, negated: bool | None = None) -> str | None:
    node: ast.expr = call
    code: list[ast.AST] = []
    asserted: str | None = None
    if negated is None:
        negated = isinstance(call, ast.Compare) and isinstance(call.ops[0], ast.NotEq | ast.NotIn)
    for parent in context.module.ancestors(call):
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if any(node is d for d in parent.decorator_list):
                return (
                    "a decorator decides by it whether this is used at all. See whether the code in it needs "
                    "CUDA, and write the answer for a TPU"
                )
            break
        if isinstance(parent, ast.BoolOp):
            code += parent.values
        elif isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            negated = not negated
        elif isinstance(parent, ast.IfExp) and node is parent.test:
            code += [parent.body, parent.orelse]
            if _chooses_half(context, call, parent):
                return _HALF_ADVICE
        elif isinstance(parent, ast.If | ast.While) and node is parent.test:
            code += parent.orelse if negated else parent.body
            if negated and isinstance(parent, ast.If):
                if isinstance(parent.body[-1], ast.Raise):
                    asserted = _package(context, parent, parent.body)
                elif isinstance(parent.body[-1], _JUMPS):
                    code += _behind(context, parent)
        elif isinstance(parent, ast.Assert) and node is parent.test:
            asserted = _package(context, parent, [parent])
        if isinstance(parent, ast.stmt):
            break
        if isinstance(parent, ast.expr):
            node = parent
    missing = asserted or next((name for g in code if (name := needs_cuda(context, g)) is not None), None)
    if missing is None:
        return None
    return _USES.format(missing)


def does_not_run(context: Context, node: ast.AST) -> bool:
    """Whether code is out of reach on a TPU: under ``if torch.cuda.is_available():``, or behind its ``return``."""
    child = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.If | ast.IfExp | ast.BoolOp | ast.While):
            asks = parent if isinstance(parent, ast.BoolOp) else parent.test
            if child is not asks and _asks(context, asks):
                return True
        if isinstance(child, ast.stmt) and any(_leaves_without(context, s) for s in _before(context, child)):
            return True
        child = parent
    return False


def _leaves_without(context: Context, statement: ast.stmt) -> bool:
    """``if not torch.cuda.is_available(): return``, alone or with more reasons to leave."""
    if not isinstance(statement, ast.If) or not isinstance(statement.body[-1], _JUMPS):
        return False
    test = statement.test
    reasons = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
    return any(isinstance(r, ast.UnaryOp) and isinstance(r.op, ast.Not) and _asks(context, r.operand) for r in reasons)


def _asks(context: Context, test: ast.expr) -> bool:
    """Whether a test is false on a TPU: it asks for CUDA, or compares with "cuda"."""
    return any(
        (isinstance(n, ast.Call) and cuda.is_available_call(context, n))
        or (isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.Eq | ast.In) and _names_cuda(n))
        for n in ast.walk(test)
    )


def _names_cuda(node: ast.Compare) -> bool:
    return any(cuda.is_cuda_string(side) for side in [node.left, *node.comparators])


def _before(context: Context, statement: ast.stmt) -> list[ast.stmt]:
    block = context.module.block(statement)
    return block[: block.index(statement)]


def _behind(context: Context, statement: ast.stmt) -> list[ast.stmt]:
    block = context.module.block(statement)
    return block[block.index(statement) + 1 :]


def _package(context: Context, statement: ast.stmt, complaint: Iterable[ast.AST]) -> str | None:
    """The CUDA package that an assertion protects: its message names it, or the code behind it uses it."""
    for part in complaint:
        for node in ast.walk(part):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = [word[0] for word in _WORDS.finditer(node.value) if word[0].lower() in _CUDA_PACKAGES]
                if words:
                    return words[0]
    names = (_package_used(context, n) for s in _behind(context, statement) for n in ast.walk(s))
    return next((name for name in names if name is not None), None)


def _package_used(context: Context, node: ast.AST) -> str | None:
    """The CUDA package that a node imports or names."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules: list[str] = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        modules = [context.resolve(node) or ""]
    else:
        return None
    return next((m for m in modules if m.split(".")[0] in _CUDA_PACKAGES), None)


def _chooses_half(context: Context, call: ast.expr, choice: ast.IfExp) -> bool:
    if not isinstance(call, ast.Call) or context.resolve(call.func) == "torch.cuda.is_bf16_supported":
        return False
    return context.resolve(choice.body) in _HALF or context.resolve(choice.orelse) in _HALF


def needs_cuda(context: Context, guarded: ast.AST) -> str | None:
    """What in the guarded code raises, or says nothing true, without an NVIDIA GPU."""
    for node in ast.walk(guarded):
        if isinstance(node, ast.Constant) and node.value == "nccl":
            return "nccl"
        package = _package_used(context, node) or _imported(node)
        if package is not None:
            return package
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            if isinstance(context.module.parents[node], ast.Attribute):
                continue
            name = context.resolve(node) or ""
            if name.startswith("torch.cuda.") and not _is_ported(context, name, node):
                return name
            if name in _BUILDS and not is_shown(context, node):
                return name
    return None


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
        name in cuda.AVAILABLE
        or name.endswith("Tensor")
        or any(name == known or name.startswith(f"{known}.") for known in _PORTED)
    ):
        return True
    call = context.module.parents[node]
    if name not in counting.COUNTS or not isinstance(call, ast.Call):
        return False
    # Compared with a number, it is XP110's; shown, or a part of an index, it does no harm.
    return (
        isinstance(context.module.parents[call], ast.Compare)
        or is_shown(context, call)
        or counting.names_a_device(context, call)
    )
