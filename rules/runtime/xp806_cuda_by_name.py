"""XP806: CUDA reached through a text, where no name can be followed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule
from xlaport.wording import Text

from .._lib.runtime.importers import IMPORTERS
from .._lib.runtime.saying import say

_LOOKUPS = frozenset({"builtins.getattr", "builtins.hasattr", "builtins.setattr", "builtins.delattr"})
_RUN = frozenset({"builtins.exec", "builtins.eval", "builtins.compile", "operator.attrgetter", "timeit.timeit"})
_FINDERS = frozenset({"importlib.util.find_spec"})
_RUNNERS = ("subprocess.", "os.system", "os.popen", "os.exec")
_PATCHES = re.compile(r"(^|\.)(patch|setattr|delattr|object)$")
_HOLDERS = frozenset({"torch", "torch.cuda", "torch.backends", "torch.backends.cuda", "torch.backends.cudnn"})
_CUDA = re.compile(r"cuda|cudnn|nccl", re.IGNORECASE)
_CUDA_PATH = re.compile(r"\btorch\.(backends\.)?(cuda|cudnn)\b")


class CudaByName(Rule):
    """Report CUDA that is reached through a text.

    ## What it does
    Reports `getattr(torch, "cuda")`, `hasattr(torch.cuda, …)`, `importlib.import_module("torch.cuda.amp")`,
    `torch.__dict__["cuda"]`, `from torch.cuda import *`, and code in a text that names `torch.cuda`.

    ## Why
    No other rule can follow such a name: what is used of it is not ported, and raises, or describes a GPU that is not
    there. `getattr(torch, device_type)` finds no module for a TPU: there is no `torch.xla`.

    ## Example
        device_module = getattr(torch, "cuda")

    is reported. Written out, the name is followed, and what is used of it is ported:

        device_module = torch.cuda

    ## When it is wrong
    Where the name is only compared or shown.

    ## When it is left alone
    Attributes that other objects call `cuda`.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP802, XP111.
    """

    code = "XP806"
    name = "cuda-by-name"
    summary = "CUDA reached through getattr, import_module or a text"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    words = ("cuda", "cudnn", "nccl")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each look-up."""
        for node in context.module.of_type(ast.ImportFrom, ast.Subscript, ast.Call):
            reached = self._reached(context, node)
            if reached is not None:
                yield self.finding(context.place(node), reached)

    def _reached(self, context: Context, node: ast.ImportFrom | ast.Subscript | ast.Call) -> Text | None:
        """What is said of what a node reaches of CUDA."""
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if not node.level and _CUDA_PATH.match(module) and any(alias.name == "*" for alias in node.names):
                return say("XP806.star", name=module)
        elif isinstance(node, ast.Subscript):
            return self._subscript(context, node)
        else:
            return self._call(context, node)
        return None

    def _subscript(self, context: Context, node: ast.Subscript) -> Text | None:
        """``torch.__dict__["cuda"]``, ``vars(torch)["cuda"]``, ``sys.modules["torch.cuda"]``."""
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(key, str):
            return None
        held = context.resolve(node.value) or ""
        if held == "sys.modules" and _CUDA_PATH.match(key):
            return say("XP806.name", name=key)
        if isinstance(node.value, ast.Call) and context.resolve(node.value.func) == "builtins.vars" and node.value.args:
            held = f"{context.resolve(node.value.args[0])}.__dict__"
        owner = held.removesuffix(".__dict__")
        if held.endswith(".__dict__") and owner in _HOLDERS and (_CUDA.search(owner) or _CUDA.search(key)):
            return say("XP806.name", name=f"{owner}.{key}")
        return None

    def _is_code(self, node: ast.Call) -> bool:
        texts = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))
        return any(_CUDA_PATH.search(text) for text in texts)

    def _call(self, context: Context, node: ast.Call) -> Text | None:
        called = context.resolve(node.func) or ""
        texts = [text for argument in node.args for text in _texts(context, argument)]
        text = next(filter(_CUDA.search, texts), texts[0] if texts else None)
        if called in _LOOKUPS and len(node.args) > 1:
            owner = context.resolve(node.args[0])
            is_written = isinstance(node.args[1], ast.Constant)
            if owner == "torch" and not is_written and "device" in ast.unparse(node.args[1]).lower():
                return say("XP806.module")
            if owner in _HOLDERS and (_CUDA.search(owner) or (text is not None and _CUDA.search(text))):
                return say("XP806.name", name=f"{owner}.{text}" if text else owner)
            return None
        if called in IMPORTERS and text == "torch":
            return say("XP806.name", name=text)
        if called in _RUN or called.startswith(_RUNNERS):
            return say("XP806.code") if self._is_code(node) else None
        if text is None or not _CUDA_PATH.search(text):
            return None
        is_patch = isinstance(node.func, ast.Name | ast.Attribute) and _PATCHES.search(ast.unparse(node.func))
        return say("XP806.name", name=text) if called in IMPORTERS | _FINDERS or is_patch else None


def _texts(context: Context, node: ast.expr) -> tuple[str, ...]:
    """The texts one of which an argument is, by itself or by its value."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return (str(node.value),) if is_text and isinstance(node, ast.Constant) else context.roles.texts(node)
